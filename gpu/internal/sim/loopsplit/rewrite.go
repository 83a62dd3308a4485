package loopsplit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// A rewriter makes each warp operation in a kernel's body a statement of its own, before the statement that contains it, and puts
// the bodies of functions with such operations in place of their calls. It changes tokens and has them parsed again until nothing
// is left to do. What it does not support stays as it is, and is refused later.
type rewriter struct {
	code    *code
	params  []*variable
	names   map[string]bool // template parameters that are values
	waiters map[string]bool // functions with barriers or warp operations
	toks    []cxx.Token
	parser  *parser
	types   map[string]*variable // by name; nil for a name of several variables
	tiles   map[string]*tile
	local   map[string]bool // aliases of namespace cooperative_groups in the kernel
	edits   []edit
	serial  int
	err     error
}

// An edit replaces a span by tokens.
type edit struct {
	span
	with []cxx.Token
}

// maxPasses limits the depth of nested calls: a function may call itself.
const maxPasses = 100

// rewrite returns the body with its operations as statements.
func (r *rewriter) rewrite() ([]cxx.Token, error) {
	r.tiles, r.local = map[string]*tile{}, map[string]bool{}
	for i := 0; i+4 < len(r.toks); i++ {
		if r.toks[i].Is("namespace") && r.toks[i+2].Is("=") && (r.toks[i+3].Is("cooperative_groups") || r.toks[i+4].Is("cooperative_groups")) {
			r.local[r.toks[i+1].Text] = true
		}
	}
	for range maxPasses {
		list, err := r.parse()
		if err != nil {
			return nil, err
		}
		r.edits = nil
		for _, n := range list {
			r.visit(n)
		}
		if r.err != nil {
			return nil, r.err
		}
		if len(r.edits) == 0 {
			return r.toks, r.leftover()
		}
		r.apply()
		if len(r.toks) > 100_000 {
			break
		}
	}
	return nil, errors.New("functions with barriers or warp operations are nested too deep")
}

// parse parses the body as it is now.
func (r *rewriter) parse() ([]*node, error) {
	r.parser = &parser{toks: r.toks, code: r.code, names: map[string]bool{}, groups: map[string]bool{}}
	r.types = map[string]*variable{}
	for name := range r.names {
		r.parser.names[name] = true
	}
	for _, v := range r.params {
		r.parser.names[v.name] = true
		r.types[v.name] = v
	}
	list, err := r.parser.statements()
	if err != nil {
		return nil, err
	}
	if r.parser.pos < len(r.toks) {
		return nil, r.parser.fail("a { is missing")
	}
	for _, n := range list {
		r.note(n)
	}
	return list, nil
}

// note records the variables that a statement declares.
func (r *rewriter) note(n *node) {
	n.walk(func(n *node) {
		for _, v := range n.vars {
			if _, twice := r.types[v.name]; twice {
				r.types[v.name] = nil
			} else {
				r.types[v.name] = v
			}
		}
	})
}

// apply makes the edits of a pass.
func (r *rewriter) apply() {
	slices.SortStableFunc(r.edits, func(a, b edit) int { return cmp.Or(a.lo-b.lo, a.hi-b.hi) })
	var out []cxx.Token
	at := 0
	for _, e := range r.edits {
		out = append(append(out, r.toks[at:e.lo]...), e.with...)
		at = e.hi
	}
	r.toks = append(out, r.toks[at:]...)
}

func (r *rewriter) edit(lo, hi int, with []cxx.Token) {
	r.edits = append(r.edits, edit{span{lo, hi}, with})
}

// name returns a new name.
func (r *rewriter) name(prefix string) string {
	r.serial++
	return fmt.Sprintf("%s%d", prefix, r.serial)
}

// text returns the tokens of a text, which get the line and file of another token. Names in it that begin with $ stand for the
// lists of tokens that follow.
func text(at cxx.Token, format string, with ...[]cxx.Token) []cxx.Token {
	var out []cxx.Token
	for i, part := range strings.Split(format, "$") {
		if i > 0 {
			out = append(out, with[i-1]...)
		}
		toks, _ := cxx.Lex(part)
		for _, t := range toks {
			t.Line, t.File, t.Begin, t.End = at.Line, at.File, at.Begin, at.End
			out = append(out, t)
		}
	}
	return joinOperators(out)
}

// visit makes the edits of a statement: at most one operation each time.
func (r *rewriter) visit(n *node) {
	if n == nil || r.err != nil {
		return
	}
	switch n.kind {
	case declNode:
		r.declaration(n)
	case exprNode, returnNode:
		r.simple(n)
	case ifNode:
		r.branch(n)
	case switchNode:
		r.headed(n)
	case doNode, whileNode, forNode, blockNode, rangeNode:
		if r.tileHead(n) || r.voteHead(n) {
			return
		}
		for _, c := range n.list {
			r.visit(c)
		}
		r.visit(n.body)
	}
}

