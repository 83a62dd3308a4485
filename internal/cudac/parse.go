package cudac

import (
	"fmt"
	"strings"
)

// Parse reads a source. Each define is a macro of the command line, NAME or NAME=VALUE.
// The error is an *Error with the line.
func Parse(src string, defines ...string) (*File, error) { return parse(src, nil, defines) }

func parse(src string, files *includes, defines []string) (*File, error) {
	toks, err := lex(src)
	if err != nil {
		return nil, err
	}
	p := &parser{file: &File{typedefs: map[string][]token{}, structs: map[string]*Layout{}}}
	p.toks, p.file.code.macros = preprocess(toks, files, defines)
	p.file.code.toks = p.toks
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
	toks   []token
	pos    int
	start  int // where the current declaration began
	scopes []scope
	file   *File
}

// run walks over all tokens. It follows the braces for the sake of namespaces and stops
// at the few words that begin something of interest.
func (p *parser) run() error {
	for p.pos < len(p.toks) {
		t := p.toks[p.pos]
		switch {
		case t.is("{"):
			p.scopes = append(p.scopes, p.openScope())
			p.pos++
			p.start = p.pos
		case t.is("}"):
			if len(p.scopes) > 0 {
				p.scopes = p.scopes[:len(p.scopes)-1]
			}
			p.pos++
			p.start = p.pos
		case t.is(";"):
			p.pos++
			p.start = p.pos
		case t.is("__global__"):
			if err := p.kernel(); err != nil {
				return err
			}
		case t.is("__shared__"):
			p.shared()
		case t.is("typedef"), t.is("using"):
			p.alias()
		case t.is("struct"), t.is("class"):
			p.structure(false)
			p.pos++
		case t.is("main") && t.file == "" && p.next(1).is("(") && len(p.scopes) == 0:
			p.file.HasMain = true
			p.pos++
		default:
			p.pos++
		}
	}
	return nil
}

// next is the token n places on, or nothing.
func (p *parser) next(n int) token {
	if p.pos+n < len(p.toks) {
		return p.toks[p.pos+n]
	}
	return token{kind: tokString}
}

// openScope tells what the brace at pos opens, from the declaration before it.
func (p *parser) openScope() scope {
	decl := p.toks[p.start:p.pos]
	for len(decl) > 0 && decl[0].is("inline") {
		decl = decl[1:]
	}
	switch {
	case len(decl) > 0 && decl[0].is("namespace"):
		var parts []string
		for _, t := range decl[1:] {
			if t.kind == tokIdent && t.text != "inline" {
				parts = append(parts, t.text)
			}
		}
		return scope{namespace: strings.Join(parts, "::")}
	case isExternC(decl) && len(decl) == 2:
		return scope{externC: true}
	}
	return scope{body: true}
}

