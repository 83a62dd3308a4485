package client

import "time"

// retainPeriod is for how long chunks stay that buffers have needed lately: for one period at least, and two at most.
const retainPeriod = 5 * time.Second

// retention is what is known of the memory that buffers have needed lately. A program whose arrays become unreachable, and are freed when the
// garbage collector runs, needs the same memory again soon. The connection's lock guards it.
type retention struct {
	peaks [2]uint64 // the most memory that buffers have had in this period, and in the one before
	begun time.Time // of this period
	again bool      // whether a timer will shrink the memory
}

// note takes note that buffers have so many bytes.
func (r *retention) note(used uint64) { r.peaks[0] = max(r.peaks[0], used) }

// peak returns the most memory that buffers have had lately. They have used bytes now.
func (r *retention) peak(used uint64, now time.Time) uint64 {
	switch age := now.Sub(r.begun); {
	case r.begun.IsZero():
		r.begun = now
	case age >= 2*retainPeriod:
		r.peaks = [2]uint64{used, used}
		r.begun = now
	case age >= retainPeriod:
		r.peaks = [2]uint64{used, r.peaks[0]}
		r.begun = now
	}
	return max(used, r.peaks[0], r.peaks[1])
}
