package session

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
)

// A composed type consists of types that cells have declared, such as map[string]T or Box[T], and was mentioned in a cell.
// Interfaces may hold values of it. When T is compiled again, it is another type to the runtime, and so are the types
// composed of it. Reflection can't create them: a later cell that mentions map[string]T would have a type of its own.

// maxComposed is the maximum number of composed types that are kept.
const maxComposed = 5000

// pathNames are unambiguous names for types: those of cells unchanged, and those of packages with the whole path.
type pathNames map[string]string // path → alias

func (n pathNames) cellType(obj *types.TypeName) (string, bool) {
	return obj.Name(), fromCell(obj) && obj.Parent() == obj.Pkg().Scope()
}
func (n pathNames) cellMember(name string) string { return name }
func (n pathNames) embedded(name string) string   { return name }

func (n pathNames) alias(path string) string {
	n[path] = fmt.Sprintf("%sp%x", prefix+prefix, path)
	return n[path]
}

// composed returns the composed types of the program after the cell, by their text.
func (c *checked) composed() map[string]types.Type {
	all := maps.Clone(c.base.composed)
	for text, pair := range c.recomposed() {
		delete(all, text)
		if pair[1] != nil {
			all[text] = pair[1]
		}
	}
	seen := map[types.Type]bool{}
	for _, tv := range c.info.Types {
		t := types.Unalias(tv.Type)
		if seen[t] || len(all) >= maxComposed || !isComposed(t) {
			continue
		}
		seen[t] = true
		names := pathNames{}
		text, err := typeText(t, names)
		if err != nil || all[text] != nil {
			continue
		}
		// A type that mentions a type parameter has a text, but no meaning outside of its func.
		if again := c.evaluate(text, t, names); again != nil && types.Identical(again, t) {
			all[text] = t
		}
	}
	return all
}

func isComposed(t types.Type) bool {
	switch t := t.(type) {
	case *types.Named:
		return t.TypeArgs().Len() > 0 && len(mentioned(t)) > 0
	case *types.Pointer, *types.Slice, *types.Array, *types.Map, *types.Chan, *types.Signature, *types.Struct:
		return len(mentioned(t)) > 0
	}
	return false
}

// recomposed returns the composed types that the cell changes, before and after: nil if the new one has another layout or
// does not exist.
func (c *checked) recomposed() map[string][2]types.Type {
	changed := c.newTypes()
	if len(changed) == 0 {
		return nil
	}
	pairs := map[string][2]types.Type{}
	for text, was := range c.base.composed {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(mentioned(was))), func(name string) bool { return changed[name] }) {
			continue
		}
		names := pathNames{}
		for _, path := range foreign(was) {
			names.alias(path)
		}
		is := c.evaluate(text, was, names)
		if is != nil && !sameLayout(was, is) {
			is = nil
		}
		pairs[text] = [2]types.Type{was, is}
	}
	return pairs
}

// newTypes returns the names of types that the cell changes.
func (c *checked) newTypes() map[string]bool {
	changed := map[string]bool{}
	for _, name := range c.pkg.Scope().Names() {
		if old := c.base.names[name]; old != nil && old.obj != c.pkg.Scope().Lookup(name) {
			if _, ok := old.obj.(*types.TypeName); ok {
				changed[name] = true
			}
		}
	}
	return changed
}

// evaluate returns the type that a text denotes in the next cell, or nil. like mentions the same names.
func (c *checked) evaluate(text string, like types.Type, names pathNames) types.Type {
	scope := types.NewPackage(mainPath, "main")
	for name := range mentioned(like) {
		obj := c.pkg.Scope().Lookup(name)
		if old := c.base.names[name]; obj == nil && old != nil {
			obj = old.obj
		}
		if obj != nil {
			scope.Scope().Insert(obj)
		}
	}
	for path, alias := range names {
		if pkg, err := c.importer.Import(path); err == nil {
			scope.Scope().Insert(types.NewPkgName(token.NoPos, scope, alias, pkg))
		}
	}
	tv, err := types.Eval(c.fset, scope, token.NoPos, text)
	if err != nil || !tv.IsType() {
		return nil
	}
	return tv.Type
}

// retypings returns the text that registers types which are compiled again, and those whose values can be used as
// values of the new ones.
func (e *emitter) retypings() string {
	var text string
	changed := e.newTypes()
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		was := e.base.names[name].obj.(*types.TypeName)
		is, _ := e.pkg.Scope().Lookup(name).(*types.TypeName)
		switch {
		case is == nil || !hasValues(was):
		case isGeneric(was):
			text += e.replaces(name, "values of generic types are not changed")
		case !hasValues(is) || isGeneric(is) || !sameLayout(was.Type(), is.Type()):
			text += e.replaces(name, "it is another type now")
		default:
			text += e.retypes(name, was.Type(), is.Type()) + e.retypes(name, types.NewSlice(was.Type()), types.NewSlice(is.Type()))
		}
	}
	pairs := e.recomposed()
	for _, plain := range slices.Sorted(maps.Keys(pairs)) {
		if pair := pairs[plain]; pair[1] != nil {
			text += e.retypes("", pair[0], pair[1])
		}
	}
	return text
}

func (e *emitter) replaces(name, why string) string {
	return fmt.Sprintf("%s.Replace(%q, %q)\n", e.alias(CellImport), name, why)
}

// retypes returns the text that registers that values of was may be used as values of is, or "" if a file can't name them.
func (e *emitter) retypes(name string, was, is types.Type) string {
	from, err := e.typeText(was)
	if err != nil {
		return ""
	}
	to, err := e.typeText(is)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s.Retype(%s, (*%s)(nil), (*%s)(nil))\n", e.alias(CellImport), strconv.Quote(name), parenthesized(from), parenthesized(to))
}

// parenthesized separates the results of a func type from the text that follows.
func parenthesized(text string) string { return "(" + text + ")" }

// hasValues reports whether interfaces may hold values of a declared type under its name: it is neither an alias
// nor an interface.
func hasValues(obj *types.TypeName) bool {
	named, ok := obj.Type().(*types.Named)
	return ok && !obj.IsAlias() && !types.IsInterface(named)
}

func isGeneric(obj *types.TypeName) bool { return obj.Type().(*types.Named).TypeParams().Len() > 0 }
