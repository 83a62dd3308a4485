package gokernel

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// typeOf returns the type of an expression in this instance of the function.
func (f *function) typeOf(e ast.Expr) types.Type {
	typ := f.src.Info.TypeOf(e)
	if typ == nil {
		refuse(e, "the type of this expression is not known")
	}
	return f.subst(typ)
}

// value returns an expression as a value of the type, which matters for constants.
func (f *function) value(e ast.Expr, typ types.Type) string {
	tv := f.src.Info.Types[e]
	switch {
	case tv.Value != nil:
		return f.constant(e, typ, tv.Value)
	case tv.IsNil():
		if _, ok := typ.Underlying().(*types.Pointer); ok {
			return "nullptr"
		}
		return f.cType(e, typ) + "{}"
	}
	if isUntyped(f.src.Info.TypeOf(e)) && isShift(e) {
		return f.shiftOf(ast.Unparen(e).(*ast.BinaryExpr), typ)
	}
	return f.asStruct(e, typ)
}

// asStruct returns an expression as a value of the type. Go assigns and converts structs that have the same fields, for which C++ has several types.
func (f *function) asStruct(e ast.Expr, typ types.Type) string {
	code := f.expr(e)
	if _, ok := f.subst(typ).Underlying().(*types.Struct); !ok {
		return code
	}
	to := f.cType(e, typ)
	if to == f.cType(e, f.typeOf(e)) {
		return code
	}
	return fmt.Sprintf("go::same_bits<%s>(%s)", to, bare(code))
}

func isUntyped(typ types.Type) bool {
	b, ok := typ.(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}

func isShift(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	return ok && (b.Op == token.SHL || b.Op == token.SHR)
}

// expr returns the C++ code of an expression. Code that must run before it is written as statements.
func (f *function) expr(e ast.Expr) string {
	if tv := f.src.Info.Types[e]; tv.Value != nil {
		return f.constant(e, defaultType(f.typeOf(e)), tv.Value)
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return f.expr(e.X)
	case *ast.Ident:
		return f.ident(e)
	case *ast.BinaryExpr:
		return f.binaryExpr(e)
	case *ast.UnaryExpr:
		return f.unary(e)
	case *ast.StarExpr:
		return f.deref(e.X)
	case *ast.CallExpr:
		return f.call(e, false)
	case *ast.IndexExpr:
		return f.index(e)
	case *ast.SliceExpr:
		return f.slice(e)
	case *ast.SelectorExpr:
		return f.selector(e)
	case *ast.CompositeLit:
		return f.composite(e)
	case *ast.FuncLit:
		refuse(e, "a closure must be declared with := and called by its name")
	case *ast.TypeAssertExpr:
		refuse(e, "%s", whyNot(types.NewInterfaceType(nil, nil)))
	}
	refuse(e, "this expression is not there for kernels")
	return ""
}

// place returns the code of a variable that can be set.
func (f *function) place(e ast.Expr) string { return f.expr(ast.Unparen(e)) }

func (f *function) ident(id *ast.Ident) string {
	switch o := f.src.Info.ObjectOf(id).(type) {
	case *types.Var:
		if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
			return f.variable(id, o)
		}
		if f.isShared(id) {
			return "(&" + f.local(o) + ")"
		}
		return f.local(o)
	case *types.Func:
		refuse(id, "%s", whyNot(o.Type()))
	}
	refuse(id, "%s is no value that a kernel can use", id.Name)
	return ""
}

// deref returns what a pointer points to.
func (f *function) deref(p ast.Expr) string {
	if id, ok := ast.Unparen(p).(*ast.Ident); ok && f.isShared(id) {
		return f.local(f.src.Info.ObjectOf(id))
	}
	return "(*" + f.expr(p) + ")"
}

func (f *function) unary(e *ast.UnaryExpr) string {
	typ := f.typeOf(e)
	noHalf(e, e.Op.String(), typ)
	switch e.Op {
	case token.AND:
		if _, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
			refuse(e, "a kernel cannot allocate memory: declare a variable and take its address")
		}
		return "(&" + f.place(e.X) + ")"
	case token.NOT:
		return "(!" + f.expr(e.X) + ")"
	case token.ADD:
		return f.value(e.X, typ)
	case token.SUB:
		if isInteger(typ) {
			return "go::negative(" + bare(f.value(e.X, typ)) + ")"
		}
		return "(-" + f.value(e.X, typ) + ")"
	case token.XOR:
		return "(" + f.cType(e, typ) + ")(~" + f.value(e.X, typ) + ")"
	}
	refuse(e, "%s", whyNot(types.NewChan(types.SendRecv, nil)))
	return ""
}

// index returns an element of a slice or an array.
func (f *function) index(e *ast.IndexExpr) string {
	typ := f.typeOf(e.X).Underlying()
	x := ""
	switch u := typ.(type) {
	case *types.Pointer:
		x, typ = f.deref(e.X), u.Elem().Underlying()
	case *types.Slice, *types.Array:
		x = f.expr(e.X)
	default:
		if name, n := f.constantText(e.X); name != "" {
			return fmt.Sprintf("go::slice<const unsigned char>{%s, %d}.at(%s, %s)", name, n, f.indexValue(e.Index), f.at(e))
		}
		refuse(e.X, "%s", whyNot(typ))
	}
	i := f.indexValue(e.Index)
	_, array := typ.(*types.Array)
	if known := f.src.Info.Types[e.Index].Value != nil; f.unchecked || array && known {
		return x + "[" + strings.TrimSuffix(i, "ll") + "]"
	}
	return fmt.Sprintf("%s.at(%s, %s)", x, i, f.at(e))
}

