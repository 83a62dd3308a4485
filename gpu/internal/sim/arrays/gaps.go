package arrays

import (
	"slices"
	"unsafe"
)

// mostGap is the part of the elements of a block, as its denominator, that may lie between rows.
const mostGap = 4

// gaps is the way of a launch whose operands all have the same short rows, with few elements between them, as views of the inside of an array
// have. A block has several rows and what lies between them, so that operands are read in place: to compute some elements that nobody needs
// takes less time than to copy the rows of each operand one behind the other. What lies between two rows is within the operand's memory.
type gaps struct {
	row, stride int // elements of a row, and those from its first one to that of the next
	rows        int // of a plane, which is what the two innermost loops go through
	together    int // rows of a block
	perPlane    int // blocks of a plane
	count       int // blocks
	flat, still path
}

// findGaps returns that way, or nil if there is none.
func (m *mapped) findGaps() *gaps {
	p := m.commonPath()
	if p == nil || len(p.lens) < 2 || m.perRow > 0 || !m.p.exact || m.p.outputs != nil {
		return nil
	}
	last := len(p.lens) - 1
	g := &gaps{row: p.lens[last], stride: p.strides[last-1], rows: p.lens[last-1]}
	between := g.stride - g.row
	if p.strides[last] != 1 || between <= 0 || between > g.stride/mostGap || g.stride > blockSize/2 {
		return nil
	}
	g.together = min(blockSize/g.stride, g.rows)
	g.perPlane = (g.rows + g.together - 1) / g.together
	g.count = m.total / (g.row * g.rows) * g.perPlane
	g.flat, g.still = path{[]int{blockSize}, []int{1}}, path{[]int{blockSize}, []int{0}}
	return g
}

// commonPath returns the path of all operands but those that are one element, or nil.
func (m *mapped) commonPath() *path {
	var common *path
	for i := range m.leaves {
		p := &m.leaves[i].path
		switch {
		case m.p.k.Leaves[i].Index:
			return nil
		case p.still():
		case common == nil:
			common = p
		case !slices.Equal(p.lens, common.lens) || !slices.Equal(p.strides, common.strides):
			return nil
		}
	}
	return common
}

// gapBlock computes a block and stores its rows.
func (m *mapped) gapBlock(w *worker, block int) {
	g := m.gaps
	plane, first := block/g.perPlane, block%g.perPlane*g.together
	rows := min(g.together, g.rows-first)
	i := (plane*g.rows + first) * g.row
	w.leaves = append(w.leaves[:0], m.leaves...)
	for k := range w.leaves {
		l := &w.leaves[k]
		if l.path.still() {
			l.path = g.still
			continue
		}
		off, _ := l.path.at(i)
		l.off, l.path = l.off+off, g.flat
	}
	values, size := w.compute(w.leaves, 0, (rows-1)*g.stride+g.row, nil), m.dst.size
	for r := range rows {
		from, at := unsafe.Add(values, r*g.stride*size), i+r*g.row
		if to := m.dst.direct(at, g.row); to != nil {
			copy(elements[byte](to, g.row*size), elements[byte](from, g.row*size))
		} else {
			scatterBytes(size, from, m.dst.base, m.dst.off, &m.dst.path, at, g.row)
		}
	}
}
