package cudac

import (
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// scalar is a C type that exists in Go, too.
type scalar struct {
	kind  Kind
	size  int
	goty  string
	align int // 0 means size
}

func (s scalar) alignment() int {
	if s.align > 0 {
		return s.align
	}
	return s.size
}

// scalars are the basic types, by their spelling with the words in alphabetical order and without a
// redundant int. The sizes are those of 64-bit Linux, for host and device.
var scalars = map[string]scalar{
	"bool":               {kind: Bool, size: 1, goty: "bool"},
	"char":               {kind: Int, size: 1, goty: "int8"},
	"char signed":        {kind: Int, size: 1, goty: "int8"},
	"char unsigned":      {kind: Uint, size: 1, goty: "uint8"},
	"short":              {kind: Int, size: 2, goty: "int16"},
	"short unsigned":     {kind: Uint, size: 2, goty: "uint16"},
	"int":                {kind: Int, size: 4, goty: "int32"},
	"unsigned":           {kind: Uint, size: 4, goty: "uint32"},
	"long":               {kind: Int, size: 8, goty: "int64"},
	"long unsigned":      {kind: Uint, size: 8, goty: "uint64"},
	"long long":          {kind: Int, size: 8, goty: "int64"},
	"long long unsigned": {kind: Uint, size: 8, goty: "uint64"},
	"float":              {kind: Float, size: 4, goty: "float32"},
	"double":             {kind: Float, size: 8, goty: "float64"},
}

// canonical has the usual spelling of these types.
var canonical = map[string]string{
	"char signed":        "signed char",
	"char unsigned":      "unsigned char",
	"short unsigned":     "unsigned short",
	"unsigned":           "unsigned int",
	"long unsigned":      "unsigned long",
	"long long unsigned": "unsigned long long",
}

// library are the basic types that headers define under other names.
var library = map[string]string{
	"int8_t": "char signed", "uint8_t": "char unsigned", "uchar": "char unsigned",
	"int16_t": "short", "uint16_t": "short unsigned", "ushort": "short unsigned",
	"int32_t": "int", "uint32_t": "unsigned", "uint": "unsigned",
	"int64_t": "long", "uint64_t": "long unsigned", "ulong": "long unsigned",
	"size_t": "long unsigned", "ptrdiff_t": "long", "ssize_t": "long",
	"intptr_t": "long", "uintptr_t": "long unsigned", "clock_t": "long",
}

// Textures and surfaces are numbers in C, which are only valid as handles.
var (
	textureObject = map[string]bool{"cudaTextureObject_t": true}
	surfaceObject = map[string]bool{"cudaSurfaceObject_t": true}
)

// A ctype is a parsed type.
type ctype struct {
	words    []string // basic words, sorted, or one name with its template arguments
	named    bool     // words is a name
	consts   bool     // const on the base
	pointers int
	ref      bool
	function bool // pointer to function or to member
	restrict bool
}

// maxAliases is the maximum length of a chain of aliases.
const maxAliases = 16

// parseType parses the tokens of a declaration and returns the declared name, which may be
// missing.
func parseType(toks []cxx.Token, types map[string][]cxx.Token) (ctype, string) {
	return parseTypeDepth(toks, types, 0)
}

func parseTypeDepth(toks []cxx.Token, types map[string][]cxx.Token, depth int) (ctype, string) {
	var d declarator
	for len(toks) > 0 {
		n := d.specifier(toks)
		if n == 0 {
			n = d.part(toks)
		}
		toks = toks[n:]
	}
	d.pointers += d.arrays // an array parameter is a pointer to its element
	d.resolve(types, depth)
	return d.ctype, d.name
}

// A declarator is the state of parsing a declaration.
type declarator struct {
	ctype
	name   string
	arrays int
}

// specifier parses a word of the type at the start of toks, and returns its number of tokens, or 0 if there is none.
func (d *declarator) specifier(toks []cxx.Token) int {
	switch t := toks[0]; {
	case t.Is("const"):
		d.consts = d.consts || d.pointers == 0
	case t.Is("__restrict__"), t.Is("__restrict"), t.Is("restrict"):
		d.restrict = true
	case t.Is("volatile"), t.Is("typename"), t.Is("struct"), t.Is("class"), t.Is("enum"),
		t.Is("union"), t.Is("__grid_constant__"), t.Is("register"):
	case t.Is("__align__"), t.Is("__attribute__"), t.Is("alignas"):
		return cxx.SkipGroup(toks, min(1, len(toks)-1))
	case t.Kind != cxx.Ident:
		return 0
	case cxx.IsBasicType(t.Text) && !d.named:
		d.words = append(d.words, t.Text)
	case len(d.words) == 0:
		n := nameLen(toks)
		d.words, d.named = []string{strings.TrimPrefix(cxx.Join(toks[:n]), "std::")}, true
		return n
	default:
		return 0
	}
	return 1
}

// part parses the declared name, or a token around it, and returns its number of tokens.
func (d *declarator) part(toks []cxx.Token) int {
	switch t := toks[0]; {
	case t.Is("*"):
		d.pointers++
	case t.Is("&"):
		d.ref = true
	case t.Is("("):
		// A declarator in parentheses is a pointer to a function, or a reference to an array.
		d.function = true
		return cxx.SkipGroup(toks, 0)
	case t.Is("["):
		if !(len(toks) > 1 && toks[1].Is("[")) { // [[attribute]]
			d.arrays++
		}
		return cxx.SkipGroup(toks, 0)
	case t.Kind == cxx.Ident && d.name == "":
		d.name = t.Text
	}
	return 1
}

// resolve replaces the name of a type by the aliased type.
func (d *declarator) resolve(types map[string][]cxx.Token, depth int) {
	if !d.named {
		slices.Sort(d.words)
		return
	}
	def, known := types[d.words[0]]
	if w, ok := library[d.words[0]]; ok && def == nil {
		d.words, d.named = strings.Fields(w), false
		return
	}
	if !known || depth >= maxAliases {
		return
	}
	inner, _ := parseTypeDepth(def, types, depth+1)
	inner.consts = inner.consts || d.consts && inner.pointers == 0
	inner.pointers += d.pointers
	inner.ref = inner.ref || d.ref
	inner.restrict = inner.restrict || d.restrict
	inner.function = inner.function || d.function
	d.ctype = inner
}

// nameLen returns the number of tokens in the qualified name at the start of toks, including its
// template arguments.
func nameLen(toks []cxx.Token) int {
	n := 1
	for n < len(toks) {
		switch {
		case toks[n].Is("<"):
			n = cxx.SkipAngles(toks, n)
		case toks[n].Is("::") && n+1 < len(toks) && toks[n+1].Kind == cxx.Ident:
			n += 2
		default:
			return n
		}
	}
	return n
}

// base returns the spelling of the type without pointers, and its Go type.
func (t ctype) base() (spelling string, s scalar, known bool) {
	if t.named {
		s, known = builtin[t.words[0]]
		return t.words[0], s, known
	}
	words := t.words
	if len(words) > 1 {
		words = without(words, "int")
		if !slices.Contains(words, "char") {
			words = without(words, "signed")
		}
		if len(words) == 0 {
			words = []string{"int"}
		}
	}
	if len(words) == 1 && words[0] == "signed" {
		words = []string{"int"}
	}
	key := strings.Join(words, " ")
	s, known = scalars[key]
	if c, ok := canonical[key]; ok {
		key = c
	}
	return key, s, known
}

func without(list []string, s string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(x string) bool { return x == s })
}

