package verify

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu/check"
)

// The reasons that a limit on the work of threads can give.
const (
	OneThread    Reason = "one thread does all the work"
	EachDoesAll  Reason = "each thread does all the work"
	UnevenWork   Reason = "one thread does more than its share of the work"
	NeedlessAtom Reason = "atomic operations where none are needed"
)

// WorkPerThread limits the number of a thread's accesses to global memory: each load, store and atomic operation is one. A thread that
// loops over all elements has at least one per element.
func WorkPerThread(most int) Limit { return work("global", most) }

// SharedPerThread limits the number of a thread's accesses to shared memory, as WorkPerThread does for global memory.
func SharedPerThread(most int) Limit { return work("shared", most) }

// work limits the accesses of the busiest thread to a kind of memory.
func work(space string, most int) Limit {
	return Limit{
		reason: UnevenWork,
		hint:   "The threads of a launch should share the work: each takes its part of the elements.",
		one:    "access of one thread to " + space + " memory", unit: "accesses of one thread to " + space + " memory", most: float64(most),
		measure: func(r *check.Report) (float64, *check.Access) {
			if e := busiest(r, space); e != nil {
				return float64(e.Most), nil
			}
			return 0, nil
		},
		tell: func(r *check.Report) (Reason, string, string) { return tellWork(busiest(r, space)) },
	}
}

// busiest returns the effort of the kernel with the busiest thread.
func busiest(r *check.Report, space string) (most *check.Effort) {
	for i := range r.Efforts {
		if e := &r.Efforts[i]; e.Space == space && (most == nil || e.Most > most.Most) {
			most = e
		}
	}
	return most
}

// tellWork returns how the work is distributed if one thread does too much of it.
func tellWork(e *check.Effort) (reason Reason, hint, place string) {
	place = fmt.Sprintf("%s: thread %s of block %s: ", e.Kernel, coordinates(e.Thread), coordinates(e.Block))
	switch {
	case 4*e.Most >= 3*e.Accesses:
		return OneThread, "There is a thread for each element, and this one goes through all of them in a loop. Let each take its own: blockIdx.x * blockDim.x + threadIdx.x, without the loop, or in steps of gridDim.x * blockDim.x.", place
	case e.Accesses >= e.Most*e.Threads*3/4:
		return EachDoesAll, "Each thread goes through all elements in a loop, so all is done as many times as there are threads. Let each take its own elements alone.", place
	}
	return UnevenWork, "It goes through the elements of others, too. Let each thread take its own, and where threads need each other's results, let all of them work at each step.", place
}

func coordinates(c [3]int) string {
	if c[1] == 0 && c[2] == 0 {
		return fmt.Sprint(c[0])
	}
	if c[2] == 0 {
		return fmt.Sprintf("(%d, %d)", c[0], c[1])
	}
	return fmt.Sprintf("(%d, %d, %d)", c[0], c[1], c[2])
}
