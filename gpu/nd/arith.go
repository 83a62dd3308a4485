package nd

// arith is op of two arrays of the same type.
func (n *node) arith(name string, o op, b *node) *node {
	o.takes(name, n.check(name).dt)
	return n.binary(name, o, n.dt, b)
}

// scalar is op of the array and a value.
func (n *node) scalar(name string, o op, v number) *node {
	o.takes(name, n.check(name).dt)
	c := new(node)
	c.constant(n.dt, v)
	return n.binary(name, o, n.dt, c)
}

// compare is a comparison of two arrays of the same type.
func (n *node) compare(name string, o op, b *node) *node {
	o.takes(name, n.check(name).dt)
	return n.binary(name, o, Bool, b)
}

// compareScalar is a comparison with a value.
func (n *node) compareScalar(name string, o op, v number) *node {
	c := new(node)
	c.constant(n.check(name).dt, v)
	return n.compare(name, o, c)
}

// Add is a + b, element by element, as all of these are; arrays are stretched to a common shape as in NumPy. Integers wrap around. For bools it is or.
func (a *Array[T]) Add(b *Array[T]) *Array[T] { return as[T](a.core().arith("Add", opAdd, b.core())) }

// AddScalar is Add with a value.
func (a *Array[T]) AddScalar(v T) *Array[T] {
	return as[T](a.core().scalar("AddScalar", opAdd, numberOf(v)))
}

// Sub is a - b.
func (a *Array[T]) Sub(b *Array[T]) *Array[T] { return as[T](a.core().arith("Sub", opSub, b.core())) }

// SubScalar is Sub with a value.
func (a *Array[T]) SubScalar(v T) *Array[T] {
	return as[T](a.core().scalar("SubScalar", opSub, numberOf(v)))
}

// Mul is a · b. For bools it is and.
func (a *Array[T]) Mul(b *Array[T]) *Array[T] { return as[T](a.core().arith("Mul", opMul, b.core())) }

// MulScalar is Mul with a value.
func (a *Array[T]) MulScalar(v T) *Array[T] {
	return as[T](a.core().scalar("MulScalar", opMul, numberOf(v)))
}

// Div is a / b. For integers it is Go's division, towards zero, and 0 where b is 0.
func (a *Array[T]) Div(b *Array[T]) *Array[T] { return as[T](a.core().arith("Div", opDiv, b.core())) }

// DivScalar is Div with a value.
func (a *Array[T]) DivScalar(v T) *Array[T] {
	return as[T](a.core().scalar("DivScalar", opDiv, numberOf(v)))
}

// FloorDiv is the largest whole number not above a / b, as Python's //; for integers 0 where b is 0.
func (a *Array[T]) FloorDiv(b *Array[T]) *Array[T] {
	return as[T](a.core().arith("FloorDiv", opFloorDiv, b.core()))
}

// FloorDivScalar is FloorDiv with a value.
func (a *Array[T]) FloorDivScalar(v T) *Array[T] {
	return as[T](a.core().scalar("FloorDivScalar", opFloorDiv, numberOf(v)))
}

// Mod is a - b·FloorDiv(a, b), as Python's %: it has the sign of b.
func (a *Array[T]) Mod(b *Array[T]) *Array[T] { return as[T](a.core().arith("Mod", opMod, b.core())) }

// ModScalar is Mod with a value.
func (a *Array[T]) ModScalar(v T) *Array[T] {
	return as[T](a.core().scalar("ModScalar", opMod, numberOf(v)))
}

// Fmod is the rest of the division towards zero, as Go's %: it has the sign of a.
func (a *Array[T]) Fmod(b *Array[T]) *Array[T] {
	return as[T](a.core().arith("Fmod", opFmod, b.core()))
}

// FmodScalar is Fmod with a value.
func (a *Array[T]) FmodScalar(v T) *Array[T] {
	return as[T](a.core().scalar("FmodScalar", opFmod, numberOf(v)))
}

// Pow is a to the power of b. For integers of negative power it is 0 unless a is 1 or -1.
func (a *Array[T]) Pow(b *Array[T]) *Array[T] { return as[T](a.core().arith("Pow", opPow, b.core())) }

