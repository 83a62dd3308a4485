package loopsplit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

type exprKind uint8

const (
	nameExpr    exprKind = iota // a variable, function, macro or constant; list has the names in template arguments
	literalExpr                 // a number
	stringExpr
	typeExpr   // list has the names in it
	parenExpr  // (x)
	prefixExpr // op x
	suffixExpr // x++
	binaryExpr // x op y, also the comma
	assignExpr // x op y, where op is = or +=, …
	condExpr   // x ? y : z
	callExpr   // x(…): x, then the arguments
	indexExpr  // x[y]
	memberExpr // x.name and x->name; after x come the names in template arguments
	castExpr   // the type, x
	listExpr   // {…}, or the parentheses of an initialisation
	opaqueExpr // not parsed: list has all names in it
)

// An expr is an expression. It is not printed again, so it contains only what it writes and reads.
type expr struct {
	kind exprKind
	span
	op   string // of an operator; . or -> of a member; the bracket of a list
	list []*expr

	name      string // of a name, or a member
	qualifier string // of a name: std::
	templated bool   // a name with template arguments
	reference bool   // a cast to a reference

	v     *variable   // the variable that the name denotes, if any
	macro []*variable // the variables in the body of the macro of that name
}

// walk calls f for e and all its subexpressions.
func (e *expr) walk(f func(*expr)) {
	if e == nil {
		return
	}
	f(e)
	for _, c := range e.list {
		c.walk(f)
	}
}

// variables calls f for each occurrence of a variable in e.
func (e *expr) variables(f func(*variable)) {
	e.walk(func(e *expr) {
		if e.v != nil {
			f(e.v)
		}
		for _, v := range e.macro {
			f(v)
		}
	})
}

// bare returns e without parentheses around it.
func (e *expr) bare() *expr {
	for e != nil && e.kind == parenExpr {
		e = e.list[0]
	}
	return e
}

// An exprParser parses an expression. Its methods return nil for what they do not support.
type exprParser struct {
	*parser
	pos, end int
}

// expression parses all of a span; it returns nil if the span is empty.
func (p *parser) expression(at span) *expr {
	if at.lo >= at.hi {
		return nil
	}
	x := &exprParser{parser: p, pos: at.lo, end: at.hi}
	if e := x.comma(); e != nil && x.pos == x.end {
		return e
	}
	return p.opaque(at)
}

// opaque returns an expression for a span that is not parsed.
func (p *parser) opaque(at span) *expr {
	return &expr{kind: opaqueExpr, span: at, list: p.namesIn(at)}
}

// typeName returns an expression for a type.
func (p *parser) typeName(at span) *expr {
	return &expr{kind: typeExpr, span: at, list: p.namesIn(at), reference: cxx.Has(p.toks[at.lo:at.hi], "&") || cxx.Has(p.toks[at.lo:at.hi], "&&")}
}

// namesIn returns all names in a span that are neither members nor parts of types.
func (p *parser) namesIn(at span) []*expr {
	var list []*expr
	for i := at.lo; i < at.hi; i++ {
		t := p.toks[i]
		if t.Kind != cxx.Ident || cxx.IsBasicType(t.Text) || declWord[t.Text] {
			continue
		}
		if i > 0 && (p.toks[i-1].Is(".") || p.toks[i-1].Is("->")) {
			continue
		}
		e := &expr{kind: nameExpr, span: span{i, i + 1}, name: t.Text}
		if i > 0 && p.toks[i-1].Is("::") {
			e.qualifier = "::"
		}
		list = append(list, e)
	}
	return list
}

func (x *exprParser) at(text string) bool { return x.pos < x.end && x.toks[x.pos].Is(text) }

// take skips the given token, if it is the next one.
func (x *exprParser) take(text string) bool {
	if !x.at(text) {
		return false
	}
	x.pos++
	return true
}

// node returns an expression that ends here, or nil if one of its parts is nil.
func (x *exprParser) node(kind exprKind, lo int, op string, list ...*expr) *expr {
	if slices.Contains(list, nil) {
		return nil
	}
	return &expr{kind: kind, span: span{lo, x.pos}, op: op, list: list}
}

func (x *exprParser) comma() *expr {
	lo := x.pos
	e := x.assignment()
	for e != nil && x.take(",") {
		e = x.node(binaryExpr, lo, ",", e, x.assignment())
	}
	return e
}

func (x *exprParser) assignment() *expr {
	lo := x.pos
	e := x.conditional()
	if e == nil || x.pos >= x.end || !isAssignment(x.toks[x.pos]) {
		return e
	}
	op := x.toks[x.pos].Text
	x.pos++
	return x.node(assignExpr, lo, op, e, x.initialiser())
}

