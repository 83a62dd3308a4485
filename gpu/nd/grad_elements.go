package nd

import "math"

// operands are what the derivative of an element-wise operation is computed from.
type operands struct {
	g       *node // the gradient with respect to the result
	a, b, c *node
	out     *node
}

// A derivative returns the gradient with respect to one argument of an element-wise operation, in the shape of the result.
type derivative func(v *operands) *node

// trace gives the result of element-wise operation op its history, if an argument has one.
func (out *node) trace(name string, op op, a, b, c *node) *node {
	if !traced(a, b, c) || op.constant() || !out.dt.is(kindFloat|kindComplex) {
		return out
	}
	rules := op.derivatives()
	if rules == nil || out.dt.is(kindComplex) {
		failGradient(name)
	}
	args := []*node{a, b, c}
	held := make([]*kept, 0, 4)
	hold := func(n *node) *kept {
		if n == nil {
			return nil
		}
		k := n.keep()
		held = append(held, k)
		return k
	}
	k := [4]*kept{hold(args[0]), hold(args[1]), hold(args[2]), hold(out)}
	back := make([]func(g *node) *node, len(rules))
	for i, rule := range rules {
		back[i] = func(g *node) *node {
			v := &operands{g: g}
			for j, n := range []**node{&v.a, &v.b, &v.c, &v.out} {
				if k[j] != nil {
					*n = k[j].node()
				}
			}
			return rule(v).shrinkTo(args[i])
		}
	}
	return out.derive(held, args[:len(rules)], back...)
}

// shrinkTo returns the gradient with respect to an operand, which was broadcast to the gradient's shape, and may have another type.
func (g *node) shrinkTo(a *node) *node {
	var axes, ones []int
	extra := g.lay.rank() - a.lay.rank()
	for i, n := range g.lay.shape {
		switch {
		case i < extra:
			axes = append(axes, i)
		case n != a.lay.shape[i-extra]:
			axes, ones = append(axes, i), append(ones, i)
		}
	}
	if len(axes) > 0 {
		g = g.fold(grad, foldSum, axes)
		if len(ones) > 0 {
			g = g.reshape(a.lay.shape)
		}
	}
	if g.dt != a.dt {
		g = g.unary(grad, opCast, a.dt)
	}
	return g
}

// constant reports whether the operation has the derivative zero wherever it has one.
func (o op) constant() bool {
	switch o {
	case opFloorDiv, opSign, opFloor, opCeil, opTrunc, opRint, opRound, opLogb, opMantissa, opExponent:
		return true
	}
	return false
}

const grad = "Grad"

func (n *node) times(b *node) *node      { return n.arith(grad, opMul, b) }
func (n *node) over(b *node) *node       { return n.arith(grad, opDiv, b) }
func (n *node) plus(b *node) *node       { return n.arith(grad, opAdd, b) }
func (n *node) minus(b *node) *node      { return n.arith(grad, opSub, b) }
func (n *node) scaled(v float64) *node   { return n.scalar(grad, opMul, float64Number(v)) }
func (n *node) shifted(v float64) *node  { return n.scalar(grad, opAdd, float64Number(v)) }
func (n *node) apply(o op) *node         { return n.unary(grad, o, n.dt) }
func (n *node) isZero() *node            { return n.compareScalar(grad, opEqual, number{}) }
func (n *node) pick(yes, no *node) *node { return n.ternary(grad, opWhere, yes.dt, yes, no) }
func (n *node) where(cond *node) *node   { return cond.pick(n, n.zero()) } // n where cond, 0 elsewhere
func (n *node) zero() *node              { return n.like(0) }

// like returns a constant of the array's type.
func (n *node) like(v float64) *node {
	c := new(node)
	c.constant(n.dt, float64Number(v))
	return c
}

// float64Number is the number of a constant of any floating-point type.
func float64Number(v float64) number { return number{math.Float64bits(v)} }

// fullLike returns an array of the array's type and shape whose elements are all v.
func (n *node) fullLike(v float64) *node {
	full := new(node)
	full.init(grad, opCopy, n.dt, common(grad, n, nil, nil), contiguous(grad, n.Shape()), n.like(v), nil, nil)
	return full
}

func first(v *operands) *node  { return v.g }
func second(v *operands) *node { return v.g.apply(opNeg) }

// smooth returns the derivative of an operation with one operand from the factor of the gradient.
func smooth(factor func(v *operands) *node) []derivative {
	return []derivative{func(v *operands) *node { return v.g.times(factor(v)) }}
}

