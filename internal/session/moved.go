package session

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

const movedName = "moved variables"

// movedFile returns a file that declares the moved variables.
func (r *redefinition) movedFile() *ast.File {
	names := plainNames{}
	var vars strings.Builder
	for _, name := range slices.Sorted(maps.Keys(r.moved)) {
		text, err := typeText(r.moved[name].Type(), names)
		if err != nil {
			text = "struct{}" // which has another layout
		}
		fmt.Fprintf(&vars, "; var %s %s", name, text)
	}
	text := "package main"
	for _, path := range slices.Sorted(maps.Keys(names)) {
		text += fmt.Sprintf("; import %s %q", names[path], path)
	}
	f, err := parser.ParseFile(r.fset, movedName, text+vars.String(), parser.SkipObjectResolution)
	if err != nil {
		panic("moved variables: " + err.Error())
	}
	return f
}

// plainNames are the names of types in cells, and the aliases of packages by path.
type plainNames map[string]string

func (n plainNames) cellType(obj *types.TypeName) (string, bool) { return obj.Name(), fromCell(obj) }
func (n plainNames) cellMember(name string) string               { return name }
func (n plainNames) embedded(name string) string                 { return name }

func (n plainNames) alias(path string) string {
	if n[path] == "" {
		n[path] = fmt.Sprintf("%sp%d", prefix+prefix, len(n))
	}
	return n[path]
}

// movedAt returns the moved variable whose declaration contains pos.
func (r *redefinition) movedAt(c *checked, pos token.Pos) string {
	last, at := "", token.NoPos
	for name := range r.moved {
		if obj := c.pkg.Scope().Lookup(name); obj != nil && at < obj.Pos() && obj.Pos() <= pos {
			last, at = name, obj.Pos()
		}
	}
	return last
}

// changedIn returns the first type in t that is compiled again.
func (r *redefinition) changedIn(t types.Type) string {
	names := slices.Sorted(maps.Keys(mentioned(t)))
	for _, name := range names {
		if r.decls[name] || r.base.names[name] != nil && r.carried[r.base.names[name].decl] != nil {
			return name
		}
	}
	if len(names) == 0 {
		return types.TypeString(t, shortQualifier)
	}
	return strings.Join(names, ", ")
}
