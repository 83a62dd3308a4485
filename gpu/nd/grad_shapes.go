package nd

// deriveReduction gives a reduction along axes its history.
func (out *node) deriveReduction(name string, f fold, a *node, axes []int) *node {
	if !traced(a) || f == foldAny || f == foldAll || f.arg() {
		return out
	}
	var held []*kept
	hold := func(n *node) *kept {
		k := n.keep()
		held = append(held, k)
		return k
	}
	shape, ones := a.Shape(), a.Shape()
	count := 1
	for _, axis := range axes {
		ones[axis] = 1
		count *= shape[axis]
	}
	// spread repeats what belongs to the result along the axes.
	spread := func(n *node) *node { return n.reshape(ones).broadcastTo(shape) }
	switch f {
	case foldSum:
		return out.derive(nil, []*node{a}, func(g *node) *node { return spread(g).shrinkTo(a) })
	case foldMean:
		return out.derive(nil, []*node{a}, func(g *node) *node { return spread(g.scaled(1 / float64(count))).shrinkTo(a) })
	case foldMin, foldMax:
		in, result := hold(a), hold(out)
		return out.derive(held, []*node{a}, func(g *node) *node {
			// Equal extremes share the gradient, as in JAX.
			same := in.node().compare(grad, opEqual, spread(result.node()))
			each := same.reduce(grad, foldSum, a.dt, axes)
			return spread(g.over(each)).where(same)
		})
	case foldProd:
		in := hold(a)
		return out.derive(held, []*node{a}, func(g *node) *node { return spread(g).times(in.node().others(axes, spread)) })
	}
	failGradient(name)
	return nil
}

// others returns, for each element, the product of the other elements along the axes.
func (n *node) others(axes []int, spread func(*node) *node) *node {
	none := n.isZero()
	product := spread(none.pick(n.like(1), n).fold(grad, foldProd, axes))
	zeros := spread(none.reduce(grad, foldSum, n.dt, axes))
	without := product.over(none.pick(n.like(1), n)).where(zeros.isZero())
	return none.pick(product.where(zeros.compare(grad, opEqual, n.like(1))), without)
}

// deriveShape gives a view or copy with the same elements in row-major order its history.
func (out *node) deriveShape(a *node) *node {
	if !traced(a) {
		return out
	}
	shape := a.Shape()
	return out.derive(nil, []*node{a}, func(g *node) *node { return g.reshape(shape) })
}

// deriveChoice gives the history to a result whose elements are elements of the array, each at most once. choose does the same to another
// array of the shape.
func (out *node) deriveChoice(a *node, choose func(n *node) *node) *node {
	if !traced(a) {
		return out
	}
	return out.derive(nil, []*node{a}, func(g *node) *node {
		whole := a.fullLike(0).computed()
		choose(whole).assign(g)
		return whole
	})
}

// deriveGather gives the history to a result whose elements are elements of the array, each any number of times, which an index tells. choose
// does the same to an array of int64s of the shape.
func (out *node) deriveGather(a, index *node, choose func(n, index *node) *node) *node {
	if !traced(a) {
		return out
	}
	shape, by := a.Shape(), index.keep()
	return out.derive([]*kept{by}, []*node{a}, func(g *node) *node {
		places := ramp(grad, Int64, number{}, oneOf(Int64), a.lay.size).on(a.eng.dev).reshape(shape)
		chosen := choose(places, by.node()).reshape([]int{-1})
		sums := count(grad, chosen, 0, a.lay.size, g.reshape([]int{-1}))
		return sums.unary(grad, opCast, a.dt).reshape(shape)
	})
}

// deriveSort gives the history to values that were sorted by keys along an axis: to sort by the indices at which they were brings them back.
func (out *node) deriveSort(name string, values, keys *node, axis int) *node {
	if !traced(values) {
		return out
	}
	by := keys.keep()
	return out.derive([]*kept{by}, []*node{values}, func(g *node) *node {
		order := by.node().argsort(name, []int{axis})
		return g.sortBy(name, order.unary(name, opCast, Uint32), []int{axis})
	})
}

// deriveJoin gives the arrays that were joined along an axis their histories.
func (out *node) deriveJoin(axis int, list []*node) *node {
	back := make([]func(g *node) *node, len(list))
	begin := 0
	for i, n := range list {
		from, to := begin, begin+n.lay.shape[axis]
		back[i] = func(g *node) *node { return g.part(axis, from, to) }
		begin = to
	}
	return out.derive(nil, list, back...)
}

// deriveScan gives a scan along the last axis its history.
func (out *node) deriveScan(name string, f fold, a *node) {
	if !traced(a) {
		return
	}
	if f != foldSum {
		failGradient(name)
	}
	out.derive(nil, []*node{a}, func(g *node) *node {
		// An element is in its own sum and in all after it.
		last := []int{-1}
		return g.flip(last).cumulated().flip(last)
	})
}

// cumulated returns Cumsum along the last axis.
func (n *node) cumulated() *node {
	p := n.plain().packed()
	out := newNode(p.eng, p.dt, contiguous(grad, p.Shape()))
	if out.lay.size > 0 {
		out.eng.scan(foldSum, p, out, p.lay.shape[p.lay.rank()-1])
	}
	out.deriveScan(grad, foldSum, n)
	return out
}

// deriveMatMul gives a product of matrices its history.
func deriveMatMul[T Number](out, a, b *Array[T]) {
	x, y := nodeOf(a).keep(), nodeOf(b).keep()
	nodeOf(out).derive([]*kept{x, y}, []*node{nodeOf(a), nodeOf(b)},
		func(g *node) *node {
			return nodeOf(MatMul(as[T](g), as[T](y.node()).SwapAxes(-1, -2))).shrinkTo(nodeOf(a))
		},
		func(g *node) *node {
			return nodeOf(MatMul(as[T](x.node()).SwapAxes(-1, -2), as[T](g))).shrinkTo(nodeOf(b))
		})
}

// inverse returns the order of axes that undoes another.
func inverse(order []int) []int {
	back := make([]int, len(order))
	for i, axis := range order {
		back[axis] = i
	}
	return back
}
