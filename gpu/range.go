package gpu

import (
	"os"
	"sync"
	"sync/atomic"

	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// nvtxVariable is the environment variable by which profilers such as Nsight have programs
// tell them their ranges.
const nvtxVariable = "NVTX_INJECTION64_PATH"

// mostRangeName is how many bytes of a name are kept.
const mostRangeName = 1000

// rangeNumbers counts the ranges of this process.
var rangeNumbers atomic.Uint32

// Range gives the time until the returned function is called a name. Profile tells the work of
// each range, and profilers such as Nsight Systems show it beside the kernels (an NVTX range). If nobody
// asks it costs next to nothing. Ranges may lie within one another and overlap.
//
//	defer gpu.Range("solve")()
func Range(name string) (end func()) {
	if registry.profiles.Load() == 0 && !profiled() {
		return func() {}
	}
	registry.mu.Lock()
	devices := append([]*Device(nil), registry.devices...)
	registry.mu.Unlock()
	id := rangeNumbers.Add(1)
	var entered []*link
	for _, d := range devices {
		if d.link.mark(&wire.Command{Op: wire.OpRangeStart, Arg: id}, name) {
			entered = append(entered, d.link)
		}
	}
	return sync.OnceFunc(func() {
		for _, l := range entered {
			l.mark(&wire.Command{Op: wire.OpRangeEnd, Arg: id}, "")
		}
	})
}

// profiled says whether a profiler waits for ranges.
var profiled = sync.OnceValue(func() bool { return os.Getenv(nvtxVariable) != "" })

// mark tells the device process about a range, if there is a process. That it has ended and
// takes no more commands shows at the next one that does something.
func (l *link) mark(c *wire.Command, name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.p == nil {
		return false
	}
	l.seq++
	c.Seq, c.Slot = l.seq, wire.NoSlot
	return l.p.send(c, []byte(name[:min(len(name), mostRangeName)])) == nil
}
