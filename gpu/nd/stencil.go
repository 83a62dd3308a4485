package nd

import "slices"

// stencil has everything that the code of a kernel for stencils depends on besides the expression. The operands of a stencil are views of
// one array whose offsets differ by a few rows and columns. Rows are iterations of the loop around the innermost one. A thread of
// such a kernel computes elements of adjacent rows, and maybe of adjacent columns, for which the views have many elements in common, and loads each of these once.
type stencil struct {
	mapping
	columns
	down int   // rows that a thread computes
	taps []tap // by operand
}

// tap is how the rows of a thread read an operand.
type tap struct {
	// group is the number of the operand from whose address the distance is counted, plus 1, or 0 for an operand that is read by its own.
	group     uint8
	row, col  int8
	unchanged bool // all rows have the same elements
	// lead is the number of elements between the beginning of a vector and the element for the thread's first column, of the first operand
	// of a group in a kernel whose threads compute several columns, or noVectors.
	lead int8
}

// The limits of stencils.
const (
	leastTaps    = 3   // operands of a group
	farTap       = 16  // rows or columns between two operands of a group
	stencilRows  = 4   // that a thread computes at most
	stencilWords = 128 // of 4 bytes: the elements of operands that a thread loads, at most
	stencilX     = 64  // threads of a block along a row at most: neighbouring rows are in the same block then, and their elements in its cache
	columnsX     = 32  // the same if each computes several columns
	stencilInner = 32  // least length of a row
)

// stencil returns the kernel for stencils that computes the plan in the space, whose other kernel is m, and whether that takes less time.
func (s *space) stencil(m mapping) (stencil, bool) {
	t := stencil{mapping: m, columns: columns{across: 1, piece: 1}}
	outer := len(s.lens) - 2
	if s.linear || outer < 0 || len(s.leaves) < leastTaps || s.inner() < stencilInner || s.lens[outer] < 2*stencilRows {
		return t, false
	}
	t.taps = make([]tap, len(s.leaves))
	grouped, pays := false, m.width == 1
	for i := range s.leaves {
		switch o := &t.taps[i]; {
		case o.group != 0:
		case s.group(t.taps, i):
			grouped = true
		default:
			o.unchanged = s.strides[i+1][outer] == 0
		}
		// Vectors of all operands are as good.
		pays = pays || t.taps[i].group != 0 && s.leaves[i].class == classNext
	}
	if !grouped || !pays {
		return t, false
	}
	for t.down = stencilRows; t.reads(s).registers > stencilWords || s.lens[outer] < 4*t.down; t.down /= 2 {
		if t.down == 2 {
			return t, false
		}
	}
	if t.width > 1 {
		t.width, t.out = 1, classVector
		s.operands(1)
	}
	return t, true
}

// group makes operand first and those after it that are near a group, and reports whether they are enough.
func (s *space) group(taps []tap, first int) bool {
	outer := len(s.lens) - 2
	step := s.strides[first+1][outer]
	if s.leaves[first].buf == nil || s.step(first+1) != 1 || step == 0 {
		return false
	}
	n := 0
	for i := first; i < len(taps); i++ {
		if taps[i].group == 0 && s.alike(first, i) {
			if row, col := apart(s.leaves[i].off-s.leaves[first].off, step); max(abs(row), abs(col)) <= farTap {
				taps[i] = tap{group: uint8(first + 1), row: int8(row), col: int8(col)}
				n++
			}
		}
	}
	if n >= leastTaps {
		return true
	}
	for i := range taps {
		if taps[i].group == uint8(first+1) {
			taps[i] = tap{}
		}
	}
	return false
}

// alike reports whether two operands differ by their offsets alone.
func (s *space) alike(i, k int) bool {
	a, b := &s.leaves[i], &s.leaves[k]
	return a.buf == b.buf && a.dt == b.dt && slices.Equal(s.strides[i+1], s.strides[k+1])
}

// apart returns a distance as rows, which are that far from each other, and as few columns as possible.
func apart(distance, step int) (rows, cols int) {
	rows, cols = distance/step, distance%step
	if 2*abs(cols) > abs(step) {
		sign := 1
		if (cols < 0) != (step < 0) {
			sign = -1
		}
		rows, cols = rows+sign, cols-sign*step
	}
	return rows, cols
}

// bands returns the number of pieces of that many rows, the last of which may have fewer.
func (t *stencil) bands(rows int) int { return (rows + t.down - 1) / t.down }

// stencilRequest returns the launch of a kernel for stencils. Its words are those of an element-wise kernel. The lock is held.
func (e *engine) stencilRequest(p *plan, dst *leaf, s *space, t stencil) request {
	var left, right int
	if dst.around != nil && !e.describes() {
		left, right, t.ends = dst.around.endsOf(s)
		dst.around.ends = t.ends
	}
	key := append(e.key[:0], 'k', byte(t.rank), boolByte(t.wide), byte(t.out), byte(p.outs[0].dt), byte(t.down), boolByte(t.ends))
	key = append(key, byte(t.across), byte(t.shift), boolByte(t.partial), byte(t.piece))
	for _, o := range t.taps {
		key = append(key, o.group, byte(o.row), byte(o.col), boolByte(o.unchanged), byte(o.lead))
	}
	e.key = p.key(key)
	threads := (s.inner() + t.shift + t.across - 1) / t.across
	g := s.gridOf(threads)
	if most := t.mostX(); g.x > most {
		g.x, g.y = most, mapBlock/most
		g.perRow = (threads + g.x - 1) / g.x
	}
	rows := s.lens[len(s.lens)-2]
	g.rows = g.rows / rows * t.bands(rows)
	w := s.arguments(e.words[:0], dst, &g)
	if t.ends {
		w = w.put(left).put(right)
	}
	e.words = w.constants(p)
	return request{key: e.key, write: func() source { return p.stencilSource(t) }, words: e.words, cfg: g.launch()}
}
