package trace

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// A ThreadStep is a line that one thread ran.
type ThreadStep struct {
	Line
	Accesses []ThreadAccess // in their order
	Function string         // "" if it is not known
	CFA      uint64         // its canonical frame address
	Locals   []Local        // those that have a value
}

// A ThreadAccess is an access of one thread.
type ThreadAccess struct {
	Op    string // as in Access
	Name  string // of the element, such as "x[3]"
	Value any    // that was read or written
}

// lanes is the number of threads of a warp.
const lanes = 32

// Thread returns what the thread of linear index thread did in one of the Blocks, at most limit steps.
func (t *Trace) Thread(block, thread, limit int) []ThreadStep {
	if block >= len(t.Blocks) || thread/lanes >= len(t.Blocks[block].Warps) {
		return nil
	}
	w, lane := t.Blocks[block].Warps[thread/lanes], uint32(1)<<(thread%lanes)
	var steps []ThreadStep
	next := 0 // index in w.Accesses
	framed := newFramed(t, w, thread%lanes)
	for i, mask := range w.Masks {
		if len(steps) == limit {
			break
		}
		step := ThreadStep{Line: t.Lines[w.Lines[i]]}
		for ; next < len(w.Accesses) && w.Accesses[next].Step == i; next++ {
			if a := &w.Accesses[next]; a.Mask&lane != 0 {
				step.Accesses = append(step.Accesses, t.ofLane(a, bits.OnesCount32(a.Mask&(lane-1))))
			}
		}
		if mask&lane != 0 {
			framed.step(i, &step)
			steps = append(steps, step)
		}
	}
	return steps
}

// A framed follows the functions of one lane.
type framed struct {
	frames []Frame                     // of the lane
	last   Frame                       // of the step before
	code   map[int]bool                // lines that have code: a declaration without a value has none
	came   map[activation]map[int]bool // lines that declare variables in scope, and the last line
}

// An activation is a call of a function.
type activation struct {
	function string
	cfa      uint64
}

func newFramed(t *Trace, w *Warp, lane int) *framed {
	f := &framed{came: map[activation]map[int]bool{}, code: map[int]bool{}}
	for _, l := range t.Lines {
		f.code[l.Line] = true
	}
	for i := range w.Frames {
		if w.Frames[i].Lane == lane {
			f.frames = append(f.frames, w.Frames[i])
		}
	}
	return f
}

// step sets the function and the variables of a step. After a meeting with other threads a line has no frame of its own: nothing of the
// lane's has run since.
func (f *framed) step(number int, s *ThreadStep) {
	for len(f.frames) > 0 && f.frames[0].Step <= number {
		f.last, f.frames = f.frames[0], f.frames[1:]
		for of := range f.came {
			if of.cfa < f.last.CFA { // it has returned
				delete(f.came, of)
			}
		}
	}
	s.Function, s.CFA = f.last.Function, f.last.CFA
	of := activation{s.Function, s.CFA}
	came := map[int]bool{s.Line.Line: true} // without lines of variables whose scope has been left
	for _, v := range f.last.Locals {
		if v.Line == 0 || f.came[of][v.Line] || !f.code[v.Line] && v.Line < s.Line.Line {
			s.Locals = append(s.Locals, v)
			came[v.Line] = true
		}
	}
	f.came[of] = came
}

// ofLane returns the access of the n-th lane of an access.
func (t *Trace) ofLane(a *Access, n int) ThreadAccess {
	word := a.Words[0]
	if a.Stride != nil {
		word += n * *a.Stride
	} else if n < len(a.Words) {
		word = a.Words[n]
	}
	value := a.Values[0]
	if n < len(a.Values) {
		value = a.Values[n]
	}
	if a.Memory < 0 {
		return ThreadAccess{Op: a.Op, Name: fmt.Sprintf("*(%#x)", word), Value: value}
	}
	return ThreadAccess{Op: a.Op, Name: t.Memory[a.Memory].element(word), Value: value}
}

// element returns the name of a word, such as "tile[1][2]". Words of elements that have several are told apart by their number: "p[3].1".
func (m *Memory) element(word int) string {
	perElement := 1
	if m.Word > 0 && m.Elem > m.Word {
		perElement = m.Elem / m.Word
	}
	index := word / perElement
	part := ""
	if perElement > 1 {
		part = "." + strconv.Itoa(word%perElement)
	}
	if m.Size == 1 && len(m.Dims) == 0 {
		return m.Name + part
	}
	var b strings.Builder
	b.WriteString(m.Name)
	below := 1
	for _, d := range m.Dims[min(1, len(m.Dims)):] {
		below *= d
	}
	for _, d := range m.Dims[min(1, len(m.Dims)):] {
		fmt.Fprintf(&b, "[%d]", index/max(below, 1))
		index %= max(below, 1)
		below /= max(d, 1)
	}
	fmt.Fprintf(&b, "[%d]", index)
	return b.String() + part
}

// First returns the lowest linear index of a thread of a block that ran one of the lines, or -1.
func (t *Trace) First(block int, lines []Line) int {
	if block >= len(t.Blocks) {
		return -1
	}
	for n, w := range t.Blocks[block].Warps {
		came := uint32(0)
		for i, mask := range w.Masks {
			if slices.Contains(lines, t.Lines[w.Lines[i]]) {
				came |= mask
			}
		}
		if came != 0 {
			return n*lanes + bits.TrailingZeros32(came)
		}
	}
	return -1
}
