package cudac

import (
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// predefined are the macros that both compilers define for device code.
var predefined = []string{"__CUDACC__", "__CUDA_ARCH__=900", "__cplusplus=201703", "NULL=0"}

// maxExpansion is the maximum number of tokens that macros may produce, so that definitions which
// double at every level cannot exhaust memory.
const maxExpansion = 1 << 16

// A preprocessor executes the directives that determine the declarations: #define without
// parameters, #undef, and conditions that it can evaluate. Of a condition that it cannot evaluate
// it keeps all branches, since a duplicate declaration is harmless.
type preprocessor struct {
	macros map[string][]cxx.Token
	// doubtful are the names of macros that the compiler may not have, or with another value, since their definition is in a
	// condition that cannot be evaluated.
	doubtful map[string]bool
	// functions are the bodies of macros with parameters. If a macro is defined again, both bodies
	// are joined.
	functions map[string][]cxx.Token
	// places are where macros with parameters are defined and undefined; here is where a directive is.
	places map[string][]place
	here   place
	// sharing are those macros among them that declare dynamic shared memory, with their parameters.
	sharing  map[string]sharedMacro
	conds    []cond
	out      []cxx.Token
	expanded int
	files    *includes // nil if included files are not read
	// pushed are the macros that #pragma push_macro has saved, by name.
	pushed map[string][]macro
	// given are the names of the macros of the command line, whose values are certain.
	given map[string]bool
	// seen has the compiler's answers, if there are some: then conditions are not evaluated.
	seen Seen
	// undecided reports that a condition depends on what only the compiler knows.
	undecided bool
}

// Seen reports whether the compiler found anything in lines of a file, from the first to before the last, that it did not omit. The
// source's name is "". Lines of which nothing is left but space, such as comments, do not count. known is false for a file that the
// compiler did not read.
type Seen func(file string, first, last int) (seen, known bool)

// A place is an offset in a file, "" for the source.
type place struct {
	file string
	at   int
}

// cond is one open #if.
type cond struct {
	skip    bool // the current branch is omitted
	decided bool // some branch is known to be taken: later ones are omitted
	outer   bool // the surrounding text is omitted
	unsure  bool // it is unknown whether the current branch is taken
}

// preprocess returns the remaining tokens, and the macros with parameters. Each define is NAME or
// NAME=VALUE.
func preprocess(toks []cxx.Token, in input) *preprocessor {
	p := &preprocessor{
		macros: map[string][]cxx.Token{}, doubtful: map[string]bool{}, functions: map[string][]cxx.Token{}, places: map[string][]place{}, sharing: map[string]sharedMacro{},
		pushed: map[string][]macro{}, given: map[string]bool{}, files: in.files(), seen: in.seen,
	}
	for i, d := range append(predefined[:len(predefined):len(predefined)], in.defines...) {
		name, value, ok := strings.Cut(d, "=")
		if !ok {
			value = "1"
		}
		p.define(name + " " + value)
		p.given[name] = i >= len(predefined)
	}
	p.includeFirst()
	p.text(toks)
	return p
}

// text processes the tokens of the source or of a file.
func (p *preprocessor) text(toks []cxx.Token) {
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		switch {
		case t.Kind == cxx.Directive:
			p.directive(toks, i)
		case p.skipping():
		default:
			t.Unsure = p.unsure()
			if n := p.expandSharing(t, toks[i+1:]); n > 0 {
				i += n
				continue
			}
			p.expand(t, nil)
		}
	}
}

// A sharedMacro is a macro with parameters that declares dynamic shared memory, as in templates of NVIDIA's samples. Unlike other
// such macros it is expanded, since all names of that memory must be known.
type sharedMacro struct {
	params []string
	body   []cxx.Token
}

// expandSharing appends the expansion of the macro t if it is a sharedMacro. It returns the number of tokens that its arguments are
// in what follows.
func (p *preprocessor) expandSharing(t cxx.Token, after []cxx.Token) int {
	m, ok := p.sharing[t.Text]
	if t.Kind != cxx.Ident || !ok || len(after) == 0 || !after[0].Is("(") || p.expanded > maxExpansion {
		return 0
	}
	end := cxx.SkipGroup(after, 0)
	if !after[end-1].Is(")") {
		return 0
	}
	args := cxx.Split(after[1 : end-1])
	for _, b := range m.body {
		tokens := []cxx.Token{b}
		if i := slices.Index(m.params, b.Text); i >= 0 && i < len(args) {
			tokens = args[i]
		}
		for k, b := range tokens {
			b.Line, b.Begin, b.End, b.Unsure, b.File = t.Line, t.Begin, t.End, t.Unsure, t.File
			b.Glued = b.Glued && k > 0
			p.expanded++
			p.expand(b, []string{t.Text})
		}
	}
	return end
}

