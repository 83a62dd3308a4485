package gokernel

import (
	"go/ast"
	"go/types"
	"strings"
)

// halfName returns the name of a 16-bit float of package gpu, or "". It is an integer in Go and in C++.
func halfName(typ types.Type) string {
	named, ok := types.Unalias(typ).(*types.Named)
	if !ok || !fromGPU(named.Obj()) {
		return ""
	}
	switch name := named.Obj().Name(); name {
	case "Float16", "BFloat16":
		return name
	}
	return ""
}

// halfFunctions has the functions of the prelude for package gpu's functions, and for the methods of its 16-bit floats.
var halfFunctions = map[string]string{
	"ToFloat16": "to_half", "ToBFloat16": "to_brain", "Float16.Float32": "half_value", "BFloat16.Float32": "brain_value",
	"Float16.Add": "half_sum", "Float16.Sub": "half_difference", "Float16.Mul": "half_product", "Float16.Div": "half_quotient",
	"BFloat16.Add": "brain_sum", "BFloat16.Sub": "brain_difference", "BFloat16.Mul": "brain_product", "BFloat16.Div": "brain_quotient",
	"Float16.FMA": "half_fused", "BFloat16.FMA": "brain_fused",
}

// halfCall translates a call of a function of package gpu or of a method for 16-bit floats. It reports whether it is one.
func (f *function) halfCall(call *ast.CallExpr) (string, bool) {
	name := f.gpuName(call.Fun)
	var args []string
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if s := f.src.Info.Selections[sel]; s != nil && s.Kind() == types.MethodVal && len(s.Index()) == 1 {
			typ := f.typeOf(sel.X)
			code := ""
			if p, ok := typ.Underlying().(*types.Pointer); ok {
				typ, code = p.Elem(), f.deref(sel.X)
			}
			if halfName(typ) == "" {
				return "", false
			}
			if code == "" {
				code = f.value(sel.X, typ)
			}
			name, args = halfName(typ)+"."+sel.Sel.Name, []string{bare(code)}
		}
	}
	c := halfFunctions[name]
	if c == "" {
		return "", false
	}
	args = append(args, f.arguments(call, f.typeOf(call.Fun).(*types.Signature))...)
	return "go::" + c + "(" + strings.Join(args, ", ") + ")", true
}

// noHalf refuses an operator for 16-bit floats, since it would be that of integers.
func noHalf(at ast.Node, op string, typ types.Type) {
	if name := halfName(typ); name != "" && op != "&" {
		refuse(at, "Go's %s is not that of numbers for a gpu.%s, whose bits are an integer: use its methods, or those numbers as float32", op, name)
	}
}

// noHalfConversion refuses a conversion between 16-bit floats and others, since it would be that of integers.
func noHalfConversion(at ast.Node, to, from types.Type) {
	switch {
	case halfName(from) != "" && isFloat(to):
		refuse(at, "%s converts the bits of the gpu.%s: use its method Float32", to, halfName(from))
	case halfName(to) != "" && isFloat(from):
		refuse(at, "gpu.%s converts the number to the bits of a gpu.%[1]s: use gpu.To%[1]s", halfName(to))
	}
}
