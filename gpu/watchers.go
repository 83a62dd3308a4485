package gpu

import (
	"sync"
	"sync/atomic"

	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
)

// watchers observe or change the launches on a device while a function runs.
type watchers struct {
	order   atomic.Uint32  // see shuffle
	skipped pointer.Atomic // *skippedLaunches: see skipLaunches
	meter   pointer.Atomic // *meter: see bytesUsed
	profile pointer.Atomic // *profile: see runProfile
	fill    pointer.Atomic // *byte: see fillAllocated
	note    pointer.Atomic // *func(*hook.Work): see noteWork
	reports reports        // see takeReport
}

// reports are the reports of check mode for launches outside runCheck, until they are taken.
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

// take removes and returns the reports, or nil if there are none.
func (r *reports) take() *hook.Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := r.kept
	r.kept = nil
	return kept
}
