package nd

import "slices"

// Map returns f of each element: an expression, which is computed in one kernel with what its operands are and what is made of it.
//
//	b := nd.Map(a, func(x float32) float32 { return x / (1 + x*x) })
//
// In a cell of a notebook f is a function literal that uses none of the variables around it, or the name of a function, and is translated
// to CUDA C++, as kernels in Go are; what a GPU cannot run is refused at its line. Products and sums round as in Go on amd64: they are not
// contracted. In other programs the functions that are passed by name are translated by "gopherwarp kernels". A function without a
// translation is called as plain Go, for elements that are copied to the host, at once.
func Map[R, A Elem](a *Array[A], f func(A) R) *Array[R] {
	const name = "Map"
	nodeOf(a).check(name)
	if g := translated(name, f); g != nil {
		return unary[R](name, g.op(), nodeOf(a))
	}
	list := a.ToHost()
	out := make([]R, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return uploaded(common(name, nodeOf(a), nil, nil), out, nodeOf(a).lay.shape)
}

// Map2 is Map for a function of two arrays, which are broadcast.
//
//	c := nd.Map2(a, b, func(x, y float32) float32 { return x*x + y })
func Map2[R, A, B Elem](a *Array[A], b *Array[B], f func(A, B) R) *Array[R] {
	const name = "Map2"
	nodeOf(a).check(name)
	nodeOf(b).check(name)
	if g := translated(name, f); g != nil {
		return binary[R](name, g.op(), DTypeOf[R](), nodeOf(a), nodeOf(b))
	}
	e := common(name, nodeOf(a), nodeOf(b), nil)
	shape := e.layouts.broadcast(name, nodeOf(a).lay, nodeOf(b).lay).shape
	x, y := a.BroadcastTo(shape...).ToHost(), b.BroadcastTo(shape...).ToHost()
	out := make([]R, len(x))
	for i := range out {
		out[i] = f(x[i], y[i])
	}
	return uploaded(e, out, shape)
}

// Map3 is Map for a function of three arrays, which are broadcast.
func Map3[R, A, B, C Elem](a *Array[A], b *Array[B], c *Array[C], f func(A, B, C) R) *Array[R] {
	const name = "Map3"
	nodeOf(a).check(name)
	nodeOf(b).check(name)
	nodeOf(c).check(name)
	if g := translated(name, f); g != nil {
		return ternary[R](name, g.op(), DTypeOf[R](), nodeOf(a), nodeOf(b), nodeOf(c))
	}
	e := common(name, nodeOf(a), nodeOf(b), nodeOf(c))
	shape := e.layouts.broadcast(name, e.layouts.broadcast(name, nodeOf(a).lay, nodeOf(b).lay), nodeOf(c).lay).shape
	x, y, z := a.BroadcastTo(shape...).ToHost(), b.BroadcastTo(shape...).ToHost(), c.BroadcastTo(shape...).ToHost()
	out := make([]R, len(x))
	for i := range out {
		out[i] = f(x[i], y[i], z[i])
	}
	return uploaded(e, out, shape)
}

// uploaded returns an array of that shape with the elements of a slice.
func uploaded[T Elem](e *engine, list []T, shape []int) *Array[T] {
	out := newArray[T](e, contiguous("Map", slices.Clone(shape)))
	nodeOf(out).upload(bytesOf(list))
	return out
}

// Reduce joins the elements along the given axes, or all elements if none is given, and initial, by f. Without elements the result is
// initial. f must be associative and commutative, since the order is undefined, and is translated as by Map. The operand is computed in
// the same kernel.
//
//	most := nd.Reduce(a, func(x, y float32) float32 { return max(x, y) }, 0)
func Reduce[T Elem](a *Array[T], f func(x, y T) T, initial T, axes ...int) *Array[T] {
	const name = "Reduce"
	nodeOf(a).check(name)
	if g := translated(name, f); g != nil {
		c := new(node)
		c.constant(DTypeOf[T](), numberOf(initial))
		return as[T](nodeOf(a).reduceFrom(name, g.fold(), DTypeOf[T](), axes, c))
	}
	fold := axesOf(name, axes, nodeOf(a).lay.rank())
	var keep, shape []int
	for i, n := range nodeOf(a).lay.shape {
		if !slices.Contains(fold, i) {
			keep, shape = append(keep, i), append(shape, n)
		}
	}
	list := a.Transpose(append(keep, fold...)...).ToHost()
	out := make([]T, product(shape))
	for i := range out {
		out[i] = initial
		for _, x := range list[i*len(list)/len(out) : (i+1)*len(list)/len(out)] {
			out[i] = f(out[i], x)
		}
	}
	return uploaded(common(name, nodeOf(a), nil, nil), out, shape)
}

// Accumulate returns an array of the same shape whose element i along an axis is the elements 0 to i joined by f; without an axis it is
// that of all elements in row-major order, as an array of one axis. f must be associative, and is translated as by Map. Cumsum is
// Accumulate with a sum.
//
//	best := nd.Accumulate(a, func(x, y float32) float32 { return max(x, y) })
func Accumulate[T Elem](a *Array[T], f func(x, y T) T, axis ...int) *Array[T] {
	const name = "Accumulate"
	nodeOf(a).check(name)
	if g := translated(name, f); g != nil {
		return scan(name, g.fold(), a, axis)
	}
	if len(axis) == 0 {
		a, axis = a.Ravel(), []int{0}
	}
	if len(axis) > 1 {
		fail(name, "%d axes are given, want one or none", len(axis))
	}
	rank := nodeOf(a).lay.rank()
	at := axisOf(name, axis[0], rank)
	last := a.MoveAxis(at, rank-1)
	list, n := last.ToHost(), nodeOf(a).lay.shape[at]
	for i := range list {
		if i%n > 0 {
			list[i] = f(list[i-1], list[i])
		}
	}
	return uploaded(common(name, nodeOf(a), nil, nil), list, nodeOf(last).lay.shape).MoveAxis(rank-1, at)
}
