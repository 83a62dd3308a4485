package ring

import (
	"runtime"
	"time"
	_ "unsafe" // for go:linkname
)

const (
	spinMost  = 50 * time.Microsecond
	spinLeast = 4 * time.Microsecond
	// looksPerClock keeps the clock, which costs tens of nanoseconds, out of most looks.
	looksPerClock = 64
)

// pause tells the processor that this is a loop that waits: it looks less often, leaves more to
// the other thread of its core, and has guessed nothing that it must take back when the loop ends.
//
//go:linkname pause runtime.procyield
func pause(times uint32)

// A spinner decides how long to look before sleeping. It looks longer when that has
// paid off lately, so that an idle or slow partner costs next to nothing.
type spinner struct {
	budget time.Duration
}

// until looks at ready until it holds (true) or the budget is spent (false).
func (s *spinner) until(ready func() bool) bool {
	if ready() {
		return true
	}
	if runtime.NumCPU() == 1 {
		return false // the partner cannot run while we look
	}
	if s.budget == 0 {
		s.budget = spinMost
	}
	start := time.Now()
	for {
		for range looksPerClock {
			if ready() {
				s.budget = min(2*s.budget, spinMost)
				return true
			}
			pause(1)
		}
		if time.Since(start) >= s.budget {
			s.budget = max(s.budget/2, spinLeast)
			return false
		}
	}
}
