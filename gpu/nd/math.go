package nd

// float is an operation on floating-point numbers alone.
func float[T Float](name string, o op, a *Array[T]) *Array[T] {
	return unary[T](name, o, a.check(name))
}

// analytic is an operation on floating-point and complex numbers.
func analytic[T Float | Complex](name string, o op, a *Array[T]) *Array[T] {
	o.takes(name, a.check(name).dt)
	return unary[T](name, o, a.core())
}

// Sqrt is the square root.
func Sqrt[T Float | Complex](a *Array[T]) *Array[T] { return analytic("Sqrt", opSqrt, a) }

// Exp is e to the power of a.
func Exp[T Float | Complex](a *Array[T]) *Array[T] { return analytic("Exp", opExp, a) }

// Log is the natural logarithm.
func Log[T Float | Complex](a *Array[T]) *Array[T] { return analytic("Log", opLog, a) }

// Sin is the sine of radians.
func Sin[T Float | Complex](a *Array[T]) *Array[T] { return analytic("Sin", opSin, a) }

// Cos is the cosine of radians.
func Cos[T Float | Complex](a *Array[T]) *Array[T] { return analytic("Cos", opCos, a) }

// Reciprocal is 1 / a.
func Reciprocal[T Float | Complex](a *Array[T]) *Array[T] {
	return analytic("Reciprocal", opReciprocal, a)
}

// Rsqrt is 1 / Sqrt(a).
func Rsqrt[T Float](a *Array[T]) *Array[T] { return float("Rsqrt", opRsqrt, a) }

// Cbrt is the cube root.
func Cbrt[T Float](a *Array[T]) *Array[T] { return float("Cbrt", opCbrt, a) }

// Exp2 is 2 to the power of a.
func Exp2[T Float](a *Array[T]) *Array[T] { return float("Exp2", opExp2, a) }

// Expm1 is Exp(a) - 1, exact also for small a.
func Expm1[T Float](a *Array[T]) *Array[T] { return float("Expm1", opExpm1, a) }

// Log2 is the logarithm to base 2.
func Log2[T Float](a *Array[T]) *Array[T] { return float("Log2", opLog2, a) }

// Log10 is the logarithm to base 10.
func Log10[T Float](a *Array[T]) *Array[T] { return float("Log10", opLog10, a) }

// Log1p is Log(1 + a), exact also for small a.
func Log1p[T Float](a *Array[T]) *Array[T] { return float("Log1p", opLog1p, a) }

// Tan is the tangent of radians.
func Tan[T Float](a *Array[T]) *Array[T] { return float("Tan", opTan, a) }

// Arcsin is the arcsine in radians.
func Arcsin[T Float](a *Array[T]) *Array[T] { return float("Arcsin", opAsin, a) }

// Arccos is the arccosine in radians.
func Arccos[T Float](a *Array[T]) *Array[T] { return float("Arccos", opAcos, a) }

// Arctan is the arctangent in radians.
func Arctan[T Float](a *Array[T]) *Array[T] { return float("Arctan", opAtan, a) }

// Sinh is the hyperbolic sine.
func Sinh[T Float](a *Array[T]) *Array[T] { return float("Sinh", opSinh, a) }

// Cosh is the hyperbolic cosine.
func Cosh[T Float](a *Array[T]) *Array[T] { return float("Cosh", opCosh, a) }

// Tanh is the hyperbolic tangent.
func Tanh[T Float](a *Array[T]) *Array[T] { return float("Tanh", opTanh, a) }

// Arcsinh is the inverse hyperbolic sine.
func Arcsinh[T Float](a *Array[T]) *Array[T] { return float("Arcsinh", opAsinh, a) }

// Arccosh is the inverse hyperbolic cosine.
func Arccosh[T Float](a *Array[T]) *Array[T] { return float("Arccosh", opAcosh, a) }

// Arctanh is the inverse hyperbolic tangent.
func Arctanh[T Float](a *Array[T]) *Array[T] { return float("Arctanh", opAtanh, a) }

// Floor rounds down.
func Floor[T Float](a *Array[T]) *Array[T] { return float("Floor", opFloor, a) }

// Ceil rounds up.
func Ceil[T Float](a *Array[T]) *Array[T] { return float("Ceil", opCeil, a) }

// Trunc rounds towards zero.
func Trunc[T Float](a *Array[T]) *Array[T] { return float("Trunc", opTrunc, a) }

// Rint rounds to the nearest whole number, ties to even.
func Rint[T Float](a *Array[T]) *Array[T] { return float("Rint", opRint, a) }

