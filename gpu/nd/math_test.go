package nd_test

import (
	"math"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// Functions of one number are compared with Go's, at random numbers and at edges.
func TestGoMath(t *testing.T) {
	t.Run("float32", goMath[float32])
	t.Run("float64", goMath[float64])
}

func goMath[T float32 | float64](t *testing.T) {
	s := newSuite(t)
	edges := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 2, 2.5, -2.5, 1e-30, 3e-39, math.Inf(1), math.Inf(-1), math.NaN()}
	list := make([]T, 0, 400)
	for _, v := range edges {
		list = append(list, T(v))
	}
	for len(list) < cap(list) {
		list = append(list, T(s.NormFloat64()*math.Pow(10, float64(s.IntN(3)-1))))
	}
	a := nd.FromSlice(list)
	eps, bessel := 0x1p-23, 100.0
	if a.DType() == nd.F64 { // the error of CUDA's Bessel functions is 5e-12
		eps, bessel = 0x1p-52, 30000
	}
	type function struct {
		name string
		ulps float64 // of the result or, if that is more, of floor
		at   float64
		f    func(*nd.Array[T]) *nd.Array[T]
		want func(float64) float64
	}
	frac := func(a *nd.Array[T]) *nd.Array[T] { f, _ := nd.Modf(a); return f }
	whole := func(a *nd.Array[T]) *nd.Array[T] { _, w := nd.Modf(a); return w }
	mantissa := func(a *nd.Array[T]) *nd.Array[T] { f, _ := nd.Frexp(a); return f }
	exponent := func(a *nd.Array[T]) *nd.Array[T] { _, e := nd.Frexp(a); return nd.AsType[T](e) }
	three := nd.AsType[T](nd.Full(3.0, len(list)))
	down := nd.Full(int32(-3), len(list))
	functions := []function{
		{"Sqrt", 0, 0, nd.Sqrt[T], math.Sqrt},
		{"Rsqrt", 2, 0, nd.Rsqrt[T], func(x float64) float64 { return 1 / math.Sqrt(x) }},
		{"Cbrt", 6, 0, nd.Cbrt[T], math.Cbrt},
		{"Exp", 4, 0, nd.Exp[T], math.Exp},
		{"Exp2", 4, 0, nd.Exp2[T], math.Exp2},
		{"Expm1", 4, 0, nd.Expm1[T], math.Expm1},
		{"Log", 4, 1, nd.Log[T], math.Log},
		{"Log2", 4, 1, nd.Log2[T], math.Log2},
		{"Log10", 4, 1, nd.Log10[T], math.Log10},
		{"Log1p", 4, 0, nd.Log1p[T], math.Log1p},
		{"Sin", 4, 1, nd.Sin[T], math.Sin},
		{"Cos", 4, 1, nd.Cos[T], math.Cos},
		{"Tan", 10, 1, nd.Tan[T], math.Tan},
		{"Arcsin", 8, 0, nd.Arcsin[T], math.Asin},
		{"Arccos", 8, 1, nd.Arccos[T], math.Acos},
		{"Arctan", 4, 0, nd.Arctan[T], math.Atan},
		{"Sinh", 8, 0, nd.Sinh[T], math.Sinh},
		{"Cosh", 8, 0, nd.Cosh[T], math.Cosh},
		{"Tanh", 8, 0, nd.Tanh[T], math.Tanh},
		{"Arcsinh", 8, 0, nd.Arcsinh[T], math.Asinh},
		{"Arccosh", 8, 1, nd.Arccosh[T], math.Acosh},
		{"Arctanh", 8, 0, nd.Arctanh[T], math.Atanh},
		{"Floor", 0, 0, nd.Floor[T], math.Floor},
		{"Ceil", 0, 0, nd.Ceil[T], math.Ceil},
		{"Trunc", 0, 0, nd.Trunc[T], math.Trunc},
		{"Rint", 0, 0, nd.Rint[T], math.RoundToEven},
		{"Round", 0, 0, nd.Round[T], math.Round},
		{"Erf", 8, 0, nd.Erf[T], math.Erf},
		{"Erfc", 16, 1e-30, nd.Erfc[T], math.Erfc},
		{"Erfinv", 16, 0, nd.Erfinv[T], math.Erfinv},
		{"Erfcinv", 16, 1, nd.Erfcinv[T], math.Erfcinv},
		{"Gamma", 40, 0, nd.Gamma[T], math.Gamma},
		{"Gammaln", 40, 1, nd.Gammaln[T], func(x float64) float64 { v, _ := math.Lgamma(x); return v }},
		{"J0", bessel, 1, nd.J0[T], math.J0},
		{"J1", bessel, 1, nd.J1[T], math.J1},
		{"Y0", bessel, 1, nd.Y0[T], math.Y0},
		{"Y1", bessel, 1, nd.Y1[T], math.Y1},
		{"Jn", bessel, 1, func(a *nd.Array[T]) *nd.Array[T] { return nd.Jn(3, a) }, func(x float64) float64 { return math.Jn(3, x) }},
		{"Yn", bessel, 1, func(a *nd.Array[T]) *nd.Array[T] { return nd.Yn(3, nd.Abs(a).AddScalar(1)) }, func(x float64) float64 { return math.Yn(3, float64(T(math.Abs(x))+1)) }},
		{"Jn of order -3", bessel, 1, func(a *nd.Array[T]) *nd.Array[T] { return nd.Jn(-3, a) }, func(x float64) float64 { return math.Jn(-3, x) }},
		{"Yn of order -3", bessel, 1, func(a *nd.Array[T]) *nd.Array[T] { return nd.Yn(-3, nd.Abs(a).AddScalar(1)) }, func(x float64) float64 { return math.Yn(-3, float64(T(math.Abs(x))+1)) }},
		{"Jn of order 0", bessel, 1, func(a *nd.Array[T]) *nd.Array[T] { return nd.Jn(0, a) }, math.J0},
		{"Logb", 0, 0, nd.Logb[T], math.Logb},
		{"Modf's fraction", 0, 0, frac, func(x float64) float64 {
			if math.IsInf(x, 0) {
				return math.Copysign(0, x)
			}
			_, f := math.Modf(x)
			return math.Copysign(f, x)
		}},
		{"Modf's whole", 0, 0, whole, func(x float64) float64 { w, _ := math.Modf(x); return w }},
		{"Frexp's fraction", 0, 0, mantissa, func(x float64) float64 { f, _ := math.Frexp(x); return f }},
		{"Frexp's exponent", 0, 0, exponent, func(x float64) float64 { _, e := math.Frexp(x); return float64(e) }},
		{"Ldexp", 0, 0, func(a *nd.Array[T]) *nd.Array[T] { return nd.Ldexp(a, down) }, func(x float64) float64 { return math.Ldexp(x, -3) }},
		{"IEEERemainder", 0, 0, func(a *nd.Array[T]) *nd.Array[T] { return nd.IEEERemainder(a, three) }, func(x float64) float64 { return math.Remainder(x, 3) }},
		{"Dim", 1, 0, func(a *nd.Array[T]) *nd.Array[T] { return nd.Dim(a, three) }, func(x float64) float64 { return math.Dim(x, 3) }},
		{"Arctan2", 4, 0, func(a *nd.Array[T]) *nd.Array[T] { return nd.Arctan2(a, three) }, func(x float64) float64 { return math.Atan2(x, 3) }},
		{"Hypot", 4, 0, func(a *nd.Array[T]) *nd.Array[T] { return nd.Hypot(a, three) }, func(x float64) float64 { return math.Hypot(x, 3) }},
	}
	var results []nd.Operand
	arrays := make([]*nd.Array[T], len(functions))
	for i, f := range functions {
		arrays[i] = f.f(a)
		results = append(results, arrays[i])
	}
	nd.Prepare(results...)
	for i, f := range functions {
		bad := 0
		for j, got := range arrays[i].ToHost() {
			x := float64(list[j])
			want := f.want(x)
			g, w := float64(got), float64(T(want))
			same := g == w && (w != 0 || f.ulps > 0 || math.Signbit(g) == math.Signbit(w)) || math.IsNaN(g) && math.IsNaN(w)
			if !same && !(math.Abs(g-w) <= f.ulps*eps*max(math.Abs(w), f.at)) && bad < 3 {
				bad++
				t.Errorf("%s(%v) = %v, want %v", f.name, x, g, w)
			}
		}
	}
	t.Logf("%d functions at %d numbers with seed %d", len(functions), len(list), seed)
}

