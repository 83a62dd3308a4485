package gpu

import (
	"sync"
	"sync/atomic"

	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
)

// watchers are what looks at the launches on a device, or changes them, while a function runs.
type watchers struct {
	order   atomic.Uint32                   // see shuffle
	skipped atomic.Pointer[skippedLaunches] // see skipLaunches
	meter   atomic.Pointer[meter]           // see bytesUsed
	profile atomic.Pointer[profile]         // see runProfile
	reports reports                         // see takeReport
}

// reports are what check mode saw outside runCheck, and nobody has taken.
type reports struct {
	mu   sync.Mutex
	kept *hook.Report
}

func (r *reports) add(o *hook.Report) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept == nil {
		r.kept = o
	} else {
		r.kept.Add(o)
	}
}

// take returns them, which may be nil.
func (r *reports) take() *hook.Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := r.kept
	r.kept = nil
	return kept
}
