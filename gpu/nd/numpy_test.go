package nd_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// Views of all kinds and shapes are added to one another.
func TestNumPyViews(t *testing.T) {
	s := newSuite(t)
	for range 1200 {
		addViews[float32](s, 5)
	}
	for range 300 {
		addViews[uint8](s, 2)
	}
	s.run()
}

func addViews[T nd.Number](s *suite, rank int) {
	shape := s.shape(rank)
	a, x := view[T](s, shape)
	b, y := view[T](s, shape)
	expect(s, "x0 + x1", 0, a.Add(b), x, y)
}

// Arrays whose order of axes in memory differs from the result's are computed in tiles.
func TestNumPyTransposed(t *testing.T) {
	s := newSuite(t)
	for range 8 {
		addTransposed[float32](s)
		addTransposed[uint8](s)
		addTransposed[complex128](s)
	}
	s.run()
}

func addTransposed[T nd.Number](s *suite) {
	length := func() int { return 16 + s.IntN(70) }
	shape := []int{1 + s.IntN(3), length(), length()}
	axes := s.Perm(3)
	from := make([]int, 3)
	for i, axis := range axes {
		from[axis] = shape[i]
	}
	a, x := array[T](s, from...)
	b, y := array[T](s, shape[2], shape[1])
	x.Axes, y.Axes = axes, []int{1, 0}
	x.Index, y.Index = ":, ::-1, 1:", ":, 1:"
	v, w := a.Transpose(axes...).Slice(nd.Idx(x.Index)...), b.T().Slice(nd.Idx(y.Index)...)
	expect(s, "x0 - x1", 0, v.Sub(w), x, y)
	expect(s, "x0 + x0.dtype.type(0)", 0, v.AddScalar(*new(T)), x)
}

func TestNumPyPromotion(t *testing.T) {
	s := newSuite(t)
	types := []nd.DType{nd.Bool, nd.Int8, nd.Int16, nd.Int32, nd.Int64, nd.Uint8, nd.Uint16, nd.Uint32, nd.Uint64, nd.F16, nd.F32, nd.F64, nd.C64, nd.C128}
	for _, a := range types {
		for _, b := range types {
			expectFrom(s, "np.frombuffer(np.promote_types('"+a.String()+"', '"+b.String()+"').name.encode(), np.uint8)", 0, func() *nd.Array[uint8] {
				return nd.FromSlice([]byte(nd.Promote(a, b).String()))
			})
		}
	}
	s.run()
}

func TestNumPyArithmetic(t *testing.T) {
	s := newSuite(t)
	common[int8](s)
	common[int32](s)
	common[uint16](s)
	common[uint64](s)
	common[nd.Float16](s)
	common[float32](s)
	common[float64](s)
	complexArithmetic[complex64](s)
	complexArithmetic[complex128](s)
	integer[int8](s)
	integer[int64](s)
	integer[uint32](s)
	casts[bool](s)
	casts[int32](s)
	casts[uint64](s)
	casts[nd.Float16](s)
	casts[float32](s)
	casts[float64](s)
	casts[complex64](s)
	a, x := array[bool](s, 64)
	b, y := array[bool](s, 64)
	expect(s, "x0 + x1", 0, a.Add(b), x, y)
	expect(s, "x0 * x1", 0, a.Mul(b), x, y)
	expect(s, "x0 & x1", 0, a.And(b), x, y)
	expect(s, "x0 | x1", 0, a.Or(b), x, y)
	expect(s, "x0 ^ x1", 0, a.Xor(b), x, y)
	expect(s, "~x0", 0, a.Invert(), x)
	s.run()
}

// cases is the number of elements that the operations are tested with.
const cases = 203

