package nd

import (
	"slices"
	"sync"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
)

// A tape is the work that one step of a loop gave to the device, and how the step's memory moved. Two steps with equal tapes do the same to
// the contents of the memory that they begin with. The lock of mu guards it: work is also given without the engine's lock.
type tape struct {
	mu     sync.Mutex
	pieces []piece
	temps  []temp
	slots  []slot
	// vars are the loop's variables at the end, and slotOf is the slot that each of them began in, or -1.
	vars   []variable
	slotOf []int
	before *tape // of the step before, or nil
	// spoilt is set by what cannot be repeated.
	spoilt bool
	work   Counts // of the step
}

// piece is a piece of work with the places of its operands.
type piece struct {
	*hook.Work
	at []place
}

// place is where an operand is: in a slot, in memory that was allocated during the step, or, for neither, at an address.
type place struct {
	in    region
	index int
	off   uint64 // the address, if it is fixed
}

type region uint8

const (
	fixed region = iota
	inSlot
	inTemp
)

// temp is memory that was allocated during the step. It is kept until the tape is dropped, so that no other memory has its addresses, unless
// it was freed.
type temp struct {
	buf   *buffer
	bytes int
	freed bool
}

// slot is memory whose contents are what one step hands to the next: that of a variable, or of an array that is written in place.
type slot struct {
	mem   *memory
	start *buffer // at the beginning of the step
	bytes int
	// written means that it was written in place, and variable that variables of the loop began there.
	written, variable bool
	end               place   // of the contents at the end of the step
	last              *buffer // which has them
}

// variable is what a variable has at the end of a step.
type variable struct {
	node *node
	dt   DType
	lay  *layout
	off  int
}

// newTape begins a tape of a step that begins with those variables.
func newTape(e *engine, before *tape, vars []**node) *tape {
	t := &tape{before: before}
	for _, v := range vars {
		n := *v
		if n == nil {
			t.slotOf = append(t.slotOf, -1)
			continue
		}
		t.spoilt = t.spoilt || !n.repeatable(e)
		if t.spoilt {
			return t
		}
		i := t.slotWith(n.mem)
		if i < 0 {
			i = len(t.slots)
			t.slots = append(t.slots, slot{mem: n.mem, start: n.mem.now.buf, bytes: n.mem.now.buf.Len()})
		}
		t.slots[i].variable = true
		t.slotOf = append(t.slotOf, i)
	}
	return t
}

// repeatable reports whether an array, which may be what a variable of a loop has, is memory of the engine's device without a history.
func (n *node) repeatable(e *engine) bool {
	return n.eng == e && n.shards == nil && n.past == nil && n.op == opLeaf
}

func (t *tape) slotWith(m *memory) int {
	return slices.IndexFunc(t.slots, func(s slot) bool { return s.mem == m })
}

// alloc allocates memory and notes it. If there is none, it gives up the tapes, which keep memory.
func (t *tape) alloc(d *gpu.Device, bytes int) *buffer {
	var b *buffer
	if err := Try(func() { b = allocOn(d, bytes) }); err != nil {
		t.drop()
		return allocOn(d, bytes)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.spoilt {
		t.temps = append(t.temps, temp{buf: b, bytes: b.Len()})
	}
	return b
}

// drop gives up the tape, and the one before.
func (t *tape) drop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pieces, t.temps, t.slots, t.spoilt = nil, nil, nil, true
	if t.before != nil {
		t.before.drop()
	}
}

// freed notes that memory is about to be freed.
func (e *engine) freed(b *buffer) {
	t := pointer.Load[tape](&e.tape)
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if at := t.place(b.Address()); at.in == inTemp {
		t.temps[at.index].freed = true
	} else {
		t.spoilt = true
	}
}

