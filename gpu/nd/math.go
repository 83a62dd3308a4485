package nd

// float returns an operation on floating-point numbers only.
func float[T Float](name string, o op, a *Array[T]) *Array[T] {
	return unary[T](name, o, nodeOf(a).check(name))
}

// analytic returns an operation on floating-point and complex numbers.
func analytic[T Float | Complex](name string, o op, a *Array[T]) *Array[T] {
	o.takes(name, nodeOf(a).check(name).dt)
	return unary[T](name, o, nodeOf(a))
}

// Sqrt returns the square root, element-wise.
func Sqrt[T Float | Complex](a *Array[T]) *Array[T] { return analytic("Sqrt", opSqrt, a) }

// Exp returns e to the power of a, element-wise.
func Exp[T Float | Complex](a *Array[T]) *Array[T] { return analytic("Exp", opExp, a) }

// Log returns the natural logarithm, element-wise.
func Log[T Float | Complex](a *Array[T]) *Array[T] { return analytic("Log", opLog, a) }

// Sin returns the sine of angles in radians, element-wise.
func Sin[T Float | Complex](a *Array[T]) *Array[T] { return analytic("Sin", opSin, a) }

// Cos returns the cosine of angles in radians, element-wise.
func Cos[T Float | Complex](a *Array[T]) *Array[T] { return analytic("Cos", opCos, a) }

// Reciprocal returns 1 / a, element-wise.
func Reciprocal[T Float | Complex](a *Array[T]) *Array[T] {
	return analytic("Reciprocal", opReciprocal, a)
}

// Rsqrt returns 1 / Sqrt(a), element-wise.
func Rsqrt[T Float](a *Array[T]) *Array[T] { return float("Rsqrt", opRsqrt, a) }

// Cbrt returns the cube root, element-wise.
func Cbrt[T Float](a *Array[T]) *Array[T] { return float("Cbrt", opCbrt, a) }

// Exp2 returns 2 to the power of a, element-wise.
func Exp2[T Float](a *Array[T]) *Array[T] { return float("Exp2", opExp2, a) }

// Expm1 returns Exp(a) - 1, element-wise, accurate also for small a.
func Expm1[T Float](a *Array[T]) *Array[T] { return float("Expm1", opExpm1, a) }

// Log2 returns the logarithm to base 2, element-wise.
func Log2[T Float](a *Array[T]) *Array[T] { return float("Log2", opLog2, a) }

// Log10 returns the logarithm to base 10, element-wise.
func Log10[T Float](a *Array[T]) *Array[T] { return float("Log10", opLog10, a) }

// Log1p returns Log(1 + a), element-wise, accurate also for small a.
func Log1p[T Float](a *Array[T]) *Array[T] { return float("Log1p", opLog1p, a) }

// Tan returns the tangent of angles in radians, element-wise.
func Tan[T Float](a *Array[T]) *Array[T] { return float("Tan", opTan, a) }

// Arcsin returns the arcsine in radians, element-wise.
func Arcsin[T Float](a *Array[T]) *Array[T] { return float("Arcsin", opAsin, a) }

// Arccos returns the arccosine in radians, element-wise.
func Arccos[T Float](a *Array[T]) *Array[T] { return float("Arccos", opAcos, a) }

// Arctan returns the arctangent in radians, element-wise.
func Arctan[T Float](a *Array[T]) *Array[T] { return float("Arctan", opAtan, a) }

// Sinh returns the hyperbolic sine, element-wise.
func Sinh[T Float](a *Array[T]) *Array[T] { return float("Sinh", opSinh, a) }

// Cosh returns the hyperbolic cosine, element-wise.
func Cosh[T Float](a *Array[T]) *Array[T] { return float("Cosh", opCosh, a) }

// Tanh returns the hyperbolic tangent, element-wise.
func Tanh[T Float](a *Array[T]) *Array[T] { return float("Tanh", opTanh, a) }

