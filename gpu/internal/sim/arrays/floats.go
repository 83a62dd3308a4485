package arrays

import (
	"maps"
	"math"

	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/simd"
)

func div[T real](out, a, b, _ pointer, n int) {
	o, x, y := elements[T](out, n), elements[T](a, n), elements[T](b, n)
	for i := range o {
		o[i] = x[i] / y[i]
	}
}

func reciprocal[T real](out, a, _, _ pointer, n int) {
	o, x := elements[T](out, n), elements[T](a, n)
	for i := range o {
		o[i] = 1 / x[i]
	}
}

func root[T real](out, a, _, _ pointer, n int) {
	o, x := elements[T](out, n), elements[T](a, n)
	for i := range o {
		o[i] = T(math.Sqrt(float64(x[i]))) // of a float32 correctly rounded, too
	}
}

func rsqrt[T real](out, a, _, _ pointer, n int) {
	o, x := elements[T](out, n), elements[T](a, n)
	for i := range o {
		o[i] = 1 / T(math.Sqrt(float64(x[i])))
	}
}

func absolute[T real](out, a, _, _ pointer, n int) {
	o, x := elements[T](out, n), elements[T](a, n)
	for i := range o {
		o[i] = T(math.Abs(float64(x[i])))
	}
}

func maximum[T real](out, a, b, _ pointer, n int) {
	o, x, y := elements[T](out, n), elements[T](a, n), elements[T](b, n)
	for i := range o {
		v := y[i]
		if u := x[i]; u >= v || u != u {
			v = u
		}
		o[i] = v
	}
}

func minimum[T real](out, a, b, _ pointer, n int) {
	o, x, y := elements[T](out, n), elements[T](a, n), elements[T](b, n)
	for i := range o {
		v := y[i]
		if u := x[i]; u <= v || u != u {
			v = u
		}
		o[i] = v
	}
}

func relu[T real](out, a, _, _ pointer, n int) {
	o, x := elements[T](out, n), elements[T](a, n)
	for i := range o {
		v := x[i]
		if v < 0 {
			v = 0
		}
		o[i] = v
	}
}

// of and of2 are functions of package math on any float.
func of[T real](f func(float64) float64) fn {
	return unary(func(a T) T { return T(f(float64(a))) })
}

func of2[T real](f func(a, b float64) float64) fn {
	return binary(func(a, b T) T { return T(f(float64(a), float64(b))) })
}

