// Package cores divides the work of a command among threads, one per processor. A thread that the operating system starts too late is not
// waited for: the others do its part.
//
// To wake a thread that sleeps takes tens of microseconds, some of them of the one that wakes it. So helpers wait for work without sleeping
// for a moment after they had some, and are woken only for work that takes longer than that.
package cores

import (
	"runtime"
	"sync/atomic"
)

// The times in nanoseconds that a part of the work should take at least, and that all of it must take so that helpers are woken.
const (
	leastPart  = 1000
	worthWaken = 50_000
)

// Blocks calls run on threads, which take count blocks, some at a time, by calling next until it returns nothing. A block takes about so
// many nanoseconds. Blocks waits until all have returned; not all need be called.
func Blocks(count int, each float64, run func(next func() (from, to int))) {
	step := min(max(1, int(leastPart/max(each, 1e-9))), max(1, count))
	workers := min(runtime.GOMAXPROCS(0), (count+step-1)/step)
	if workers <= 1 {
		run((&job{count: int64(count), step: int64(count)}).take)
		return
	}
	j := &job{count: int64(count), step: int64(step), run: run, ended: make(chan struct{}, 1)}
	team.offer(j, workers-1, each*float64(count))
	run(j.take)
	j.wait()
}

// Range calls f for parts of n items, which take about so many nanoseconds each.
func Range(n int, each float64, f func(from, to int)) {
	least := max(1, int(leastPart/max(each, 1e-9)))
	if n < 2*least {
		f(0, n)
		return
	}
	// A few parts for each processor, since not all take the same time.
	step := max(least, n/(4*runtime.GOMAXPROCS(0)))
	Blocks((n+step-1)/step, each*float64(step), func(next func() (from, to int)) {
		for from, to := next(); from < to; from, to = next() {
			f(from*step, min(n, to*step))
		}
	})
}

// A job is the work of a call of Blocks.
type job struct {
	count, step int64
	run         func(next func() (from, to int))
	taken       atomic.Int64
	helpers     atomic.Int64  // that take part
	ended       chan struct{} // gets a value when there is none any more
}

// take returns the next blocks.
func (j *job) take() (from, to int) {
	end := j.taken.Add(j.step)
	return int(min(end-j.step, j.count)), int(min(end, j.count))
}

// help takes part in the work, if some is left.
func (j *job) help() {
	j.helpers.Add(1)
	if j.taken.Load() < j.count {
		j.run(j.take)
	}
	if j.helpers.Add(-1) == 0 {
		select {
		case j.ended <- struct{}{}:
		default:
		}
	}
}

// wait waits until no helper takes part any more. All blocks have been taken, so none begins.
func (j *job) wait() {
	if awaited(func() bool { return j.helpers.Load() == 0 }) {
		return
	}
	for j.helpers.Load() > 0 {
		<-j.ended
	}
}
