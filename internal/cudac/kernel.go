package cudac

import (
	"fmt"
	"slices"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// A declaration is the state of parsing a kernel's declaration.
type declaration struct {
	kernel *Kernel
	before []cxx.Token // before __global__
	line   int         // of __global__
	void   bool        // the result's type is void
	// explicit reports whether it is a specialisation or an instantiation of a template, not a new kernel.
	explicit bool
	// The indices of the name, and of the opening and closing parentheses of the parameters.
	name, open, end int
}

// kernel parses the declaration around the __global__ at pos, up to its body or semicolon.
func (p *parser) kernel() error {
	d := &declaration{
		kernel: &Kernel{Namespace: p.namespace(), types: p.file.typedefs, structs: p.file.structs},
		before: p.toks[p.start:p.pos], line: p.toks[p.pos].Line,
	}
	for _, read := range []func(*declaration) error{p.kernelPrefix, p.kernelName, p.kernelParams} {
		if err := read(d); err != nil {
			return err
		}
	}
	p.finish(d)
	return nil
}

// kernelPrefix parses the tokens before __global__.
func (p *parser) kernelPrefix(d *declaration) error {
	k := d.kernel
	k.ExternC = isExternC(d.before)
	for _, s := range p.scopes {
		k.ExternC = k.ExternC || s.externC
	}
	d.void = cxx.Has(d.before, "void")
	for i := 0; i < len(d.before); i++ {
		if !d.before[i].Is("template") {
			continue
		}
		if i+1 >= len(d.before) || !d.before[i+1].Is("<") {
			d.explicit = true
			continue
		}
		end := cxx.SkipAngles(d.before, i+1)
		if !d.before[end-1].Is(">") || end == i+2 {
			return &Error{Line: d.before[i].Line, Msg: "this template has no closing >"}
		}
		if params := d.before[i+2 : end-1]; len(params) > 0 {
			k.Template = append(k.Template, templateParams(params)...)
		} else {
			d.explicit = true
		}
		i = end - 1
	}
	return nil
}

// kernelName parses the name. Between __global__ and the name are specifiers, attributes and void.
func (p *parser) kernelName(d *declaration) error {
	nameless := &Error{Line: d.line, Msg: "a __global__ function needs a name and a list of parameters here"}
	for i := p.pos + 1; d.name == 0; {
		if i >= len(p.toks) {
			return nameless
		}
		switch t := p.toks[i]; {
		case t.Is(";"), t.Is("{"), t.Is("}"), t.Is("="):
			return nameless
		case t.Is("void"):
			d.void = true
			i++
		case t.Is("["):
			i = cxx.SkipGroup(p.toks, i)
		case t.Kind == cxx.Ident && p.is(i+1, "("):
			end := cxx.SkipGroup(p.toks, i+1)
			_, macro := p.file.macros[t.Text] // of attributes, if the name follows
			macro = macro && end < len(p.toks) && p.toks[end].Kind == cxx.Ident
			if !macro && !d.kernel.attribute(t.Text, p.toks[i+2:max(i+2, end-1)]) {
				d.name, d.open = i, i+1
			}
			i = end
		case t.Kind == cxx.Ident && p.is(i+1, "<"):
			end := cxx.SkipAngles(p.toks, i+1)
			if p.is(end, "(") {
				d.name, d.open, d.explicit = i, end, true
			}
			// Otherwise it is a result type such as std::enable_if_t<(N > 1), void>.
			d.void = d.void || cxx.Has(p.toks[i:end], "void")
			i = end
		default:
			i++
		}
	}
	k := d.kernel
	k.Name, k.Line, k.Path = p.toks[d.name].Text, p.toks[d.name].Line, p.toks[d.name].File
	if !d.void {
		return &Error{Line: k.Line, Msg: fmt.Sprintf("kernel %s must return void: a __global__ function has no result", k.Name)}
	}
	return nil
}

// is reports whether the token at i is that word or punctuation.
func (p *parser) is(i int, text string) bool { return i < len(p.toks) && p.toks[i].Is(text) }

// attribute records an attribute with its value, and reports whether the word is one.
func (k *Kernel) attribute(word string, value []cxx.Token) bool {
	switch word {
	case "__launch_bounds__":
		if !slices.ContainsFunc(value, func(t cxx.Token) bool { return t.Unsure }) {
			k.LaunchBounds = cxx.Join(value)
		}
	case "__cluster_dims__":
		k.ClusterDims = cxx.Join(value)
	case "__attribute__", "__block_size__", "alignas", "__maxnreg__", "__declspec":
	default:
		return false
	}
	return true
}

// kernelParams parses the list of parameters.
func (p *parser) kernelParams(d *declaration) error {
	k := d.kernel
	d.end = cxx.SkipGroup(p.toks, d.open)
	if !p.toks[d.end-1].Is(")") {
		return &Error{Line: k.Line, Msg: fmt.Sprintf("the parameters of kernel %s have no closing parenthesis", k.Name)}
	}
	if list := p.toks[d.open+1 : d.end-1]; len(list) > 0 && !(len(list) == 1 && list[0].Is("void")) {
		k.params = cxx.Split(list)
	}
	if k.Template == nil {
		k.Params = k.describe(nil)
	}
	return nil
}

// finish adds the kernel and its body to the file, and skips its parameters.
func (p *parser) finish(d *declaration) {
	k := d.kernel
	k.Defined = p.is(d.end, "{")
	if k.Defined {
		at := p.definition(d)
		k.source = at
		if at.Begin > 0 {
			p.file.bodies = append(p.file.bodies, newBody(k, at, cxx.Join(p.toks[d.name:d.open]), d.explicit))
		}
	}
	p.pos = d.end
	if d.explicit {
		p.file.special[k.Name] = true
		return
	}
	// Scopes other than namespaces cannot contain kernels: the compiler reports these.
	p.file.declare(k)
}

// definition returns the definition of a kernel whose body follows. It is empty if the body is not closed.
func (p *parser) definition(d *declaration) Definition {
	open := d.end
	end := cxx.SkipGroup(p.toks, open)
	if !p.toks[end-1].Is("}") || end == open+1 {
		return Definition{}
	}
	def := Definition{
		Params: p.toks[d.open:d.end], Body: p.toks[open+1 : end-1],
		Begin: p.toks[open].End, End: p.toks[end-1].End,
	}
	for i, t := range d.before {
		if t.Is("template") && i+1 < len(d.before) && d.before[i+1].Is("<") {
			def.Template = append(def.Template, d.before[i:cxx.SkipAngles(d.before, i+1)]...)
		}
	}
	return def
}

// declare adds a kernel, or completes an earlier declaration.
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

func (k *Kernel) describe(args map[string][]cxx.Token) []Param {
	types := k.types
	if len(args) > 0 {
		types = make(map[string][]cxx.Token, len(k.types)+len(args))
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

func templateParams(toks []cxx.Token) []TemplateParam {
	var out []TemplateParam
	for _, part := range cxx.Split(toks) {
		var tp TemplateParam
		if eq := cxx.TopLevel(part, "="); eq >= 0 {
			tp.Default, part = cxx.Join(part[eq+1:]), part[:eq]
		}
		kind := part[:0:0]
		for i, t := range part {
			switch {
			case t.Is("."):
				tp.Pack = true
			case i == len(part)-1 && t.Kind == cxx.Ident && i > 0 && !part[i-1].Is("::"): // typename A<T>::type has no name
				tp.Name = t.Text
			default:
				kind = append(kind, t)
			}
		}
		tp.Kind = cxx.Join(kind)
		out = append(out, tp)
	}
	return out
}
