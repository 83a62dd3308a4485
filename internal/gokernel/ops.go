package gokernel

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

func isInteger(typ types.Type) bool { return basicInfo(typ)&types.IsInteger != 0 }
func isFloat(typ types.Type) bool   { return basicInfo(typ)&types.IsFloat != 0 }

func basicInfo(typ types.Type) types.BasicInfo {
	if b, ok := typ.Underlying().(*types.Basic); ok {
		return b.Info()
	}
	return 0
}

// binaryExpr translates an operator with two operands.
func (f *function) binaryExpr(e *ast.BinaryExpr) string {
	op := e.Op.String()
	switch e.Op {
	case token.LAND, token.LOR:
		return f.logical(e)
	case token.SHL, token.SHR:
		return f.shiftOf(e, f.typeOf(e))
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		typ := f.compared(e)
		if e.Op != token.EQL && e.Op != token.NEQ {
			noHalf(e, op, typ)
		}
		x, y := f.value(e.X, typ), f.value(e.Y, typ)
		if e.Op == token.NEQ && basicInfo(typ) == 0 {
			return fmt.Sprintf("(!(%s == %s))", x, y)
		}
		return fmt.Sprintf("(%s %s %s)", x, op, y)
	}
	typ := f.typeOf(e)
	return f.arithmetic(e, op, typ, f.value(e.X, typ), e.Y, f.value(e.Y, typ))
}

// compared returns the type of the operands of a comparison.
func (f *function) compared(e *ast.BinaryExpr) types.Type {
	x, y := f.typeOf(e.X), f.typeOf(e.Y)
	typ := x
	if isUntyped(x) {
		typ = y
	}
	if _, ok := typ.Underlying().(*types.Slice); ok || basicInfo(typ)&types.IsUntyped != 0 && basicInfo(typ)&types.IsConstType == 0 {
		refuse(e, "a slice has no nil in a kernel: compare its length with 0")
	}
	return defaultType(typ)
}

// logical translates && and ||, whose second operand runs only if it is needed.
func (f *function) logical(e *ast.BinaryExpr) string {
	x, y := f.expr(e.X), ""
	lines := f.aside(func() { f.indent++; y = f.expr(e.Y); f.indent-- })
	if lines == "" {
		return fmt.Sprintf("(%s %s %s)", x, e.Op, y)
	}
	name := f.temp()
	f.write("bool %s = %s;", name, bare(x))
	if e.Op == token.LAND {
		f.write("if (%s) {", name)
	} else {
		f.write("if (!%s) {", name)
	}
	f.put(lines)
	f.write("\t%s = %s;", name, bare(y))
	f.write("}")
	return name
}

// arithmetic translates an operator with two operands of one type. Division by a constant needs no check.
func (f *function) arithmetic(at ast.Node, op string, typ types.Type, x string, second ast.Expr, y string) string {
	noHalf(at, op, typ)
	if isInteger(typ) && (op == "/" || op == "%") {
		if v := f.src.Info.Types[second].Value; v != nil && constant.Sign(v) != 0 && v.ExactString() != "-1" {
			return f.narrow(at, typ, fmt.Sprintf("(%s %s %s)", x, op, y))
		}
	}
	return f.binary(at, op, typ, x, y)
}

// narrow converts a result of C++'s integer promotion back.
func (f *function) narrow(at ast.Node, typ types.Type, code string) string {
	switch c := f.cType(at, typ); c {
	case "signed char", "short", "unsigned char", "unsigned short":
		return "(" + c + ")" + code
	}
	return code
}

// operators are the functions of the prelude for integers, where C++ has no defined result, or promotes.
var operators = map[string]string{"+": "sum", "-": "difference", "*": "product", "/": "quotient", "%": "remainder"}

// binary translates an operator with two operands of one type.
func (f *function) binary(at ast.Node, op string, typ types.Type, x, y string) string {
	info := basicInfo(typ)
	switch {
	case info&types.IsFloat != 0:
		return fmt.Sprintf("(%s %s %s)", x, op, y)
	case info&types.IsInteger == 0:
		f.cType(at, typ)
		refuse(at, "the operator %s is not there for %s in kernels", op, typ)
	case op == "&^":
		return f.narrow(at, typ, fmt.Sprintf("(%s & ~%s)", x, y))
	case op == "/" || op == "%":
		return fmt.Sprintf("go::%s(%s, %s, %s)", operators[op], bare(x), bare(y), f.at(at))
	case operators[op] != "" && (info&types.IsUnsigned == 0 || f.narrow(at, typ, "") != ""):
		return fmt.Sprintf("go::%s(%s, %s)", operators[op], bare(x), bare(y))
	}
	return f.narrow(at, typ, fmt.Sprintf("(%s %s %s)", x, op, y))
}

// shiftOf translates a shift whose first operand is of the type.
func (f *function) shiftOf(e *ast.BinaryExpr, typ types.Type) string {
	return f.shift(e, e.Op.String(), typ, f.value(e.X, typ), e.Y)
}

// shift translates << and >>. In Go the count may exceed the width.
func (f *function) shift(at ast.Node, op string, typ types.Type, x string, count ast.Expr) string {
	noHalf(at, op, typ)
	name := map[string]string{"<<": "left", ">>": "right"}[op]
	c := f.value(count, defaultType(f.typeOf(count)))
	if v := f.src.Info.Types[count].Value; v != nil {
		c = f.constant(count, types.Typ[types.Uint32], v)
	}
	return fmt.Sprintf("go::%s(%s, %s, %s)", name, bare(x), bare(c), f.at(at))
}
