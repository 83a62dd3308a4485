package prof

import (
	"context"
	"fmt"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
)

// An Option changes how Run profiles.
type Option func(*options)

type options struct {
	timesOnly bool
	timeline  bool
	progress  func(hook.Progress)
}

// WithTimesOnly measures times without counting, so that kernels run as they always do. Otherwise a GPU runs the first launch of each
// kernel and configuration several times, to read different counters each time, and the simulator runs all launches in check mode.
func WithTimesOnly() Option { return func(o *options) { o.timesOnly = true } }

// WithProgress calls f about twice per second while a profile takes longer than a second, unless f is nil.
func WithProgress(f func(Progress)) Option {
	if f == nil {
		return func(o *options) { o.progress = nil }
	}
	return func(o *options) { o.progress = func(p hook.Progress) { f(Progress(p)) } }
}

// A Progress is the progress of a profile.
type Progress struct {
	Launches, Done int // launches sent to the device so far, and those of them that it has begun
	Elapsed        time.Duration
}

func (p Progress) String() string {
	return fmt.Sprintf("profiling: %d of %d launches so far, %.0f s", p.Done, p.Launches, p.Elapsed.Seconds())
}

// MIMEBundle returns the representation in a notebook.
func (p Progress) MIMEBundle() map[string]any { return map[string]any{"text/plain": p.String()} }

// Run runs f, waits for the device, and returns a report of what the current device did meanwhile: its kernels with their times, memory
// traffic and operations, its copies, and the work of each Range. The error is that of f or of the device; the report is returned also if
// f fails.
//
// On a GPU the times are CUPTI's, or those of events if CUPTI is missing. Memory traffic is read from the GPU's counters, which may need
// permission; if it is missing, a note says how to get it. Operations are counted by instrumented copies of the programs, in an
// additional run. The simulator does not have a GPU's times; it counts memory traffic and operations in check mode.
func Run(f func() error, opts ...Option) (*Report, error) {
	return RunContext(context.Background(), f, opts...)
}

// RunContext is like Run but stops f's work on the device if ctx ends first. The error is then that of ctx.
func RunContext(ctx context.Context, f func() error, opts ...Option) (*Report, error) {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	d, err := gpu.Current() // f may choose another
	if err != nil {
		return nil, err
	}
	var p *hook.Profiled
	err = hook.Until(ctx, func() (err error) {
		p, err = hook.Profile(f, o.timesOnly, o.progress)
		return err
	})
	if p == nil {
		return nil, err
	}
	r := newReport(d, p)
	if o.timeline {
		r.Timeline = newTimeline(p)
	}
	return r, err
}

// Range gives a name to the time until the returned function is called. Run's report has the work of each range, and profilers such as
// Nsight Systems show it (as an NVTX range). If nothing is being profiled it costs almost nothing. Ranges may be nested and may overlap.
//
//	defer prof.Range("solve")()
func Range(name string) (end func()) { return hook.Range(name) }
