package loopsplit

import (
	"fmt"
	"slices"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
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
	toks    []cxx.Token
	pos     int
	barrier func(span) bool // the simple statement is a barrier
}

func (p *statementParser) at(text string) bool { return p.pos < len(p.toks) && p.toks[p.pos].Is(text) }

func (p *statementParser) fail(what string) error {
	line := 0
	if n := len(p.toks); n > 0 {
		line = p.toks[min(p.pos, n-1)].Line
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
	s := span{p.pos + 1, cxx.SkipGroup(p.toks, p.pos) - 1}
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
	case first.Is("{"):
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
	case first.Is("if"), first.Is("while"), first.Is("for"), first.Is("switch"):
		n.kind = map[string]nodeKind{"if": ifNode, "while": whileNode, "for": forNode, "switch": switchNode}[first.Text]
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
	case first.Is("do"):
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
	case first.Is("case"), first.Is("default"):
		n.kind = labelNode
		for !p.at(":") {
			if p.pos++; p.pos >= len(p.toks) {
				return p.fail("a : is missing")
			}
		}
		p.pos++
		return nil
	case first.Is("return"):
		n.kind = returnNode
	case first.Is("break"):
		n.kind = breakNode
	case first.Is("continue"):
		n.kind = continueNode
	case first.Is("goto"), first.Is("try"), first.Is("asm"), first.Is("__asm__"):
		return p.fail("it uses " + first.Text)
	case first.Kind == cxx.Ident && p.pos+1 < len(p.toks) && p.toks[p.pos+1].Is(":"):
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

// operators are those of more than one character, the longest first.
var operators = []string{"<<=", ">>=", "...", "->*", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "->", "<<", ">>"}

// joinOperators makes one token of each operator.
func joinOperators(toks []cxx.Token) []cxx.Token {
	out := make([]cxx.Token, 0, len(toks))
next:
	for i := 0; i < len(toks); {
		if toks[i].Kind == cxx.Punct {
			for _, op := range operators {
				if startsOperator(toks[i:], op) {
					t := toks[i]
					t.Text = op
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

func startsOperator(toks []cxx.Token, op string) bool {
	if len(toks) < len(op) {
		return false
	}
	for i := range len(op) {
		if toks[i].Kind != cxx.Punct || toks[i].Text != op[i:i+1] || i > 0 && !toks[i].Glued {
			return false
		}
	}
	return true
}

// isAssignment tells whether a token writes to what stands before it.
func isAssignment(t cxx.Token) bool {
	if t.Kind != cxx.Punct {
		return false
	}
	switch t.Text {
	case "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--":
		return true
	}
	return false
}

// endsOperand tells whether an operator after t is a binary one.
func endsOperand(t cxx.Token) bool {
	return t.Kind == cxx.Ident && !t.Is("return") && !t.Is("else") && !t.Is("case") || t.Kind == cxx.Number || t.Kind == cxx.String ||
		t.Is(")") || t.Is("]")
}
