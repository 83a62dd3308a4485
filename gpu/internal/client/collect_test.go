package client

import (
	"runtime"
	"testing"
	"time"
)

// The garbage collector runs when buffers have that much more, and twice as much, as they had at least.
func TestCollector(t *testing.T) {
	var c collector
	c.allocated(MinChunk-1, MinChunk)
	if c.least != 0 || c.running.Load() {
		t.Error("the garbage collector runs too early")
	}
	collected := make(chan struct{})
	unreachable := new([64]byte)
	runtime.AddCleanup(unreachable, func(c chan struct{}) { close(c) }, collected)
	unreachable = nil
	begin := time.Now()
	c.allocated(MinChunk, MinChunk)
	<-collected
	for c.running.Load() {
		time.Sleep(time.Millisecond)
	}
	if next := time.Unix(0, c.next.Load()); !next.After(begin) { // it may have passed, if the processors had something else to do
		t.Errorf("it may run again at %v, before %v", next, begin)
	}
	c.next.Store(time.Now().Add(time.Hour).UnixNano())
	if c.allocated(4*MinChunk, MinChunk); c.least != MinChunk {
		t.Error("it runs before its time")
	}
	c.next.Store(0)
	for _, used := range []uint64{MinChunk + 1, 2*MinChunk - 1} {
		if c.allocated(used, MinChunk); c.least != MinChunk {
			t.Errorf("it runs at %d bytes, when there were %d", used, MinChunk)
		}
	}
	c.freed(MinChunk / 2)
	if c.allocated(3*MinChunk/2-1, MinChunk); c.least != MinChunk/2 {
		t.Errorf("the least memory is %d, want %d", c.least, MinChunk/2)
	}
}
