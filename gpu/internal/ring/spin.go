package ring

import (
	"runtime"
	"time"
	_ "unsafe" // for go:linkname
)

const (
	maxSpin = 50 * time.Microsecond
	minSpin = 4 * time.Microsecond
	// checksPerClock is the number of checks between two readings of the clock, which takes tens of nanoseconds.
	checksPerClock = 64
)

// pause tells the processor that this is a spin loop: it then checks less often, leaves more resources to the other thread of its
// core, and avoids misspeculation when the loop ends.
//
//go:linkname pause runtime.procyield
func pause(times uint32)

// A spinner determines how long to spin before sleeping. It spins longer after spinning was successful, so that waiting for an
// idle or slow process takes almost no processor time.
type spinner struct {
	budget time.Duration
}

// until calls ready until it returns true, or until the budget is spent; then until returns false.
func (s *spinner) until(ready func() bool) bool {
	if ready() {
		return true
	}
	if runtime.NumCPU() == 1 {
		return false // the other process cannot run while this one spins
	}
	if s.budget == 0 {
		s.budget = maxSpin
	}
	start := time.Now()
	for {
		for range checksPerClock {
			if ready() {
				s.budget = min(2*s.budget, maxSpin)
				return true
			}
			pause(1)
		}
		if time.Since(start) >= s.budget {
			s.budget = max(s.budget/2, minSpin)
			return false
		}
	}
}
