package prof

import (
	"context"
	"fmt"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
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
	// once, or what WithBytes said.
	Bytes int64
	Flops int64 // of one run, if WithFlops said so
	// CopyGBs is the rate at which the device copies within its memory, as measured, for
	// comparison. It is 0 if Bytes is, and on the simulator.
	CopyGBs float64
	// Throttled says that the device's clock stayed below three quarters of its rate, to save power
	// or keep cool, so that the times are not what it can do.
	Throttled bool
}

// GBs is the rate at which the bytes were moved, in 10⁹ bytes a second, by the median.
func (t Timing) GBs() float64 { return rate(t.Bytes, t.Median) }

// GFlops is the rate of WithFlops's operations, in 10⁹ a second, by the median.
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
	s := "median " + duration(t.Median)
	if t.Hot > 0 {
		s += " cold"
	}
	s += fmt.Sprintf(" (quartiles %s to %s, min %s)", duration(t.Q1), duration(t.Q3), duration(t.Min))
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
		s += "\n  back to back " + duration(t.Hot) + ", with what fits in the L2 cache"
	}
	s += fmt.Sprintf("\n  CPU %s; %d runs, noise %.2g %%", duration(t.CPU), t.Runs, 100*t.Noise)
	if t.Stopped != "" {
		s += ", stopped: " + t.Stopped
	}
	if t.Throttled {
		s += "\n  the device runs below three quarters of its clock rate (heat, power), so it can be faster"
	}
	return s
}

// duration writes a duration with four digits.
func duration(d time.Duration) string {
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

// WithMinTime measures for at least that long, unless the maximum of runs is reached before. The
// default is half a second.
func WithMinTime(d time.Duration) TimeOption { return func(t *timing) { t.rule.minTime = d } }

// WithMaxTime measures for at most about that long if the times scatter. The default is five seconds.
func WithMaxTime(d time.Duration) TimeOption { return func(t *timing) { t.rule.maxTime = d } }

// WithMaxRuns measures at most n runs. The default is 10 000.
func WithMaxRuns(n int) TimeOption { return func(t *timing) { t.rule.maxRuns = n } }

// WithWarmUps sets the number of runs before the measured ones. The default is 3.
func WithWarmUps(n int) TimeOption { return func(t *timing) { t.warm = n } }

// WithBytes sets how many bytes one run moves, instead of what the buffers suggest.
func WithBytes(n int64) TimeOption { return func(t *timing) { t.bytes = n } }

// WithFlops sets how many floating-point operations one run does.
func WithFlops(n int64) TimeOption { return func(t *timing) { t.flops = n } }

// Time measures f, which launches kernels on the default stream of the current device (or
// does anything else), between events on that stream. It stops at f's first error.
func Time(f func() error, opts ...TimeOption) (Timing, error) {
	return TimeContext(context.Background(), f, opts...)
}

// TimeContext is Time. If ctx ends before, what the device is doing is stopped, and the error is that
// of ctx.
func TimeContext(ctx context.Context, f func() error, opts ...TimeOption) (Timing, error) {
	o := timing{rule: newStopRule(), warm: 3}
	for _, opt := range opts {
		opt(&o)
	}
	d, err := gpu.Current()
	if err != nil {
		return Timing{}, err
	}
	var result Timing
	err = hook.Until(ctx, func() error {
		t := timer{timing: o, device: d, run: f}
		if err := t.warmUp(); err != nil {
			return err
		}
		if err := t.takeScratch(); err != nil {
			return wrap(err)
		}
		defer t.giveScratch()
		if err := t.makeEvents(); err != nil {
			return wrap(err)
		}
		result, err = t.measure()
		return err
	})
	return result, err
}

// wrap says of an error of the device what was being done.
func wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("timing: %w", err)
}

// try runs f and returns the *gpu.Error that it panics with, if it does.
func try(f func()) (err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *gpu.Error:
			err = e
		default:
			panic(e)
		}
	}()
	f()
	return nil
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
