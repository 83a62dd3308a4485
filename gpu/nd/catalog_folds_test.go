package nd_test

import (
	"math"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// foldCases are reductions, scans and sorting.
func foldCases[T nd.Real](c *catalog) {
	type array = nd.Array[T]
	for _, axis := range []struct {
		axes []int
		py   string
	}{{nil, ""}, {[]int{0}, "axis=0"}, {[]int{-1}, "axis=-1"}} {
		test := func(name, expr string, f func(a *array, axes ...int) *nd.Array[bool]) {
			eager(c, name, expr+"("+axis.py+")", 0, func(a *array) *nd.Array[bool] { return f(a, axis.axes...) })
		}
		place := func(name, expr string, f func(a *array, axes ...int) *nd.Array[int64]) {
			eager(c, name, expr+axis.py+")", 0, func(a *array) *nd.Array[int64] { return f(a, axis.axes...) })
		}
		// Which of zeros of both signs is the minimum or maximum is left open by the array API standard, which NumPy follows, and depends
		// on the order in which the elements are compared.
		extreme := func(name, expr string, f func(a *array, axes ...int) *array) {
			eager(c, name, expr+" + 0", 0, func(a *array) *array { return plus0(f(a, axis.axes...)) })
		}
		flat := "x0.ravel()"
		if axis.axes != nil {
			flat = "x0, " + axis.py
		}
		extreme("Min", "x0.min("+axis.py+")", (*array).Min)
		extreme("Max", "x0.max("+axis.py+")", (*array).Max)
		extreme("Cummax", "np.maximum.accumulate("+flat+")", nd.Cummax[T])
		extreme("Cummin", "np.minimum.accumulate("+flat+")", nd.Cummin[T])
		test("Any", "x0.any", (*array).Any)
		test("All", "x0.all", (*array).All)
		place("Argmin", "x0.argmin(", nd.Argmin[T])
		place("Argmax", "x0.argmax(", nd.Argmax[T])
		place("CountNonzero", "np.count_nonzero(x0, ", nd.CountNonzero[T])
		sumCases[T](c, axis.py, axis.axes)
	}
	if zero, dt := math.Copysign(0, -1), nd.DTypeOf[T](); dt == nd.F32 || dt == nd.F64 {
		a, x := given([]T{T(zero), T(zero), 0, T(zero)}, 4)
		from(c, "Sum", "x0[:2].sum()", 0, func() *array { return a.Slice(nd.To(2)).Sum() }, x)
		from(c, "Cumsum", "x0.cumsum()", 0, func() *array { return nd.Cumsum(a) }, x)
		from(c, "Prod", "x0[:3].prod()", 0, func() *array { return a.Slice(nd.To(3)).Prod() }, x)
		from(c, "Cumprod", "x0.cumprod()", 0, func() *array { return nd.Cumprod(a) }, x)
	}
	eager(c, "SumAs", "(x0 > 1).sum(dtype=np.int64)", 0, func(a *array) *nd.Array[int64] { return nd.SumAs[int64](a.GreaterScalar(num[T](1))) })
	eager(c, "SortBy", "np.take_along_axis(x0, np.argsort(-x0, 0, kind='stable'), 0)", 0, func(a *array) *array { return nd.SortBy(a, a.Neg(), 0) })
	eager(c, "Sort", "np.sort(x0, kind='stable')", 0, func(a *array) *array { return nd.Sort(a) })
	// NumPy's unique does not specify which of zeros of both signs it keeps.
	eager(c, "Unique", "np.unique(x0) + 0", 0, func(a *array) *array { return plus0(nd.Unique(a)) })
}

// sumCases are sums and products, which are made in float64 if they are of floats. Their order differs from NumPy's: a sum of n numbers
// may be off by n roundings of the sum of their absolute values, and so may NumPy's; a product by n roundings of itself.
func sumCases[T nd.Real](c *catalog, py string, axes []int) {
	type array = nd.Array[T]
	wide, toAdd, toMultiply := "x0", values[T], values[T]
	float := strings.HasPrefix(nd.DTypeOf[T]().String(), "float")
	if float {
		wide, toAdd, toMultiply = "x0.astype(np.float64)", addends[T], factors[T]
	}
	check := func(name, call string, elements func(s *suite, n int) []T, terms string, f func(a *array, axes ...int) *array) {
		for _, shape := range [][]int{{3, 4, 5}, {2, 0, 3}, {1, 6}, {1, 20_000}} {
			size := 1
			for _, n := range shape {
				size *= n
			}
			a, x := given(elements(c.suite, size), shape...)
			from(c, name, wide+call+".astype(x0.dtype)", 1, func() *array { return f(a, axes...) }, x)
			if float {
				c.last().Slack = "x0.size * 2.0**-52 * np.abs(" + terms + ")"
			}
		}
	}
	check("Sum", ".sum("+py+")", toAdd, "np.abs("+wide+").sum("+py+")", (*array).Sum)
	check("Cumsum", ".cumsum("+py+")", toAdd, "np.abs("+wide+").cumsum("+py+")", nd.Cumsum[T])
	check("Prod", ".prod("+py+")", toMultiply, wide+".prod("+py+")", (*array).Prod)
	check("Cumprod", ".cumprod("+py+")", toMultiply, wide+".cumprod("+py+")", nd.Cumprod[T])
}

// addends returns floats whose sums do not overflow in float64, in any order of addition, so that the sum does not depend on that order
// by more than roundings. The largest float32s are among them.
func addends[T nd.Real](s *suite, n int) []T {
	common := []float64{0, math.Copysign(0, -1), 0x1p-149, -0x1p-149, math.MaxFloat32, -math.MaxFloat32}
	rare := []float64{math.Inf(1), math.Inf(-1), math.NaN()}
	return floatsOf[T](s, n, common, rare, func() float64 { return s.NormFloat64() * math.Pow(10, float64(s.IntN(4))) })
}

// factors returns floats whose products do not overflow in float64.
func factors[T nd.Real](s *suite, n int) []T {
	common := []float64{1, -1}
	rare := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN()}
	return floatsOf[T](s, n, common, rare, func() float64 { return math.Copysign(math.Exp(s.NormFloat64()), s.NormFloat64()) })
}

// floatsOf returns random numbers, some of which are of the common list. Those of the rare list, which make most results alike, are few,
// and only in short arrays.
func floatsOf[T nd.Real](s *suite, n int, common, rare []float64, other func() float64) []T {
	list := make([]float64, n)
	for i := range list {
		switch {
		case n < 100 && s.IntN(50) == 0:
			list[i] = rare[s.IntN(len(rare))]
		case s.IntN(8) == 0:
			list[i] = common[s.IntN(len(common))]
		default:
			list[i] = other()
		}
	}
	return nd.AsType[T](nd.FromSlice(list)).ToHost()
}