// common are the operations of all real numbers.
func common[T nd.Real](s *suite) {
	a, x := array[T](s, cases)
	b, y := array[T](s, cases)
	expect(s, "x0 + x1", 0, a.Add(b), x, y)
	expect(s, "x0 - x1", 0, a.Sub(b), x, y)
	expect(s, "x0 * x1", 0, a.Mul(b), x, y)
	expect(s, "x0 // x1", 0, a.FloorDiv(b), x, y)
	expect(s, "x0 % x1", 0, a.Mod(b), x, y)
	expect(s, "np.fmod(x0, x1)", 0, a.Fmod(b), x, y)
	expect(s, "np.maximum(x0, x1)", 0, a.Maximum(b), x, y)
	expect(s, "np.minimum(x0, x1)", 0, a.Minimum(b), x, y)
	// One kernel for all comparisons.
	signs := func(bit uint8, of *nd.Array[bool]) *nd.Array[uint8] { return nd.AsType[uint8](of).MulScalar(bit) }
	expect(s, "np.uint8(1)*(x0 == x1) + np.uint8(2)*(x0 != x1) + np.uint8(4)*(x0 < x1) + np.uint8(8)*(x0 <= x1) + np.uint8(16)*(x0 > x1) + np.uint8(32)*(x0 >= x1)", 0,
		signs(1, a.Equal(b)).Add(signs(2, a.NotEqual(b))).Add(signs(4, a.Less(b))).Add(signs(8, a.LessEqual(b))).Add(signs(16, a.Greater(b))).Add(signs(32, a.GreaterEqual(b))), x, y)
	expect(s, "np.logical_and(x0, x1)", 0, a.LogicalAnd(b), x, y)
	expect(s, "np.logical_not(x0)", 0, a.LogicalNot(), x)
	expect(s, "-x0", 0, a.Neg(), x)
	expect(s, "np.square(x0)", 0, a.Square(), x)
	expect(s, "np.abs(x0)", 0, nd.Abs(a), x)
	expect(s, "np.sign(x0)", 0, nd.Sign(a), x)
	expect(s, "np.where(x0 < x1, x1, x0)", 0, nd.Where(a.Less(b), b, a), x, y)
	if a.DType() != nd.F16 { // of which 1 and 100 are bits
		expect(s, "np.clip(x0, 1, 100)", 0, a.Clip(1, 100), x)
	}
	expect(s, "x0 * x0 - x1 + np.square(x1)", 0, a.Mul(a).Sub(b).Add(b.Square()), x, y)
}

func integer[T nd.Integer](s *suite) {
	a, x := array[T](s, cases)
	b, y := array[T](s, cases)
	expect(s, "x0 & x1", 0, a.And(b), x, y)
	expect(s, "x0 | x1", 0, a.Or(b), x, y)
	expect(s, "x0 ^ x1", 0, a.Xor(b), x, y)
	expect(s, "~x0", 0, a.Invert(), x)
	expect(s, "x0 << np.abs(x1 % 70).astype(x0.dtype)", 0, a.Lsh(nd.Abs(b.ModScalar(70))), x, y)
	expect(s, "x0 >> np.abs(x1 % 70).astype(x0.dtype)", 0, a.Rsh(nd.Abs(b.ModScalar(70))), x, y)
	expect(s, "x0 ** np.abs(x1 % 9).astype(x0.dtype)", 0, a.Pow(nd.Abs(b.ModScalar(9))), x, y)
}

func complexArithmetic[T nd.Complex](s *suite) {
	a, x := array[T](s, cases)
	b, y := array[T](s, cases)
	expect(s, "x0 + x1", 0, a.Add(b), x, y)
	expect(s, "x0 - x1", 0, a.Sub(b), x, y)
	expect(s, "x0 * x1", 2, a.Mul(b), x, y) // NumPy's may have fused operations
	expect(s, "x0 / x1", 4, a.Div(b), x, y)
	expect(s, "x0 == x1", 0, a.Equal(b), x, y)
	expect(s, "x0 < x1", 0, a.Less(b), x, y)
	expect(s, "-x0", 0, a.Neg(), x)
	expect(s, "np.conj(x0)", 0, nd.Conj(a), x)
	expect(s, "np.sqrt(x0)", 8, nd.Sqrt(a), x)
	expect(s, "np.exp(x0)", 8, nd.Exp(a), x)
	expect(s, "np.isnan(x0)", 0, nd.IsNaN(a), x)
}

