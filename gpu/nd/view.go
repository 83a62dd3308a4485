package nd

import (
	"slices"
)

// Reshape returns the array with another shape over the same elements in row-major order. One length may be -1, which is computed. It is
// a view where strides can express it, else a copy.
//
//go:noinline
func (a *Array[T]) Reshape(shape ...int) *Array[T] { return (*Array[T])(reshapeOf(ref(a), shape)) }

func (a *node) reshape(shape []int) *node {
	const op = "Reshape"
	shape = completeShape(op, shape, a.check(op).lay.size)
	if out := a.reshapeParts(op, shape); out != nil {
		return out.deriveShape(a)
	}
	if a.lay.contig {
		return a.viewWith(contiguous(op, shape), 0).deriveShape(a)
	}
	if strides, ok := restride(a.lay, shape); ok {
		return a.viewWith(strided(shape, strides), 0).deriveShape(a)
	}
	return a.copied().viewWith(contiguous(op, shape), 0).deriveShape(a)
}

// restride finds strides for another shape over the elements of a layout, if there are any: axes of the new shape must be within runs of
// old axes that step through memory evenly.
func restride(l *layout, shape []int) ([]int, bool) {
	runs := nest(l.shape, [][]int{l.strides})
	strides := make([]int, len(shape))
	at := len(shape) - 1
	for run := len(runs.lens) - 1; run >= 0; run-- {
		left, step := runs.lens[run], runs.strides[0][run]
		for ; at >= 0 && left%shape[at] == 0 && (left > 1 || shape[at] == 1); at-- {
			strides[at] = step
			step *= shape[at]
			left /= shape[at]
		}
		if left != 1 {
			return nil, false
		}
	}
	return strides, at < 0
}

// Ravel returns the array with one axis: a view where strides can express it, else a copy.
//
//go:noinline
func (a *Array[T]) Ravel() *Array[T] { return (*Array[T])(ravelOf(ref(a))) }

// Transpose returns a view with the axes in the given order; by default the order is reversed.
//
//go:noinline
func (a *Array[T]) Transpose(axes ...int) *Array[T] { return (*Array[T])(transposeOf(ref(a), axes)) }

func (a *node) transpose(axes []int) *node {
	const op = "Transpose"
	rank := a.check(op).lay.rank()
	if len(axes) == 0 {
		for i := rank - 1; i >= 0; i-- {
			axes = append(axes, i)
		}
	}
	if len(axes) != rank {
		fail(op, "%d axes are given for the array's %d", len(axes), rank)
	}
	axesOf(op, axes, rank) // each once
	var room numbersOfAxes
	shape, strides := room.of(rank)
	for i, axis := range axes {
		axis = axisOf(op, axis, rank)
		axes[i], shape[i], strides[i] = axis, a.lay.shape[axis], a.lay.strides[axis]
	}
	out := a.eachPart(op, slices.Index(axes, a.splitAxis()), func(_ int, p *node) *node { return p.transpose(slices.Clone(axes)) })
	if out == nil {
		out = a.viewAs(shape, strides, 0)
	}
	if traced(a) {
		back := inverse(axes)
		out.derive(nil, []*node{a}, func(g *node) *node { return g.transpose(back) })
	}
	return out
}

// T returns a view with the axes in reverse order.
//
//go:noinline
func (a *Array[T]) T() *Array[T] { return (*Array[T])(transposeOf(ref(a), nil)) }

// SwapAxes returns a view with two axes exchanged.
//
//go:noinline
func (a *Array[T]) SwapAxes(i, j int) *Array[T] { return (*Array[T])(swapAxesOf(ref(a), i, j)) }

func (a *node) swapAxes(i, j int) *node {
	order := a.order("SwapAxes")
	i, j = axisOf("SwapAxes", i, len(order)), axisOf("SwapAxes", j, len(order))
	order[i], order[j] = order[j], order[i]
	return a.transpose(order)
}

// MoveAxis returns a view with an axis moved to another position.
//
//go:noinline
func (a *Array[T]) MoveAxis(from, to int) *Array[T] { return (*Array[T])(moveAxisOf(ref(a), from, to)) }

