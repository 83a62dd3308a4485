package client

import (
	"runtime"
	"sync/atomic"
	"time"
)

// collector runs the garbage collector so that the memory of unreachable buffers is used again before memory that nothing has used: on a
// simulated device the first use of a page takes longer than most operations on it. Go's runtime does not know the size of buffers, and
// would collect too late. The connection's lock guards it.
type collector struct {
	// least is the least that buffers have had together since the collector last ran, in bytes.
	least   uint64
	running atomic.Bool
	// next is when the collector may run again: it takes at most about a tenth of the time.
	next atomic.Int64
}

// allocated starts the garbage collector if buffers, which have so many bytes now, have twice as much as they had, and at least a chunk more.
func (c *collector) allocated(used uint64) {
	if used < c.least+max(c.least, MinChunk) || c.running.Load() || time.Now().UnixNano() < c.next.Load() {
		return
	}
	c.least = used
	c.running.Store(true)
	go func() {
		begin := time.Now()
		runtime.GC()
		took := time.Since(begin)
		c.next.Store(time.Now().Add(10 * took).UnixNano())
		c.running.Store(false)
	}()
}

// freed takes note that buffers have less memory.
func (c *collector) freed(used uint64) { c.least = min(c.least, used) }