func isExternC(decl []token) bool {
	for i := 0; i+1 < len(decl); i++ {
		if decl[i].is("extern") && decl[i+1].kind == tokString && decl[i+1].text == `"C"` {
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

// kernel reads the declaration around the __global__ at pos, up to its body or semicolon.
func (p *parser) kernel() error {
	before := p.toks[p.start:p.pos]
	line := p.toks[p.pos].line
	k := &Kernel{Namespace: p.namespace(), ExternC: isExternC(before), types: p.file.typedefs, structs: p.file.structs}
	for _, s := range p.scopes {
		k.ExternC = k.ExternC || s.externC
	}
	explicit := false // specialisation or instantiation of a template, not a new kernel
	for i := 0; i < len(before); i++ {
		if !before[i].is("template") {
			continue
		}
		if i+1 >= len(before) || !before[i+1].is("<") {
			explicit = true
			continue
		}
		end := skipAngles(before, i+1)
		if !before[end-1].is(">") || end == i+2 {
			return &Error{before[i].line, "this template has no closing >"}
		}
		if params := before[i+2 : end-1]; len(params) > 0 {
			k.Template = append(k.Template, templateParams(params)...)
		} else {
			explicit = true
		}
		i = end - 1
	}

	// Between __global__ and the name stand specifiers, attributes and void.
	isVoid := false
	for _, t := range before {
		isVoid = isVoid || t.is("void")
	}
	i := p.pos + 1
	name := -1
	for ; i < len(p.toks); i++ {
		t := p.toks[i]
		following := token{kind: tokString}
		if i+1 < len(p.toks) {
			following = p.toks[i+1]
		}
		switch {
		case t.is("void"):
			isVoid = true
			continue
		case t.is("__launch_bounds__"):
			end := skipGroup(p.toks, i+1)
			if end > i+3 {
				k.LaunchBounds = join(p.toks[i+2 : end-1])
			}
			i = end - 1
			continue
		case t.is("__cluster_dims__"):
			end := skipGroup(p.toks, i+1)
			if end > i+3 {
				k.ClusterDims = join(p.toks[i+2 : end-1])
			}
			i = end - 1
			continue
		case (t.is("__attribute__") || t.is("__block_size__") || t.is("alignas") ||
			t.is("__maxnreg__") || t.is("__declspec")) && following.is("("):
			i = skipGroup(p.toks, i+1) - 1
			continue
		case t.is("["):
			i = skipGroup(p.toks, i) - 1
			continue
		case t.kind == tokIdent && following.is("("):
			name = i
		case t.kind == tokIdent && following.is("<"):
			end := skipAngles(p.toks, i+1)
			if end < len(p.toks) && p.toks[end].is("(") {
				name, explicit = i, true
				break
			}
			// A return type such as std::enable_if_t<(N > 1), void>.
			for _, t := range p.toks[i:end] {
				isVoid = isVoid || t.is("void")
			}
			i = end - 1
		case t.is(";"), t.is("{"), t.is("}"), t.is("="):
			return &Error{line, "a __global__ function needs a name and a list of parameters here"}
		}
		if name >= 0 {
			break
		}
	}
	if name < 0 {
		return &Error{line, "a __global__ function needs a name and a list of parameters here"}
	}
	k.Name, k.Line, k.Path = p.toks[name].text, p.toks[name].line, p.toks[name].file
	if !isVoid {
		return &Error{k.Line, fmt.Sprintf("kernel %s must return void: a __global__ function has no result", k.Name)}
	}
	open := name + 1
	for !p.toks[open].is("(") {
		open = skipAngles(p.toks, open)
	}
	end := skipGroup(p.toks, open)
	if end > len(p.toks) || !p.toks[end-1].is(")") {
		return &Error{k.Line, fmt.Sprintf("the parameters of kernel %s have no closing parenthesis", k.Name)}
	}
	if list := p.toks[open+1 : end-1]; len(list) > 0 && !(len(list) == 1 && list[0].is("void")) {
		k.params = split(list)
	}
	if k.Template == nil {
		k.Params = k.describe(nil)
	}
	k.Defined = end < len(p.toks) && p.toks[end].is("{")
	if k.Defined && k.Path == "" {
		k.source = p.definition(before, p.toks[open:end], end)
	}
	if k.source.begin > 0 {
		p.file.bodies = append(p.file.bodies, newBody(k, join(p.toks[name:open]), explicit))
	}
	if explicit {
		p.file.code.specialise(k.Name)
	}
	p.pos = end
	// Nested scopes other than namespaces cannot hold kernels: leave that to the compiler.
	if !explicit {
		p.file.declare(k)
	}
	return nil
}

// declare adds a kernel, or completes one that was declared before.
func (f *File) declare(k *Kernel) {
	for _, old := range f.Kernels {
		if old.QualifiedName() != k.QualifiedName() || len(old.params) != len(k.params) ||
			len(old.Template) != len(k.Template) {
			continue
		}
		old.ExternC = old.ExternC || k.ExternC
		if old.LaunchBounds == "" {
			old.LaunchBounds = k.LaunchBounds
		}
		if old.ClusterDims == "" {
			old.ClusterDims = k.ClusterDims
		}
		if k.Defined && !old.Defined {
			old.Defined, old.Path, old.Line, old.Params, old.params, old.source = true, k.Path, k.Line, k.Params, k.params, k.source
		}
		return
	}
	f.Kernels = append(f.Kernels, k)
}

func (k *Kernel) describe(args map[string][]token) []Param {
	types := k.types
	if len(args) > 0 {
		types = make(map[string][]token, len(k.types)+len(args))
		for n, t := range k.types {
			types[n] = t
		}
		for n, t := range args {
			types[n] = t
		}
	}
	params := make([]Param, len(k.params))
	for i, toks := range k.params {
		params[i] = parseParam(toks, types, k.structs)
	}
	return params
}

func templateParams(toks []token) []TemplateParam {
	var out []TemplateParam
	for _, part := range split(toks) {
		var tp TemplateParam
		if eq := topLevel(part, "="); eq >= 0 {
			tp.Default, part = join(part[eq+1:]), part[:eq]
		}
		kind := part[:0:0]
		for i, t := range part {
			switch {
			case t.is("."):
				tp.Pack = true
			case i == len(part)-1 && t.kind == tokIdent && i > 0:
				tp.Name = t.text
			default:
				kind = append(kind, t)
			}
		}
		tp.Kind = join(kind)
		out = append(out, tp)
	}
	return out
}

// shared records an `extern __shared__` array; __shared__ stands at pos.
func (p *parser) shared() {
	line := p.toks[p.pos].line
	end := p.pos
	for end < len(p.toks) && !p.toks[end].is(";") && !p.toks[end].is("{") {
		end++
	}
	extern := false
	var decl []token
	for _, t := range p.toks[p.start:end] {
		switch {
		case t.is("extern"):
			extern = true
		case t.is("__shared__"), t.is("static"), t.is("__device__"):
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
	for end < len(p.toks) && !p.toks[end].is(";") && !p.toks[end].is("{") {
		end++
	}
	decl := p.toks[p.pos+1 : end]
	simple := end < len(p.toks) && p.toks[end].is(";")
	isTemplate := p.start < p.pos
	if !simple && len(decl) > 0 && decl[0].is("struct") {
		p.pos++
		p.structure(true)
		p.pos--
	}
	switch using := p.toks[p.pos].is("using"); {
	case !simple || isTemplate || len(decl) < 2:
	case using && decl[0].kind == tokIdent && decl[1].is("="):
		p.file.typedefs[decl[0].text] = decl[2:]
	case !using && decl[len(decl)-1].kind == tokIdent && !basicWord[decl[len(decl)-1].text]:
		p.file.typedefs[decl[len(decl)-1].text] = decl[:len(decl)-1]
	}
	p.pos = max(end, p.pos+1)
}