// quotient returns the derivative of an operation with one operand from the divisor of the gradient.
func quotient(divisor func(v *operands) *node) []derivative {
	return []derivative{func(v *operands) *node { return v.g.over(divisor(v)) }}
}

// rooted returns the derivative of an operation with one operand that is the gradient, times a factor, over the root of an expression.
func rooted(factor float64, square func(v *operands) *node) []derivative {
	return []derivative{func(v *operands) *node { return v.g.scaled(factor).times(square(v).apply(opRsqrt)) }}
}

// larger returns the derivatives of a maximum or minimum, where o compares an operand that is the result with the other: of equal operands
// each gets half, as in JAX.
func larger(o op) []derivative {
	share := func(v *operands, mine, other *node) *node {
		half := v.g.scaled(0.5).where(mine.compare(grad, opEqual, other))
		return mine.compare(grad, o, other).pick(v.g, half)
	}
	return []derivative{
		func(v *operands) *node { return share(v, v.a, v.b) },
		func(v *operands) *node { return share(v, v.b, v.a) },
	}
}

// rest returns the derivatives of a remainder: a minus b times a quotient that is rounded by an operation.
func rest(rounding op) []derivative {
	return []derivative{first, func(v *operands) *node { return v.g.times(v.a.over(v.b).apply(rounding)).apply(opNeg) }}
}

// derivatives returns the derivatives of an element-wise operation with respect to its operands, or nil if there are none.
func (o op) derivatives() []derivative {
	switch o {
	case opCopy, opCast, opFrac:
		return []derivative{first}
	case opNeg:
		return []derivative{second}
	case opAbs:
		return smooth(func(v *operands) *node { return v.a.apply(opSign) })
	case opSquare:
		return smooth(func(v *operands) *node { return v.a.scaled(2) })
	case opReciprocal:
		return smooth(func(v *operands) *node { return v.out.apply(opSquare).apply(opNeg) })
	case opSigmoid:
		return smooth(func(v *operands) *node { return v.out.times(v.out.scaled(-1).shifted(1)) })
	case opRelu:
		return []derivative{func(v *operands) *node { return v.g.where(v.a.compare(grad, opGreater, v.zero())) }}
	}
	for _, list := range []func(op) []derivative{op.pairs, op.powers, op.angles, op.specials} {
		if rules := list(o); rules != nil {
			return rules
		}
	}
	return nil
}

// pairs has the derivatives of operations with two or three operands.
func (o op) pairs() []derivative {
	switch o {
	case opAdd:
		return []derivative{first, first}
	case opSub:
		return []derivative{first, second}
	case opMul:
		return []derivative{func(v *operands) *node { return v.g.times(v.b) }, func(v *operands) *node { return v.g.times(v.a) }}
	case opDiv:
		return []derivative{
			func(v *operands) *node { return v.g.over(v.b) },
			func(v *operands) *node { return v.g.times(v.out).over(v.b).apply(opNeg) },
		}
	case opMaximum, opFmax:
		return larger(opGreater)
	case opMinimum, opFmin:
		return larger(opLess)
	case opMod:
		return rest(opFloor)
	case opFmod:
		return rest(opTrunc)
	case opRemainder:
		return rest(opRint)
	case opDim:
		above := func(v *operands) *node { return v.g.where(v.a.compare(grad, opGreater, v.b)) }
		return []derivative{above, func(v *operands) *node { return above(v).apply(opNeg) }}
	case opHypot:
		return []derivative{
			func(v *operands) *node { return v.g.times(v.a).over(v.out) },
			func(v *operands) *node { return v.g.times(v.b).over(v.out) },
		}
	case opAtan2:
		square := func(v *operands) *node { return v.a.apply(opSquare).plus(v.b.apply(opSquare)) }
		return []derivative{
			func(v *operands) *node { return v.g.times(v.b).over(square(v)) },
			func(v *operands) *node { return v.g.times(v.a).over(square(v)).apply(opNeg) },
		}
	case opLogaddexp:
		return []derivative{
			func(v *operands) *node { return v.g.times(v.a.minus(v.out).apply(opExp)) },
			func(v *operands) *node { return v.g.times(v.b.minus(v.out).apply(opExp)) },
		}
	case opWhere:
		return []derivative{
			nil,
			func(v *operands) *node { return v.g.where(v.a) },
			func(v *operands) *node { return v.g.where(v.a.apply(opInvert)) },
		}
	case opFMA:
		return []derivative{func(v *operands) *node { return v.g.times(v.b) }, func(v *operands) *node { return v.g.times(v.a) }, first}
	}
	return nil
}

