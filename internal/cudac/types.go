package cudac

import (
	"slices"
	"strings"
)

// scalar is a C type that Go has too.
type scalar struct {
	kind  Kind
	size  int
	goty  string
	align int // 0: as large as it is
}

func (s scalar) alignment() int {
	if s.align > 0 {
		return s.align
	}
	return s.size
}

// scalars are the basic types, by their spelling with the words in alphabetical order
// and without a superfluous int. The sizes are those of 64-bit Linux, on both sides.
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

// canonical spells the same types the way people do.
var canonical = map[string]string{
	"char signed":        "signed char",
	"char unsigned":      "unsigned char",
	"short unsigned":     "unsigned short",
	"unsigned":           "unsigned int",
	"long unsigned":      "unsigned long",
	"long long unsigned": "unsigned long long",
}

// library are the names that headers give to basic types.
var library = map[string]string{
	"int8_t": "char signed", "uint8_t": "char unsigned", "uchar": "char unsigned",
	"int16_t": "short", "uint16_t": "short unsigned", "ushort": "short unsigned",
	"int32_t": "int", "uint32_t": "unsigned", "uint": "unsigned",
	"int64_t": "long", "uint64_t": "long unsigned", "ulong": "long unsigned",
	"size_t": "long unsigned", "ptrdiff_t": "long", "ssize_t": "long",
	"intptr_t": "long", "uintptr_t": "long unsigned", "clock_t": "long",
}

// Textures and surfaces are numbers to C, which mean nothing if they come from elsewhere.
var (
	textureObject = map[string]bool{"cudaTextureObject_t": true}
	surfaceObject = map[string]bool{"cudaSurfaceObject_t": true}
)

// basicWord are the words that basic types are made of.
var basicWord = map[string]bool{
	"bool": true, "char": true, "short": true, "int": true, "long": true, "float": true,
	"double": true, "void": true, "signed": true, "unsigned": true, "wchar_t": true,
	"char8_t": true, "char16_t": true, "char32_t": true, "__int128": true, "auto": true,
}

// A ctype is a type taken apart.
type ctype struct {
	words    []string // basic words, sorted, or one name with its template arguments
	named    bool     // words holds a name
	consts   bool     // const on the base
	pointers int
	ref      bool
	function bool // pointer to function or to member
	restrict bool
}

// parseType takes apart the tokens of a declaration and returns the declared name, which
// may be missing.
func parseType(toks []token, types map[string][]token) (ctype, string) {
	return parseTypeDepth(toks, types, 0)
}

func parseTypeDepth(toks []token, types map[string][]token, depth int) (ctype, string) {
	var t ctype
	name := ""
	arrays := 0
	for i := 0; i < len(toks); i++ {
		tok := toks[i]
		switch {
		case tok.is("const"):
			if t.pointers == 0 {
				t.consts = true
			}
		case tok.is("volatile"), tok.is("typename"), tok.is("struct"), tok.is("class"), tok.is("enum"),
			tok.is("union"), tok.is("__grid_constant__"), tok.is("register"):
		case tok.is("__restrict__"), tok.is("__restrict"), tok.is("restrict"):
			t.restrict = true
		case tok.is("__align__"), tok.is("__attribute__"), tok.is("alignas"):
			i = skipGroup(toks, i+1) - 1
		case tok.is("*"):
			t.pointers++
		case tok.is("&"):
			t.ref = true
		case tok.is("("):
			// A declarator in parentheses is a pointer to a function, or a reference to an array.
			t.function = true
			i = skipGroup(toks, i) - 1
		case tok.is("["):
			end := skipGroup(toks, i)
			if !(i+1 < len(toks) && toks[i+1].is("[")) { // [[attribute]]
				arrays++
			}
			i = end - 1
		case tok.is("::"):
			if i+1 < len(toks) && toks[i+1].kind == tokIdent && len(t.words) == 0 {
				continue // ::size_t
			}
		case tok.kind == tokIdent && basicWord[tok.text] && !t.named:
			t.words = append(t.words, tok.text)
		case tok.kind == tokIdent && len(t.words) == 0:
			end := nameLen(toks[i:]) + i
			t.words, t.named = []string{strings.TrimPrefix(join(toks[i:end]), "std::")}, true
			i = end - 1
		case tok.kind == tokIdent && name == "":
			name = tok.text
		}
	}
	// An array parameter is a pointer to its element.
	if arrays > 0 {
		t.pointers += arrays
	}
	if t.named {
		if w, ok := library[t.words[0]]; ok && types[t.words[0]] == nil {
			t.words, t.named = strings.Fields(w), false
			return t, name
		}
		if def, ok := types[t.words[0]]; ok && depth < 16 {
			inner, _ := parseTypeDepth(def, types, depth+1)
			inner.consts = inner.consts || t.consts && inner.pointers == 0
			inner.pointers += t.pointers
			inner.ref = inner.ref || t.ref
			inner.restrict = inner.restrict || t.restrict
			inner.function = inner.function || t.function
			return inner, name
		}
	}
	if !t.named {
		slices.Sort(t.words)
	}
	return t, name
}

