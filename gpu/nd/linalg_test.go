package nd_test

import (
	"fmt"
	"math/cmplx"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// small are random whole numbers from -4 to 4, of which sums of products are exact in all types.
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

// whole is a whole number of any type, or a complex one of two.
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

// turned is a random view of small numbers with that shape, which lies in memory in some other order.
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

// matmulCases are products of random shapes, few of which do not fit.
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

func adjoint[T nd.Inexact](a *nd.Array[T]) *nd.Array[T] {
	a = a.SwapAxes(-1, -2)
	switch c := any(a).(type) {
	case *nd.Array[complex64]:
		return any(nd.Conj(c)).(*nd.Array[T])
	case *nd.Array[complex128]:
		return any(nd.Conj(c)).(*nd.Array[T])
	}
	return a
}

func TestDecompositions(t *testing.T) {
	few := [][]int{{2, 5, 3}, {2, 3, 6}, {3, 4, 4}} // of as many axes, so that kernels serve all of them
	t.Run("float32", func(t *testing.T) { decompositions[float32](t, few) })
	t.Run("float64", func(t *testing.T) { decompositions[float64](t, append(few, []int{5, 3}, []int{3, 6})) })
	t.Run("complex128", func(t *testing.T) { decompositions[complex128](t, few) })
}

func decompositions[T nd.Inexact](t *testing.T, shapes [][]int) {
	s := newSuite(t)
	main := nd.DTypeOf[T]() == nd.F64 // what is made of the routines is tried with one type
	one := func(n int) *nd.Array[T] { return nd.Eye[T](n) }
	for _, shape := range shapes {
		a, _ := turned[T](s, shape...)
		what := fmt.Sprint(" of ", shape)
		k := min(shape[len(shape)-1], shape[len(shape)-2])
		all := append(slices.Clone(shape[:len(shape)-2]), k, k)

		q, r := nd.QR(a)
		close(t, "q·r"+what, nd.MatMul(q, r), a)
		close(t, "qᴴ·q"+what, nd.MatMul(adjoint(q), q), one(k).BroadcastTo(all...))
		if main {
			close(t, "r"+what, nd.Tril(r, -1), nd.ZerosLike(r))
			close(t, "a·pinv·a"+what, nd.MatMul(nd.MatMul(a, nd.Pinv(a, 1e-6)), a), a)
		}

		u, sv, vh := nd.SVD(a)
		close(t, "u·s·vh"+what, nd.MatMul(u.Mul(sv.ExpandDims(-2)), vh), a)
		close(t, "uᴴ·u"+what, nd.MatMul(adjoint(u), u), one(k).BroadcastTo(all...))
		close(t, "s"+what, nd.SingularValues(a), sv)
		fu, _, fvh := nd.SVDFull(a)
		close(t, "the first columns of the full u"+what, fu.Slice(nd.Rest, nd.To(k)).Mul(sv.ExpandDims(-2)), u.Mul(sv.ExpandDims(-2)))
		n := shape[len(shape)-1]
		close(t, "vh·vhᴴ"+what, nd.MatMul(fvh, adjoint(fvh)), one(n).BroadcastTo(append(slices.Clone(shape[:len(shape)-2]), n, n)...))

		p, l, up := nd.LU(a)
		rows := one(shape[len(shape)-2])
		if a.NDim() == 2 {
			var order []*nd.Array[T]
			for _, i := range p.ToHost() {
				order = append(order, rows.At(int(i)).ExpandDims(0))
			}
			for i, row := range order {
				close(t, "row of l·u"+what, nd.MatMul(l, up).Slice(nd.R(i, i+1)), nd.MatMul(row, a))
			}
		}
	}
	for _, shape := range shapes {
		n := shape[len(shape)-1]
		if n != shape[len(shape)-2] {
			continue
		}
		what := fmt.Sprint(" of ", shape)
		g, _ := turned[T](s, shape...)
		a := g.Add(one(n).MulScalar(whole[T](9*n, 0))) // its diagonal is larger than the rest
		b, _ := turned[T](s, n, 3)
		close(t, "a·x"+what, nd.MatMul(a, nd.Solve(a, b)), b.BroadcastTo(append(slices.Clone(shape[:len(shape)-2]), n, 3)...))
		v, _ := turned[T](s, n)
		close(t, "a·x"+what, nd.MatMul(a, nd.Solve(a, v).ExpandDims(-1)).Squeeze(-1), v.BroadcastTo(shape[:len(shape)-1]...))
		close(t, "a·inv(a)"+what, nd.MatMul(a, nd.Inv(a)), one(n).BroadcastTo(shape...))
		if main {
			close(t, "a⁻²·a²"+what, nd.MatMul(nd.MatrixPower(a, -2), nd.MatMul(a, a)), one(n).BroadcastTo(shape...))
		}
		close(t, "det(a)·det(inv(a))"+what, nd.Det(a).Mul(nd.Det(nd.Inv(a))), nd.OnesLike(nd.Det(a)))
		h := nd.MatMul(g, adjoint(g)).Add(one(n))
		l := nd.Cholesky(h)
		close(t, "l·lᴴ"+what, nd.MatMul(l, adjoint(l)), h)
		w, vec := nd.Eigh(h)
		close(t, "h·v"+what, nd.MatMul(h, vec), vec.Mul(w.ExpandDims(-2)))
		close(t, "vᴴ·v"+what, nd.MatMul(adjoint(vec), vec), one(n).BroadcastTo(shape...))
		close(t, "w"+what, nd.Eigvalsh(h), w)
	}
	a := nd.FromSlice([]T{whole[T](0, 0), whole[T](2, 0), whole[T](3, 0), whole[T](4, 0)}, 2, 2)
	close(t, "det", nd.Det(a), nd.Scalar(whole[T](-6, 0)))
	if !main {
		return
	}
	line := nd.FromSlice([]T{whole[T](1, 0), whole[T](2, 0), whole[T](4, 0)}, 3, 1)
	close(t, "lstsq", nd.Lstsq(line, nd.FromSlice([]T{whole[T](2, 0), whole[T](4, 0), whole[T](8, 0)}), 1e-6), nd.FromSlice([]T{whole[T](2, 0)}))
	if rank := nd.MatrixRank(nd.MatMul(line, line.T()), 1e-5).Item(); rank != 1 {
		t.Errorf("the rank of an outer product is %d", rank)
	}
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