// PowScalar is Pow with a value.
func (a *Array[T]) PowScalar(v T) *Array[T] {
	return as[T](a.core().scalar("PowScalar", opPow, numberOf(v)))
}

// Maximum is the larger one, or NaN if one is; a if they are equal, as zeros of both signs are.
func (a *Array[T]) Maximum(b *Array[T]) *Array[T] {
	return as[T](a.core().arith("Maximum", opMaximum, b.core()))
}

// MaximumScalar is Maximum with a value.
func (a *Array[T]) MaximumScalar(v T) *Array[T] {
	return as[T](a.core().scalar("MaximumScalar", opMaximum, numberOf(v)))
}

// Minimum is the smaller one, or NaN if one is; a if they are equal.
func (a *Array[T]) Minimum(b *Array[T]) *Array[T] {
	return as[T](a.core().arith("Minimum", opMinimum, b.core()))
}

// MinimumScalar is Minimum with a value.
func (a *Array[T]) MinimumScalar(v T) *Array[T] {
	return as[T](a.core().scalar("MinimumScalar", opMinimum, numberOf(v)))
}

// And is a & b, for integers and bools.
func (a *Array[T]) And(b *Array[T]) *Array[T] { return as[T](a.core().arith("And", opAnd, b.core())) }

// AndScalar is And with a value.
func (a *Array[T]) AndScalar(v T) *Array[T] {
	return as[T](a.core().scalar("AndScalar", opAnd, numberOf(v)))
}

// Or is a | b, for integers and bools.
func (a *Array[T]) Or(b *Array[T]) *Array[T] { return as[T](a.core().arith("Or", opOr, b.core())) }

// OrScalar is Or with a value.
func (a *Array[T]) OrScalar(v T) *Array[T] {
	return as[T](a.core().scalar("OrScalar", opOr, numberOf(v)))
}

// Xor is a ^ b, for integers and bools.
func (a *Array[T]) Xor(b *Array[T]) *Array[T] { return as[T](a.core().arith("Xor", opXor, b.core())) }

// XorScalar is Xor with a value.
func (a *Array[T]) XorScalar(v T) *Array[T] {
	return as[T](a.core().scalar("XorScalar", opXor, numberOf(v)))
}

// Lsh is a << b, for integers.
func (a *Array[T]) Lsh(b *Array[T]) *Array[T] { return as[T](a.core().arith("Lsh", opShl, b.core())) }

// LshScalar is Lsh with a value.
func (a *Array[T]) LshScalar(v T) *Array[T] {
	return as[T](a.core().scalar("LshScalar", opShl, numberOf(v)))
}

// Rsh is a >> b, for integers.
func (a *Array[T]) Rsh(b *Array[T]) *Array[T] { return as[T](a.core().arith("Rsh", opShr, b.core())) }

// RshScalar is Rsh with a value.
func (a *Array[T]) RshScalar(v T) *Array[T] {
	return as[T](a.core().scalar("RshScalar", opShr, numberOf(v)))
}

// Equal is a == b.
func (a *Array[T]) Equal(b *Array[T]) *Array[bool] {
	return as[bool](a.core().compare("Equal", opEqual, b.core()))
}

// EqualScalar is Equal with a value.
func (a *Array[T]) EqualScalar(v T) *Array[bool] {
	return as[bool](a.core().compareScalar("EqualScalar", opEqual, numberOf(v)))
}

// NotEqual is a != b.
func (a *Array[T]) NotEqual(b *Array[T]) *Array[bool] {
	return as[bool](a.core().compare("NotEqual", opNotEqual, b.core()))
}

// NotEqualScalar is NotEqual with a value.
func (a *Array[T]) NotEqualScalar(v T) *Array[bool] {
	return as[bool](a.core().compareScalar("NotEqualScalar", opNotEqual, numberOf(v)))
}

// Less is a < b.
func (a *Array[T]) Less(b *Array[T]) *Array[bool] {
	return as[bool](a.core().compare("Less", opLess, b.core()))
}

// LessScalar is Less with a value.
func (a *Array[T]) LessScalar(v T) *Array[bool] {
	return as[bool](a.core().compareScalar("LessScalar", opLess, numberOf(v)))
}

