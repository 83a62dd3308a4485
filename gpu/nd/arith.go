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
//
//go:noinline
func (a *Array[T]) Add(b *Array[T]) *Array[T] { return (*Array[T])(arithOf(opAdd, ref(a), ref(b))) }

// AddScalar returns a + v, element-wise.
//
//go:noinline
func (a *Array[T]) AddScalar(v T) *Array[T] { return (*Array[T])(scalarOf(opAdd, ref(a), ref(&v))) }

// Sub returns a - b, element-wise.
//
//go:noinline
func (a *Array[T]) Sub(b *Array[T]) *Array[T] { return (*Array[T])(arithOf(opSub, ref(a), ref(b))) }

// SubScalar returns a - v, element-wise.
//
//go:noinline
func (a *Array[T]) SubScalar(v T) *Array[T] { return (*Array[T])(scalarOf(opSub, ref(a), ref(&v))) }

// Mul returns a · b, element-wise. For bools it is logical and.
//
//go:noinline
func (a *Array[T]) Mul(b *Array[T]) *Array[T] { return (*Array[T])(arithOf(opMul, ref(a), ref(b))) }

// MulScalar returns a · v, element-wise.
//
//go:noinline
func (a *Array[T]) MulScalar(v T) *Array[T] { return (*Array[T])(scalarOf(opMul, ref(a), ref(&v))) }

// Div returns a / b, element-wise. Integer division truncates toward zero, as in Go, and is 0 where b is 0.
//
//go:noinline
func (a *Array[T]) Div(b *Array[T]) *Array[T] { return (*Array[T])(arithOf(opDiv, ref(a), ref(b))) }

// DivScalar returns a / v, element-wise, as Div does.
//
//go:noinline
func (a *Array[T]) DivScalar(v T) *Array[T] { return (*Array[T])(scalarOf(opDiv, ref(a), ref(&v))) }

// FloorDiv returns the floor of a / b, element-wise, as Python's // does; for integers it is 0 where b is 0.
//
//go:noinline
func (a *Array[T]) FloorDiv(b *Array[T]) *Array[T] {
	return (*Array[T])(arithOf(opFloorDiv, ref(a), ref(b)))
}

// FloorDivScalar returns the floor of a / v, element-wise, as FloorDiv does.
//
//go:noinline
func (a *Array[T]) FloorDivScalar(v T) *Array[T] {
	return (*Array[T])(scalarOf(opFloorDiv, ref(a), ref(&v)))
}

// Mod returns a - b·FloorDiv(a, b), element-wise, as Python's % does: the result has the sign of b.
//
//go:noinline
func (a *Array[T]) Mod(b *Array[T]) *Array[T] { return (*Array[T])(arithOf(opMod, ref(a), ref(b))) }

// ModScalar returns a - v·FloorDiv(a, v), element-wise, as Mod does.
//
//go:noinline
func (a *Array[T]) ModScalar(v T) *Array[T] { return (*Array[T])(scalarOf(opMod, ref(a), ref(&v))) }

// Fmod returns the remainder of the truncated division a / b, element-wise, as Go's % does: the result has the sign of a.
//
//go:noinline
func (a *Array[T]) Fmod(b *Array[T]) *Array[T] { return (*Array[T])(arithOf(opFmod, ref(a), ref(b))) }

// FmodScalar returns the remainder of the truncated division a / v, element-wise, as Fmod does.
//
//go:noinline
func (a *Array[T]) FmodScalar(v T) *Array[T] { return (*Array[T])(scalarOf(opFmod, ref(a), ref(&v))) }

// Pow returns a to the power of b, element-wise. An integer to a negative power is 0 unless a is 1 or -1.
//
//go:noinline
func (a *Array[T]) Pow(b *Array[T]) *Array[T] { return (*Array[T])(arithOf(opPow, ref(a), ref(b))) }

// PowScalar returns a to the power of v, element-wise, as Pow does.
//
//go:noinline
func (a *Array[T]) PowScalar(v T) *Array[T] { return (*Array[T])(scalarOf(opPow, ref(a), ref(&v))) }

// Maximum returns the element-wise maximum of a and b: NaN if either is NaN, and a if they are equal, as zeros of opposite sign are.
//
//go:noinline
func (a *Array[T]) Maximum(b *Array[T]) *Array[T] {
	return (*Array[T])(arithOf(opMaximum, ref(a), ref(b)))
}

// MaximumScalar returns the element-wise maximum of a and v, as Maximum does.
//
//go:noinline
func (a *Array[T]) MaximumScalar(v T) *Array[T] {
	return (*Array[T])(scalarOf(opMaximum, ref(a), ref(&v)))
}

