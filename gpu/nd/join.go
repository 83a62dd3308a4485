package nd

import "slices"

// Concatenate joins arrays along an existing axis. All other axes must have equal lengths.
func Concatenate[T Elem](axis int, list ...*Array[T]) *Array[T] {
	nodes := make([]*node, len(list))
	for i, a := range list {
		nodes[i] = nodeOf(a)
	}
	return as[T](concatenate("Concatenate", axis, nodes))
}

func concatenate(op string, axis int, list []*node) *node {
	if len(list) == 0 {
		fail(op, "there are no arrays")
	}
	first := list[0].check(op)
	e := common(op, first, nil, nil)
	at := axisOf(op, axis, first.lay.rank())
	shape := slices.Clone(first.lay.shape)
	shape[at] = 0
	for _, n := range list {
		e = common(op, first, n.check(op), nil)
		want := slices.Clone(first.lay.shape)
		if n.lay.rank() == len(want) {
			want[at] = n.lay.shape[at]
		}
		if !slices.Equal(want, n.lay.shape) {
			fail(op, "arrays of shapes %s and %s differ in more than axis %d", shapeString(first.lay.shape), shapeString(n.lay.shape), at)
		}
		shape[at] += n.lay.shape[at]
	}
	out := newNode(e, first.dt, contiguous(op, shape))
	begin := 0
	for _, n := range list {
		end := begin + n.lay.shape[at]
		part := n
		if traced(n) {
			part = n.plain()
		}
		out.part(at, begin, end).assign(part)
		begin = end
	}
	if traced(list...) {
		out.deriveJoin(at, list)
	}
	return out
}

// part returns the view of the elements from begin to end along an axis.
func (a *node) part(axis, begin, end int) *node {
	index := make([]Index, axis+1)
	index[axis] = R(begin, end)
	return a.slice(index)
}

// Stack joins arrays of the same shape along a new axis.
func Stack[T Elem](axis int, list ...*Array[T]) *Array[T] {
	const op = "Stack"
	nodes := make([]*node, len(list))
	for i, a := range list {
		n := nodeOf(a).check(op)
		if first := list[0]; !slices.Equal(n.lay.shape, nodeOf(first).lay.shape) {
			fail(op, "arrays of shapes %s and %s cannot be stacked", shapeString(nodeOf(first).lay.shape), shapeString(n.lay.shape))
		}
		nodes[i] = n.expandDims(axis)
	}
	return as[T](concatenate(op, axis, nodes))
}

// Split returns views of n parts of equal length along an axis.
func Split[T Elem](a *Array[T], n, axis int) []*Array[T] {
	const op = "Split"
	at := axisOf(op, axis, nodeOf(a).check(op).lay.rank())
	length := nodeOf(a).lay.shape[at]
	if n < 1 || length%n != 0 {
		fail(op, "an axis of length %d cannot be split into %d parts of the same length", length, n)
	}
	places := make([]int, n-1)
	for i := range places {
		places[i] = (i + 1) * (length / n)
	}
	return SplitAt(a, axis, places...)
}

// SplitAt returns views of the parts between the given indices along an axis.
func SplitAt[T Elem](a *Array[T], axis int, places ...int) []*Array[T] {
	const op = "SplitAt"
	n := nodeOf(a).check(op)
	at := axisOf(op, axis, n.lay.rank())
	var list []*Array[T]
	begin := 0
	for _, end := range append(slices.Clone(places), n.lay.shape[at]) {
		list = append(list, as[T](n.part(at, begin, end)))
		begin = end
	}
	return list
}

// Tile returns the array repeated times[i] times along axis i. The shorter one of its shape and times is extended by ones in front.
func Tile[T Elem](a *Array[T], times ...int) *Array[T] {
	const op = "Tile"
	shape := nodeOf(a).check(op).lay.shape
	for len(times) < len(shape) {
		times = append([]int{1}, times...)
	}
	for len(shape) < len(times) {
		shape = append([]int{1}, shape...)
	}
	var each, wide, final []int
	for i, n := range shape {
		if times[i] < 0 {
			fail(op, "axis %d cannot be repeated %d times", i, times[i])
		}
		each, wide, final = append(each, 1, n), append(wide, times[i], n), append(final, times[i]*n)
	}
	return as[T](nodeOf(a).reshape(each).broadcastTo(wide).copied().reshape(final))
}

