package loopsplit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// A writer writes tokens on the same lines as in the source.
type writer struct {
	strings.Builder
	program string // as a C string
	line    int
	last    cxx.Token
}

func (w *writer) to(line int) {
	switch {
	case line == w.line || line == 0:
	case line > w.line && line < w.line+8:
		w.WriteString(strings.Repeat("\n", line-w.line))
	default:
		w.marker(line)
	}
	if line != 0 {
		w.line = line
	}
}

// marker writes the source line of the next line. The 3 makes it a line of a system header, for
// which there are no warnings: the kernel itself has had them.
func (w *writer) marker(line int) {
	fmt.Fprintf(w, "\n# %d %s 3\n", line, w.program)
	w.line = line
}

func (w *writer) tokens(toks []cxx.Token) {
	for _, t := range toks {
		w.to(t.Line)
		if !t.Glued || !(w.last.Kind == cxx.String || joins(w.last) || joins(t)) {
			w.WriteByte(' ')
		}
		w.WriteString(t.Text)
		w.line += strings.Count(t.Text, "\n")
		w.last = t
	}
	w.last = cxx.Token{}
}

// joins reports whether a token needs no space before and after it. The text of an assertion is shown as it is written.
func joins(t cxx.Token) bool {
	if t.Kind != cxx.Punct {
		return false
	}
	switch t.Text {
	case ".", "->", "::", "(", ")", "[", "]", ",", ";":
		return true
	}
	return false
}

func (w *writer) word(format string, args ...any) {
	w.WriteByte(' ')
	fmt.Fprintf(w, format, args...)
	w.last = cxx.Token{}
}

// A printer writes the text of a split kernel.
type printer struct {
	*splitter
	writer
	endLabel int
	instead  map[int]instead    // what stands for parts of the source
	operands map[*variable]bool // what operations of warps have as operands

	// While a fusion is written:
	inWarp bool               // it is written for one warp
	local  map[*variable]bool // the results that only it uses, of one warp
	known  map[*variable]bool // the results that are declared
}

// write returns the text of the split kernel.
func (s *splitter) write(name, program string, steps []step) string {
	w := &printer{splitter: s, writer: writer{program: strconv.Quote(program)}, operands: map[*variable]bool{}}
	findOperands(steps, w.operands)
	w.marker(s.kernel.Line)
	w.tokens(s.kernel.Definition().Template)
	w.word("static inline void %s", name)
	w.tokens(s.kernel.Definition().Params)
	w.word("{ GW_SPLIT_BEGIN")
	s.ended = endsEarly(steps)
	if s.ended {
		w.word("bool gw_ended[%s] = {}; unsigned gw_running = gw_threads;", s.maxBlock())
	}
	for _, v := range s.vars {
		if v.param && v.storage == perThread {
			w.word("std::remove_cv_t<decltype(%s)> %s[%s]; GW_EACH_THREAD { %s[gw_row + gw_x] = %s; }", v.name, array(v), s.maxBlock(), array(v), v.name)
		}
	}
	w.steps(steps)
	w.word("}\n")
	return w.String()
}

// maxBlock returns the length of arrays with an element for each thread.
func (s *splitter) maxBlock() string {
	if n, err := strconv.Atoi(s.kernel.LaunchBounds); err == nil && n > 0 && n < 1024 {
		return strconv.Itoa(n)
	}
	return "1024"
}

// endsEarly reports whether threads may return before the last step of a kernel.
func endsEarly(steps []step) bool {
	for i, st := range steps {
		if st.region != nil && i < len(steps)-1 && st.region.ends() || st.node != nil && (anyEnds(st.body) || anyEnds(st.other)) {
			return true
		}
	}
	return false
}

// anyEnds reports whether threads may return in one of the steps.
func anyEnds(steps []step) bool {
	return slices.ContainsFunc(steps, func(st step) bool {
		return st.region != nil && st.region.ends() || anyEnds(st.body) || anyEnds(st.other)
	})
}

// ends reports whether single threads may return in a region.
func (r *region) ends() bool {
	return slices.ContainsFunc(r.items, func(it item) bool { return it.node != nil && !it.all && len(returns(it.node)) > 0 })
}

// returns returns the spans of the return statements in a statement.
func returns(n *node) []span {
	if n == nil {
		return nil
	}
	if n.kind == returnNode {
		return []span{n.span}
	}
	var out []span
	for _, c := range n.list {
		out = append(out, returns(c)...)
	}
	return append(append(out, returns(n.body)...), returns(n.other)...)
}

