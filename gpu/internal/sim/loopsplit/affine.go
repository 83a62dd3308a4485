package loopsplit

import (
	"slices"
	"strconv"
)

// The compiler vectorises a loop over threads only if it knows that consecutive threads touch consecutive elements. Of
// x[blockIdx.x * blockDim.x + threadIdx.x] it does not: the sum is one of 32 bits and may wrap around. So a row of threads is cut
// into pieces within which no such sum wraps around, of which there is just one in practice, and within a piece the index of the
// first thread is computed once, with 64 bits.

// rows is how a region's loop over a row of threads is written.
type rows struct {
	atomics []*expr // names of atomic functions that change shared memory
	indices []index
	parts   []index // expressions that do, and must not wrap around within a piece
	lines   []line
	needed  []*variable
	cuts    []period    // what must be the same for all threads of a piece
	still   []*expr     // expressions that are the same then,
	hoisted []*variable // and variables
	// guard is a condition of comparisons that hold for consecutive threads of a piece; nil if there is none. Only those threads run
	// what the condition lets them run.
	guard *expr
	tests []test
	leave bool // the guard is the condition of a return, which holds for the other threads
	// alike is set if parts and tests that are the same in all rows of a block are computed for all of them together.
	alike bool
}

// inPieces reports whether rows are cut into pieces.
func (r *rows) inPieces() bool { return len(r.parts) > 0 || len(r.lines) > 0 }

// An index is a subscript that grows by a number from thread to thread, or a part of a sum which does.
type index struct {
	into *expr // the parameter whose element is assigned to; nil if there is none
	at   *expr
	by   int
	// sum is the whole subscript, of which the other parts are known only where they stand; nil if there are none.
	sum *expr
	// positive reports whether the sum is certainly neither negative nor too large for 32 bits.
	positive bool
}

// An indexer finds the subscripts of a region.
type indexer struct {
	assigned map[*expr]bool // elements that are assigned to
	*splitter
	rows
	used    map[*variable]bool // variables whose values use has recorded
	inner   map[string]bool    // names that are declared within statements of the region
	changed map[*variable]bool
	// Of the inner names:
	declared map[string]int       // the number of variables
	upward   map[string][]span    // the loops that count them up from a number
	once     map[string]*variable // integers that never change; nil if a name has other variables, too
	scopes   map[*variable]span   // where those are visible

	counter string // the variable of the loop that the region is the body of
	row     string // the variable of the loop around that one
}

func newIndexer(s *splitter, p regionPlan) *indexer {
	x := &indexer{
		splitter: s, used: map[*variable]bool{}, inner: map[string]bool{}, changed: map[*variable]bool{},
		declared: map[string]int{}, upward: map[string][]span{}, once: map[string]*variable{}, scopes: map[*variable]span{},
	}
	for _, v := range p.copies {
		x.changed[v] = true
	}
	return x
}

// planRows returns how to write the loop of a region.
func (s *splitter) planRows(r *region, p regionPlan) rows {
	x := newIndexer(s, p)
	if r.stride != nil {
		x.counter = r.stride.init.vars[0].name
	}
	if r.rows != nil {
		x.row = r.rows.init.vars[0].name
	}
	x.findNames(r)
	for _, it := range r.items {
		it.exprs(x.subscripts)
	}
	x.guardOf(r)
	if !s.code.clusters {
		for _, it := range r.items {
			it.exprs(func(e *expr) { e.walk(x.sharedAtomic) })
		}
	}
	return x.rows
}

