package gpu

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// noteWork implements hook.NoteWork.
func noteWork(device any, note func(*hook.Work)) (stop func(), ok bool) {
	d := device.(*Device)
	if d.watched() || !pointer.CompareAndSwap(&d.watchers.note, nil, &note) {
		return nil, false
	}
	return func() { pointer.Store[func(*hook.Work)](&d.watchers.note, nil) }, true
}

// watched reports whether work on the device is measured, checked or changed.
func (d *Device) watched() bool {
	w := &d.watchers
	return pointer.Load[skippedLaunches](&w.skipped) != nil || pointer.Load[meter](&w.meter) != nil || pointer.Load[profile](&w.profile) != nil ||
		pointer.Load[byte](&w.fill) != nil || w.order.Load() != 0 || debugged.Load() != nil || d.link.Observed()
}

// submits implements hook.Submits.
func submits() (n uint64) {
	for _, l := range links() {
		n += l.Submits()
	}
	return n
}

// noting returns what notes the work of a device, or nil.
func (d *Device) noting() func(*hook.Work) {
	if note := pointer.Load[func(*hook.Work)](&d.watchers.note); note != nil {
		return *note
	}
	return nil
}

// noteLaunch notes a launch that was sent, unless it is checked or has arguments that a graph cannot have.
func (c *Call) noteLaunch(cmd *wire.Command) {
	note := c.k.mod.dev.noting()
	if note == nil || cmd.Stream != 0 || c.k.mod.program.Check || len(c.textures)+len(c.mapped)+len(c.hosts)+len(c.peers) > 0 {
		return
	}
	k, cfg, place := c.k, c.cfg, c.at
	args, refs := slices.Clone(c.args), slices.Clone(c.refs)
	w := &hook.Work{}
	for _, r := range refs {
		w.Operands, w.Sizes = append(w.Operands, r.addr), append(w.Sizes, uint64(r.bytes))
		clear(args[k.offsets[r.param]:][:8])
	}
	w.What = fmt.Sprintf("launch %d %v %v %d %v %v %x", k.fn, cmd.Grid, cmd.Block, cmd.Shared, cmd.Cooperative(), cmd.Cluster(), args)
	w.Repeat = func(stream any, at func(operand int) any) error {
		cfg.Stream = stream.(*Stream)
		again := k.Begin(cfg)
		again.at = place
		copy(again.args, args)
		again.next = len(k.params)
		for i, r := range refs {
			if b, ok := at(i).(*Buffer[byte]); ok {
				r.block, r.addr = b.block, b.addr
			}
			copy(again.args[k.offsets[r.param]:], bytesOf([]uint64{r.addr}))
			again.refs = append(again.refs, r)
		}
		return again.finish()
	}
	note(w)
}

// bytesAt is the memory of a buffer. What the methods of buffers lead to is compiled with each of them, so it is no Buffer[byte] and has no method that returns one.
type bytesAt struct {
	block *client.Block
	addr  uint64
	n     int
}

// moved returns an operand of work that is repeated: the same memory, or the same part of another buffer.
func moved(m bytesAt, to any) *Buffer[byte] {
	if other, ok := to.(*Buffer[byte]); ok {
		return other.Slice(0, m.n)
	}
	return &Buffer[byte]{block: m.block, addr: m.addr, n: m.n, view: true}
}

// noteCopy notes a copy that was sent.
func (d *Device) noteCopy(stream uint32, dst, src bytesAt) {
	note := d.noting()
	if note == nil || stream != 0 {
		return
	}
	note(&hook.Work{
		What: fmt.Sprintf("copy %d", dst.n), Operands: []uint64{dst.addr, src.addr}, Sizes: []uint64{uint64(dst.n), uint64(src.n)},
		Repeat: func(stream any, at func(operand int) any) error {
			return CopyAsync(stream.(*Stream), moved(dst, at(0)), moved(src, at(1)))
		},
	})
}

// noteFill notes that a buffer was filled, if that was one command.
func (d *Device) noteFill(stream uint32, dst bytesAt, pattern []byte) {
	note := d.noting()
	if note == nil || stream != 0 || dst.n == 0 {
		return
	}
	note(&hook.Work{
		What: fmt.Sprintf("fill %d %x", dst.n, pattern), Operands: []uint64{dst.addr}, Sizes: []uint64{uint64(dst.n)},
		Repeat: func(stream any, at func(operand int) any) error {
			to := moved(dst, at(0))
			defer runtime.KeepAlive(to)
			return to.block.Fill(to.addr, pattern, uint64(to.n), stream.(*Stream).number())
		},
	})
}

// noteCall notes a product of matrices.
func (d *Device) noteCall(stream uint32, c routine.Call, on []anyBuffer) {
	note := d.noting()
	if note == nil || stream != 0 {
		return
	}
	c = routine.Clone(c)
	places := routine.Places(c)
	if places == nil {
		return
	}
	on = slices.Clone(on)
	w := &hook.Work{}
	for i, o := range c.Operands(nil) {
		w.Operands, w.Sizes = append(w.Operands, *places[i]), append(w.Sizes, o.Bytes)
		*places[i] = 0
	}
	w.What = fmt.Sprintf("%s %+v", routine.NameOf(c), c)
	w.Repeat = func(stream any, at func(operand int) any) error {
		again := routine.Clone(c)
		buffers := slices.Clone(on)
		for i, place := range routine.Places(again) {
			*place = w.Operands[i]
			if b, ok := at(i).(*Buffer[byte]); ok {
				*place = b.addr
				buffers = append(buffers, b)
			}
		}
		return callLibrary(stream.(*Stream), again, buffers...)
	}
	note(w)
}