// Erf is the error function.
func Erf[T Float](a *Array[T]) *Array[T] { return float("Erf", opErf, a) }

// Erfc is 1 - Erf(a), exact also for large a.
func Erfc[T Float](a *Array[T]) *Array[T] { return float("Erfc", opErfc, a) }

// Erfinv is the inverse of Erf.
func Erfinv[T Float](a *Array[T]) *Array[T] { return float("Erfinv", opErfinv, a) }

// Gamma is the gamma function.
func Gamma[T Float](a *Array[T]) *Array[T] { return float("Gamma", opGamma, a) }

// Gammaln is the logarithm of the absolute value of the gamma function.
func Gammaln[T Float](a *Array[T]) *Array[T] { return float("Gammaln", opLgamma, a) }

// J0 is the Bessel function of the first kind of order 0.
func J0[T Float](a *Array[T]) *Array[T] { return float("J0", opJ0, a) }

// J1 is the Bessel function of the first kind of order 1.
func J1[T Float](a *Array[T]) *Array[T] { return float("J1", opJ1, a) }

// Y0 is the Bessel function of the second kind of order 0.
func Y0[T Float](a *Array[T]) *Array[T] { return float("Y0", opY0, a) }

// Y1 is the Bessel function of the second kind of order 1.
func Y1[T Float](a *Array[T]) *Array[T] { return float("Y1", opY1, a) }

// Jn is the Bessel function of the first kind of order n.
func Jn[T Float](n int, a *Array[T]) *Array[T] { return as[T](a.core().ofOrder("Jn", opJn, n)) }

// Yn is the Bessel function of the second kind of order n.
func Yn[T Float](n int, a *Array[T]) *Array[T] { return as[T](a.core().ofOrder("Yn", opYn, n)) }

// ofOrder is an operation on an array and a whole number.
func (n *node) ofOrder(name string, o op, order int) *node {
	if int(int32(order)) != order {
		fail(name, "there is no order %d", order)
	}
	c := new(node)
	c.constant(Int32, numberOf(int32(order)))
	return n.binary(name, o, n.check(name).dt, c)
}

// Erfcinv is the inverse of Erfc.
func Erfcinv[T Float](a *Array[T]) *Array[T] { return float("Erfcinv", opErfcinv, a) }

// Round rounds to the nearest whole number, ties away from zero.
func Round[T Float](a *Array[T]) *Array[T] { return float("Round", opRound, a) }

// IEEERemainder is a less the whole multiple of b that is nearest to it, ties to even: Go's math.Remainder. NumPy's remainder is Mod.
func IEEERemainder[T Float](a, b *Array[T]) *Array[T] {
	return as[T](a.core().arith("IEEERemainder", opRemainder, b.core()))
}

// Dim is the larger one of a - b and 0.
func Dim[T Float](a, b *Array[T]) *Array[T] { return as[T](a.core().arith("Dim", opDim, b.core())) }

// Logb is the exponent of 2 in a: a whole number e for which a is 2ᵉ times a number from 1 to below 2.
func Logb[T Float](a *Array[T]) *Array[T] { return float("Logb", opLogb, a) }

// Modf is what a has behind the point and before it, both with its sign. Infinite numbers have 0 behind it.
func Modf[T Float](a *Array[T]) (frac, whole *Array[T]) { return float("Modf", opFrac, a), Trunc(a) }

// Ldexp is a·2ᵇ.
func Ldexp[T Float](a *Array[T], b *Array[int32]) *Array[T] {
	return binary[T]("Ldexp", opLdexp, DTypeOf[T](), a.check("Ldexp"), b.check("Ldexp"))
}

// Frexp is the numbers for which a is frac·2ᵉˣᵖ, with frac from ½ to below 1. Of 0, infinite numbers and NaN frac is the number itself
// and exp 0.
func Frexp[T Float](a *Array[T]) (frac *Array[T], exp *Array[int32]) {
	return float("Frexp", opMantissa, a), unary[int32]("Frexp", opExponent, a.core())
}

// Sigmoid is 1 / (1 + Exp(-a)).
func Sigmoid[T Float](a *Array[T]) *Array[T] { return float("Sigmoid", opSigmoid, a) }

// Relu is a.MaximumScalar(0).
func Relu[T Float](a *Array[T]) *Array[T] { return float("Relu", opRelu, a) }

// Arctan2 is the angle of the points (b, a), in radians.
func Arctan2[T Float](a, b *Array[T]) *Array[T] {
	return as[T](a.core().arith("Arctan2", opAtan2, b.core()))
}

// Hypot is Sqrt(a·a + b·b) without overflow on the way.
func Hypot[T Float](a, b *Array[T]) *Array[T] {
	return as[T](a.core().arith("Hypot", opHypot, b.core()))
}

