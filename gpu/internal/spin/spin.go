package spin

import _ "unsafe" // for go:linkname

// checks is the number of checks of Briefly: so many take longer than to read the clock, which takes tens of nanoseconds.
const checks = 64

// Briefly calls ready until it returns true, for about a microsecond, and reports whether it has.
func Briefly(ready func() bool) bool {
	for range checks {
		if ready() {
			return true
		}
		pause(1)
	}
	return false
}

// pause tells the processor that this is a spin loop: it then checks less often, leaves more resources to the other thread of its
// core, and avoids misspeculation when the loop ends.
//
//go:linkname pause runtime.procyield
func pause(times uint32)
