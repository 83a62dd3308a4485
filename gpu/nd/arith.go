package nd

// arith returns op of two arrays of the same type, element-wise.
func (n *node) arith(name string, o op, b *node) *node {
	o.takes(name, n.check(name).dt)
	return n.binary(name, o, n.dt, b)
}

// scalar returns op of the array and a scalar, element-wise.
func (n *node) scalar(name string, o op, v number) *node {
	o.takes(name, n.check(name).dt)
	c := new(node)
	c.constant(n.dt, v)
	return n.binary(name, o, n.dt, c)
}

// compare returns the element-wise comparison of two arrays of the same type.
func (n *node) compare(name string, o op, b *node) *node {
	o.takes(name, n.check(name).dt)
	return n.binary(name, o, Bool, b)
}

// compareScalar returns the element-wise comparison with a scalar.
func (n *node) compareScalar(name string, o op, v number) *node {
	c := new(node)
	c.constant(n.check(name).dt, v)
	return n.compare(name, o, c)
}

// Add returns a + b, element-wise. Integers wrap around. For bools it is logical or.
func (a *Array[T]) Add(b *Array[T]) *Array[T] { return as[T](a.core().arith("Add", opAdd, b.core())) }

// AddScalar returns a + v, element-wise.
func (a *Array[T]) AddScalar(v T) *Array[T] {
	return as[T](a.core().scalar("AddScalar", opAdd, numberOf(v)))
}

// Sub returns a - b, element-wise.
func (a *Array[T]) Sub(b *Array[T]) *Array[T] { return as[T](a.core().arith("Sub", opSub, b.core())) }

// SubScalar returns a - v, element-wise.
func (a *Array[T]) SubScalar(v T) *Array[T] {
	return as[T](a.core().scalar("SubScalar", opSub, numberOf(v)))
}

// Mul returns a · b, element-wise. For bools it is logical and.
func (a *Array[T]) Mul(b *Array[T]) *Array[T] { return as[T](a.core().arith("Mul", opMul, b.core())) }

// MulScalar returns a · v, element-wise.
func (a *Array[T]) MulScalar(v T) *Array[T] {
	return as[T](a.core().scalar("MulScalar", opMul, numberOf(v)))
}

// Div returns a / b, element-wise. Integer division truncates toward zero, as in Go, and is 0 where b is 0.
func (a *Array[T]) Div(b *Array[T]) *Array[T] { return as[T](a.core().arith("Div", opDiv, b.core())) }

// DivScalar returns a / v, element-wise, as Div does.
func (a *Array[T]) DivScalar(v T) *Array[T] {
	return as[T](a.core().scalar("DivScalar", opDiv, numberOf(v)))
}

// FloorDiv returns the floor of a / b, element-wise, as Python's // does; for integers it is 0 where b is 0.
func (a *Array[T]) FloorDiv(b *Array[T]) *Array[T] {
	return as[T](a.core().arith("FloorDiv", opFloorDiv, b.core()))
}

// FloorDivScalar returns the floor of a / v, element-wise, as FloorDiv does.
func (a *Array[T]) FloorDivScalar(v T) *Array[T] {
	return as[T](a.core().scalar("FloorDivScalar", opFloorDiv, numberOf(v)))
}

// Mod returns a - b·FloorDiv(a, b), element-wise, as Python's % does: the result has the sign of b.
func (a *Array[T]) Mod(b *Array[T]) *Array[T] { return as[T](a.core().arith("Mod", opMod, b.core())) }

// ModScalar returns a - v·FloorDiv(a, v), element-wise, as Mod does.
func (a *Array[T]) ModScalar(v T) *Array[T] {
	return as[T](a.core().scalar("ModScalar", opMod, numberOf(v)))
}

// Fmod returns the remainder of the truncated division a / b, element-wise, as Go's % does: the result has the sign of a.
func (a *Array[T]) Fmod(b *Array[T]) *Array[T] {
	return as[T](a.core().arith("Fmod", opFmod, b.core()))
}

// FmodScalar returns the remainder of the truncated division a / v, element-wise, as Fmod does.
func (a *Array[T]) FmodScalar(v T) *Array[T] {
	return as[T](a.core().scalar("FmodScalar", opFmod, numberOf(v)))
}

// Pow returns a to the power of b, element-wise. An integer to a negative power is 0 unless a is 1 or -1.
func (a *Array[T]) Pow(b *Array[T]) *Array[T] { return as[T](a.core().arith("Pow", opPow, b.core())) }

// PowScalar returns a to the power of v, element-wise, as Pow does.
func (a *Array[T]) PowScalar(v T) *Array[T] {
	return as[T](a.core().scalar("PowScalar", opPow, numberOf(v)))
}