// Minimum returns the element-wise minimum of a and b: NaN if either is NaN, and a if they are equal, as zeros of opposite sign are.
//
//go:noinline
func (a *Array[T]) Minimum(b *Array[T]) *Array[T] {
	return (*Array[T])(arithOf(opMinimum, ref(a), ref(b)))
}

// MinimumScalar returns the element-wise minimum of a and v, as Minimum does.
//
//go:noinline
func (a *Array[T]) MinimumScalar(v T) *Array[T] {
	return (*Array[T])(scalarOf(opMinimum, ref(a), ref(&v)))
}

// And returns a & b, element-wise, of integers or bools.
//
//go:noinline
func (a *Array[T]) And(b *Array[T]) *Array[T] { return (*Array[T])(arithOf(opAnd, ref(a), ref(b))) }

// AndScalar returns a & v, element-wise, of integers or bools.
//
//go:noinline
func (a *Array[T]) AndScalar(v T) *Array[T] { return (*Array[T])(scalarOf(opAnd, ref(a), ref(&v))) }

// Or returns a | b, element-wise, of integers or bools.
//
//go:noinline
func (a *Array[T]) Or(b *Array[T]) *Array[T] { return (*Array[T])(arithOf(opOr, ref(a), ref(b))) }

// OrScalar returns a | v, element-wise, of integers or bools.
//
//go:noinline
func (a *Array[T]) OrScalar(v T) *Array[T] { return (*Array[T])(scalarOf(opOr, ref(a), ref(&v))) }

// Xor returns a ^ b, element-wise, of integers or bools.
//
//go:noinline
func (a *Array[T]) Xor(b *Array[T]) *Array[T] { return (*Array[T])(arithOf(opXor, ref(a), ref(b))) }

// XorScalar returns a ^ v, element-wise, of integers or bools.
//
//go:noinline
func (a *Array[T]) XorScalar(v T) *Array[T] { return (*Array[T])(scalarOf(opXor, ref(a), ref(&v))) }

// Lsh returns a << b, element-wise, of integers.
//
//go:noinline
func (a *Array[T]) Lsh(b *Array[T]) *Array[T] { return (*Array[T])(arithOf(opShl, ref(a), ref(b))) }

// LshScalar returns a << v, element-wise, of integers.
//
//go:noinline
func (a *Array[T]) LshScalar(v T) *Array[T] { return (*Array[T])(scalarOf(opShl, ref(a), ref(&v))) }

// Rsh returns a >> b, element-wise, of integers.
//
//go:noinline
func (a *Array[T]) Rsh(b *Array[T]) *Array[T] { return (*Array[T])(arithOf(opShr, ref(a), ref(b))) }

// RshScalar returns a >> v, element-wise, of integers.
//
//go:noinline
func (a *Array[T]) RshScalar(v T) *Array[T] { return (*Array[T])(scalarOf(opShr, ref(a), ref(&v))) }

// Equal reports, element-wise, whether a == b.
//
//go:noinline
func (a *Array[T]) Equal(b *Array[T]) *Array[bool] {
	return (*Array[bool])(compareOf(opEqual, ref(a), ref(b)))
}

// EqualScalar reports, element-wise, whether a == v.
//
//go:noinline
func (a *Array[T]) EqualScalar(v T) *Array[bool] {
	return (*Array[bool])(compareScalarOf(opEqual, ref(a), ref(&v)))
}

// NotEqual reports, element-wise, whether a != b.
//
//go:noinline
func (a *Array[T]) NotEqual(b *Array[T]) *Array[bool] {
	return (*Array[bool])(compareOf(opNotEqual, ref(a), ref(b)))
}

// NotEqualScalar reports, element-wise, whether a != v.
//
//go:noinline
func (a *Array[T]) NotEqualScalar(v T) *Array[bool] {
	return (*Array[bool])(compareScalarOf(opNotEqual, ref(a), ref(&v)))
}

// Less reports, element-wise, whether a < b.
//
//go:noinline
func (a *Array[T]) Less(b *Array[T]) *Array[bool] {
	return (*Array[bool])(compareOf(opLess, ref(a), ref(b)))
}

// LessScalar reports, element-wise, whether a < v.
//
//go:noinline
func (a *Array[T]) LessScalar(v T) *Array[bool] {
	return (*Array[bool])(compareScalarOf(opLess, ref(a), ref(&v)))
}

// LessEqual reports, element-wise, whether a <= b.
//
//go:noinline
func (a *Array[T]) LessEqual(b *Array[T]) *Array[bool] {
	return (*Array[bool])(compareOf(opLessEqual, ref(a), ref(b)))
}

