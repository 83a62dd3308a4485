package nd

import "math"

// VectorNorm returns the norm of order p over the given axes, by default of all elements: the p-th root of the sum of |x|ᵖ, the largest
// absolute value for +Inf, the smallest for -Inf, and the number of nonzero elements for 0. Norm is the one of order 2.
func VectorNorm[T float32 | float64](a *Array[T], p float64, axes ...int) *Array[T] {
	const op = "VectorNorm"
	nodeOf(a).check(op)
	switch {
	case math.IsNaN(p):
		fail(op, "the order is NaN")
	case p == 2:
		return Norm(a, axes...)
	case p == 1:
		return Abs(a).Sum(axes...)
	case p == 0:
		return AsType[T](CountNonzero(a, axes...))
	case math.IsInf(p, 1):
		return Abs(a).Max(axes...)
	case math.IsInf(p, -1):
		return Abs(a).Min(axes...)
	}
	sum := SumAs[float64](AsType[float64](Abs(a)).PowScalar(p), axes...)
	return AsType[T](sum.PowScalar(1 / p))
}

// NormKind selects a matrix norm.
type NormKind int

// The matrix norms. Those of singular values wait for the device.
const (
	Frobenius NormKind = iota // the square root of the sum of squares
	Nuclear                   // the sum of the singular values
	Spectral                  // the largest singular value
	ByColumns                 // the largest sum of absolute values in a column
	ByRows                    // the largest sum of absolute values in a row
)

// MatrixNorm returns a norm of the matrices in the last two axes.
func MatrixNorm[T float32 | float64](a *Array[T], kind NormKind) *Array[T] {
	const op = "MatrixNorm"
	nodeOf(a).check(op).matrixShape(op)
	switch kind {
	case Frobenius:
		return Norm(a, -1, -2)
	case Nuclear:
		return SingularValues(a).Sum(-1)
	case Spectral:
		return SingularValues(a).Slice(Rest, At(0))
	case ByColumns:
		return Abs(a).Sum(-2).Max(-1)
	case ByRows:
		return Abs(a).Sum(-1).Max(-1)
	}
	fail(op, "there is no norm %d", kind)
	return nil
}
