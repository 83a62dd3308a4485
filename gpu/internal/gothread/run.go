package gothread

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// A block is the threads that share memory and a barrier.
type block struct {
	barrier *barrier
	warps   []*warp

	mu     sync.Mutex
	shared []any // pointers

	dynamic []uint64 // shared memory
}

// A Panic is the panic of a thread.
type Panic struct {
	Block, Thread Dim
	Value         any
	Place         string // where, as FILE:LINE, or ""
}

func (p *Panic) Error() string {
	at := ""
	if p.Place != "" {
		at = " at " + p.Place
	}
	return fmt.Sprintf("panic in block %v, thread %v%s: %v", p.Block, p.Thread, at, p.Value)
}

// A Launch is how a kernel runs.
type Launch struct {
	Grid, Block Dim
	SharedBytes int  // of dynamic shared memory
	Together    bool // whether threads of a block wait for each other
	Cooperative bool // whether those of all blocks may
	Stop        *At  // the only thread in which a debugger stops, or nil
}

// Run runs kernel for each thread of each block. Blocks run in parallel. The threads of a block run one after the other if Together is
// false, and else on goroutines of their own, so that they can wait for each other. Under the race detector they always do.
//
// If a thread panics, no further block is begun, and its *Panic is returned. If a thread's goroutine exits, as it does when its cell is interrupted,
// so does the caller's.
func (l Launch) Run(kernel func()) error {
	var failed atomic.Pointer[Panic]
	var exited atomic.Bool
	var grid *barrier
	if l.Cooperative && l.Together {
		grid = newBarrier(l.Grid.count() * l.Block.count())
	}
	run := func(i int) {
		returned := false
		defer func() {
			if !returned {
				exited.Store(true)
			}
		}()
		of := Thread{Grid: l.Grid, BlockDim: l.Block, Block: l.Grid.index(i), stop: l.Stop, sharedBytes: l.SharedBytes, grid: grid}
		p := of.runAlone
		if l.Together || raceEnabled {
			p = of.runTogether
		}
		if err := p(kernel); err != nil {
			failed.CompareAndSwap(nil, err)
		}
		returned = true
	}
	stopped := func() bool { return failed.Load() != nil || exited.Load() }
	if grid != nil {
		runAtOnce(l.Grid.count(), run)
	} else if raceEnabled {
		runUnordered(l.Grid.count(), max(1, watchedThreads/l.Block.count()), run, stopped)
	} else {
		runQueued(l.Grid.count(), run, stopped)
	}
	if exited.Load() {
		runtime.Goexit()
	}
	if p := failed.Load(); p != nil {
		return p
	}
	return nil
}

// runAtOnce runs all blocks at the same time.
func runAtOnce(blocks int, run func(i int)) {
	var wg sync.WaitGroup
	for i := range blocks {
		wg.Go(func() { run(i) })
	}
	wg.Wait()
}

// runQueued runs blocks on as many goroutines as there are processors, each of which takes the next one.
func runQueued(blocks int, run func(i int), stopped func() bool) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), blocks) {
		wg.Go(func() {
			for !stopped() {
				i := int(next.Add(1)) - 1
				if i >= blocks {
					return
				}
				run(i)
			}
		})
	}
	wg.Wait()
}

// watchedThreads is the maximum number of threads at the same time under the race detector, which supports 8128 goroutines.
const watchedThreads = 4096

// MaxCooperative is the maximum number of threads of a cooperative launch.
func MaxCooperative() int {
	if raceEnabled {
		return watchedThreads
	}
	return 1 << 20 // 10 GB of stacks
}

// runUnordered runs each block on a goroutine of its own, at most limit at a time, none of which the race detector takes to be before another:
// runQueued would order the blocks that one goroutine runs, and by its counter those of others.
func runUnordered(blocks, limit int, run func(i int), stopped func() bool) {
	running := make(chan struct{}, limit)
	var wg sync.WaitGroup
	for i := range blocks {
		unordered(func() { running <- struct{}{} })
		if stopped() {
			break
		}
		wg.Go(func() {
			defer unordered(func() { <-running })
			run(i)
		})
	}
	wg.Wait()
}

// newBlock returns the block of t's threads.
func (t Thread) newBlock() *block {
	n := t.BlockDim.count()
	b := &block{barrier: newBarrier(n), dynamic: make([]uint64, (t.sharedBytes+7)/8)}
	for first := 0; first < n; first += WarpSize {
		b.warps = append(b.warps, newWarp(min(WarpSize, n-first)))
	}
	return b
}

// place makes t the i-th thread of the block.
func (t *Thread) place(b *block, i int) {
	t.ThreadIdx, t.Lane = t.BlockDim.index(i), i%WarpSize
	t.block, t.warp, t.shared = b, b.warps[i/WarpSize], 0
	t.labels = mark[:]
	if t.stop != nil && *t.stop != (At{t.Block, t.ThreadIdx}) {
		t.labels = passing[:]
	}
}

// runAlone runs the threads of a block one after the other.
func (t Thread) runAlone(kernel func()) (p *Panic) {
	b := t.newBlock()
	defer t.enter()()
	defer t.recovered(&p)
	for i := range t.BlockDim.count() {
		t.place(b, i)
		kernel()
	}
	return nil
}

// runTogether runs the threads of a block at the same time. If the goroutine of one exits, so does the caller's.
func (t Thread) runTogether(kernel func()) *Panic {
	b := t.newBlock()
	panics := make([]*Panic, t.BlockDim.count())
	var returned atomic.Int64
	var wg sync.WaitGroup
	for i := range panics {
		wg.Go(func() {
			mine := t
			mine.place(b, i)
			defer mine.enter()()
			defer mine.end(&panics[i])
			func() {
				defer mine.recovered(&panics[i])
				kernel()
			}()
			returned.Add(1)
		})
	}
	wg.Wait()
	if returned.Load() < int64(len(panics)) {
		runtime.Goexit()
	}
	for _, p := range panics {
		if p != nil {
			return p
		}
	}
	return nil
}

// end lets those go on that wait for t, or ends them if t has failed.
func (t *Thread) end(p **Panic) {
	if *p != nil {
		for _, w := range t.block.warps {
			w.failAll()
		}
		t.block.barrier.fail()
		if t.grid != nil {
			t.grid.fail()
		}
	}
	t.warp.endLane(t.Lane)
	t.block.barrier.end()
	if t.grid != nil {
		t.grid.end()
	}
}

// recovered stores the panic of t, unless it is that of waiting for a thread that has failed.
func (t *Thread) recovered(p **Panic) {
	v := recover()
	if _, other := v.(broken); v == nil || other {
		return
	}
	*p = &Panic{Block: t.Block, Thread: t.ThreadIdx, Value: v, Place: panicPlace()}
}

// ownPackage begins the names of the functions that kernels call, which panic for the kernel.
const ownPackage = "github.com/gopherwarp/gopherwarp/gpu."

// panicPlace returns where the panic began that is being recovered.
func panicPlace() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	panicking := false
	for {
		f, more := frames.Next()
		own := strings.HasPrefix(f.Function, "runtime.") || strings.HasPrefix(f.Function, ownPackage)
		if panicking && !own {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		panicking = panicking || f.Function == "runtime.gopanic"
		if !more {
			return ""
		}
	}
}