// Arithmetic on 16-bit floats is that of float32, rounded after each operation.
func TestBFloat16(t *testing.T) {
	s := newSuite(t)
	host := func() []nd.BFloat16 {
		list := make([]nd.BFloat16, 500)
		for i := range list {
			list[i] = nd.BFloat16(s.Uint32())
		}
		return list
	}
	a, b := nd.FromSlice(host()), nd.FromSlice(host())
	x, y := nd.AsType[float32](a), nd.AsType[float32](b)
	round := func(a *nd.Array[float32]) *nd.Array[float32] {
		return nd.AsType[float32](nd.AsType[nd.BFloat16](a).Eval())
	}
	list := map[string][2]*nd.Array[float32]{
		"a + b":          {nd.AsType[float32](a.Add(b)), round(x.Add(y))},
		"a * b":          {nd.AsType[float32](a.Mul(b)), round(x.Mul(y))},
		"a / b":          {nd.AsType[float32](a.Div(b)), round(x.Div(y))},
		"a * b - a":      {nd.AsType[float32](a.Mul(b).Sub(a)), round(round(x.Mul(y)).Sub(x))},
		"max(a, b)":      {nd.AsType[float32](a.Maximum(b)), x.Maximum(y)},
		"sqrt(abs(a))":   {nd.AsType[float32](nd.Sqrt(nd.Abs(a))), round(nd.Sqrt(nd.Abs(x)))},
		"cumulative max": {nd.AsType[float32](nd.Cummax(a)), nd.Cummax(x)},
		"sorted":         {nd.AsType[float32](nd.Sort(a)), nd.Sort(x)},
	}
	var results []nd.Operand
	for _, c := range list {
		results = append(results, c[0], c[1])
	}
	nd.Prepare(results...)
	for name, c := range list {
		want := c[1].ToHost()
		for i, got := range c[0].ToHost() {
			if w := want[i]; got != w && (got == got || w == w) {
				t.Errorf("%s: element %d is %v, want %v", name, i, got, w)
				break
			}
		}
	}
}