// parseParam returns the parameter with these tokens.
func parseParam(toks []cxx.Token, types map[string][]cxx.Token, structs map[string]*Layout) Param {
	if eq := cxx.TopLevel(toks, "="); eq >= 0 {
		toks = toks[:eq]
	}
	t, name := parseType(toks, types)
	p := Param{Name: name, Const: t.consts, Restrict: t.restrict}
	if len(toks) > 0 {
		p.Line = toks[0].Line
	}
	typeToks := toks
	for i := len(toks) - 1; i >= 0 && name != ""; i-- {
		if toks[i].Is(name) {
			typeToks = append(toks[:i:i], toks[i+1:]...)
			break
		}
	}
	p.Type = cxx.Join(typeToks)
	base, s, known := t.base()
	p.Base = base
	switch {
	case t.function:
		p.Problem = "a function pointer of the host means nothing on the device: choose the function inside the kernel"
	case t.ref:
		p.Problem = "a kernel cannot take a reference: pass the value or a pointer"
	case textureObject[base] && t.pointers == 0:
		p.Kind, p.Size, p.Align, p.GoElem = Texture, 8, 8, "gpu.Texture"
	case surfaceObject[base] && t.pointers == 0:
		p.Kind, p.Size, p.Align, p.GoElem = Surface, 8, 8, "gpu.Texture"
	case t.pointers > 0:
		p.Kind, p.Size, p.Align = Pointer, 8, 8
		p.Base += strings.Repeat("*", t.pointers-1)
		if known && t.pointers == 1 {
			p.GoElem = s.goty
		}
	case known:
		p.Kind, p.Size, p.Align, p.GoElem = s.kind, s.size, s.alignment(), s.goty
	case structs[base] != nil:
		p.Struct = structs[base]
		p.Kind, p.Size, p.Align = Struct, p.Struct.Size, p.Struct.Align
	default:
		p.Problem = "a " + base + " cannot be passed by value: its layout cannot be told from the source. Pass its parts, a pointer to it, or a struct of plain fields"
	}
	return p
}
