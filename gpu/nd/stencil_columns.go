package nd

import (
	"iter"
	"math/bits"
)

// columns says how a thread of a kernel for stencils computes adjacent columns, too. It begins where vectors begin in memory and loads
// whole ones, and what the results of several columns need once.
type columns struct {
	across int // columns that a thread computes
	// shift is by how many columns a row's first thread begins before the first one.
	shift int
	// partial means that some threads have columns that are outside of the row. These compute something that they do not store.
	partial bool
	piece   int // adjacent columns that are stored at once
}

const (
	stencilColumns = 4 // that a thread computes at most
	// columnsGain is how many times fewer passes of the first cache a kernel must need for an element, at least, if its threads compute several
	// columns. Filters of many elements need fewer, those of neighbours along the axes do not.
	columnsGain = 1.5
	noVectors   = -1
	// A warp's load or store takes a pass of the first cache for each of the 128-byte lines that it touches, of which there are as many as threads at most.
	passBytes  = 4
	mostPasses = 32
)

// mostX returns how many threads of a block are in a row at most.
func (t *stencil) mostX() int {
	if t.across > 1 {
		return columnsX
	}
	return stencilX
}

// widened returns the kernel for the same stencil whose threads compute several columns, if that needs so many times fewer passes, else t.
func (s *space) widened(t stencil, p *plan, dst *leaf, gain float64) stencil {
	least := t.passes(s, dst, t.reads(s).passes) / gain
	for across := min(stencilColumns, vector/s.widest(p.outs)); across > 1; across /= 2 {
		w := t
		for ; w.down > 1 && w.fewest(s, dst, across) <= least; w.down /= 2 {
			if best, ok := s.bestShift(w, across, p, dst, least); ok {
				return best
			}
		}
	}
	return t
}

// fewest returns the passes that threads with that many columns need at least, wherever vectors begin. Most stencils need no closer look.
func (t stencil) fewest(s *space, dst *leaf, across int) float64 {
	t.columns = columns{across: across, piece: across}
	read := 0
	for i := range t.taps {
		l, loads := &s.leaves[i], 0
		switch group := int(t.taps[i].group); {
		case group == i+1:
			for _, cols := range t.needed(i) {
				loads += (bits.OnesCount64(t.widen(cols)) + across - 1) / across
			}
		case group != 0 || l.buf == nil:
		case s.step(i+1) == 1:
			loads = t.rows(&t.taps[i])
		default:
			loads = t.others(s, i)
		}
		read += loads * t.pass(l.dt, s.step(i+1))
	}
	return t.passes(s, dst, read)
}

// widen returns the columns that a thread needs of those that its first column needs.
func (t *stencil) widen(cols uint64) uint64 {
	for range t.across - 1 {
		cols |= cols << 1
	}
	return cols
}

// bestShift returns the kernel whose threads compute that many columns and that needs the fewest passes, unless all need more than most.
func (s *space) bestShift(t stencil, across int, p *plan, dst *leaf, most float64) (best stencil, ok bool) {
	for shift := range across {
		w := s.shifted(t, across, shift, dst)
		read := w.reads(s)
		if w.partial && !p.harmless() || read.registers+w.results(dst) > stencilWords {
			continue
		}
		if passes := w.passes(s, dst, read.passes); passes <= most {
			best, ok, most = w, true, passes-tolerance // of several that are as good the first is best
		}
	}
	return best, ok
}

// tolerance is less than any difference of passes, and more than those of rounding.
const tolerance = 1e-6

// harmless reports whether the expression may be computed of any elements. A Go function might not end, and an index that is computed of
// elements that do not belong together may be outside.
func (p *plan) harmless() bool {
	for i := range p.steps {
		if o := p.steps[i].op; o == opGather || o >= opcodes {
			return false
		}
	}
	return true
}

// shifted returns the kernel whose threads compute that many columns and begin so many before the first one.
func (s *space) shifted(t stencil, across, shift int, dst *leaf) stencil {
	t.columns = columns{across: across, shift: shift, partial: shift != 0 || s.inner()%across != 0, piece: across}
	for t.piece > 1 && !(t.out == classVector && s.alignedBy(0, dst, t.piece) && (dst.off-shift)%t.piece == 0) {
		t.piece /= 2
	}
	taps := make([]tap, len(t.taps))
	for i, o := range t.taps {
		l := &s.leaves[i]
		if o.group == 0 && l.buf != nil && s.step(i+1) == 1 {
			o.group = uint8(i + 1) // alone, for the vectors
		}
		o.lead = noVectors
		if o.group != 0 && s.alignedBy(i+1, l, across) && l.buf.Len()%(across*l.dt.Size()) == 0 {
			o.lead = int8((l.off - shift) & (across - 1))
		}
		taps[i] = o
	}
	t.taps = taps
	return t
}

