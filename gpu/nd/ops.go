package nd

import (
	"slices"
	"strings"
)

// op is the kind of a node: memory, a constant, or an operation on other arrays.
type op uint16

const (
	opLeaf op = iota
	opConst
	opShards  // no operation: the parts are on several devices
	opIndex   // the index of the element, in row-major order
	opFold    // a reduction of the last axis that is computed later
	opScan    // a scan of the last axis that is computed later
	opProduct // a product of matrices that is computed later
	opView    // a view of an opFold, or of an expression of such reductions of one shape
	opCopy
	opCast
	opAdd
	opSub
	opMul
	opDiv
	opFloorDiv
	opMod
	opFmod
	opPow
	opMaximum
	opMinimum
	opFmax
	opFmin
	opAtan2
	opHypot
	opCopysign
	opNextafter
	opLogaddexp
	opHeaviside
	opAnd
	opOr
	opXor
	opShl
	opShr
	opLogicalAnd
	opLogicalOr
	opLogicalXor
	opLogicalNot
	opEqual
	opNotEqual
	opLess
	opLessEqual
	opGreater
	opGreaterEqual
	opNeg
	opAbs
	opSign
	opSquare
	opReciprocal
	opInvert
	opSqrt
	opRsqrt
	opCbrt
	opExp
	opExp2
	opExpm1
	opLog
	opLog2
	opLog10
	opLog1p
	opSin
	opCos
	opTan
	opAsin
	opAcos
	opAtan
	opSinh
	opCosh
	opTanh
	opAsinh
	opAcosh
	opAtanh
	opFloor
	opCeil
	opTrunc
	opRint
	opErf
	opErfc
	opErfinv
	opGamma
	opLgamma
	opJ0
	opJ1
	opY0
	opY1
	opJn
	opYn
	opErfcinv
	opRound
	opRemainder
	opDim
	opLogb
	opFrac
	opLdexp
	opMantissa
	opExponent
	opIsnan
	opIsinf
	opIsfinite
	opSignbit
	opReal
	opImag
	opConj
	opAbsComplex
	opAngle
	opComplex
	opWhere
	opFMA
	opSigmoid
	opRelu
	opUniform
	opNormal
	opExponential
	opBits
	opBounded
	opGather // elements of memory at indices
	opcodes
)

// form is the C++ of an operation for one kind of operands. $a, $b and $c stand for the operands, $T for the result's type in registers,
// $A for the first operand's, $U for the unsigned type in which integers wrap around, $f for the suffix of C's functions for floats.
type form struct {
	kinds kind
	text  string
	need  sections
}

type opInfo struct {
	name  string // of the function or method
	exact bool   // the result needs no rounding to 16 bits
	forms []form
}

// fn returns the form of one of C's functions on floats.
func fn(name string) opInfo {
	args := "$a"
	switch name {
	case "atan2", "copysign", "fmax", "fmin", "fmod", "remainder":
		args = "$a, $b"
	}
	return opInfo{name: name, forms: []form{{kindFloat, name + "$f(" + args + ")", 0}}}
}

// cfn returns the form of fn with one for complex numbers.
func cfn(name string) opInfo {
	i := fn(name)
	i.forms = append(i.forms, form{kindComplex, "nd_" + name + "($a)", needComplex})
	return i
}

// wrap returns integer arithmetic that wraps around.
func wrap(op string) form {
	return form{kindInteger, "($T)(($U)$a " + op + " ($U)$b)", 0}
}

func compare(op string) []form {
	return []form{{kindAny, "$a " + op + " $b", 0}}
}

