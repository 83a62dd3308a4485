package session

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"
)

// A namer returns the names of objects in a file.
type namer interface {
	// cellType returns the text of a type that a cell has declared.
	cellType(*types.TypeName) (string, bool)
	// cellMember returns the name of a field or method of such a type.
	cellMember(name string) string
	// embedded returns the text of a predeclared type that a struct of a cell embeds.
	embedded(name string) string
	// alias returns the name under which the file imports a package.
	alias(path string) string
}

// A typeWriter writes types as Go text.
type typeWriter struct {
	strings.Builder
	names namer
	err   error
}

// typeText returns the text of t in the emitted file, and an error for a type that only
// its own package can name.
func (e *emitter) typeText(t types.Type) (string, error) {
	return typeText(t, e)
}

func typeText(t types.Type, names namer) (string, error) {
	w := &typeWriter{names: names}
	w.write(t)
	return w.String(), w.err
}

func (e *emitter) cellType(obj *types.TypeName) (string, bool) {
	h, ok := e.homes[obj]
	if !ok {
		return "", false
	}
	return e.qualified(h), true
}

func (e *emitter) cellMember(name string) string { return exported(name) }

func (e *emitter) embedded(name string) string {
	return e.alias(CellImport) + "." + prefix + name
}

func (w *typeWriter) write(t types.Type) {
	switch t := t.(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			w.WriteString(w.names.alias("unsafe") + ".Pointer")
			return
		}
		w.WriteString(t.Name())
	case *types.Alias:
		w.named(t.Obj(), t.TypeArgs())
	case *types.Named:
		w.named(t.Obj(), t.TypeArgs())
	case *types.TypeParam:
		w.WriteString(t.Obj().Name())
	case *types.Pointer:
		w.WriteString("*")
		w.write(t.Elem())
	case *types.Slice:
		w.WriteString("[]")
		w.write(t.Elem())
	case *types.Array:
		fmt.Fprintf(w, "[%d]", t.Len())
		w.write(t.Elem())
	case *types.Map:
		w.WriteString("map[")
		w.write(t.Key())
		w.WriteString("]")
		w.write(t.Elem())
	case *types.Chan:
		w.WriteString(map[types.ChanDir]string{types.SendRecv: "chan ", types.SendOnly: "chan<- ", types.RecvOnly: "<-chan "}[t.Dir()])
		w.WriteString("(")
		w.write(t.Elem())
		w.WriteString(")")
	case *types.Signature:
		w.WriteString("func")
		w.signature(t)
	case *types.Struct:
		w.structType(t)
	case *types.Interface:
		w.interfaceType(t)
	case *types.Union:
		for i := range t.Len() {
			if i > 0 {
				w.WriteString(" | ")
			}
			if t.Term(i).Tilde() {
				w.WriteString("~")
			}
			w.write(t.Term(i).Type())
		}
	default:
		w.err = fmt.Errorf("a variable can't have the type %s", t)
	}
}

func (w *typeWriter) named(obj *types.TypeName, args *types.TypeList) {
	switch text, ok := w.names.cellType(obj); {
	case ok:
		w.WriteString(text)
	case obj.Pkg() == nil:
		w.WriteString(obj.Name())
	case !obj.Exported() || obj.Parent() != obj.Pkg().Scope():
		w.err = fmt.Errorf("its type %s can't be named outside of its package", obj.Type())
	default:
		w.WriteString(w.names.alias(obj.Pkg().Path()) + "." + obj.Name())
	}
	if args.Len() > 0 {
		w.WriteString("[")
		for i := range args.Len() {
			if i > 0 {
				w.WriteString(", ")
			}
			w.write(args.At(i))
		}
		w.WriteString("]")
	}
}

func (w *typeWriter) signature(t *types.Signature) {
	w.WriteString("(")
	for i := range t.Params().Len() {
		if i > 0 {
			w.WriteString(", ")
		}
		p := t.Params().At(i).Type()
		if t.Variadic() && i == t.Params().Len()-1 {
			w.WriteString("...")
			p = p.(*types.Slice).Elem()
		}
		w.write(p)
	}
	w.WriteString(") (")
	for i := range t.Results().Len() {
		if i > 0 {
			w.WriteString(", ")
		}
		w.write(t.Results().At(i).Type())
	}
	w.WriteString(")")
}

func (w *typeWriter) structType(t *types.Struct) {
	w.WriteString("struct{")
	for i := range t.NumFields() {
		if i > 0 {
			w.WriteString("; ")
		}
		f := t.Field(i)
		if !f.Embedded() {
			w.WriteString(w.member(f) + " ")
		}
		w.fieldType(f)
		if tag := t.Tag(i); tag != "" {
			w.WriteString(" " + strconv.Quote(tag))
		}
	}
	w.WriteString("}")
}

// fieldType writes a field's type. An embedded predeclared type has another name: see
// embeddedPredeclared.
func (w *typeWriter) fieldType(f *types.Var) {
	t := f.Type()
	if p, ok := t.(*types.Pointer); ok && f.Embedded() {
		w.WriteString("*")
		t = p.Elem()
	}
	if f.Embedded() && fromCell(f) && types.Universe.Lookup(f.Name()) != nil {
		if obj, ok := types.Universe.Lookup(f.Name()).(*types.TypeName); ok && types.Identical(obj.Type(), t) {
			w.WriteString(w.names.embedded(f.Name()))
			return
		}
	}
	w.write(t)
}

func (w *typeWriter) interfaceType(t *types.Interface) {
	if t.NumMethods() == 0 && t.NumEmbeddeds() == 0 {
		w.WriteString("any")
		return
	}
	w.WriteString("interface{")
	for i := range t.NumExplicitMethods() {
		m := t.ExplicitMethod(i)
		w.WriteString(w.member(m))
		w.signature(m.Signature())
		w.WriteString("; ")
	}
	for i := range t.NumEmbeddeds() {
		w.write(t.EmbeddedType(i))
		w.WriteString("; ")
	}
	w.WriteString("}")
}

// member returns the name of a field or method in the emitted text.
func (w *typeWriter) member(obj types.Object) string {
	switch {
	case obj.Exported():
		return obj.Name()
	case fromCell(obj):
		return w.names.cellMember(obj.Name())
	}
	w.err = fmt.Errorf("its type has the unexported member %s of package %s", obj.Name(), obj.Pkg().Path())
	return obj.Name()
}
