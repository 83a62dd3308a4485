package session

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// The storage of a variable is declared apart from the statement that sets it, so its type is written. Types that only their
// own package can name, such as that of binary.LittleEndian, are inferred by the compiler, from something of that type that
// needs no evaluation: a variable, or a func that is not called.

// inferred returns the text of an expression whose value is the zero value of v's type.
func (e *emitter) inferred(v *types.Var) (string, error) {
	x, i := e.valueOf(v)
	if x == nil {
		return "", errors.New("the value that it is set to is not found")
	}
	return e.zeroOf(x, i)
}

// valueOf returns the expression that a variable is set to where it is declared, and the index among the expression's
// values. The expression is nil if there is none.
func (e *emitter) valueOf(v *types.Var) (ast.Expr, int) {
	for _, ch := range e.chunks {
		for _, d := range ch.definitions() {
			i := slices.IndexFunc(d.names, func(id *ast.Ident) bool { return e.info.Defs[id] == v })
			switch {
			case i < 0 || len(d.values) == 0:
			case len(d.names) == len(d.values):
				return d.values[i], 0
			default:
				return d.values[0], i
			}
		}
	}
	return nil, 0
}

var errNotSimple = errors.New("its type can't be named outside of its package, nor be inferred from such an expression")

// zeroOf returns the text of a zero value of the type of value i of x.
func (e *emitter) zeroOf(x ast.Expr, i int) (string, error) {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		text, ok := e.variable(x)
		if !ok {
			return "", errNotSimple
		}
		return fmt.Sprintf("%s(%s)", e.zeroFunc("[T any](T) (_ T)"), text), nil
	case *ast.CallExpr:
		if e.isMust(x.Fun) && len(x.Args) == 1 {
			return e.zeroOf(x.Args[0], 0)
		}
		return e.zeroOfResult(x, i)
	}
	return "", errNotSimple
}

// variable returns the text of x if it denotes a variable of a package or cell.
func (e *emitter) variable(x ast.Expr) (string, bool) {
	var id *ast.Ident
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return "", false
	}
	v, ok := e.info.Uses[id].(*types.Var)
	if !ok || v.Pkg() == nil {
		return "", false
	}
	if h, ok := e.homes[v]; ok {
		return e.qualified(h), true
	}
	if v.IsField() || v.Parent() != v.Pkg().Scope() {
		return "", false
	}
	return e.alias(v.Pkg().Path()) + "." + v.Name(), true
}

func (e *emitter) isMust(f ast.Expr) bool {
	id, ok := f.(*ast.Ident)
	return ok && e.homes[e.info.Uses[id]] == home{CellImport, "Must"}
}

// zeroOfResult returns the text of a zero value of the type of result i of a call.
func (e *emitter) zeroOfResult(call *ast.CallExpr, i int) (string, error) {
	sig, ok := e.info.TypeOf(call.Fun).(*types.Signature)
	if !ok || i >= sig.Results().Len() {
		return "", errNotSimple
	}
	pattern, err := e.pattern(sig, i)
	if err != nil {
		return "", err
	}
	if f, ok := e.declaredFunc(call.Fun); ok {
		return fmt.Sprintf("%s(%s)", e.zeroFunc("[T any](func"+pattern+") (_ T)"), f), nil
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return "", errNotSimple
	}
	if method := e.info.Selections[sel]; method == nil || method.Kind() != types.MethodVal {
		return "", errNotSimple
	}
	// It is a method of a variable, or of a value whose type can be named.
	has := fmt.Sprintf("[X interface { %s%s }, T any](X) (_ T)", sel.Sel.Name, pattern)
	of := e.info.TypeOf(sel.X)
	value, known := e.variable(sel.X)
	if !known {
		text, err := e.typeText(of)
		if err != nil {
			return "", errNotSimple
		}
		value = "*new(" + text + ")"
	}
	_, pointer := of.Underlying().(*types.Pointer)
	if !pointer && !types.IsInterface(of) { // it may be a method of the pointer type
		if value = "&" + value; !known {
			value = "new(" + strings.TrimPrefix(value, "&*new(")
		}
	}
	return fmt.Sprintf("%s(%s)", e.zeroFunc(has), value), nil
}

// pattern returns the text of parameters and results, with T as the type of result i and the written types of all others.
func (e *emitter) pattern(sig *types.Signature, i int) (string, error) {
	t := types.NewTypeParam(types.NewTypeName(token.NoPos, nil, "T", nil), types.NewInterfaceType(nil, nil))
	var results []*types.Var
	for k := range sig.Results().Len() {
		typ := sig.Results().At(k).Type()
		if k == i {
			typ = t
		}
		results = append(results, types.NewParam(token.NoPos, nil, "", typ))
	}
	text, err := e.typeText(types.NewSignatureType(nil, nil, nil, sig.Params(), types.NewTuple(results...), sig.Variadic()))
	if err != nil {
		return "", errNotSimple
	}
	return strings.TrimPrefix(text, "func"), nil
}

// declaredFunc returns the text of f if it denotes a func of a package or cell, or a variable of func type.
func (e *emitter) declaredFunc(f ast.Expr) (string, bool) {
	if text, ok := e.variable(f); ok {
		return text, true
	}
	var id *ast.Ident
	switch f := ast.Unparen(f).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return "", false
	}
	fn, ok := e.info.Uses[id].(*types.Func)
	if !ok || fn.Signature().Recv() != nil || fn.Signature().TypeParams() != nil {
		return "", false
	}
	if h, ok := e.homes[fn]; ok {
		return e.qualified(h), true
	}
	if fn.Pkg() == nil {
		return "", false
	}
	return e.alias(fn.Pkg().Path()) + "." + fn.Name(), true
}

// zeroFunc declares a func that returns a zero value, and returns the func's name.
func (e *emitter) zeroFunc(signature string) string {
	e.zeros++
	name := fmt.Sprintf("%szero%d", prefix+prefix, e.zeros)
	fmt.Fprintf(&e.zeroFuncs, "\nfunc %s%s { return }", name, signature)
	return name
}