func array(v *variable) string { return fmt.Sprintf("gw_%d_%s", v.id, v.name) }

// source writes a part of the kernel's body.
func (w *printer) source(at span) {
	from := at.lo
	for i := at.lo; i < at.hi; i++ {
		with, ok := w.instead[i]
		if !ok || with.hi > at.hi {
			continue
		}
		w.tokens(w.toks[from:i])
		w.word("%s", with.text)
		from = with.hi
		i = from - 1
	}
	w.tokens(w.toks[from:at.hi])
}

func (w *printer) steps(steps []step) {
	for len(steps) > 0 {
		st := steps[0]
		if f := w.fusion(steps); f != nil {
			w.fused(f)
			steps = steps[f.steps:]
			continue
		}
		steps = steps[1:]
		switch {
		case st.region != nil:
			w.region(st.region)
		case st.v != nil:
			w.variable(st.v)
		case st.code != nil:
			w.source(*st.code)
		default:
			w.together(st)
		}
	}
}

// together writes a loop, branch or block that all threads take together.
func (w *printer) together(st step) {
	n := st.node
	if st.masks[0] != "" {
		w.apart(st)
		return
	}
	switch n.kind {
	case warpNode, barrierNode:
		w.warpStep(n, st.on)
		return
	case blockNode:
	case doNode:
		w.word("do")
	default:
		w.source(span{n.lo, n.head.hi + 1})
	}
	w.word("{")
	if w.ended {
		w.word("if (gw_running == 0) return;")
	}
	w.steps(st.body)
	w.word("}")
	if n.kind == doNode {
		w.word("while (")
		w.source(n.head)
		w.word(");")
	}
	if n.other != nil {
		w.word("else {")
		w.steps(st.other)
		w.word("}")
	}
}

// apart writes a branch that some threads take.
func (w *printer) apart(st step) {
	for i, steps := range [][]step{st.body, st.other} {
		if st.masks[i] == "" {
			continue
		}
		w.to(w.splitter.line(st.node))
		w.word("{ unsigned %s[32]; if (const auto %s = gwsim::lanes::choose(%s, %s, %v, {gw_threads, %s, %s})) {", st.masks[i], chosen(st.masks[i]), st.masks[i],
			w.operand(st.node.expr.bare()), i == 0, w.endedHere(), maskOf(st.on))
		w.steps(steps)
		w.word("} }")
	}
}

// maskOf returns a mask as an argument.
func maskOf(on string) string {
	if on == "" {
		return "nullptr"
	}
	return on
}

// chosen returns the name of what is known of a mask.
func chosen(on string) string { return on + "_chosen" }

// variable writes the declaration of a variable. A shared array is a local one if it can be: the compiler knows of that that no pointer from
// elsewhere points to it. The address of another shared variable is found once, since it is a call, and a loop with a call is not vectorised.
func (w *printer) variable(v *variable) {
	switch {
	case !v.has("__shared__") || v.reference:
		w.declaration(v, v.name)
	case w.splitter.isLocal(v):
		w.word("using %s_type =", array(v))
		w.tokens(slices.DeleteFunc(slices.Clone(v.spec), func(t cxx.Token) bool { return t.Is("__shared__") || t.Is("static") }))
		w.tokens(v.pointer)
		w.tokens(v.dims)
		w.word("; gwsim::lanes::Room<%s_type> %[1]s; auto &%[2]s = gwsim::lanes::inside(%[1]s);", array(v), v.name)
	case !v.has("extern"):
		w.declaration(v, array(v))
		w.word("auto &%s = gwsim::lanes::found(%s);", v.name, array(v))
	case len(v.dims) > 1 && v.dims[1].Is("]"):
		w.word("auto *const %s = [] {", array(v))
		w.declaration(v, v.name)
		w.word("return &gwsim::lanes::found(*%s); }(); auto &%[1]s = gwsim::lanes::many(%s);", v.name, array(v))
	default:
		w.declaration(v, v.name)
	}
}

// isLocal reports whether a shared variable is an array that may lie anywhere, and that lives until the kernel's end: one in a loop keeps its
// elements, and a function may return the address of one.
func (s *splitter) isLocal(v *variable) bool {
	return !s.code.addresses && v.outermost && len(v.dims) > 0 && v.init.lo == v.init.hi && !slices.ContainsFunc(v.spec, func(t cxx.Token) bool {
		return t.Is("extern") || t.Is("alignas") || t.Is("__align__") || t.Is("__attribute__") || t.Is("auto")
	})
}

