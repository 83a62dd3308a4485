package gokernel

import (
	"go/ast"
	"go/constant"
	"go/types"
	"math"
	"strconv"
	"strings"
)

var one = constant.MakeInt64(1)

// constant returns a constant of the type.
func (f *function) constant(at ast.Node, typ types.Type, v constant.Value) string {
	basic, ok := f.subst(typ).Underlying().(*types.Basic)
	if !ok {
		refuse(at, "%s", whyNot(typ))
	}
	info := basic.Info()
	switch {
	case info&types.IsBoolean != 0:
		return strconv.FormatBool(constant.BoolVal(v))
	case info&types.IsInteger != 0:
		return integer(basic.Kind(), constant.ToInt(v))
	case basic.Kind() == types.Float32:
		x, _ := constant.Float32Val(v)
		return float(float64(x), 32) + "f"
	case info&types.IsFloat != 0:
		x, _ := constant.Float64Val(v)
		return float(x, 64)
	}
	f.cType(at, typ) // refuses strings and complex numbers
	return ""
}

func integer(kind types.BasicKind, v constant.Value) string {
	text := v.ExactString()
	c := cTypes[kind]
	switch {
	case c == "long long" && text == strconv.Itoa(math.MinInt64):
		return "(-9223372036854775807ll - 1)"
	case c == "int" && text == strconv.Itoa(math.MinInt32):
		return "(-2147483647 - 1)"
	case c == "long long":
		text += "ll"
	case c == "unsigned long long":
		text += "ull"
	case c == "unsigned int":
		text += "u"
	case c != "int":
		return "(" + c + ")" + parenthesized(text)
	}
	return parenthesized(text)
}

// parenthesized returns a number in parentheses if it is negative.
func parenthesized(text string) string {
	if strings.HasPrefix(text, "-") {
		return "(" + text + ")"
	}
	return text
}

func float(x float64, bits int) string {
	text := strconv.FormatFloat(x, 'g', -1, bits)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	if strings.HasPrefix(text, "-") {
		return text // the caller adds a suffix, and a minus sign has the highest precedence but that of calls
	}
	return text
}

// defaultType returns the type that an untyped constant gets.
func defaultType(typ types.Type) types.Type { return types.Default(typ) }