// initialiser parses an expression or a list in braces.
func (x *exprParser) initialiser() *expr {
	if x.at("{") {
		lo := x.pos
		return x.node(listExpr, lo, "{", x.group()...)
	}
	return x.assignment()
}

func (x *exprParser) conditional() *expr {
	lo := x.pos
	e := x.binary(0)
	if e == nil || !x.take("?") {
		return e
	}
	yes := x.comma()
	if yes == nil || !x.take(":") {
		return nil
	}
	return x.node(condExpr, lo, "?", e, yes, x.assignment())
}

// precedence has the binary operators, in ascending precedence.
var precedence = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

func (x *exprParser) binary(level int) *expr {
	if level == len(precedence) {
		return x.unary()
	}
	lo := x.pos
	e := x.binary(level + 1)
	for e != nil && slices.ContainsFunc(precedence[level], x.at) {
		op := x.toks[x.pos].Text
		x.pos++
		e = x.node(binaryExpr, lo, op, e, x.binary(level+1))
	}
	return e
}

func (x *exprParser) unary() *expr {
	if x.pos >= x.end {
		return nil
	}
	lo := x.pos
	switch t := x.toks[x.pos]; {
	case slices.ContainsFunc([]string{"+", "-", "!", "~", "*", "&", "++", "--"}, t.Is):
		x.pos++
		return x.node(prefixExpr, lo, t.Text, x.unary())
	case t.Is("sizeof"), t.Is("alignof"):
		x.pos++
		x.take("...")
		if !x.at("(") {
			return x.node(prefixExpr, lo, "sizeof", x.unary())
		}
		x.pos = min(cxx.SkipGroup(x.toks, x.pos), x.end)
		return x.node(prefixExpr, lo, "sizeof", x.typeName(span{lo + 1, x.pos}))
	case t.Is("("):
		end := cxx.SkipGroup(x.toks, x.pos)
		if end < x.end && x.castTo(span{x.pos + 1, end - 1}, x.toks[end]) {
			x.pos = end
			return x.cast(lo, x.typeName(span{lo + 1, end - 1}), x.unary())
		}
	}
	return x.postfix()
}

func (x *exprParser) cast(lo int, to, value *expr) *expr {
	e := x.node(castExpr, lo, "", to, value)
	if e != nil {
		e.reference = to.reference
	}
	return e
}

// castTo reports whether a span in parentheses, followed by the given token, is a cast.
func (x *exprParser) castTo(at span, after cxx.Token) bool {
	if at.lo >= at.hi || x.toks[at.lo].Kind != cxx.Ident {
		return false
	}
	i := at.lo
	basic := false
	for i < at.hi && (cxx.IsBasicType(x.toks[i].Text) || declWord[x.toks[i].Text]) {
		basic = true
		i++
	}
	name := ""
	if i < at.hi && x.toks[i].Kind == cxx.Ident && !cxx.IsBasicType(x.toks[at.lo].Text) {
		name = x.toks[i].Text
		i = x.qualifiedEnd(i)
	}
	stars := i
	for i < at.hi && (x.toks[i].Is("*") || x.toks[i].Is("&") || x.toks[i].Is("&&") || declWord[x.toks[i].Text]) {
		i++
	}
	switch {
	case i != at.hi:
		return false
	case basic || stars < at.hi:
		return true
	case x.isValue(name):
		return false
	case after.Kind != cxx.Punct || after.Is("!") || after.Is("~"):
		return true
	}
	// (a) * b may be a product, or a cast of what b points to. Taken as a cast, it includes the reads and writes of
	// the product.
	return after.Is("*") || after.Is("&") || after.Is("+") || after.Is("-") || after.Is("++") || after.Is("--")
}

func (x *exprParser) postfix() *expr {
	lo := x.pos
	e := x.primary()
	for e != nil {
		switch {
		case x.at("("), x.at("{") && (e.kind == typeExpr || e.kind == nameExpr):
			op := x.toks[x.pos].Text
			e = x.node(callExpr, lo, op, append([]*expr{e}, x.group()...)...)
		case x.at("["):
			x.pos++
			index := x.comma()
			if !x.take("]") {
				return nil
			}
			e = x.node(indexExpr, lo, "[", e, index)
		case x.at("."), x.at("->"):
			e = x.member(lo, e)
		case x.at("++"), x.at("--"):
			x.pos++
			e = x.node(suffixExpr, lo, x.toks[x.pos-1].Text, e)
		default:
			return e
		}
	}
	return nil
}

func (x *exprParser) member(lo int, of *expr) *expr {
	op := x.toks[x.pos].Text
	x.pos++
	x.take("template")
	if x.pos >= x.end || x.toks[x.pos].Kind != cxx.Ident || x.at("operator") {
		return nil
	}
	name := x.toks[x.pos].Text
	x.pos++
	list := []*expr{of}
	if end := x.templateEnd(); end > 0 {
		list = append(list, x.namesIn(span{x.pos, end})...)
		x.pos = end
	}
	e := x.node(memberExpr, lo, op, list...)
	e.name = name
	return e
}