func (w *printer) declaration(v *variable, name string) {
	w.tokens(v.spec)
	w.tokens(v.pointer)
	w.word("%s", name)
	w.tokens(v.dims)
	w.source(v.init)
	w.word(";")
}

// region writes a loop over the threads of the block.
func (w *printer) region(r *region) {
	p := w.planRegion(r)
	for _, v := range p.arrays {
		w.array(v)
	}
	w.threads(r, p)
	w.ofBlock(r)
}

// threads writes the loop of a region.
func (w *printer) threads(r *region, p regionPlan) {
	w.word("{")
	if r.rows != nil {
		w.rowsLoop(r.rows)
	}
	if r.stride != nil {
		w.strideLoop(r.stride)
	}
	for _, v := range p.copies {
		w.word("const auto %s = %s;", array(v), v.name)
	}
	if w.ended {
		w.word("[[maybe_unused]] const bool gw_some = gw_running != gw_threads;")
	}
	var row rows
	switch {
	case w.inWarp:
		w.word("GW_LANES_OF_WARP { GW_LANE_OF_WARP_BEGIN")
		w.instead = w.inWholeWarps(r, p)
	case r.on == "":
		row = w.planRows(r, p)
		w.rowLoop(row, r)
	default:
		w.word("GW_EACH_LANE(%s) { GW_LANE_BEGIN", r.on)
	}
	if w.ended {
		w.word("if (gw_some && gw_ended[gw_row + gw_x]) continue;")
	}
	if p.reads {
		w.word("::threadIdx = threadIdx;")
	}
	back := w.threadVariables(p, r)
	for _, v := range p.copies {
		w.word("auto %s = %s;", v.name, array(v))
	}
	for _, v := range p.recomputed {
		if !slices.Contains(row.hoisted, v) {
			w.variable(v)
		}
	}
	w.items(r, row)
	for _, v := range back {
		w.word("%s = %s;", w.elementOf(v), v.name)
	}
	w.instead = nil
	if row.inPieces() || r.stride != nil {
		w.word("}")
	}
	w.word("} }")
	if r.stride != nil {
		w.word("} }")
	}
	if r.rows != nil {
		w.word("} }")
	}
}

// items writes what a thread does.
func (w *printer) items(r *region, row rows) {
	w.word("{")
	w.endLabel++
	label := fmt.Sprintf("gw_end_%d", w.endLabel)
	jumps := false
	for i, it := range r.items {
		if row.guard != nil && i == 0 {
			if row.leave {
				w.word("if (!(%s) && (%s)) goto %s;", w.counted(row), w.text(row.guard), label)
				jumps = true
				continue
			}
			// The loop has the threads for which the condition holds, if it is one of integers.
			w.word("if ((%s) || (%s))", w.counted(row), w.text(row.guard))
			it.node = it.node.body
		}
		jumps = w.item(it, label) || jumps
	}
	w.word("}")
	if jumps {
		w.word("%s:;", label)
	}
}

// ofBlock does for the block what all threads have done to their copies.
func (w *printer) ofBlock(r *region) {
	for _, it := range slices.Concat(r.items, r.after) {
		switch {
		case !it.all:
		case it.v != nil:
			w.variable(it.v)
		default:
			w.source(it.node.span)
		}
	}
}

// threadVariables declares the variables of a thread that a region uses, and returns those to be stored at its end.
func (w *printer) threadVariables(p regionPlan, r *region) []*variable {
	var back []*variable
	for _, v := range p.refs {
		switch {
		case !w.copied(v, r):
			w.word("auto &%s = %s;", v.name, w.elementOf(v))
			continue
		case slices.Contains(p.arrays, v):
			w.word("std::remove_reference_t<decltype(%s[0])> %s;", array(v), v.name)
		default:
			w.word("auto %s = %s;", v.name, w.elementOf(v))
		}
		back = append(back, v)
	}
	return back
}

// copied reports whether a region works on a copy of a thread's variable and stores it at its end. A variable in a register can be
// changed by some threads only, without a branch.
func (w *printer) copied(v *variable, r *region) bool {
	if r.stride != nil && continues(r.stride.body) || len(v.holders) > 0 || len(v.dims) > 0 || v.points || v.has("volatile") || len(v.spec) == 0 {
		return false
	}
	for _, t := range v.spec {
		if !cxx.IsBasicType(t.Text) && !t.Is("const") && !t.Is("size_t") {
			return false
		}
	}
	return !cxx.Has(v.spec, "auto") || strings.HasPrefix(v.name, "gw_")
}

