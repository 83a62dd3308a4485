package nd

import "slices"

// reduce folds axes of the array into an array of the others.
func reduce[R Elem](name string, f fold, n *node, axes []int) *Array[R] {
	return as[R](n.reduce(name, f, DTypeOf[R](), axes))
}

func (n *node) reduce(name string, f fold, dt DType, axes []int) *node {
	n.check(name)
	axes = axesOf(name, axes, n.lay.rank())
	var shape []int
	for i, length := range n.lay.shape {
		if !slices.Contains(axes, i) {
			shape = append(shape, length)
		}
	}
	e := common(name, n, nil, nil)
	lay := contiguous(name, shape)
	folds := 1
	for _, a := range axes {
		folds *= n.lay.shape[a]
	}
	if folds == 0 && lay.size > 0 && (f == foldMin || f == foldMax || f.arg()) {
		fail(name, "an array of shape %s has nothing along the axes %v, of which there could be a result", shapeString(n.lay.shape), axes)
	}
	out := newNode(e, dt, lay)
	if lay.size > 0 {
		e.reduceTo(f, n, axes, out)
	}
	return out
}

// Sum is the sum along those axes, or of all elements. Floats are summed up in float64, complex
// numbers in complex128, whatever their type; integers wrap around.
func (a *Array[T]) Sum(axes ...int) *Array[T] { return as[T](a.core().fold("Sum", foldSum, axes)) }

// fold is a reduction to the array's own type.
func (n *node) fold(name string, f fold, axes []int) *node {
	return n.reduce(name, f, n.check(name).dt, axes)
}

// SumAs is Sum with a result of another type: nd.SumAs[int64](small), nd.SumAs[int](a.Less(b)).
func SumAs[R Elem](o Operand, axes ...int) *Array[R] {
	return reduce[R]("Sum", foldSum, o.core(), axes)
}

// Prod is the product along those axes, or of all elements, computed as Sum is.
func (a *Array[T]) Prod(axes ...int) *Array[T] { return as[T](a.core().fold("Prod", foldProd, axes)) }

// Min is the least value along those axes, or of all elements; NaN if there is one. Of zeros of both signs it may be either.
func (a *Array[T]) Min(axes ...int) *Array[T] { return as[T](a.core().fold("Min", foldMin, axes)) }

// Max is the greatest value, as Min is the least.
func (a *Array[T]) Max(axes ...int) *Array[T] { return as[T](a.core().fold("Max", foldMax, axes)) }

// Any says whether there is an element other than 0 along those axes, or at all.
func (a *Array[T]) Any(axes ...int) *Array[bool] {
	return as[bool](a.core().reduce("Any", foldAny, Bool, axes))
}

// All says whether no element is 0 along those axes, or at all.
func (a *Array[T]) All(axes ...int) *Array[bool] {
	return as[bool](a.core().reduce("All", foldAll, Bool, axes))
}

// CountNonzero is the number of elements other than 0 along those axes, or of all. It is no method, and neither are Argmin and Argmax: cells
// that mention an array would compile those of Array[int64], too.
func CountNonzero[T Elem](a *Array[T], axes ...int) *Array[int64] {
	return as[int64](a.core().countNonzero(axes))
}

func (n *node) countNonzero(axes []int) *node {
	const name = "CountNonzero"
	return n.unary(name, opCast, Bool).reduce(name, foldSum, Int64, axes)
}

// Argmin is the place of the first least value along an axis, or, without one, among all elements
// in the order of C. A NaN counts as less than all.
func Argmin[T Elem](a *Array[T], axis ...int) *Array[int64] {
	return as[int64](a.core().arg("Argmin", foldArgmin, axis))
}

// Argmax is the place of the first greatest value, as Argmin is of the least.
func Argmax[T Elem](a *Array[T], axis ...int) *Array[int64] {
	return as[int64](a.core().arg("Argmax", foldArgmax, axis))
}

func (n *node) arg(name string, f fold, axis []int) *node {
	if len(axis) > 1 {
		fail(name, "%d axes are given, want one or none", len(axis))
	}
	return n.reduce(name, f, Int64, axis)
}

// Mean is the arithmetic mean along those axes, or of all elements, computed in float64. Integers
// have AsType.
func Mean[T Float | Complex](a *Array[T], axes ...int) *Array[T] {
	return reduce[T]("Mean", foldMean, a.core(), axes)
}

// Var is the variance along those axes, or of all elements: the mean of the squared distances from
// the mean, computed in float64 in two passes.
func Var[T Float](a *Array[T], axes ...int) *Array[T] { return VarOf(a, 0, axes...) }

// VarOf is Var of a sample: the sum of squares is divided by the number of elements less ddof.
func VarOf[T Float](a *Array[T], ddof int, axes ...int) *Array[T] {
	return AsType[T](variance("Var", a, ddof, axes))
}

// Std is the standard deviation: the root of Var.
func Std[T Float](a *Array[T], axes ...int) *Array[T] { return StdOf(a, 0, axes...) }

// StdOf is the root of VarOf.
func StdOf[T Float](a *Array[T], ddof int, axes ...int) *Array[T] {
	return AsType[T](Sqrt(variance("Std", a, ddof, axes)))
}

func variance[T Float](name string, a *Array[T], ddof int, axes []int) *Array[float64] {
	n := a.check(name)
	list := axesOf(name, axes, n.lay.rank())
	mean := reduce[float64](name, foldMean, n, axes)
	count := 1
	for _, axis := range list {
		mean = mean.ExpandDims(axis)
		count *= n.lay.shape[axis]
	}
	squares := AsType[float64](a).Sub(mean).Square()
	if ddof == 0 {
		return reduce[float64](name, foldMean, squares.core(), axes)
	}
	return reduce[float64](name, foldSum, squares.core(), axes).DivScalar(float64(max(count-ddof, 0)))
}

// Norm is the root of the sum of squares along those axes, or of all elements.
func Norm[T Float](a *Array[T], axes ...int) *Array[T] {
	squares := AsType[float64](a).Square()
	return AsType[T](Sqrt(reduce[float64]("Norm", foldSum, squares.core(), axes)))
}
