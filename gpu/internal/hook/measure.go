package hook

import (
	"context"
	"slices"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// Profile runs f and returns what the current device did meanwhile. Progress, if it is not nil, is
// called about twice a second once a second has passed.
// There is a result with an error as well, unless it is nil.
var Profile func(f func() error, timesOnly bool, progress func(Progress)) (*Profiled, error)

// Progress says how far a profile is.
type Progress struct {
	Launches, Done int // given to the device so far, and begun there
	Elapsed        time.Duration
}

// Profiled is what a device did while a function ran.
type Profiled struct {
	*backend.Profile
	Wall    time.Duration
	Symbols map[string]string // names in the source of the kernels that are loaded, by their symbols
	Kernels map[uint32]Kernel // those that were launched, by their handles
	Checked *Report           // what check mode saw, if kernels were counted by it
}

// Kernel is what is known of a kernel that was launched.
type Kernel struct {
	Name                    string
	Registers, StaticShared int
	// Occupancy returns the share of a multiprocessor's warps that blocks of a size fill.
	Occupancy func(threads, sharedBytes int) (float64, error)
}

// BytesUsed runs f and returns how many bytes the buffers have that its launches on the current
// device are given, each counted once.
var BytesUsed func(f func() error) (int64, error)

// Until runs f, which waits for the current device. If ctx ends first, the device's work is stopped,
// and the error is that of ctx.
var Until func(ctx context.Context, f func() error) error

// Range names the time until end is called, for profiles and profilers.
var Range func(name string) (end func())

// Check runs f with all its launches on the current device in check mode. With simulated, the
// simulator looks at them also where the device is a GPU; with leaks, buffers that f leaves behind
// are findings.
var Check func(f func() error, leaks, simulated bool) (*Report, error)

// TakeReport returns what check mode saw outside Check since the last call, or nil.
var TakeReport func() (*Report, error)

// Report is what check mode saw of some launches.
type Report struct {
	backend.Report
	Sources map[string]string // of the programs, by name
}

// Add joins another report to this one.
func (r *Report) Add(o *Report) {
	r.Launches += o.Launches
	if r.Note == "" {
		r.Note = o.Note
	}
	for _, f := range o.Findings {
		same := func(x backend.Finding) bool {
			return x.Kind == f.Kind && x.Program == f.Program && x.Kernel == f.Kernel && x.Line == f.Line && f.Line != 0
		}
		if i := slices.IndexFunc(r.Findings, same); i >= 0 {
			r.Findings[i].Count += f.Count
		} else {
			r.Findings = append(r.Findings, f)
		}
	}
	for i := range o.Accesses {
		at, found := slices.BinarySearchFunc(r.Accesses, &o.Accesses[i], func(x backend.Access, a *backend.Access) int { return x.Compare(a) })
		if found {
			r.Accesses[at].Add(&o.Accesses[i])
		} else {
			r.Accesses = slices.Insert(r.Accesses, at, o.Accesses[i])
		}
	}
	for i := range o.Operations {
		r.Operations = backend.JoinOperations(r.Operations, &o.Operations[i])
	}
	for i := range o.Efforts {
		r.Efforts = backend.JoinEfforts(r.Efforts, &o.Efforts[i])
	}
	if r.Sources == nil {
		r.Sources = map[string]string{}
	}
	for name, text := range o.Sources {
		r.Sources[name] = text
	}
}