// casts are conversions to all types, of numbers that both can hold where C leaves the others undefined.
func casts[T nd.Elem](s *suite) {
	a, x := array[T](s, cases)
	switch any(*new(T)).(type) {
	case nd.Float16, float32, float64, complex64:
		var list []float64
		for range cases {
			list = append(list, float64(s.IntN(200))/2)
		}
		a = nd.AsType[T](nd.FromSlice(list)).Eval()
		_, x = given(a.ToHost(), cases)
	}
	to[bool](s, a, x)
	to[int8](s, a, x)
	to[int16](s, a, x)
	to[int64](s, a, x)
	to[uint8](s, a, x)
	to[uint32](s, a, x)
	to[nd.Float16](s, a, x)
	to[float32](s, a, x)
	to[float64](s, a, x)
	to[complex128](s, a, x)
}

func to[R, T nd.Elem](s *suite, a *nd.Array[T], x input) {
	expect(s, "x0.astype('"+nd.DTypeOf[R]().String()+"')", 0, nd.AsType[R](a), x)
}

func TestNumPyReductions(t *testing.T) {
	s := newSuite(t)
	for range 150 {
		reductions[float32](s, 4)
	}
	for range 100 {
		reductions[int32](s, 2)
		reductions[float64](s, 2)
		reductions[nd.Float16](s, 2)
	}
	for range 100 {
		statistics(s)
	}
	large, x := array[int32](s, 3, 70_001)
	wide, y := array[int32](s, 20_003, 3)
	expectFrom(s, "x0.sum(1, dtype=x0.dtype)", 0, func() *nd.Array[int32] { return large.Sum(1) }, x)
	expectFrom(s, "x0.max()", 0, func() *nd.Array[int32] { return large.Max() }, x)
	expectFrom(s, "x0.argmax()", 0, func() *nd.Array[int64] { return nd.Argmax(large) }, x)
	expectFrom(s, "x0.argmin(0)", 0, func() *nd.Array[int64] { return nd.Argmin(wide, 0) }, y)
	expectFrom(s, "x0.sum(0, dtype=x0.dtype)", 0, func() *nd.Array[int32] { return wide.Sum(0) }, y)
	// Adjacent elements are loaded together, and the parts of many results are joined.
	columns, z := array[int32](s, 4099, 260)
	half, h := array[nd.Float16](s, 2112, 516)
	row, v := array[int32](s, 260)
	const one = nd.Float16(0x3c00)
	expectFrom(s, "x0.sum(0, dtype=x0.dtype)", 0, func() *nd.Array[int32] { return columns.Sum(0) }, z)
	expectFrom(s, "(x0 * x0[5:6] - x1).max(0)", 0, func() *nd.Array[int32] {
		return columns.Mul(columns.Slice(nd.R(5, 6))).Sub(row).Max(0)
	}, z, v)
	expectFrom(s, "x0.argmin(0)", 0, func() *nd.Array[int64] { return nd.Argmin(columns, 0) }, z)
	expectFrom(s, "x0[1:, 4:].argmax(0)", 1, func() *nd.Array[int64] { return nd.Argmax(half.Slice(nd.From(1), nd.From(4)), 0) }, h)
	expectFrom(s, "(x0[1:, 4:] > 1).astype(np.float64).mean(0)", 1, func() *nd.Array[float64] {
		return nd.Mean(nd.AsType[float64](half.Slice(nd.From(1), nd.From(4)).GreaterScalar(one)), 0)
	}, h)
	expectFrom(s, "x0[:, 1:].max(0)", 1, func() *nd.Array[nd.Float16] { return half.Slice(nd.All, nd.From(1)).Max(0) }, h)
	expectFrom(s, "np.count_nonzero(x0[::-1].reshape(2, 1056, 516), (0, 1))", 0, func() *nd.Array[int64] {
		return nd.CountNonzero(half.Slice(nd.All.By(-1)).Reshape(2, 1056, 516), 0, 1)
	}, h)
	expectFrom(s, "(x0 + np.arange(260, dtype=np.int32)).argmin(0)", 0, func() *nd.Array[int64] { return nd.Argmin(columns.Add(nd.Arange[int32](260)), 0) }, z)
	s.run()
}