func (p *preprocessor) skipping() bool {
	return len(p.conds) > 0 && p.conds[len(p.conds)-1].skip
}

// unsure reports whether the compiler may omit the text here.
func (p *preprocessor) unsure() bool {
	return len(p.conds) > 0 && p.conds[len(p.conds)-1].unsure
}

// word returns the name of a directive, and what follows it.
func word(t cxx.Token) (name, rest string) {
	text := strings.TrimSpace(strings.TrimPrefix(t.Text, "#"))
	if i := strings.IndexFunc(text, func(r rune) bool { return r > 0x7f || !cxx.IsIdentPart(byte(r)) }); i >= 0 {
		return text[:i], strings.TrimSpace(text[i:])
	}
	return text, ""
}

// directive executes the directive at i.
func (p *preprocessor) directive(toks []cxx.Token, i int) {
	name, rest := word(toks[i])
	p.here = place{toks[i].File, toks[i].Begin}
	switch name {
	case "if", "ifdef", "ifndef":
		value, known := p.decide(toks, i)
		outer := p.skipping()
		p.conds = append(p.conds, cond{skip: outer || known && !value, decided: known && value, outer: outer, unsure: !known || p.unsure()})
	case "elif", "else", "endif":
		if len(p.conds) > 0 {
			p.branch(toks, i, name)
		}
	case "define":
		if !p.skipping() {
			p.define(rest)
		}
	case "undef":
		if !p.skipping() {
			delete(p.macros, rest)
			p.doubtful[rest] = p.unsure()
			if len(p.functions[rest]) > 0 {
				p.places[rest] = append(p.places[rest], p.here)
			}
		}
	case "include":
		if !p.skipping() {
			p.include(rest, toks[i].File)
		}
	case "pragma":
		if !p.skipping() {
			p.pragma(rest)
		}
	}
}

// A macro is what a name stood for when it was pushed.
type macro struct {
	body              []cxx.Token
	defined, doubtful bool
}

// pragma executes #pragma push_macro("NAME") and pop_macro("NAME").
func (p *preprocessor) pragma(text string) {
	toks, err := cxx.Lex(text)
	if err != nil || len(toks) != 4 || !toks[1].Is("(") || toks[2].Kind != cxx.String {
		return
	}
	name := strings.Trim(toks[2].Text, `"`)
	saved := p.pushed[name]
	switch {
	case toks[0].Is("push_macro"):
		body, ok := p.macros[name]
		p.pushed[name] = append(saved, macro{body, ok, p.doubtful[name]})
	case toks[0].Is("pop_macro") && len(saved) > 0:
		m := saved[len(saved)-1]
		p.pushed[name], p.doubtful[name], p.macros[name] = saved[:len(saved)-1], m.doubtful, m.body
		if !m.defined {
			delete(p.macros, name)
		}
	}
}

// branch executes the directive at i that ends the branch of a condition.
func (p *preprocessor) branch(toks []cxx.Token, i int, name string) {
	c := &p.conds[len(p.conds)-1]
	switch name {
	case "elif":
		value, known := false, true
		if !c.outer && !c.decided {
			value, known = p.decide(toks, i)
		}
		c.skip = c.outer || c.decided || known && !value
		c.decided = c.decided || known && value
		c.unsure = c.unsure || !known
	case "else":
		c.skip = c.outer || c.decided
		if p.seen != nil && !c.skip { // of an earlier branch nothing may be left, although it was taken
			value, known := p.ask(toks, i)
			c.skip = known && !value
		}
	default:
		p.conds = p.conds[:len(p.conds)-1]
	}
}

// decide returns whether the branch that the directive at i begins is taken.
func (p *preprocessor) decide(toks []cxx.Token, i int) (value, known bool) {
	name, rest := word(toks[i])
	if p.skipping() && name != "elif" {
		return false, false
	}
	if p.seen != nil {
		if value, known := p.ask(toks, i); known {
			return value, true
		}
	}
	p.undecided = p.undecided || !p.certain(toks, i)
	return p.condition(strings.TrimPrefix(name, "el"), rest)
}

// ask returns the compiler's answer whether the branch that the directive at i begins is taken.
func (p *preprocessor) ask(toks []cxx.Token, i int) (value, known bool) {
	depth := 0
	for k := i + 1; k < len(toks); k++ {
		if toks[k].Kind != cxx.Directive {
			continue
		}
		switch next, _ := word(toks[k]); {
		case next == "if" || next == "ifdef" || next == "ifndef":
			depth++
		case depth == 0 && (next == "elif" || next == "else" || next == "endif"):
			return p.seen(toks[i].File, toks[i].Line+1, toks[k].Line)
		case next == "endif":
			depth--
		}
	}
	return false, false // it has no end, about which the compiler complains
}

