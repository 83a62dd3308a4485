package ring

import (
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/spin"
)

const (
	maxSpin = 50 * time.Microsecond
	minSpin = 4 * time.Microsecond
)

// A spinner determines how long to spin before sleeping. It spins longer if what it waits for mostly comes soon, so that waiting for an
// idle or slow process takes almost no processor time.
type spinner struct {
	budget time.Duration
	// began is when the wait began during which the caller sleeps, if there is one.
	began time.Time
	// mine and other are where the two sides note the processors that they run on, or nil.
	mine, other *processor
}

// A processor is the number of the one that a side ran on when it last began to wait, plus 1, or 0. Only one thread can run on it: while
// this side spins there, the other one can't do what is waited for.
type processor struct{ atomic.Uint32 }

// shared notes the processor of the calling thread, and reports whether the other side ran on the same one.
func (s *spinner) shared() bool {
	if s.mine == nil {
		return false
	}
	var cpu uint32
	if _, _, errno := syscall.RawSyscall(sysGetCPU, uintptr(unsafe.Pointer(&cpu)), 0, 0); errno != 0 {
		return false
	}
	s.mine.Store(cpu + 1)
	return s.other.Load() == cpu+1
}

// until calls ready until it returns true, or until the budget is spent; then until returns false, and the caller sleeps and calls it again.
func (s *spinner) until(ready func() bool) bool {
	if ready() {
		s.awoken()
		return true
	}
	if s.budget == 0 {
		s.budget = maxSpin
	}
	start := time.Now()
	if s.began.IsZero() {
		s.began = start
	}
	if runtime.NumCPU() == 1 {
		return false // the other process cannot run while this one spins
	}
	for first := true; ; first = false {
		if spin.Briefly(ready) {
			s.budget = min(2*s.budget, maxSpin)
			s.began = time.Time{}
			return true
		}
		if first && s.shared() { // asked now, so that short waits need no system call
			return false
		}
		if time.Since(start) >= s.budget {
			s.budget = max(s.budget/2, minSpin)
			return false
		}
	}
}

// awoken ends a wait. If the sleep was short, spinning for as long would have been better: the wait would have been shorter by the time
// that waking takes. Without this, two sides that both sleep would be too late for each other's spinning from then on.
func (s *spinner) awoken() {
	if s.began.IsZero() {
		return
	}
	if time.Since(s.began) < 2*maxSpin {
		s.budget = maxSpin
	}
	s.began = time.Time{}
}
