package prof

import (
	"sync"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// copySource is a kernel that copies memory, 16 bytes per thread.
const copySource = `extern "C" __global__ void gopherwarp_copy(const void *from, void *to, unsigned long long n) {
	unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
	if (i < n) ((uint4 *)to)[i] = ((const uint4 *)from)[i];
}`

// copyRates caches the rates by the device's name. A process has few devices.
var copyRates sync.Map

// copyGBs returns the rate at which a kernel copies within the device's memory, in 10⁹ bytes per second, counting bytes read and bytes
// written: the maximum that memory achieves. It is measured once per device, and 0 on the simulator.
func copyGBs(d *gpu.Device) float64 {
	if d.Properties().Simulated {
		return 0
	}
	if known, ok := copyRates.Load(d.Name()); ok {
		return known.(float64)
	}
	rate := measureCopies(d)
	if rate > 0 {
		copyRates.Store(d.Name(), rate)
	}
	return rate
}

// measureCopies returns the highest rate of several copies that are larger than the caches, or 0 if there is not enough memory for them
// or no compiler.
func measureCopies(d *gpu.Device) float64 {
	const maxBytes, runs, word = 1 << 30, 10, 16
	m, err := d.Compile(copySource, gpu.WithName("copy.cu"))
	if err != nil {
		return 0
	}
	kernel, err := m.Kernel("gopherwarp_copy")
	if err != nil {
		return 0
	}
	n := int(min(maxBytes, d.Properties().TotalMemory/16)) &^ (word - 1)
	var from, to *gpu.Buffer[byte]
	var begin, end *gpu.Event
	defer func() {
		for _, b := range []*gpu.Buffer[byte]{from, to} {
			if b != nil {
				_ = b.Free()
			}
		}
	}()
	err = try(func() {
		from, to = gpu.Alloc[byte](n, d), gpu.Alloc[byte](n, d)
		begin, end = d.NewEvent(), d.NewEvent()
	})
	if err != nil {
		return 0
	}
	var best time.Duration
	for range runs {
		if begin.Record(nil) != nil || kernel.Launch(gpu.For(n/word, 512), from, to, uint(n/word)) != nil || end.Record(nil) != nil {
			return 0
		}
		took, err := end.Since(begin)
		if err != nil {
			return 0
		}
		if best == 0 || took < best {
			best = took
		}
	}
	return rate(2*int64(n), best)
}