// certain reports whether the names of the condition at i are macros that this preprocessor has read, or that are given. Others may
// be the compiler's, or defined in a header that was not read; the name that guards a file is not.
func (p *preprocessor) certain(toks []cxx.Token, i int) bool {
	name, rest := word(toks[i])
	names, err := cxx.Lex(rest)
	if err != nil {
		return false
	}
	if name == "ifndef" && i == 0 && len(names) == 1 && len(toks) > 1 && toks[1].Kind == cxx.Directive {
		if next, defined := word(toks[1]); next == "define" && defined == names[0].Text {
			return true
		}
	}
	for _, t := range p.expandCondition(names, nil) {
		own := p.defined(t.Text) && !p.mayDiffer(t.Text)
		if t.Kind == cxx.Ident && !own && !t.Is("defined") && !t.Is("true") && !t.Is("false") {
			return false
		}
	}
	return true
}

// define records a macro. Macros with parameters are recorded as defined and never expanded.
func (p *preprocessor) define(text string) {
	toks, err := cxx.Lex(text)
	if err != nil || len(toks) == 0 || toks[0].Kind != cxx.Ident {
		return
	}
	name := toks[0].Text
	p.doubtful[name] = p.unsure()
	if len(toks) > 1 && toks[1].Is("(") && toks[1].Glued {
		p.macros[name] = []cxx.Token{{Kind: cxx.Ident, Text: name}}
		end := cxx.SkipGroup(toks, 1)
		p.functions[name] = append(p.functions[name], toks[end:]...)
		p.places[name] = append(p.places[name], p.here)
		if cxx.Has(toks[end:], "extern") && cxx.Has(toks[end:], "__shared__") {
			m := sharedMacro{body: toks[end:]}
			for _, t := range toks[2 : end-1] {
				if t.Kind == cxx.Ident {
					m.params = append(m.params, t.Text)
				}
			}
			p.sharing[name] = m
		}
		return
	}
	p.macros[name] = toks[1:]
}

// condition evaluates #ifdef, #ifndef and #if. In an #if of a single name, one that is not known counts as undefined.
func (p *preprocessor) condition(word, rest string) (value, known bool) {
	toks, err := cxx.Lex(rest)
	if err != nil {
		return false, false
	}
	not := word == "ifndef"
	if word != "if" {
		if len(toks) == 0 {
			return false, false
		}
		return p.defined(toks[0].Text) != not, true
	}
	all := toks
	for len(toks) > 0 && toks[0].Is("!") {
		not, toks = !not, toks[1:]
	}
	if len(toks) > 0 && toks[0].Is("defined") {
		names := toks[1:]
		if len(names) == 3 && names[0].Is("(") && names[2].Is(")") {
			names = names[1:2]
		}
		if len(names) == 1 && names[0].Kind == cxx.Ident {
			return p.defined(names[0].Text) != not, true
		}
		return p.evaluate(all)
	}
	if len(toks) != 1 {
		return p.evaluate(all)
	}
	t := toks[0]
	for depth := 0; t.Kind == cxx.Ident && depth < 16; depth++ {
		switch m, ok := p.macros[t.Text]; {
		case t.Text == "true" || t.Text == "false":
			return (t.Text == "true") != not, true
		case !ok:
			return not, true // a name that is not a macro has the value 0
		case len(m) != 1:
			return false, false
		default:
			t = m[0]
		}
	}
	if t.Kind != cxx.Number {
		return false, false
	}
	return (strings.Trim(t.Text, "0xXuUlL'") != "") != not, true
}

func (p *preprocessor) defined(name string) bool { _, ok := p.macros[name]; return ok }

// expand appends t, or the expansion of the macro t. active are the macros that are being expanded,
// which are not expanded again.
func (p *preprocessor) expand(t cxx.Token, active []string) {
	body, ok := p.macros[t.Text]
	if t.Kind != cxx.Ident || !ok || slices.Contains(active, t.Text) || p.expanded > maxExpansion {
		p.out = append(p.out, t)
		return
	}
	active = append(active, t.Text)
	for i, b := range body {
		b.Line, b.Begin, b.End, b.Unsure, b.File = t.Line, t.Begin, t.End, t.Unsure || p.doubtful[t.Text], t.File
		if i == 0 {
			b.Glued = t.Glued
		}
		p.expanded++
		p.expand(b, active)
	}
}
