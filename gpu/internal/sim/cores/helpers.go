package cores

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/spin"
)

// team are the helpers of the process, of which there is one less than processors.
var team helpers

type helpers struct {
	mu   sync.Mutex
	list []*helper
	// missed is the time in nanoseconds of recent work for which no helper was awake.
	missed float64
	last   time.Time
	// undisturbed is whether the process that sends commands sleeps.
	undisturbed atomic.Bool
}

// needed returns whether a processor that a helper waits on since undisturbed had that value is needed by the process that sends commands.
func (t *helpers) needed(undisturbed bool) bool {
	return undisturbed && !t.undisturbed.Load() && runtime.GOMAXPROCS(0) <= 2
}

// A helper is a thread.
type helper struct {
	number int // from 1 on: the thread that calls Blocks is number 0
	next   atomic.Pointer[job]
	asleep atomic.Bool
	wake   chan struct{}
}

// offer gives a job, which takes so many nanoseconds, to some helpers: to those that are awake, and if it is long, or one of many, to all.
func (t *helpers) offer(j *job, count int, work float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.list) < count {
		h := &helper{number: len(t.list) + 1, wake: make(chan struct{}, 1)}
		t.list = append(t.list, h)
		go h.serve()
	}
	now := time.Now()
	if now.Sub(t.last) > 2*patience {
		t.missed = 0
	}
	t.last = now
	t.missed += work
	wake := t.missed >= worthWaken
	for _, h := range t.list[:count] {
		h.next.Store(j)
		switch {
		case !h.asleep.Load():
			t.missed = 0
		case wake:
			select {
			case h.wake <- struct{}{}:
			default:
			}
		}
	}
	if wake {
		t.missed = 0
	}
}

// serve takes part in jobs. A job that was offered but has been done meanwhile has nothing left to take.
func (h *helper) serve() {
	runtime.LockOSThread()
	for {
		undisturbed := team.undisturbed.Load()
		awaited(func() bool { return h.next.Load() != nil || team.needed(undisturbed) })
		if j := h.next.Swap(nil); j != nil {
			j.help(h.number)
			continue
		}
		h.asleep.Store(true)
		if h.next.Load() == nil {
			<-h.wake
		}
		h.asleep.Store(false)
	}
}

// patience is how long a thread waits without sleeping.
const patience = 50 * time.Microsecond

// awaited waits for a moment until ready returns true, and reports whether it has.
func awaited(ready func() bool) bool {
	for start := time.Now(); ; {
		if spin.Briefly(ready) {
			return true
		}
		if time.Since(start) > patience {
			return false
		}
	}
}
