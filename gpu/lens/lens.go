package lens

import (
	"context"
	"fmt"
	"slices"

	_ "github.com/gopherwarp/gopherwarp/gpu" // sets the hooks
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
	"github.com/gopherwarp/gopherwarp/gpu/internal/trace"
)

// An Option changes what Run records.
type Option func(*options)

type options struct {
	blocks backend.Blocks
	thread int // at whose last write the picture begins; -1 for none
	err    error
}

// WithBlocks records n blocks of each launch, from the linear index first: blockIdx.x + gridDim.x · (blockIdx.y + gridDim.y · blockIdx.z).
// Without it the first block is recorded.
func WithBlocks(first, n int) Option {
	return func(o *options) {
		if first < 0 || n < 1 {
			o.err = fmt.Errorf("lens: %d blocks from block %d: choose at least one block, from 0 on", n, first)
			return
		}
		o.blocks = backend.Blocks{First: uint64(first), N: uint64(n)}
	}
}

// At records the block of linear index block. Its picture begins at the step in which the thread of linear index thread,
// threadIdx.x + blockDim.x · (threadIdx.y + blockDim.y · threadIdx.z), writes to global memory last, or does its last step if it never does. A
// negative thread begins at the first step, as without At.
func At(block, thread int) Option {
	return func(o *options) {
		WithBlocks(block, 1)(o)
		o.thread = thread
	}
}

// A Recording is what threads of some launches did. As the last expression of a cell it is shown as a picture.
type Recording struct {
	launches []*trace.Trace
	sources  map[string]string // of the programs, by name
	skipped  int               // launches that are not kept
	thread   int               // at whose last write pictures begin; -1 for none
}

// mostLaunches is the maximum number of launches in a Recording.
const mostLaunches = 8

// Run runs f, records the kernels that it launches on the current device, and waits for them. The device must be the simulator. The error is
// that of f or of the device; a defect of a kernel is part of the recording. At most eight launches are kept, and of each about a million
// steps and accesses; the recording says what was left out. Its pictures have at most 2 MB.
func Run(f func() error, opts ...Option) (*Recording, error) {
	return RunContext(context.Background(), f, opts...)
}

// RunContext is like Run but stops f's work on the device if ctx ends first. The error is then that of ctx.
func RunContext(ctx context.Context, f func() error, opts ...Option) (*Recording, error) {
	o := options{blocks: backend.Blocks{N: 1}, thread: -1}
	for _, opt := range opts {
		opt(&o)
	}
	if o.err != nil {
		return nil, o.err
	}
	var report *hook.Report
	err := hook.Until(ctx, func() (err error) {
		report, err = hook.Check(f, hook.Checking{Recorded: o.blocks})
		return err
	})
	if report == nil {
		return nil, err
	}
	r := &Recording{sources: report.Sources, thread: o.thread}
	for _, data := range report.Traces {
		if len(r.launches) == mostLaunches {
			r.skipped++
			continue
		}
		t, decodeErr := trace.Decode(data.Data)
		if decodeErr != nil {
			return r, decodeErr
		}
		r.launches = append(r.launches, t)
	}
	return r, err
}

// Empty reports whether no launch was recorded.
func (r *Recording) Empty() bool { return len(r.launches) == 0 }

// Blocks returns the number of blocks that were recorded, of all launches. It is 0 if no launch has a block of that index.
func (r *Recording) Blocks() int {
	n := 0
	for _, t := range r.launches {
		n += len(t.Blocks)
	}
	return n
}

// start returns the step at which the picture of a launch begins.
func (r *Recording) start(t *trace.Trace) int {
	const lanes = 32
	if r.thread < 0 || len(t.Blocks) == 0 || r.thread/lanes >= len(t.Blocks[0].Warps) {
		return 0
	}
	w, lane := t.Blocks[0].Warps[r.thread/lanes], uint32(1)<<(r.thread%lanes)
	for _, a := range slices.Backward(w.Accesses) {
		global := a.Memory < 0 || t.Memory[a.Memory].Space == "global"
		if global && a.Op != "r" && a.Mask&lane != 0 {
			return w.Ticks[a.Step]
		}
	}
	for i, mask := range slices.Backward(w.Masks) {
		if mask&lane != 0 {
			return w.Ticks[i]
		}
	}
	return 0
}

// Findings returns the defects that check mode found, a line for each.
func (r *Recording) Findings() []string {
	var list []string
	for _, t := range r.launches {
		for _, f := range t.Findings {
			list = append(list, fmt.Sprintf("%s:%d: %s: %s", programOf(t, f.File), f.Line, f.Kind, f.Message))
		}
	}
	return list
}

// programOf returns the name of a file: that of the program if it is "".
func programOf(t *trace.Trace, file string) string {
	if file == "" {
		return t.Program
	}
	return file
}
