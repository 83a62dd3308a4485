package gpu

import (
	"os"
	"sync"
	"sync/atomic"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// nvtxVariable is the environment variable that profilers such as Nsight set to receive a program's NVTX ranges.
const nvtxVariable = "NVTX_INJECTION64_PATH"

// maxRangeName is the maximum length of a name in bytes; longer names are cut.
const maxRangeName = 1000

// rangeNumbers counts the ranges of this process.
var rangeNumbers atomic.Uint32

// startRange implements hook.Range.
func startRange(name string) (end func()) {
	if registry.profiles.Load() == 0 && !profiled() {
		return func() {}
	}
	devices := known()
	// Work that was put off before the range is not part of it, and what is put off in it is. If it fails, whatever needs its results
	// has the error.
	settle := func() {
		for _, d := range devices {
			_ = d.settle()
		}
	}
	settle()
	name = name[:min(len(name), maxRangeName)]
	id := rangeNumbers.Add(1)
	var entered []*client.Link
	for _, d := range devices {
		if d.link.SendRange(&wire.Command{Op: wire.OpRangeStart, Arg: id}, name) {
			entered = append(entered, d.link)
		}
	}
	return sync.OnceFunc(func() {
		settle()
		for _, l := range entered {
			l.SendRange(&wire.Command{Op: wire.OpRangeEnd, Arg: id}, "")
		}
	})
}

// profiled reports whether a profiler wants ranges.
var profiled = sync.OnceValue(func() bool { return os.Getenv(nvtxVariable) != "" })
