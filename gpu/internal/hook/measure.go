package hook

import (
	"context"
	"slices"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// Profile runs f and returns a profile of the current device during that time. Progress, if it is not nil, is called about twice
// a second, from the first second on. With an error the result may be nil or valid.
var Profile func(f func() error, timesOnly bool, progress func(Progress)) (*Profiled, error)

// Progress is the progress of a profile.
type Progress struct {
	Launches, Done int // submitted to the device so far, and started there
	Elapsed        time.Duration
}

// Profiled is the profile of a device while a function ran.
type Profiled struct {
	*backend.Profile
	Wall    time.Duration
	Symbols map[string]string // source names of the loaded kernels, by symbol
	Kernels map[uint32]Kernel // the launched kernels, by handle
	Checked *Report           // the report of check mode, if it counted operations
}

// Kernel describes a kernel that was launched.
type Kernel struct {
	Name                    string
	Registers, StaticShared int
	// Occupancy returns the occupancy of a multiprocessor, from 0 to 1, for blocks of that size.
	Occupancy func(threads, sharedBytes int) (float64, error)
}

// BytesUsed runs f and returns the total size in bytes of the buffers that are arguments of its launches on the current device,
// each counted once.
var BytesUsed func(f func() error) (int64, error)

// Until runs f, which waits for the current device. If ctx is done first, the device's work is stopped, and the error is that of
// ctx.
var Until func(ctx context.Context, f func() error) error

// Range names the time until end is called, for profiles and profilers.
var Range func(name string) (end func())

// Check runs f with all its launches on the current device in check mode.
var Check func(f func() error, how Checking) (*Report, error)

// Checking says what Check does.
type Checking struct {
	Simulated bool           // the simulator checks the launches even if the device is a GPU
	Leaks     bool           // buffers that f does not free are findings
	Recorded  backend.Blocks // of each launch; the device must be the simulator
}

// TakeReport returns the report of launches in check mode outside Check since the last call, or nil.
var TakeReport func() (*Report, error)

// Report is the report of check mode for some launches.
type Report struct {
	backend.Report
	Sources map[string]string // of the programs, by name
}

// Add adds the findings and counts of another report.
func (r *Report) Add(o *Report) {
	r.Launches += o.Launches
	r.Traces = append(r.Traces, o.Traces...)
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
