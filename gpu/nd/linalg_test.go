package nd_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// small returns random integers from -4 to 4, of which sums of products are exact in all types.
func small[T nd.Number](s *suite, shape ...int) (*nd.Array[T], input) {
	list := make([]T, size(shape))
	for i := range list {
		list[i] = whole[T](s.IntN(9)-4, s.IntN(9)-4)
	}
	return given(list, shape...)
}

func size(shape []int) int {
	n := 1
	for _, length := range shape {
		n *= length
	}
	return n
}

// whole returns an integer in any type, or a complex number of two integers.
func whole[T nd.Number](re, im int) (v T) {
	switch p := any(&v).(type) {
	case *int32:
		*p = int32(re)
	case *nd.Float16:
		*p = nd.AsType[nd.Float16](nd.Scalar(re)).Item()
	case *float32:
		*p = float32(re)
	case *float64:
		*p = float64(re)
	case *complex64:
		*p = complex(float32(re), float32(im))
	case *complex128:
		*p = complex(float64(re), float64(im))
	default:
		panic("no such type here")
	}
	return v
}

// turned returns a random view of small numbers with that shape and another order in memory.
func turned[T nd.Number](s *suite, shape ...int) (*nd.Array[T], input) {
	if len(shape) == 0 {
		return small[T](s)
	}
	axes := s.Perm(len(shape))
	base := make([]int, len(shape))
	index := make([]string, len(shape))
	for i, axis := range axes {
		index[i] = ":"
		base[axis] = shape[i]
		if s.IntN(4) == 0 {
			base[axis], index[i] = 2*shape[i], []string{"::2", "::-2"}[s.IntN(2)]
		}
	}
	a, in := small[T](s, base...)
	in.Axes, in.Index = axes, strings.Join(index, ", ")
	return a.Transpose(axes...).Slice(nd.Idx(in.Index)...), in
}

func TestNumPyMatMul(t *testing.T) {
	s := newSuite(t)
	for range 60 {
		matmulCases[float64](s)
		matmulCases[float32](s)
		matmulCases[complex64](s)
	}
	for range 10 {
		matmulCases[complex128](s)
		matmulCases[int32](s)
	}
	for range 6 {
		a, x := turned[float64](s, s.shape(3)...)
		b, y := turned[float64](s, s.shape(2)...)
		expect(s, "np.kron(x0, x1)", 0, nd.Kron(a, b), x, y)
	}
	for _, c := range []struct {
		expr   string
		shapes [][]int
	}{
		{"ij,jk->ik", [][]int{{3, 4}, {4, 5}}},
		{"ij,jk", [][]int{{3, 4}, {4, 5}}},
		{"ij,kj->ki", [][]int{{3, 4}, {5, 4}}},
		{"bij,bjk->bik", [][]int{{2, 3, 4}, {2, 4, 5}}},
		{"bij,bjk->kb", [][]int{{2, 3, 4}, {2, 4, 5}}},
		{"...ij,...jk->...ik", [][]int{{2, 1, 3, 4}, {7, 4, 5}}},
		{"i...,i...->...", [][]int{{3, 2, 4}, {3, 4}}},
		{"ii", [][]int{{4, 4}}},
		{"ii->i", [][]int{{4, 4}}},
		{"iij->ji", [][]int{{3, 3, 2}}},
		{"ij->ji", [][]int{{4, 2}}},
		{"ij->j", [][]int{{4, 2}}},
		{"ba", [][]int{{4, 2}}},
		{"i,i", [][]int{{5}, {5}}},
		{"i,j->ij", [][]int{{5}, {3}}},
		{"i,j->", [][]int{{5}, {3}}},
		{"ij,ij->ij", [][]int{{5, 3}, {5, 3}}},
		{"ij,j->i", [][]int{{5, 3}, {1}}},
		{"ij,jk,kl->il", [][]int{{2, 3}, {3, 4}, {4, 5}}},
		{"bhqd,bhkd->bhqk", [][]int{{2, 2, 3, 4}, {2, 2, 5, 4}}},
		{"abc,cd,bd->a", [][]int{{2, 3, 4}, {4, 5}, {3, 5}}},
		{"i,->i", [][]int{{3}, {}}},
		{"ij,jk->ik", [][]int{{0, 4}, {4, 5}}},
		{"ij,jk->ik", [][]int{{3, 0}, {0, 5}}},
		{"ij,jk->ik", [][]int{{3, 2}, {4, 5}}},
		{"ij->ijk", [][]int{{3, 2}}},
		{"ij", [][]int{{3}}},
	} {
		var arrays []*nd.Array[float64]
		var inputs []input
		names := ""
		for i, shape := range c.shapes {
			a, in := turned[float64](s, shape...)
			arrays, inputs = append(arrays, a), append(inputs, in)
			names += fmt.Sprintf(", x%d", i)
		}
		expectFrom(s, fmt.Sprintf("np.einsum(%q%s)", c.expr, names), 1, func() *nd.Array[float64] { return nd.Einsum(c.expr, arrays...) }, inputs...)
	}
	s.run()
}

