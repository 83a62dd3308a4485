package gpu

import (
	"fmt"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/heap"
)

// pool counts what the allocator does. The link's lock guards it.
type pool struct {
	peakUsed, peakReserved uint64
	allocations, reused    uint64
}

// count notes an allocation that was just made.
func (p *pool) count(l *link) {
	p.allocations++
	_, used := l.heap.Used()
	p.peakUsed = max(p.peakUsed, used)
}

// PoolStats says how a device's memory is used. Sizes are in bytes.
type PoolStats struct {
	Used     uint64 // by buffers, and by what waits
	Waiting  uint64 // freed, but a stream may still work on it
	Reserved uint64 // taken from the device
	PeakUsed uint64 // the most that Used and Reserved have been
	// PeakReserved is at least PeakUsed.
	PeakReserved uint64
	Allocations  uint64 // buffers made so far
	Reused       uint64 // of them by AllocOn, from what waits
}

// Pool says how the device's memory is used. It starts nothing.
func (d *Device) Pool() PoolStats {
	l := d.link
	l.mu.Lock()
	defer l.mu.Unlock()
	s := PoolStats{
		Reserved: l.heap.Reserved(), PeakUsed: l.pool.peakUsed, PeakReserved: l.pool.peakReserved,
		Allocations: l.pool.allocations, Reused: l.pool.reused,
	}
	_, s.Used = l.heap.Used()
	for _, a := range l.unused {
		s.Waiting += a.size
	}
	return s
}

// Limit sets how many bytes the pool may take from the device, so that several programs can share one; 0
// takes the limit away. What is reserved already stays. A request beyond the limit first collects what nobody can
// reach any more and gives empty chunks back, as one beyond the device's memory does, and then is an error.
func (d *Device) Limit(bytes uint64) {
	l := d.link
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limit = bytes
}

// Trim waits for the device and gives memory that no buffer uses back to it, until at most
// keep bytes stay reserved. Where that is more than the buffers need, nothing is given back.
func (d *Device) Trim(keep uint64) error {
	if err := d.link.sync(); err != nil {
		return wrap("giving memory back to the device", err)
	}
	l := d.link
	l.mu.Lock()
	defer l.mu.Unlock()
	for n := len(l.heap.Empty()); n > 0 && l.heap.Reserved() > keep; n-- {
		l.trim(n - 1)
	}
	return nil
}

// AllocOn makes a buffer of n elements for work on one stream, without setting them. It may
// take memory that was freed while work on that very stream may still use it, since what the
// stream is given next comes after that. So a loop that makes and frees buffers on a stream
// neither waits nor grows. Work of other streams on the buffer must be ordered behind the
// stream by an event. It panics with an *Error if the device has no memory or cannot be used.
func AllocOn[T Element](s *Stream, n int) *Buffer[T] {
	const op = "making a buffer"
	if err := s.on(nil); err != nil {
		panic(wrap(op, err))
	}
	if s == nil {
		return alloc[T](op, n, nil)
	}
	size := bufferBytes[T](op, n)
	made := originOf[T](0)
	b := s.link.again(size, s.handle, made)
	if b == nil {
		var err error
		if b, err = s.link.alloc(size, made); err != nil {
			panic(wrap(fmt.Sprintf("%s of %s on %s", op, byteCount(size), s.link.name()), err))
		}
	}
	return &Buffer[T]{block: b, addr: b.addr, n: n}
}

// again takes memory of just that size which was freed on the stream, or returns nil.
func (l *link) again(size uint64, stream uint32, made origin) *block {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.unused, func(a *allocation) bool {
		return a.stream == stream && !a.several && a.size == heap.Round(size) && !a.chunk.lost
	})
	if i < 0 {
		return nil
	}
	old := l.unused[i]
	l.unused = slices.Delete(l.unused, i, i+1)
	a := &allocation{link: l, chunk: old.chunk, addr: old.addr, size: old.size, asked: size, touched: old.touched, stream: stream, made: made}
	l.live[a] = struct{}{}
	l.allocated(a, true)
	l.pool.count(l)
	l.pool.reused++
	return l.own(a)
}
