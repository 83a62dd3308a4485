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

// worthSharing is the time in nanoseconds that all of the work must take so that it is divided at all, where there are but two processors:
// the process that sends commands needs one of them, and a thread that waits for its turn keeps the others waiting. While that process
// sleeps, less is enough.
const (
	worthSharing     = 40_000
	worthUndisturbed = 4000
)

// worth reports whether work of so many nanoseconds is divided.
func worth(work float64) bool {
	return work >= worthSharing || runtime.GOMAXPROCS(0) > 2 || work >= worthUndisturbed && team.undisturbed.Load()
}

// Undisturbed tells whether the process that sends commands sleeps until they have been executed. When it wakes, it needs a processor: a
// helper that waits for work then leaves its own, if there are but two.
func Undisturbed(yes bool) {
	if team.undisturbed.Load() != yes {
		team.undisturbed.Store(yes)
	}
}

// Blocks calls run on threads, which take count blocks, some at a time, by calling next until it returns nothing. A block takes about so
// many nanoseconds. Blocks waits until all have returned; not all need be called.
//
// Each thread first takes the blocks that it has had in earlier calls of the same count, since its cache may still have their memory.
func Blocks(count int, each float64, run func(next func() (from, to int))) {
	step := min(max(1, int(leastPart/max(each, 1e-9))), max(1, count))
	workers := min(runtime.GOMAXPROCS(0), (count+step-1)/step)
	if workers <= 1 || !worth(each*float64(count)) {
		taken := false
		run(func() (from, to int) {
			if taken {
				return 0, 0
			}
			taken = true
			return 0, count
		})
		return
	}
	j := &job{parts: make([]part, workers), step: int64(step), run: run, ended: make(chan struct{}, 1)}
	for i := range j.parts {
		j.parts[i].taken.Store(int64(i * count / workers))
		j.parts[i].end = int64((i + 1) * count / workers)
	}
	team.offer(j, workers-1, each*float64(count))
	j.work(0)
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
	parts   []part
	step    int64
	run     func(next func() (from, to int))
	helpers atomic.Int64  // that take part
	ended   chan struct{} // gets a value when there is none any more
}

// A part is the blocks that one thread takes before those of others.
type part struct {
	taken atomic.Int64 // the first one that nobody has taken, or more than end
	end   int64
	_     [48]byte // so that threads do not share a line of the cache
}

// work takes blocks until there are none, first those of the thread of that number.
func (j *job) work(number int) {
	at := number
	j.run(func() (from, to int) {
		for ; at < number+len(j.parts); at++ {
			p := &j.parts[at%len(j.parts)]
			if p.taken.Load() >= p.end {
				continue
			}
			if end := p.taken.Add(j.step); end-j.step < p.end {
				return int(end - j.step), int(min(end, p.end))
			}
		}
		return 0, 0
	})
}

// left reports whether blocks are left that nobody has taken.
func (j *job) left() bool {
	for i := range j.parts {
		if p := &j.parts[i]; p.taken.Load() < p.end {
			return true
		}
	}
	return false
}

// help takes part in the work, as the thread of that number, if some is left.
func (j *job) help(number int) {
	j.helpers.Add(1)
	if j.left() {
		j.work(number)
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
