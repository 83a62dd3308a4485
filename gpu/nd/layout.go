package nd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
)

// layout describes the arrangement of elements: the length of each axis and the distance, in elements, between adjacent ones along it. A
// layout never changes, so arrays share them, and those that share one are known to match without a comparison.
type layout struct {
	shape, strides []int
	size           int
	contig         bool // in row-major order, without gaps
}

// maxRank is NumPy's limit.
const maxRank = 64

var scalarLayout = &layout{contig: true, size: 1}

// fewAxes is the number of axes up to which a layout has the memory for its numbers.
const fewAxes = 3

// newLayout returns a layout of that many axes whose numbers are to be filled in.
func newLayout(rank int) *layout {
	l := &struct {
		layout
		numbers numbersOfAxes
	}{}
	l.shape, l.strides = l.numbers.of(rank)
	return &l.layout
}

// numbersOfAxes is room for a shape and strides.
type numbersOfAxes [2 * fewAxes]int

// of returns room for that many axes. It is inlined, so that a few need no memory.
func (a *numbersOfAxes) of(rank int) (shape, strides []int) {
	room := a[:]
	if rank > fewAxes {
		room = make([]int, 2*rank)
	}
	return room[:rank:rank], room[rank : 2*rank : 2*rank]
}

// layouts are some of the latest layouts of a device's arrays. The views and results of an expression mostly have few layouts. They share
// these, which takes less time than to make each, and those that match are seen to do so without a comparison.
type layouts struct {
	views, results [1 << layoutBits]pointer.Atomic // of *layout, by hashes
}

const layoutBits = 4

// contiguous returns the layout of a new array.
func (t *layouts) contiguous(op string, shape []int) *layout {
	at := &t.results[hash(0, shape)>>(64-layoutBits)]
	if l := pointer.Load[layout](at); l != nil && slices.Equal(l.shape, shape) {
		return l
	}
	l := contiguous(op, shape)
	pointer.Store(at, l)
	return l
}

// strided returns the layout of a view. It does not keep the shape and the strides.
func (t *layouts) strided(shape, strides []int) *layout {
	at := &t.views[hash(hash(0, shape), strides)>>(64-layoutBits)]
	if l := pointer.Load[layout](at); l != nil && slices.Equal(l.shape, shape) && slices.Equal(l.strides, strides) {
		return l
	}
	l := newLayout(len(shape))
	copy(l.shape, shape)
	copy(l.strides, strides)
	l.measure()
	pointer.Store(at, l)
	return l
}

// hash adds numbers to a hash by Fibonacci hashing: the factor is 2^64 divided by the golden ratio, and the highest bits are the best.
func hash(h uint64, numbers []int) uint64 {
	for _, n := range numbers {
		h = (h ^ uint64(n)) * 0x9E3779B97F4A7C15
	}
	return h
}

// contiguous returns the layout of a new array.
func contiguous(op string, shape []int) *layout {
	if len(shape) == 0 {
		return scalarLayout
	}
	if len(shape) > maxRank {
		fail(op, "%d axes are too many, there can be %d", len(shape), maxRank)
	}
	l := newLayout(len(shape))
	copy(l.shape, shape)
	l.size, l.contig = 1, true
	step := 1
	for i := len(shape) - 1; i >= 0; i-- {
		n := shape[i]
		if n < 0 {
			fail(op, "shape %s has a negative length", shapeString(l.shape))
		}
		l.strides[i] = step
		if n > 0 && step > maxElements/n {
			fail(op, "shape %s has more elements than there can be", shapeString(l.shape))
		}
		l.size *= n
		step *= max(n, 1)
	}
	return l
}

const maxElements = 1 << 52

// strided returns any other layout. It keeps the shape and the strides.
func strided(shape, strides []int) *layout {
	l := &layout{shape: shape, strides: strides}
	l.measure()
	return l
}

// measure sets the size and contig, when the shape and the strides are there.
func (l *layout) measure() {
	l.size, l.contig = 1, true
	for i := len(l.shape) - 1; i >= 0; i-- {
		if l.shape[i] != 1 && l.strides[i] != l.size {
			l.contig = false
		}
		l.size *= l.shape[i]
	}
	l.contig = l.contig || l.size == 0
}

func (l *layout) rank() int { return len(l.shape) }

// distinct returns the number of elements in memory: those of a broadcast axis are one.
func (l *layout) distinct() int {
	n := 1
	for i, length := range l.shape {
		if l.strides[i] != 0 {
			n *= length
		}
	}
	return n
}

// shapeString writes a shape as NumPy does: (2, 3).
func shapeString(shape []int) string {
	if len(shape) == 1 {
		return fmt.Sprintf("(%d,)", shape[0])
	}
	var b strings.Builder
	b.WriteByte('(')
	for i, n := range shape {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, n)
	}
	b.WriteByte(')')
	return b.String()
}

