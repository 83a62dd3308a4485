package session

import (
	"go/types"
	"maps"
	"slices"
)

// A layout compares types before and after a redefinition. Types are the same if memory that
// holds a value of one can be read as the other: fields have the same names and types,
// interfaces the same methods, recursively. Tags and methods of named types don't matter.
type layout struct {
	assumed map[[2]types.Type]bool // pairs that are being compared
}

func sameLayout(a, b types.Type) bool {
	return layout{map[[2]types.Type]bool{}}.same(a, b)
}

func (l layout) same(a, b types.Type) bool {
	a, b = types.Unalias(a), types.Unalias(b)
	if types.Identical(a, b) {
		return true
	}
	switch a := a.(type) {
	case *types.Named:
		b, ok := b.(*types.Named)
		return ok && l.sameNamed(a, b)
	case *types.Pointer:
		b, ok := b.(*types.Pointer)
		return ok && l.same(a.Elem(), b.Elem())
	case *types.Slice:
		b, ok := b.(*types.Slice)
		return ok && l.same(a.Elem(), b.Elem())
	case *types.Array:
		b, ok := b.(*types.Array)
		return ok && a.Len() == b.Len() && l.same(a.Elem(), b.Elem())
	case *types.Map:
		b, ok := b.(*types.Map)
		return ok && l.same(a.Key(), b.Key()) && l.same(a.Elem(), b.Elem())
	case *types.Chan:
		b, ok := b.(*types.Chan)
		return ok && a.Dir() == b.Dir() && l.same(a.Elem(), b.Elem())
	case *types.Signature:
		b, ok := b.(*types.Signature)
		return ok && a.Variadic() == b.Variadic() && l.sameTuple(a.Params(), b.Params()) && l.sameTuple(a.Results(), b.Results())
	case *types.Struct:
		b, ok := b.(*types.Struct)
		return ok && l.sameStruct(a, b)
	case *types.Interface:
		b, ok := b.(*types.Interface)
		return ok && l.sameInterface(a, b)
	}
	return false
}

func (l layout) sameNamed(a, b *types.Named) bool {
	if !fromCell(a.Obj()) && a.Origin() != b.Origin() && !otherVersion(a.Obj(), b.Obj()) || a.Obj().Name() != b.Obj().Name() || a.TypeArgs().Len() != b.TypeArgs().Len() {
		return false
	}
	pair := [2]types.Type{a, b}
	if l.assumed[pair] {
		return true
	}
	l.assumed[pair] = true
	for i := range a.TypeArgs().Len() {
		if !l.same(a.TypeArgs().At(i), b.TypeArgs().At(i)) {
			return false
		}
	}
	return l.same(a.Underlying(), b.Underlying())
}

// otherVersion reports whether a and b are of the same package before and
// after it was edited.
func otherVersion(a, b *types.TypeName) bool {
	return a.Pkg() != nil && b.Pkg() != nil && a.Pkg().Path() != b.Pkg().Path() && unversioned(a.Pkg().Path()) == unversioned(b.Pkg().Path())
}

func (l layout) sameTuple(a, b *types.Tuple) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if !l.same(a.At(i).Type(), b.At(i).Type()) {
			return false
		}
	}
	return true
}

func (l layout) sameStruct(a, b *types.Struct) bool {
	if a.NumFields() != b.NumFields() {
		return false
	}
	for i := range a.NumFields() {
		f, g := a.Field(i), b.Field(i)
		if f.Name() != g.Name() || f.Embedded() != g.Embedded() || !l.same(f.Type(), g.Type()) {
			return false
		}
	}
	return true
}

func (l layout) sameInterface(a, b *types.Interface) bool {
	if a.NumMethods() != b.NumMethods() {
		return false
	}
	for i := range a.NumMethods() {
		m, n := a.Method(i), b.Method(i)
		if m.Name() != n.Name() || !l.same(m.Signature(), n.Signature()) {
			return false
		}
	}
	return true
}

// mentioned returns the types of cells in t itself, but not those in their declarations.
func mentioned(t types.Type) map[string]bool {
	m := newMention()
	m.visit(t)
	return m.names
}

// foreign returns the packages, other than cells, of the types in t itself.
func foreign(t types.Type) []string {
	m := newMention()
	m.visit(t)
	return slices.Collect(maps.Keys(m.packages))
}

type mention struct {
	names    map[string]bool // of cells' types
	packages map[string]bool // of other types
	seen     map[types.Type]bool
}

func newMention() mention {
	return mention{map[string]bool{}, map[string]bool{}, map[types.Type]bool{}}
}

func (m mention) visit(t types.Type) {
	if m.seen[t] {
		return
	}
	m.seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		m.name(t.Obj(), t.TypeArgs())
		m.visit(t.Rhs())
	case *types.Named:
		m.name(t.Obj(), t.TypeArgs())
	case *types.Map:
		m.visit(t.Key())
		m.visit(t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		m.visit(t.Elem())
	case *types.Signature:
		m.visit(t.Params())
		m.visit(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			m.visit(v.Type())
		}
	case *types.Struct:
		for f := range t.Fields() {
			m.visit(f.Type())
		}
	case *types.Interface:
		for f := range t.ExplicitMethods() {
			m.visit(f.Signature())
		}
		for e := range t.EmbeddedTypes() {
			m.visit(e)
		}
	}
}

func (m mention) name(obj *types.TypeName, args *types.TypeList) {
	if fromCell(obj) {
		m.names[obj.Name()] = true
	} else if obj.Pkg() != nil {
		m.packages[obj.Pkg().Path()] = true
	}
	for a := range args.Types() {
		m.visit(a)
	}
}
