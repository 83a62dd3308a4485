package check

import (
	"context"

	_ "github.com/gopherwarp/gopherwarp/gpu" // sets the hooks
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
)

// An Option changes what Run checks.
type Option func(*options)

type options struct{ leaks, simulated bool }

// WithSimulator makes the simulator check the launches, and count their costs, also if the device is a GPU. The simulator then runs a
// GPU's kernels once more, with copies of their buffers.
func WithSimulator() Option { return func(o *options) { o.simulated = true } }

// WithLeaks makes Run report buffers that were made in the function and still exist when it has returned: they were not freed, and a
// variable still refers to them.
func WithLeaks() Option { return func(o *options) { o.leaks = true } }

// Run runs f and all kernels that it launches on the current device in check mode, waits for them, and returns the findings. The error is
// that of f or of the device; a defect of a kernel is not an error, but Report.Err returns one for it. The report is returned also if f
// fails. Kernels that were compiled without gpu.WithCheck are compiled again, with separate copies of their __device__ and __constant__
// variables: those have the values that the host has copied to them, but not those that kernels wrote before.
//
// Launches of graphs are not checked. The simulator needs about ten times the memory that the kernels access.
//
// On a GPU, other processes execute each launch first, with copies of the buffers among its arguments, under the four tools of NVIDIA's
// compute-sanitizer. A launch that would damage other memory is not executed on the GPU itself. If compute-sanitizer is missing, the
// simulator checks those copies.
func Run(f func() error, opts ...Option) (*Report, error) {
	return RunContext(context.Background(), f, opts...)
}

// RunContext is like Run but stops f's work on the device if ctx ends first. The error is then that of ctx.
func RunContext(ctx context.Context, f func() error, opts ...Option) (*Report, error) {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	var r *hook.Report
	err := hook.Until(ctx, func() (err error) {
		r, err = hook.Check(f, hook.Checking{Leaks: o.leaks, Simulated: o.simulated})
		return err
	})
	return newReport(r), err
}

// TakeReport waits for the devices and returns the report of launches in check mode outside Run, on all devices, since its last call. The
// report is nil if there were no such launches.
func TakeReport() (*Report, error) {
	r, err := hook.TakeReport()
	return newReport(r), err
}

// newReport converts the devices' report to the public type; nil to nil.
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
		return nil // null in JSON
	}
	out := make([]To, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}
