package gpu

import (
	"math"
	"time"
)

// copySource is a kernel that does nothing but move memory, 16 bytes a thread.
const copySource = `extern "C" __global__ void gopherwarp_copy(const void *from, void *to, unsigned long long n) {
	unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
	if (i < n) ((uint4 *)to)[i] = ((const uint4 *)from)[i];
}`

// copyGBs is the rate at which a kernel copies within the device's memory, in 10⁹ bytes a second,
// read and written ones: what memory can do at best. It is measured once. It is 0 on the
// simulator.
func (d *Device) copyGBs() float64 {
	if d.link.Properties().Simulated {
		return 0
	}
	if known := d.copyRate.Load(); known != 0 {
		return math.Float64frombits(known)
	}
	rate := d.measureCopies()
	d.copyRate.Store(math.Float64bits(rate))
	return rate
}

// measureCopies takes the best of some copies that no cache holds. It is 0 if there is no memory for
// them, or no compiler.
func (d *Device) measureCopies() float64 {
	l := d.link
	const most, runs, word = 1 << 30, 10, 16
	m, err := d.Compile(copySource, Name("copy.cu"))
	if err != nil {
		return 0
	}
	kernel, err := m.Kernel("gopherwarp_copy")
	if err != nil {
		return 0
	}
	n := min(most, l.Properties().TotalMemory/16) &^ (word - 1)
	from, err := l.Alloc(n, originOf[byte](0))
	if err != nil {
		return 0
	}
	defer from.Free()
	to, err := l.Alloc(n, originOf[byte](0))
	if err != nil {
		return 0
	}
	defer to.Free()
	begin, err := newEvent(l)
	if err != nil {
		return 0
	}
	end, err := newEvent(l)
	if err != nil {
		return 0
	}
	var best time.Duration
	for range runs {
		c := kernel.Begin(For(int(n/word), 512))
		c.pointer(reference{block: from, addr: from.Addr}, l, "memory")
		c.pointer(reference{block: to, addr: to.Addr}, l, "memory")
		c.Uint(uint(n / word))
		if begin.Record(nil) != nil || c.Do() != nil || end.Record(nil) != nil {
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
