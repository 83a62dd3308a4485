package prof

import (
	"context"
	"fmt"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
)

// Option changes how Run works.
type Option func(*options)

type options struct {
	timesOnly bool
	progress  func(hook.Progress)
}

// WithTimesOnly has kernels run as they always do. Otherwise a GPU runs the first launch of each
// kernel and shape several times, to count different things each time, and the simulator runs
// all in its check mode.
func WithTimesOnly() Option { return func(o *options) { o.timesOnly = true } }

// WithProgress has f called about twice a second while a profile takes longer than a second, unless f is nil.
func WithProgress(f func(Progress)) Option {
	if f == nil {
		return func(o *options) { o.progress = nil }
	}
	return func(o *options) { o.progress = func(p hook.Progress) { f(Progress(p)) } }
}

// Progress says how far a profile is.
type Progress struct {
	Launches, Done int // given to the device so far, and begun there
	Elapsed        time.Duration
}

func (p Progress) String() string {
	return fmt.Sprintf("profiling: %d of %d launches so far, %.0f s", p.Done, p.Launches, p.Elapsed.Seconds())
}

// MIMEBundle returns how a notebook shows it.
func (p Progress) MIMEBundle() map[string]any { return map[string]any{"text/plain": p.String()} }

// Run runs f and returns what the current device did meanwhile: its kernels with times and with what they
// read, wrote and computed, its copies, and the work of each Range. Waiting for the device at
// the end is part of it. The error is f's, or the device's; there is a report also if f fails.
//
// On a GPU the times are CUPTI's, or those of events where it is missing. What is counted comes
// from the GPU's counters, which not everybody may read; then a note says what to do. Operations are
// counted by copies of the programs, which run once more. The
// simulator has no times of a GPU; it counts what kernels do in its check mode.
func Run(f func() error, opts ...Option) (*Report, error) {
	return RunContext(context.Background(), f, opts...)
}

// RunContext is Run. If ctx ends before f and the device's work do, that work is stopped, and the
// error is that of ctx.
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
	return newReport(d, p), err
}

// Range gives the time until the returned function is called a name. Run's report has the work of
// each range, and profilers such as Nsight Systems show it beside the kernels (an NVTX range). If nobody
// asks it costs next to nothing. Ranges may lie within one another and overlap.
//
//	defer prof.Range("solve")()
func Range(name string) (end func()) { return hook.Range(name) }