func (a *node) moveAxis(from, to int) *node {
	order := a.order("MoveAxis")
	from, to = axisOf("MoveAxis", from, len(order)), axisOf("MoveAxis", to, len(order))
	order = slices.Delete(order, from, from+1)
	return a.transpose(slices.Insert(order, to, from))
}

func (a *node) order(op string) []int { return axesOf(op, nil, a.check(op).lay.rank()) }

// ExpandDims returns a view with an axis of length 1 inserted at that position.
//
//go:noinline
func (a *Array[T]) ExpandDims(axis int) *Array[T] { return (*Array[T])(expandDimsOf(ref(a), axis)) }

func (a *node) expandDims(axis int) *node {
	const op = "ExpandDims"
	axis = axisOf(op, axis, a.check(op).lay.rank()+1)
	if s := a.shards; s != nil {
		at := s.axis
		if axis <= at {
			at++
		}
		return a.eachPart(op, at, func(_ int, p *node) *node { return p.expandDims(axis) }).deriveShape(a)
	}
	var room numbersOfAxes
	shape, strides := room.of(a.lay.rank() + 1)
	copy(shape, a.lay.shape[:axis])
	copy(strides, a.lay.strides[:axis])
	shape[axis] = 1
	copy(shape[axis+1:], a.lay.shape[axis:])
	copy(strides[axis+1:], a.lay.strides[axis:])
	return a.viewAs(shape, strides, 0).deriveShape(a)
}

// Squeeze returns a view without the given axes, which must have length 1; by default without all axes of length 1.
//
//go:noinline
func (a *Array[T]) Squeeze(axes ...int) *Array[T] { return (*Array[T])(squeezeOf(ref(a), axes)) }

func (a *node) squeeze(axes []int) *node {
	const op = "Squeeze"
	a.check(op)
	drop := []int{}
	for _, i := range axesOf(op, axes, a.lay.rank()) {
		if n := a.lay.shape[i]; n == 1 {
			drop = append(drop, i)
		} else if len(axes) > 0 {
			fail(op, "axis %d of shape %s has length %d, not 1", i, shapeString(a.lay.shape), n)
		}
	}
	return a.without(op, drop).deriveShape(a)
}

// without returns a view without some axes, which have length 1.
func (a *node) without(op string, drop []int) *node {
	if s := a.shards; s != nil && !slices.Contains(drop, s.axis) {
		return a.eachPart(op, axisWithout(s.axis, drop), func(_ int, p *node) *node { return p.without(op, drop) })
	}
	var room numbersOfAxes
	shape, strides := room.of(a.lay.rank() - len(drop))
	at := 0
	for i, n := range a.lay.shape {
		if !slices.Contains(drop, i) {
			shape[at], strides[at] = n, a.lay.strides[i]
			at++
		}
	}
	return a.viewAs(shape, strides, 0)
}

// BroadcastTo returns a view broadcast to that shape, in which repeated elements share memory.
//
//go:noinline
func (a *Array[T]) BroadcastTo(shape ...int) *Array[T] {
	return (*Array[T])(broadcastToOf(ref(a), shape))
}

func (a *node) broadcastTo(shape []int) *node {
	const op = "BroadcastTo"
	a.check(op)
	common, ok := broadcastShape(shape, a.lay.shape)
	if !ok || !slices.Equal(common, shape) {
		fail(op, "an array of shape %s cannot be stretched to %s", shapeString(a.lay.shape), shapeString(shape))
	}
	contiguous(op, common) // is checked
	var out *node
	if p := placingOf(common, a); p != nil {
		out = a.eachPart(op, p.axis, func(i int, n *node) *node { return n.broadcastTo(p.part(i)) })
	} else {
		out = a.viewWith(strided(common, a.lay.broadcastStrides(common, nil)), 0)
	}
	if traced(a) {
		out.derive(nil, []*node{a}, func(g *node) *node { return g.shrinkTo(a) })
	}
	return out
}

// Flip returns a view with the order of elements reversed along the given axes, by default all.
//
//go:noinline
func (a *Array[T]) Flip(axes ...int) *Array[T] { return (*Array[T])(flipOf(ref(a), axes)) }