// Maximum returns the element-wise maximum of a and b: NaN if either is NaN, and a if they are equal, as zeros of opposite sign are.
func (a *Array[T]) Maximum(b *Array[T]) *Array[T] {
	return as[T](a.core().arith("Maximum", opMaximum, b.core()))
}

// MaximumScalar returns the element-wise maximum of a and v, as Maximum does.
func (a *Array[T]) MaximumScalar(v T) *Array[T] {
	return as[T](a.core().scalar("MaximumScalar", opMaximum, numberOf(v)))
}

// Minimum returns the element-wise minimum of a and b: NaN if either is NaN, and a if they are equal, as zeros of opposite sign are.
func (a *Array[T]) Minimum(b *Array[T]) *Array[T] {
	return as[T](a.core().arith("Minimum", opMinimum, b.core()))
}

// MinimumScalar returns the element-wise minimum of a and v, as Minimum does.
func (a *Array[T]) MinimumScalar(v T) *Array[T] {
	return as[T](a.core().scalar("MinimumScalar", opMinimum, numberOf(v)))
}

// And returns a & b, element-wise, of integers or bools.
func (a *Array[T]) And(b *Array[T]) *Array[T] { return as[T](a.core().arith("And", opAnd, b.core())) }

// AndScalar returns a & v, element-wise, of integers or bools.
func (a *Array[T]) AndScalar(v T) *Array[T] {
	return as[T](a.core().scalar("AndScalar", opAnd, numberOf(v)))
}

// Or returns a | b, element-wise, of integers or bools.
func (a *Array[T]) Or(b *Array[T]) *Array[T] { return as[T](a.core().arith("Or", opOr, b.core())) }

// OrScalar returns a | v, element-wise, of integers or bools.
func (a *Array[T]) OrScalar(v T) *Array[T] {
	return as[T](a.core().scalar("OrScalar", opOr, numberOf(v)))
}

// Xor returns a ^ b, element-wise, of integers or bools.
func (a *Array[T]) Xor(b *Array[T]) *Array[T] { return as[T](a.core().arith("Xor", opXor, b.core())) }

// XorScalar returns a ^ v, element-wise, of integers or bools.
func (a *Array[T]) XorScalar(v T) *Array[T] {
	return as[T](a.core().scalar("XorScalar", opXor, numberOf(v)))
}

// Lsh returns a << b, element-wise, of integers.
func (a *Array[T]) Lsh(b *Array[T]) *Array[T] { return as[T](a.core().arith("Lsh", opShl, b.core())) }

// LshScalar returns a << v, element-wise, of integers.
func (a *Array[T]) LshScalar(v T) *Array[T] {
	return as[T](a.core().scalar("LshScalar", opShl, numberOf(v)))
}

// Rsh returns a >> b, element-wise, of integers.
func (a *Array[T]) Rsh(b *Array[T]) *Array[T] { return as[T](a.core().arith("Rsh", opShr, b.core())) }

// RshScalar returns a >> v, element-wise, of integers.
func (a *Array[T]) RshScalar(v T) *Array[T] {
	return as[T](a.core().scalar("RshScalar", opShr, numberOf(v)))
}

// Equal reports, element-wise, whether a == b.
func (a *Array[T]) Equal(b *Array[T]) *Array[bool] {
	return as[bool](a.core().compare("Equal", opEqual, b.core()))
}

// EqualScalar reports, element-wise, whether a == v.
func (a *Array[T]) EqualScalar(v T) *Array[bool] {
	return as[bool](a.core().compareScalar("EqualScalar", opEqual, numberOf(v)))
}

// NotEqual reports, element-wise, whether a != b.
func (a *Array[T]) NotEqual(b *Array[T]) *Array[bool] {
	return as[bool](a.core().compare("NotEqual", opNotEqual, b.core()))
}

// NotEqualScalar reports, element-wise, whether a != v.
func (a *Array[T]) NotEqualScalar(v T) *Array[bool] {
	return as[bool](a.core().compareScalar("NotEqualScalar", opNotEqual, numberOf(v)))
}

// Less reports, element-wise, whether a < b.
func (a *Array[T]) Less(b *Array[T]) *Array[bool] {
	return as[bool](a.core().compare("Less", opLess, b.core()))
}

// LessScalar reports, element-wise, whether a < v.
func (a *Array[T]) LessScalar(v T) *Array[bool] {
	return as[bool](a.core().compareScalar("LessScalar", opLess, numberOf(v)))
}

// LessEqual reports, element-wise, whether a <= b.
func (a *Array[T]) LessEqual(b *Array[T]) *Array[bool] {
	return as[bool](a.core().compare("LessEqual", opLessEqual, b.core()))
}

