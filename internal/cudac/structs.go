package cudac

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// Layout is a struct of the program with a layout that this package can compute.
type Layout struct {
	Name        string // without namespaces
	Fields      []Field
	Size, Align int // bytes
}

// Field is a field of a struct.
type Field struct {
	Name   string
	GoType string // element type: "float32", "vec.Float4", "uint64" for a pointer, or the name of a struct
	Struct *Layout
	Dims   []int // of an array
	Offset int
	Size   int // bytes of all elements
}

// builtin are types that are structs in CUDA's headers, and in packages gpu and vec, too. They are passed as
// their bytes.
var builtin = builtins()

func builtins() map[string]scalar {
	all := map[string]scalar{
		"half": {Struct, 2, "gpu.Float16", 2}, "__half": {Struct, 2, "gpu.Float16", 2},
		"half2": {Struct, 4, "gpu.Float16x2", 4}, "__half2": {Struct, 4, "gpu.Float16x2", 4},
		"nv_bfloat16": {Struct, 2, "gpu.BFloat16", 2}, "__nv_bfloat16": {Struct, 2, "gpu.BFloat16", 2},
		"nv_bfloat162": {Struct, 4, "gpu.BFloat16x2", 4}, "__nv_bfloat162": {Struct, 4, "gpu.BFloat16x2", 4},
		"dim3": {Struct, 12, "vec.Uint3", 4},
	}
	for _, v := range []struct {
		name, goty string
		size       int
	}{
		{"char", "Char", 1},
		{"uchar", "Uchar", 1},
		{"short", "Short", 2},
		{"ushort", "Ushort", 2},
		{"int", "Int", 4},
		{"uint", "Uint", 4},
		{"long", "Longlong", 8},
		{"ulong", "Ulonglong", 8},
		{"longlong", "Longlong", 8},
		{"ulonglong", "Ulonglong", 8},
		{"float", "Float", 4},
		{"double", "Double", 8},
	} {
		for n := 2; n <= 4; n++ {
			align := v.size
			if n != 3 {
				align = min(n*v.size, 16)
			}
			count := strconv.Itoa(n)
			all[v.name+count] = scalar{Struct, n * v.size, "vec." + v.goty + count, align}
		}
	}
	return all
}

