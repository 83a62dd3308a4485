package session

import (
	"go/ast"
	"go/types"
)

// Embedded fields have the name of their type, which is renamed in the emitted text.

// embedsLocal reports whether a field has its name from a type that is declared in a func, which is not renamed.
func embedsLocal(field *types.Var) bool {
	t := field.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := t.(interface{ Obj() *types.TypeName })
	return ok && field.Embedded() && fromCell(named.Obj()) && named.Obj().Parent() != named.Obj().Pkg().Scope()
}

// embeddedPredeclared returns the predeclared types that a struct embeds. The field has the type's name, so other packages
// could not access it: package cell declares these types under names with the prefix.
func (e *emitter) embeddedPredeclared(s *ast.StructType) []*ast.Ident {
	var found []*ast.Ident
	for _, f := range s.Fields.List {
		t := f.Type
		if star, ok := t.(*ast.StarExpr); ok {
			t = star.X
		}
		id, ok := t.(*ast.Ident)
		if ok && len(f.Names) == 0 && e.info.Uses[id] != nil && e.info.Uses[id].Pkg() == nil {
			found = append(found, id)
		}
	}
	return found
}
