package prof

import (
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// clockSource counts clock cycles of a multiprocessor over 20 µs.
const clockSource = `extern "C" __global__ void gopherwarp_clock(unsigned long long *out) {
	unsigned long long begin, now;
	long long cycles = clock64();
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
	do {
		asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
	} while (now - begin < 20000);
	out[0] = clock64() - cycles;
	out[1] = now - begin;
}`

// clock detects a device that runs below its clock rate, because it is hot or saves power.
type clock struct {
	kernel    *gpu.Kernel // nil if the clock cannot be measured
	out       *gpu.Buffer[uint64]
	rate      float64 // cycles per nanosecond at the full clock rate
	pauses    int
	throttled bool
}

// newClock returns a clock, which detects nothing if the device's clock cannot be measured.
func newClock(d *gpu.Device) *clock {
	props := d.Properties()
	c := &clock{rate: float64(props.ClockRate) / 1e6}
	if props.Simulated || c.rate == 0 {
		return c
	}
	m, err := d.Compile(clockSource, gpu.WithName("clock.cu"))
	if err != nil {
		return c
	}
	if c.kernel, err = m.Kernel("gopherwarp_clock"); err == nil {
		_ = try(func() { c.out = gpu.Zeros[uint64](2, d) })
	}
	return c
}

// slow reports whether the device's clock rate is low. If it is, slow has paused to let the device cool down. After maxPauses of them it
// accepts the low rate, sets throttled and returns false.
func (c *clock) slow() bool {
	const (
		share     = 0.75
		maxPauses = 10
		pause     = 50 * time.Millisecond
	)
	if c.kernel == nil || c.out == nil || c.throttled {
		return false
	}
	var seen [2]uint64
	if c.kernel.Launch(gpu.For(1, 1), c.out) != nil || c.out.CopyTo(seen[:]) != nil || seen[1] == 0 {
		return false // the next run returns the error
	}
	if float64(seen[0])/float64(seen[1]) >= share*c.rate {
		return false
	}
	if c.pauses++; c.pauses > maxPauses {
		c.throttled = true
		return false
	}
	time.Sleep(pause)
	return true
}
