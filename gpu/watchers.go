package gpu

import (
	"sync"
	"sync/atomic"
)

// watchers are what looks at the launches on a device, or changes them, while a function runs.
type watchers struct {
	order   atomic.Uint32                   // see shuffle
	skipped atomic.Pointer[skippedLaunches] // see skipLaunches
	meter   atomic.Pointer[meter]           // see Time
	profile atomic.Pointer[profile]         // see Profile
	reports reports                         // see TakeReport
}

// reports are what check mode saw outside Check, and nobody has taken.
type reports struct {
	mu   sync.Mutex
	kept *Report
}

func (r *reports) add(o *Report) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept == nil {
		r.kept = o
	} else {
		r.kept.add(o)
	}
}

// take returns them, which may be nil.
func (r *reports) take() *Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := r.kept
	r.kept = nil
	return kept
}