// Arcsinh returns the inverse hyperbolic sine, element-wise.
func Arcsinh[T Float](a *Array[T]) *Array[T] { return float("Arcsinh", opAsinh, a) }

// Arccosh returns the inverse hyperbolic cosine, element-wise.
func Arccosh[T Float](a *Array[T]) *Array[T] { return float("Arccosh", opAcosh, a) }

// Arctanh returns the inverse hyperbolic tangent, element-wise.
func Arctanh[T Float](a *Array[T]) *Array[T] { return float("Arctanh", opAtanh, a) }

// Floor returns a rounded down, element-wise.
func Floor[T Float](a *Array[T]) *Array[T] { return float("Floor", opFloor, a) }

// Ceil returns a rounded up, element-wise.
func Ceil[T Float](a *Array[T]) *Array[T] { return float("Ceil", opCeil, a) }

// Trunc returns a rounded toward zero, element-wise.
func Trunc[T Float](a *Array[T]) *Array[T] { return float("Trunc", opTrunc, a) }

// Rint returns a rounded to the nearest integer, element-wise, ties to even.
func Rint[T Float](a *Array[T]) *Array[T] { return float("Rint", opRint, a) }

// Erf returns the error function, element-wise.
func Erf[T Float](a *Array[T]) *Array[T] { return float("Erf", opErf, a) }

// Erfc returns 1 - Erf(a), element-wise, accurate also for large a.
func Erfc[T Float](a *Array[T]) *Array[T] { return float("Erfc", opErfc, a) }

// Erfinv returns the inverse of Erf, element-wise.
func Erfinv[T Float](a *Array[T]) *Array[T] { return float("Erfinv", opErfinv, a) }

// Gamma returns the gamma function, element-wise.
func Gamma[T Float](a *Array[T]) *Array[T] { return float("Gamma", opGamma, a) }

// Gammaln returns the natural logarithm of the absolute value of the gamma function, element-wise.
func Gammaln[T Float](a *Array[T]) *Array[T] { return float("Gammaln", opLgamma, a) }

// J0 returns the Bessel function of the first kind of order 0, element-wise.
func J0[T Float](a *Array[T]) *Array[T] { return float("J0", opJ0, a) }

// J1 returns the Bessel function of the first kind of order 1, element-wise.
func J1[T Float](a *Array[T]) *Array[T] { return float("J1", opJ1, a) }

// Y0 returns the Bessel function of the second kind of order 0, element-wise.
func Y0[T Float](a *Array[T]) *Array[T] { return float("Y0", opY0, a) }

// Y1 returns the Bessel function of the second kind of order 1, element-wise.
func Y1[T Float](a *Array[T]) *Array[T] { return float("Y1", opY1, a) }

// Jn returns the Bessel function of the first kind of order n, element-wise.
func Jn[T Float](n int, a *Array[T]) *Array[T] { return as[T](nodeOf(a).ofOrder("Jn", opJn, n)) }

// Yn returns the Bessel function of the second kind of order n, element-wise.
func Yn[T Float](n int, a *Array[T]) *Array[T] { return as[T](nodeOf(a).ofOrder("Yn", opYn, n)) }

// ofOrder returns an operation on an array and an integer.
func (n *node) ofOrder(name string, o op, order int) *node {
	if int(int32(order)) != order {
		fail(name, "there is no order %d", order)
	}
	c := new(node)
	c.constant(Int32, numberOf(int32(order)))
	return n.binary(name, o, n.check(name).dt, c)
}

// Erfcinv returns the inverse of Erfc, element-wise.
func Erfcinv[T Float](a *Array[T]) *Array[T] { return float("Erfcinv", opErfcinv, a) }

// Round returns a rounded to the nearest integer, element-wise, ties away from zero.
func Round[T Float](a *Array[T]) *Array[T] { return float("Round", opRound, a) }