// continues reports whether a statement has a continue of the loop around it.
func continues(n *node) bool {
	if n == nil {
		return false
	}
	switch n.kind {
	case continueNode:
		return true
	case forNode, rangeNode, whileNode, doNode:
		return false
	}
	return slices.ContainsFunc(n.list, continues) || continues(n.body) || continues(n.other)
}

// array declares the array of a variable, with an element for each thread.
func (w *printer) array(v *variable) {
	if !cxx.Has(v.spec, "auto") {
		w.word("alignas(64)")
		w.tokens(withoutConst(v.spec, len(v.pointer) == 0))
		w.tokens(withoutConst(v.pointer, true))
		w.word("%s[%s]", array(v), w.maxBlock())
		w.tokens(v.dims)
		w.word(";")
		return
	}
	// The type is that of a function which is never called, and in which the variables of one thread are visible.
	w.aliases++
	w.word("auto gw_type_%d = [&] {", w.aliases)
	w.context(v)
	w.word("return")
	w.source(span{v.init.lo + 1, v.init.hi})
	typ := fmt.Sprintf("std::decay_t<decltype(gw_type_%d())>", w.aliases)
	w.word("; }; alignas(64) %s %s[%s];", typ, array(v), w.maxBlock())
	if strings.HasPrefix(v.name, tileName) {
		w.word("using gw_t_%s = %s;", v.name, typ)
	}
}

// context declares the variables that the initial value of v names, for the sake of their types.
func (w *printer) context(v *variable) {
	needed := map[*variable]bool{}
	var need func(of *variable)
	need = func(of *variable) {
		if needed[of] || of.storage == inBlock {
			return
		}
		needed[of] = true
		if of.storage == recomputed || of.isDeduced() {
			of.value.variables(need)
		}
	}
	v.value.variables(need)
	for _, of := range w.vars {
		switch {
		case !needed[of] || of.param && of.storage == inRegion:
		case of.storage == perThread:
			w.word("auto &%s = %s[0];", of.name, array(of))
		case of.storage == recomputed || of.isDeduced():
			w.variable(of)
		default:
			w.tokens(withoutConst(of.spec, len(of.pointer) == 0))
			w.tokens(withoutConst(of.pointer, true))
			w.word("%s", of.name)
			w.tokens(of.dims)
			w.word(";")
		}
	}
}

// isDeduced reports whether a variable's declaration needs its initial value.
func (v *variable) isDeduced() bool {
	return v.storage == inRegion && (v.reference || cxx.Has(v.spec, "auto"))
}

// item writes an item for one thread, and reports whether it jumps to the label.
func (w *printer) item(it item, label string) (jumps bool) {
	n := it.node
	switch {
	case it.v != nil:
		w.declared(it.v)
		return false
	case it.all && !n.uniformChange(): // all threads leave
		if n.kind == ifNode {
			w.source(span{n.lo, n.head.hi + 1})
		}
		w.word("goto %s;", label)
		return true
	}
	at := n.lo
	for _, ret := range returns(n) {
		w.source(span{at, ret.lo})
		ending := ""
		if w.ended {
			ending = "gw_ended[gw_row + gw_x] = true; gw_running--; "
		}
		w.word("{ %sgoto %s; }", ending, label)
		at, jumps = ret.hi, true
	}
	w.source(span{at, n.hi})
	return jumps
}

// declared writes a declaration inside a region.
func (w *printer) declared(v *variable) {
	if v.storage != perThread {
		w.variable(v)
		return
	}
	if v.value == nil {
		return
	}
	w.word("{")
	w.tokens(v.spec)
	w.tokens(v.pointer)
	w.word("gw_value")
	w.tokens(v.dims)
	w.source(v.init)
	w.word("; gwsim::keep(%s, gw_value); }", v.name)
}

// withoutConst removes const from a type, so that elements of an array of it can be assigned.
func withoutConst(toks []cxx.Token, outermost bool) []cxx.Token {
	if !outermost {
		return toks
	}
	var out []cxx.Token
	for _, t := range toks {
		if !t.Is("const") && !t.Is("__restrict__") {
			out = append(out, t)
		}
	}
	return out
}
