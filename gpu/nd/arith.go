package nd

// arith is op of two arrays of the same type.
func (a *Array[T]) arith(name string, o op, b *Array[T]) *Array[T] {
	o.takes(name, a.check(name).dt)
	return binary[T](name, o, a.dt, &a.node, b.check(name))
}

// scalar is op of the array and a value.
func (a *Array[T]) scalar(name string, o op, v T) *Array[T] {
	o.takes(name, a.check(name).dt)
	c := new(node)
	c.constant(a.dt, numberOf(v))
	return binary[T](name, o, a.dt, &a.node, c)
}

// compare is a comparison of two arrays of the same type.
func (a *Array[T]) compare(name string, o op, b *node) *Array[bool] {
	o.takes(name, a.check(name).dt)
	return binary[bool](name, o, Bool, &a.node, b.check(name))
}

// Add is a + b, element by element, as all of these are; arrays are stretched to a common shape as in NumPy. Integers wrap around. For bools it is or.
func (a *Array[T]) Add(b *Array[T]) *Array[T] { return a.arith("Add", opAdd, b) }

// AddScalar is Add with a value.
func (a *Array[T]) AddScalar(v T) *Array[T] { return a.scalar("AddScalar", opAdd, v) }

// Sub is a - b.
func (a *Array[T]) Sub(b *Array[T]) *Array[T] { return a.arith("Sub", opSub, b) }

// SubScalar is Sub with a value.
func (a *Array[T]) SubScalar(v T) *Array[T] { return a.scalar("SubScalar", opSub, v) }

// Mul is a · b. For bools it is and.
func (a *Array[T]) Mul(b *Array[T]) *Array[T] { return a.arith("Mul", opMul, b) }

// MulScalar is Mul with a value.
func (a *Array[T]) MulScalar(v T) *Array[T] { return a.scalar("MulScalar", opMul, v) }

// Div is a / b. For integers it is Go's division, towards zero, and 0 where b is 0.
func (a *Array[T]) Div(b *Array[T]) *Array[T] { return a.arith("Div", opDiv, b) }

// DivScalar is Div with a value.
func (a *Array[T]) DivScalar(v T) *Array[T] { return a.scalar("DivScalar", opDiv, v) }

// FloorDiv is the largest whole number not above a / b, as Python's //; for integers 0 where b is 0.
func (a *Array[T]) FloorDiv(b *Array[T]) *Array[T] { return a.arith("FloorDiv", opFloorDiv, b) }

// FloorDivScalar is FloorDiv with a value.
func (a *Array[T]) FloorDivScalar(v T) *Array[T] { return a.scalar("FloorDivScalar", opFloorDiv, v) }

// Mod is a - b·FloorDiv(a, b), as Python's %: it has the sign of b.
func (a *Array[T]) Mod(b *Array[T]) *Array[T] { return a.arith("Mod", opMod, b) }

// ModScalar is Mod with a value.
func (a *Array[T]) ModScalar(v T) *Array[T] { return a.scalar("ModScalar", opMod, v) }

// Fmod is the rest of the division towards zero, as Go's %: it has the sign of a.
func (a *Array[T]) Fmod(b *Array[T]) *Array[T] { return a.arith("Fmod", opFmod, b) }

// FmodScalar is Fmod with a value.
func (a *Array[T]) FmodScalar(v T) *Array[T] { return a.scalar("FmodScalar", opFmod, v) }

// Pow is a to the power of b. For integers of negative power it is 0 unless a is 1 or -1.
func (a *Array[T]) Pow(b *Array[T]) *Array[T] { return a.arith("Pow", opPow, b) }

// PowScalar is Pow with a value.
func (a *Array[T]) PowScalar(v T) *Array[T] { return a.scalar("PowScalar", opPow, v) }

// Maximum is the larger one, or NaN if one is.
func (a *Array[T]) Maximum(b *Array[T]) *Array[T] { return a.arith("Maximum", opMaximum, b) }

// MaximumScalar is Maximum with a value.
func (a *Array[T]) MaximumScalar(v T) *Array[T] { return a.scalar("MaximumScalar", opMaximum, v) }

// Minimum is the smaller one, or NaN if one is.
func (a *Array[T]) Minimum(b *Array[T]) *Array[T] { return a.arith("Minimum", opMinimum, b) }

// MinimumScalar is Minimum with a value.
func (a *Array[T]) MinimumScalar(v T) *Array[T] { return a.scalar("MinimumScalar", opMinimum, v) }

// And is a & b, for integers and bools.
func (a *Array[T]) And(b *Array[T]) *Array[T] { return a.arith("And", opAnd, b) }

// AndScalar is And with a value.
func (a *Array[T]) AndScalar(v T) *Array[T] { return a.scalar("AndScalar", opAnd, v) }

// Or is a | b, for integers and bools.
func (a *Array[T]) Or(b *Array[T]) *Array[T] { return a.arith("Or", opOr, b) }

// OrScalar is Or with a value.
func (a *Array[T]) OrScalar(v T) *Array[T] { return a.scalar("OrScalar", opOr, v) }

