package gpu

import (
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
)

// ManagedSlice is a slice that Go code and kernels share: it is indexed, measured and cut like any
// other, and passed to a kernel where that takes a pointer. Make it with Managed.
//
// It has a copy in the host's memory and one on the device, which are made equal at these points,
// and only there:
//
//   - A launch that it is passed to takes along what the host has written.
//   - Device.Sync, gpu.Sync and the end of a cell bring back what kernels have written.
//
// From such a launch on until the next of these waits the host must not write to it, and reads what
// was there before. This is how CUDA's managed memory is where a GPU has no page faults; unlike
// there, memory that no launch needs takes no room on the device, and what does not fit there is an
// error. Both copies survive the end of a device process; kernels that died with it may have done
// part of their work, or none.
type ManagedSlice[T Element] []T

// Managed makes a slice of n zeros that Go code and kernels of the current device share. The garbage
// collector does not free it; its Free does. It panics with an *Error if there is no memory or the
// device cannot be used.
func Managed[T Element](n int) ManagedSlice[T] {
	const op = "making managed memory"
	d, err := Current()
	if err != nil {
		panic(wrap(op, err))
	}
	s, m, err := pin[T](op, n, d)
	if err != nil {
		panic(err)
	}
	if m != nil {
		d.link.Manage(m)
	}
	return s
}

// Free waits for the devices that know the memory and gives it back. The slice and all parts of it
// must not be used afterwards: that would end the program.
func (s ManagedSlice[T]) Free() error {
	const op = "giving managed memory back"
	if cap(s) == 0 {
		return nil
	}
	m, offset := client.FindPinned(bytesOf(s[:cap(s)]))
	if m == nil || m.ManagedBy() == nil || offset != 0 {
		return misuse(op, "the slice is not one that gpu.Managed returned, or was given back already")
	}
	m.Unmanage()
	return wrap(op, m.Unpin(links()))
}

func (s ManagedSlice[T]) element() string { return elementName[T]() }
func (s ManagedSlice[T]) pointsTo(T)      {}

// bind passes the device's copy.
func (s ManagedSlice[T]) bind(c *Call) {
	if c.err != nil || c.next >= len(c.k.params) {
		c.pointer(reference{}, nil, "managed memory")
		return
	}
	p := &c.k.params[c.next]
	m, offset := client.FindPinned(bytesOf([]T(s)))
	switch l := c.k.mod.dev.link; {
	case m == nil || m.ManagedBy() == nil:
		c.err = c.k.reject("parameter %s: the slice is not one that gpu.Managed returned, or has no elements, or was given back", describe(p))
	case m.ManagedBy() != l:
		c.err = c.k.reject("parameter %s is managed memory of %s, the kernel was compiled for %s", describe(p), m.ManagedBy().Name(), l.Name())
	case l.Captured(c.cfg.Stream.number()):
		c.err = c.k.reject("parameter %s: managed memory can't be part of a graph, which would not take along what the host writes", describe(p))
	default:
		b, err := m.SendManaged(originOf[T](2))
		if err != nil {
			c.err = wrap("launching "+c.k.name+": parameter "+describe(p), err)
			return
		}
		c.pointer(reference{block: b, addr: b.Addr + offset, bytes: len(s) * int(unsafe.Sizeof(s[0]))}, l, "managed memory")
	}
}
