// Package cores divides the work of a command among goroutines, one per processor. A goroutine that the operating system starts too late
// is not waited for: the others do its part.
package cores

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Blocks calls run on goroutines, which take count blocks, up to step at a time, by calling next until it returns nothing. Blocks waits
// until all have returned; not all need be called.
func Blocks(count, step int, run func(next func() (from, to int))) {
	workers := min(runtime.GOMAXPROCS(0), (count+step-1)/step)
	j := &job{count: int64(count), step: int64(step), run: run}
	if workers <= 1 {
		run(j.take)
		return
	}
	j.left.L = &j.mu
	for range workers - 1 {
		go j.help()
	}
	run(j.take)
	j.mu.Lock()
	defer j.mu.Unlock()
	for j.helpers > 0 {
		j.left.Wait()
	}
}

// Range calls f for parts of n items, of at least so many.
func Range(n, least int, f func(from, to int)) {
	if n < 2*least {
		f(0, n)
		return
	}
	// A few parts for each processor, since not all take the same time.
	step := max(least, n/(4*runtime.GOMAXPROCS(0)))
	Blocks((n+step-1)/step, 1, func(next func() (from, to int)) {
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

	mu      sync.Mutex
	helpers int       // that have begun
	left    sync.Cond // a helper has returned
}

// take returns the next blocks.
func (j *job) take() (from, to int) {
	end := j.taken.Add(j.step)
	return int(min(end-j.step, j.count)), int(min(end, j.count))
}

// help takes part in the work, if some is left.
func (j *job) help() {
	j.mu.Lock()
	late := j.taken.Load() >= j.count
	if !late {
		j.helpers++
	}
	j.mu.Unlock()
	if late {
		return
	}
	defer func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.helpers--
		j.left.Signal()
	}()
	j.run(j.take)
}