func (a *node) flip(axes []int) *node {
	const op = "Flip"
	strides, off := a.Strides(), 0
	list := axesOf(op, axes, a.check(op).lay.rank())
	if a.shards != nil && !slices.Contains(list, a.shards.axis) {
		return a.eachPart(op, a.shards.axis, func(_ int, p *node) *node { return p.flip(list) }).deriveChoice(a, func(n *node) *node { return n.flip(axes) })
	}
	for _, i := range list {
		off += strides[i] * max(a.lay.shape[i]-1, 0)
		strides[i] = -strides[i]
	}
	return a.viewWith(strided(a.lay.shape, strides), off).deriveChoice(a, func(n *node) *node { return n.flip(axes) })
}

// Diagonal returns a view of the diagonal of the last two axes: the elements whose index in the last axis is k larger than that in the
// one before.
//
//go:noinline
func (a *Array[T]) Diagonal(k int) *Array[T] { return (*Array[T])(diagonalOf(ref(a), k)) }

func (a *node) diagonal(k int) *node {
	const op = "Diagonal"
	rank := a.check(op).lay.rank()
	if rank < 2 {
		fail(op, "an array of shape %s has no diagonal", shapeString(a.lay.shape))
	}
	rows, cols := a.lay.shape[rank-2], a.lay.shape[rank-1]
	down, right := a.lay.strides[rank-2], a.lay.strides[rank-1]
	n, off := min(rows, cols-k), k*right
	if k < 0 {
		n, off = min(rows+k, cols), -k*down
	}
	if n <= 0 {
		n, off = 0, 0
	}
	shape, strides := append(a.Shape()[:rank-2], n), append(a.Strides()[:rank-2], down+right)
	return a.viewWith(strided(shape, strides), off).deriveChoice(a, func(n *node) *node { return n.diagonal(k) })
}

// Assign sets the elements to those of b, which is broadcast to the array's shape, and returns the array. Views of the same memory change
// with it. Expressions that were made from it before keep the old values.
//
//go:noinline
func (a *Array[T]) Assign(b *Array[T]) *Array[T] { return (*Array[T])(assignOf(ref(a), ref(b))) }

func (a *node) assign(b *node) *node {
	const op = "Assign"
	b.check(op).withoutGradient()
	a.check(op).mustBeWritable(op)
	shape, ok := broadcastShape(a.lay.shape, b.lay.shape)
	if !ok || !slices.Equal(shape, a.lay.shape) {
		fail(op, "could not broadcast input array from shape %s into shape %s", shapeString(b.lay.shape), shapeString(a.lay.shape))
	}
	e := common(op, a, b, nil)
	if a.lay.size == 0 {
		return a
	}
	if b.shards != nil {
		b = b.whole()
	}
	// The copy is an expression that reads the present contents of b: if that is the same memory, another version of it is written.
	c := new(node)
	c.init(op, opCopy, a.dt, e, a.lay, b, nil, nil)
	e.mu.Lock()
	defer e.mu.Unlock()
	if b.lazy() && b.result() == nil && e.rowsOf(b).joined(b) {
		e.evaluate(b)
	}
	e.settle(c, nil)
	e.touch(a.mem)
	old, done := a.mem.now, false
	defer func() {
		if !done { // a kernel cannot be compiled: nothing is written
			a.mem.now = old
		}
	}()
	rest := e.ownAround(a)
	e.run(c, leaf{buf: a.mem.now.buf, dt: a.dt, off: a.off, lay: a.lay, around: rest})
	if rest != nil {
		e.copyAround(rest, a.dt.Size(), a.mem.now.buf)
	}
	done = true
	c.forget()
	e.leave(a.mem, old)
	return a
}

// Fill sets all elements to v and returns the array.
//
//go:noinline
func (a *Array[T]) Fill(v T) *Array[T] { return (*Array[T])(fillOf(ref(a), ref(&v))) }

func (a *node) fill(v number) *node {
	c := new(node)
	c.constant(a.check("Fill").dt, v)
	return a.assign(c)
}
