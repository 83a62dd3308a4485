package prof

import (
	"context"
	"fmt"
	"html"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// A Timing is the result of Time. Its times are those of one run.
type Timing struct {
	// Device time between an event before the run and one after it, less Overhead. On a GPU the contents of the L2 cache were
	// replaced before each run, so that all data had to be read from device memory.
	Median, Q1, Q3, P95, Min time.Duration
	// Noise is the standard deviation of the device times, relative to their mean.
	Noise float64
	// Hot is the median time of a run among many consecutive ones, with a warm L2 cache and the next launch queued when one ends. It is 0
	// on the simulator.
	Hot time.Duration
	// CPU is the median host time of the function itself, which for a launch is the time to submit it.
	CPU  time.Duration
	Runs int
	// Overhead is the time between two events without work between them, which was subtracted from the device times. It is 0 on the
	// simulator.
	Overhead time.Duration
	// Stopped says why the measurement ended.
	Stopped string
	// Bytes is the minimum number of bytes that one run moves: each buffer that it passes to a launch, counted once, or the number given
	// by WithBytes.
	Bytes int64
	Flops int64 // floating-point operations of one run, as given by WithFlops
	// CopyGBs is the measured rate at which the device copies within its memory, in 10⁹ bytes per second, for comparison. It is 0 if
	// Bytes is, and on the simulator.
	CopyGBs float64
	// Throttled reports whether the device's clock stayed below three quarters of its rate, because of heat or power, so that the times
	// are not the best that it can achieve.
	Throttled bool
}

// GBs returns the memory throughput, Bytes per median time, in 10⁹ bytes per second.
func (t Timing) GBs() float64 { return rate(t.Bytes, t.Median) }

// GFlops returns the arithmetic throughput, Flops per median time, in 10⁹ operations per second.
func (t Timing) GFlops() float64 { return rate(t.Flops, t.Median) }

func rate(n int64, d time.Duration) float64 {
	if d <= 0 {
		return 0
	}
	return float64(n) / float64(d.Nanoseconds())
}

// String returns a line with the median and the rates, one with the time of consecutive runs, if there is one, and one about the
// measurement.
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
	s += "\n  CPU " + duration(t.CPU) + "; " + t.measured()
	if t.Throttled {
		s += "\n  " + throttled
	}
	return s
}

// throttled is what is said of a throttled device.
const throttled = "the device runs below three quarters of its clock rate (heat, power), so it can be faster"

// measured returns how the times were measured.
func (t Timing) measured() string {
	s := fmt.Sprintf("%s, %s", render.Count(t.Runs, "run", "runs"), t.noise())
	if t.Stopped != "" {
		s += ", stopped: " + t.Stopped
	}
	return s
}

// MIMEBundle returns the representation in a notebook: the text, and a table with a row for each time.
func (t Timing) MIMEBundle() map[string]any {
	device := []string{"device", duration(t.Median), duration(t.Q1), duration(t.Q3), duration(t.P95), duration(t.Min), "", "", ""}
	if t.Hot > 0 {
		device[0] = "device, cold L2 cache"
	}
	if t.Bytes > 0 {
		device[6] = fmt.Sprintf("%.4g GB/s", t.GBs())
	}
	if t.CopyGBs > 0 {
		device[7] = fmt.Sprintf("%.0f %%", 100*t.GBs()/t.CopyGBs)
	}
	if t.Flops > 0 {
		device[8] = fmt.Sprintf("%.4g GFLOP/s", t.GFlops())
	}
	rows := [][]string{{"", "median", "quartile", "quartile", "95 % below", "minimum", "memory", "of a copy", "arithmetic"}, device}
	if t.Hot > 0 {
		rows = append(rows, []string{"device, back to back", duration(t.Hot)})
	}
	rows = append(rows, []string{"CPU", duration(t.CPU)})
	page := render.FromRows(render.Default, rows).WithoutEmpty().HTML() + "<p>" + html.EscapeString(t.measured()) + "</p>"
	if t.Throttled {
		page += "<p>" + html.EscapeString(throttled) + "</p>"
	}
	return map[string]any{"text/plain": t.String(), "text/html": page}
}