// powers has the derivatives of powers, roots, exponentials and logarithms.
func (o op) powers() []derivative {
	switch o {
	case opPow:
		return []derivative{powerBase, powerExponent}
	case opSqrt:
		return quotient(func(v *operands) *node { return v.out.scaled(2) })
	case opRsqrt:
		return smooth(func(v *operands) *node { return v.out.over(v.a).scaled(-0.5) })
	case opCbrt:
		return quotient(func(v *operands) *node { return v.out.apply(opSquare).scaled(3) })
	case opExp:
		return smooth(func(v *operands) *node { return v.out })
	case opExp2:
		return smooth(func(v *operands) *node { return v.out.scaled(math.Ln2) })
	case opExpm1:
		return smooth(func(v *operands) *node { return v.out.shifted(1) })
	case opLog:
		return quotient(func(v *operands) *node { return v.a })
	case opLog2:
		return quotient(func(v *operands) *node { return v.a.scaled(math.Ln2) })
	case opLog10:
		return quotient(func(v *operands) *node { return v.a.scaled(math.Ln10) })
	case opLog1p:
		return quotient(func(v *operands) *node { return v.a.shifted(1) })
	}
	return nil
}

// powerBase is the derivative of a to the power of b with respect to a, which is 0 where b is 0, also for a = 0.
func powerBase(v *operands) *node {
	none := v.b.isZero()
	less := none.pick(v.b.like(1), v.b.shifted(-1))
	return v.g.times(v.b.times(v.a.arith(grad, opPow, less))).where(none.apply(opInvert))
}

// powerExponent is that with respect to b, which is 0 where a is 0.
func powerExponent(v *operands) *node {
	log := v.a.isZero().pick(v.a.like(1), v.a).apply(opLog)
	return v.g.times(v.out).times(log)
}

// angles has the derivatives of trigonometric and hyperbolic functions.
func (o op) angles() []derivative {
	oneMinusSquare := func(v *operands) *node { return v.a.apply(opSquare).scaled(-1).shifted(1) }
	onePlusSquare := func(v *operands) *node { return v.a.apply(opSquare).shifted(1) }
	switch o {
	case opSin:
		return smooth(func(v *operands) *node { return v.a.apply(opCos) })
	case opCos:
		return smooth(func(v *operands) *node { return v.a.apply(opSin).apply(opNeg) })
	case opTan:
		return smooth(func(v *operands) *node { return v.out.apply(opSquare).shifted(1) })
	case opAsin:
		return rooted(1, oneMinusSquare)
	case opAcos:
		return rooted(-1, oneMinusSquare)
	case opAtan:
		return quotient(onePlusSquare)
	case opSinh:
		return smooth(func(v *operands) *node { return v.a.apply(opCosh) })
	case opCosh:
		return smooth(func(v *operands) *node { return v.a.apply(opSinh) })
	case opTanh:
		return smooth(func(v *operands) *node { return v.out.apply(opSquare).scaled(-1).shifted(1) })
	case opAsinh:
		return rooted(1, onePlusSquare)
	case opAcosh:
		return rooted(1, func(v *operands) *node { return v.a.apply(opSquare).shifted(-1) })
	case opAtanh:
		return quotient(oneMinusSquare)
	}
	return nil
}

// specials has the derivatives of error and Bessel functions (DLMF 7.2, 10.6).
func (o op) specials() []derivative {
	gauss := func(x *node, factor, sign float64) *node {
		return x.apply(opSquare).scaled(sign).apply(opExp).scaled(factor)
	}
	switch o {
	case opErf:
		return smooth(func(v *operands) *node { return gauss(v.a, 2/math.SqrtPi, -1) })
	case opErfc:
		return smooth(func(v *operands) *node { return gauss(v.a, -2/math.SqrtPi, -1) })
	case opErfinv:
		return smooth(func(v *operands) *node { return gauss(v.out, math.SqrtPi/2, 1) })
	case opErfcinv:
		return smooth(func(v *operands) *node { return gauss(v.out, -math.SqrtPi/2, 1) })
	case opJ0:
		return smooth(func(v *operands) *node { return v.a.apply(opJ1).apply(opNeg) })
	case opJ1:
		return smooth(func(v *operands) *node {
			return v.a.isZero().pick(v.a.like(0.5), v.a.apply(opJ0).minus(v.out.over(v.a)))
		})
	case opY0:
		return smooth(func(v *operands) *node { return v.a.apply(opY1).apply(opNeg) })
	case opY1:
		return smooth(func(v *operands) *node { return v.a.apply(opY0).minus(v.out.over(v.a)) })
	}
	return nil
}

func (v *operands) zero() *node { return v.a.zero() }
