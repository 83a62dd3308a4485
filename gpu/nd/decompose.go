package nd

import (
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// adjoint returns the transposed matrices, conjugated if they are complex.
func adjoint[T Inexact](a *Array[T]) *Array[T] {
	a = a.SwapAxes(-1, -2)
	if nodeOf(a).dt.is(kindComplex) {
		return as[T](nodeOf(a).own("Conj", opConj))
	}
	return a
}

// QR returns the QR decomposition of matrices of shape (…, m, n): a = q @ r, where q has min(m, n) orthonormal columns and r is upper
// triangular.
func QR[T Inexact](a *Array[T]) (q, r *Array[T]) {
	const op = "QR"
	batch, rows, cols := nodeOf(a).check(op).matrixShape(op)
	k := min(rows, cols)
	f := byColumns(a)
	if nodeOf(f).lay.size == 0 {
		return Zeros[T](append(slices.Clone(batch), rows, k)...), Zeros[T](append(slices.Clone(batch), k, cols)...)
	}
	e := nodeOf(f).eng
	tau := newArray[T](e, contiguous(op, append(slices.Clone(batch), k)))
	info := infos(op, e, batch)
	e.call(&routine.Geqrf{
		Type: libraryTypes[nodeOf(a).dt], M: rows, N: cols, A: nodeOf(f).stack(rows, cols), Tau: nodeOf(tau).vectors(k), Info: nodeOf(info).address(), Count: nodeOf(info).lay.size,
	}, nodeOf(f), nodeOf(tau), nodeOf(info))
	both := f.SwapAxes(-1, -2)
	r = Triu(both.Slice(Rest, To(k), All), 0).Eval() // before Orgqr overwrites it with Q
	e.call(&routine.Orgqr{
		Type: libraryTypes[nodeOf(a).dt], M: rows, N: k, K: k, A: nodeOf(f).stack(rows, cols), Tau: nodeOf(tau).vectors(k), Info: nodeOf(info).address(), Count: nodeOf(info).lay.size,
	}, nodeOf(f), nodeOf(tau), nodeOf(info))
	return both.Slice(Rest, To(k)), r
}

// Cholesky returns the lower triangular l for which l @ lᴴ is a, of positive definite matrices, of which only the part on and below the
// diagonal is read. It waits for the device, since other matrices are an error.
func Cholesky[T Inexact](a *Array[T]) *Array[T] {
	const op = "Cholesky"
	batch, n := nodeOf(a).check(op).square(op)
	f := copyOf(a)
	if nodeOf(f).lay.size == 0 {
		return f
	}
	info := infos(op, nodeOf(f).eng, batch)
	// The lower half in row-major order is the upper one in column-major order.
	nodeOf(f).eng.call(&routine.Potrf{
		Type: libraryTypes[nodeOf(a).dt], Half: routine.Upper, N: n, A: nodeOf(f).stack(n, n), Info: nodeOf(info).address(), Count: nodeOf(info).lay.size,
	}, nodeOf(f), nodeOf(info))
	solved(op, "the matrix is not positive definite", info)
	return Tril(f, 0).Eval()
}

// SVD returns the singular value decomposition of matrices of shape (…, m, n): a = u @ diag(s) @ vh, that is, u.Mul(s.ExpandDims(-2)) @
// vh. The k = min(m, n) singular values in s, of shape (…, k), are in descending order; u (…, m, k) has orthonormal columns and vh (…, k,
// n) orthonormal rows. The values have the dtype of a; for complex matrices their imaginary parts are 0. It waits for the device.
func SVD[T Inexact](a *Array[T]) (u, s, vh *Array[T]) { return svd("SVD", a, routine.Thin) }

// SVDFull returns the SVD with square matrices: u (…, m, m) and vh (…, n, n).
func SVDFull[T Inexact](a *Array[T]) (u, s, vh *Array[T]) { return svd("SVDFull", a, routine.Full) }

// SingularValues returns the singular values, the s of SVD.
func SingularValues[T Inexact](a *Array[T]) *Array[T] {
	_, s, _ := svd("SingularValues", a, routine.ValuesOnly)
	return s
}

func svd[T Inexact](op string, a *Array[T], job routine.Job) (u, s, vh *Array[T]) {
	batch, rows, cols := nodeOf(a).check(op).matrixShape(op)
	if rows == 0 || cols == 0 {
		fail(op, "a matrix of shape %s has no singular values", shapeString(nodeOf(a).lay.shape))
	}
	// The memory of a wide matrix is, in column-major order, its transpose, and that is factored.
	wide := rows < cols
	c := &routine.Gesvd{Type: libraryTypes[nodeOf(a).dt], Job: job, M: max(rows, cols), N: min(rows, cols)}
	x := a
	if !wide {
		x = a.SwapAxes(-1, -2)
	}
	x = copyOf(x)
	e := nodeOf(x).eng
	of := func(lens ...int) []int { return append(slices.Clone(batch), lens...) }
	left, right := newArray[T](e, contiguous(op, of(c.ColumnsU(), c.M))), newArray[T](e, contiguous(op, of(c.N, c.N)))
	info := infos(op, e, batch)
	c.Count = nodeOf(info).lay.size
	values := realArray(op, e, nodeOf(a).dt, of(c.N))
	if c.Count > 0 {
		c.A, c.U, c.VT = nodeOf(x).stack(c.M, c.N), nodeOf(left).stack(c.M, c.ColumnsU()), nodeOf(right).stack(c.N, c.N)
		c.S, c.Info = values.vectors(c.N), nodeOf(info).address()
		e.call(c, nodeOf(x), nodeOf(left), nodeOf(right), values, nodeOf(info))
		solved(op, "the computation of singular values did not converge", info)
	}
	s = typed[T](op, values)
	if wide {
		return right, s, left
	}
	return left.SwapAxes(-1, -2), s, right.SwapAxes(-1, -2)
}

// realArray returns memory for real numbers of the precision of a dtype.
func realArray(op string, e *engine, dt DType, shape []int) *node {
	if dt.is(kindComplex) {
		dt = dt.realPart()
	}
	n := new(node)
	n.leaf(e, dt, contiguous(op, shape))
	return n
}

// Eigh returns the eigenvalues w of symmetric or Hermitian matrices, in ascending order and of shape (…, n), and the eigenvectors, which
// are the columns of v: a @ v = v · w. Only the part of a on and below the diagonal is read. The values have the dtype of a; for complex
// matrices their imaginary parts are 0. It waits for the device.
func Eigh[T Inexact](a *Array[T]) (w, v *Array[T]) { return eigen("Eigh", a, true) }

// Eigvalsh returns the eigenvalues, the w of Eigh.
func Eigvalsh[T Inexact](a *Array[T]) *Array[T] {
	w, _ := eigen("Eigvalsh", a, false)
	return w
}

func eigen[T Inexact](op string, a *Array[T], vectors bool) (w, v *Array[T]) {
	batch, n := nodeOf(a).check(op).square(op)
	x := byColumns(a)
	values := realArray(op, nodeOf(x).eng, nodeOf(a).dt, append(slices.Clone(batch), n))
	if nodeOf(x).lay.size > 0 {
		info := infos(op, nodeOf(x).eng, batch)
		nodeOf(x).eng.call(&routine.Syevd{
			Type: libraryTypes[nodeOf(a).dt], Vectors: vectors, Half: routine.Lower, N: n, A: nodeOf(x).stack(n, n), W: values.vectors(n),
			Info: nodeOf(info).address(), Count: nodeOf(info).lay.size,
		}, nodeOf(x), values, nodeOf(info))
		solved(op, "the computation of eigenvalues did not converge", info)
	}
	return typed[T](op, values), x.SwapAxes(-1, -2)
}

// Pinv returns the Moore-Penrose pseudo-inverse: singular values up to rcond times the largest count as 0. It waits for the device.
func Pinv[T Inexact](a *Array[T], rcond float64) *Array[T] {
	u, s, vh := SVD(a)
	return MatMul(adjoint(vh), inverted(s, rcond).ExpandDims(-1).Mul(adjoint(u)))
}

// inverted returns 1/s, and 0 for values up to rcond times the first.
func inverted[T Inexact](s *Array[T], rcond float64) *Array[T] {
	limit := s.Slice(Rest, To(1)).MulScalar(narrow[T](complex(rcond, 0)))
	var zero T
	return Where(s.Greater(limit), Reciprocal(s), Scalar(zero))
}

// Lstsq returns the least-squares solution x of a @ x = b, the one of smallest norm if there are several: a has shape (…, m, n), and b
// (m,) or (…, m, k). Singular values up to rcond times the largest count as 0. It waits for the device.
func Lstsq[T Inexact](a, b *Array[T], rcond float64) *Array[T] {
	return MatMul(Pinv(a, rcond), b)
}

// MatrixRank returns the number of singular values above rcond times the largest. It waits for the device.
func MatrixRank[T Inexact](a *Array[T], rcond float64) *Array[int64] {
	s := SingularValues(a)
	return SumAs[int64](s.Greater(s.Slice(Rest, To(1)).MulScalar(narrow[T](complex(rcond, 0)))), -1)
}

// Cond returns the condition number, the largest singular value divided by the smallest. It waits for the device.
func Cond[T Inexact](a *Array[T]) *Array[T] {
	s := SingularValues(a)
	return s.Slice(Rest, At(0)).Div(s.Slice(Rest, At(-1)))
}

// typed returns a node as an array of that dtype.
func typed[T Elem](op string, n *node) *Array[T] {
	if n.dt == DTypeOf[T]() {
		return viewOf[T](n, n.lay, 0)
	}
	return as[T](n.unary(op, opCast, DTypeOf[T]()).computed())
}