// LessEqual is a <= b.
func (a *Array[T]) LessEqual(b *Array[T]) *Array[bool] {
	return as[bool](a.core().compare("LessEqual", opLessEqual, b.core()))
}

// LessEqualScalar is LessEqual with a value.
func (a *Array[T]) LessEqualScalar(v T) *Array[bool] {
	return as[bool](a.core().compareScalar("LessEqualScalar", opLessEqual, numberOf(v)))
}

// Greater is a > b.
func (a *Array[T]) Greater(b *Array[T]) *Array[bool] {
	return as[bool](a.core().compare("Greater", opGreater, b.core()))
}

// GreaterScalar is Greater with a value.
func (a *Array[T]) GreaterScalar(v T) *Array[bool] {
	return as[bool](a.core().compareScalar("GreaterScalar", opGreater, numberOf(v)))
}

// GreaterEqual is a >= b.
func (a *Array[T]) GreaterEqual(b *Array[T]) *Array[bool] {
	return as[bool](a.core().compare("GreaterEqual", opGreaterEqual, b.core()))
}

// GreaterEqualScalar is GreaterEqual with a value.
func (a *Array[T]) GreaterEqualScalar(v T) *Array[bool] {
	return as[bool](a.core().compareScalar("GreaterEqualScalar", opGreaterEqual, numberOf(v)))
}

// LogicalAnd is a && b, where what is not 0 is true.
func (a *Array[T]) LogicalAnd(b *Array[T]) *Array[bool] {
	return as[bool](a.core().compare("LogicalAnd", opLogicalAnd, b.core()))
}

// LogicalOr is a || b.
func (a *Array[T]) LogicalOr(b *Array[T]) *Array[bool] {
	return as[bool](a.core().compare("LogicalOr", opLogicalOr, b.core()))
}

// LogicalXor is whether one is true and the other not.
func (a *Array[T]) LogicalXor(b *Array[T]) *Array[bool] {
	return as[bool](a.core().compare("LogicalXor", opLogicalXor, b.core()))
}

// LogicalNot is whether an element is 0 or false.
func (a *Array[T]) LogicalNot() *Array[bool] { return as[bool](a.core().not()) }

func (n *node) not() *node {
	const name = "LogicalNot"
	opLogicalNot.takes(name, n.check(name).dt)
	return n.unary(name, opLogicalNot, Bool)
}

// Neg is -a.
func (a *Array[T]) Neg() *Array[T] { return as[T](a.core().own("Neg", opNeg)) }

// Square is a·a.
func (a *Array[T]) Square() *Array[T] { return as[T](a.core().own("Square", opSquare)) }

// Invert is ^a for integers and !a for bools.
func (a *Array[T]) Invert() *Array[T] { return as[T](a.core().own("Invert", opInvert)) }

// own is an operation on the array alone.
func (n *node) own(name string, o op) *node {
	o.takes(name, n.check(name).dt)
	return n.unary(name, o, n.dt)
}

// Clip limits the elements to what lies between low and high.
func (a *Array[T]) Clip(low, high T) *Array[T] {
	return as[T](a.core().scalar("Clip", opMaximum, numberOf(low)).scalar("Clip", opMinimum, numberOf(high)))
}

// Copy is a new array with the same elements, dense in memory.
func (a *Array[T]) Copy() *Array[T] { return as[T](a.core().copied()) }

func (n *node) copied() *node { return n.check("Copy").unary("Copy", opCopy, n.dt).ready() }

// AsType is the array with elements of another type. Floats become integers as in Go, towards
// zero; what the integer cannot hold is undefined, as there. Integers lose their upper bits. Complex
// numbers lose their imaginary parts. Everything but 0 is true.
func AsType[To Elem](o Operand) *Array[To] {
	n := o.core().check("AsType")
	if a, ok := o.(*Array[To]); ok {
		return a
	}
	return unary[To]("AsType", opCast, n)
}

// Where is a where cond is true and b elsewhere.
func Where[T Elem](cond *Array[bool], a, b *Array[T]) *Array[T] {
	return ternary[T]("Where", opWhere, DTypeOf[T](), cond.check("Where"), a.check("Where"), b.check("Where"))
}
