package gokernel

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// A viewType is how a type of package gpu with elements in rows and columns is passed to a kernel.
type viewType struct {
	c      string
	pass   string   // the function of package gpu
	param  string   // the type of the launcher's parameter
	fields []string // after the elements
}

var viewTypes = map[string]viewType{
	"View2D": {"go::view2", "PassView2D", "Ptr2D", []string{"Rows", "Cols", "Stride"}},
	"View3D": {"go::view3", "PassView3D", "Ptr3D", []string{"Planes", "Rows", "Cols"}},
}

// viewOf returns what kind of view a type is, and the type of its elements.
func viewOf(typ types.Type) (v viewType, elem types.Type, ok bool) {
	named, isNamed := types.Unalias(typ).(*types.Named)
	if !isNamed || !fromGPU(named.Obj()) || named.TypeArgs().Len() != 1 {
		return v, nil, false
	}
	v, ok = viewTypes[named.Obj().Name()]
	return v, named.TypeArgs().At(0), ok
}

// viewParam is kernelParam for a view.
func (f *function) viewParam(at ast.Node, v viewType, elem types.Type, name string) (params, body []string) {
	params, _ = f.kernelParam(at, types.NewParam(at.Pos(), nil, name, types.NewSlice(elem)), name)
	values := []string{params[0][strings.LastIndex(params[0], "*")+1:], name + "_len"}
	if _, basic := elem.Underlying().(*types.Basic); !basic {
		values[0] = "(" + f.cType(at, elem) + " *)" + values[0]
	}
	for _, field := range v.fields {
		params = append(params, fmt.Sprintf("long long %s_%s", name, field))
		values = append(values, name+"_"+field)
	}
	return params, []string{fmt.Sprintf("%s<%s> %s = {{%s}, %s};", v.c, f.cType(at, elem), name, strings.Join(values[:2], ", "), strings.Join(values[2:], ", "))}
}

// viewCall translates a call of a view's method. It reports whether it is one.
func (f *function) viewCall(call *ast.CallExpr) (string, bool) {
	fun, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || f.src.Info.Selections[fun] == nil {
		return "", false
	}
	typ := f.typeOf(fun.X)
	pointer, isPointer := typ.Underlying().(*types.Pointer)
	if isPointer {
		typ = pointer.Elem()
	}
	if _, _, ok = viewOf(typ); !ok {
		return "", false
	}
	x := f.expr(fun.X)
	if isPointer {
		x = f.deref(fun.X)
	}
	args := f.arguments(call, f.typeOf(call.Fun).(*types.Signature))
	value := ""
	method := map[string]string{"At": "at", "Set": "at", "Ref": "at", "Row": "row"}[fun.Sel.Name]
	if fun.Sel.Name == "Set" {
		args, value = args[:len(args)-1], " = "+args[len(args)-1]
	}
	if !f.unchecked {
		args = append(args, f.at(call))
	}
	code := fmt.Sprintf("%s.%s(%s)%s", x, method, strings.Join(args, ", "), value)
	if fun.Sel.Name == "Ref" {
		code = "(&" + code + ")"
	}
	return code, true
}
