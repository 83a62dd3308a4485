package loopsplit

import (
	"fmt"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// A warpOp is an operation of a warp, or a barrier of the block with a value. After rewriting each is a statement of its own:
//
//	auto gw_w1 = __shfl_down_sync(mask, value, 4);
//
// whose operands are variables and numbers.
type warpOp struct {
	form     warpForm
	code     string // what the form is called with
	min, max int    // the number of arguments
}

type warpForm uint8

const (
	shuffleForm warpForm = iota
	voteForm
	matchForm
	reduceForm
	activeForm
	syncForm
	countForm
	foldForm
)

var warpOps = map[string]warpOp{
	"__shfl_sync":      {shuffleForm, "Index", 3, 4},
	"__shfl_up_sync":   {shuffleForm, "Up", 3, 4},
	"__shfl_down_sync": {shuffleForm, "Down", 3, 4},
	"__shfl_xor_sync":  {shuffleForm, "Xor", 3, 4},

	"__ballot_sync": {voteForm, "unsigned|set", 2, 2},
	"__any_sync":    {voteForm, "int|set != 0", 2, 2},
	"__all_sync":    {voteForm, "int|set == part", 2, 2},
	"__uni_sync":    {voteForm, "int|set == 0 || set == part", 2, 2},

	"__match_any_sync": {matchForm, "", 2, 2},

	"__reduce_add_sync": {reduceForm, "Plus", 2, 2},
	"__reduce_min_sync": {reduceForm, "Least", 2, 2},
	"__reduce_max_sync": {reduceForm, "Most", 2, 2},
	"__reduce_and_sync": {reduceForm, "BitAnd", 2, 2},
	"__reduce_or_sync":  {reduceForm, "BitOr", 2, 2},
	"__reduce_xor_sync": {reduceForm, "BitXor", 2, 2},

	"__activemask": {activeForm, "", 0, 0},
	"__syncwarp":   {syncForm, "", 0, 1},

	"__syncthreads_count": {countForm, "set", 1, 1},
	"__syncthreads_or":    {countForm, "set != 0", 1, 1},
	"__syncthreads_and":   {countForm, "set == live", 1, 1},

	"gw_fold": {foldForm, "", 3, 3}, // size, value, operator: reduce of cooperative groups
}

// The rewriter's names begin like this.
const (
	resultName = "gw_w" // the result of an operation
	tileName   = "gw_p" // a parameter whose type is deduced, with a name for the type: gw_t_gw_p1
	truthName  = "gw_c" // the condition of a branch with operations in it
)

// asWarpOp returns the operation that an expression calls.
func asWarpOp(e *expr) (warpOp, bool) {
	if e == nil || e.kind != callExpr || e.op != "(" {
		return warpOp{}, false
	}
	callee := e.list[0]
	if callee.kind != nameExpr || callee.templated || callee.v != nil || callee.qualifier != "" && callee.qualifier != "::" {
		return warpOp{}, false
	}
	op, ok := warpOps[callee.name]
	n := len(e.list) - 1
	return op, ok && op.min <= n && n <= op.max
}

// markWarp makes a statement that is an operation in the form of the rewriter a warpNode.
func (p *parser) markWarp(n *node) {
	call := n.expr
	if n.kind == declNode && len(n.vars) == 1 && strings.HasPrefix(n.vars[0].name, resultName) && cxx.Has(n.vars[0].spec, "auto") {
		call = n.vars[0].value
	}
	op, ok := asWarpOp(call)
	if !ok || (op.form == syncForm) != (n.kind == exprNode) {
		return
	}
	for i, arg := range call.list[1:] {
		if !p.isOperand(arg) && !(op.form == foldForm && i != 1) {
			return
		}
	}
	n.kind, n.barrier, n.whole = warpNode, true, op.form == countForm
	n.expr = call
}

// isOperand reports whether an expression is a number, or a name that may be one of a variable.
func (p *parser) isOperand(e *expr) bool {
	return e.kind == literalExpr || e.kind == nameExpr && e.qualifier == "" && !e.templated
}

// warpStep writes an operation of all warps.
func (w *printer) warpStep(n *node, on string) {
	op, _ := asWarpOp(n.expr)
	args := n.expr.list[1:]
	line := w.splitter.line(n)
	name := n.expr.list[0].name // for messages
	here := fmt.Sprintf("{gw_threads, %s, %s}", w.endedHere(), maskOf(on))
	if w.inWarp {
		here = "{32, nullptr, nullptr}"
	}
	tail := fmt.Sprintf("%s, %q, %d", here, name, line)
	var v *variable
	out := ""
	if len(n.vars) > 0 {
		v = n.vars[0]
		out = w.elements(v)
	}
	w.to(line)
	if v != nil && op.form != countForm {
		w.result(v, w.resultType(n))
	}
	switch op.form {
	case shuffleForm:
		width := "32"
		if len(args) == 4 {
			width = w.operandText(args[3])
		}
		w.word("gwsim::lanes::shuffle<gwsim::lanes::%s>(%s, %s, %s, %s, %s, %s);", op.code, out, w.operand(args[0]), w.operand(args[1]), w.operand(args[2]), width, tail)
	case voteForm:
		_, value, _ := strings.Cut(op.code, "|")
		w.word("gwsim::lanes::vote(%s, %s, %s, %s, []([[maybe_unused]] unsigned set, [[maybe_unused]] unsigned part) { return %s; });",
			out, w.operand(args[0]), w.operand(args[1]), tail, value)
	case matchForm:
		w.word("gwsim::lanes::match(%s, %s, %s, %s);", out, w.operand(args[0]), w.operand(args[1]), tail)
	case reduceForm:
		w.word("gwsim::lanes::reduce(%s, %s, %s, %s, gwsim::%s());", out, w.operand(args[0]), w.operand(args[1]), tail, op.code)
	case activeForm:
		w.word("gwsim::lanes::active(%s, %s);", out, here)
	case syncForm:
		mask := "gwsim::lanes::same(~0u)"
		if len(args) == 1 {
			mask = w.operand(args[0])
		}
		w.word("gwsim::lanes::sync(%s, %s);", mask, tail)
	case countForm:
		w.word("int %s; { [[maybe_unused]] const auto [set, live] = gwsim::lanes::count(%s, %s); %s = %s; }", v.name, w.operand(args[0]), here, v.name, op.code)
	case foldForm:
		w.word("gwsim::lanes::fold(%s, %s, %s, %s, ", out, w.operandText(args[0]), w.operand(args[1]), tail)
		w.source(args[2].span)
		w.word(");")
	}
}

// resultType returns the type of an operation's results.
func (w *printer) resultType(n *node) string {
	op, _ := asWarpOp(n.expr)
	args := n.expr.list[1:]
	switch op.form {
	case shuffleForm, foldForm:
		return "std::decay_t<decltype(" + w.element(args[1]) + ")>"
	case voteForm:
		typ, _, _ := strings.Cut(op.code, "|")
		return typ
	case reduceForm:
		return fmt.Sprintf("decltype(%s(0u, %s))", n.expr.list[0].name, w.element(args[1]))
	}
	return "unsigned"
}

// operandText returns the text of an operand that is the same for all threads.
func (w *printer) operandText(e *expr) string { return cxx.Join(w.toks[e.lo:e.hi]) }

// operand returns an operand for the functions of the simulator's header.
func (w *printer) operand(e *expr) string {
	if e.v != nil && e.v.storage == perThread {
		return "gwsim::lanes::each(" + w.elements(e.v) + ")"
	}
	return "gwsim::lanes::same(" + w.operandText(e) + ")"
}

// element returns an expression that has the type of an operand.
func (w *printer) element(e *expr) string {
	if e.v != nil && e.v.storage == perThread {
		return array(e.v) + "[0]"
	}
	return w.operandText(e)
}

// endedHere returns a pointer to the flags of the threads that have returned, or null if none has.
func (w *printer) endedHere() string {
	if w.ended {
		return "gw_running == gw_threads ? nullptr : gw_ended"
	}
	return "nullptr"
}
