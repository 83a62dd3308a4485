package gokernel

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// conversion translates T(x).
func (f *function) conversion(call *ast.CallExpr) string {
	to, x := f.typeOf(call), call.Args[0]
	if tv := f.src.Info.Types[x]; tv.Value != nil && basicInfo(to) != 0 {
		return f.constant(call, to, tv.Value)
	}
	if isUntyped(f.src.Info.TypeOf(x)) && isShift(x) {
		return f.value(x, to)
	}
	from := f.typeOf(x)
	if basicInfo(to) == 0 || basicInfo(from) == 0 {
		if types.IdenticalIgnoreTags(to.Underlying(), from.Underlying()) {
			return f.asStruct(x, to)
		}
		if code := f.arrayOf(call, to, x); code != "" {
			return code
		}
		refuseConversion(call, to, from)
	}
	noHalfConversion(call, to, from)
	c := f.cType(call, to)
	if c == "float" {
		if code := f.singlePrecision(x); code != "" {
			return code
		}
	}
	// An explicit conversion rounds, so the product is no part of a fused multiply-add.
	if b, ok := ast.Unparen(x).(*ast.BinaryExpr); ok && b.Op == token.MUL && isFloat(from) {
		name := "__dmul_rn("
		if f.cType(x, from) == "float" {
			name = "__fmul_rn("
		}
		code := name + bare(f.value(b.X, from)) + ", " + bare(f.value(b.Y, from)) + ")"
		if c == f.cType(x, from) {
			return code
		}
		return "(" + c + ")" + code
	}
	code := f.expr(x)
	if c == f.cType(x, from) {
		return code
	}
	if c == "short" && isInteger(from) {
		return "go::short_of((unsigned)" + wrapped(code) + ")"
	}
	return "(" + c + ")" + wrapped(code)
}

// arrayOf translates the conversion of a slice to an array or to a pointer to one, or returns "".
func (f *function) arrayOf(call *ast.CallExpr, to types.Type, x ast.Expr) string {
	if _, ok := f.typeOf(x).Underlying().(*types.Slice); !ok {
		return ""
	}
	start := ""
	if p, ok := to.Underlying().(*types.Pointer); ok {
		to = p.Elem()
	} else {
		start = "*"
	}
	a, ok := to.Underlying().(*types.Array)
	if !ok || a.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("(%sgo::array_in<%s>(%s, %d, %s))", start, f.cType(call, to), bare(f.expr(x)), a.Len(), f.at(call))
}

// wrapped returns code in parentheses, unless it is a name or a number.
func wrapped(code string) string {
	for _, r := range code {
		if !(r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return "(" + bare(code) + ")"
		}
	}
	return code
}

// singlePrecision returns the code of a function of package math in single precision if the user's text is float32(math.F(float64(x))) with
// float32s, and else "". The result may differ from the rounded one of double precision by the error of CUDA's function.
func (f *function) singlePrecision(x ast.Expr) string {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return ""
	}
	c := mathFunctions[f.nameIn("math", call.Fun)]
	if c == "" {
		return ""
	}
	single := types.Typ[types.Float32]
	args := ""
	for i, arg := range call.Args {
		code := ""
		if v := f.src.Info.Types[arg].Value; v != nil {
			code = f.constant(arg, single, v)
		} else {
			conv, ok := ast.Unparen(arg).(*ast.CallExpr)
			if !ok || !f.src.Info.Types[conv.Fun].IsType() || !isKind(f.typeOf(conv.Args[0]), types.Float32) {
				return ""
			}
			code = bare(f.expr(conv.Args[0]))
		}
		if i > 0 {
			args += ", "
		}
		args += code
	}
	return c + "f(" + args + ")"
}

func isKind(typ types.Type, kind types.BasicKind) bool {
	b, ok := typ.Underlying().(*types.Basic)
	return ok && b.Kind() == kind
}

// refuseConversion refuses a conversion with the reason why one of the types is not there, if that is so.
func refuseConversion(call *ast.CallExpr, to, from types.Type) {
	for _, typ := range []types.Type{to, from} {
		if types.IsInterface(typ) || basicInfo(typ)&types.IsString != 0 {
			refuse(call, "%s", whyNot(typ))
		}
	}
	refuse(call, "a kernel cannot convert %s to %s", from, to)
}