// matmulCases are products of random shapes, few of which do not match.
func matmulCases[T nd.Number](s *suite) {
	n := func() int { return []int{1, 2, 3, 5, 8, 0}[s.IntN(6)] }
	k := n()
	batch := [][2][]int{{{}, {}}, {{2}, {2}}, {{2, 3}, {3}}, {{}, {4}}, {{3, 1}, {1, 2}}, {{2, 1, 2}, {3, 1}}}[s.IntN(6)]
	a, x := turned[T](s, append(slices.Clone(batch[0]), n(), k)...)
	if s.IntN(20) == 0 {
		k++
	}
	b, y := turned[T](s, append(slices.Clone(batch[1]), k, n())...)
	expectFrom(s, "np.matmul(x0, x1)", 1, func() *nd.Array[T] { return nd.MatMul(a, b) }, x, y)
	v, z := turned[T](s, k)
	expectFrom(s, "np.matmul(x0, x1)", 1, func() *nd.Array[T] { return nd.MatMul(a, v) }, x, z)
	expectFrom(s, "np.matmul(x0, x1)", 1, func() *nd.Array[T] { return nd.MatMul(v, b) }, z, y)
	expectFrom(s, "np.dot(x0, x1)", 1, func() *nd.Array[T] { return nd.Dot(a, b) }, x, y)
	expectFrom(s, "np.inner(x0, x1)", 1, func() *nd.Array[T] { return nd.Inner(v, v) }, z, z)
	expectFrom(s, "np.vdot(x0, x1)", 1, func() *nd.Array[T] { return nd.Vdot(b, b) }, y, y)
	expectFrom(s, "np.tensordot(x0, x1, ([-1], [-2]))", 1, func() *nd.Array[T] { return nd.Tensordot(a, b, []int{-1}, []int{-2}) }, x, y)
}

