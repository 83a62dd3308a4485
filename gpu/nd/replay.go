package nd

import (
	"github.com/gopherwarp/gopherwarp/gpu"
)

// replay is a step in memory of its own, so that it can be repeated without changing arrays that steps have made.
type replay struct {
	e    *engine
	tape *tape
	// now has the contents of each slot, and next is where a step leaves them, which is the other one's now: steps alternate between the
	// two. Where contents do not move, both are equal.
	now, next []*buffer
	// copied is whether the contents are copied back instead at the end of each step, if they go where they cannot alternate.
	copied bool
	// temps are the memory of those of the tape, or nil where they are the contents of a slot at the end.
	temps []*buffer
	extra []*buffer // for slots that are copied to others
	own   []*buffer // is freed
}

// steps returns how many steps the graph has.
func (r *replay) steps() int {
	if r.copied || !r.alternates() {
		return 1
	}
	return 2
}

// alternates reports whether two steps use different memory.
func (r *replay) alternates() bool {
	for i := range r.now {
		if r.now[i] != r.next[i] {
			return true
		}
	}
	return false
}

// free frees the memory that no array has.
func (r *replay) free() {
	for _, b := range r.own {
		_ = b.Free() // the memory of a failed device cannot be freed
	}
	r.own = nil
}

func (r *replay) alloc(bytes int) *buffer {
	b := r.e.alloc(bytes)
	r.own = append(r.own, b)
	return b
}

// allocate chooses and makes the memory.
func (r *replay) allocate() {
	t := r.tape
	r.now, r.next = make([]*buffer, len(t.slots)), make([]*buffer, len(t.slots))
	r.temps, r.extra = make([]*buffer, len(t.temps)), make([]*buffer, len(t.slots))
	r.copied = t.ties()
	for i := range t.slots {
		s := &t.slots[i]
		stays := s.end == place{inSlot, i, 0}
		switch {
		case s.written:
			// It is the array's own memory, unless an expression needs its contents.
			r.e.locked(func() {
				r.e.own(s.mem)
				r.now[i] = s.mem.now.buf
			})
		case stays:
			r.now[i] = s.last
		default:
			r.now[i] = r.e.alloc(s.bytes)
			copyWhole(r.now[i], s.last)
		}
		r.next[i] = r.now[i]
		switch {
		case stays:
		case !r.copied:
			r.next[i] = r.alloc(s.bytes)
		case s.end.in == inSlot:
			r.extra[i] = r.alloc(s.bytes)
		}
	}
	r.allocateTemps()
}

// ties reports whether contents go where they cannot alternate: to the slot of others, to memory outside, or to the same as others.
func (t *tape) ties() bool {
	taken := map[int]bool{}
	for i, s := range t.slots {
		switch {
		case s.end == place{inSlot, i, 0}:
		case s.end.in != inTemp || taken[s.end.index]:
			return true
		default:
			taken[s.end.index] = true
		}
	}
	return false
}

// allocateTemps makes the memory that the step allocated. What is needed no longer is used for what comes later.
func (r *replay) allocateTemps() {
	t := r.tape
	last, kept := make([]int, len(t.temps)), make([]bool, len(t.temps))
	for i, p := range t.pieces {
		for _, at := range p.at {
			if at.in == inTemp {
				last[at.index] = i
			}
		}
	}
	for _, s := range t.slots {
		if s.end.in == inTemp {
			kept[s.end.index] = true
		}
	}
	idle := map[int][]*buffer{} // by size
	for i, p := range t.pieces {
		for _, at := range p.at {
			if at.in == inTemp && r.temps[at.index] == nil && (r.copied || !kept[at.index]) {
				r.temps[at.index] = r.takeIdle(idle, t.temps[at.index].bytes)
			}
		}
		ended := map[int]bool{}
		for _, at := range p.at {
			if at.in == inTemp && last[at.index] == i && !kept[at.index] && !ended[at.index] {
				ended[at.index] = true
				idle[t.temps[at.index].bytes] = append(idle[t.temps[at.index].bytes], r.temps[at.index])
			}
		}
	}
}

func (r *replay) takeIdle(idle map[int][]*buffer, bytes int) *buffer {
	list := idle[bytes]
	if len(list) == 0 {
		return r.alloc(bytes)
	}
	idle[bytes] = list[:len(list)-1]
	return list[len(list)-1]
}

// record gives the graph's steps to a stream.
func (r *replay) record(s *gpu.Stream) error {
	for range r.steps() {
		if err := r.recordStep(s); err != nil {
			return err
		}
		if !r.copied {
			r.now, r.next = r.next, r.now
		}
	}
	if r.copied {
		return r.copyBack(s)
	}
	return nil
}

func (r *replay) recordStep(s *gpu.Stream) error {
	for _, p := range r.tape.pieces {
		err := p.Repeat(s, func(i int) any {
			b := r.at(p.at[i])
			if b == nil {
				return nil
			}
			return bufferOf(b.Slice(int(p.at[i].off), b.Len()))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// at returns the memory that a place is in, or nil if it is where it was.
func (r *replay) at(p place) *buffer {
	switch p.in {
	case inSlot:
		return r.now[p.index]
	case inTemp:
		if b := r.temps[p.index]; b != nil {
			return b
		}
		for i, s := range r.tape.slots {
			if s.end.in == inTemp && s.end.index == p.index {
				return r.next[i]
			}
		}
	}
	return nil
}

// copyBack copies the contents of the slots at the end of a step to where the next one begins.
func (r *replay) copyBack(stream *gpu.Stream) error {
	// Those that others overwrite are saved first.
	for i, s := range r.tape.slots {
		if r.extra[i] != nil {
			if err := gpu.CopyAsync(stream, bufferOf(r.extra[i]), bufferOf(r.now[s.end.index])); err != nil {
				return err
			}
		}
	}
	for i, s := range r.tape.slots {
		from := r.extra[i]
		switch {
		case s.end == place{inSlot, i, 0}:
			continue
		case s.end.in == fixed:
			from = s.last
		case from == nil:
			from = r.at(s.end)
		}
		if err := gpu.CopyAsync(stream, bufferOf(r.now[i]), bufferOf(from)); err != nil {
			return err
		}
	}
	return nil
}

func copyWhole(to, from *buffer) {
	if err := gpu.Copy(bufferOf(to), bufferOf(from)); err != nil {
		panic(err)
	}
}

// hand gives the contents to the variables, and to the arrays that were written in place.
func (r *replay) hand(vars []**node) {
	t := r.tape
	r.e.mu.Lock()
	defer r.e.mu.Unlock()
	made := make([]*memory, len(t.slots))
	for i := range t.slots {
		s := &t.slots[i]
		switch {
		case s.written:
			s.mem.now.extents = nil
		case r.now[i] != s.last:
			made[i] = &memory{}
			made[i].first.buf = r.now[i]
			made[i].now = &made[i].first
		}
	}
	for k, v := range vars {
		if m, was := made[t.slotOf[k]], t.vars[k]; m != nil {
			*v = &node{eng: r.e, dt: was.dt, lay: was.lay, off: was.off, op: opLeaf, mem: m}
		}
	}
}