// IEEERemainder returns the IEEE 754 remainder, element-wise: a minus the multiple of b nearest to a, ties to the even multiple, as Go's
// math.Remainder. NumPy's remainder is Mod.
func IEEERemainder[T Float](a, b *Array[T]) *Array[T] {
	return as[T](nodeOf(a).arith("IEEERemainder", opRemainder, nodeOf(b)))
}

// Dim returns the maximum of a - b and 0, element-wise.
func Dim[T Float](a, b *Array[T]) *Array[T] { return as[T](nodeOf(a).arith("Dim", opDim, nodeOf(b))) }

// Logb returns the binary exponent of a, element-wise: the integer e for which |a| is 2ᵉ times a number in [1, 2).
func Logb[T Float](a *Array[T]) *Array[T] { return float("Logb", opLogb, a) }

// Modf returns the fractional and the integral part of a, element-wise, both with its sign. The fractional part of an infinity is 0.
func Modf[T Float](a *Array[T]) (frac, whole *Array[T]) { return float("Modf", opFrac, a), Trunc(a) }

// Ldexp returns a·2ᵇ, element-wise.
func Ldexp[T Float](a *Array[T], b *Array[int32]) *Array[T] {
	return binary[T]("Ldexp", opLdexp, DTypeOf[T](), nodeOf(a).check("Ldexp"), nodeOf(b).check("Ldexp"))
}

// Frexp returns frac and exp for which a is frac·2ᵉˣᵖ, element-wise, with the absolute value of frac in [½, 1). Of 0, infinities and
// NaN frac is the number itself and exp is 0.
func Frexp[T Float](a *Array[T]) (frac *Array[T], exp *Array[int32]) {
	return float("Frexp", opMantissa, a), unary[int32]("Frexp", opExponent, nodeOf(a))
}

// Sigmoid returns 1 / (1 + Exp(-a)), element-wise.
func Sigmoid[T Float](a *Array[T]) *Array[T] { return float("Sigmoid", opSigmoid, a) }

// Relu returns a.MaximumScalar(0).
func Relu[T Float](a *Array[T]) *Array[T] { return float("Relu", opRelu, a) }

// Arctan2 returns the angle of the points (x, y) = (b, a), element-wise and in radians.
func Arctan2[T Float](a, b *Array[T]) *Array[T] {
	return as[T](nodeOf(a).arith("Arctan2", opAtan2, nodeOf(b)))
}

// Hypot returns Sqrt(a·a + b·b) without overflow of intermediate results, element-wise.
func Hypot[T Float](a, b *Array[T]) *Array[T] {
	return as[T](nodeOf(a).arith("Hypot", opHypot, nodeOf(b)))
}

// Copysign returns a with the sign of b, element-wise.
func Copysign[T Float](a, b *Array[T]) *Array[T] {
	return as[T](nodeOf(a).arith("Copysign", opCopysign, nodeOf(b)))
}

// Fmax returns the element-wise maximum of a and b, or a if they are equal; if one is NaN, the other is returned.
func Fmax[T Float](a, b *Array[T]) *Array[T] {
	return as[T](nodeOf(a).arith("Fmax", opFmax, nodeOf(b)))
}

// Fmin returns the element-wise minimum of a and b, or a if they are equal; if one is NaN, the other is returned.
func Fmin[T Float](a, b *Array[T]) *Array[T] {
	return as[T](nodeOf(a).arith("Fmin", opFmin, nodeOf(b)))
}

// Logaddexp returns Log(Exp(a) + Exp(b)) without overflow of intermediate results, element-wise.
func Logaddexp[T Float](a, b *Array[T]) *Array[T] {
	return as[T](nodeOf(a).arith("Logaddexp", opLogaddexp, nodeOf(b)))
}

// Heaviside returns, element-wise, 0 where a is negative, 1 where it is positive, and b where it is 0.
func Heaviside[T Float](a, b *Array[T]) *Array[T] {
	return as[T](nodeOf(a).arith("Heaviside", opHeaviside, nodeOf(b)))
}

