package loopsplit

import (
	"fmt"
	"slices"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

type nodeKind uint8

const (
	exprNode     nodeKind = iota // expr; none for a semicolon alone
	declNode                     // vars
	wordsNode                    // using, namespace, typedef and static_assert: expr has the names
	blockNode                    // list
	forNode                      // init, expr, step, body
	rangeNode                    // for (init : expr) body
	whileNode                    // init, expr, body
	doNode                       // body, expr
	ifNode                       // init, expr, body, maybe other
	switchNode                   // init, expr, body
	labelNode                    // case expr: and default:
	returnNode                   //
	breakNode                    //
	continueNode                 //
	barrierNode                  // a barrier of all threads of the block
	warpNode                     // a warp operation: expr is the call, vars the result
)

// A node is a statement.
type node struct {
	kind        nodeKind
	span             // the whole statement, including its semicolon
	head        span // between the parentheses
	init        *node
	expr        *expr
	step        []*expr // between the commas
	vars        []*variable
	list        []*node
	body, other *node

	barrier bool // it is or contains a barrier or a warp operation
	whole   bool // it is or contains a barrier of the block
}

// walk calls f for n and each statement in it.
func (n *node) walk(f func(*node)) {
	if n == nil {
		return
	}
	f(n)
	n.init.walk(f)
	for _, c := range n.list {
		c.walk(f)
	}
	n.body.walk(f)
	n.other.walk(f)
}

// exprs calls f for each expression in n.
func (n *node) exprs(f func(*expr)) {
	if n == nil {
		return
	}
	n.init.exprs(f)
	for _, v := range n.vars {
		for _, e := range v.types {
			f(e)
		}
		if v.value != nil {
			f(v.value)
		}
	}
	if n.expr != nil {
		f(n.expr)
	}
	for _, e := range n.step {
		f(e)
	}
	for _, c := range n.list {
		c.exprs(f)
	}
	n.body.exprs(f)
	n.other.exprs(f)
}

// A parser parses a function's body.
type parser struct {
	toks   []cxx.Token // with joined operators
	pos    int
	code   *code
	names  map[string]bool // names of variables and values
	groups map[string]bool // variables that are the thread block's group object
	lambda int             // the line of a lambda
}

func (p *parser) at(text string) bool { return p.pos < len(p.toks) && p.toks[p.pos].Is(text) }

// take skips the given token, if it is the next one.
func (p *parser) take(text string) bool {
	if !p.at(text) {
		return false
	}
	p.pos++
	return true
}

// isValue reports whether a name is not a type.
func (p *parser) isValue(name string) bool {
	return p.names[name] || p.code.constants[name] || builtinValue[name]
}

func (p *parser) fail(what string) error {
	line := 0
	if n := len(p.toks); n > 0 {
		line = p.toks[min(p.pos, n-1)].Line
	}
	return fmt.Errorf("line %d: %s", line, what)
}

// statements parses statements up to the end, or the closing brace.
func (p *parser) statements() ([]*node, error) {
	var list []*node
	for p.pos < len(p.toks) && !p.at("}") {
		n, err := p.statement()
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}

func (p *parser) statement() (*node, error) {
	n := &node{span: span{lo: p.pos}}
	var err error
	switch first := p.toks[p.pos]; {
	case first.Is("{"):
		err = p.block(n)
	case first.Is("if"), first.Is("while"), first.Is("for"), first.Is("switch"):
		n.kind = map[string]nodeKind{"if": ifNode, "while": whileNode, "for": forNode, "switch": switchNode}[first.Text]
		err = p.headed(n)
	case first.Is("do"):
		err = p.do(n)
	case first.Is("case"), first.Is("default"):
		err = p.label(n)
	case first.Is("goto"), first.Is("try"), first.Is("asm"), first.Is("__asm__"):
		err = p.fail("it uses " + first.Text)
	case first.Kind == cxx.Ident && p.pos+1 < len(p.toks) && p.toks[p.pos+1].Is(":"):
		err = p.fail("it has a label")
	default:
		err = p.simple(n)
	}
	n.hi = p.pos
	return n, err
}

func (p *parser) block(n *node) (err error) {
	n.kind = blockNode
	p.pos++
	if n.list, err = p.statements(); err != nil {
		return err
	}
	if !p.take("}") {
		return p.fail("a } is missing")
	}
	n.barrier = slices.ContainsFunc(n.list, func(s *node) bool { return s.barrier })
	n.whole = slices.ContainsFunc(n.list, func(s *node) bool { return s.whole })
	return nil
}

// headed parses a loop or branch, which begins with a word and parentheses.
func (p *parser) headed(n *node) (err error) {
	p.pos++
	p.take("constexpr")
	if n.head, err = p.parens(); err != nil {
		return err
	}
	if n.kind == forNode {
		err = p.forHead(n)
	} else {
		p.condition(n)
	}
	if err != nil {
		return err
	}
	if n.body, err = p.sub(n); err != nil {
		return err
	}
	if n.kind == ifNode && p.take("else") {
		n.other, err = p.sub(n)
	}
	return err
}

func (p *parser) do(n *node) (err error) {
	n.kind = doNode
	p.pos++
	if n.body, err = p.sub(n); err != nil {
		return err
	}
	if !p.take("while") {
		return p.fail("a while is missing")
	}
	if n.head, err = p.parens(); err != nil {
		return err
	}
	n.expr = p.expression(n.head)
	return p.semicolon()
}

func (p *parser) label(n *node) error {
	n.kind = labelNode
	for p.pos++; !p.at(":"); p.pos++ {
		if p.pos >= len(p.toks) {
			return p.fail("a : is missing")
		}
	}
	n.expr = p.expression(span{n.lo + 1, p.pos})
	p.pos++
	return nil
}

// simple parses a statement up to its semicolon.
func (p *parser) simple(n *node) error {
	if err := p.semicolon(); err != nil {
		return err
	}
	at := span{n.lo, p.pos - 1}
	switch first := p.toks[n.lo]; {
	case first.Is("return"):
		n.kind, n.expr = returnNode, p.expression(span{at.lo + 1, at.hi})
	case first.Is("break"):
		n.kind = breakNode
	case first.Is("continue"):
		n.kind = continueNode
	case first.Is("using"), first.Is("typedef"), first.Is("static_assert"), first.Is("namespace"):
		n.kind, n.expr = wordsNode, p.typeName(at)
	default:
		p.inner(n, at)
		if n.kind == exprNode && p.isBarrier(n.expr) {
			n.kind, n.barrier = barrierNode, true
			n.whole = n.expr.list[0].name != "__syncwarp"
			return nil
		}
		p.markWarp(n)
	}
	return nil
}

// inner parses a declaration or an expression.
func (p *parser) inner(n *node, at span) {
	if n.vars = p.declaration(at); n.vars != nil {
		n.kind = declNode
		return
	}
	n.kind, n.expr = exprNode, p.expression(at)
}

// part parses a part of a loop's or branch's head; it returns nil if the part is empty.
func (p *parser) part(at span) *node {
	if at.lo >= at.hi {
		return nil
	}
	n := &node{span: at}
	p.inner(n, at)
	return n
}

// condition parses the head of a statement other than a for loop: a condition, which a declaration may precede or replace.
func (p *parser) condition(n *node) {
	at := n.head
	if cuts := p.semicolons(at); len(cuts) > 0 {
		n.init = p.part(span{at.lo, cuts[0]})
		at.lo = cuts[0] + 1
	}
	// A declaration here has an initial value: a && b and a * b are expressions.
	if vars := p.declaration(at); vars != nil && !slices.ContainsFunc(vars, func(v *variable) bool { return v.value == nil }) {
		before := n.init
		n.init = &node{kind: declNode, span: at, vars: vars}
		if before != nil {
			n.init.list = []*node{before}
		}
		return
	}
	n.expr = p.expression(at)
}

// forHead parses the head of a for loop.
func (p *parser) forHead(n *node) error {
	at := n.head
	cuts := p.semicolons(at)
	if len(cuts) == 2 {
		n.init = p.part(span{at.lo, cuts[0]})
		n.expr = p.expression(span{cuts[0] + 1, cuts[1]})
		for lo := cuts[1] + 1; lo < at.hi; {
			hi := p.commaAfter(lo, at.hi)
			n.step = append(n.step, p.expression(span{lo, hi}))
			lo = hi + 1
		}
		return nil
	}
	colon := cxx.TopLevel(p.toks[at.lo:at.hi], ":")
	if len(cuts) > 0 || colon < 0 {
		return fmt.Errorf("line %d: this loop is not understood", p.toks[n.lo].Line)
	}
	n.kind = rangeNode
	n.init = p.part(span{at.lo, at.lo + colon})
	n.expr = p.expression(span{at.lo + colon + 1, at.hi})
	return nil
}

// semicolons returns the indices of the semicolons outside all brackets.
func (p *parser) semicolons(at span) []int {
	var cuts []int
	for i := at.lo; i < at.hi; i++ {
		switch t := p.toks[i]; {
		case t.Is(";"):
			cuts = append(cuts, i)
		case t.Is("("), t.Is("["), t.Is("{"):
			i = cxx.SkipGroup(p.toks, i) - 1
		}
	}
	return cuts
}

// parens parses a group in parentheses.
func (p *parser) parens() (span, error) {
	if !p.at("(") {
		return span{}, p.fail("a ( is missing")
	}
	s := span{p.pos + 1, cxx.SkipGroup(p.toks, p.pos) - 1}
	p.pos = s.hi + 1
	return s, nil
}

// sub parses a statement that is part of n.
func (p *parser) sub(n *node) (*node, error) {
	if p.pos >= len(p.toks) {
		return nil, p.fail("a statement is missing")
	}
	s, err := p.statement()
	if err == nil {
		n.barrier, n.whole = n.barrier || s.barrier, n.whole || s.whole
	}
	return s, err
}

// semicolon skips everything up to the next semicolon outside all brackets, and the semicolon.
func (p *parser) semicolon() error {
	for p.pos < len(p.toks) {
		switch {
		case p.take(";"):
			return nil
		case p.at("}"), p.at("{") && p.pos > 0 && p.toks[p.pos-1].Is(")"):
			return p.fail("this statement is not understood")
		case p.at("("), p.at("["), p.at("{"):
			p.pos = cxx.SkipGroup(p.toks, p.pos)
		default:
			p.pos++
		}
	}
	return p.fail("a ; is missing")
}

// isBarrier reports whether an expression is only a barrier of the whole block, or a barrier of a
// warp that one of the block can replace.
func (p *parser) isBarrier(e *expr) bool {
	if e == nil || e.kind != callExpr || e.op != "(" {
		return false
	}
	callee, args := e.list[0], e.list[1:]
	switch {
	case callee.kind == memberExpr:
		of := callee.list[0]
		return callee.op == "." && callee.name == "sync" && len(args) == 0 && (isThisBlock(of) || p.isGroup(of))
	case callee.kind != nameExpr || callee.templated:
		return false
	case callee.name == "sync":
		ns := callee.qualifier
		return p.code.groups[ns[:max(0, len(ns)-len("::"))]] && len(args) == 1 && p.isGroup(args[0])
	case callee.qualifier != "":
		return false
	case callee.name == "__syncthreads":
		return len(args) == 0
	case callee.name == "__syncwarp":
		return len(args) == 0 || len(args) == 1 && p.isFullMask(args[0])
	}
	return false
}

func (p *parser) isGroup(e *expr) bool {
	return e.kind == nameExpr && e.qualifier == "" && !e.templated && p.groups[e.name]
}

func (p *parser) isFullMask(e *expr) bool {
	text := p.toks[e.lo].Text
	return e.kind == literalExpr && (text == "0xffffffff" || text == "0xFFFFFFFF")
}

// isThisBlock reports whether an expression is this_thread_block().
func isThisBlock(e *expr) bool {
	return e != nil && e.kind == callExpr && e.op == "(" && len(e.list) == 1 && e.list[0].kind == nameExpr && e.list[0].name == "this_thread_block"
}
