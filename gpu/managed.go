package gpu

import (
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
)

// A ManagedSlice is a slice that Go code and kernels share: it is used as any other slice, and can be passed to a kernel's pointer
// parameter. Managed returns one.
//
// It has a copy in host memory and one on the device. They are made equal at these points only:
//
//   - A launch that has it as an argument copies to the device what the host has written.
//   - Device.Sync, gpu.Sync and the end of a cell copy back what kernels have written.
//
// Between such a launch and the next of these waits the host must not write to it, and reads its old contents. This is how CUDA's managed
// memory works on GPUs without page faults; unlike there, memory that no launch needs takes no device memory, and memory that does not
// fit there is an error. Both copies are kept if a device process exits; kernels that were running then may have written all of their
// results, a part, or none.
type ManagedSlice[T Element] []T

// Managed returns a slice of n zeros that Go code and kernels of the current device share. The garbage collector does not free it; its
// Free method does. It panics with an *Error if there is not enough memory or the device cannot be used.
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

// Free waits for the devices that use the memory and frees it. The slice and all parts of it must not be used afterwards: the program
// would crash. Only the whole slice that Managed returned can be freed, once.
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
func (s ManagedSlice[T]) elements() (int, error) { return len(s), nil }

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
