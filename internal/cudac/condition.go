package cudac

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// A number is the value of a part of #if's expression, if it is known.
type number struct {
	value int64
	known bool
}

// An evaluator computes the expression of an #if from the macros of a preprocessor. What it cannot know, such as a macro of the
// compiler or of a file that was not read, is unknown, and so is what depends on it.
type evaluator struct {
	p    *preprocessor
	toks []cxx.Token
	pos  int
	bad  bool // the expression has something else than integers and their operators
}

// maxConditionTokens is the maximum number of tokens of an expression that is evaluated.
const maxConditionTokens = 512

// evaluate returns the value of an expression.
func (p *preprocessor) evaluate(toks []cxx.Token) (value, known bool) {
	e := evaluator{p: p, toks: p.expandCondition(toks, nil)}
	if len(e.toks) > maxConditionTokens {
		return false, false
	}
	n := e.binary(0)
	if e.bad || e.pos != len(e.toks) {
		return false, false
	}
	return n.value != 0, n.known
}

// expandCondition expands the macros of an expression, but those that defined asks for.
func (p *preprocessor) expandCondition(toks []cxx.Token, active []string) []cxx.Token {
	var out []cxx.Token
	for i := 0; i < len(toks) && len(out) <= maxConditionTokens; i++ {
		t := toks[i]
		if t.Is("defined") {
			end := min(i+2, len(toks))
			if i+1 < len(toks) && toks[i+1].Is("(") {
				end = cxx.SkipGroup(toks, i+1)
			}
			out = append(out, toks[i:end]...)
			i = end - 1
			continue
		}
		body, ok := p.macros[t.Text]
		if t.Kind != cxx.Ident || !ok || p.mayDiffer(t.Text) || slices.Contains(active, t.Text) || len(active) > 16 {
			out = append(out, t)
			continue
		}
		out = append(out, p.expandCondition(body, append(active, t.Text))...)
	}
	return out
}

// operators are those of two operands, by rising precedence.
var operators = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

// operator returns the operator at the position, "" if there is none, and the number of its tokens.
func (e *evaluator) operator() (text string, n int) {
	for i := e.pos; i < len(e.toks) && i < e.pos+2; i++ {
		t := e.toks[i]
		if t.Kind != cxx.Punct || i > e.pos && !(t.Glued && strings.Contains("|| && == != <= >= << >>", text+t.Text)) {
			break
		}
		text, n = text+t.Text, n+1
	}
	return text, n
}

// binary evaluates operators of at least this precedence.
func (e *evaluator) binary(level int) number {
	if level == len(operators) {
		return e.unary()
	}
	left := e.binary(level + 1)
	for !e.bad {
		op, n := e.operator()
		if op == "" || !slices.Contains(operators[level], op) {
			return left
		}
		e.pos += n
		left = apply(op, left, e.binary(level+1))
	}
	return number{}
}

func truth(b bool) number {
	if b {
		return number{1, true}
	}
	return number{0, true}
}

// apply computes an operation. An operand that decides && or || makes the other irrelevant.
func apply(op string, a, b number) number {
	switch decides := op == "||"; op {
	case "||", "&&":
		for _, n := range []number{a, b} {
			if n.known && (n.value != 0) == decides {
				return truth(decides)
			}
		}
		return number{truth(!decides).value, a.known && b.known}
	}
	if !a.known || !b.known {
		return number{}
	}
	if compare, ok := comparisons[op]; ok {
		return truth(compare(a.value, b.value))
	}
	return arithmetic(op, a.value, b.value)
}

var comparisons = map[string]func(a, b int64) bool{
	"==": func(a, b int64) bool { return a == b }, "!=": func(a, b int64) bool { return a != b },
	"<": func(a, b int64) bool { return a < b }, "<=": func(a, b int64) bool { return a <= b },
	">": func(a, b int64) bool { return a > b }, ">=": func(a, b int64) bool { return a >= b },
}

func arithmetic(op string, a, b int64) number {
	switch op {
	case "+":
		return number{a + b, true}
	case "-":
		return number{a - b, true}
	case "*":
		return number{a * b, true}
	case "|":
		return number{a | b, true}
	case "^":
		return number{a ^ b, true}
	case "&":
		return number{a & b, true}
	case "<<", ">>":
		if b < 0 || b > 63 {
			return number{}
		}
		if op == "<<" {
			return number{a << b, true}
		}
		return number{a >> b, true}
	}
	if b == 0 {
		return number{}
	}
	if op == "/" {
		return number{a / b, true}
	}
	return number{a % b, true}
}

func (e *evaluator) unary() number {
	if e.bad || e.pos >= len(e.toks) {
		e.bad = true
		return number{}
	}
	t := e.toks[e.pos]
	e.pos++
	switch {
	case t.Is("!"):
		n := e.unary()
		return number{truth(n.value == 0).value, n.known}
	case t.Is("-"):
		n := e.unary()
		return number{-n.value, n.known}
	case t.Is("+"):
		return e.unary()
	case t.Is("~"):
		n := e.unary()
		return number{^n.value, n.known}
	case t.Is("("):
		n := e.binary(0)
		e.bad = e.bad || e.pos >= len(e.toks) || !e.toks[e.pos].Is(")")
		e.pos++
		return n
	case t.Is("defined"):
		return e.defined()
	case t.Is("true"), t.Is("false"):
		return truth(t.Is("true"))
	case t.Kind == cxx.Ident:
		return e.unknown()
	case len(t.Text) == 3 && t.Text[0] == '\'':
		return number{int64(t.Text[1]), t.Text[1] < 0x80}
	case t.Kind == cxx.Number:
		// Unsigned numbers, which compare in another way, have a u.
		v, err := strconv.ParseInt(strings.TrimRight(strings.ReplaceAll(t.Text, "'", ""), "lL"), 0, 64)
		return number{v, err == nil}
	}
	e.bad = true
	return number{}
}

// unknown skips the arguments of a macro with parameters.
func (e *evaluator) unknown() number {
	if e.pos < len(e.toks) && e.toks[e.pos].Is("(") {
		e.pos = cxx.SkipGroup(e.toks, e.pos)
	}
	return number{}
}

// defined evaluates what follows defined. A name of the compiler's or of CUDA may be defined in a file that was not read.
func (e *evaluator) defined() number {
	open := e.pos < len(e.toks) && e.toks[e.pos].Is("(")
	if open {
		e.pos++
	}
	if e.pos >= len(e.toks) || e.toks[e.pos].Kind != cxx.Ident {
		e.bad = true
		return number{}
	}
	name := e.toks[e.pos].Text
	e.pos++
	if open {
		e.bad = e.bad || e.pos >= len(e.toks) || !e.toks[e.pos].Is(")")
		e.pos++
	}
	if !e.p.defined(name) {
		return number{0, !e.p.doubtful[name] && !ofOthers.MatchString(name)}
	}
	return number{1, !e.p.doubtful[name]}
}

// mayDiffer reports whether a macro may have another value for the compiler. Those of the compiler's own that are known are of one
// of two: the host's code and the kernels' have different ones.
func (p *preprocessor) mayDiffer(name string) bool {
	return p.doubtful[name] || strings.HasPrefix(name, "__") && !p.given[name]
}

// ofOthers matches names of macros that compilers and the headers of CUDA define.
var ofOthers = regexp.MustCompile(`^(_|CUDA|CUB|THRUST|CCCL|NV|CU[A-Z]+_)`)