// Nextafter returns the next floating-point number after a in the direction of b, element-wise.
func Nextafter[T float32 | float64](a, b *Array[T]) *Array[T] {
	return as[T](nodeOf(a).arith("Nextafter", opNextafter, nodeOf(b)))
}

// FMA returns a·b + c, element-wise, rounded once.
func FMA[T float32 | float64](a, b, c *Array[T]) *Array[T] {
	return ternary[T]("FMA", opFMA, DTypeOf[T](), nodeOf(a).check("FMA"), nodeOf(b).check("FMA"), nodeOf(c).check("FMA"))
}

// Abs returns the absolute value, element-wise. That of the smallest signed integer is itself. Complex numbers have Magnitude.
func Abs[T Real](a *Array[T]) *Array[T] { return as[T](nodeOf(a).own("Abs", opAbs)) }

// Sign returns the sign of a, element-wise: -1, 0 or 1.
func Sign[T Real](a *Array[T]) *Array[T] { return as[T](nodeOf(a).own("Sign", opSign)) }

// IsNaN reports, element-wise, whether a is NaN.
func IsNaN[T Float | Complex](a *Array[T]) *Array[bool] {
	return unary[bool]("IsNaN", opIsnan, nodeOf(a).check("IsNaN"))
}

// IsInf reports, element-wise, whether a is infinite.
func IsInf[T Float](a *Array[T]) *Array[bool] {
	return unary[bool]("IsInf", opIsinf, nodeOf(a).check("IsInf"))
}

// IsFinite reports, element-wise, whether a is neither infinite nor NaN.
func IsFinite[T Float](a *Array[T]) *Array[bool] {
	return unary[bool]("IsFinite", opIsfinite, nodeOf(a).check("IsFinite"))
}

// Signbit reports, element-wise, whether the sign of a is minus, also for zeros.
func Signbit[T Float](a *Array[T]) *Array[bool] {
	return unary[bool]("Signbit", opSignbit, nodeOf(a).check("Signbit"))
}

// part returns an operation on complex numbers whose result has the type of their parts.
func part[R Float, C Complex](name string, o op, a *Array[C]) *Array[R] {
	nodeOf(a).check(name)
	if r := DTypeOf[R](); r != nodeOf(a).dt.realPart() {
		fail(name, "the parts of %v are %v, not %v", nodeOf(a).dt, nodeOf(a).dt.realPart(), r)
	}
	return unary[R](name, o, nodeOf(a))
}

// RealPart returns the real part, element-wise: nd.RealPart[float32](a) of complex64s.
func RealPart[R Float, C Complex](a *Array[C]) *Array[R] { return part[R]("RealPart", opReal, a) }

// ImagPart returns the imaginary part, element-wise.
func ImagPart[R Float, C Complex](a *Array[C]) *Array[R] { return part[R]("ImagPart", opImag, a) }

// Magnitude returns the absolute value of complex numbers, element-wise.
func Magnitude[R Float, C Complex](a *Array[C]) *Array[R] {
	return part[R]("Magnitude", opAbsComplex, a)
}

// Angle returns the argument of complex numbers, element-wise, in radians.
func Angle[R Float, C Complex](a *Array[C]) *Array[R] { return part[R]("Angle", opAngle, a) }

// Conj returns the complex conjugate, element-wise.
func Conj[T Complex](a *Array[T]) *Array[T] { return as[T](nodeOf(a).own("Conj", opConj)) }

// ToComplex returns the complex numbers with the given real and imaginary parts.
func ToComplex[C Complex, R Float](re, im *Array[R]) *Array[C] {
	const name = "ToComplex"
	dt := DTypeOf[C]()
	if nodeOf(re).check(name).dt != dt.realPart() {
		fail(name, "the parts of %v are %v, not %v", dt, dt.realPart(), nodeOf(re).dt)
	}
	return binary[C](name, opComplex, dt, nodeOf(re), nodeOf(im).check(name))
}