// opTable has all operations that the kernels are made of.
var opTable = [opcodes]opInfo{
	opCopy: {"Copy", true, []form{{kindAny, "$a", 0}}},
	opCast: {"AsType", false, nil}, // castExpr writes it
	opAdd:  {"Add", false, []form{{kindFloat | kindComplex, "$a + $b", 0}, wrap("+"), {kindBool, "$a || $b", 0}}},
	opSub:  {"Sub", false, []form{{kindFloat | kindComplex, "$a - $b", 0}, wrap("-")}},
	opMul:  {"Mul", false, []form{{kindFloat | kindComplex, "$a * $b", 0}, wrap("*"), {kindBool, "$a && $b", 0}}},
	opDiv:  {"Div", false, []form{{kindFloat | kindComplex, "$a / $b", 0}, {kindInteger, "nd_quotient<$T>($a, $b)", needInteger}}},
	opFloorDiv: {"FloorDiv", false, []form{
		{kindFloat, "nd_floordiv<$T>($a, $b)", needDivmod}, {kindInteger, "nd_intfloordiv<$T>($a, $b)", needInteger},
	}},
	opMod: {"Mod", false, []form{
		{kindFloat, "nd_mod<$T>($a, $b)", needDivmod}, {kindInteger, "nd_intmod<$T>($a, $b)", needInteger},
	}},
	opFmod: {"Fmod", true, []form{{kindFloat, "fmod$f($a, $b)", 0}, {kindInteger, "nd_rest<$T>($a, $b)", needInteger}}},
	opPow: {"Pow", false, []form{
		{kindFloat, "pow$f($a, $b)", 0}, {kindInteger, "nd_ipow<$T, $U>($a, $b)", needInteger}, {kindComplex, "nd_pow($a, $b)", needComplex},
	}},
	opMaximum: {"Maximum", true, []form{
		{kindFloat, "$a >= $b || $a != $a ? $a : $b", 0}, {kindInteger, "$a > $b ? $a : $b", 0}, {kindBool, "$a || $b", 0},
	}},
	opMinimum: {"Minimum", true, []form{
		{kindFloat, "$a <= $b || $a != $a ? $a : $b", 0}, {kindInteger, "$a < $b ? $a : $b", 0}, {kindBool, "$a && $b", 0},
	}},
	opFmax:      {"Fmax", true, []form{{kindFloat, "$a >= $b || $b != $b ? $a : $b", 0}}},
	opFmin:      {"Fmin", true, []form{{kindFloat, "$a <= $b || $b != $b ? $a : $b", 0}}},
	opAtan2:     fn("atan2"),
	opHypot:     {"Hypot", false, []form{{kindFloat, "nd_hypot($a, $b)", needHypot}}},
	opCopysign:  fn("copysign"),
	opNextafter: {"Nextafter", true, []form{{kindFloat, "nd_nextafter($a, $b)", needNext}}},
	opLogaddexp: {"Logaddexp", false, []form{{kindFloat, "nd_logaddexp<$T>($a, $b)", needLogadd}}},
	opHeaviside: {"Heaviside", true, []form{{kindFloat, "$a != $a ? $a : $a == 0 ? $b : ($T)($a > 0)", 0}}},
	opAnd:       {"And", true, []form{{kindInteger, "($T)($a & $b)", 0}, {kindBool, "$a && $b", 0}}},
	opOr:        {"Or", true, []form{{kindInteger, "($T)($a | $b)", 0}, {kindBool, "$a || $b", 0}}},
	opXor:       {"Xor", true, []form{{kindInteger, "($T)($a ^ $b)", 0}, {kindBool, "$a != $b", 0}}},
	opShl:       {"Lsh", true, []form{{kindInteger, "nd_shl<$T, $U>($a, $b)", needInteger}}},
	opShr:       {"Rsh", true, []form{{kindInteger, "nd_shr<$T>($a, $b)", needInteger}}},

	opLogicalAnd:   {"LogicalAnd", true, []form{{kindAny &^ kindComplex, "$a != 0 && $b != 0", 0}}},
	opLogicalOr:    {"LogicalOr", true, []form{{kindAny &^ kindComplex, "$a != 0 || $b != 0", 0}}},
	opLogicalXor:   {"LogicalXor", true, []form{{kindAny &^ kindComplex, "($a != 0) != ($b != 0)", 0}}},
	opLogicalNot:   {"LogicalNot", true, []form{{kindAny &^ kindComplex, "$a == 0", 0}}},
	opEqual:        {"Equal", true, compare("==")},
	opNotEqual:     {"NotEqual", true, compare("!=")},
	opLess:         {"Less", true, compare("<")},
	opLessEqual:    {"LessEqual", true, compare("<=")},
	opGreater:      {"Greater", true, compare(">")},
	opGreaterEqual: {"GreaterEqual", true, compare(">=")},

	opNeg: {"Neg", true, []form{{kindFloat | kindComplex, "-$a", 0}, {kindInteger, "($T)(0 - ($U)$a)", 0}}},
	opAbs: {"Abs", true, []form{
		{kindFloat, "fabs$f($a)", 0}, {kindInt, "$a < 0 ? ($T)(0 - ($U)$a) : $a", 0}, {kindUint | kindBool, "$a", 0},
	}},
	opSign: {"Sign", true, []form{
		{kindFloat, "$a != $a ? $a : ($T)(($a > 0) - ($a < 0))", 0}, {kindInt, "($T)(($a > 0) - ($a < 0))", 0}, {kindUint, "($T)($a > 0)", 0},
	}},
	opSquare:     {"Square", false, []form{{kindFloat | kindComplex, "$a * $a", 0}, {kindInteger, "($T)(($U)$a * ($U)$a)", 0}}},
	opReciprocal: {"Reciprocal", false, []form{{kindFloat, "1 / $a", 0}, {kindComplex, "$T(1, 0) / $a", 0}}},
	opInvert:     {"Invert", true, []form{{kindInteger, "($T)~$a", 0}, {kindBool, "!$a", 0}}},

	opSqrt:  cfn("sqrt"),
	opRsqrt: {"Rsqrt", false, []form{{kindFloat, "1 / sqrt$f($a)", 0}}},
	opCbrt:  fn("cbrt"),
	opExp:   cfn("exp"),
	opExp2:  fn("exp2"),
	opExpm1: fn("expm1"),
	opLog:   cfn("log"),
	opLog2:  fn("log2"),
	opLog10: fn("log10"),
	opLog1p: fn("log1p"),
	opSin:   cfn("sin"),
	opCos:   cfn("cos"),
	opTan:   fn("tan"),
	opAsin:  fn("asin"),
	opAcos:  fn("acos"),
	opAtan:  fn("atan"),
	opSinh:  fn("sinh"),
	opCosh:  fn("cosh"),
	opTanh:  fn("tanh"),
	opAsinh: fn("asinh"),
	opAcosh: fn("acosh"),
	opAtanh: fn("atanh"),

	opFloor:  fn("floor"),
	opCeil:   fn("ceil"),
	opTrunc:  fn("trunc"),
	opRint:   fn("rint"),
	opErf:    fn("erf"),
	opErfc:   fn("erfc"),
	opErfinv: {"Erfinv", false, []form{{kindFloat, "nd_erfinv($a)", needErfinv}}},
	opGamma:  fn("tgamma"),
	opLgamma: fn("lgamma"),
	opJ0:     fn("j0"),
	opJ1:     fn("j1"),
	opY0:     fn("y0"),
	opY1:     fn("y1"),

	opJn:        {"Jn", false, []form{{kindFloat, "nd_jn($b, $a)", needBessel}}},
	opYn:        {"Yn", false, []form{{kindFloat, "nd_yn($b, $a)", needBessel}}},
	opErfcinv:   {"Erfcinv", false, []form{{kindFloat, "nd_erfcinv($a)", needErfinv}}},
	opRound:     fn("round"),
	opRemainder: fn("remainder"),
	opDim:       {"Dim", false, []form{{kindFloat, "$a - $b <= 0 ? ($T)0 : $a - $b", 0}}},
	opLogb:      fn("logb"),
	opFrac:      {"Modf", true, []form{{kindFloat, "copysign$f($a - $a == 0 ? $a - trunc$f($a) : $a == $a ? ($T)0 : $a, $a)", 0}}},
	opLdexp:     {"Ldexp", false, []form{{kindFloat, "ldexp$f($a, $b)", 0}}},
	opMantissa:  {"Frexp", true, []form{{kindFloat, "$a - $a == 0 && $a != 0 ? ldexp$f($a, -1 - (int)logb$f($a)) : $a", 0}}},
	opExponent:  {"Frexp", true, []form{{kindFloat, "$a - $a == 0 && $a != 0 ? (int)logb$f($a) + 1 : 0", 0}}},

	opIsnan:    {"IsNaN", true, []form{{kindFloat, "$a != $a", 0}, {kindComplex, "$a.re != $a.re || $a.im != $a.im", 0}}},
	opIsinf:    {"IsInf", true, []form{{kindFloat, "fabs$f($a) == __int_as_float(0x7f800000)", 0}}},
	opIsfinite: {"IsFinite", true, []form{{kindFloat, "$a - $a == 0", 0}}},
	opSignbit:  {"Signbit", true, []form{{kindFloat, "copysign$f(($A)1, $a) < 0", 0}}},

	opReal:       {"RealPart", true, []form{{kindComplex, "$a.re", 0}}},
	opImag:       {"ImagPart", true, []form{{kindComplex, "$a.im", 0}}},
	opConj:       {"Conj", true, []form{{kindComplex, "$T($a.re, -$a.im)", 0}}},
	opAbsComplex: {"AbsComplex", true, []form{{kindComplex, "nd_hypot($a.re, $a.im)", needHypot}}},
	opAngle:      {"Angle", true, []form{{kindComplex, "atan2($a.im, $a.re)", 0}}},
	opComplex:    {"ToComplex", true, []form{{kindFloat, "$T($a, $b)", needComplex}}},
	opWhere:      {"Where", true, []form{{kindBool, "$a ? $b : $c", 0}}},
	opFMA:        {"FMA", false, []form{{kindFloat, "fma$f($a, $b, $c)", 0}}},
	opSigmoid:    {"Sigmoid", false, []form{{kindFloat, "($a < 0 ? exp$f(-fabs$f($a)) : ($T)1) / (1 + exp$f(-fabs$f($a)))", 0}}},
	opGather:     {"Take", true, nil},
	opRelu:       {"Relu", true, []form{{kindFloat, "$a >= 0 || $a != $a ? $a : ($T)0", 0}}},
}