// LessEqualScalar reports, element-wise, whether a <= v.
//
//go:noinline
func (a *Array[T]) LessEqualScalar(v T) *Array[bool] {
	return (*Array[bool])(compareScalarOf(opLessEqual, ref(a), ref(&v)))
}

// Greater reports, element-wise, whether a > b.
//
//go:noinline
func (a *Array[T]) Greater(b *Array[T]) *Array[bool] {
	return (*Array[bool])(compareOf(opGreater, ref(a), ref(b)))
}

// GreaterScalar reports, element-wise, whether a > v.
//
//go:noinline
func (a *Array[T]) GreaterScalar(v T) *Array[bool] {
	return (*Array[bool])(compareScalarOf(opGreater, ref(a), ref(&v)))
}

// GreaterEqual reports, element-wise, whether a >= b.
//
//go:noinline
func (a *Array[T]) GreaterEqual(b *Array[T]) *Array[bool] {
	return (*Array[bool])(compareOf(opGreaterEqual, ref(a), ref(b)))
}

// GreaterEqualScalar reports, element-wise, whether a >= v.
//
//go:noinline
func (a *Array[T]) GreaterEqualScalar(v T) *Array[bool] {
	return (*Array[bool])(compareScalarOf(opGreaterEqual, ref(a), ref(&v)))
}

// LogicalAnd reports, element-wise, whether both a and b are true. Nonzero elements are true.
//
//go:noinline
func (a *Array[T]) LogicalAnd(b *Array[T]) *Array[bool] {
	return (*Array[bool])(compareOf(opLogicalAnd, ref(a), ref(b)))
}

// LogicalOr reports, element-wise, whether a or b is true, or both are.
//
//go:noinline
func (a *Array[T]) LogicalOr(b *Array[T]) *Array[bool] {
	return (*Array[bool])(compareOf(opLogicalOr, ref(a), ref(b)))
}

// LogicalXor reports, element-wise, whether exactly one of a and b is true.
//
//go:noinline
func (a *Array[T]) LogicalXor(b *Array[T]) *Array[bool] {
	return (*Array[bool])(compareOf(opLogicalXor, ref(a), ref(b)))
}

// LogicalNot reports, element-wise, whether a is 0 or false.
//
//go:noinline
func (a *Array[T]) LogicalNot() *Array[bool] { return (*Array[bool])(notOf(ref(a))) }

func (n *node) not() *node {
	const name = "LogicalNot"
	opLogicalNot.takes(name, n.check(name).dt)
	return n.unary(name, opLogicalNot, Bool)
}

// Neg returns -a, element-wise.
//
//go:noinline
func (a *Array[T]) Neg() *Array[T] { return (*Array[T])(ownOf(opNeg, ref(a))) }

// Square returns a·a, element-wise.
//
//go:noinline
func (a *Array[T]) Square() *Array[T] { return (*Array[T])(ownOf(opSquare, ref(a))) }

// Invert returns ^a for integers and !a for bools, element-wise.
//
//go:noinline
func (a *Array[T]) Invert() *Array[T] { return (*Array[T])(ownOf(opInvert, ref(a))) }

// own returns a unary operation on the array.
func (n *node) own(name string, o op) *node {
	o.takes(name, n.check(name).dt)
	return n.unary(name, o, n.dt)
}

// Clip returns a with its elements limited to the interval from low to high.
//
//go:noinline
func (a *Array[T]) Clip(low, high T) *Array[T] {
	return (*Array[T])(clipOf(ref(a), ref(&low), ref(&high)))
}

// Copy returns a contiguous copy of the array. A copy of an array that is split over devices is split alike.
//
//go:noinline
func (a *Array[T]) Copy() *Array[T] { return (*Array[T])(duplicateOf(ref(a))) }

func (n *node) duplicate() *node {
	if n.check("Copy").shards == nil {
		return n.copied()
	}
	return n.unary("Copy", opCopy, n.dt)
}

// copyOf returns a contiguous copy that is on one device.
func copyOf[T Elem](a *Array[T]) *Array[T] { return as[T](nodeOf(a).copied()) }

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
	n := nodeIn(o).check("AsType")
	if a, ok := o.(*Array[To]); ok {
		return a
	}
	return unary[To]("AsType", opCast, n)
}

// Where returns the elements of a where cond is true and of b elsewhere. Shapes are broadcast.
func Where[T Elem](cond *Array[bool], a, b *Array[T]) *Array[T] {
	return ternary[T]("Where", opWhere, DTypeOf[T](), nodeOf(cond).check("Where"), nodeOf(a).check("Where"), nodeOf(b).check("Where"))
}