// templateEnd returns the end of template arguments that begin here, or 0 if there are none.
func (x *exprParser) templateEnd() int {
	if !x.at("<") {
		return 0
	}
	end := x.anglesEnd(x.pos)
	if end > 0 && end < x.end && (x.toks[end].Is("(") || x.toks[end].Is("::") || x.toks[end].Is("{")) {
		return end
	}
	return 0
}

// group parses the expressions in brackets. Those that are not supported, such as types as arguments of a macro, become opaque.
func (x *exprParser) group() []*expr {
	end := cxx.SkipGroup(x.toks, x.pos)
	if end > x.end {
		return []*expr{nil}
	}
	var list []*expr
	for x.pos++; x.pos < end-1; x.pos++ { // skip the comma
		lo := x.pos
		e := x.initialiser()
		x.take("...")
		if e == nil || x.pos != end-1 && !x.at(",") {
			x.pos = x.commaAfter(lo, end-1)
			e = x.opaque(span{lo, x.pos})
		}
		list = append(list, e)
	}
	x.pos = end
	return list
}

func (x *exprParser) primary() *expr {
	if x.pos >= x.end {
		return nil
	}
	lo := x.pos
	switch t := x.toks[x.pos]; {
	case t.Kind == cxx.Number:
		x.pos++
		return x.node(literalExpr, lo, "")
	case t.Kind == cxx.String:
		for x.pos < x.end && x.toks[x.pos].Kind == cxx.String {
			x.pos++
		}
		return x.node(stringExpr, lo, "")
	case t.Is("("):
		x.pos++
		e := x.comma()
		if !x.take(")") {
			return nil
		}
		return x.node(parenExpr, lo, "(", e)
	case t.Is("["):
		x.lambda = cmp.Or(x.lambda, t.Line)
		return nil
	case t.Is("::"):
		return x.qualifiedName()
	case t.Kind != cxx.Ident, notExpression[t.Text]:
		return nil
	case cxx.IsBasicType(t.Text), declWord[t.Text], t.Is("decltype"):
		return x.typeHere()
	case strings.HasSuffix(t.Text, "_cast") && lo+1 < x.end && x.toks[lo+1].Is("<"):
		return x.namedCast()
	}
	return x.qualifiedName()
}

// notExpression are words with which no supported expression begins.
var notExpression = map[string]bool{
	"new": true, "delete": true, "throw": true, "operator": true, "return": true, "case": true, "else": true, "co_await": true,
	"requires": true, "template": true, "and": true, "or": true, "not": true, "noexcept": true, "typeid": true,
}

// typeHere parses a type in the position of a value: float(x), typename T::type{}.
func (x *exprParser) typeHere() *expr {
	lo := x.pos
	basic := false
	for x.pos < x.end && (cxx.IsBasicType(x.toks[x.pos].Text) || declWord[x.toks[x.pos].Text]) {
		basic = basic || cxx.IsBasicType(x.toks[x.pos].Text)
		x.pos++
	}
	switch {
	case basic:
	case x.take("decltype") && x.at("("):
		x.pos = min(cxx.SkipGroup(x.toks, x.pos), x.end)
	case x.pos < x.end && x.toks[x.pos].Kind == cxx.Ident:
		x.pos = min(x.qualifiedEnd(x.pos), x.end)
	default:
		return nil
	}
	return x.typeName(span{lo, x.pos})
}

// namedCast parses static_cast<T>(x) and similar casts.
func (x *exprParser) namedCast() *expr {
	lo := x.pos
	end := x.anglesEnd(x.pos + 1)
	if end < 0 || end >= x.end || !x.toks[end].Is("(") {
		return nil
	}
	to := x.typeName(span{lo + 2, end - 1})
	x.pos = end
	return x.cast(lo, to, x.primary())
}

func (x *exprParser) qualifiedName() *expr {
	lo := x.pos
	e := &expr{kind: nameExpr}
	if x.take("::") {
		e.qualifier = "::"
	}
	for {
		if x.pos >= x.end || x.toks[x.pos].Kind != cxx.Ident {
			return nil
		}
		e.name = x.toks[x.pos].Text
		x.pos++
		e.templated = false
		if end := x.templateEnd(); end > 0 && !x.names[e.name] {
			e.templated = true
			e.list = append(e.list, x.namesIn(span{x.pos, end})...)
			x.pos = end
		}
		if !x.take("::") {
			e.span = span{lo, x.pos}
			return e
		}
		e.qualifier += e.name + "::"
	}
}