// noise describes the scatter of the device times. A standard deviation above the mean is that of some far longer runs, and its figure says little.
func (t Timing) noise() string {
	if t.Noise >= 1 {
		return "some of them far longer than the others"
	}
	return fmt.Sprintf("noise %.2g %%", 100*t.Noise)
}

// duration formats a duration with four digits.
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

// timing is the configuration that options change.
type timing struct {
	rule         stopRule
	warm         int
	bytes, flops int64
	progress     func(TimeProgress)
}

// A TimeProgress is the progress of a measurement.
type TimeProgress struct {
	Runs    int // measured so far
	Elapsed time.Duration
	Max     time.Duration // the approximate maximum duration; it may end earlier
}

func (p TimeProgress) String() string {
	return fmt.Sprintf("timing: %d runs so far, %.1f s of at most about %s", p.Runs, p.Elapsed.Seconds(), duration(p.Max))
}

// MIMEBundle returns the representation in a notebook.
func (p TimeProgress) MIMEBundle() map[string]any {
	bar := &render.Bar{
		Label: "timing: " + render.Count(p.Runs, "run", "runs"), Plain: true,
		Done: int64(p.Elapsed), Total: int64(p.Max), Elapsed: p.Elapsed,
	}
	return map[string]any{"text/plain": p.String(), "text/html": bar.HTML()}
}

// A TimeOption changes how Time measures.
type TimeOption func(*timing)

// WithMinTime sets the minimum duration of the measurement, unless the maximum of runs is reached first. The default is half a second.
func WithMinTime(d time.Duration) TimeOption { return func(t *timing) { t.rule.minTime = d } }

// WithMaxTime sets the approximate maximum duration of the measurement if the noise does not settle. The default is five seconds, and
// one second on the simulator.
func WithMaxTime(d time.Duration) TimeOption { return func(t *timing) { t.rule.maxTime = d } }

// WithMaxRuns sets the maximum number of measured runs. The default is 10 000.
func WithMaxRuns(n int) TimeOption { return func(t *timing) { t.rule.maxRuns = n } }

// WithWarmUps sets the number of runs before the measured ones. The default is 3.
func WithWarmUps(n int) TimeOption { return func(t *timing) { t.warm = n } }

// WithBytes sets the number of bytes that one run moves, instead of the size of the buffers that it uses.
func WithBytes(n int64) TimeOption { return func(t *timing) { t.bytes = n } }

// WithTimeProgress calls f about twice per second, between runs, while a measurement takes longer than a second.
func WithTimeProgress(f func(TimeProgress)) TimeOption {
	return func(t *timing) { t.progress = f }
}

// WithFlops sets the number of floating-point operations of one run.
func WithFlops(n int64) TimeOption { return func(t *timing) { t.flops = n } }

// Time measures the device time of f, which launches kernels or other work on the default stream of the current device, between events on
// that stream. It calls f many times and waits for the device. It stops at f's first error and returns it.
func Time(f func() error, opts ...TimeOption) (Timing, error) {
	return TimeContext(context.Background(), f, opts...)
}

// TimeContext is like Time but stops the device's work if ctx ends first. The error is then that of ctx.
func TimeContext(ctx context.Context, f func() error, opts ...TimeOption) (Timing, error) {
	d, err := gpu.Current()
	if err != nil {
		return Timing{}, err
	}
	o := timing{rule: newStopRule(d.Properties().Simulated), warm: 3}
	for _, opt := range opts {
		opt(&o)
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

// wrap adds to an error what was being done.
func wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("timing: %w", err)
}

// try runs f and returns the *gpu.Error that it panics with, if any.
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

// quantile returns the quantile q, from 0 to 1, of a sorted list by linear interpolation.
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
