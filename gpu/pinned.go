package gpu

import (
	"runtime"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// Pinned returns an ordinary slice of n zeros in page-locked memory of the current device (and of others, once they are used with it).
// Copies from and to the slice, or parts of it, run at the link's full bandwidth, and CopyFromAsync and CopyToAsync do not wait for them.
// The garbage collector does not free it; Unpin does. It panics with an *Error if there is not enough memory or the device cannot be
// used.
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

// pin returns page-locked memory that a device has registered.
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

// Unpin waits for the devices that have registered a slice of Pinned and frees its memory. The slice and all parts of it must not be used
// afterwards: the program would crash. Only the whole slice that Pinned returned can be freed, once.
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

// Mapped passes page-locked host memory to a kernel, which reads and writes it over the link without a copy: fast for data that is
// accessed once, slow for other data. The host may use it again after the next wait. The slice must be one from Pinned, or a part of one.
func Mapped[T Element](s []T) Ptr[T] { return mapped[T](s) }

type mapped[T Element] []T

func (s mapped[T]) element() string { return elementName[T]() }
func (s mapped[T]) pointsTo(T)      {}

func (s mapped[T]) elements() (int, error) { return len(s), nil }

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
