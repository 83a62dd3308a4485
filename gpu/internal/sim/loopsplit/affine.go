package loopsplit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// The compiler vectorises a loop over threads only if it knows that consecutive threads touch consecutive elements. Of
// x[blockIdx.x * blockDim.x + threadIdx.x] it does not: the sum is one of 32 bits and may wrap around. So a row of threads is cut
// into pieces within which no such sum wraps around, of which there is just one in practice, and within a piece the index of the
// first thread is computed once, with 64 bits.

// rows is how a region's loop over a row of threads is written.
type rows struct {
	atomics []*expr // names of atomic functions that change shared memory
	indices []index
	parts   []*expr // expressions that do, and must not wrap around within a piece
	needed  []*variable
	cuts    []period    // what must be the same for all threads of a piece
	still   []*expr     // expressions that are the same then,
	hoisted []*variable // and variables
	// guard is a condition of comparisons that hold for consecutive threads of a piece; nil if there is none. Only those threads run
	// what the condition lets them run.
	guard *expr
	tests []test
	leave bool // the guard is the condition of a return, which holds for the other threads
}

// An index is a subscript that grows by one from thread to thread, or a part of a sum which does.
type index struct {
	at *expr
	// sum is the whole subscript, of which the other parts are known only where they stand; nil if there are none.
	sum *expr
	// positive reports whether the sum is certainly neither negative nor too large for 32 bits.
	positive bool
}

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

// An indexer finds the subscripts of a region.
type indexer struct {
	*splitter
	rows
	inner   map[string]bool // names that are declared within statements of the region
	changed map[*variable]bool
	// Of the inner names:
	declared map[string]int       // the number of variables
	upward   map[string][]span    // the loops that count them up from a number
	once     map[string]*variable // integers that never change; nil if a name has other variables, too
	scopes   map[*variable]span   // where those are visible

	counter string // the variable of the loop that the region is the body of
	row     string // the variable of the loop around that one
}

// planRows returns how to write the loop of a region.
func (s *splitter) planRows(r *region, p regionPlan) rows {
	x := &indexer{
		splitter: s, inner: map[string]bool{}, changed: map[*variable]bool{},
		declared: map[string]int{}, upward: map[string][]span{}, once: map[string]*variable{}, scopes: map[*variable]span{},
	}
	if r.stride != nil {
		x.counter = r.stride.init.vars[0].name
	}
	if r.rows != nil {
		x.row = r.rows.init.vars[0].name
	}
	for _, v := range p.copies {
		x.changed[v] = true
	}
	for _, it := range r.items {
		if it.v != nil && it.v.storage == inBlock {
			x.changed[it.v] = true
		}
		if it.node != nil {
			x.declares(it.node)
		}
	}
	for _, it := range r.items {
		it.node.walk(x.declaresOnce)
	}
	for name, v := range x.once {
		if v != nil && slices.ContainsFunc(r.items, func(it item) bool { return it.node != nil && !x.onlyReads(it.node, name) || x.hides(it, v) }) {
			x.once[name] = nil
		}
	}
	for _, it := range r.items {
		it.exprs(func(e *expr) { e.walk(x.subscript) })
	}
	if n := r.items[0].node; n != nil && !r.items[0].all && n.kind == ifNode && n.other == nil && n.init == nil && n.expr != nil {
		body := unblock(n.body)
		switch {
		case len(r.items) == 1 && len(returns(n)) == 0:
			x.findGuard(n.expr, "&&")
		case !s.ended && len(body) == 1 && body[0].kind == returnNode:
			x.findGuard(n.expr, "||")
			x.leave = x.guard != nil
		}
	}
	if x.fewThreads() {
		x.cuts, x.still, x.hoisted = nil, nil, nil
	}
	if !s.code.clusters {
		for _, it := range r.items {
			it.exprs(func(e *expr) { e.walk(x.sharedAtomic) })
		}
	}
	return x.rows
}

