package gpu

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// Timing is what Time measured. The times are of one run.
type Timing struct {
	// Device time between an event before the run and one after it.
	Median, Q1, Q3, P95, Min time.Duration
	// Noise is how far the device times scatter: their standard deviation, relative to the mean.
	Noise float64
	// CPU is the median time that the function itself took, which for a launch is the cost of
	// submitting it.
	CPU  time.Duration
	Runs int
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

// String is one line with everything.
func (t Timing) String() string {
	s := fmt.Sprintf("median %s (quartiles %s to %s, min %s, %d runs, noise %.2g %%), CPU %s",
		short(t.Median), short(t.Q1), short(t.Q3), short(t.Min), t.Runs, 100*t.Noise, short(t.CPU))
	if t.Bytes > 0 {
		s += fmt.Sprintf(", %.4g GB/s", t.GBs())
	}
	if t.CopyGBs > 0 {
		s += fmt.Sprintf(" (%.0f %% of the rate of a copy)", 100*t.GBs()/t.CopyGBs)
	}
	if t.Flops > 0 {
		s += fmt.Sprintf(", %.4g GFLOP/s", t.GFlops())
	}
	if t.Throttled {
		s += "; the device runs below three quarters of its clock rate (heat, power), so it can be faster"
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
	flush        bool
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

// FlushL2 overwrites the device's L2 cache before each run.
func FlushL2() TimeOption { return func(t *timing) { t.flush = true } }

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
	if o.flush {
		const unknown = 64 << 20
		size := d.link.properties().L2CacheSize
		if size == 0 {
			size = unknown
		}
		t.scratch = Alloc[byte](2 * size)
		defer t.scratch.Free()
	}
	if err := t.warmUp(); err != nil {
		return Timing{}, err
	}
	return t.measure()
}

// timer is a measurement under way.
type timer struct {
	timing
	link    *link
	run     func() error
	scratch *Buffer[byte]
}

// warmUp runs f without measuring, and finds out which buffers it uses.
func (t *timer) warmUp() error {
	m := &meter{seen: map[reference]bool{}}
	t.link.meter.Store(m)
	defer t.link.meter.Store(nil)
	for i := range max(t.warm, 1) {
		if err := t.run(); err != nil {
			return err
		}
		if i == 0 {
			t.link.meter.Store(nil)
		}
	}
	if t.bytes == 0 {
		t.bytes = m.total()
	}
	return wrap("timing", t.link.sync())
}

// measure runs f in batches with events around each run and waits only after a batch, so
// that waiting does not get between the runs.
func (t *timer) measure() (Timing, error) {
	const batch = 32
	var pairs [batch][2]*Event
	for i := range pairs {
		for j := range pairs[i] {
			e, err := t.link.newEvent()
			if err != nil {
				return Timing{}, wrap("timing", err)
			}
			pairs[i][j] = e
		}
	}
	clock := newClock(t.link)
	var device, cpu []time.Duration
	begin := time.Now()
	// The first batches are small, for a slow f.
	for size := 1; ; size = min(2*size, batch) {
		n := min(size, t.rule.mostRuns-len(cpu))
		for i := range n {
			took, err := t.once(pairs[i])
			if err != nil {
				return Timing{}, err
			}
			cpu = append(cpu, took)
		}
		for i := range n {
			took, err := pairs[i][1].Since(pairs[i][0])
			if err != nil {
				return Timing{}, err
			}
			device = append(device, took)
		}
		if clock.slow() {
			device, cpu = device[:len(device)-n], cpu[:len(cpu)-n]
			continue
		}
		if t.rule.done(device, time.Since(begin)) {
			break
		}
	}
	noise := scatter(device)
	slices.Sort(device)
	slices.Sort(cpu)
	return Timing{
		Median: quantile(device, 0.5), Q1: quantile(device, 0.25), Q3: quantile(device, 0.75), P95: quantile(device, 0.95), Min: quantile(device, 0),
		Noise: noise, CPU: quantile(cpu, 0.5), Runs: len(device), Bytes: t.bytes, Flops: t.flops, CopyGBs: t.copyRate(), Throttled: clock.throttled,
	}, nil
}

// copyRate is the rate to compare with, if there is something to compare.
func (t *timer) copyRate() float64 {
	if t.bytes == 0 {
		return 0
	}
	return t.link.copyGBs()
}

// once measures one run and returns the time of the call itself.
func (t *timer) once(pair [2]*Event) (time.Duration, error) {
	if t.scratch != nil {
		t.scratch.Fill(1)
	}
	if err := pair[0].Record(nil); err != nil {
		return 0, err
	}
	start := time.Now()
	if err := t.run(); err != nil {
		return 0, err
	}
	took := time.Since(start)
	return took, pair[1].Record(nil)
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
