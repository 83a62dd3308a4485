package nd

import (
	"slices"
)

// Eval computes the arrays now, those that have not been computed, and does not wait for the devices. Unlike the method Eval of one array
// after the other, it computes what they share once: arrays of one shape that are the results of arithmetic are computed by one
// kernel, as are sums and other reductions of the last axis of arrays of one shape, unless they have more than 64 operations together.
func Eval(list ...Operand) {
	nodes := make([]*node, 0, len(list))
	for _, o := range list {
		if n := nodeIn(o).check("Eval"); n.shards == nil {
			nodes = append(nodes, n)
		} else {
			nodes = append(nodes, n.shards.parts...)
		}
	}
	for _, n := range nodes {
		if n.eng == nil {
			n.materialize()
		}
	}
	for len(nodes) > 0 {
		e := nodes[0].eng
		of, others := nodes, []*node(nil)
		if slices.ContainsFunc(nodes, func(n *node) bool { return n.eng != e }) {
			of = nil
			for _, n := range nodes {
				if n.eng == e {
					of = append(of, n)
				} else {
					others = append(others, n)
				}
			}
		}
		e.locked(func() { e.evaluateAll(of) })
		nodes = others
	}
}

// evaluateAll computes expressions, together where one kernel can do so. The lock is held.
func (e *engine) evaluateAll(list []*node) {
	for _, n := range list {
		if n.op == opGather { // the kernel of others would take the elements once more
			e.evaluate(n)
		}
	}
	e.foldTogether(list)
	e.mapTogether(list)
	for _, n := range list {
		e.evaluate(n)
	}
}

// foldTogether computes the reductions that wait and that the expressions need, those of one shape together unless they have too many
// operations, except where a kernel computes an expression and its reductions. The lock is held.
func (e *engine) foldTogether(list []*node) {
	var folds []*node
	e.plan.epoch++
	for _, n := range list {
		if !n.lazy() || n.result() != nil || !e.rowsOf(n).joined(n) {
			folds = n.waiting(folds, e.plan.epoch)
		}
	}
	folds = slices.DeleteFunc(folds, e.reduceProduct)
	if len(folds) < 2 {
		return
	}
	e.take(slices.Concat(folds, scansIn(folds)))
	e.flush()
	inGroups(folds, func(group []*node, b *node) bool {
		return slices.Equal(b.args[0].lay.shape, group[0].args[0].lay.shape) && operations(append(group, b)) <= maxCost
	}, e.runFolds)
}

// inGroups calls run with each group of a list. The first of those that are in no group yet and have not been computed begins one, and
// joins decides which others become part of it.
func inGroups(list []*node, joins func(group []*node, n *node) bool, run func(group []*node)) {
	for {
		list = slices.DeleteFunc(list, computed) // with a group before, maybe
		if len(list) == 0 {
			return
		}
		group := append(make([]*node, 0, len(list)), list[0])
		var others []*node
		for _, n := range list[1:] {
			if joins(group, n) {
				group = append(group, n)
			} else {
				others = append(others, n)
			}
		}
		run(group)
		list = others
	}
}

// computed reports whether n has memory.
func computed(n *node) bool { return !n.lazy() }

// waiting adds the reductions that n is a view of, or that it needs, to those of a list, and marks what it has looked at.
func (n *node) waiting(list []*node, mark uint64) []*node {
	if b := n.result(); b != nil {
		n = b
	}
	if !n.lazy() || n.mark == mark {
		return list
	}
	n.mark = mark
	if n.op == opFold {
		if list == nil {
			list = make([]*node, 0, mostWaiting)
		}
		list = append(list, n)
	}
	for _, a := range n.args {
		if a != nil {
			list = a.waiting(list, mark)
		}
	}
	return list
}

// runFolds computes reductions of arrays of one shape by one kernel, if that is possible. The lock is held.
func (e *engine) runFolds(list []*node) {
	for {
		list = slices.DeleteFunc(list, computed)
		if len(list) < 2 {
			return
		}
		r, before := e.rowsOf(list[0], list[1:]...), e.finished
		if len(r.folds) < 2 {
			return
		}
		for _, b := range r.folds {
			e.settle(b, &r)
		}
		// To settle one may have computed another.
		if e.finished != before && (slices.ContainsFunc(list, computed) || !slices.Equal(e.rowsOf(list[0], list[1:]...).within, r.within)) {
			continue
		}
		if e.scansFit(r.folds[0], r) {
			e.runRows(r.folds[0], r)
			e.storeMore()
			return
		}
		e.evaluate(r.scans[0])
	}
}

// mapTogether computes expressions that have the same arrangement together, but not those that a kernel for rows computes or that have
// too many operations together. The lock is held.
func (e *engine) mapTogether(list []*node) {
	var maps []*node
	for _, n := range list {
		if n.lazy() && n.result() == nil && !n.apart() && n.lay.size > 0 && !slices.Contains(maps, n) && !e.rowsOf(n).joined(n) {
			maps = append(maps, n)
		}
	}
	inGroups(maps, func(group []*node, n *node) bool {
		lay := group[0].lay
		return slices.Equal(n.lay.shape, lay.shape) && slices.Equal(n.lay.strides, lay.strides) && operations(append(group, n)) <= maxCost
	}, e.runTogether)
}

// operations returns the number of operations of expressions of one engine; one that several of them use counts once. The lock is held, and no
// plan is being made: it uses the nodes' marks.
func operations(list []*node) int {
	sum, mark := 0, uint64(0)
	for _, n := range list {
		if mark == 0 && n.lazy() {
			n.eng.plan.epoch++
			mark = n.eng.plan.epoch
		}
		sum += n.operations(mark)
	}
	return sum
}

// operations returns the number of operations of an expression that do not have that mark yet, and marks them.
func (n *node) operations(mark uint64) int {
	if !n.lazy() || n.mark == mark {
		return 0
	}
	n.mark = mark
	sum := 1
	for _, a := range n.args {
		if a != nil {
			sum += a.operations(mark)
		}
	}
	return sum
}

// runTogether computes expressions of the same arrangement by one kernel. The lock is held.
func (e *engine) runTogether(list []*node) {
	e.flush()
	for _, n := range list {
		e.settle(n, nil)
	}
	list = slices.DeleteFunc(list, computed) // to settle one may have computed another
	if len(list) < 2 {
		return
	}
	p := &e.plan
	defer p.drop()
	p.trace(list...)
	if e.describes() && !p.described() { // each for itself, what has no description is as small as possible
		return
	}
	made, results := make([]*memory, len(list)), make([]*buffer, len(list))
	bytes := 0
	for i, n := range list {
		made[i] = e.room(n)
		results[i] = made[i].first.buf
		bytes += n.lay.size * n.dt.Size()
	}
	dst := leaf{buf: made[0].first.buf, dt: list[0].dt, lay: list[0].lay}
	r := e.mapRequest(p, &dst)
	e.launch(p, &r, bytes, results...)
	for i, n := range list {
		e.finish(n, made[i])
	}
}