// Xor is a ^ b, for integers and bools.
func (a *Array[T]) Xor(b *Array[T]) *Array[T] { return a.arith("Xor", opXor, b) }

// XorScalar is Xor with a value.
func (a *Array[T]) XorScalar(v T) *Array[T] { return a.scalar("XorScalar", opXor, v) }

// Lsh is a << b, for integers.
func (a *Array[T]) Lsh(b *Array[T]) *Array[T] { return a.arith("Lsh", opShl, b) }

// LshScalar is Lsh with a value.
func (a *Array[T]) LshScalar(v T) *Array[T] { return a.scalar("LshScalar", opShl, v) }

// Rsh is a >> b, for integers.
func (a *Array[T]) Rsh(b *Array[T]) *Array[T] { return a.arith("Rsh", opShr, b) }

// RshScalar is Rsh with a value.
func (a *Array[T]) RshScalar(v T) *Array[T] { return a.scalar("RshScalar", opShr, v) }

// Equal is a == b.
func (a *Array[T]) Equal(b *Array[T]) *Array[bool] { return a.compare("Equal", opEqual, &b.node) }

// EqualScalar is Equal with a value.
func (a *Array[T]) EqualScalar(v T) *Array[bool] {
	return a.compare("EqualScalar", opEqual, &Scalar(v).node)
}

// NotEqual is a != b.
func (a *Array[T]) NotEqual(b *Array[T]) *Array[bool] {
	return a.compare("NotEqual", opNotEqual, &b.node)
}

// NotEqualScalar is NotEqual with a value.
func (a *Array[T]) NotEqualScalar(v T) *Array[bool] {
	return a.compare("NotEqualScalar", opNotEqual, &Scalar(v).node)
}

// Less is a < b.
func (a *Array[T]) Less(b *Array[T]) *Array[bool] { return a.compare("Less", opLess, &b.node) }

// LessScalar is Less with a value.
func (a *Array[T]) LessScalar(v T) *Array[bool] {
	return a.compare("LessScalar", opLess, &Scalar(v).node)
}

// LessEqual is a <= b.
func (a *Array[T]) LessEqual(b *Array[T]) *Array[bool] {
	return a.compare("LessEqual", opLessEqual, &b.node)
}

// LessEqualScalar is LessEqual with a value.
func (a *Array[T]) LessEqualScalar(v T) *Array[bool] {
	return a.compare("LessEqualScalar", opLessEqual, &Scalar(v).node)
}

// Greater is a > b.
func (a *Array[T]) Greater(b *Array[T]) *Array[bool] { return a.compare("Greater", opGreater, &b.node) }

// GreaterScalar is Greater with a value.
func (a *Array[T]) GreaterScalar(v T) *Array[bool] {
	return a.compare("GreaterScalar", opGreater, &Scalar(v).node)
}

// GreaterEqual is a >= b.
func (a *Array[T]) GreaterEqual(b *Array[T]) *Array[bool] {
	return a.compare("GreaterEqual", opGreaterEqual, &b.node)
}

// GreaterEqualScalar is GreaterEqual with a value.
func (a *Array[T]) GreaterEqualScalar(v T) *Array[bool] {
	return a.compare("GreaterEqualScalar", opGreaterEqual, &Scalar(v).node)
}

// LogicalAnd is a && b, where what is not 0 is true.
func (a *Array[T]) LogicalAnd(b *Array[T]) *Array[bool] {
	return a.compare("LogicalAnd", opLogicalAnd, &b.node)
}

// LogicalOr is a || b.
func (a *Array[T]) LogicalOr(b *Array[T]) *Array[bool] {
	return a.compare("LogicalOr", opLogicalOr, &b.node)
}

// LogicalXor is whether one is true and the other not.
func (a *Array[T]) LogicalXor(b *Array[T]) *Array[bool] {
	return a.compare("LogicalXor", opLogicalXor, &b.node)
}

// LogicalNot is whether an element is 0 or false.
func (a *Array[T]) LogicalNot() *Array[bool] {
	opLogicalNot.takes("LogicalNot", a.check("LogicalNot").dt)
	return unary[bool]("LogicalNot", opLogicalNot, &a.node)
}

// Neg is -a.
func (a *Array[T]) Neg() *Array[T] { return a.own("Neg", opNeg) }

// Square is a·a.
func (a *Array[T]) Square() *Array[T] { return a.own("Square", opSquare) }

// Invert is ^a for integers and !a for bools.
func (a *Array[T]) Invert() *Array[T] { return a.own("Invert", opInvert) }

// own is an operation on the array alone.
func (a *Array[T]) own(name string, o op) *Array[T] {
	o.takes(name, a.check(name).dt)
	return unary[T](name, o, &a.node)
}

// Clip limits the elements to what lies between low and high.
func (a *Array[T]) Clip(low, high T) *Array[T] {
	return a.scalar("Clip", opMaximum, low).scalar("Clip", opMinimum, high)
}

// Copy is a new array with the same elements, dense in memory.
func (a *Array[T]) Copy() *Array[T] { return unary[T]("Copy", opCopy, a.check("Copy")).Eval() }

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
