package check

import (
	"context"

	_ "github.com/gopherwarp/gopherwarp/gpu" // sets the hooks
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
)

// Option changes what Run looks at.
type Option func(*options)

type options struct{ leaks, simulated bool }

// WithSimulator makes Run have the simulator look at the launches also where the device is a GPU, and count
// what they cost. A GPU's kernels are then run by the simulator once more, with copies of their buffers.
func WithSimulator() Option { return func(o *options) { o.simulated = true } }

// WithLeaks makes Run report buffers that were made in the function and are still there when
// it has returned: nobody has freed them, and a variable still holds them.
func WithLeaks() Option { return func(o *options) { o.leaks = true } }

// Run runs f and all kernels that it launches on the current device in check mode, and returns
// what was seen. The error is f's, or the device's: that a kernel has a defect is none, but
// Report.Err makes it one. Kernels compiled without gpu.WithCheck are compiled again for it, and
// have other copies of their __device__ and __constant__ variables than usual: those know
// what the host has copied to them, and not what kernels wrote before.
//
// Launches of graphs are not watched. There is a report also if f fails. The simulator needs some ten
// times the memory that the kernels touch.
//
// On a GPU each launch is carried out first by other processes, with copies of the buffers that it is
// given, under the four tools of NVIDIA's compute-sanitizer. A launch that would harm other memory is
// not carried out on the GPU itself. Where compute-sanitizer is missing, those copies are checked by the
// simulator.
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
	var r *hook.Report
	err := hook.Until(ctx, func() (err error) {
		r, err = hook.Check(f, o.leaks, o.simulated)
		return err
	})
	return newReport(r), err
}

// TakeReport returns what was seen of launches in check mode since the last time, outside
// Run, on all devices. It waits for them. It is nil if there were none.
func TakeReport() (*Report, error) {
	r, err := hook.TakeReport()
	return newReport(r), err
}

// newReport makes the public report of what the devices have said; nil of nil.
func newReport(r *hook.Report) *Report {
	if r == nil {
		return nil
	}
	public := &Report{
		Launches: r.Launches, Note: r.Note, Sources: r.Sources,
		Findings:   each(r.Findings, func(f backend.Finding) Finding { return Finding(f) }),
		Accesses:   each(r.Accesses, func(a backend.Access) Access { return Access(a) }),
		Operations: each(r.Operations, func(o backend.Operations) Operations { return Operations(o) }),
		Efforts:    each(r.Efforts, func(e backend.Effort) Effort { return Effort(e) }),
	}
	public.tellSkipped()
	return public
}

func each[From, To any](list []From, f func(From) To) []To {
	if list == nil {
		return nil // as JSON it is null
	}
	out := make([]To, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}
