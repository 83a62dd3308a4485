package gpu

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/internal/render"
)

// A PoolStats is the memory use of a device. Sizes are in bytes.
type PoolStats struct {
	Used     uint64 // by buffers, including Waiting
	Waiting  uint64 // freed, but possibly still in use by a stream
	Reserved uint64 // allocated from the device
	PeakUsed uint64 // maximum of Used so far
	// PeakReserved is the maximum of Reserved so far, which is at least PeakUsed.
	PeakReserved uint64
	Allocations  uint64 // buffers made so far
	Reused       uint64 // of them by AllocOn, from Waiting
}

// Pool returns the memory use of the device. It does not start the device.
func (d *Device) Pool() PoolStats { return PoolStats(d.link.Memory()) }

// Limit sets the maximum number of bytes that the pool may reserve, so that several programs can share a device; 0 removes the limit.
// Memory that is reserved already is kept. An allocation beyond the limit first frees unreachable buffers and empty chunks, as one beyond
// the device's memory does, and fails if that is not enough.
func (d *Device) Limit(bytes uint64) { d.link.SetLimit(bytes) }

// Trim waits for the device and returns unused memory to it until at most keep bytes are reserved. If buffers need more than that, only
// unused memory is returned.
func (d *Device) Trim(keep uint64) error {
	return wrap("giving memory back to the device", d.link.Trim(keep))
}

// AllocOn returns a buffer of n elements for work on one stream. The elements are not initialized. It may reuse memory that was freed
// while work on that stream may still use it, since later work of the stream is ordered after that. So a loop that makes and frees
// buffers on a stream neither waits nor needs more and more memory. Work of other streams on the buffer must be ordered after the
// stream's by an event. It panics with an *Error if the device is out of memory or cannot be used.
func AllocOn[T Element](s *Stream, n int) *Buffer[T] {
	const op = "making a buffer"
	if err := s.on(nil); err != nil {
		panic(wrap(op, err))
	}
	if s == nil {
		b, _ := alloc[T](op, n, nil)
		return b
	}
	size := bufferBytes[T](op, n)
	b, err := s.link.AllocOn(size, s.handle, originOf[T](0))
	if err != nil {
		panic(wrap(fmt.Sprintf("%s of %s on %s", op, render.Bytes(size), s.link.Name()), err))
	}
	return &Buffer[T]{block: b, addr: b.Addr, n: n}
}
