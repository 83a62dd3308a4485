package client

import (
	"runtime"
	"sync/atomic"
	"time"
)

// collector runs the garbage collector so that the memory of unreachable buffers is used again before memory that nothing has used: on a
// simulated device the first use of a page takes longer than most operations on it, on a GPU a new chunk of 1 GiB as long as a kernel that
// fills it, and several GPUs do not allocate at once. Go's runtime does not know the size of buffers, and would collect too late. The
// connection's lock guards it.
type collector struct {
	// least is the least that buffers have had together since the collector last ran, in bytes.
	least   uint64
	running atomic.Bool
	// next is when the collector may run again.
	next atomic.Int64
}

// allocated starts the garbage collector if buffers, which have so many bytes now, have twice as much as they had, and at least grain more.
func (c *collector) allocated(used, grain uint64) {
	if used < c.least+max(c.least, grain) || c.running.Load() || time.Now().UnixNano() < c.next.Load() {
		return
	}
	c.least = used
	c.running.Store(true)
	// The collector takes at most about a tenth of the time. Large machines have threads to spare for it.
	pause := time.Duration(10)
	if runtime.GOMAXPROCS(0) >= 8 {
		pause = 3
	}
	go func() {
		begin := time.Now()
		runtime.GC()
		took := time.Since(begin)
		c.next.Store(time.Now().Add(pause * took).UnixNano())
		c.running.Store(false)
	}()
}

// freed takes note that buffers have less memory.
func (c *collector) freed(used uint64) { c.least = min(c.least, used) }
