package nd

import (
	"math"
	"math/cmplx"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// Tril returns the lower triangle of the matrices in the last two axes: the elements on and below diagonal k, and zeros above.
func Tril[T Number](a *Array[T], k int) *Array[T] { return triangle("Tril", a, k, true) }

// Triu returns the upper triangle of the matrices in the last two axes: the elements on and above diagonal k, and zeros below.
func Triu[T Number](a *Array[T], k int) *Array[T] { return triangle("Triu", a, k, false) }

func triangle[T Number](op string, a *Array[T], k int, lower bool) *Array[T] {
	_, rows, cols := nodeOf(a).check(op).matrixShape(op)
	row := Arange(int64(rows)).Reshape(rows, 1).AddScalar(int64(k))
	col := Arange(int64(cols))
	var zero T
	if lower {
		return Where(row.GreaterEqual(col), a, Scalar(zero))
	}
	return Where(row.LessEqual(col), a, Scalar(zero))
}

const singular = "the matrix is singular: there is no one solution; Lstsq finds the shortest of those that come closest"

// Solve returns the solution x of a @ x = b: a has shape (…, n, n), and b (n,) or (…, n, k). The leading axes are broadcast. It waits for
// the device, since a singular matrix is an error.
func Solve[T Inexact](a, b *Array[T]) *Array[T] {
	const op = "Solve"
	nodeOf(a).check(op)
	nodeOf(b).check(op)
	if nodeOf(b).lay.rank() == 1 {
		return Solve(a, b.ExpandDims(1)).Squeeze(-1)
	}
	batch, n, k := systems(op, nodeOf(a), nodeOf(b))
	e := common(op, nodeOf(a), nodeOf(b), nil)
	x := byColumns(b.BroadcastTo(append(slices.Clone(batch), n, k)...))
	f := factorLU(op, copyOf(a.BroadcastTo(append(slices.Clone(batch), n, n)...)), n, n)
	if nodeOf(x).lay.size > 0 {
		info := infos(op, e, batch)
		// In column-major order the memory is the transposed matrix.
		e.call(&routine.Getrs{
			Type: libraryTypes[nodeOf(a).dt], Trans: routine.Transposed, N: n, NRHS: k, A: nodeOf(f.lu).stack(n, n), Pivots: nodeOf(f.pivots).vectors(n),
			B: nodeOf(x).stack(n, k), Info: nodeOf(info).address(), Count: nodeOf(info).lay.size,
		}, nodeOf(f.lu), nodeOf(f.pivots), nodeOf(x), nodeOf(info))
		solved(op, singular, f.info)
	}
	return x.SwapAxes(-1, -2)
}

// systems returns the shape of systems of linear equations: that of the leading axes, the number of unknowns, and the number of
// right-hand sides.
func systems(op string, a, b *node) (batch []int, n, k int) {
	batchA, n := a.square(op)
	batchB, rows, k := b.matrixShape(op)
	batch, ok := broadcastShape(batchA, batchB)
	if !ok || rows != n {
		fail(op, "shapes %s and %s not aligned: b must have %d rows, and the axes in front must fit", shapeString(a.lay.shape), shapeString(b.lay.shape), n)
	}
	return batch, n, k
}

// SolveTriangular returns the solution of Solve for triangular matrices: of a only the part on and below the diagonal is read if lower is
// set, else the part on and above it. If unit is set, the diagonal counts as ones; otherwise it waits for the device, since a 0 there is
// an error.
func SolveTriangular[T Inexact](a, b *Array[T], lower, unit bool) *Array[T] {
	const op = "SolveTriangular"
	nodeOf(a).check(op)
	nodeOf(b).check(op)
	if nodeOf(b).lay.rank() == 1 {
		return SolveTriangular(a, b.ExpandDims(1), lower, unit).Squeeze(-1)
	}
	batch, n, k := systems(op, nodeOf(a), nodeOf(b))
	e := common(op, nodeOf(a), nodeOf(b), nil)
	if !unit {
		if zeros := SumAs[int64](a.Diagonal(0).EqualScalar(*new(T))).Item(); zeros > 0 {
			fail(op, "the matrix is singular: there is a 0 on its diagonal")
		}
	}
	x := byColumns(b.BroadcastTo(append(slices.Clone(batch), n, k)...))
	if nodeOf(x).lay.size > 0 {
		// In column-major order the memory is the transposed matrix.
		f := packed(a.BroadcastTo(append(slices.Clone(batch), n, n)...))
		half := routine.Lower
		if lower {
			half = routine.Upper
		}
		e.call(&routine.Trsm{
			Type: libraryTypes[nodeOf(a).dt], Side: routine.Left, Half: half, Trans: routine.Transposed, Unit: unit, M: n, N: k, Alpha: 1,
			A: nodeOf(f).stack(n, n), B: nodeOf(x).stack(n, k), Count: product(batch),
		}, nodeOf(f), nodeOf(x))
	}
	return x.SwapAxes(-1, -2)
}

// factors are the LU factors of matrices, in column-major order.
type factors[T Inexact] struct {
	lu           *Array[T]
	pivots, info *Array[int32]
}

// factorLU replaces the contents of lu, matrices of that many rows and columns in column-major order, by their factors.
func factorLU[T Inexact](op string, lu *Array[T], rows, cols int) factors[T] {
	batch, _, _ := nodeOf(lu).matrixShape(op)
	k := min(rows, cols)
	f := factors[T]{
		lu: lu, pivots: newArray[int32](nodeOf(lu).eng, contiguous(op, append(slices.Clone(batch), k))),
		info: Zeros[int32](batch...),
	}
	if nodeOf(lu).lay.size > 0 {
		nodeOf(lu).eng.call(&routine.Getrf{
			Type: libraryTypes[nodeOf(lu).dt], M: rows, N: cols, A: nodeOf(lu).stack(rows, cols), Pivots: nodeOf(f.pivots).vectors(k),
			Info: nodeOf(f.info).address(), Count: nodeOf(f.info).lay.size,
		}, nodeOf(lu), nodeOf(f.pivots), nodeOf(f.info))
	}
	return f
}

// Inv returns the inverse of square matrices. It waits for the device, since a singular matrix is an error.
func Inv[T Inexact](a *Array[T]) *Array[T] {
	const op = "Inv"
	batch, n := nodeOf(a).check(op).square(op)
	f := factorLU(op, copyOf(a), n, n)
	// The inverse of the transposed matrix is the transposed inverse.
	out := copyOf(Eye[T](n).BroadcastTo(append(slices.Clone(batch), n, n)...))
	if nodeOf(out).lay.size > 0 {
		info := infos(op, nodeOf(out).eng, batch)
		nodeOf(out).eng.call(&routine.Getrs{
			Type: libraryTypes[nodeOf(a).dt], N: n, NRHS: n, A: nodeOf(f.lu).stack(n, n), Pivots: nodeOf(f.pivots).vectors(n),
			B: nodeOf(out).stack(n, n), Info: nodeOf(info).address(), Count: nodeOf(info).lay.size,
		}, nodeOf(f.lu), nodeOf(f.pivots), nodeOf(out), nodeOf(info))
		solved(op, "the matrix is singular: it has no inverse; Pinv is what comes closest", f.info)
	}
	return out
}

// LU returns the LU decomposition of matrices of shape (…, m, n): a[p] = l @ u, where p is the permutation of rows, l is lower triangular
// with ones on its diagonal, and u is upper triangular. It waits for the device.
func LU[T Inexact](a *Array[T]) (p *Array[int64], l, u *Array[T]) {
	const op = "LU"
	batch, rows, cols := nodeOf(a).check(op).matrixShape(op)
	k := min(rows, cols)
	f := factorLU(op, byColumns(a), rows, cols)
	both := f.lu.SwapAxes(-1, -2)
	l = Tril(both.Slice(Rest, To(k)), -1).Add(Eye[T](rows, k)).Eval()
	u = Triu(both.Slice(Rest, To(k), All), 0).Eval()
	pivots := f.pivots.ToHost()
	order := make([]int64, product(batch)*rows)
	for i := range product(batch) {
		rowsOf := order[i*rows:][:rows]
		for j := range rowsOf {
			rowsOf[j] = int64(j)
		}
		for j, other := range pivots[i*k:][:k] {
			rowsOf[j], rowsOf[other-1] = rowsOf[other-1], rowsOf[j]
		}
	}
	return FromSlice(order, append(slices.Clone(batch), rows)...), l, u
}

// Det returns the determinant of square matrices. It waits for the device.
func Det[T Inexact](a *Array[T]) *Array[T] {
	sign, log := determinants("Det", a)
	list := make([]T, len(sign))
	for i, s := range sign {
		list[i] = narrow[T](s * complex(math.Exp(log[i]), 0))
	}
	return FromSlice(list, len(list)).Reshape(nodeOf(a).lay.shape[:nodeOf(a).lay.rank()-2]...)
}

// Slogdet returns the sign of the determinant of square matrices, which for complex ones is a number of absolute value 1, and the natural
// logarithm of its absolute value: 0 and -Inf if the determinant is 0. It waits for the device.
func Slogdet[T Inexact](a *Array[T]) (sign *Array[T], log *Array[float64]) {
	signs, logs := determinants("Slogdet", a)
	list := make([]T, len(signs))
	for i, s := range signs {
		list[i] = narrow[T](s)
	}
	shape := nodeOf(a).lay.shape[:nodeOf(a).lay.rank()-2]
	return FromSlice(list, len(list)).Reshape(shape...), FromSlice(logs, len(logs)).Reshape(shape...)
}

func determinants[T Inexact](op string, a *Array[T]) (sign []complex128, log []float64) {
	batch, n := nodeOf(a).check(op).square(op)
	f := factorLU(op, copyOf(a), n, n)
	pivots := f.pivots.ToHost()
	diagonals := f.lu.Diagonal(0).ToHost()
	for i := range product(batch) {
		s, sum := complex(1, 0), 0.0
		for j := range n {
			v := widen(diagonals[i*n+j])
			size := cmplx.Abs(v)
			sum += math.Log(size)
			if size == 0 {
				s = 0
			} else {
				s *= v / complex(size, 0)
			}
			if int(pivots[i*n+j]) != j+1 {
				s = -s
			}
		}
		sign, log = append(sign, s), append(log, sum)
	}
	return sign, log
}

// widen returns a number as a complex one.
func widen[T Inexact](v T) complex128 {
	switch v := any(v).(type) {
	case float32:
		return complex(float64(v), 0)
	case float64:
		return complex(v, 0)
	case complex64:
		return complex128(v)
	}
	return any(v).(complex128)
}

// narrow is the inverse of widen.
func narrow[T Inexact](v complex128) (out T) {
	switch p := any(&out).(type) {
	case *float32:
		*p = float32(real(v))
	case *float64:
		*p = real(v)
	case *complex64:
		*p = complex64(v)
	case *complex128:
		*p = v
	}
	return out
}

// MatrixPower returns square matrices raised to the power n; a negative n raises their inverses to the power -n.
func MatrixPower[T Inexact](a *Array[T], n int) *Array[T] {
	const op = "MatrixPower"
	batch, order := nodeOf(a).check(op).square(op)
	if n < 0 {
		a, n = Inv(a), -n
	}
	out := Eye[T](order).BroadcastTo(append(slices.Clone(batch), order, order)...)
	for square := a; n > 0; n >>= 1 {
		if n&1 == 1 {
			out = MatMul(out, square)
		}
		if n > 1 {
			square = MatMul(square, square)
		}
	}
	return out
}