// alignedBy reports whether vectors of that many elements of operand i, which is o, are at the same places in all rows, and begin with the memory.
func (s *space) alignedBy(i int, o *leaf, width int) bool {
	for d := range len(s.lens) - 1 {
		if s.strides[i][d]%width != 0 {
			return false
		}
	}
	return int(o.buf.Address())%(width*o.dt.Size()) == 0
}

// needed are the columns of the elements of a group that a thread needs, by row: bit k of row i is column k-farTap of row i-farTap.
type needed [2*farTap + stencilRows]uint64

// needed returns those of the group that is counted from operand first, if a thread had only one column.
func (t *stencil) needed(first int) (c needed) {
	for i := range t.taps {
		if o := &t.taps[i]; int(o.group) == first+1 {
			for r := range t.rows(o) {
				c[int(o.row)+farTap+r] |= 1 << (int(o.col) + farTap)
			}
		}
	}
	return c
}

// rows returns how many rows of an operand a thread reads.
func (t *stencil) rows(o *tap) int {
	if o.unchanged {
		return 1
	}
	return t.down
}

// load is what a thread reads of a group at once.
type load struct {
	row, col  int    // of the first element
	width     int    // elements
	needed    uint64 // bit k is column k-farTap
	low, high int    // the least and the greatest column in the row that is needed for the thread's first column
}

// loads returns those of the group that is counted from operand i.
func (t *stencil) loads(i int) iter.Seq[load] {
	return func(yield func(load) bool) {
		for at, cols := range t.needed(i) {
			if cols != 0 && !t.loadRow(at-farTap, cols, int(t.taps[i].lead), yield) {
				return
			}
		}
	}
}

// loadRow passes the loads of a row of a group to yield until that returns false, which it returns, too.
func (t *stencil) loadRow(row int, cols uint64, lead int, yield func(load) bool) bool {
	l := load{row: row, low: bits.TrailingZeros64(cols) - farTap, high: bits.Len64(cols) - 1 - farTap}
	for cols = t.widen(cols); cols != 0; {
		l.col, l.width, l.needed = bits.TrailingZeros64(cols)-farTap, 1, cols&-cols
		if t.across > 1 && lead != noVectors {
			begin := l.col - (l.col+lead)&(t.across-1)
			inside := cols & ((1<<(begin+t.across-l.col) - 1) << (l.col + farTap))
			if inside != l.needed {
				l.col, l.width, l.needed = begin, t.across, inside
			}
		}
		cols &^= l.needed
		if !yield(l) {
			return false
		}
	}
	return true
}

// ofGroup returns how many elements of the group that is counted from operand i a thread reads, and by how many loads. Adjacent rows mostly need the
// same columns.
func (t *stencil) ofGroup(i int) (elements, loads int) {
	var before uint64
	var inRow, of int
	for _, cols := range t.needed(i) {
		if cols != before {
			before, inRow, of = cols, 0, bits.OnesCount64(t.widen(cols))
			t.loadRow(0, cols, int(t.taps[i].lead), func(load) bool { inRow++; return true })
		}
		elements, loads = elements+of, loads+inRow
	}
	return elements, loads
}

// others returns how many elements of operand i, which is in no group, a thread reads.
func (t *stencil) others(s *space, i int) int {
	n := t.rows(&t.taps[i])
	if s.step(i+1) != 0 {
		n *= t.across
	}
	return n
}

// reads is what a thread reads: the registers for elements of operands, and the passes of its loads.
type reads struct{ registers, passes int }

// reads returns what a thread reads.
func (t *stencil) reads(s *space) (sum reads) {
	for i := range t.taps {
		l := &s.leaves[i]
		elements, loads := 0, 0
		switch int(t.taps[i].group) {
		case i + 1:
			elements, loads = t.ofGroup(i)
		case 0:
			elements = t.others(s, i)
			if l.buf != nil {
				loads = elements
			}
		}
		sum.registers += elements * ((l.dt.Size() + 3) / 4)
		sum.passes += loads * t.pass(l.dt, s.step(i+1))
	}
	return sum
}

// results returns how many registers a thread needs for the elements that it stores.
func (t *stencil) results(dst *leaf) int { return t.down * t.across * ((dst.dt.Size() + 3) / 4) }

// passes returns how many passes of the first cache the loads and stores of a warp take, for each of the elements of a thread. read are those
// of the loads.
func (t *stencil) passes(s *space, dst *leaf, read int) float64 {
	elements := t.down * t.across
	return float64(read+elements/t.piece*t.pass(dst.dt, s.step(0))) / float64(elements)
}

// pass returns how many passes a load takes, or a store, of elements of that type that are step apart.
func (t *stencil) pass(dt DType, step int) int {
	return min(max(t.across*abs(step)*dt.Size()/passBytes, 1), mostPasses)
}
