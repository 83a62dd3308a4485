package gpu

import (
	"math"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
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

// clock notices a device that runs slower than it could, because it is hot or saves power.
type clock struct {
	kernel    *Kernel // nil: nothing can be told
	out       *Buffer[uint64]
	rate      float64 // cycles a nanosecond at full speed
	pauses    int
	throttled bool
}

// newClock gives a clock that notices nothing where the device cannot be asked.
func newClock(l *link) *clock {
	props := l.properties()
	c := &clock{rate: float64(props.ClockRate) / 1e6}
	if props.Simulated || c.rate == 0 {
		return c
	}
	d := deviceOf(l)
	m, err := d.Compile(clockSource, Name("clock.cu"))
	if err != nil {
		return c
	}
	if c.kernel, err = m.Kernel("gopherwarp_clock"); err == nil {
		c.out = Zeros[uint64](2, d)
	}
	return c
}

// slow says whether the device ran slowly just now. Then it has had a pause, to cool down. After
// some of them in vain, slow times are taken for what they are.
func (c *clock) slow() bool {
	const (
		share = 0.75
		most  = 10 // pauses
		pause = 50 * time.Millisecond
	)
	if c.kernel == nil || c.throttled {
		return false
	}
	var seen [2]uint64
	if c.kernel.Launch(For(1, 1), c.out) != nil || c.out.CopyTo(seen[:]) != nil || seen[1] == 0 {
		return false // what is wrong shows at the next run
	}
	if float64(seen[0])/float64(seen[1]) >= share*c.rate {
		return false
	}
	if c.pauses++; c.pauses > most {
		c.throttled = true
		return false
	}
	time.Sleep(pause)
	return true
}

// copyGBs is the rate of copies within the device's memory, in 10⁹ bytes a second, read and
// written ones. It is measured once. It is 0 on the simulator.
func (l *link) copyGBs() float64 {
	if l.properties().Simulated {
		return 0
	}
	if known := l.copyRate.Load(); known != 0 {
		return math.Float64frombits(known)
	}
	rate := l.measureCopies()
	l.copyRate.Store(math.Float64bits(rate))
	return rate
}

// measureCopies takes the best of some copies that no cache holds. It is 0 if there is no memory for
// them.
func (l *link) measureCopies() float64 {
	const most, runs = 256 << 20, 10
	n := min(most, l.properties().TotalMemory/16)
	from, err := l.alloc(n, originOf[byte](0))
	if err != nil {
		return 0
	}
	defer l.release(from.allocation)
	to, err := l.alloc(n, originOf[byte](0))
	if err != nil {
		return 0
	}
	defer l.release(to.allocation)
	begin, err := l.newEvent()
	if err != nil {
		return 0
	}
	end, err := l.newEvent()
	if err != nil {
		return 0
	}
	var best time.Duration
	for range runs {
		if begin.Record(nil) != nil ||
			l.postBetween(to.allocation, from.allocation, &wire.Command{Op: wire.OpCopy, Dst: to.addr, Src: from.addr, N: n}, nil) != nil ||
			end.Record(nil) != nil {
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