// touch notes that the memory is about to be written in place. The engine's lock is held.
func (e *engine) touch(m *memory) {
	t := pointer.Load[tape](&e.tape)
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := t.slotWith(m); i >= 0 {
		t.slots[i].written = true
	} else if t.place(m.now.buf.Address()).in != inTemp {
		t.slots = append(t.slots, slot{mem: m, start: m.now.buf, bytes: m.now.buf.Len(), written: true})
	}
}

// note notes a piece of work.
func (t *tape) note(w *hook.Work) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.spoilt {
		return
	}
	p := piece{Work: w}
	for _, addr := range w.Operands {
		p.at = append(p.at, t.place(addr))
	}
	t.pieces = append(t.pieces, p)
}

// place returns where an address is now. The newest memory is searched first.
func (t *tape) place(addr uint64) place {
	for i, m := range slices.Backward(t.temps) {
		if from := m.buf.Address(); !m.freed && addr >= from && addr-from < uint64(m.bytes) {
			return place{inTemp, i, addr - from}
		}
	}
	return t.slotPlace(addr)
}

func (t *tape) slotPlace(addr uint64) place {
	for i, s := range t.slots {
		if from := s.start.Address(); addr >= from && addr-from < uint64(s.bytes) {
			return place{inSlot, i, addr - from}
		}
	}
	return place{fixed, 0, addr}
}

// finish notes where the contents of all slots are at the end of the step. Submits is how often devices were given work in the step.
func (t *tape) finish(e *engine, vars []**node, submits uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.spoilt = t.spoilt || submits != uint64(len(t.pieces)) || len(t.pieces) == 0
	if t.spoilt {
		return
	}
	// Memory that is written late in a step may have been read before.
	for _, p := range t.pieces {
		for i, at := range p.at {
			if at.in == fixed {
				p.at[i] = t.slotPlace(at.off)
			}
		}
	}
	for i := range t.slots {
		if s := &t.slots[i]; !s.variable {
			t.ends(s, s.mem)
		}
	}
	ended := make([]*memory, len(t.slots))
	for i, v := range vars {
		n := *v
		if n == nil || !n.repeatable(e) || t.slotOf[i] < 0 {
			t.spoilt = true
			return
		}
		t.vars = append(t.vars, variable{n, n.dt, n.lay, n.off})
		k := t.slotOf[i]
		s := &t.slots[k]
		// Variables that began in one slot must end in one, and an array that was written in place must still be the variable's.
		if ended[k] != nil && ended[k] != n.mem || s.written && s.mem != n.mem {
			t.spoilt = true
			return
		}
		ended[k] = n.mem
		t.ends(s, n.mem)
	}
}

// ends notes where the contents of a slot are at the end of the step: in m.
func (t *tape) ends(s *slot, m *memory) {
	s.last = m.now.buf
	s.end = t.place(s.last.Address())
	if s.last.Len() != s.bytes || s.end.in != fixed && s.end.off != 0 || s.end.in == inTemp && t.temps[s.end.index].bytes != s.bytes {
		t.spoilt = true
	}
}

// repeats reports whether the step did the same as the one before.
func (t *tape) repeats() bool {
	before := t.before
	return before != nil && !t.spoilt && !before.spoilt &&
		slices.EqualFunc(t.pieces, before.pieces, func(a, b piece) bool { return a.What == b.What && slices.Equal(a.at, b.at) }) &&
		slices.EqualFunc(t.temps, before.temps, func(a, b temp) bool { return a.bytes == b.bytes }) &&
		slices.EqualFunc(t.slots, before.slots, sameSlot) && slices.Equal(t.slotOf, before.slotOf) &&
		slices.EqualFunc(t.vars, before.vars, sameVariable)
}

func sameSlot(a, b slot) bool {
	return a.bytes == b.bytes && a.written == b.written && a.variable == b.variable && a.end == b.end && (a.variable || a.mem == b.mem)
}

func sameVariable(a, b variable) bool {
	return a.dt == b.dt && a.off == b.off && slices.Equal(a.lay.shape, b.lay.shape) && slices.Equal(a.lay.strides, b.lay.strides)
}
