package loopsplit

import "github.com/gopherwarp/gopherwarp/internal/cxx"

// declWord are the words of a declaration besides the type.
var declWord = map[string]bool{
	"const": true, "constexpr": true, "volatile": true, "static": true, "extern": true, "register": true, "inline": true,
	"typename": true, "struct": true, "class": true, "enum": true, "__shared__": true, "__restrict__": true, "thread_local": true,
}

// declaration parses the variables of a simple statement, or returns nil if it is not a declaration.
func (p *parser) declaration(at span) []*variable {
	i := p.specifiers(at)
	if i == at.lo || i >= at.hi {
		return nil
	}
	spec := span{at.lo, i}
	var vars []*variable
	for i < at.hi {
		v, end := p.declarator(spec, span{i, at.hi})
		if v == nil {
			return nil
		}
		vars = append(vars, v)
		i = end + 1 // after the comma
	}
	for _, v := range vars {
		p.names[v.name] = true
		if v.groupObject {
			p.groups[v.name] = true
		}
	}
	return vars
}

// specifiers returns the end of the type at the beginning of a declaration, or at.lo if there is none.
func (p *parser) specifiers(at span) int {
	typed := false
	i := at.lo
	for i < at.hi {
		t := p.toks[i]
		switch {
		case t.Is("alignas"), t.Is("__align__"), t.Is("__attribute__"):
			i = cxx.SkipGroup(p.toks, i+1)
			continue
		case t.Kind != cxx.Ident:
		case declWord[t.Text]:
			i++
			continue
		case cxx.IsBasicType(t.Text):
			typed = true
			i++
			continue
		case !typed:
			typed = true
			i = p.qualifiedEnd(i)
			continue
		}
		break
	}
	if !typed {
		return at.lo
	}
	return i
}

// declarator parses a variable, and returns the index of the comma after it, or the end.
func (p *parser) declarator(spec, at span) (*variable, int) {
	toks := p.toks
	i := at.lo
	v := &variable{spec: toks[spec.lo:spec.hi], regions: map[*region]bool{}}
	for i < at.hi && (toks[i].Is("*") || toks[i].Is("&") || toks[i].Is("&&") || toks[i].Is("const") ||
		toks[i].Is("__restrict__") || toks[i].Is("volatile")) {
		v.reference = v.reference || toks[i].Is("&") || toks[i].Is("&&")
		i++
	}
	v.pointer = toks[at.lo:i]
	v.points = cxx.Has(v.pointer, "*")
	if i >= at.hi || toks[i].Kind != cxx.Ident {
		return nil, 0
	}
	v.name = toks[i].Text
	i++
	dims := i
	for i < at.hi && toks[i].Is("[") {
		i = cxx.SkipGroup(toks, i)
	}
	v.dims = toks[dims:i]
	v.init = span{i, i}
	if i < at.hi && !toks[i].Is(",") {
		if !toks[i].Is("=") && !toks[i].Is("{") && !toks[i].Is("(") {
			return nil, 0
		}
		v.init.hi = p.commaAfter(i, at.hi)
		v.value = p.initialValue(v.init)
	}
	v.types = append(p.namesIn(spec), p.namesIn(span{dims, v.init.lo})...)
	for _, w := range []string{"__shared__", "constexpr", "static", "extern", "thread_local"} {
		v.atBlock = v.atBlock || cxx.Has(v.spec, w)
	}
	v.groupObject = v.init.lo < v.init.hi && toks[v.init.lo].Is("=") && isThisBlock(v.value)
	return v, v.init.hi
}

// initialValue parses = x, (x, y) or {x, y}.
func (p *parser) initialValue(at span) *expr {
	x := &exprParser{parser: p, pos: at.lo, end: at.hi}
	var e *expr
	if x.take("=") {
		e = x.initialiser()
	} else {
		e = x.node(listExpr, at.lo, "(", x.group()...)
	}
	if e == nil || x.pos != x.end {
		return p.opaque(at)
	}
	return e
}

// qualifiedEnd returns the end of the name at i, with namespaces and template arguments.
func (p *parser) qualifiedEnd(i int) int {
	for i++; i < len(p.toks); {
		switch {
		case p.toks[i].Is("<"):
			end := p.anglesEnd(i)
			if end < 0 {
				return i
			}
			i = end
		case p.toks[i].Is("::") && i+1 < len(p.toks) && p.toks[i+1].Kind == cxx.Ident:
			i += 2
		default:
			return i
		}
	}
	return i
}

// anglesEnd returns the end of the template arguments that begin at i, or -1 if they are none.
func (p *parser) anglesEnd(i int) int {
	depth := 0
	for ; i < len(p.toks); i++ {
		t := p.toks[i]
		switch {
		case t.Is("<"):
			depth++
		case t.Is(">"):
			depth--
		case t.Is(">>"):
			depth -= 2
		case t.Is("("):
			i = cxx.SkipGroup(p.toks, i) - 1
		case t.Is(";"), t.Is("{"), t.Is("}"), t.Is(")"), t.Is("="), t.Is("&&"), t.Is("||"), t.Is("?"):
			return -1
		}
		if depth <= 0 {
			return i + 1
		}
	}
	return -1
}

// commaAfter returns the index of the next comma outside brackets, or hi.
func (p *parser) commaAfter(i, hi int) int {
	for i < hi {
		switch t := p.toks[i]; {
		case t.Is(","):
			return i
		case t.Is("("), t.Is("["), t.Is("{"):
			i = cxx.SkipGroup(p.toks, i)
		case t.Is("<") && i > 0 && p.toks[i-1].Kind == cxx.Ident:
			// foo<a, b>(c), but not a < b.
			if end := p.anglesEnd(i); end > 0 && end < hi && (p.toks[end].Is("(") || p.toks[end].Is("::") || p.toks[end].Is("{")) {
				i = end
			} else {
				i++
			}
		default:
			i++
		}
	}
	return hi
}