// Repeat returns the array with each element repeated the given number of times along an axis.
func Repeat[T Elem](a *Array[T], times, axis int) *Array[T] {
	const op = "Repeat"
	n := nodeOf(a).check(op)
	at := axisOf(op, axis, n.lay.rank())
	if times < 0 {
		fail(op, "elements cannot be repeated %d times", times)
	}
	shape := n.Shape()
	wide := slices.Insert(slices.Clone(shape), at+1, times)
	shape[at] *= times
	return as[T](n.expandDims(at + 1).broadcastTo(wide).copied().reshape(shape))
}

// Roll returns the array with its elements shifted along an axis; elements shifted beyond one end reappear at the other.
func Roll[T Elem](a *Array[T], shift, axis int) *Array[T] {
	const op = "Roll"
	n := nodeOf(a).check(op)
	at := axisOf(op, axis, n.lay.rank())
	length := n.lay.shape[at]
	if length == 0 {
		return a.Copy()
	}
	cut := ((-shift)%length + length) % length
	return as[T](concatenate(op, at, []*node{n.part(at, cut, length), n.part(at, 0, cut)}))
}

// PadMode selects the elements that Pad adds.
type PadMode uint8

// The modes of Pad, for 1 2 3.
const (
	PadEdge      PadMode = iota // 1 1 | 1 2 3 | 3 3
	PadReflect                  // 3 2 | 1 2 3 | 2 1
	PadSymmetric                // 2 1 | 1 2 3 | 3 2
	PadWrap                     // 2 3 | 1 2 3 | 1 2
)

// PadConstant returns the array with elements v added before and after it along each axis, as many as widths has for the axis. A single
// pair applies to all axes.
func PadConstant[T Elem](a *Array[T], v T, widths ...[2]int) *Array[T] {
	const op = "PadConstant"
	n := nodeOf(a).check(op)
	widths = padding(op, n, widths)
	shape := n.Shape()
	index := make([]Index, len(shape))
	for i, w := range widths {
		index[i] = R(w[0], w[0]+shape[i])
		shape[i] += w[0] + w[1]
	}
	out := newNode(common(op, n, nil, nil), n.dt, contiguous(op, shape))
	out.fill(numberOf(v))
	if !traced(n) {
		out.slice(index).assign(n)
		return as[T](out)
	}
	out.slice(index).assign(n.plain())
	return as[T](out.derive(nil, []*node{n}, func(g *node) *node { return g.slice(index) }))
}

// Pad returns the array with elements of the array itself, chosen by mode, added before and after it along each axis, as many as widths
// has for the axis. A single pair applies to all axes.
func Pad[T Elem](a *Array[T], mode PadMode, widths ...[2]int) *Array[T] {
	const op = "Pad"
	for axis, w := range padding(op, nodeOf(a).check(op), widths) {
		length := nodeOf(a).lay.shape[axis]
		if w == [2]int{} {
			continue
		}
		if length == 0 {
			fail(op, "axis %d of shape %s has no elements to pad with", axis, shapeString(nodeOf(a).lay.shape))
		}
		places := make([]int64, 0, w[0]+length+w[1])
		for i := -w[0]; i < length+w[1]; i++ {
			places = append(places, int64(mode.place(i, length)))
		}
		a = Take(a, FromSlice(places), axis)
	}
	return a
}

// place returns the index, on an axis of n elements, of the value for index i.
func (m PadMode) place(i, n int) int {
	period := n
	switch m {
	case PadEdge:
		return min(max(i, 0), n-1)
	case PadReflect:
		period = max(2*n-2, 1)
	case PadSymmetric:
		period = 2 * n
	}
	i = (i%period + period) % period
	switch {
	case i < n:
		return i
	case m == PadReflect:
		return period - i
	}
	return period - 1 - i
}

// padding returns the widths for each axis.
func padding(op string, n *node, widths [][2]int) [][2]int {
	rank := n.lay.rank()
	if len(widths) == 1 {
		widths = slices.Repeat(widths, rank)
	}
	if len(widths) != rank {
		fail(op, "%d pairs of widths are given, want one or one for each of %d axes", len(widths), rank)
	}
	for _, w := range widths {
		if w[0] < 0 || w[1] < 0 {
			fail(op, "the widths %v are negative", w)
		}
	}
	return widths
}
