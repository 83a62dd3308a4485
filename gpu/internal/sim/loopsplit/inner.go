package loopsplit

import (
	"slices"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// Names that statements of a region declare: variables of its loops, and numbers that are computed once.

// declares records the names that a statement declares.
func (x *indexer) declares(n *node) {
	n.walk(func(n *node) {
		for _, v := range n.vars {
			x.inner[v.name] = true
		}
	})
}

// declaresOnce records the integers that a statement declares, and the scopes of those that are declared in it.
func (x *indexer) declaresOnce(n *node) {
	if n.kind == blockNode {
		for _, c := range n.list {
			for _, v := range c.vars {
				x.scopes[v] = span{c.hi, n.hi}
			}
		}
	}
	if n.kind == forNode && n.init != nil && len(n.init.vars) == 1 && len(n.step) == 1 && x.countsUp(n, n.init.vars[0]) {
		name := n.init.vars[0].name
		x.upward[name] = append(x.upward[name], n.span)
	}
	for _, v := range n.vars {
		x.declared[v.name]++
		_, twice := x.once[v.name]
		x.once[v.name] = nil
		if !twice && v.value != nil && !v.atBlock && !v.reference && len(v.pointer)+len(v.dims) == 0 && x.isInteger(v) {
			x.once[v.name] = v
		}
	}
}

// hides reports whether an item may have the name of a variable where that is not visible: there it means another.
func (x *indexer) hides(it item, v *variable) bool {
	found := false
	it.exprs(func(e *expr) {
		e.walk(func(e *expr) {
			if e.kind == nameExpr {
				found = found || e.name == v.name && !e.within(x.scopes[v]) ||
					slices.ContainsFunc(x.code.expansion(e.name), func(t cxx.Token) bool { return t.Is(v.name) })
			}
		})
	})
	return found
}

// isPositive reports whether an expression is the sum of threadIdx.x, numbers and at most one variable of a loop that counts up, all of
// them positive, so that the sum is less than 2^32.
func (x *indexer) isPositive(e *expr, loop bool) bool {
	e = e.bare()
	switch {
	case e.kind == literalExpr:
		_, ok := x.number(e)
		return ok
	case isMember(e, "threadIdx"):
		return !x.inner["threadIdx"]
	case e.kind == nameExpr:
		return loop && e.v == nil && e.qualifier == "" && !e.templated && len(e.macro) == 0 && x.isCounted(e)
	case e.kind == binaryExpr && e.op == "+":
		return x.isPositive(e.list[0], loop) && x.isPositive(e.list[1], false) || x.isPositive(e.list[0], false) && x.isPositive(e.list[1], loop)
	}
	return false
}

// isCounted reports whether a name is that of a variable that only counts up from a number.
func (x *indexer) isCounted(e *expr) bool {
	loops := x.upward[e.name]
	return x.declared[e.name] == len(loops) && slices.ContainsFunc(loops, e.within)
}

// within reports whether an expression stands in a part of the source.
func (e *expr) within(at span) bool { return at.lo <= e.lo && e.hi <= at.hi }

// countsUp reports whether a loop has the form for (int v = 0; v < …; v++).
func (x *indexer) countsUp(n *node, v *variable) bool {
	step := n.step[0]
	if v.value == nil || len(v.spec) != 1 || !v.spec[0].Is("int") || len(v.pointer)+len(v.dims) > 0 || !x.isPositive(v.value, false) ||
		n.expr == nil || n.expr.kind != binaryExpr || n.expr.op != "<" || !isNamed(n.expr.list[0], v.name) || step == nil {
		return false
	}
	switch step.kind {
	case prefixExpr, suffixExpr:
		if step.op != "++" || !isNamed(step.list[0], v.name) {
			return false
		}
	case assignExpr:
		if step.op != "+=" || !isNamed(step.list[0], v.name) || !x.isPositive(step.list[1], false) {
			return false
		}
	default:
		return false
	}
	return !names(n.expr.list[1], v.name) && x.onlyReads(n.body, v.name)
}
