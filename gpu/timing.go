package gpu

import (
	"fmt"
	"sync"
	"time"
)

// Timing is what Time measured. The times are of one run.
type Timing struct {
	// Device time between an event before the run and one after it, less Overhead. On a GPU the L2 cache was
	// filled with something else before each run, so that all memory had to be fetched.
	Median, Q1, Q3, P95, Min time.Duration
	// Noise is how far the device times scatter: their standard deviation, relative to the mean.
	Noise float64
	// Hot is the time of a run among many that follow one another, so that the L2 cache holds what
	// it can and the next launch is ready when one ends. It is 0 on the simulator.
	Hot time.Duration
	// CPU is the median time that the function itself took, which for a launch is the cost of
	// submitting it.
	CPU  time.Duration
	Runs int
	// Overhead is the time between two events with nothing between them, which was taken off
	// the device times. It is 0 on the simulator.
	Overhead time.Duration
	// Stopped says why there were no more runs.
	Stopped string
	// Bytes is what one run moves at least: each buffer that it passes to a launch counted
	// once, or what CountBytes said.
	Bytes int64
	Flops int64 // of one run, if CountFlops said so
	// CopyGBs is the rate at which the device copies within its memory, as measured, for
	// comparison. It is 0 if Bytes is, and on the simulator.
	CopyGBs float64
	// Throttled says that the device's clock stayed below three quarters of its rate, to save power
	// or keep cool, so that the times are not what it can do.
	Throttled bool
}

// GBs is the rate at which the bytes were moved, in 10⁹ bytes a second, by the median.
func (t Timing) GBs() float64 { return rate(t.Bytes, t.Median) }

// GFlops is the rate of CountFlops's operations, in 10⁹ a second, by the median.
func (t Timing) GFlops() float64 { return rate(t.Flops, t.Median) }

func rate(n int64, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / float64(d.Nanoseconds())
}

// String is a line for the median and the rates, one for the runs back to back, if there are any, and one
// about the measurement.
func (t Timing) String() string {
	s := "median " + short(t.Median)
	if t.Hot > 0 {
		s += " cold"
	}
	s += fmt.Sprintf(" (quartiles %s to %s, min %s)", short(t.Q1), short(t.Q3), short(t.Min))
	if t.Bytes > 0 {
		s += fmt.Sprintf(", %.4g GB/s", t.GBs())
	}
	if t.CopyGBs > 0 {
		s += fmt.Sprintf(" (%.0f %% of the rate of a copy)", 100*t.GBs()/t.CopyGBs)
	}
	if t.Flops > 0 {
		s += fmt.Sprintf(", %.4g GFLOP/s", t.GFlops())
	}
	if t.Hot > 0 {
		s += "\n  back to back " + short(t.Hot) + ", with what fits in the L2 cache"
	}
	s += fmt.Sprintf("\n  CPU %s; %d runs, noise %.2g %%", short(t.CPU), t.Runs, 100*t.Noise)
	if t.Stopped != "" {
		s += ", stopped as " + t.Stopped
	}
	if t.Throttled {
		s += "\n  the device runs below three quarters of its clock rate (heat, power), so it can be faster"
	}
	return s
}

// short writes a duration with four digits.
func short(d time.Duration) string {
	for _, u := range []struct {
		size time.Duration
		name string
	}{{time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "µs"}} {
		if d >= u.size {
			return fmt.Sprintf("%.4g %s", float64(d)/float64(u.size), u.name)
		}
	}
	return fmt.Sprintf("%d ns", d.Nanoseconds())
}

// timing is what options may change.
type timing struct {
	rule         stopRule
	warm         int
	bytes, flops int64
}

// TimeOption changes how Time measures.
type TimeOption func(*timing)

// MinTime is how long to measure at least, unless MaxRuns is reached before: half a second
// otherwise.
func MinTime(d time.Duration) TimeOption { return func(t *timing) { t.rule.least = d } }

// MaxTime is how long to go on if the times scatter: five seconds otherwise.
func MaxTime(d time.Duration) TimeOption { return func(t *timing) { t.rule.most = d } }

// MaxRuns is the largest number of runs to measure: 10 000 otherwise.
func MaxRuns(n int) TimeOption { return func(t *timing) { t.rule.mostRuns = n } }

// WarmUps is the number of runs before the measured ones: 3 otherwise.
func WarmUps(n int) TimeOption { return func(t *timing) { t.warm = n } }

// CountBytes says how many bytes one run moves, instead of what the buffers suggest.
func CountBytes(n int64) TimeOption { return func(t *timing) { t.bytes = n } }

// CountFlops says how many floating-point operations one run does.
func CountFlops(n int64) TimeOption { return func(t *timing) { t.flops = n } }

// Time measures f, which launches kernels on the default stream of the current device (or
// does anything else), between events on that stream. It stops at f's first error.
func Time(f func() error, opts ...TimeOption) (Timing, error) {
	o := timing{rule: newStopRule(), warm: 3}
	for _, opt := range opts {
		opt(&o)
	}
	d, err := Current()
	if err != nil {
		return Timing{}, err
	}
	t := timer{timing: o, link: d.link, run: f}
	if err := t.warmUp(); err != nil {
		return Timing{}, err
	}
	if err := t.takeScratch(); err != nil {
		return Timing{}, wrap("timing", err)
	}
	defer t.giveScratch()
	if err := t.makeEvents(); err != nil {
		return Timing{}, wrap("timing", err)
	}
	return t.measure()
}

// quantile interpolates in a sorted list.
func quantile(sorted []time.Duration, q float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + time.Duration((at-float64(i))*float64(sorted[i+1]-sorted[i]))
}

// meter counts the buffers that launches are given.
type meter struct {
	mu   sync.Mutex
	seen map[reference]bool
}

func (m *meter) note(refs []reference) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range refs {
		r.param = 0 // the same buffer counts once
		m.seen[r] = true
	}
}

func (m *meter) total() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	var n int64
	for r := range m.seen {
		n += int64(r.bytes)
	}
	return n
}