// formFor returns the form of the operation on operands of that type, or nil.
func (o op) formFor(dt DType) *form {
	for i := range opTable[o].forms {
		if f := &opTable[o].forms[i]; dt.is(f.kinds) {
			return f
		}
	}
	return nil
}

// name returns the operation's name in those of kernels.
func (o op) name() string {
	if g := o.goFunc(); g != nil {
		return g.name
	}
	return strings.ToLower(opTable[o].name)
}

// takes panics unless the operation is defined on that type.
func (o op) takes(name string, dt DType) {
	if o.formFor(dt) == nil {
		fail(name, "there is no %s of %v", strings.ToLower(name), dt)
	}
}

// wrapType returns the unsigned type in which integers of that type wrap around as Go's do.
func (d DType) wrapType() string {
	if d.Size() == 8 {
		return "unsigned long long"
	}
	return "unsigned"
}

// express writes the operation on operands of those names and types.
func (o op) express(result DType, of [3]DType, names [3]string) (text string, need sections) {
	if o == opCast {
		return castExpr(result, of[0], names[0])
	}
	if g := o.goFunc(); g != nil {
		args := slices.DeleteFunc(names[:], func(n string) bool { return n == "" })
		return g.call(result, of[:len(args)], args)
	}
	f := o.formFor(of[0])
	letter := "f"
	if of[0] == F64 {
		letter = ""
	}
	text = strings.NewReplacer(
		"$a", names[0], "$b", names[1], "$c", names[2], "$f(", letter+"(",
		"$T", result.info().held, "$A", of[0].info().held, "$U", of[0].wrapType(),
	).Replace(f.text)
	if result.half() && !opTable[o].exact {
		return "nd_round_" + result.info().stored + "(" + text + ")", f.need
	}
	return text, f.need
}

// castExpr converts a number. Floats become integers as in C, toward zero.
func castExpr(to, from DType, x string) (string, sections) {
	need := sections(0)
	if from.is(kindComplex) {
		if to.is(kindComplex) {
			return to.info().held + "(" + x + ".re, " + x + ".im)", 0
		}
		if to == Bool {
			return x + ".re != 0 || " + x + ".im != 0", 0
		}
		x, from = x+".re", from.realPart()
	}
	switch {
	case to == Bool:
		return x + " != 0", need
	case to.is(kindComplex):
		return to.info().held + "(" + x + ", 0)", needComplex
	case to.half() && from == BF16 && to == F16, to.half() && from == F16 && to == BF16, to.half() && from == F32:
		return "nd_round_" + to.info().stored + "(" + x + ")", need
	case to.half() && !from.half() && from.Size() > 1:
		return "nd_round_" + to.info().stored + "(nd_odd((double)" + x + "))", needOdd
	}
	return "(" + to.info().held + ")" + x, need
}
