package gothread

import "sync"

// A barrier is where threads wait until all have come. A thread that has ended is not waited for.
type barrier struct {
	mu      sync.Mutex
	changed sync.Cond
	threads int // that have not ended
	waiting int
	turn    int // how often all have come
	broken  bool
}

func newBarrier(threads int) *barrier {
	b := &barrier{threads: threads}
	b.changed.L = &b.mu
	return b
}

// broken is the panic of a thread that waits for one that has failed.
type broken struct{}

func (b *barrier) wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	turn := b.turn
	b.waiting++
	b.open()
	for b.turn == turn && !b.broken {
		b.changed.Wait()
	}
	if b.turn == turn {
		panic(broken{})
	}
}

// open lets the waiting threads go on if all have come.
func (b *barrier) open() {
	if b.waiting > 0 && b.waiting == b.threads {
		b.waiting = 0
		b.turn++
		b.changed.Broadcast()
	}
}

// end says that a thread has ended.
func (b *barrier) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.threads--
	b.open()
}

// fail makes all that wait, now or later, panic.
func (b *barrier) fail() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.broken = true
	b.changed.Broadcast()
}
