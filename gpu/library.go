package gpu

import (
	"errors"
	"runtime"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// callLibraryAny implements hook.CallLibrary.
func callLibraryAny(c routine.Call, buffers ...any) error {
	on := make([]anyBuffer, len(buffers))
	for i, v := range buffers {
		b, err := bufferOf(v)
		if err != nil {
			return wrap("calling "+routine.NameOf(c), err)
		}
		on[i] = b
	}
	return callLibrary(nil, c, on...)
}

// callLibrary is like callLibraryAny but calls the routine on a stream (nil: the default stream).
func callLibrary(s *Stream, c routine.Call, on ...anyBuffer) error {
	if err := submitCall(s, c, on); err != nil {
		return wrap("calling "+routine.NameOf(c), err)
	}
	return nil
}

// submitCall is callLibrary whose errors do not say yet what was being done.
func submitCall(s *Stream, c routine.Call, on []anyBuffer) error {
	if err := c.Check(); err != nil {
		return misuse("", "%v", err)
	}
	if len(on) == 0 {
		return misuse("", "there are no buffers")
	}
	for _, b := range on {
		if err := b.made(); err != nil {
			return err
		}
	}
	l := on[0].held().Link
	if err := s.on(l); err != nil {
		return err
	}
	defer runtime.KeepAlive(on)
	var room [8]*client.Block
	blocks := room[:0]
	err := l.With(func(p *client.Process) (err error) {
		operands := l.OperandsOf(c)
		if blocks, err = locate(l, operands, on, room[:0]); err != nil {
			return err
		}
		if err := usable(operands, blocks); err != nil {
			return err
		}
		if err := l.NeedLibrary(p, routine.FamilyOf(c.Routine())); err != nil {
			return err
		}
		return l.Submit(p, &wire.Command{Op: wire.OpCall, Func: uint32(c.Routine()), Stream: s.number()}, routine.Bytes(c), blocks...)
	})
	if err != nil {
		for _, b := range blocks {
			if b != nil {
				l.Reported(b.Allocation, err)
			}
		}
		return err
	}
	deviceOf(l).noteCall(s.number(), c, on)
	return nil
}

// usable returns the error of the first block that cannot be an operand: it was freed or, if the operand is read, its contents are lost.
func usable(operands []routine.Operand, blocks []*client.Block) error {
	for i, b := range blocks {
		if b == nil {
			continue
		}
		err := b.Usable()
		if !operands[i].Write {
			err = errors.Join(err, b.TakeFault())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// locate finds the block of each operand, nil for an empty one, and appends it to list.
func locate(l *client.Link, operands []routine.Operand, on []anyBuffer, list []*client.Block) ([]*client.Block, error) {
	for _, o := range operands {
		if o.Bytes == 0 {
			list = append(list, nil)
			continue
		}
		var found *client.Block
		for _, b := range on {
			from, n := b.Address(), uint64(b.Bytes())
			if o.Addr >= from && o.Addr-from < n && o.Bytes <= n-(o.Addr-from) {
				found = b.held()
				break
			}
		}
		switch {
		case found == nil:
			return nil, misuse("", "%s does not lie within one of the buffers: it needs %d bytes from address %#x on", o.Name, o.Bytes, o.Addr)
		case found.Link != l:
			return nil, misuse("", "%s is on %s, other operands are on %s", o.Name, found.Link.Name(), l.Name())
		case o.Addr%o.Align != 0:
			return nil, misuse("", "%s is at address %#x, which is no multiple of the element's %d bytes", o.Name, o.Addr, o.Align)
		}
		list = append(list, found)
	}
	return list, nil
}
