package cudac

import (
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
	"github.com/gopherwarp/gopherwarp/internal/include"
)

// Error is an error at a line of a source.
type Error = cxx.Error

// Parse parses a source. Each define is a macro of the command line, NAME or NAME=VALUE.
// The error is an *Error with the line.
func Parse(src string, defines ...string) (*File, error) {
	return parse(input{source: src, defines: defines})
}

// An input is what a parser reads.
type input struct {
	source  string
	search  *include.Search // nil if included files are not read
	angles  bool            // those in angle brackets are read, too
	defines []string
	seen    Seen
}

func (in input) files() *includes {
	if in.search == nil {
		return nil
	}
	return &includes{search: *in.search, seen: map[string]bool{}, angles: in.angles}
}

func parse(in input) (*File, error) {
	toks, err := cxx.Lex(in.source)
	if err != nil {
		return nil, err
	}
	p := &parser{file: &File{typedefs: map[string][]cxx.Token{}, structs: map[string]*Layout{}, special: map[string]bool{}, input: in}}
	pre := preprocess(toks, in)
	p.toks, p.file.macros, p.file.places, p.file.Undecided = pre.out, pre.functions, pre.places, pre.undecided
	p.file.toks = p.toks
	if pre.files != nil {
		p.file.Files = pre.files.seen
	}
	if err := p.run(); err != nil {
		return nil, err
	}
	return p.file, nil
}

// A scope is one open brace.
type scope struct {
	namespace string // its name, "" for an anonymous one and for other braces
	externC   bool
	body      bool // neither a namespace nor a linkage block: a function, a class, an initialiser
}

type parser struct {
	toks   []cxx.Token
	pos    int
	start  int // where the current declaration began
	scopes []scope
	file   *File
}

// run iterates over all tokens. It tracks braces to find namespaces, and parses the declarations
// that begin with certain words.
func (p *parser) run() error {
	for p.pos < len(p.toks) {
		t := p.toks[p.pos]
		switch {
		case t.Is("{"):
			p.scopes = append(p.scopes, p.openScope())
			p.pos++
			p.start = p.pos
		case t.Is("}"):
			if len(p.scopes) > 0 {
				p.scopes = p.scopes[:len(p.scopes)-1]
			}
			p.pos++
			p.start = p.pos
		case t.Is(";"):
			p.pos++
			p.start = p.pos
		case t.Is("__global__"):
			if err := p.kernel(); err != nil {
				return err
			}
		case t.Is("__shared__"):
			p.shared()
		case t.Is("typedef"), t.Is("using"):
			p.alias()
		case t.Is("struct"), t.Is("class"):
			p.structure(false)
			p.pos++
		case t.Is("main") && p.next(1).Is("(") && len(p.scopes) == 0:
			if t.File == "" {
				p.file.HasMain = true
			} else {
				p.file.IncludesMain = true
			}
			p.pos++
		default:
			p.pos++
		}
	}
	return nil
}

// next returns the token n further on, or a token that is neither a word nor punctuation.
func (p *parser) next(n int) cxx.Token {
	if p.pos+n < len(p.toks) {
		return p.toks[p.pos+n]
	}
	return cxx.Token{Kind: cxx.String}
}

// openScope returns the scope of the brace at pos, according to the declaration before it.
func (p *parser) openScope() scope {
	decl := p.toks[p.start:p.pos]
	for len(decl) > 0 && decl[0].Is("inline") {
		decl = decl[1:]
	}
	switch {
	case len(decl) > 0 && decl[0].Is("namespace"):
		var parts []string
		for _, t := range decl[1:] {
			if t.Kind == cxx.Ident && t.Text != "inline" {
				parts = append(parts, t.Text)
			}
		}
		return scope{namespace: strings.Join(parts, "::")}
	case isExternC(decl) && len(decl) == 2:
		return scope{externC: true}
	}
	return scope{body: true}
}

func isExternC(decl []cxx.Token) bool {
	for i := 0; i+1 < len(decl); i++ {
		if decl[i].Is("extern") && decl[i+1].Kind == cxx.String && decl[i+1].Text == `"C"` {
			return true
		}
	}
	return false
}

func (p *parser) namespace() string {
	var parts []string
	for _, s := range p.scopes {
		if s.namespace != "" {
			parts = append(parts, s.namespace)
		}
	}
	return strings.Join(parts, "::")
}

// shared records an `extern __shared__` array; __shared__ is at pos.
func (p *parser) shared() {
	line := p.toks[p.pos].Line
	end := p.pos
	for end < len(p.toks) && !p.toks[end].Is(";") && !p.toks[end].Is("{") {
		end++
	}
	extern := false
	var decl []cxx.Token
	for _, t := range p.toks[p.start:end] {
		switch {
		case t.Is("extern"):
			extern = true
		case t.Is("__shared__"), t.Is("static"), t.Is("__device__"):
		default:
			decl = append(decl, t)
		}
	}
	if t, name := parseType(decl, p.file.typedefs); extern && name != "" {
		base, _, _ := t.base()
		p.file.DynamicShared = append(p.file.DynamicShared,
			Shared{Name: name, Namespace: p.namespace(), Type: base, Line: line})
	}
	p.pos = end
}

// alias records `typedef TYPE NAME;` and `using NAME = TYPE;`.
func (p *parser) alias() {
	end := p.pos
	for end < len(p.toks) && !p.toks[end].Is(";") && !p.toks[end].Is("{") {
		end++
	}
	decl := p.toks[p.pos+1 : end]
	simple := end < len(p.toks) && p.toks[end].Is(";")
	isTemplate := p.start < p.pos
	if !simple && len(decl) > 0 && decl[0].Is("struct") {
		p.pos++
		p.structure(true)
		p.pos--
	}
	switch using := p.toks[p.pos].Is("using"); {
	case !simple || isTemplate || len(decl) < 2:
	case using && decl[0].Kind == cxx.Ident && decl[1].Is("="):
		p.file.typedefs[decl[0].Text] = decl[2:]
	case !using && decl[len(decl)-1].Kind == cxx.Ident && !cxx.IsBasicType(decl[len(decl)-1].Text):
		p.file.typedefs[decl[len(decl)-1].Text] = decl[:len(decl)-1]
	}
	p.pos = max(end, p.pos+1)
}