// tileHead replaces a use of a tile in the head of a loop. It reports whether there was one.
func (r *rewriter) tileHead(n *node) bool {
	if n.init != nil {
		if n.init.kind == exprNode && r.tileCall(n.init.expr) {
			return true
		}
		for _, v := range n.init.vars {
			if r.tileCall(v.value) {
				return true
			}
		}
	}
	return r.tileCall(n.expr) || slices.ContainsFunc(n.step, r.tileCall)
}

// voteHead moves a vote of the block from the condition of a loop to the beginning of its body, or to the end of that of a do loop. It reports
// whether there was one.
func (r *rewriter) voteHead(n *node) bool {
	if n.kind == blockNode || n.kind == rangeNode || n.expr == nil || n.kind != forNode && n.init != nil {
		return false
	}
	if op, ok := asWarpOp(r.find(n.expr)); !ok || op.form != countForm || n.kind == doNode && continues(n.body) {
		return false
	}
	at, condition := r.toks[n.lo], r.toks[n.expr.lo:n.expr.hi]
	inside := n.body.span
	if n.body.kind == blockNode {
		inside = span{inside.lo + 1, inside.hi - 1}
	} else {
		r.edit(inside.lo, inside.lo, text(at, "{"))
		defer r.edit(inside.hi, inside.hi, text(at, "}"))
	}
	if n.kind != doNode {
		r.edit(n.expr.lo, n.expr.hi, text(at, "true"))
		r.edit(inside.lo, inside.lo, text(at, "if (!($)) break;", condition))
		return true
	}
	again := r.name("gw_again")
	r.edit(n.lo, n.lo, text(at, "{ bool "+again+";"))
	r.edit(inside.hi, inside.hi, text(at, again+" = ($);", condition))
	r.edit(n.expr.lo, n.expr.hi, text(at, again))
	r.edit(n.hi, n.hi, text(at, "}"))
	return true
}

// declaration separates the variables of a declaration with an operation in it.
func (r *rewriter) declaration(n *node) {
	if r.tile(n) {
		return
	}
	for _, v := range n.vars {
		if r.tileCall(v.value) {
			return
		}
	}
	if strings.HasPrefix(n.vars[0].name, resultName) {
		return // it has been taken out
	}
	waiting := slices.ContainsFunc(n.vars, func(v *variable) bool { return r.find(v.value) != nil })
	if !waiting {
		return
	}
	if len(n.vars) == 1 {
		if call := r.find(n.vars[0].value); r.quiet(n.vars[0].value, true) {
			r.hoist(n, call, n.span, false)
		}
		return
	}
	var out []cxx.Token
	first := r.toks[n.lo]
	for _, v := range n.vars {
		out = append(out, v.spec...)
		out = append(out, v.pointer...)
		out = append(out, text(first, v.name)...)
		out = append(out, v.dims...)
		out = append(out, r.toks[v.init.lo:v.init.hi]...)
		out = append(out, text(first, ";")...)
	}
	r.edit(n.lo, n.hi, out)
}

// simple takes an operation out of an expression that is a statement, or is returned.
func (r *rewriter) simple(n *node) {
	if n.expr == nil || r.tileCall(n.expr) {
		return
	}
	if call := r.find(n.expr); call != nil && r.quiet(n.expr, true) {
		if n.kind == exprNode && call == n.expr {
			r.statement(n, call)
			return
		}
		r.hoist(n, call, n.span, true)
	}
}

// headed takes an operation out of the condition of a branch.
func (r *rewriter) headed(n *node) bool {
	if n.init == nil && n.expr != nil {
		if r.tileCall(n.expr) {
			return true
		}
		if call := r.find(n.expr); call != nil && r.quiet(n.expr, false) {
			at := r.toks[n.lo]
			pre, value := r.before(call)
			r.edit(n.lo, n.lo, append(text(at, "{"), pre...))
			r.edit(call.lo, call.hi, value)
			r.edit(n.hi, n.hi, text(at, "}"))
			return true
		}
	}
	for _, c := range n.list {
		r.visit(c)
	}
	r.visit(n.body)
	r.visit(n.other)
	return false
}