// nameLen is the number of tokens in the qualified name at the start of toks, with its
// template arguments.
func nameLen(toks []token) int {
	n := 1
	for n < len(toks) {
		switch {
		case toks[n].is("<"):
			n = skipAngles(toks, n)
		case toks[n].is("::") && n+1 < len(toks) && toks[n+1].kind == tokIdent:
			n += 2
		default:
			return n
		}
	}
	return n
}

// base is the spelling of the type without pointers, and what Go calls it.
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

// parseParam describes one parameter from its tokens.
func parseParam(toks []token, types map[string][]token, structs map[string]*Layout) Param {
	if eq := topLevel(toks, "="); eq >= 0 {
		toks = toks[:eq]
	}
	t, name := parseType(toks, types)
	p := Param{Name: name, Const: t.consts, Restrict: t.restrict}
	if len(toks) > 0 {
		p.Line = toks[0].line
	}
	typeToks := toks
	for i := len(toks) - 1; i >= 0 && name != ""; i-- {
		if toks[i].is(name) {
			typeToks = append(toks[:i:i], toks[i+1:]...)
			break
		}
	}
	p.Type = join(typeToks)
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

// skipGroup returns the index after the bracket that closes the one at i, or the length
// of toks.
func skipGroup(toks []token, i int) int {
	depth := 0
	for ; i < len(toks); i++ {
		switch {
		case toks[i].is("("), toks[i].is("["), toks[i].is("{"):
			depth++
		case toks[i].is(")"), toks[i].is("]"), toks[i].is("}"):
			depth--
		}
		if depth <= 0 {
			return i + 1
		}
	}
	return len(toks)
}

// skipAngles does the same for the angle bracket at i, which may hold other brackets.
func skipAngles(toks []token, i int) int {
	depth := 0
	for i < len(toks) {
		switch {
		case toks[i].is("("), toks[i].is("["), toks[i].is("{"):
			i = skipGroup(toks, i)
			continue
		case toks[i].is("<"):
			depth++
		case toks[i].is(">"):
			depth--
		}
		i++
		if depth == 0 {
			return i
		}
	}
	return len(toks)
}

// topLevel finds the first token with the text outside all brackets, or -1.
func topLevel(toks []token, text string) int {
	for i := 0; i < len(toks); {
		switch {
		case toks[i].is(text):
			return i
		case toks[i].is("("), toks[i].is("["), toks[i].is("{"):
			i = skipGroup(toks, i)
		case toks[i].is("<"):
			i = skipAngles(toks, i)
		default:
			i++
		}
	}
	return -1
}

// split cuts toks at the commas outside all brackets.
func split(toks []token) [][]token {
	var parts [][]token
	for {
		i := topLevel(toks, ",")
		if i < 0 {
			return append(parts, toks)
		}
		parts = append(parts, toks[:i:i])
		toks = toks[i+1:]
	}
}

// join writes tokens as text again, with one space where there was any.
func join(toks []token) string {
	var b strings.Builder
	for i, t := range toks {
		if i > 0 && !t.glued {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}