// broadcast returns the layout of the result of an operation on both.
func (t *layouts) broadcast(op string, a, b *layout) *layout {
	switch {
	case a == b && a.contig, b.rank() == 0 && a.contig:
		return a
	case a.rank() == 0 && b.contig:
		return b
	case b.rank() == 0:
		return t.contiguous(op, a.shape)
	case slices.Equal(a.shape, b.shape):
		if a.contig && a.dense() {
			return a
		}
		if b.contig && b.dense() {
			return b
		}
		return t.contiguous(op, a.shape)
	}
	shape, ok := broadcastShape(a.shape, b.shape)
	if !ok {
		fail(op, "operands could not be broadcast together with shapes %s %s", shapeString(a.shape), shapeString(b.shape))
	}
	return t.contiguous(op, shape)
}

// dense reports whether the strides are the ones that a new array would have: strides of axes of length 1 have no effect and may be
// anything in a view.
func (l *layout) dense() bool {
	step := 1
	for i := len(l.shape) - 1; i >= 0; i-- {
		if l.strides[i] != step {
			return false
		}
		step *= max(l.shape[i], 1)
	}
	return true
}

// broadcastShape broadcasts axes of length 1.
func broadcastShape(a, b []int) ([]int, bool) {
	if len(a) < len(b) {
		a, b = b, a
	}
	shape := slices.Clone(a)
	lead := len(a) - len(b)
	for i, n := range b {
		switch at := &shape[lead+i]; {
		case *at == 1:
			*at = n
		case n != 1 && n != *at:
			return nil, false
		}
	}
	return shape, true
}

// broadcastStrides appends to out the strides with which the layout is read as one of that shape. It is inlined, so that the strides of few
// axes need no memory where they do not leave the caller.
func (l *layout) broadcastStrides(shape []int, out []int) []int {
	if out == nil {
		out = make([]int, 0, fewAxes)
	}
	return l.appendStrides(shape, out)
}

// strideIn returns the stride along an axis with which the layout is read as one of so many axes.
func (l *layout) strideIn(axis, rank int) int {
	if axis -= rank - len(l.shape); axis < 0 || l.shape[axis] == 1 {
		return 0
	}
	return l.strides[axis]
}

func (l *layout) appendStrides(shape []int, out []int) []int {
	for axis := range shape {
		out = append(out, l.strideIn(axis, len(shape)))
	}
	return out
}

// axisOf checks an axis, which counts from the end if it is negative.
func axisOf(op string, axis, rank int) int {
	if axis < -rank || axis >= rank {
		fail(op, "axis %d is out of bounds for an array of %d axes", axis, rank)
	}
	if axis < 0 {
		axis += rank
	}
	return axis
}

// axesOf checks a set of axes and sorts it; none means all.
func axesOf(op string, axes []int, rank int) []int {
	list := make([]int, 0, rank)
	if len(axes) == 0 {
		for i := range rank {
			list = append(list, i)
		}
		return list
	}
	for _, a := range axes {
		list = append(list, axisOf(op, a, rank))
	}
	slices.Sort(list)
	for i := 1; i < len(list); i++ {
		if list[i] == list[i-1] {
			fail(op, "axis %d is given twice", list[i])
		}
	}
	return list
}

// loops are nested loops over several operands at once, with as few as possible: loops that step through all operands alike are merged.
// The last one is the innermost.
type loops struct {
	lens    []int
	strides [][]int // by operand
}

// nest returns loops over the shape of operands with those strides. Loops of length 1 are left out.
func nest(shape []int, strides [][]int) loops {
	rank := max(len(shape), 1)
	room := make([]int, rank*(len(strides)+1)) // of the strides and, behind them, of the lengths
	n := loops{lens: room[rank*len(strides):][:0], strides: make([][]int, len(strides))}
	for k := range strides {
		n.strides[k] = room[k*rank : k*rank : (k+1)*rank]
	}
	for i, length := range shape {
		if length == 1 {
			continue
		}
		last := len(n.lens) - 1
		joins := last >= 0
		for k, s := range strides {
			if joins && n.strides[k][last] != s[i]*length {
				joins = false
			}
		}
		if joins {
			n.lens[last] *= length
			for k, s := range strides {
				n.strides[k][last] = s[i]
			}
			continue
		}
		n.lens = append(n.lens, length)
		for k, s := range strides {
			n.strides[k] = append(n.strides[k], s[i])
		}
	}
	if len(n.lens) == 0 {
		n.lens = append(n.lens, 1)
		for k := range strides {
			n.strides[k] = append(n.strides[k], 0)
		}
	}
	return n
}

// last returns the stride of operand k in the innermost loop.
func (l *loops) last(k int) int {
	s := l.strides[k]
	return s[len(s)-1]
}

// extent returns the distance, in elements, between the first and the last element of operand k that the loops read, if no stride is
// negative.
func (l *loops) extent(k int) int {
	far := 0
	for d, n := range l.lens {
		far += abs(l.strides[k][d]) * (n - 1)
	}
	return far
}

func abs(n int) int { return max(n, -n) }