// Copysign is a with the sign of b.
func Copysign[T Float](a, b *Array[T]) *Array[T] {
	return as[T](a.core().arith("Copysign", opCopysign, b.core()))
}

// Fmax is the larger one, or a if they are equal; NaNs are passed over.
func Fmax[T Float](a, b *Array[T]) *Array[T] { return as[T](a.core().arith("Fmax", opFmax, b.core())) }

// Fmin is the smaller one, or a if they are equal; NaNs are passed over.
func Fmin[T Float](a, b *Array[T]) *Array[T] { return as[T](a.core().arith("Fmin", opFmin, b.core())) }

// Logaddexp is Log(Exp(a) + Exp(b)) without overflow on the way.
func Logaddexp[T Float](a, b *Array[T]) *Array[T] {
	return as[T](a.core().arith("Logaddexp", opLogaddexp, b.core()))
}

// Heaviside is 0 where a is negative, 1 where it is positive, and b where it is 0.
func Heaviside[T Float](a, b *Array[T]) *Array[T] {
	return as[T](a.core().arith("Heaviside", opHeaviside, b.core()))
}

// Nextafter is the next number after a on the way to b.
func Nextafter[T float32 | float64](a, b *Array[T]) *Array[T] {
	return as[T](a.core().arith("Nextafter", opNextafter, b.core()))
}

// FMA is a·b + c, rounded once.
func FMA[T float32 | float64](a, b, c *Array[T]) *Array[T] {
	return ternary[T]("FMA", opFMA, DTypeOf[T](), a.check("FMA"), b.check("FMA"), c.check("FMA"))
}

// Abs is the absolute value. That of the least integer is itself. Complex numbers have Magnitude.
func Abs[T Real](a *Array[T]) *Array[T] { return as[T](a.core().own("Abs", opAbs)) }

// Sign is -1, 0 or 1.
func Sign[T Real](a *Array[T]) *Array[T] { return as[T](a.core().own("Sign", opSign)) }

// IsNaN is whether an element is not a number.
func IsNaN[T Float | Complex](a *Array[T]) *Array[bool] {
	return unary[bool]("IsNaN", opIsnan, a.check("IsNaN"))
}

// IsInf is whether an element is infinite.
func IsInf[T Float](a *Array[T]) *Array[bool] { return unary[bool]("IsInf", opIsinf, a.check("IsInf")) }

// IsFinite is whether an element is neither infinite nor NaN.
func IsFinite[T Float](a *Array[T]) *Array[bool] {
	return unary[bool]("IsFinite", opIsfinite, a.check("IsFinite"))
}

// Signbit is whether the sign is minus, also that of 0.
func Signbit[T Float](a *Array[T]) *Array[bool] {
	return unary[bool]("Signbit", opSignbit, a.check("Signbit"))
}

// part is an operation on complex numbers whose result is the type of their parts.
func part[R Float, C Complex](name string, o op, a *Array[C]) *Array[R] {
	a.check(name)
	if r := DTypeOf[R](); r != a.dt.realPart() {
		fail(name, "the parts of %v are %v, not %v", a.dt, a.dt.realPart(), r)
	}
	return unary[R](name, o, a.core())
}

// RealPart is the real part: nd.RealPart[float32](a) of complex64s.
func RealPart[R Float, C Complex](a *Array[C]) *Array[R] { return part[R]("RealPart", opReal, a) }

// ImagPart is the imaginary part.
func ImagPart[R Float, C Complex](a *Array[C]) *Array[R] { return part[R]("ImagPart", opImag, a) }

// Magnitude is the absolute value of complex numbers.
func Magnitude[R Float, C Complex](a *Array[C]) *Array[R] {
	return part[R]("Magnitude", opAbsComplex, a)
}

// Angle is the angle of complex numbers in the plane, in radians.
func Angle[R Float, C Complex](a *Array[C]) *Array[R] { return part[R]("Angle", opAngle, a) }

// Conj is the complex conjugate.
func Conj[T Complex](a *Array[T]) *Array[T] { return as[T](a.core().own("Conj", opConj)) }

// ToComplex makes complex numbers of their parts.
func ToComplex[C Complex, R Float](re, im *Array[R]) *Array[C] {
	const name = "ToComplex"
	dt := DTypeOf[C]()
	if re.check(name).dt != dt.realPart() {
		fail(name, "the parts of %v are %v, not %v", dt, dt.realPart(), re.dt)
	}
	return binary[C](name, opComplex, dt, re.core(), im.check(name))
}
