package loopsplit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Conditions that hold for consecutive threads of a row, or for one thread of each warp of it, become the bounds of its loop.

// A test is a comparison of a guard.
type test struct {
	op     string // how a compares with b for the threads that run
	a, b   *expr
	period *period // a is the remainder of this; nil if it is a itself
}

// A period is a division of an expression that grows by one.
type period struct {
	of, by *expr
	op     string // /, >>, % or &
}

// findCuts records quotients in a subscript, such as the number of the warp.
func (x *indexer) findCuts(e *expr) {
	if p := x.periodOf(e, "/", ">>"); p != nil && x.isLong(p) {
		x.cuts = append(x.cuts, *p)
		x.use(p.of)
		if v := e.bare().v; v == nil {
			x.still = append(x.still, e)
		} else if !slices.Contains(x.hoisted, v) {
			x.hoisted = append(x.hoisted, v)
			x.use(e)
		}
		return
	}
	if e.kind == parenExpr || e.kind == binaryExpr {
		for _, c := range e.list {
			x.findCuts(c)
		}
	}
}

// isLong reports whether a quotient is that of a warp or of more threads.
func (x *indexer) isLong(p *period) bool {
	n, err := strconv.ParseUint(x.toks[p.by.lo].Text, 0, 16)
	return p.by.kind == nameExpr || err == nil && (n >= 32 || p.op == ">>" && n >= 5)
}

// periodOf returns what an expression is, or the variable that it names: the quotient or the remainder of an expression that grows by
// one; nil if it is neither.
func (x *indexer) periodOf(e *expr, ops ...string) *period {
	e = e.bare()
	if e.kind == nameExpr && (e.v == nil || e.v.storage != recomputed || len(e.macro) > 0 || len(x.code.macros[e.name]) > 0) {
		return nil
	}
	m := x.meaning(e)
	if m.kind != binaryExpr || !slices.Contains(ops, m.op) {
		return nil
	}
	by := m.list[1].bare()
	if by.kind != literalExpr && !(by.kind == nameExpr && by.name == "warpSize" && by.v == nil && !x.inner[by.name]) {
		return nil
	}
	if c, ok := x.growth(m.list[0]); !ok || c != 1 {
		return nil
	}
	return &period{m.list[0], by, m.op}
}

// guardOf finds the guard of a region.
func (x *indexer) guardOf(r *region) {
	n := r.items[0].node
	if n == nil || r.items[0].all || n.kind != ifNode || n.other != nil || n.init != nil || n.expr == nil {
		return
	}
	body := unblock(n.body)
	switch {
	case len(r.items) == 1 && len(returns(n)) == 0:
		x.findGuard(n.expr, "&&")
	case !x.ended && len(body) == 1 && body[0].kind == returnNode:
		x.findGuard(n.expr, "||")
		x.leave = x.guard != nil
	}
	if !x.inPieces() && r.stride == nil {
		x.guard, x.tests, x.leave = nil, nil, false // the loop has no bounds for it
	}
	if x.fewThreads() {
		x.cuts, x.still, x.hoisted, x.lines = nil, nil, nil, nil
	}
}

// choosesFew reports whether a statement is for one thread of a row, or of each warp of it.
func (p *planner) choosesFew(n *node) bool {
	if p.on != "" || n.kind != ifNode || n.other != nil || n.init != nil || n.expr == nil || len(returns(n)) > 0 {
		return false
	}
	x := &indexer{splitter: p.splitter, used: map[*variable]bool{}}
	x.findGuard(n.expr, "&&")
	return x.fewThreads()
}

// fewThreads reports whether the guard leaves one thread of a row or of each warp.
func (p *rows) fewThreads() bool {
	return slices.ContainsFunc(p.tests, func(t test) bool { return t.op == every || t.op == "==" })
}

// findGuard records the comparisons of a condition, which by joins: && if it lets threads run, || if it lets them return.
func (x *indexer) findGuard(e *expr, by string) {
	tests, ok := x.comparisons(e, by)
	if !ok {
		return
	}
	x.guard, x.tests = e, tests
	for _, t := range tests {
		x.use(t.a)
		x.use(t.b)
	}
}

// comparisons returns the comparisons that a condition consists of.
func (x *indexer) comparisons(e *expr, by string) ([]test, bool) {
	e = e.bare()
	if e == nil || e.kind != binaryExpr {
		return nil, false
	}
	if e.op != by {
		t, ok := x.comparison(test{op: e.op, a: e.list[0], b: e.list[1]}, by == "||")
		return []test{t}, ok
	}
	left, okLeft := x.comparisons(e.list[0], by)
	right, okRight := x.comparisons(e.list[1], by)
	return append(left, right...), okLeft && okRight
}

// comparison returns a test in the form that bounds are made of. It holds for the threads for which it is false, if turned.
func (x *indexer) comparison(t test, turned bool) (test, bool) {
	if turned {
		t.op = opposite[t.op]
	}
	if opposite[t.op] == "" {
		return t, false
	}
	if t.op == "==" {
		if p := x.periodOf(t.a, "%", "&"); p != nil && x.isFixed(t.b) {
			return test{op: every, a: p.of, b: t.b, period: p}, true
		}
	}
	a, okA := x.growth(t.a)
	b, okB := x.growth(t.b)
	if !okA || !okB || a+b > 1 || t.op == "!=" && a+b > 0 {
		return t, false
	}
	if b == 1 {
		t = test{op: swapped[t.op], a: t.b, b: t.a}
	}
	if a+b == 0 {
		t.op = "still" + t.op
	}
	return t, true
}

// isFixed reports whether an expression has the same value for the threads of a row.
func (x *indexer) isFixed(e *expr) bool {
	c, ok := x.growth(e)
	return ok && c == 0
}

// every is the comparison of a remainder, which holds for one thread of each period.
const every = "every"

// opposite has the comparisons that hold where others do not, and swapped those with the operands the other way round.
var (
	opposite = map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
	swapped  = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}
)

// bounds are the functions that leave the threads for which a comparison holds.
var bounds = map[string][]string{"<": {"below"}, "<=": {"upTo"}, ">": {"above"}, ">=": {"from"}, "==": {"from", "upTo"}}

// counted returns a condition that holds if the compiler compares integers in all tests of a guard, and rows has dealt with it.
func (w *printer) counted(p rows) string {
	var list []string
	for _, t := range p.tests {
		if t.op == every {
			return "false" // whether it has is known when it runs
		}
		list = append(list, fmt.Sprintf("gwsim::lanes::counts<decltype((%s) + (%s))>()", w.text(t.a), w.text(t.b)))
	}
	return strings.Join(list, " && ")
}
