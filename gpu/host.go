package gpu

import "github.com/gopherwarp/gopherwarp/gpu/internal/client"

// Ptr is an argument for a kernel's pointer parameter: a *Buffer, a *Buffer2D, a ManagedSlice, or host memory as In, Out, InOut or
// Mapped.
type Ptr[T Element] interface {
	binder
	pointsTo(T)
}

// binder is a pointer argument of any element type.
type binder interface {
	bind(*Call)
	element() string
	elements() (int, error) // their number
}

func (b *Buffer[T]) bind(c *Call) {
	if b == nil || b.block == nil {
		c.pointer(reference{}, nil, "nil")
		return
	}
	c.pointer(reference{block: b.block, addr: b.addr, bytes: b.Bytes()}, b.block.Link, "a buffer")
}

func (b *Buffer[T]) element() string { return elementName[T]() }
func (b *Buffer[T]) pointsTo(T)      {}

func (b *Buffer[T]) elements() (int, error) { return b.Len(), nil }

// In passes host memory that the kernel reads: it is copied to the device before the launch.
func In[T Element](s []T) Ptr[T] { return &hostSlice[T]{s: s, in: true} }

// Out passes host memory that the kernel writes: the launch waits for the kernel and copies it back. Elements that the kernel does not
// write become undefined.
func Out[T Element](s []T) Ptr[T] { return &hostSlice[T]{s: s, out: true} }

// InOut passes host memory that the kernel reads and writes: the launch copies it to the device, waits for the kernel, and copies it
// back.
func InOut[T Element](s []T) Ptr[T] { return &hostSlice[T]{s: s, in: true, out: true} }

// A hostSlice is a slice with a copy on the device for the duration of one launch.
type hostSlice[T Element] struct {
	s       []T
	in, out bool
	copy    *client.Block
}

// A hostArg is a hostSlice of any element type.
type hostArg interface {
	fetch(*Call) error
	release(*Call)
}

func (h *hostSlice[T]) element() string { return elementName[T]() }
func (h *hostSlice[T]) pointsTo(T)      {}

func (h *hostSlice[T]) elements() (int, error) { return len(h.s), nil }

func (h *hostSlice[T]) bind(c *Call) {
	if c.err != nil || c.next >= len(c.k.params) {
		c.pointer(reference{}, nil, "host memory")
		return
	}
	if c.err = checkElement[T]("launching " + c.k.name); c.err != nil {
		return
	}
	p := &c.k.params[c.next]
	if h.out && p.Const {
		c.err = c.k.reject("parameter %s is const, so nothing comes back: pass gpu.In", describe(p))
		return
	}
	l := c.k.mod.dev.link
	mem := bytesOf(h.s)
	b, err := l.Alloc(uint64(len(mem)), client.Origin{Elem: (*T)(nil)})
	if err == nil {
		h.copy = b
		c.hosts = append(c.hosts, h)
		if h.in {
			err = b.Upload(b.Addr, mem, c.cfg.Stream.number())
		}
	}
	if err != nil {
		c.err = wrap("launching "+c.k.name+": parameter "+describe(p), err)
		return
	}
	c.pointer(reference{block: b, addr: b.Addr, bytes: len(mem)}, l, "host memory")
}

func (h *hostSlice[T]) fetch(c *Call) error {
	if !h.out || c.cfg.empty {
		return nil
	}
	return wrap("copying from the device", h.copy.Download(bytesOf(h.s), h.copy.Addr, c.cfg.Stream.number()))
}

func (h *hostSlice[T]) release(*Call) {
	h.copy.Free()
	h.copy = nil
}
