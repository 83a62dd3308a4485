package gokernel

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// variable returns the C++ code of a variable of a package. A kernel can use one that is a table: its first value is constant and nothing in its
// package can change it.
func (f *function) variable(id *ast.Ident, v *types.Var) string {
	found := f.t.find(id, v)
	spec, _ := found.decl.(*ast.ValueSpec)
	if spec == nil || v.Exported() || !found.keeps(found.object) {
		refuse(id, "a kernel cannot use the variable %s of the host: pass it as an argument", id.Name)
	}
	if code := f.t.tables[found.object]; code != "" {
		return code
	}
	var value ast.Expr
	for i, name := range spec.Names {
		if found.Info.Defs[name] == found.object && len(spec.Values) == len(spec.Names) {
			value = spec.Values[i]
		}
	}
	in := &function{t: f.t, src: found.Program, unchecked: true, out: &strings.Builder{}}
	if value == nil || !in.constantValue(value) {
		refuse(id, "a kernel cannot use the variable %s of the host, whose first value is not constant: pass it as an argument", id.Name)
	}
	name := f.t.unique(v.Name() + "_table")
	var code string
	switch u := v.Type().Underlying().(type) {
	case *types.Slice:
		list, n := in.elements(ast.Unparen(value).(*ast.CompositeLit), u.Elem())
		elem := in.cType(value, u.Elem())
		f.t.table("%s %s[] = {%s}", elem, name, list)
		code = fmt.Sprintf("go::slice<%s>{(%[1]s *)%s, %d}", elem, name, n)
	default:
		f.t.table("%s = %s", in.declare(value, v.Type(), name), in.value(value, v.Type()))
		code = name
	}
	f.t.tables[found.object] = code
	return code
}

// table writes the declaration of data that no thread changes.
func (t *translation) table(format string, args ...any) {
	fmt.Fprintf(&t.structs.text, "static __device__ const "+format+";\n", args...)
}

// constantValue reports whether an expression is a constant, or an array, slice or struct of constants.
func (f *function) constantValue(e ast.Expr) bool {
	if f.src.Info.Types[e].Value != nil {
		return true
	}
	list, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		return false
	}
	for _, elt := range list.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			elt = kv.Value
		}
		if !f.constantValue(elt) {
			return false
		}
	}
	return true
}

// keeps reports whether nothing in the package changes a variable, or has its address or, if it is a slice, that of its elements.
func (p *Program) keeps(v types.Object) bool {
	kept := true
	for _, file := range p.Files {
		var outer []ast.Node
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil {
				outer = outer[:len(outer)-1]
				return true
			}
			if id, ok := n.(*ast.Ident); ok && p.Info.Uses[id] == v {
				kept = kept && p.reads(id, outer)
			}
			outer = append(outer, n)
			return kept
		})
		if !kept {
			return false
		}
	}
	return true
}

// reads reports whether an expression, which outer contains, only reads elements, fields, or the length.
func (p *Program) reads(e ast.Node, outer []ast.Node) bool {
	for i := len(outer) - 1; i >= 0; i-- {
		switch n := outer[i].(type) {
		case *ast.ParenExpr:
		case *ast.SelectorExpr:
			if s := p.Info.Selections[n]; s != nil && s.Kind() != types.FieldVal {
				return false // a method may have its address
			}
		case *ast.IndexExpr:
			if n.X != e {
				return true // it is the index
			}
		case *ast.RangeStmt:
			return n.X == e
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if l == e {
					return false
				}
			}
			return plain(p.Info.TypeOf(e.(ast.Expr)))
		case *ast.CallExpr:
			fun, _ := ast.Unparen(n.Fun).(*ast.Ident)
			if b, ok := p.Info.Uses[fun].(*types.Builtin); ok && fun != nil && b.Name() == "len" {
				return true
			}
			return plain(p.Info.TypeOf(e.(ast.Expr)))
		case *ast.UnaryExpr:
			return n.Op != token.AND && n.Op != token.ARROW
		case *ast.IncDecStmt, *ast.SliceExpr:
			return false
		default:
			return plain(p.Info.TypeOf(e.(ast.Expr)))
		}
		e = outer[i]
	}
	return true
}

// plain reports whether a copy of a value of the type shares no memory with it.
func plain(typ types.Type) bool {
	switch u := typ.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Array:
		return plain(u.Elem())
	case *types.Struct:
		for v := range u.Fields() {
			if !plain(v.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// constantText returns the bytes of a constant text as a table, or "".
func (f *function) constantText(e ast.Expr) (name string, length int) {
	v := f.src.Info.Types[e].Value
	if v == nil || v.Kind() != constant.String {
		return "", 0
	}
	text := constant.StringVal(v)
	if known := f.t.texts[text]; known != "" {
		return known, len(text)
	}
	name = f.t.unique("text")
	var bytes []string
	for i := range len(text) {
		bytes = append(bytes, fmt.Sprint(text[i]))
	}
	f.t.table("unsigned char %s[] = {%s}", name, strings.Join(bytes, ", "))
	f.t.texts[text] = name
	return name, len(text)
}