// reductions are those of an array of up to that many axes; each kind of loops over them is a kernel.
func reductions[T nd.Real](s *suite, rank int) {
	shape := s.shape(rank)
	a, x := view[T](s, shape)
	shape = a.Shape()
	axes := s.Perm(len(shape))[:s.IntN(len(shape)+1)]
	py := "None"
	if len(axes) > 0 {
		text := ""
		for i, axis := range axes {
			if s.IntN(2) == 0 {
				axes[i] -= len(shape)
			}
			_ = axis
			text += fmt.Sprint(axes[i], ",")
		}
		py = "(" + text + ")"
	}
	wide := "x0"
	if a.DType() == nd.F32 || a.DType() == nd.F16 { // so are sums here
		wide = "x0.astype(np.float64)"
	}
	if a.DType() != nd.F64 { // where the order matters too much
		expectFrom(s, wide+".sum("+py+").astype(x0.dtype)", 50, func() *nd.Array[T] { return a.Sum(axes...) }, x)
		expectFrom(s, wide+".prod("+py+").astype(x0.dtype)", 1, func() *nd.Array[T] { return a.Prod(axes...) }, x)
	}
	expectFrom(s, "x0.min("+py+")", 1, func() *nd.Array[T] { return a.Min(axes...) }, x)
	if len(axes) == 1 {
		expectFrom(s, "x0.max("+py+")", 1, func() *nd.Array[T] { return a.Max(axes...) }, x)
	}
	expectFrom(s, "x0.any("+py+")", 0, func() *nd.Array[bool] { return a.Any(axes...) }, x)
	expectFrom(s, "np.count_nonzero(x0, "+py+")", 0, func() *nd.Array[int64] { return nd.CountNonzero(a, axes...) }, x)
	if len(axes) == 1 {
		expectFrom(s, fmt.Sprintf("x0.argmax(%d)", axes[0]), 0, func() *nd.Array[int64] { return nd.Argmax(a, axes[0]) }, x)
		expectFrom(s, fmt.Sprintf("x0.argmin(%d)", axes[0]), 0, func() *nd.Array[int64] { return nd.Argmin(a, axes[0]) }, x)
	}
}

// statistics are functions that consist of several reductions.
func statistics(s *suite) {
	host := make([]float64, 60)
	for i := range host {
		host[i] = s.NormFloat64() + 3
	}
	a, x := given(host, 3, 4, 5)
	axis := s.IntN(3)
	expectFrom(s, fmt.Sprintf("x0.sum(%d)", axis), 4, func() *nd.Array[float64] { return a.Sum(axis) }, x)
	expectFrom(s, fmt.Sprintf("x0.mean(%d)", axis), 4, func() *nd.Array[float64] { return nd.Mean(a, axis) }, x)
	expectFrom(s, "x0.var()", 8, func() *nd.Array[float64] { return nd.Var(a) }, x)
	expectFrom(s, fmt.Sprintf("x0.std(%d, ddof=1)", axis), 8, func() *nd.Array[float64] { return nd.StdOf(a, 1, axis) }, x)
	expectFrom(s, fmt.Sprintf("np.linalg.norm(x0, axis=%d)", axis), 4, func() *nd.Array[float64] { return nd.Norm(a, axis) }, x)
	expectFrom(s, "x0.all()", 0, func() *nd.Array[bool] { return a.All() }, x)
}