// findNames records the names that the statements of a region declare.
func (x *indexer) findNames(r *region) {
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

// subscripts records those of an expression, but for those in assertions, whose text is shown as it is written.
func (x *indexer) subscripts(e *expr) {
	if e == nil || isAssertion(e) {
		return
	}
	x.subscript(e)
	for _, c := range e.list {
		x.subscripts(c)
	}
}

func isAssertion(e *expr) bool { return e.kind == callExpr && isNamed(e.list[0], "assert") }

// subscript records the subscript of an expression if it grows by one.
func (x *indexer) subscript(e *expr) {
	if e.kind == assignExpr {
		if x.assigned == nil {
			x.assigned = map[*expr]bool{}
		}
		x.assigned[e.list[0].bare()] = true
	}
	if e.kind != indexExpr {
		return
	}
	if x.findLine(e.list[1]) {
		return
	}
	part := x.growing(e.list[1])
	if part == nil {
		x.findCuts(e.list[1])
	} else {
		at := index{at: part}
		at.by, _ = x.growth(part)
		if part != e.list[1].bare() {
			at.sum, at.positive = e.list[1], x.isPositive(e.list[1], true)
		}
		if v := e.list[0].v; x.assigned[e] && v != nil && v.param && v.points && v.fixed && at.by == 1 && at.sum == nil {
			at.into = e.list[0]
		}
		x.indices = append(x.indices, at)
		x.use(part)
	}
}

// growing returns the part of a sum that grows, the longest; nil if there is none.
func (x *indexer) growing(e *expr) *expr {
	e = e.bare()
	if c, ok := x.growth(e); ok {
		if c > 0 {
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

// use records the parts of an expression that must not wrap around, and the variables that it needs.
func (x *indexer) use(e *expr) {
	e.walk(func(part *expr) {
		if c, ok := x.growth(part); ok && c > 0 && part.kind != parenExpr {
			x.parts = append(x.parts, index{at: part, by: c})
		}
		if v := x.neededBy(part); v != nil && !x.used[v] {
			x.used[v] = true
			x.use(v.value)
			x.needs(v)
		}
	})
}

// neededBy returns the variable that a name needs where a piece begins; nil if it needs none.
func (x *indexer) neededBy(e *expr) *variable {
	v := e.v
	if v == nil && e.kind == nameExpr {
		v = x.once[e.name]
	}
	if v != nil && (e.v == nil || v.storage == recomputed) {
		return v
	}
	return nil
}

// needs records a variable after those that its value needs.
func (x *indexer) needs(v *variable) {
	if !slices.Contains(x.needed, v) {
		x.needed = append(x.needed, v)
	}
}

// growth returns by how much the value of an expression grows from one thread of a row to the next, as far as it does not wrap
// around: 0, 1 or a small number. Such an expression has no effects, and any thread may compute it at the beginning of its row.
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

// maxGrowth is the largest step for which elements are worth being counted: those of larger ones are in different cache lines.
const maxGrowth = 16

// number returns the value of a small number in the source.
func (x *indexer) number(e *expr) (int, bool) {
	if e = e.bare(); e.kind != literalExpr {
		return 0, false
	}
	n, err := strconv.ParseUint(x.toks[e.lo].Text, 0, 16)
	return int(n), err == nil
}

func (x *indexer) binaryGrowth(e *expr) (by int, ok bool) {
	a, okA := x.growth(e.list[0])
	b, okB := x.growth(e.list[1])
	if !okA || !okB {
		return 0, false
	}
	switch e.op {
	case "+":
		return a + b, a+b <= maxGrowth
	case "-":
		return a, b == 0
	case "*":
		if by := max(a, b); by > 0 {
			n, isNumber := x.number(e.list[0])
			if a > 0 {
				n, isNumber = x.number(e.list[1])
			}
			return by * n, isNumber && n > 0 && by*n <= maxGrowth
		}
		return 0, true
	case "&", "|", "^":
		return 0, a == 0 && b == 0
	case "/", "%":
		// A division may be one by zero for threads that do not come to it.
		return 0, a == 0 && b == 0 && e.list[1].kind == literalExpr && !x.toks[e.list[1].lo].Is("0")
	case "<<", ">>":
		return 0, a == 0 && b == 0 && e.list[1].kind == literalExpr
	}
	return 0, false
}