// branch does so for an if. If threads of a warp may take it that meet in it, its condition becomes a variable.
func (r *rewriter) branch(n *node) {
	if r.headed(n) {
		return
	}
	if !n.barrier || n.whole || n.init != nil || n.expr == nil || n.head.hi == n.head.lo+1 && strings.HasPrefix(r.toks[n.head.lo].Text, truthName) {
		return
	}
	if slices.ContainsFunc(r.toks[n.lo:n.head.lo], func(t cxx.Token) bool { return t.Is("constexpr") }) {
		return
	}
	// Other edits of this pass may be inside the statement, but not in its head.
	at, truth := r.toks[n.lo], r.name(truthName)
	r.edit(n.lo, n.lo, text(at, "{ const bool "+truth+" = static_cast<bool>($);", r.toks[n.head.lo:n.head.hi]))
	r.edit(n.head.lo, n.head.hi, text(at, truth))
	r.edit(n.hi, n.hi, text(at, "}"))
}

// find returns the first operation or call to be taken out of an expression, the innermost one; nil if there is none, or if it
// is not certain to be evaluated.
func (r *rewriter) find(e *expr) *expr {
	if e == nil {
		return nil
	}
	parts := e.list
	if e.kind == condExpr || e.kind == binaryExpr && (e.op == "&&" || e.op == "||" || e.op == ",") {
		parts = e.list[:1]
	}
	for i := range parts {
		if call := r.find(parts[i]); call != nil {
			return call
		}
	}
	if _, ok := asWarpOp(e); ok || r.definition(e) != nil {
		return e
	}
	return nil
}

// quiet reports whether an expression has no effects that might come before those of an operation in it. An assignment of all
// of it comes after.
func (r *rewriter) quiet(e *expr, root bool) bool {
	ok := true
	e.walk(func(x *expr) {
		switch {
		case x.kind == assignExpr && !(root && x == e), x.kind == suffixExpr, x.kind == opaqueExpr:
			ok = false
		case x.kind == prefixExpr && (x.op == "++" || x.op == "--"):
			ok = false
		}
	})
	return ok
}

// hoist puts an operation before the statement that contains it.
func (r *rewriter) hoist(n *node, call *expr, at span, braces bool) {
	pre, value := r.before(call)
	if r.err != nil {
		return
	}
	if braces && n.kind != returnNode {
		pre = append(text(r.toks[n.lo], "{"), pre...)
		r.edit(at.hi, at.hi, text(r.toks[n.lo], "}"))
	}
	r.edit(at.lo, at.lo, pre)
	r.edit(call.lo, call.hi, value)
}

// statement rewrites a call that is a statement.
func (r *rewriter) statement(n *node, call *expr) {
	op, isOp := asWarpOp(call)
	if isOp && op.form != syncForm {
		r.hoist(n, call, n.span, true)
		return
	}
	if isOp {
		pre, args := r.operands(call)
		r.edit(n.lo, n.hi, text(r.toks[n.lo], "{ $ __syncwarp($); }", pre, args))
		return
	}
	if pre, value := r.inline(call); r.err == nil {
		r.edit(n.lo, n.hi, text(r.toks[n.lo], "{ $ $; }", pre, value))
	}
}

// before returns the statements that compute a call, and what stands in its place.
func (r *rewriter) before(call *expr) (pre, value []cxx.Token) {
	if _, ok := asWarpOp(call); !ok {
		return r.inline(call)
	}
	at := r.toks[call.lo]
	result := r.name(resultName)
	pre, args := r.operands(call)
	callee := r.toks[call.list[0].lo:call.list[0].hi]
	return append(pre, text(at, "auto "+result+" = $($);", callee, args)...), text(at, result)
}

// operands returns declarations of the operands of an operation, and their names.
func (r *rewriter) operands(call *expr) (pre, args []cxx.Token) {
	op, _ := asWarpOp(call)
	at := r.toks[call.lo]
	for i, arg := range call.list[1:] {
		if i > 0 {
			args = append(args, text(at, ",")...)
		}
		source := r.toks[arg.lo:arg.hi]
		if r.isPlain(arg) || op.form == foldForm && i != 1 {
			args = append(args, source...)
			continue
		}
		name := r.name("gw_a")
		pre = append(pre, text(at, "auto "+name+" = ($);", source)...)
		args = append(args, text(at, name)...)
	}
	return pre, args
}

// isPlain reports whether an operand is a number, or a variable of a type with a name.
func (r *rewriter) isPlain(e *expr) bool {
	if e.kind == literalExpr {
		return true
	}
	if e.kind != nameExpr || e.qualifier != "" || e.templated {
		return false
	}
	v := r.types[e.name]
	return v != nil && len(v.dims) == 0 && !v.reference && !v.atBlock && !cxx.Has(v.spec, "volatile")
}