func TestMatMulOfHalves(t *testing.T) {
	s := newSuite(t)
	a, _ := small[nd.Float16](s, 6, 9)
	b, _ := small[nd.Float16](s, 5, 9)
	got := nd.AsType[float64](nd.MatMul(a, b.T())).ToHost()
	want := nd.MatMul(nd.AsType[float64](a), nd.AsType[float64](b).T()).ToHost()
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// close fails unless the arrays are equal up to rounding.
func close[T nd.Inexact](t *testing.T, what string, got, want *nd.Array[T]) {
	t.Helper()
	if !slices.Equal(got.Shape(), want.Shape()) {
		t.Errorf("%s: the shape is %v, want %v", what, got.Shape(), want.Shape())
		return
	}
	eps := 1e-4
	if got.DType() == nd.F64 || got.DType() == nd.C128 {
		eps = 1e-11
	}
	w := want.ToHost()
	for i, g := range got.ToHost() {
		if d := cmplx.Abs(wide(g) - wide(w[i])); !(d <= eps*(1+cmplx.Abs(wide(w[i])))) {
			t.Errorf("%s: element %d is %v, want %v", what, i, g, w[i])
			return
		}
	}
}

func wide[T nd.Inexact](v T) complex128 {
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

// matrices are those of the last two axes of an array on the host, where they are checked, as that compiles no kernel.
type matrices struct {
	list       []complex128
	rows, cols int
	eps        float64
}

func onHost[T nd.Inexact](a *nd.Array[T]) matrices {
	s := a.Shape()
	m := matrices{rows: s[len(s)-2], cols: s[len(s)-1], eps: 1e-4}
	if a.DType() == nd.F64 || a.DType() == nd.C128 {
		m.eps = 1e-10
	}
	for _, v := range a.ToHost() {
		m.list = append(m.list, wide(v))
	}
	return m
}

// each returns matrices of that shape, whose elements f computes.
func (m matrices) each(rows, cols int, f func(from []complex128, row, col int) complex128) matrices {
	out := matrices{rows: rows, cols: cols, eps: m.eps}
	for at := 0; at < len(m.list); at += m.rows * m.cols {
		for row := range rows {
			for col := range cols {
				out.list = append(out.list, f(m.list[at:], row, col))
			}
		}
	}
	return out
}

func (m matrices) adjoint() matrices {
	return m.each(m.cols, m.rows, func(from []complex128, row, col int) complex128 { return cmplx.Conj(from[col*m.cols+row]) })
}

// mul returns the products with as many matrices, or with a single one.
func (m matrices) mul(b matrices) matrices {
	i := -1
	return m.each(m.rows, b.cols, func(from []complex128, row, col int) (sum complex128) {
		if row == 0 && col == 0 {
			i++
		}
		right := b.list[i*b.rows*b.cols%len(b.list):]
		for k := range m.cols {
			sum += from[row*m.cols+k] * right[k*b.cols+col]
		}
		return sum
	})
}

// scaled returns the matrices with each column multiplied by a number.
func (m matrices) scaled(by []complex128) matrices {
	i := -1
	return m.each(m.rows, m.cols, func(from []complex128, row, col int) complex128 {
		if row == 0 && col == 0 {
			i++
		}
		return from[row*m.cols+col] * by[i*m.cols+col]
	})
}

func (m matrices) same(t *testing.T, what string, want matrices) {
	t.Helper()
	for i, v := range m.list {
		w := want.list[i%len(want.list)]
		if d := cmplx.Abs(v - w); len(m.list)%len(want.list) != 0 || !(d <= m.eps*(1+cmplx.Abs(w))) {
			t.Errorf("%s: element %d is %v, want %v", what, i, v, w)
			return
		}
	}
}

func identity(n int) matrices {
	m := matrices{list: make([]complex128, n*n), rows: n, cols: n}
	for i := range n {
		m.list[i*n+i] = 1
	}
	return m
}

// The routines have tests for all four types, so two are enough here.
func TestDecompositions(t *testing.T) {
	t.Run("float32", decompositions[float32])
	t.Run("complex128", decompositions[complex128])
}

// decompositions are tested with arrays of the same number of axes, so that few kernels are compiled.
func decompositions[T nd.Inexact](t *testing.T) {
	s := newSuite(t)
	for _, shape := range [][]int{{2, 5, 3}, {2, 3, 6}, {3, 4, 4}, {1, 1, 1}} {
		a, _ := small[T](s, shape...)
		host := onHost(a)
		what := fmt.Sprint(" of ", shape)

		q, r := nd.QR(a)
		onHost(q).mul(onHost(r)).same(t, "q·r"+what, host)
		onHost(q).adjoint().mul(onHost(q)).same(t, "qᴴ·q"+what, identity(min(host.rows, host.cols)))
		triangular(t, "r"+what, onHost(r).adjoint())

		u, sv, vh := nd.SVD(a)
		values := onHost(sv.ExpandDims(-2)).list
		onHost(u).scaled(values).mul(onHost(vh)).same(t, "u·s·vh"+what, host)
		onHost(u).adjoint().mul(onHost(u)).same(t, "uᴴ·u"+what, identity(min(host.rows, host.cols)))
		onHost(nd.SingularValues(a).ExpandDims(-2)).same(t, "s"+what, onHost(sv.ExpandDims(-2)))
		fu, _, fvh := nd.SVDFull(a)
		onHost(fu).adjoint().mul(onHost(fu)).same(t, "the full uᴴ·u"+what, identity(host.rows))
		onHost(fvh).mul(onHost(fvh).adjoint()).same(t, "the full vh·vhᴴ"+what, identity(host.cols))

		p, l, up := nd.LU(a)
		places := p.ToHost()
		i := -1
		onHost(l).mul(onHost(up)).same(t, "l·u"+what, host.each(host.rows, host.cols, func(from []complex128, row, col int) complex128 {
			if row == 0 && col == 0 {
				i++
			}
			return from[int(places[i*host.rows+row])*host.cols+col]
		}))
		triangular(t, "l"+what, onHost(l))
		if host.rows != host.cols {
			continue
		}
		n := host.rows
		list := a.ToHost()
		for i := range list { // their diagonals are larger than the rest
			if i%(n*n)%(n+1) == 0 {
				list[i] += whole[T](9*n, 0)
			}
		}
		a = nd.FromSlice(list, shape...)
		host = onHost(a)
		b, _ := small[T](s, n, 3)
		host.mul(onHost(nd.Solve(a, b))).same(t, "a·x"+what, onHost(b))
		v, _ := small[T](s, n)
		host.mul(onHost(nd.Solve(a, v).ExpandDims(-1))).same(t, "a·x"+what, onHost(v.ExpandDims(-1)))
		host.mul(onHost(nd.Inv(a))).same(t, "a·inv(a)"+what, identity(n))
		determinant, inverse := nd.Det(a).ToHost(), nd.Det(nd.Inv(a)).ToHost()
		for i, d := range determinant {
			if e := cmplx.Abs(wide(d)*wide(inverse[i]) - 1); e > host.eps {
				t.Errorf("det(a)·det(inv(a))%s is %v off 1", what, e)
			}
		}
		for _, lower := range []bool{false, true} {
			for _, unit := range []bool{false, true} {
				read := host.each(n, n, func(from []complex128, row, col int) complex128 {
					switch {
					case row == col && unit:
						return 1
					case row != col && row > col != lower:
						return 0
					}
					return from[row*n+col]
				})
				what := fmt.Sprintf("a·x of a triangle (lower %v, unit %v)%s", lower, unit, what)
				read.mul(onHost(nd.SolveTriangular(a, b, lower, unit))).same(t, what, onHost(b))
			}
		}
		h := nd.MatMul(a, nd.FromSlice(adjoints(list, n), shape...)) // Hermitian
		host = onHost(h)
		l = nd.Cholesky(h)
		onHost(l).mul(onHost(l).adjoint()).same(t, "l·lᴴ"+what, host)
		triangular(t, "l"+what, onHost(l))
		w, vec := nd.Eigh(h)
		host.mul(onHost(vec)).same(t, "h·v"+what, onHost(vec).scaled(onHost(w.ExpandDims(-2)).list))
		onHost(vec).adjoint().mul(onHost(vec)).same(t, "vᴴ·v"+what, identity(n))
		onHost(nd.Eigvalsh(h).ExpandDims(-2)).same(t, "w"+what, onHost(w.ExpandDims(-2)))
	}
	swap := nd.FromSlice([]T{whole[T](0, 0), whole[T](2, 0), whole[T](3, 0), whole[T](4, 0)}, 2, 2)
	if got := nd.Det(swap).Item(); got != whole[T](-6, 0) {
		t.Errorf("a determinant is %v, want -6", got)
	}
}

// adjoints returns the adjoint matrices of order n.
func adjoints[T nd.Inexact](list []T, n int) []T {
	out := make([]T, len(list))
	for i, v := range list {
		at := i / (n * n) * n * n
		row, col := i%(n*n)/n, i%n
		switch p := any(&out[at+col*n+row]).(type) {
		case *complex64:
			*p = complex64(cmplx.Conj(wide(v)))
		case *complex128:
			*p = cmplx.Conj(wide(v))
		default:
			out[at+col*n+row] = v
		}
	}
	return out
}

// triangular fails if there is a nonzero element above a diagonal.
func triangular(t *testing.T, what string, m matrices) {
	t.Helper()
	for i, v := range m.list {
		if row, col := i/m.cols%m.rows, i%m.cols; col > row && v != 0 {
			t.Errorf("%s: element (%d, %d) is %v, not 0", what, row, col, v)
		}
	}
}

// eigenvalues checks the results of Eig for an array of matrices.
func eigenvalues[C nd.Complex, T nd.Inexact](t *testing.T, what string, a *nd.Array[T]) {
	t.Helper()
	w, v := nd.Eig[C](a)
	host := onHost(a)
	n := host.rows
	host.mul(onHost(v)).same(t, "a·v of "+what, onHost(v).scaled(onHost(w.ExpandDims(-2)).list))
	lengths := make([]float64, n)
	vectors, values := onHost(v).list, onHost(w.ExpandDims(-2)).list
	for i := range len(values) / n {
		for at, x := range vectors[i*n*n:][:n*n] {
			lengths[at%n] += real(x * cmplx.Conj(x))
		}
		var sum, trace complex128
		for j := range n {
			if math.Abs(lengths[j]-1) > 1e-4 {
				t.Errorf("%s: eigenvector %d has length %v", what, j, math.Sqrt(lengths[j]))
			}
			lengths[j] = 0
			sum += values[i*n+j]
			trace += host.list[i*n*n+j*n+j]
		}
		if cmplx.Abs(sum-trace) > 1e-4*(1+cmplx.Abs(trace)) {
			t.Errorf("%s: the eigenvalues add up to %v, the trace is %v", what, sum, trace)
		}
	}
	onHost(nd.Eigvals[C](a).ExpandDims(-2)).same(t, "Eigvals of "+what, onHost(w.ExpandDims(-2)))
}

func TestEig(t *testing.T) {
	s := newSuite(t)
	for _, n := range []int{1, 2, 3, 5, 8, 40} {
		what := fmt.Sprint("a matrix of order ", n)
		a, _ := small[float64](s, 2, n, n)
		eigenvalues[complex128](t, what, a)
		b, _ := small[complex64](s, 1, n, n)
		eigenvalues[complex64](t, "a complex "+what, b)
	}
	eigenvalues[complex64](t, "float32s", nd.FromSlice([]float32{1, 2, 3, 4}, 2, 2))
	eigenvalues[complex128](t, "a rotation", nd.FromSlice([]float64{0, -1, 1, 0}, 2, 2))
	eigenvalues[complex128](t, "a cycle", nd.FromSlice([]float64{0, 0, 1, 1, 0, 0, 0, 1, 0}, 3, 3))
	eigenvalues[complex128](t, "the identity", nd.Eye[float64](4))
	eigenvalues[complex128](t, "zeros", nd.Zeros[complex128](3, 3))
	eigenvalues[complex128](t, "a defective matrix", nd.FromSlice([]float64{2, 1, 0, 0, 2, 1, 0, 0, 2}, 3, 3))
	eigenvalues[complex128](t, "large and small numbers", nd.FromSlice([]float64{1e200, 1, 0, 1e-200}, 2, 2))
	// The order of eigenvalues is undefined, so they are compared with NumPy's after sorting.
	a, x := small[float64](s, 7, 7)
	expectFrom(s, "np.isclose(np.sort_complex(np.linalg.eigvals(x0)).sum() , x1.sum()) and np.allclose(np.sort(np.abs(np.linalg.eigvals(x0))), np.sort(np.abs(x1)))", 0,
		func() *nd.Array[bool] { return nd.Ones[bool](1).Reshape() }, x, produced(nd.Eigvals[complex128](a)))
	s.run()
	b, _ := small[complex128](s, 3, 5, 5)
	w, v := nd.EigOnHost(b)
	close(t, "eigenvectors on the host", nd.MatMul(b, v), v.Mul(w.ExpandDims(-2)))
	if w, v := nd.Eig[complex128](nd.Zeros[float64](2, 0, 0)); w.Size() != 0 || v.Size() != 0 {
		t.Errorf("empty matrices have eigenvalues: %v", w)
	}
}

// Functions that use the decompositions are tested with one type.
func TestLeastSquares(t *testing.T) {
	s := newSuite(t)
	a, _ := turned[float64](s, 5, 3)
	pinv := nd.Pinv(a, 1e-9)
	close(t, "a·pinv(a)·a", nd.MatMul(nd.MatMul(a, pinv), a), a)
	b, _ := small[float64](s, 5)
	close(t, "lstsq", nd.Lstsq(a, b, 1e-9), nd.MatMul(pinv, b))
	square := nd.FromSlice([]float64{2, 1, 1, 3}, 2, 2)
	close(t, "a⁻²·a²", nd.MatMul(nd.MatrixPower(square, -2), nd.MatMul(square, square)), nd.Eye[float64](2))
	close(t, "a⁰", nd.MatrixPower(square, 0), nd.Eye[float64](2))
	line := nd.FromSlice([]float64{1, 2, 4}, 3, 1)
	if rank := nd.MatrixRank(nd.MatMul(line, line.T()), 1e-9).Item(); rank != 1 {
		t.Errorf("the rank of an outer product is %d", rank)
	}
	if c := nd.Cond(nd.FromSlice([]float64{0, -8, 2, 0}, 2, 2)).Item(); c != 4 {
		t.Errorf("the condition is %v, want 4", c)
	}
	sign, log := nd.Slogdet(nd.FromSlice([]float64{0, 1, 1, 0}, 2, 2))
	close(t, "the sign of a determinant", sign, nd.Scalar(-1.0))
	close(t, "its logarithm", log, nd.Scalar(0.0))
}

func TestLinearAlgebraErrors(t *testing.T) {
	a, b := nd.Zeros[float64](2, 3), nd.Zeros[float64](4, 5)
	two := nd.Zeros[float64](2, 2)
	for _, c := range []struct {
		want string
		f    func()
	}{
		{"nd.MatMul: shapes (2, 3) and (4, 5) not aligned: 3 (axis 1) != 4 (axis 0)", func() { nd.MatMul(a, b) }},
		{"nd.Solve: the last two axes of shape (2, 3)", func() { nd.Solve(a, b) }},
		{"nd.Solve: shapes (2, 2) and (4, 5) not aligned", func() { nd.Solve(two, b) }},
		{"nd.Solve: the matrix is singular", func() { nd.Solve(two, two) }},
		{"nd.SolveTriangular: the matrix is singular: there is a 0 on its diagonal", func() { nd.SolveTriangular(two, two, true, false) }},
		{"nd.SolveTriangular: shapes (2, 2) and (4, 5) not aligned", func() { nd.SolveTriangular(two, b, true, true) }},
		{"nd.Eig: the eigenvalues of float64 matrices are complex128, not complex64", func() { nd.Eig[complex64](two) }},
		{"nd.Eigvals: matrix 0 has an element that is +Inf", func() { nd.Eigvals[complex128](nd.Full(math.Inf(1), 2, 2)) }},
		{"nd.Inv: matrix 1: the matrix is singular", func() { nd.Inv(nd.FromSlice([]float64{1, 0, 0, 1, 1, 1, 1, 1}, 2, 2, 2)) }},
		{"nd.Cholesky: the matrix is not positive definite", func() { nd.Cholesky(two) }},
		{"nd.QR: an array of shape (4,) is no matrix", func() { nd.QR(nd.Zeros[float32](4)) }},
		{"nd.Tensordot: shapes (2, 3) and (4, 5) not aligned", func() { nd.Tensordot(a, b, []int{0}, []int{0}) }},
		{`nd.Einsum: in "ij,jk", j is 3 long in one operand and 4 in another`, func() { nd.Einsum("ij,jk", a, b) }},
		{`nd.Einsum: "ij,jk" names 2 operands, 1 are given`, func() { nd.Einsum("ij,jk", a) }},
	} {
		if got := panics(t, c.f); !strings.Contains(got, c.want) {
			t.Errorf("got %q, want %q in it", got, c.want)
		}
	}
	if x := nd.Solve(nd.Zeros[float64](0, 0), nd.Zeros[float64](0, 2)); x.Size() != 0 {
		t.Errorf("the solution of an empty system is %v", x)
	}
}
