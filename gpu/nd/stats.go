package nd

import "slices"

// reduce folds axes of the array into an array of the others.
func reduce[R Elem](name string, f fold, n *node, axes []int) *Array[R] {
	return as[R](n.reduce(name, f, DTypeOf[R](), axes))
}

func (n *node) reduce(name string, f fold, dt DType, axes []int) *node {
	return n.reduceFrom(name, f, dt, axes, nil)
}

// reduceFrom is reduce with a constant that is joined with each result.
func (n *node) reduceFrom(name string, f fold, dt DType, axes []int, initial *node) *node {
	n.check(name)
	axes = axesOf(name, axes, n.lay.rank())
	shape := make([]int, 0, fewAxes)
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
	if out := n.reduceParts(name, f, dt, axes, initial); out != nil {
		return out.deriveReduction(name, f, n, axes)
	}
	if initial == nil && n.shards == nil && e.waitsWith(f, n, axes) {
		return e.putOff(name, opFold, f, n, dt, lay).deriveReduction(name, f, n, axes)
	}
	out := newNode(e, dt, lay)
	if lay.size > 0 {
		e.reduceTo(f, n.collected(), axes, initial, out)
	}
	return out.deriveReduction(name, f, n, axes)
}

// Sum returns the sum over the given axes, or of all elements if none is given. Floats of any precision are accumulated in float64,
// complex numbers in complex128; integers wrap around.
//
//go:noinline
func (a *Array[T]) Sum(axes ...int) *Array[T] { return (*Array[T])(foldOf(foldSum, ref(a), axes)) }

// fold returns a reduction to the array's own dtype.
func (n *node) fold(name string, f fold, axes []int) *node {
	return n.reduce(name, f, n.check(name).dt, axes)
}

// SumAs returns Sum with a result of another dtype: nd.SumAs[int64](small), nd.SumAs[int](a.Less(b)).
func SumAs[R Elem](o Operand, axes ...int) *Array[R] {
	return reduce[R]("Sum", foldSum, nodeIn(o), axes)
}

// Prod returns the product over the given axes, or of all elements if none is given, accumulated as by Sum.
//
//go:noinline
func (a *Array[T]) Prod(axes ...int) *Array[T] { return (*Array[T])(foldOf(foldProd, ref(a), axes)) }

// Min returns the minimum over the given axes, or of all elements if none is given; NaN if there is one. Of zeros of both signs it may be
// either.
//
//go:noinline
func (a *Array[T]) Min(axes ...int) *Array[T] { return (*Array[T])(foldOf(foldMin, ref(a), axes)) }

// Max returns the maximum over the given axes, or of all elements if none is given; NaN if there is one. Of zeros of both signs it may be
// either.
//
//go:noinline
func (a *Array[T]) Max(axes ...int) *Array[T] { return (*Array[T])(foldOf(foldMax, ref(a), axes)) }

// Any reports whether any element along the given axes, or of the whole array if none is given, is nonzero.
//
//go:noinline
func (a *Array[T]) Any(axes ...int) *Array[bool] {
	return (*Array[bool])(foldBoolOf(foldAny, ref(a), axes))
}

// All reports whether all elements along the given axes, or of the whole array if none is given, are nonzero.
//
//go:noinline
func (a *Array[T]) All(axes ...int) *Array[bool] {
	return (*Array[bool])(foldBoolOf(foldAll, ref(a), axes))
}

// CountNonzero returns the number of nonzero elements along the given axes, or of all elements if none is given. It is no method, and
// neither are Argmin and Argmax: cells that mention an array would compile those of Array[int64], too.
func CountNonzero[T Elem](a *Array[T], axes ...int) *Array[int64] {
	return as[int64](nodeOf(a).countNonzero(axes))
}

func (n *node) countNonzero(axes []int) *node {
	const name = "CountNonzero"
	return n.unary(name, opCast, Bool).reduce(name, foldSum, Int64, axes)
}

// Argmin returns the index of the first minimum along an axis or, without one, of all elements in row-major order. A NaN counts as less
// than all numbers.
func Argmin[T Elem](a *Array[T], axis ...int) *Array[int64] {
	return as[int64](nodeOf(a).arg("Argmin", foldArgmin, axis))
}

// Argmax returns the index of the first maximum, with arguments as for Argmin. A NaN counts as greater than all numbers.
func Argmax[T Elem](a *Array[T], axis ...int) *Array[int64] {
	return as[int64](nodeOf(a).arg("Argmax", foldArgmax, axis))
}

func (n *node) arg(name string, f fold, axis []int) *node {
	if len(axis) > 1 {
		fail(name, "%d axes are given, want one or none", len(axis))
	}
	return n.reduce(name, f, Int64, axis)
}

// Mean returns the arithmetic mean over the given axes, or of all elements if none is given, computed in float64. Integers are converted
// with AsType.
func Mean[T Float | Complex](a *Array[T], axes ...int) *Array[T] {
	return reduce[T]("Mean", foldMean, nodeOf(a), axes)
}

// Var returns the variance over the given axes, or of all elements if none is given: the mean of the squared deviations from the mean,
// computed in float64 in two passes.
func Var[T Float](a *Array[T], axes ...int) *Array[T] { return VarOf(a, 0, axes...) }

// VarOf returns Var with ddof delta degrees of freedom: the sum of squares is divided by the number of elements minus ddof.
func VarOf[T Float](a *Array[T], ddof int, axes ...int) *Array[T] {
	return AsType[T](variance("Var", a, ddof, axes))
}

// Std returns the standard deviation: the square root of Var.
func Std[T Float](a *Array[T], axes ...int) *Array[T] { return StdOf(a, 0, axes...) }

// StdOf returns the square root of VarOf.
func StdOf[T Float](a *Array[T], ddof int, axes ...int) *Array[T] {
	return AsType[T](Sqrt(variance("Std", a, ddof, axes)))
}

func variance[T Float](name string, a *Array[T], ddof int, axes []int) *Array[float64] {
	n := nodeOf(a).check(name)
	list := axesOf(name, axes, n.lay.rank())
	mean := reduce[float64](name, foldMean, n, axes)
	count := 1
	for _, axis := range list {
		mean = mean.ExpandDims(axis)
		count *= n.lay.shape[axis]
	}
	squares := AsType[float64](a).Sub(mean).Square()
	if ddof == 0 {
		return reduce[float64](name, foldMean, nodeOf(squares), axes)
	}
	return reduce[float64](name, foldSum, nodeOf(squares), axes).DivScalar(float64(max(count-ddof, 0)))
}

// Norm returns the square root of the sum of squares over the given axes, or of all elements if none is given.
func Norm[T Float](a *Array[T], axes ...int) *Array[T] {
	squares := AsType[float64](a).Square()
	return AsType[T](Sqrt(reduce[float64]("Norm", foldSum, nodeOf(squares), axes)))
}
