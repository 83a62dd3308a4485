package arrays

import (
	"math"
)

// pair is a complex number. Its arithmetic is that of the kernels, in the precision of its parts: Go's own complex64 is computed in
// float64.
type pair[R real] struct{ re, im R }

func (a pair[R]) plus(b pair[R]) pair[R]  { return pair[R]{a.re + b.re, a.im + b.im} }
func (a pair[R]) minus(b pair[R]) pair[R] { return pair[R]{a.re - b.re, a.im - b.im} }

// The conversions keep the compiler from contracting products with sums.
func (a pair[R]) times(b pair[R]) pair[R] {
	return pair[R]{R(a.re*b.re) - R(a.im*b.im), R(a.re*b.im) + R(a.im*b.re)}
}

// over returns a / b by Smith's method.
func (a pair[R]) over(b pair[R]) pair[R] {
	if math.Abs(float64(b.re)) >= math.Abs(float64(b.im)) {
		if b.re == 0 && b.im == 0 {
			return pair[R]{a.re / R(math.Abs(float64(b.re))), a.im / R(math.Abs(float64(b.im)))}
		}
		r := b.im / b.re
		d := 1 / (b.re + R(b.im*r))
		return pair[R]{(a.re + R(a.im*r)) * d, (a.im - R(a.re*r)) * d}
	}
	r := b.re / b.im
	d := 1 / (b.im + R(b.re*r))
	return pair[R]{(R(a.re*r) + a.im) * d, (R(a.im*r) - a.re) * d}
}

func (a pair[R]) less(b pair[R]) bool      { return a.re < b.re || a.re == b.re && a.im < b.im }
func (a pair[R]) lessEqual(b pair[R]) bool { return a.re < b.re || a.re == b.re && a.im <= b.im }

// call returns a function of package math on a part.
func call[R real](f func(float64) float64, a R) R { return R(f(float64(a))) }

func hypot[R real](a, b R) R { return R(math.Hypot(float64(a), float64(b))) }

func (a pair[R]) exp() pair[R] {
	e := call(math.Exp, a.re)
	if a.im == 0 {
		return pair[R]{e, a.im}
	}
	return pair[R]{e * call(cos, a.im), e * call(sin, a.im)}
}

func (a pair[R]) log() pair[R] {
	return pair[R]{call(log, hypot(a.re, a.im)), R(atan2(float64(a.im), float64(a.re)))}
}

func (a pair[R]) sqrt() pair[R] {
	m := hypot(a.re, a.im)
	if m == 0 {
		return pair[R]{0, a.im}
	}
	s := call(math.Sqrt, (m+call(math.Abs, a.re))/2)
	if a.re >= 0 {
		return pair[R]{s, a.im / (2 * s)}
	}
	return pair[R]{call(math.Abs, a.im) / (2 * s), R(math.Copysign(float64(s), float64(a.im)))}
}

func (a pair[R]) sin() pair[R] {
	return pair[R]{call(sin, a.re) * call(math.Cosh, a.im), call(cos, a.re) * call(math.Sinh, a.im)}
}

func (a pair[R]) cos() pair[R] {
	return pair[R]{call(cos, a.re) * call(math.Cosh, a.im), -call(sin, a.re) * call(math.Sinh, a.im)}
}

func (a pair[R]) pow(b pair[R]) pair[R] {
	if b.re == 0 && b.im == 0 {
		return pair[R]{1, 0}
	}
	if a.re == 0 && a.im == 0 {
		return pair[R]{}
	}
	return b.times(a.log()).exp()
}

// complexes are the operations of a complex type with parts of type R.
func complexes[R real]() map[string]fn {
	type C = pair[R]
	return map[string]fn{
		"Add": binary(C.plus), "Sub": binary(C.minus), "Mul": binary(C.times), "Div": binary(C.over), "Pow": binary(C.pow),
		"Equal": equal[C], "NotEqual": notEqual[C],
		"Less": binary(C.less), "LessEqual": binary(C.lessEqual),
		"Greater":      binary(func(a, b C) bool { return b.less(a) }),
		"GreaterEqual": binary(func(a, b C) bool { return b.lessEqual(a) }),
		"Neg":          unary(func(a C) C { return C{-a.re, -a.im} }),
		"Square":       unary(func(a C) C { return a.times(a) }),
		"Reciprocal":   unary(func(a C) C { return C{1, 0}.over(a) }),
		"sqrt":         unary(C.sqrt), "exp": unary(C.exp), "log": unary(C.log), "sin": unary(C.sin), "cos": unary(C.cos),
		"IsNaN":      unary(func(a C) bool { return a.re != a.re || a.im != a.im }),
		"RealPart":   unary(func(a C) R { return a.re }),
		"ImagPart":   unary(func(a C) R { return a.im }),
		"Conj":       unary(func(a C) C { return C{a.re, -a.im} }),
		"AbsComplex": unary(func(a C) R { return hypot(a.re, a.im) }),
		"Angle":      unary(func(a C) R { return R(atan2(float64(a.im), float64(a.re))) }),
	}
}

// joined makes complex numbers of their parts.
func joined[R real](out, a, b, _ pointer, n int) {
	o, x, y := elements[pair[R]](out, n), elements[R](a, n), elements[R](b, n)
	for i := range o {
		o[i] = pair[R]{x[i], y[i]}
	}
}
