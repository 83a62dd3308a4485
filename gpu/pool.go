package gpu

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/internal/render"
)

// PoolStats is how a device's memory is used. Sizes are in bytes.
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

// Pool returns how the device's memory is used. It starts nothing.
func (d *Device) Pool() PoolStats { return PoolStats(d.link.Memory()) }

// Limit sets how many bytes the pool may take from the device, so that several programs can share one; 0
// takes the limit away. What is reserved already stays. A request beyond the limit first collects what nobody can
// reach any more and gives empty chunks back, as one beyond the device's memory does, and then is an error.
func (d *Device) Limit(bytes uint64) { d.link.SetLimit(bytes) }

// Trim waits for the device and gives memory that no buffer uses back to it, until at most
// keep bytes stay reserved. Where that is more than the buffers need, nothing is given back.
func (d *Device) Trim(keep uint64) error {
	return wrap("giving memory back to the device", d.link.Trim(keep))
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
	b, err := s.link.AllocOn(size, s.handle, originOf[T](0))
	if err != nil {
		panic(wrap(fmt.Sprintf("%s of %s on %s", op, render.Bytes(size), s.link.Name()), err))
	}
	return &Buffer[T]{block: b, addr: b.Addr, n: n}
}
