package gpu

import (
	"errors"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/heap"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

const (
	// minChunk is what is asked of the device at least: making memory is slow there.
	minChunk = 32 << 20
	// firstCollect is the heap size at which the garbage collector is first asked to find
	// buffers that nobody can reach; it does not know how large they are.
	firstCollect = 1 << 30

	codeOutOfMemory = 2
)

// chunk is device memory that outlives the process that made it, if it has a descriptor.
type chunk struct {
	addr, size uint64
	fd         int  // -1: the memory dies with its process
	lost       bool // it did
	// reachedBy are devices that have it mapped.
	reachedBy []*link
	// shared is what others know it by, and sharers are told when it is given back.
	shared  *SharedMemory
	sharers []func()
}

// allocation is a range of a chunk that someone owns.
type allocation struct {
	link       *link
	chunk      *chunk
	addr, size uint64
	asked      uint64 // what of the size someone wanted
	// These are guarded by the link's lock, as is chunk.lost.
	freed   bool
	touched uint64 // the last command that works on it
	stream  uint32 // that has work on it beside the default stream's; 0 if none has
	several bool   // more than one has
	holds   int    // of those who keep it from being freed
	made    origin
}

// block is what buffers hold: when the last one that holds it is gone, so is the
// allocation. All views of a buffer share one block.
type block struct{ *allocation }

// alloc takes size bytes, whose contents are what an earlier owner left.
func (l *link) alloc(size uint64, made origin) (*block, error) {
	if heap.Round(size) < size {
		return nil, misuse("", "%d bytes are more than any device has", size)
	}
	for try := 0; ; try++ {
		var a *allocation
		var wait bool
		err := l.with(func(p *process) (err error) {
			if a = l.carve(size, made); a != nil {
				return nil
			}
			if wait = len(l.unused) > 0 && try == 0; wait {
				return nil
			}
			if l.heap.Reserved() > l.collect {
				l.collect = 2 * l.heap.Reserved()
				runtime.GC() // frees come too late for this request, but for the next ones
			}
			if err = l.grow(p, size+l.checks.gap()); err != nil {
				return err
			}
			a = l.carve(size, made)
			return nil
		})
		var e *backend.Error
		switch {
		case err == nil && wait:
			// Freed memory may be there once the streams are done with it.
			if err := l.sync(); err != nil {
				return nil, err
			}
		case errors.As(err, &e) && e.Code == codeOutOfMemory && try < 3:
			if err := l.scrape(); err != nil {
				return nil, err
			}
		case errors.As(err, &e) && e.Code == codeOutOfMemory:
			return nil, l.exhausted(size, e)
		case err != nil:
			return nil, err
		default:
			return l.own(a), nil
		}
	}
}

// own makes the allocation one that is released when nobody can reach its block.
func (l *link) own(a *allocation) *block {
	b := &block{a}
	runtime.AddCleanup(b, func(a *allocation) { l.release(a) }, a)
	return b
}

// carve takes a block out of the chunks there are, or returns nil. The lock is held.
func (l *link) carve(size uint64, made origin) *allocation {
	taken := size + l.checks.gap()
	addr, ok := l.heap.Take(taken)
	if !ok {
		return nil
	}
	for _, c := range l.chunks {
		if addr >= c.addr && addr-c.addr < c.size {
			a := &allocation{link: l, chunk: c, addr: addr, size: heap.Round(taken), asked: size, made: made}
			l.live[a] = struct{}{}
			l.allocated(a, true)
			l.pool.count(l)
			return a
		}
	}
	panic("gpu: the heap handed out memory of no chunk")
}

// grow asks the device for a chunk in which size bytes fit. The lock is held.
func (l *link) grow(p *process, size uint64) error {
	ask := max(heap.Round(size), minChunk)
	if l.limit > 0 {
		left := l.limit - min(l.limit, l.heap.Reserved())
		if ask = max(heap.Round(size), min(minChunk, left)); ask > left {
			return &backend.Error{Code: codeOutOfMemory, Name: "CUDA_ERROR_OUT_OF_MEMORY", Message: "the limit of the pool is reached"}
		}
	}
	req := &wire.CreateChunk{Size: ask}
	if err := l.request(p, req, -1); err != nil {
		return err
	}
	c := req.Chunk
	l.chunks[c.Addr] = &chunk{addr: c.Addr, size: c.Size, fd: c.FD}
	l.heap.Add(heap.Range{Addr: c.Addr, Size: c.Size})
	l.pool.peakReserved = max(l.pool.peakReserved, l.heap.Reserved())
	return nil
}

// scrape makes the device's memory as empty as it can be made.
func (l *link) scrape() error {
	runtime.GC()
	// Clean-ups run on a goroutine of the runtime's; there is no way to wait for them.
	time.Sleep(10 * time.Millisecond)
	if err := l.sync(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trim(0)
	return nil
}

// release gives an allocation back, and says whether it was not given back before. It never
// waits for the device's work.
func (l *link) release(a *allocation) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if a.freed {
		return false
	}
	a.freed = true
	delete(l.live, a)
	l.freed(a)
	if a.stream != 0 && a.touched > l.settled.Load() {
		l.unused = append(l.unused, a)
		return true
	}
	// Whatever uses the memory next comes after what uses it now: the default stream's work
	// is waited for by all streams.
	l.give(a)
	l.thin()
	return true
}

// reclaim takes back what was freed while streams were at work, where they are done with it.
// The lock is held.
func (l *link) reclaim(done func(*allocation) bool) {
	if len(l.unused) == 0 {
		return
	}
	l.unused = slices.DeleteFunc(l.unused, func(a *allocation) bool {
		if done(a) {
			l.give(a)
			return true
		}
		return false
	})
	l.thin()
}

func (l *link) give(a *allocation) {
	if a = l.checks.retire(a); a == nil {
		return
	}
	if !a.chunk.lost {
		l.heap.Give(a.addr)
	}
}

// thin gives empty chunks back to the device, the smallest first, until the rest is no more than what
// is in use, or is one chunk. A program that makes and frees the same large buffers again and
// again then has them at hand: making a chunk of 1 GiB takes as long as a kernel that fills it. The lock is held.
func (l *link) thin() {
	empty := l.heap.Empty()
	_, used := l.heap.Used()
	var sum uint64
	keep := len(empty)
	for i := len(empty) - 1; i >= 0; i-- {
		if sum += empty[i].Size; sum > max(used, empty[len(empty)-1].Size) {
			keep = len(empty) - 1 - i
			break
		}
	}
	if l.p != nil {
		l.drop(empty[:len(empty)-keep])
	}
}

// trim gives empty chunks back to the device, the largest first, and keeps some. The lock
// is held.
func (l *link) trim(keep int) {
	empty := l.heap.Empty()
	if l.p == nil {
		return // they would only be imported into the next process; that is soon enough
	}
	if len(empty) > keep {
		l.drop(empty[keep:])
	}
}

// drop gives those empty chunks back to the device. The lock is held and there is a process.
func (l *link) drop(empty []heap.Range) {
	for _, r := range slices.Backward(empty) {
		if l.push(l.p, &wire.Command{Op: wire.OpReleaseChunk, Dst: r.Addr}, nil) != nil {
			return // the process is dead: as above
		}
		c := l.chunks[r.Addr]
		c.letGo()
		delete(l.chunks, r.Addr)
		l.heap.Remove(r)
		if c.fd >= 0 {
			syscall.Close(c.fd)
		}
	}
}

// abandon forgets a chunk whose memory is gone. The lock is held.
func (l *link) abandon(c *chunk) {
	c.lost = true
	c.letGo()
	delete(l.chunks, c.addr)
	l.heap.Abandon(heap.Range{Addr: c.addr, Size: c.size})
	if c.fd >= 0 {
		syscall.Close(c.fd)
	}
}

// usable returns an error if the memory is not there any more. The link's lock is held.
func (a *allocation) usable() error {
	switch {
	case a == nil:
		return nil
	case a.freed:
		return misuse("", "the buffer was freed; make a new one with gpu.Alloc, gpu.Zeros or gpu.ToDevice")
	case a.chunk.lost:
		return misuse("", "the buffer's contents went with the device process that died, because this driver cannot share memory; make the buffer anew")
	}
	return nil
}
