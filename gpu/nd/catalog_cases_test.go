package nd_test

import (
	"math"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// larger and smaller are the expressions that NumPy's documentation gives for maximum and minimum: of zeros of both signs, the first one.
// NumPy's own loops return either, by the length of the arrays and the processor, so that their zeros are not compared.
const (
	larger  = "np.where((x0 >= x1) | (x0 != x0), x0, x1)"
	smaller = "np.where((x0 <= x1) | (x0 != x0), x0, x1)"
)

// realCases are the methods that all real numbers have.
func realCases[T nd.Real](c *catalog) {
	type array = nd.Array[T]
	two(c, "Add", "x0 + x1", 0, (*array).Add)
	two(c, "Sub", "x0 - x1", 0, (*array).Sub)
	two(c, "Mul", "x0 * x1", 0, (*array).Mul)
	two(c, "FloorDiv", "x0 // x1", 0, (*array).FloorDiv)
	two(c, "Mod", "x0 % x1", 0, (*array).Mod)
	two(c, "Fmod", "np.fmod(x0, x1)", 0, (*array).Fmod)
	two(c, "Maximum", larger, 0, (*array).Maximum)
	two(c, "Minimum", smaller, 0, (*array).Minimum)
	two(c, "Maximum", "np.maximum(x0, x1) + 0", 0, func(a, b *array) *array { return plus0(a.Maximum(b)) })
	two(c, "Minimum", "np.minimum(x0, x1) + 0", 0, func(a, b *array) *array { return plus0(a.Minimum(b)) })
	two(c, "Equal", "x0 == x1", 0, (*array).Equal)
	two(c, "NotEqual", "x0 != x1", 0, (*array).NotEqual)
	two(c, "Less", "x0 < x1", 0, (*array).Less)
	two(c, "LessEqual", "x0 <= x1", 0, (*array).LessEqual)
	two(c, "Greater", "x0 > x1", 0, (*array).Greater)
	two(c, "GreaterEqual", "x0 >= x1", 0, (*array).GreaterEqual)
	two(c, "LogicalAnd", "np.logical_and(x0, x1)", 0, (*array).LogicalAnd)
	two(c, "LogicalOr", "np.logical_or(x0, x1)", 0, (*array).LogicalOr)
	two(c, "LogicalXor", "np.logical_xor(x0, x1)", 0, (*array).LogicalXor)
	one(c, "LogicalNot", "np.logical_not(x0)", 0, (*array).LogicalNot)
	one(c, "Neg", "-x0", 0, (*array).Neg)
	one(c, "Square", "np.square(x0)", 0, (*array).Square)
	one(c, "Abs", "np.abs(x0)", 0, nd.Abs[T])
	one(c, "Sign", "np.sign(x0)", 0, nd.Sign[T])
	one(c, "Copy", "x0.copy()", 0, (*array).Copy)
	three, k := num[T](3), "x0.dtype.type(3)"
	scalar := func(name, expr string, f func(a *array, v T) *array) {
		one(c, name, expr+k, 0, func(a *array) *array { return f(a, three) })
	}
	compare := func(name, expr string, f func(a *array, v T) *nd.Array[bool]) {
		one(c, name, expr+k, 0, func(a *array) *nd.Array[bool] { return f(a, three) })
	}
	scalar("AddScalar", "x0 + ", (*array).AddScalar)
	scalar("SubScalar", "x0 - ", (*array).SubScalar)
	scalar("MulScalar", "x0 * ", (*array).MulScalar)
	scalar("FloorDivScalar", "x0 // ", (*array).FloorDivScalar)
	scalar("ModScalar", "x0 % ", (*array).ModScalar)
	one(c, "FmodScalar", "np.fmod(x0, x0.dtype.type(3))", 0, func(a *array) *array { return a.FmodScalar(three) })
	one(c, "MaximumScalar", "np.maximum(x0, x0.dtype.type(3))", 0, func(a *array) *array { return a.MaximumScalar(three) })
	one(c, "MinimumScalar", "np.minimum(x0, x0.dtype.type(3))", 0, func(a *array) *array { return a.MinimumScalar(three) })
	one(c, "Clip", "np.clip(x0, x0.dtype.type(3), x0.dtype.type(100))", 0, func(a *array) *array { return a.Clip(three, num[T](100)) })
	compare("EqualScalar", "x0 == ", (*array).EqualScalar)
	compare("NotEqualScalar", "x0 != ", (*array).NotEqualScalar)
	compare("LessScalar", "x0 < ", (*array).LessScalar)
	compare("LessEqualScalar", "x0 <= ", (*array).LessEqualScalar)
	compare("GreaterScalar", "x0 > ", (*array).GreaterScalar)
	compare("GreaterEqualScalar", "x0 >= ", (*array).GreaterEqualScalar)
	two(c, "Where", "np.where(x0 < x1, x0, x1)", 0, func(a, b *array) *array { return nd.Where(a.Less(b), a, b) })
	one(c, "Scalar", "x0.dtype.type(3) - x0", 0, func(a *array) *array { return nd.Scalar(three).Sub(a) })
	one(c, "AsType", "x0.astype(np.complex128)", 0, func(a *array) *nd.Array[complex128] { return nd.AsType[complex128](a) })
}

func integerCases[T nd.Integer](c *catalog) {
	type array = nd.Array[T]
	two(c, "And", "x0 & x1", 0, (*array).And)
	two(c, "Or", "x0 | x1", 0, (*array).Or)
	two(c, "Xor", "x0 ^ x1", 0, (*array).Xor)
	two(c, "Lsh", "x0 << (x1 & 31)", 0, func(a, b *array) *array { return a.Lsh(b.AndScalar(31)) })
	two(c, "Rsh", "x0 >> (x1 & 31)", 0, func(a, b *array) *array { return a.Rsh(b.AndScalar(31)) })
	two(c, "Pow", "x0 ** (x1 & 7)", 0, func(a, b *array) *array { return a.Pow(b.AndScalar(7)) })
	one(c, "Invert", "~x0", 0, (*array).Invert)
	one(c, "AndScalar", "x0 & 5", 0, func(a *array) *array { return a.AndScalar(5) })
	one(c, "OrScalar", "x0 | 5", 0, func(a *array) *array { return a.OrScalar(5) })
	one(c, "XorScalar", "x0 ^ 5", 0, func(a *array) *array { return a.XorScalar(5) })
	one(c, "LshScalar", "x0 << 5", 0, func(a *array) *array { return a.LshScalar(5) })
	one(c, "RshScalar", "x0 >> 5", 0, func(a *array) *array { return a.RshScalar(5) })
	one(c, "PowScalar", "x0 ** 3", 0, func(a *array) *array { return a.PowScalar(3) })
}

// floatCases are functions of floats of all sizes.
func floatCases[T nd.Float](c *catalog) {
	type array = nd.Array[T]
	two(c, "Div", "x0 / x1", 0, (*array).Div)
	one(c, "DivScalar", "x0 / x0.dtype.type(3)", 0, func(a *array) *array { return a.DivScalar(num[T](3)) })
	two(c, "Pow", "x0 ** x1", 4, (*array).Pow)
	one(c, "PowScalar", "x0 ** x0.dtype.type(3)", 4, func(a *array) *array { return a.PowScalar(num[T](3)) })
	two(c, "Fmax", "np.where((x0 >= x1) | (x1 != x1), x0, x1)", 0, nd.Fmax[T])
	two(c, "Fmin", "np.where((x0 <= x1) | (x1 != x1), x0, x1)", 0, nd.Fmin[T])
	two(c, "Fmax", "np.fmax(x0, x1) + 0", 0, func(a, b *array) *array { return plus0(nd.Fmax(a, b)) })
	two(c, "Fmin", "np.fmin(x0, x1) + 0", 0, func(a, b *array) *array { return plus0(nd.Fmin(a, b)) })
	two(c, "Logaddexp", "np.logaddexp(x0, x1)", 4, nd.Logaddexp[T])
	two(c, "Heaviside", "np.heaviside(x0, x1)", 0, nd.Heaviside[T])
	two(c, "Copysign", "np.copysign(x0, x1)", 0, nd.Copysign[T])
	two(c, "Arctan2", "np.arctan2(x0, x1)", 4, nd.Arctan2[T])
	two(c, "Hypot", "np.hypot(x0, x1)", 2, nd.Hypot[T])
	one(c, "IsNaN", "np.isnan(x0)", 0, nd.IsNaN[T])
	one(c, "IsInf", "np.isinf(x0)", 0, nd.IsInf[T])
	one(c, "IsFinite", "np.isfinite(x0)", 0, nd.IsFinite[T])
	one(c, "Signbit", "np.signbit(x0)", 0, nd.Signbit[T])
	one(c, "Reciprocal", "np.reciprocal(x0)", 0, nd.Reciprocal[T])
	one(c, "Sigmoid", "(1 / (1 + np.exp(-x0.astype(np.longdouble)))).astype(x0.dtype)", 4, nd.Sigmoid[T])
	one(c, "Relu", "np.where((x0 >= 0) | (x0 != x0), x0, x0.dtype.type(0))", 0, nd.Relu[T])
	one(c, "Relu", "np.maximum(x0, x0.dtype.type(0)) + 0", 0, func(a *array) *array { return plus0(nd.Relu(a)) })
	one(c, "Rsqrt", "(1 / np.sqrt(x0.astype(np.longdouble))).astype(x0.dtype)", 2, nd.Rsqrt[T])
	one(c, "Sqrt", "np.sqrt(x0)", 0, nd.Sqrt[T])
	one(c, "Cbrt", "np.cbrt(x0)", 4, nd.Cbrt[T])
	one(c, "Exp", "np.exp(x0)", 4, nd.Exp[T])
	one(c, "Exp2", "np.exp2(x0)", 4, nd.Exp2[T])
	one(c, "Expm1", "np.expm1(x0)", 4, nd.Expm1[T])
	one(c, "Log", "np.log(x0)", 4, nd.Log[T])
	one(c, "Log2", "np.log2(x0)", 4, nd.Log2[T])
	one(c, "Log10", "np.log10(x0)", 4, nd.Log10[T])
	one(c, "Log1p", "np.log1p(x0)", 4, nd.Log1p[T])
	wide := func(f string) string { return "np." + f + "(x0.astype(np.longdouble)).astype(x0.dtype)" }
	one(c, "Sin", wide("sin"), 4, nd.Sin[T])
	one(c, "Cos", wide("cos"), 4, nd.Cos[T])
	one(c, "Tan", wide("tan"), 8, nd.Tan[T])
	one(c, "Arcsin", "np.arcsin(x0)", 4, nd.Arcsin[T])
	one(c, "Arccos", "np.arccos(x0)", 4, nd.Arccos[T])
	one(c, "Arctan", "np.arctan(x0)", 4, nd.Arctan[T])
	one(c, "Sinh", "np.sinh(x0)", 4, nd.Sinh[T])
	one(c, "Cosh", "np.cosh(x0)", 4, nd.Cosh[T])
	one(c, "Tanh", "np.tanh(x0)", 4, nd.Tanh[T])
	one(c, "Arcsinh", "np.arcsinh(x0)", 4, nd.Arcsinh[T])
	one(c, "Arccosh", "np.arccosh(x0)", 4, nd.Arccosh[T])
	one(c, "Arctanh", "np.arctanh(x0)", 4, nd.Arctanh[T])
	one(c, "Floor", "np.floor(x0)", 0, nd.Floor[T])
	one(c, "Ceil", "np.ceil(x0)", 0, nd.Ceil[T])
	one(c, "Trunc", "np.trunc(x0)", 0, nd.Trunc[T])
	one(c, "Rint", "np.rint(x0)", 0, nd.Rint[T])
	one(c, "Modf", "np.modf(x0)[0]", 0, func(a *array) *array { f, _ := nd.Modf(a); return f })
	one(c, "Modf", "np.modf(x0)[1]", 0, func(a *array) *array { _, w := nd.Modf(a); return w })
	one(c, "Frexp", "np.frexp(x0)[0]", 0, func(a *array) *array { f, _ := nd.Frexp(a); return f })
	one(c, "Frexp", "np.where(np.isfinite(x0), np.frexp(x0)[1], 0).astype(np.int32)", 0, func(a *array) *nd.Array[int32] { _, e := nd.Frexp(a); return e })
	one(c, "Ldexp", "np.ldexp(x0, np.int32(-3))", 0, func(a *array) *array { return nd.Ldexp(a, nd.Scalar(int32(-3))) })
}

// ieeeCases are functions of floats that C has, too.
func ieeeCases[T float32 | float64](c *catalog) {
	type array = nd.Array[T]
	two(c, "Nextafter", "np.nextafter(x0, x1)", 0, nd.Nextafter[T])
	// A product of float32s is exact in a longdouble; its sum with another one may be rounded twice.
	two(c, "FMA", "(x0.astype(np.longdouble) * x1 + x0).astype(x0.dtype)", 1, func(a, b *array) *array { return nd.FMA(a, b, a) })
}

func complexCases[C nd.Complex, R nd.Float](c *catalog) {
	two(c, "ToComplex", "np.stack(np.broadcast_arrays(x0, x1), -1).view(np.result_type(x0.dtype, np.complex64))[..., 0]", 0, nd.ToComplex[C, R])
	// Parts of all kinds, which random complex numbers do not have.
	all := func(a, b *nd.Array[R]) *nd.Array[C] { return nd.ToComplex[C](a, b) }
	const z = "np.stack(np.broadcast_arrays(x0, x1), -1).view(np.result_type(x0.dtype, np.complex64))[..., 0]"
	two(c, "RealPart", z+".real", 0, func(a, b *nd.Array[R]) *nd.Array[R] { return nd.RealPart[R](all(a, b)) })
	two(c, "ImagPart", z+".imag", 0, func(a, b *nd.Array[R]) *nd.Array[R] { return nd.ImagPart[R](all(a, b)) })
	two(c, "Magnitude", "np.abs("+z+")", 2, func(a, b *nd.Array[R]) *nd.Array[R] { return nd.Magnitude[R](all(a, b)) })
	two(c, "Angle", "np.angle("+z+")", 4, func(a, b *nd.Array[R]) *nd.Array[R] { return nd.Angle[R](all(a, b)) })
	two(c, "Conj", "np.conj("+z+")", 0, func(a, b *nd.Array[R]) *nd.Array[C] { return nd.Conj(all(a, b)) })
	two(c, "IsNaN", "np.isnan("+z+")", 0, func(a, b *nd.Array[R]) *nd.Array[bool] { return nd.IsNaN(all(a, b)) })
	two(c, "Neg", "-"+z, 0, func(a, b *nd.Array[R]) *nd.Array[C] { return all(a, b).Neg() })
	one(c, "Sin", "np.sin(x0)", 16, nd.Sin[C])
	one(c, "Cos", "np.cos(x0)", 16, nd.Cos[C])
	one(c, "Log", "np.log(x0)", 16, nd.Log[C])
	one(c, "Exp", "np.exp(x0)", 16, nd.Exp[C])
	one(c, "Sqrt", "np.sqrt(x0)", 16, nd.Sqrt[C])
	one(c, "Reciprocal", "np.reciprocal(x0)", 8, nd.Reciprocal[C])
	two(c, "Pow", "x0 ** x1", 100, (*nd.Array[C]).Pow)
	zeros, x := given(nd.ToComplex[C](nd.Full(num[R](math.Copysign(0, -1)), 3), nd.FromSlice([]R{num[R](math.Copysign(0, -1)), num[R](0), num[R](1)})).ToHost(), 3)
	from(c, "Cumsum", "x0.cumsum()", 0, func() *nd.Array[C] { return nd.Cumsum(zeros) }, x)
}

func boolCases(c *catalog) {
	type array = nd.Array[bool]
	two(c, "And", "x0 & x1", 0, (*array).And)
	two(c, "Or", "x0 | x1", 0, (*array).Or)
	two(c, "Xor", "x0 ^ x1", 0, (*array).Xor)
	two(c, "Maximum", "np.maximum(x0, x1)", 0, (*array).Maximum)
	two(c, "Less", "x0 < x1", 0, (*array).Less)
	two(c, "LogicalXor", "np.logical_xor(x0, x1)", 0, (*array).LogicalXor)
	one(c, "Invert", "~x0", 0, (*array).Invert)
}