// floats are the operations of a float type, without those that depend on its precision.
func floats[T real]() map[string]fn {
	ops := common[T]()
	maps.Copy(ops, map[string]fn{
		"Div": div[T], "Reciprocal": reciprocal[T], "sqrt": root[T], "Rsqrt": rsqrt[T], "Abs": absolute[T],
		"Maximum": maximum[T], "Minimum": minimum[T], "Relu": relu[T],
		"FloorDiv": binary(floorDiv[T]), "Mod": binary(modulo[T]), "Fmod": of2[T](math.Mod), "Pow": of2[T](pow),
		"Fmax": binary(func(a, b T) T {
			if a >= b || b != b {
				return a
			}
			return b
		}),
		"Fmin": binary(func(a, b T) T {
			if a <= b || b != b {
				return a
			}
			return b
		}),
		"Dim": binary(func(a, b T) T {
			if a-b <= 0 {
				return 0
			}
			return a - b
		}),
		"Heaviside": binary(func(a, b T) T {
			switch {
			case a != a:
				return a
			case a == 0:
				return b
			case a > 0:
				return 1
			}
			return 0
		}),
		"Sign": unary(func(a T) T {
			switch {
			case a > 0:
				return 1
			case a < 0:
				return -1
			case a == 0:
				return 0
			}
			return a
		}),
		"atan2": of2[T](atan2), "Hypot": of2[T](math.Hypot), "copysign": of2[T](math.Copysign), "remainder": of2[T](math.Remainder),
		"Logaddexp": binary(logaddexp[T]),
		"cbrt":      of[T](math.Cbrt), "exp": of[T](math.Exp), "exp2": of[T](math.Exp2), "expm1": of[T](math.Expm1),
		"log": of[T](log), "log2": of[T](math.Log2), "log10": of[T](log10), "log1p": of[T](math.Log1p),
		"sin": of[T](sin), "cos": of[T](cos), "tan": of[T](tan),
		"asin": of[T](math.Asin), "acos": of[T](math.Acos), "atan": of[T](math.Atan),
		"sinh": of[T](math.Sinh), "cosh": of[T](math.Cosh), "tanh": of[T](math.Tanh),
		"asinh": of[T](math.Asinh), "acosh": of[T](math.Acosh), "atanh": of[T](math.Atanh),
		"floor": of[T](math.Floor), "ceil": of[T](math.Ceil), "trunc": of[T](math.Trunc), "rint": of[T](math.RoundToEven), "round": of[T](math.Round),
		"erf": of[T](math.Erf), "erfc": of[T](math.Erfc), "tgamma": of[T](math.Gamma), "logb": of[T](math.Logb),
		"lgamma": of[T](func(a float64) float64 { v, _ := math.Lgamma(a); return v }),
		"Erfinv": of[T](erfinv), "Erfcinv": of[T](erfcinv),
		"j0": of[T](math.J0), "j1": of[T](math.J1), "y0": of[T](math.Y0), "y1": of[T](math.Y1),
		"Modf":     of[T](fraction),
		"IsNaN":    unary(func(a T) bool { return a != a }),
		"IsInf":    unary(func(a T) bool { return math.IsInf(float64(a), 0) }),
		"IsFinite": unary(func(a T) bool { return a-a == 0 }),
		"Signbit":  unary(func(a T) bool { return math.Signbit(float64(a)) }),
		"Sigmoid": unary(func(a T) T {
			e := T(math.Exp(-math.Abs(float64(a))))
			if a < 0 {
				return e / (1 + e)
			}
			return 1 / (1 + e)
		}),
	})
	return ops
}

func floorDiv[T real](a, b T) T {
	if b == 0 {
		return a / b
	}
	m := T(math.Mod(float64(a), float64(b)))
	d := (a - m) / b
	if m != 0 && (b < 0) != (m < 0) {
		d--
	}
	if d == 0 {
		return T(math.Copysign(0, float64(a/b)))
	}
	f := T(math.Floor(float64(d)))
	if d-f > 0.5 {
		return f + 1
	}
	return f
}

func modulo[T real](a, b T) T {
	m := T(math.Mod(float64(a), float64(b)))
	if m == 0 {
		return T(math.Copysign(0, float64(b)))
	}
	if (b < 0) != (m < 0) {
		return m + b
	}
	return m
}

func logaddexp[T real](a, b T) T {
	if a == b {
		return a + math.Ln2
	}
	d := a - b
	part := func(high, d T) T { return high + T(math.Log1p(math.Exp(float64(d)))) }
	switch {
	case d > 0:
		return part(a, -d)
	case d <= 0:
		return part(b, d)
	}
	return d
}

// fraction returns the part of a after the decimal point, with its sign, as C's modf does.
func fraction(a float64) float64 {
	switch {
	case math.IsInf(a, 0):
		return math.Copysign(0, a)
	case a != a:
		return a
	}
	return math.Copysign(a-math.Trunc(a), a)
}

// float32s and float64s are the operations of the two types, and plain32 and plain64 those without vectors.
var (
	plain32 = with(floats[float32](), map[string]fn{
		"Nextafter": binary(nextafter32), "FMA": ternary(fma32),
		"exp": exp32, "log": log32, "log2": log2of32, "log10": log10of32, "log1p": log1pOf32, "Pow": pow32, "Sigmoid": sigmoid32, "tanh": tanh32, "erf": erf32, "erfc": erfc32,
	})
	plain64  = with(floats[float64](), map[string]fn{"Nextafter": binary(nextafter), "FMA": ternary(math.FMA)})
	float32s = with(with(maps.Clone(plain32), vectors32()), comparisons(simd.Equal32, simd.NotEqual32, simd.Less32, simd.LessEqual32))
	float64s = with(with(maps.Clone(plain64), vectors64()), comparisons(simd.Equal64, simd.NotEqual64, simd.Less64, simd.LessEqual64))
)
