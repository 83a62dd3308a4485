package gpu

import (
	"errors"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
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

// managed is the device's part of a ManagedSlice.
type managed struct {
	link *link
	mem  *pinned
	// These are guarded by the link's lock.
	block *block // on the device; nil until a launch needs it
	sent  bool   // the device has what the host last wrote
	again bool   // what was brought home last may not have arrived
	up    uint64 // the last command that sent it to the device
	home  uint64 // the last command that brought it home
}

// Managed makes a slice of n zeros that Go code and kernels of the current device share. The garbage
// collector does not free it; its Free does. It panics with an *Error if there is no memory or the
// device cannot be used.
func Managed[T Element](n int) ManagedSlice[T] {
	const op = "making managed memory"
	d, err := Current()
	if err != nil {
		panic(wrap(op, err))
	}
	s, err := pin[T](op, n, d)
	if err != nil {
		panic(err)
	}
	if m, _ := findPinned(bytesOf(s)); m != nil {
		m.managed = &managed{link: d.link, mem: m}
		d.link.manage(m.managed)
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
	m, offset := findPinned(bytesOf(s[:cap(s)]))
	if m == nil || m.managed == nil || offset != 0 {
		return misuse(op, "the slice is not one that gpu.Managed returned, or was given back already")
	}
	m.managed.link.unmanage(m.managed)
	return wrap(op, unpin(m))
}

// manage lists the memory.
func (l *link) manage(g *managed) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.managed == nil {
		l.managed = map[*managed]struct{}{}
	}
	l.managed[g] = struct{}{}
}

// unmanage takes it off the list and frees the device's copy.
func (l *link) unmanage(g *managed) {
	l.mu.Lock()
	delete(l.managed, g)
	b := g.block
	g.block = nil
	l.mu.Unlock()
	if b != nil {
		l.release(b.allocation)
	}
}

// send gives the device what the host has written, and returns the device's copy.
func (g *managed) send(made origin) (*block, error) {
	l := g.link
	l.mu.Lock()
	b := g.block
	l.mu.Unlock()
	if b == nil {
		fresh, err := l.alloc(uint64(len(g.mem.mem)), made)
		if err != nil {
			return nil, err
		}
		l.mu.Lock()
		if g.block == nil {
			g.block = fresh
		}
		b = g.block
		l.mu.Unlock()
	}
	return b, l.with(func(p *process) error {
		if b.chunk.lost { // a driver that cannot share memory: the host's copy is what is left
			g.block, g.sent = nil, false
			return misuse("", "its contents on the device went with the device process that died; what the host has of it is as it was at the last wait")
		}
		if g.sent {
			return nil
		}
		// The default stream's work comes before what any other stream is given from now on.
		c := &wire.Command{Op: wire.OpUpload, Dst: b.addr, N: uint64(len(g.mem.mem)), Arg: g.mem.number}
		if err := l.submit(p, c, nil, b.allocation); err != nil {
			return err
		}
		g.sent, g.up = true, c.Seq
		return nil
	})
}

// bringHome has the device copy what kernels may have written to managed memory. The caller waits
// for that.
func (l *link) bringHome() error {
	l.mu.Lock()
	none := len(l.managed) == 0
	l.mu.Unlock()
	if none {
		return nil
	}
	return l.with(func(p *process) error {
		var errs []error
		for g := range l.managed {
			if !g.sent {
				continue
			}
			g.sent = false // the host may write from the wait on
			a := g.block.allocation
			if err := a.lost(); err != nil {
				errs = append(errs, err)
			}
			if a.touched <= max(g.up, g.home) && !g.again {
				continue
			}
			c := &wire.Command{Op: wire.OpDownload, Src: a.addr, N: uint64(len(g.mem.mem)), Arg: g.mem.number}
			if err := l.submit(p, c, nil); err != nil {
				return err
			}
			g.home, g.again = c.Seq, false
		}
		return errors.Join(errs...)
	})
}

// afterDeath decides which copies count when a process has died that is known to have done all
// commands up to one. What was on its way to the device is still here, as it was at the last wait;
// what was only on its way home is still there. The lock is held.
func (l *link) afterDeath(settled uint64) {
	for g := range l.managed {
		switch {
		case g.up > settled:
			g.sent = false
		case g.home > settled:
			g.sent, g.again = true, true
		}
	}
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
	m, offset := findPinned(bytesOf([]T(s)))
	switch l := c.k.mod.dev.link; {
	case m == nil || m.managed == nil:
		c.err = c.k.reject("parameter %s: the slice is not one that gpu.Managed returned, or has no elements, or was given back", describe(p))
	case m.managed.link != l:
		c.err = c.k.reject("parameter %s is managed memory of %s, the kernel was compiled for %s", describe(p), m.managed.link.name(), l.name())
	case l.capturing(c.cfg.Stream.number()):
		c.err = c.k.reject("parameter %s: managed memory can't be part of a graph, which would not take along what the host writes", describe(p))
	default:
		b, err := m.managed.send(originOf[T](2))
		if err != nil {
			c.err = wrap("launching "+c.k.name+": parameter "+describe(p), err)
			return
		}
		c.pointer(reference{block: b, addr: b.addr + offset, bytes: len(s) * int(unsafe.Sizeof(s[0]))}, l, "managed memory")
	}
}

// capturing says whether what the stream is given is recorded.
func (l *link) capturing(stream uint32) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.captures[stream] != nil
}
