package gpu

import (
	"runtime"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// Pinned makes an ordinary slice of n zeros whose memory is known to the current device (and
// to others when they are first used with it): copies from and to it, or parts of it, run at
// the full speed of the link, and CopyFromAsync and CopyToAsync do not wait for them. The
// garbage collector does not free it; Unpin does. It panics with an *Error if there is no
// memory or the device cannot be used.
func Pinned[T Element](n int) []T {
	const op = "making pinned memory"
	d, err := Current()
	if err != nil {
		panic(wrap(op, err))
	}
	s, _, err := pin[T](op, n, d)
	if err != nil {
		panic(err)
	}
	return s
}

// pin makes pinned memory that a device knows.
func pin[T Element](op string, n int, d *Device) ([]T, *client.Pinned, error) {
	size := bufferBytes[T](op, n)
	if n == 0 {
		return []T{}, nil, nil
	}
	m, err := d.link.Pin(size)
	if err != nil {
		return nil, nil, wrap(op+" of "+render.Bytes(size), err)
	}
	return unsafe.Slice((*T)(m.Pointer()), n), m, nil
}

// Unpin waits for the devices that know the memory of a slice from Pinned and gives it back.
// The slice and all parts of it must not be used afterwards: that would end the program.
func Unpin[T Element](s []T) error {
	const op = "giving pinned memory back"
	if cap(s) == 0 {
		return nil
	}
	mem := bytesOf(s[:cap(s)])
	m, offset := client.FindPinned(mem)
	if m == nil || m.ManagedBy() != nil || offset != 0 {
		return misuse(op, "the slice is not one that gpu.Pinned returned, or was given back already")
	}
	return wrap(op, m.Unpin(links()))
}

// Mapped passes pinned host memory to a kernel, which then reads and writes it over the link,
// without any copy: good for what is used once, slow for the rest. The host may use it again
// after the next wait. The slice must come from Pinned, or be a part of one that does.
func Mapped[T Element](s []T) Ptr[T] { return mapped[T](s) }

type mapped[T Element] []T

func (s mapped[T]) element() string { return elementName[T]() }
func (s mapped[T]) pointsTo(T)      {}

func (s mapped[T]) bind(c *Call) {
	if c.err != nil || c.next >= len(c.k.params) {
		c.pointer(reference{}, nil, "host memory")
		return
	}
	p := &c.k.params[c.next]
	l := c.k.mod.dev.link
	m, offset := client.FindPinned(bytesOf([]T(s)))
	switch {
	case m == nil:
		c.err = c.k.reject("parameter %s: only slices from gpu.Pinned can be mapped", describe(p))
	case l.Properties().CanUseHostPointerForRegisteredMem == 0:
		c.err = c.k.reject("parameter %s: kernels of %s cannot use host memory: copy it", describe(p), l.Name())
	default:
		if err := l.Know(m); err != nil {
			c.err = wrap("launching "+c.k.name+": parameter "+describe(p), err)
			return
		}
		c.host(mappedMemory{addr: m.Address() + offset, bytes: len(bytesOf([]T(s)))})
	}
	runtime.KeepAlive(s)
}