// LessEqualScalar reports, element-wise, whether a <= v.
func (a *Array[T]) LessEqualScalar(v T) *Array[bool] {
	return as[bool](a.core().compareScalar("LessEqualScalar", opLessEqual, numberOf(v)))
}

// Greater reports, element-wise, whether a > b.
func (a *Array[T]) Greater(b *Array[T]) *Array[bool] {
	return as[bool](a.core().compare("Greater", opGreater, b.core()))
}

// GreaterScalar reports, element-wise, whether a > v.
func (a *Array[T]) GreaterScalar(v T) *Array[bool] {
	return as[bool](a.core().compareScalar("GreaterScalar", opGreater, numberOf(v)))
}

// GreaterEqual reports, element-wise, whether a >= b.
func (a *Array[T]) GreaterEqual(b *Array[T]) *Array[bool] {
	return as[bool](a.core().compare("GreaterEqual", opGreaterEqual, b.core()))
}

// GreaterEqualScalar reports, element-wise, whether a >= v.
func (a *Array[T]) GreaterEqualScalar(v T) *Array[bool] {
	return as[bool](a.core().compareScalar("GreaterEqualScalar", opGreaterEqual, numberOf(v)))
}

// LogicalAnd reports, element-wise, whether both a and b are true. Nonzero elements are true.
func (a *Array[T]) LogicalAnd(b *Array[T]) *Array[bool] {
	return as[bool](a.core().compare("LogicalAnd", opLogicalAnd, b.core()))
}

// LogicalOr reports, element-wise, whether a or b is true, or both are.
func (a *Array[T]) LogicalOr(b *Array[T]) *Array[bool] {
	return as[bool](a.core().compare("LogicalOr", opLogicalOr, b.core()))
}

// LogicalXor reports, element-wise, whether exactly one of a and b is true.
func (a *Array[T]) LogicalXor(b *Array[T]) *Array[bool] {
	return as[bool](a.core().compare("LogicalXor", opLogicalXor, b.core()))
}

// LogicalNot reports, element-wise, whether a is 0 or false.
func (a *Array[T]) LogicalNot() *Array[bool] { return as[bool](a.core().not()) }

func (n *node) not() *node {
	const name = "LogicalNot"
	opLogicalNot.takes(name, n.check(name).dt)
	return n.unary(name, opLogicalNot, Bool)
}

// Neg returns -a, element-wise.
func (a *Array[T]) Neg() *Array[T] { return as[T](a.core().own("Neg", opNeg)) }

// Square returns a·a, element-wise.
func (a *Array[T]) Square() *Array[T] { return as[T](a.core().own("Square", opSquare)) }

// Invert returns ^a for integers and !a for bools, element-wise.
func (a *Array[T]) Invert() *Array[T] { return as[T](a.core().own("Invert", opInvert)) }

// own returns a unary operation on the array.
func (n *node) own(name string, o op) *node {
	o.takes(name, n.check(name).dt)
	return n.unary(name, o, n.dt)
}

// Clip returns a with its elements limited to the interval from low to high.
func (a *Array[T]) Clip(low, high T) *Array[T] {
	return as[T](a.core().scalar("Clip", opMaximum, numberOf(low)).scalar("Clip", opMinimum, numberOf(high)))
}

// Copy returns a contiguous copy of the array. A copy of an array that is split over devices is split alike.
func (a *Array[T]) Copy() *Array[T] { return as[T](a.core().duplicate()) }

func (n *node) duplicate() *node {
	if n.check("Copy").shards == nil {
		return n.copied()
	}
	return n.unary("Copy", opCopy, n.dt)
}

// copyOf returns a contiguous copy that is on one device.
func copyOf[T Elem](a *Array[T]) *Array[T] { return as[T](a.core().copied()) }

func (n *node) copied() *node {
	out := n.check("Copy").unary("Copy", opCopy, n.dt).computed()
	if out.shards == nil {
		return out
	}
	one := out.whole()
	one.past = out.past
	one.mem.fixed.Store(false) // nobody else has this memory
	return one
}

// AsType returns the array converted to another dtype. Floats are truncated toward zero, as in Go; a value that the integer type cannot
// hold gives an undefined result, as there. Integers lose their upper bits, complex numbers their imaginary parts. For bools, nonzero
// elements are true.
func AsType[To Elem](o Operand) *Array[To] {
	n := o.core().check("AsType")
	if a, ok := o.(*Array[To]); ok {
		return a
	}
	return unary[To]("AsType", opCast, n)
}

// Where returns the elements of a where cond is true and of b elsewhere. Shapes are broadcast.
func Where[T Elem](cond *Array[bool], a, b *Array[T]) *Array[T] {
	return ternary[T]("Where", opWhere, DTypeOf[T](), cond.check("Where"), a.check("Where"), b.check("Where"))
}