// structure records the struct whose keyword is at pos, if it is a definition whose layout can be
// computed. alias reports whether it is in a typedef. It does not advance.
func (p *parser) structure(alias bool) {
	for _, s := range p.scopes {
		if s.body {
			return
		}
	}
	if slices.ContainsFunc(p.toks[p.start:p.pos], func(t cxx.Token) bool { return t.Is("template") }) {
		return
	}
	i := p.pos + 1
	align := 1
	for i+1 < len(p.toks) && (p.toks[i].Is("__align__") || p.toks[i].Is("alignas")) {
		end := cxx.SkipGroup(p.toks, i+1)
		if end != i+4 {
			return
		}
		n, err := strconv.Atoi(p.toks[i+2].Text)
		if err != nil {
			return
		}
		align, i = max(align, n), end
	}
	var names []string
	if i < len(p.toks) && p.toks[i].Kind == cxx.Ident {
		names = append(names, p.toks[i].Text)
		i++
	}
	if i >= len(p.toks) || !p.toks[i].Is("{") {
		return
	}
	end := cxx.SkipGroup(p.toks, i)
	if alias && end+1 < len(p.toks) && p.toks[end].Kind == cxx.Ident && p.toks[end+1].Is(";") {
		names = append(names, p.toks[end].Text)
	}
	if len(names) == 0 || end > len(p.toks) {
		return
	}
	l := &Layout{Name: names[len(names)-1], Align: align}
	if !p.file.fields(l, p.toks[i+1:end-1]) {
		return
	}
	l.Size = roundUp(l.Size, l.Align)
	for _, n := range names {
		if p.file.structs[n] != nil {
			p.file.structs[n] = nil // structs of the same name in different namespaces: the name is ambiguous
			continue
		}
		p.file.structs[n] = l
	}
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// fields adds the fields in a struct's body. It returns false if it does not support one of the
// members.
func (f *File) fields(l *Layout, toks []cxx.Token) bool {
	for len(toks) > 0 {
		if len(toks) > 1 && toks[1].Is(":") && (toks[0].Is("public") || toks[0].Is("private") || toks[0].Is("protected")) {
			toks = toks[2:]
			continue
		}
		decl, rest, function := member(toks)
		toks = rest
		if function {
			if slices.ContainsFunc(decl, func(t cxx.Token) bool { return t.Is("virtual") }) {
				return false // the struct has a pointer to a table of virtual functions
			}
			continue
		}
		if len(decl) == 0 || slices.ContainsFunc([]string{"static", "using", "typedef", "friend", "static_assert"}, decl[0].Is) {
			continue
		}
		if !f.declaration(l, decl) {
			return false
		}
	}
	return len(l.Fields) > 0
}

// member splits the first member off a body: up to its semicolon, or to the end of a function's body.
func member(toks []cxx.Token) (decl, rest []cxx.Token, function bool) {
	for i := 0; i < len(toks); {
		switch {
		case toks[i].Is(";"):
			return toks[:i], toks[i+1:], function
		case toks[i].Is("("):
			function = function || i > 0 && !toks[i-1].Is("__align__") && !toks[i-1].Is("alignas")
			i = cxx.SkipGroup(toks, i)
		case toks[i].Is("{") && function:
			end := cxx.SkipGroup(toks, i)
			if end < len(toks) && toks[end].Is(";") {
				end++
			}
			return toks[:i], toks[end:], true
		case toks[i].Is("{"), toks[i].Is("["):
			i = cxx.SkipGroup(toks, i)
		default:
			i++
		}
	}
	return toks, nil, function
}

// declaration adds the fields of one declaration, such as float x, y[3];
func (f *File) declaration(l *Layout, decl []cxx.Token) bool {
	var base []cxx.Token
	for i, part := range cxx.Split(decl) {
		if eq := cxx.TopLevel(part, "="); eq >= 0 {
			part = part[:eq]
		}
		if brace := cxx.TopLevel(part, "{"); brace >= 0 {
			part = part[:brace]
		}
		if slices.ContainsFunc(part, func(t cxx.Token) bool {
			return t.Is(":") || t.Is("struct") || t.Is("union") || t.Is("enum") || t.Is("__align__") || t.Is("alignas")
		}) {
			return false // a bit-field, or a type without a name
		}
		part, dims, ok := arrayDims(part)
		if !ok || len(part) == 0 {
			return false
		}
		if i == 0 {
			base = part[:len(part)-1]
			for len(base) > 0 && base[len(base)-1].Is("*") {
				base = base[:len(base)-1]
			}
		} else {
			part = slices.Concat(base, part)
		}
		if !f.place(l, part, dims) {
			return false
		}
	}
	return true
}

// arrayDims removes [3][4] from the end of a declarator.
func arrayDims(part []cxx.Token) (rest []cxx.Token, dims []int, ok bool) {
	for len(part) >= 3 && part[len(part)-1].Is("]") {
		n, err := strconv.Atoi(part[len(part)-2].Text)
		if err != nil || n <= 0 || !part[len(part)-3].Is("[") {
			return nil, nil, false
		}
		dims = append([]int{n}, dims...)
		part = part[:len(part)-3]
	}
	return part, dims, true
}

// place adds a field after the others.
func (f *File) place(l *Layout, decl []cxx.Token, dims []int) bool {
	t, name := parseType(decl, f.typedefs)
	if name == "" || t.ref || t.function {
		return false
	}
	field := Field{Name: name, Dims: dims}
	align := 0
	if t.pointers > 0 {
		field.GoType, field.Size, align = "uint64", 8, 8
	} else if _, s, known := t.base(); known {
		field.GoType, field.Size, align = s.goty, s.size, s.alignment()
	} else if inner := f.structs[t.words[0]]; inner != nil {
		field.GoType, field.Struct, field.Size, align = inner.Name, inner, inner.Size, inner.Align
	} else {
		return false
	}
	for _, n := range dims {
		field.Size *= n
	}
	field.Offset = roundUp(l.Size, align)
	l.Size = field.Offset + field.Size
	l.Align = max(l.Align, align)
	l.Fields = append(l.Fields, field)
	return true
}

// Structs returns the structs of the program whose layouts are known, by name.
func (f *File) Structs() []*Layout {
	seen := map[*Layout]bool{}
	var list []*Layout
	for _, name := range slices.Sorted(maps.Keys(f.structs)) {
		if l := f.structs[name]; l != nil && !seen[l] {
			seen[l] = true
			list = append(list, l)
		}
	}
	return list
}

func (f Field) String() string {
	s := fmt.Sprintf("%d:%s ", f.Offset, f.Name)
	for _, n := range f.Dims {
		s += fmt.Sprintf("[%d]", n)
	}
	return s + f.GoType
}
