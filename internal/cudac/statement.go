package cudac

import (
	"fmt"
	"slices"
)

type nodeKind uint8

const (
	simpleNode   nodeKind = iota // an expression or a declaration, with its semicolon
	blockNode                    // list
	forNode                      // head, body
	whileNode                    // head, body
	doNode                       // body, head
	ifNode                       // head, body, maybe other
	switchNode                   // head, body
	labelNode                    // case x: and default:
	returnNode                   //
	breakNode                    //
	continueNode                 //
	barrierNode                  // all threads of the block meet here
)

// A span is a piece of a token list.
type span struct{ lo, hi int }

// A node is a statement.
type node struct {
	kind        nodeKind
	span             // the whole statement
	head        span // between the parentheses
	list        []*node
	body, other *node

	barrier bool // it is or holds a barrier
}

// A statementParser takes a function's body apart.
type statementParser struct {
	toks    []token
	pos     int
	barrier func(span) bool // the simple statement is a barrier
}

func (p *statementParser) at(text string) bool { return p.pos < len(p.toks) && p.toks[p.pos].is(text) }

func (p *statementParser) fail(what string) error {
	line := 0
	if n := len(p.toks); n > 0 {
		line = p.toks[min(p.pos, n-1)].line
	}
	return fmt.Errorf("line %d: %s", line, what)
}

// statements reads up to the end, or the closing brace.
func (p *statementParser) statements() ([]*node, error) {
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

func (p *statementParser) statement() (*node, error) {
	n := &node{span: span{lo: p.pos}}
	err := p.read(n)
	n.hi = p.pos
	return n, err
}

// parens reads a group in parentheses.
func (p *statementParser) parens() (span, error) {
	if !p.at("(") {
		return span{}, p.fail("a ( is missing")
	}
	s := span{p.pos + 1, skipGroup(p.toks, p.pos) - 1}
	p.pos = s.hi + 1
	return s, nil
}

// sub reads a statement that belongs to n.
func (p *statementParser) sub(n *node) (*node, error) {
	if p.pos >= len(p.toks) {
		return nil, p.fail("a statement is missing")
	}
	s, err := p.statement()
	if err == nil {
		n.barrier = n.barrier || s.barrier
	}
	return s, err
}

func (p *statementParser) read(n *node) (err error) {
	first := p.toks[p.pos]
	switch {
	case first.is("{"):
		p.pos++
		n.kind = blockNode
		if n.list, err = p.statements(); err != nil {
			return err
		}
		if !p.at("}") {
			return p.fail("a } is missing")
		}
		p.pos++
		n.barrier = slices.ContainsFunc(n.list, func(s *node) bool { return s.barrier })
		return nil
	case first.is("if"), first.is("while"), first.is("for"), first.is("switch"):
		n.kind = map[string]nodeKind{"if": ifNode, "while": whileNode, "for": forNode, "switch": switchNode}[first.text]
		p.pos++
		if p.at("constexpr") {
			p.pos++
		}
		if n.head, err = p.parens(); err != nil {
			return err
		}
		if n.body, err = p.sub(n); err != nil {
			return err
		}
		if n.kind == ifNode && p.at("else") {
			p.pos++
			n.other, err = p.sub(n)
		}
		return err
	case first.is("do"):
		n.kind = doNode
		p.pos++
		if n.body, err = p.sub(n); err != nil {
			return err
		}
		if !p.at("while") {
			return p.fail("a while is missing")
		}
		p.pos++
		if n.head, err = p.parens(); err != nil {
			return err
		}
		return p.semicolon()
	case first.is("case"), first.is("default"):
		n.kind = labelNode
		for !p.at(":") {
			if p.pos++; p.pos >= len(p.toks) {
				return p.fail("a : is missing")
			}
		}
		p.pos++
		return nil
	case first.is("return"):
		n.kind = returnNode
	case first.is("break"):
		n.kind = breakNode
	case first.is("continue"):
		n.kind = continueNode
	case first.is("goto"), first.is("try"), first.is("asm"), first.is("__asm__"):
		return p.fail("it uses " + first.text)
	case first.kind == tokIdent && p.pos+1 < len(p.toks) && p.toks[p.pos+1].is(":"):
		return p.fail("it has a label")
	}
	if err := p.semicolon(); err != nil {
		return err
	}
	if n.kind == simpleNode && p.barrier(span{n.lo, p.pos - 1}) {
		n.kind, n.barrier = barrierNode, true
	}
	return nil
}

// semicolon moves behind the next one outside all brackets.
func (p *statementParser) semicolon() error {
	for p.pos < len(p.toks) {
		switch {
		case p.at(";"):
			p.pos++
			return nil
		case p.at("}"), p.at("{") && p.pos > 0 && p.toks[p.pos-1].is(")"):
			return p.fail("this statement is not understood")
		case p.at("("), p.at("["), p.at("{"):
			p.pos = skipGroup(p.toks, p.pos)
		default:
			p.pos++
		}
	}
	return p.fail("a ; is missing")
}

// operators are those of more than one character, the longest first.
var operators = []string{"<<=", ">>=", "...", "->*", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "->", "<<", ">>"}

// joinOperators makes one token of each operator.
func joinOperators(toks []token) []token {
	out := make([]token, 0, len(toks))
next:
	for i := 0; i < len(toks); {
		if toks[i].kind == tokPunct {
			for _, op := range operators {
				if startsOperator(toks[i:], op) {
					t := toks[i]
					t.text = op
					out = append(out, t)
					i += len(op)
					continue next
				}
			}
		}
		out = append(out, toks[i])
		i++
	}
	return out
}

func startsOperator(toks []token, op string) bool {
	if len(toks) < len(op) {
		return false
	}
	for i := range len(op) {
		if toks[i].kind != tokPunct || toks[i].text != op[i:i+1] || i > 0 && !toks[i].glued {
			return false
		}
	}
	return true
}

// isAssignment tells whether a token writes to what stands before it.
func isAssignment(t token) bool {
	if t.kind != tokPunct {
		return false
	}
	switch t.text {
	case "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--":
		return true
	}
	return false
}

// endsOperand tells whether an operator after t is a binary one.
func endsOperand(t token) bool {
	return t.kind == tokIdent && !t.is("return") && !t.is("else") && !t.is("case") || t.kind == tokNumber || t.kind == tokString ||
		t.is(")") || t.is("]")
}