// sharedAtomic records an atomic function that changes an element of a shared variable. One processor runs the whole block.
func (x *indexer) sharedAtomic(e *expr) {
	if e.kind != callExpr || e.op != "(" || len(e.list) < 2 {
		return
	}
	callee, at := e.list[0], e.list[1].bare()
	if callee.kind != nameExpr || callee.qualifier != "" || callee.templated || callee.v != nil || !atomicName[callee.name] || x.inner[callee.name] {
		return
	}
	if _, own := x.code.functions[callee.name]; own || len(x.code.macros[callee.name]) > 0 {
		return
	}
	if at.kind != prefixExpr || at.op != "&" {
		return
	}
	at = at.list[0].bare()
	for at.kind == indexExpr {
		at = at.list[0].bare()
	}
	if at.kind == nameExpr && at.v != nil && !x.inner[at.name] && at.v.has("__shared__") && !at.v.points && !at.v.reference {
		x.atomics = append(x.atomics, callee)
	}
}

var atomicName = map[string]bool{
	"atomicAdd": true, "atomicSub": true, "atomicMin": true, "atomicMax": true, "atomicAnd": true, "atomicOr": true, "atomicXor": true,
	"atomicExch": true, "atomicInc": true, "atomicDec": true, "atomicCAS": true,
}

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