func TestNumPyScans(t *testing.T) {
	s := newSuite(t)
	for range 40 {
		scans[int32](s, s.shape(3)...)
		scans[uint8](s, s.shape(3)...)
		scans[nd.Float16](s, s.shape(2)...)
	}
	for range 3 { // rows of several tiles
		scans[int32](s, 2, 4000+s.IntN(30_000))
		scans[complex128](s, 3000+s.IntN(3000), 2)
	}
	host := make([]float64, 100_000)
	for i := range host {
		host[i] = s.NormFloat64()
	}
	a, x := given(host, len(host))
	expectFrom(s, "np.abs(np.cumsum(x0) - x1).max(keepdims=True) < 1e-9", 0, func() *nd.Array[bool] { return nd.Ones[bool](1) }, x, produced(nd.Cumsum(a)))
	expectFrom(s, "np.maximum.accumulate(x0)", 0, func() *nd.Array[float64] { return nd.Cummax(a) }, x)
	s.run()
}

func scans[T nd.Number](s *suite, shape ...int) {
	a, x := array[T](s, shape...)
	axis, py := []int{}, "None"
	if len(shape) > 0 && s.IntN(4) > 0 {
		axis = []int{s.IntN(2*len(shape)) - len(shape)}
		py = fmt.Sprint(axis[0])
	}
	wide := "x0"
	if a.DType() == nd.F16 {
		wide = "x0.astype(np.float64)"
	}
	expectFrom(s, wide+".cumsum("+py+").astype(x0.dtype)", 1e3, func() *nd.Array[T] { return nd.Cumsum(a, axis...) }, x)
	if a.DType() == nd.Int32 {
		expectFrom(s, "x0.cumprod("+py+").astype(x0.dtype)", 1, func() *nd.Array[T] { return nd.Cumprod(a, axis...) }, x)
	}
}

// produced returns an array that was computed here, as NumPy's input.
func produced[T nd.Elem](a *nd.Array[T]) input {
	_, in := given(a.ToHost(), a.Shape()...)
	return in
}

func TestNumPySorting(t *testing.T) {
	s := newSuite(t)
	for range 15 {
		sorting[float32](s, 1+s.IntN(4), 1+s.IntN(300))
		sorting[int16](s, 1+s.IntN(400), 1+s.IntN(20), 1)
	}
	sorting[float32](s, 10_000)
	sorting[uint64](s, 5000)
	sorting[nd.Float16](s, 5000)
	sorting[bool](s, 30)
	sorting[int8](s, 700)
	sorting[uint8](s, 70, 3)
	sorting[uint16](s, 2, 300)
	sorting[int32](s, 800)
	sorting[uint32](s, 3, 40)
	sorting[int64](s, 2, 500)
	for range 5 { // with equal parts and NaNs
		n := s.IntN(300)
		list := make([]complex128, n)
		few := []float64{0, math.Copysign(0, -1), 1, -1, math.NaN(), math.Inf(1), math.Inf(-1)}
		for i := range list {
			list[i] = complex(few[s.IntN(len(few))], few[s.IntN(len(few))])
		}
		a, x := given(list, n)
		sortingOf(s, a, x, 0)
		// It is undefined which of the NaNs NumPy keeps.
		list = slices.DeleteFunc(slices.Clone(list), func(v complex128) bool { return math.IsNaN(real(v)) || math.IsNaN(imag(v)) })
		b, y := given(list, len(list))
		expectFrom(s, "np.unique(x0)", 1, func() *nd.Array[complex128] { return nd.Unique(b) }, y)
	}
	sorting[complex64](s, 3, 200)
	s.run()
}

func sorting[T nd.Elem](s *suite, shape ...int) {
	a, x := array[T](s, shape...)
	sortingOf(s, a, x, s.IntN(len(shape)))
}

func sortingOf[T nd.Elem](s *suite, a *nd.Array[T], x input, axis int) {
	expectFrom(s, fmt.Sprintf("np.sort(x0, %d)", axis), 1, func() *nd.Array[T] { return nd.Sort(a, axis) }, x)
	expectFrom(s, fmt.Sprintf("np.argsort(x0, %d, stable=True)", axis), 0, func() *nd.Array[int64] { return nd.Argsort(a, axis) }, x)
}
