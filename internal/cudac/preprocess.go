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
	// sharing are those macros among them that declare dynamic shared memory, with their parameters.
	sharing  map[string]sharedMacro
	conds    []cond
	out      []cxx.Token
	expanded int
	files    *includes // nil if included files are not read
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
func preprocess(toks []cxx.Token, files *includes, defines []string) ([]cxx.Token, map[string][]cxx.Token) {
	p := &preprocessor{macros: map[string][]cxx.Token{}, doubtful: map[string]bool{}, functions: map[string][]cxx.Token{}, sharing: map[string]sharedMacro{}, files: files}
	for _, d := range append(predefined[:len(predefined):len(predefined)], defines...) {
		name, value, ok := strings.Cut(d, "=")
		if !ok {
			value = "1"
		}
		p.define(name + " " + value)
	}
	p.includeFirst()
	p.text(toks)
	return p.out, p.functions
}

// text processes the tokens of the source or of a file.
func (p *preprocessor) text(toks []cxx.Token) {
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		switch {
		case t.Kind == cxx.Directive:
			p.directive(t.Text, t.File)
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

func (p *preprocessor) directive(text, file string) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "#"))
	word, rest := text, ""
	if i := strings.IndexFunc(text, func(r rune) bool { return r > 0x7f || !cxx.IsIdentPart(byte(r)) }); i >= 0 {
		word, rest = text[:i], strings.TrimSpace(text[i:])
	}
	switch word {
	case "if", "ifdef", "ifndef":
		value, known := p.condition(word, rest)
		outer := p.skipping()
		p.conds = append(p.conds, cond{skip: outer || known && !value, decided: known && value, outer: outer, unsure: !known || p.unsure()})
	case "elif":
		if len(p.conds) > 0 {
			c := &p.conds[len(p.conds)-1]
			value, known := p.condition("if", rest)
			c.skip = c.outer || c.decided || known && !value
			c.decided = c.decided || known && value
			c.unsure = c.unsure || !known
		}
	case "else":
		if len(p.conds) > 0 {
			c := &p.conds[len(p.conds)-1]
			c.skip = c.outer || c.decided
		}
	case "endif":
		if len(p.conds) > 0 {
			p.conds = p.conds[:len(p.conds)-1]
		}
	case "define":
		if !p.skipping() {
			p.define(rest)
		}
	case "undef":
		if !p.skipping() {
			delete(p.macros, rest)
			p.doubtful[rest] = p.unsure()
		}
	case "include":
		if !p.skipping() {
			p.include(rest, file)
		}
	}
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