// subscript records the subscript of an expression if it grows by one.
func (x *indexer) subscript(e *expr) {
	if e.kind != indexExpr {
		return
	}
	part := x.growing(e.list[1])
	if part == nil {
		x.findCuts(e.list[1])
	} else {
		at := index{at: part}
		if part != e.list[1].bare() {
			at.sum, at.positive = e.list[1], x.isPositive(e.list[1], true)
		}
		x.indices = append(x.indices, at)
		x.use(part)
	}
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

// growing returns the part of a sum that grows by one, the longest; nil if there is none.
func (x *indexer) growing(e *expr) *expr {
	e = e.bare()
	if c, ok := x.growth(e); ok {
		if c == 1 {
			return e
		}
		return nil
	}
	if e.kind != binaryExpr || e.op != "+" && e.op != "-" {
		return nil
	}
	if part := x.growing(e.list[0]); part != nil || e.op == "-" {
		return part
	}
	return x.growing(e.list[1])
}

// isPositive reports whether an expression is the sum of threadIdx.x, numbers and at most one variable of a loop that counts up, all of
// them positive, so that the sum is less than 2^32.
func (x *indexer) isPositive(e *expr, loop bool) bool {
	e = e.bare()
	switch {
	case e.kind == literalExpr:
		_, err := strconv.ParseUint(x.toks[e.lo].Text, 0, 16)
		return err == nil
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

// use records the parts of an expression that must not wrap around, and the variables that it needs.
func (x *indexer) use(e *expr) {
	e.walk(func(part *expr) {
		if c, ok := x.growth(part); ok && c == 1 && part.kind != parenExpr {
			x.parts = append(x.parts, part)
		}
		v := part.v
		if v == nil && part.kind == nameExpr {
			v = x.once[part.name]
		}
		if v != nil && (part.v == nil || v.storage == recomputed) && !slices.Contains(x.needed, v) {
			x.use(v.value)
			x.needed = append(x.needed, v) // after those that it needs
		}
	})
}

// choosesFew reports whether a statement is for one thread of a row, or of each warp of it.
func (p *planner) choosesFew(n *node) bool {
	if p.on != "" || n.kind != ifNode || n.other != nil || n.init != nil || n.expr == nil || len(returns(n)) > 0 {
		return false
	}
	x := &indexer{splitter: p.splitter}
	x.findGuard(n.expr, "&&")
	return x.fewThreads()
}

// fewThreads reports whether the guard leaves one thread of a row or of each warp.
func (p *rows) fewThreads() bool {
	return slices.ContainsFunc(p.tests, func(t test) bool { return t.op == every || t.op == "==" })
}

// findGuard records the comparisons of a condition, which by joins: && if it lets threads run, || if it lets them return.
func (x *indexer) findGuard(e *expr, by string) {
	var tests []test
	var add func(e *expr) bool
	add = func(e *expr) bool {
		e = e.bare()
		if e == nil || e.kind != binaryExpr {
			return false
		}
		if e.op == by {
			return add(e.list[0]) && add(e.list[1])
		}
		t := test{op: e.op, a: e.list[0], b: e.list[1]}
		if by == "||" {
			t.op = opposite[t.op]
		}
		if opposite[t.op] == "" {
			return false
		}
		if t.op == "==" {
			if p := x.periodOf(t.a, "%", "&"); p != nil && x.isFixed(t.b) {
				tests = append(tests, test{op: every, a: p.of, b: t.b, period: p})
				return true
			}
		}
		a, okA := x.growth(t.a)
		b, okB := x.growth(t.b)
		if !okA || !okB || a+b > 1 || t.op == "!=" && a+b > 0 {
			return false
		}
		if b == 1 {
			t = test{op: swapped[t.op], a: t.b, b: t.a}
		}
		if a+b == 0 {
			t.op = "still" + t.op
		}
		tests = append(tests, t)
		return true
	}
	if !add(e) {
		return
	}
	x.guard, x.tests = e, tests
	for _, t := range tests {
		x.use(t.a)
		x.use(t.b)
	}
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

// growth returns by how much the value of an expression grows from one thread of a row to the next, as far as it does not wrap
// around: 0 or 1. Such an expression has no effects, and any thread may compute it at the beginning of its row.
func (x *indexer) growth(e *expr) (by int, ok bool) {
	switch e.kind {
	case literalExpr:
		return 0, true
	case nameExpr:
		return x.nameGrowth(e)
	case memberExpr:
		of := e.list[0]
		if e.op != "." || of.kind != nameExpr || of.v != nil || of.qualifier != "" || x.inner[of.name] {
			return 0, false
		}
		switch of.name {
		case "threadIdx":
			if e.name == "x" {
				return 1, true
			}
			return 0, true
		case "blockIdx", "blockDim", "gridDim":
			return 0, true
		}
		return 0, false
	case parenExpr:
		return x.growth(e.list[0])
	case castExpr:
		if e.reference || len(e.list[0].list) > 0 {
			return 0, false
		}
		return x.growth(e.list[1])
	case binaryExpr:
		return x.binaryGrowth(e)
	}
	return 0, false
}

func (x *indexer) nameGrowth(e *expr) (by int, ok bool) {
	v := e.v
	switch {
	case e.name == x.counter && isNamed(e, e.name):
		return 1, true // nothing in the body has the name, or changes it
	case e.name == x.row && isNamed(e, e.name) && !x.inner[e.name]:
		return 0, true
	case x.once[e.name] != nil && isNamed(e, e.name) && e.within(x.scopes[x.once[e.name]]):
		of := x.once[e.name]
		x.once[e.name] = nil // its value may name another variable of that name
		by, ok := x.growth(of.value)
		x.once[e.name] = of
		return by, ok
	case e.qualifier != "" || x.inner[e.name] || len(e.macro) > 0 || len(x.code.macros[e.name]) > 0:
		return 0, false
	case v == nil:
		return 0, x.uniformName(e) && e.name != "blockIdx" && e.name != "blockDim" && e.name != "gridDim"
	case len(v.dims) > 0 || v.points || v.reference || v.has("*") || x.changed[v]:
		return 0, false
	case v.uniform && (v.storage == inBlock || v.param):
		return 0, v.param || x.isInteger(v)
	case v.storage == recomputed && x.isInteger(v):
		return x.growth(v.value)
	}
	return 0, false
}

// isInteger reports whether a variable is declared with a type of integers.
func (x *indexer) isInteger(v *variable) bool {
	integer := false
	for _, t := range v.spec {
		switch t.Text {
		case "int", "unsigned", "long", "short", "char", "signed", "size_t", "uint", "int32_t", "uint32_t", "int64_t", "uint64_t":
			integer = true
		case "const", "constexpr":
		default:
			return false
		}
	}
	return integer && len(v.pointer) == 0
}

func (x *indexer) binaryGrowth(e *expr) (by int, ok bool) {
	a, okA := x.growth(e.list[0])
	b, okB := x.growth(e.list[1])
	if !okA || !okB {
		return 0, false
	}
	switch e.op {
	case "+":
		return a + b, a+b <= 1
	case "-":
		return a, b == 0
	case "*", "&", "|", "^":
		return 0, a == 0 && b == 0
	case "/", "%":
		// A division may be one by zero for threads that do not come to it.
		return 0, a == 0 && b == 0 && e.list[1].kind == literalExpr && !x.toks[e.list[1].lo].Is("0")
	case "<<", ">>":
		return 0, a == 0 && b == 0 && e.list[1].kind == literalExpr
	}
	return 0, false
}

// rowLoop begins the loop over the threads of a region.
func (w *printer) rowLoop(p rows, r *region) {
	stride := r.stride
	w.instead = map[int]instead{}
	for _, e := range p.atomics {
		w.instead[e.lo] = instead{e.hi, "gwsim::lanes::" + e.name}
	}
	if len(p.parts) == 0 && stride == nil {
		w.word("GW_EACH_THREAD { GW_THREAD_BEGIN")
		return
	}
	if r.rows != nil {
		w.word("GW_EACH_PIECE_OF_ROW { GW_PIECE_BEGIN")
	} else {
		w.word("GW_EACH_PIECE { GW_PIECE_BEGIN")
	}
	if stride != nil {
		w.strideVariable(stride, "gw_from")
	}
	for _, v := range p.needed {
		w.variable(v)
	}
	var texts []string
	seen := map[string]bool{}
	for _, e := range p.parts {
		text := w.text(e)
		if !seen[text] {
			seen[text] = true
			texts = append(texts, text)
		}
	}
	for _, text := range texts {
		w.word("gwsim::lanes::shorten(gw_count, %s);", text)
	}
	for _, c := range p.cuts {
		w.word("gwsim::lanes::within<'%c'>(gw_count, %s, %s);", c.op[0], w.text(c.of), w.text(c.by))
	}
	for _, t := range p.tests {
		if !strings.HasPrefix(t.op, "still") && t.op != every {
			w.word("gwsim::lanes::shortenBoth(gw_count, %s, %s);", w.text(t.a), w.text(t.b))
		}
	}
	w.word("const size_t gw_next = gw_from + gw_count; size_t gw_first = 0;")
	for _, t := range p.tests {
		a, b := w.text(t.a), w.text(t.b)
		op, still := strings.CutPrefix(t.op, "still")
		if still {
			w.word("if (!((%s) %s (%s))) gw_count = 0;", a, op, b)
		}
		for _, f := range bounds[t.op] {
			w.word("gwsim::lanes::%s(gw_first, gw_count, %s, %s);", f, a, b)
		}
	}
	if stride != nil {
		w.word("gwsim::lanes::atMost(gw_count, gw_limit - gw_i - (long long)(gw_from));")
	}
	names := map[string]string{}
	for _, i := range p.indices {
		text := w.text(i.at)
		if names[text] == "" {
			w.aliases++
			names[text] = "gw_at_" + strconv.Itoa(w.aliases)
			w.word("[[maybe_unused]] const long long %s = (long long)(%s);", names[text], text)
		}
		with := names[text] + " + gw_step"
		if i.sum != nil {
			with = fmt.Sprintf("gwsim::lanes::part<decltype(%s), %v>(%s, %s)", w.text(i.sum), i.positive, with, text)
		}
		w.instead[i.at.lo] = instead{i.at.hi, with}
	}
	for _, e := range p.still {
		w.aliases++
		name := "gw_at_" + strconv.Itoa(w.aliases)
		w.word("const auto %s = %s;", name, w.text(e))
		w.instead[e.lo] = instead{e.hi, name}
	}
	periodic := false
	for _, t := range p.tests {
		if t.op == every {
			if !periodic {
				w.word("size_t gw_by = 1;")
				periodic = true
			}
			w.word("gwsim::lanes::every<'%c'>(gw_first, gw_by, %s, %s, %s);", t.period.op[0], w.text(t.a), w.text(t.period.by), w.text(t.b))
		}
	}
	if periodic {
		w.word("GW_SOME_OF_PIECE(gw_by) { GW_THREAD_OF_PIECE")
	} else {
		w.word("GW_EACH_OF_PIECE { GW_THREAD_OF_PIECE")
	}
	if stride != nil {
		w.strideVariable(stride, "gw_thread")
	}
}

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

// An instead is what stands for the tokens up to an index.
type instead struct {
	hi   int
	text string
}

// text returns the text of an expression.
func (w *printer) text(e *expr) string { return cxx.Join(w.toks[e.lo:e.hi]) }
