package gpu

import (
	"errors"
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// AnyBuffer is a *Buffer of any element type.
type AnyBuffer interface {
	Len() int
	Bytes() int
	Address() uint64
	Device() *Device
	made() error
	held() *block
}

func (b *Buffer[T]) held() *block { return b.block }

// CallLibrary gives a routine of a numerical library to a stream (nil: the default stream) of the
// device that has the buffers, and does not wait for it. Every operand of the routine must lie
// within one of the buffers. It is for packages of this module, such as nd, which alone can make
// a routine. The error says what is wrong with the arguments, or which library is missing; what
// goes wrong later comes back from the next wait.
func CallLibrary(s *Stream, c routine.Call, on ...AnyBuffer) error {
	op := "calling " + routine.NameOf(c)
	if err := c.Check(); err != nil {
		return misuse(op, "%v", err)
	}
	if len(on) == 0 {
		return misuse(op, "there are no buffers")
	}
	for _, b := range on {
		if err := b.made(); err != nil {
			return wrap(op, err)
		}
	}
	l := on[0].held().link
	if err := s.on(l); err != nil {
		return wrap(op, err)
	}
	defer runtime.KeepAlive(on)
	var few [8]routine.Operand
	operands := c.Operands(few[:0])
	var room [8]*allocation
	allocs, err := l.within(operands, on, room[:0])
	if err != nil {
		return wrap(op, err)
	}
	err = l.with(func(p *process) error {
		for i, a := range allocs {
			err := a.usable()
			if !operands[i].Write {
				err = errors.Join(err, a.lost())
			}
			if err != nil {
				return err
			}
		}
		if err := l.needLibrary(p, routine.FamilyOf(c.Routine())); err != nil {
			return err
		}
		return l.submit(p, &wire.Command{Op: wire.OpCall, Func: uint32(c.Routine()), Stream: s.number()}, routine.Bytes(c), allocs...)
	})
	for _, a := range allocs {
		l.told(a, err)
	}
	return wrap(op, err)
}

// within finds the allocation of each operand and appends it to a list.
func (l *link) within(operands []routine.Operand, on []AnyBuffer, list []*allocation) ([]*allocation, error) {
	for _, o := range operands {
		if o.Bytes == 0 {
			list = append(list, nil)
			continue
		}
		var a *allocation
		for _, b := range on {
			from, n := b.Address(), uint64(b.Bytes())
			if o.Addr >= from && o.Addr-from < n && o.Bytes <= n-(o.Addr-from) {
				a = b.held().allocation
				break
			}
		}
		switch {
		case a == nil:
			return nil, misuse("", "%s does not lie within one of the buffers: it needs %d bytes from address %#x on", o.Name, o.Bytes, o.Addr)
		case a.link != l:
			return nil, misuse("", "%s is on %s, other operands are on %s", o.Name, a.link.name(), l.name())
		case o.Addr%o.Align != 0:
			return nil, misuse("", "%s is at address %#x, which is no multiple of the element's %d bytes", o.Name, o.Addr, o.Align)
		}
		list = append(list, a)
	}
	return list, nil
}

// needLibrary has the device process make a library ready, the first time, so that one that is
// missing is an error of the call and not of a later wait. The lock is held.
func (l *link) needLibrary(p *process, f routine.Family) error {
	if l.libraries[f] {
		return nil
	}
	if err := l.request(p, &wire.Library{Family: f}, -1); err != nil {
		return err
	}
	if l.libraries == nil {
		l.libraries = map[routine.Family]bool{}
	}
	l.libraries[f] = true
	return nil
}
