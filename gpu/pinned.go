package gpu

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// pinned is host memory that devices copy from and to by themselves. It has the same address
// in this process and in the device processes, so kernels can use it too.
type pinned struct {
	mem    []byte
	fd     int
	number uint32
	// managed is the device's part, if it is memory of a ManagedSlice.
	managed *managed
}

func (m *pinned) addr() uint64 { return uint64(uintptr(unsafe.Pointer(&m.mem[0]))) }

// pins are the pinned areas of this process. There is one list, because a slice does not
// tell which device it was made for.
var pins struct {
	mu   sync.Mutex
	list atomic.Pointer[[]*pinned] // never changed in place, so that copies look without a lock
	last uint32
	next uint64 // where to look for room first
}

// Pinned areas lie above the devices' memory and below programs and libraries.
const (
	pinBase = 0x5000_0000_0000
	pinEnd  = 0x5400_0000_0000
	pinStep = 2 << 20
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
	s, err := pin[T](op, n, d)
	if err != nil {
		panic(err)
	}
	return s
}

// pin makes pinned memory that a device knows.
func pin[T Element](op string, n int, d *Device) ([]T, error) {
	size := bufferBytes[T](op, n)
	if n == 0 {
		return []T{}, nil
	}
	m, err := newPinned(size)
	if err == nil {
		if err = d.link.know(m); err != nil {
			err = errors.Join(err, m.drop())
		}
	}
	if err != nil {
		return nil, wrap(op+" of "+byteCount(size), err)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&m.mem[0])), n), nil
}

// Unpin waits for the devices that know the memory of a slice from Pinned and gives it back.
// The slice and all parts of it must not be used afterwards: that would end the program.
func Unpin[T Element](s []T) error {
	const op = "giving pinned memory back"
	if cap(s) == 0 {
		return nil
	}
	mem := bytesOf(s[:cap(s)])
	m, offset := findPinned(mem)
	if m == nil || m.managed != nil || offset != 0 {
		return misuse(op, "the slice is not one that gpu.Pinned returned, or was given back already")
	}
	return wrap(op, unpin(m))
}

// unpin waits for the devices that know the memory and gives it back.
func unpin(m *pinned) error {
	registry.mu.Lock()
	devices := append([]*Device(nil), registry.devices...)
	registry.mu.Unlock()
	var errs []error
	for _, d := range devices {
		errs = append(errs, d.link.forget(m))
	}
	return errors.Join(append(errs, m.drop())...)
}

// newPinned maps memory and lists it.
func newPinned(size uint64) (*pinned, error) {
	pins.mu.Lock()
	defer pins.mu.Unlock()
	fd, err := ring.CreateMemory("gopherwarp-pinned", int(size))
	if err != nil {
		return nil, err
	}
	step := (size + 2*pinStep - 1) &^ (pinStep - 1)
	pins.next = max(pins.next, pinBase)
	for range (pinEnd - pinBase) / pinStep {
		if pins.next+step > pinEnd {
			pins.next = pinBase
		}
		addr := pins.next
		mem, err := ring.MapMemoryAt(fd, addr, int(size))
		if errors.Is(err, syscall.EEXIST) {
			pins.next += pinStep
			continue
		}
		if err != nil {
			syscall.Close(fd)
			return nil, err
		}
		pins.next = addr + step
		pins.last++
		m := &pinned{mem: mem, fd: fd, number: pins.last}
		list := append([]*pinned{m}, pinnedList()...)
		pins.list.Store(&list)
		return m, nil
	}
	syscall.Close(fd)
	return nil, fmt.Errorf("there is no room for %d bytes among the addresses", size)
}

func pinnedList() []*pinned {
	if p := pins.list.Load(); p != nil {
		return *p
	}
	return nil
}

// drop takes the memory out of the list and gives it back.
func (m *pinned) drop() error {
	pins.mu.Lock()
	defer pins.mu.Unlock()
	var list []*pinned
	for _, o := range pinnedList() {
		if o != m {
			list = append(list, o)
		}
	}
	pins.list.Store(&list)
	return errors.Join(ring.UnmapMemoryAt(m.mem), syscall.Close(m.fd))
}

// findPinned finds the area that memory is part of, and where in it. It is nil for ordinary
// memory.
func findPinned(mem []byte) (m *pinned, offset uint64) {
	if len(mem) == 0 {
		return nil, 0
	}
	addr := uint64(uintptr(unsafe.Pointer(&mem[0])))
	for _, m := range pinnedList() {
		if base := m.addr(); addr >= base && addr-base+uint64(len(mem)) <= uint64(len(m.mem)) {
			return m, addr - base
		}
	}
	return nil, 0
}

// know makes the device know the memory.
func (l *link) know(m *pinned) error {
	return l.with(func(p *process) error {
		if l.pinned[m.number] != nil {
			return nil
		}
		if err := l.tellPinned(p, m); err != nil {
			return err
		}
		l.pinned[m.number] = m
		return nil
	})
}

// tellPinned shares the memory with a device process. The lock is held.
func (l *link) tellPinned(p *process, m *pinned) error {
	return l.request(p, &wire.Pin{Area: m.number, Addr: m.addr(), Size: uint64(len(m.mem))}, m.fd)
}

// forget waits for the device and undoes know.
func (l *link) forget(m *pinned) error {
	l.mu.Lock()
	known := l.pinned[m.number] != nil
	l.mu.Unlock()
	if !known {
		return nil
	}
	err := l.sync()
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.pinned, m.number)
	if l.p != nil {
		// If the process is dead, it knows nothing any more.
		_ = l.push(l.p, &wire.Command{Op: wire.OpUnpin, Arg: m.number}, nil)
	}
	return err
}

// sendPinned sends a copy between an allocation and pinned memory, without waiting for it.
func (l *link) sendPinned(m *pinned, a *allocation, c *wire.Command, data []byte) error {
	if err := l.know(m); err != nil {
		return err
	}
	err := l.with(func(p *process) error {
		err := a.usable()
		if c.Op == wire.OpDownload {
			err = errors.Join(err, a.lost())
		}
		if err != nil {
			return err
		}
		return l.submit(p, c, data, a)
	})
	l.told(a, err)
	return err
}

// movePinned is sendPinned, and waits for the copy.
func (l *link) movePinned(m *pinned, a *allocation, c *wire.Command, data []byte) error {
	if err := l.know(m); err != nil {
		return err
	}
	_, err := l.exchange(nil, a, c, data, nil)
	return err
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
	m, offset := findPinned(bytesOf([]T(s)))
	switch {
	case m == nil:
		c.err = c.k.reject("parameter %s: only slices from gpu.Pinned can be mapped", describe(p))
	case l.properties().CanUseHostPointerForRegisteredMem == 0:
		c.err = c.k.reject("parameter %s: kernels of %s cannot use host memory: copy it", describe(p), l.name())
	default:
		if err := l.know(m); err != nil {
			c.err = wrap("launching "+c.k.name+": parameter "+describe(p), err)
			return
		}
		c.host(mappedMemory{addr: m.addr() + offset, bytes: len(bytesOf([]T(s)))})
	}
	runtime.KeepAlive(s)
}