// indexValue returns an index.
func (f *function) indexValue(e ast.Expr) string {
	return bare(f.value(e, defaultType(f.typeOf(e))))
}

// at returns a node's file and line in the user's text, as arguments for messages.
func (f *function) at(n ast.Node) string {
	p := f.t.position(n.Pos())
	return fmt.Sprintf("%s, %d", cString(p.Filename), p.Line)
}

// slice returns a part of a slice or an array.
func (f *function) slice(e *ast.SliceExpr) string {
	if e.Slice3 {
		refuse(e, "a slice has no capacity in a kernel: use two indices")
	}
	typ, x := f.typeOf(e.X).Underlying(), ""
	if p, ok := typ.(*types.Pointer); ok {
		typ, x = p.Elem().Underlying(), f.deref(e.X)
	} else {
		x = f.place(e.X)
	}
	n := x + ".n"
	switch u := typ.(type) {
	case *types.Array:
		n = fmt.Sprint(u.Len(), "ll")
		x = fmt.Sprintf("go::slice<%s>{%s.v, %s}", f.cType(e, u.Elem()), x, n)
	case *types.Slice:
	default:
		refuse(e.X, "%s", whyNot(typ))
	}
	if e.Low == nil && e.High == nil {
		return x
	}
	low, high := "0ll", n
	if e.Low != nil {
		low = f.indexValue(e.Low)
	}
	if e.High != nil {
		high = f.indexValue(e.High)
	}
	if f.unchecked {
		return fmt.Sprintf("%s.part(%s, %s)", x, low, high)
	}
	return fmt.Sprintf("%s.part(%s, %s, %s)", x, low, high, f.at(e))
}

// selector returns a field.
func (f *function) selector(e *ast.SelectorExpr) string {
	s := f.src.Info.Selections[e]
	if s == nil { // a name of a package
		return f.ident(e.Sel)
	}
	if s.Kind() != types.FieldVal {
		refuse(e, "%s", whyNot(s.Type()))
	}
	if call, ok := ast.Unparen(e.X).(*ast.CallExpr); ok {
		if name := f.gpuName(call.Fun); dimensions[name] != "" {
			return "(long long)" + dimensions[name] + "." + strings.ToLower(e.Sel.Name)
		}
	}
	return f.field(f.typeOf(e.X), e.X, s.Index())
}

// field returns a field of an expression, possibly of an embedded struct.
func (f *function) field(typ types.Type, of ast.Expr, path []int) string {
	code := ""
	if _, ok := typ.Underlying().(*types.Pointer); ok {
		code = f.deref(of)
		typ = typ.Underlying().(*types.Pointer).Elem()
	} else {
		code = f.expr(of)
	}
	for i, n := range path {
		if p, ok := typ.Underlying().(*types.Pointer); ok && i > 0 {
			code, typ = "(*"+code+")", p.Elem()
		}
		v := f.subst(typ).Underlying().(*types.Struct).Field(n)
		code += "." + cName(v.Name())
		typ = v.Type()
	}
	return code
}

// composite returns a struct or an array literal.
func (f *function) composite(e *ast.CompositeLit) string {
	typ := f.typeOf(e)
	var values []string
	switch u := typ.Underlying().(type) {
	case *types.Struct:
		given := map[string]ast.Expr{}
		for i, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				given[kv.Key.(*ast.Ident).Name] = kv.Value
			} else {
				given[u.Field(i).Name()] = elt
			}
		}
		for v := range u.Fields() {
			switch x := given[v.Name()]; {
			case x == nil || v.Name() == "_":
				values = append(values, "{}")
			default:
				values = append(values, bare(f.value(x, v.Type())))
			}
		}
		return f.cType(e, typ) + "{" + strings.Join(values, ", ") + "}"
	case *types.Array:
		list, _ := f.elements(e, u.Elem())
		return f.cType(e, typ) + "{{" + list + "}}"
	case *types.Slice:
		refuse(e, "a kernel cannot allocate a slice: use an array, [...]%s{…}", u.Elem())
	}
	refuse(e, "%s", whyNot(typ))
	return ""
}

// elements returns the elements of an array or slice literal, and their number.
func (f *function) elements(e *ast.CompositeLit, elem types.Type) (list string, n int) {
	values := make([]string, 0, len(e.Elts))
	next := 0
	for _, elt := range e.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			n, _ := strconv.Atoi(f.src.Info.Types[kv.Key].Value.ExactString())
			next, elt = n, kv.Value
		}
		for len(values) <= next {
			values = append(values, "{}")
		}
		values[next] = bare(f.value(elt, elem))
		next++
	}
	return strings.Join(values, ", "), len(values)
}
