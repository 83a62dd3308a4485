package ring

import (
	"sync/atomic"
	"time"
)

// patience decides how long a wait for a slot spins. To wake a thread that sleeps takes 50 µs, or 300 where system calls are slow, which is
// as long as many kernels take. A side that waits for a GPU, which needs no processor for its work, spins for up to twice as long as its
// last wait took, but not longer than a limit, as CUDA's driver does.
type patience struct {
	limit  atomic.Int64 // of nanoseconds, or 0
	recent atomic.Int64 // what the last wait took, in nanoseconds
}

// SetPatience lets waits for slots spin for up to that long, if the wait before did not take longer.
func (s *Segment) SetPatience(limit time.Duration) { s.patience.limit.Store(int64(limit)) }

// budget returns how long the next wait spins.
func (p *patience) budget() time.Duration {
	limit, recent := p.limit.Load(), p.recent.Load()
	if recent > limit {
		return maxSpin
	}
	return max(maxSpin, time.Duration(min(2*recent, limit)))
}

// waited notes what a wait has taken.
func (p *patience) waited(d time.Duration) { p.recent.Store(int64(d)) }
