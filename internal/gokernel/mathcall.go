package gokernel

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// mathFunctions has the CUDA functions of package math's; their names with an f are those of single precision.
var mathFunctions = map[string]string{
	"Abs": "fabs", "Acos": "acos", "Acosh": "acosh", "Asin": "asin", "Asinh": "asinh", "Atan": "atan", "Atan2": "atan2", "Atanh": "atanh",
	"Cbrt": "cbrt", "Ceil": "ceil", "Copysign": "copysign", "Cos": "cos", "Cosh": "cosh", "Erf": "erf", "Erfc": "erfc", "Exp": "exp",
	"Exp2": "exp2", "Expm1": "expm1", "FMA": "fma", "Erfinv": "erfinv", "Erfcinv": "erfcinv", "Floor": "floor", "Gamma": "tgamma", "Hypot": "hypot", "J0": "j0", "J1": "j1", "Log": "log", "Log10": "log10",
	"Log1p": "log1p", "Log2": "log2", "Mod": "fmod", "Pow": "pow", "Remainder": "remainder", "Round": "round", "RoundToEven": "rint",
	"Sin": "sin", "Sinh": "sinh", "Sqrt": "sqrt", "Tan": "tan", "Tanh": "tanh", "Trunc": "trunc", "Y0": "y0", "Y1": "y1",
}

// mathOthers has functions of package math that the prelude defines.
var mathOthers = map[string]string{
	"Float32bits": "__float_as_uint", "Float32frombits": "__uint_as_float", "Float64bits": "go::bits_of", "Float64frombits": "go::float_of",
	"Inf": "go::infinity", "IsInf": "go::is_infinite", "IsNaN": "go::is_nan", "NaN": "go::not_a_number", "Max": "go::math_max", "Min": "go::math_min",
	"Signbit": "go::sign_bit",
}

// bitsFunctions has the functions of package math/bits.
var bitsFunctions = map[string]string{
	"LeadingZeros32": "go::leading_zeros", "LeadingZeros64": "go::leading_zeros", "LeadingZeros": "go::leading_zeros",
	"TrailingZeros32": "go::trailing_zeros", "TrailingZeros64": "go::trailing_zeros", "TrailingZeros": "go::trailing_zeros",
	"OnesCount32": "go::ones", "OnesCount64": "go::ones", "OnesCount": "go::ones",
	"Len32": "go::bit_length", "Len64": "go::bit_length", "Len": "go::bit_length",
	"Reverse32": "__brev", "Reverse64": "__brevll", "Reverse": "__brevll",
	"RotateLeft32": "go::rotate", "RotateLeft64": "go::rotate", "RotateLeft": "go::rotate",
}

// mathFunction returns the CUDA function for a function of package math or math/bits that is called, or "".
func (f *function) mathFunction(fun ast.Expr) string {
	if name := f.nameIn("math", fun); name != "" {
		return cmp.Or(mathFunctions[name], mathOthers[name])
	}
	return bitsFunctions[f.nameIn("math/bits", fun)]
}

// nameIn returns the name of a function of the package that is called, or "".
func (f *function) nameIn(path string, fun ast.Expr) string {
	fun = ast.Unparen(fun)
	if ix, ok := fun.(*ast.IndexExpr); ok {
		fun = ix.X
	}
	var id *ast.Ident
	switch fun := fun.(type) {
	case *ast.SelectorExpr:
		id = fun.Sel
	case *ast.Ident: // of a dot import
		id = fun
	default:
		return ""
	}
	if o, ok := f.src.Info.Uses[id].(*types.Func); ok && o.Pkg() != nil && o.Pkg().Path() == path && o.Signature().Recv() == nil {
		return o.Name()
	}
	return ""
}

// mathCall translates a call of a function of package math or math/bits that CUDA has. It reports whether it is one.
func (f *function) mathCall(call *ast.CallExpr) (string, bool) {
	c := f.mathFunction(call.Fun)
	if c == "" {
		return "", false
	}
	return fmt.Sprintf("%s(%s)", c, strings.Join(f.arguments(call, f.typeOf(call.Fun).(*types.Signature)), ", ")), true
}

// arguments returns the arguments of a call.
func (f *function) arguments(call *ast.CallExpr, sig *types.Signature) []string {
	if len(call.Args) == 1 && sig.Params().Len() > 1 {
		_, values := f.callResults(call.Args[0])
		return values
	}
	var list []string
	for i, arg := range call.Args {
		typ := f.subst(sig.Params().At(i).Type())
		if s, ok := typ.Underlying().(*types.Signature); ok {
			list = append(list, f.functionValue(arg, s))
			continue
		}
		list = append(list, bare(f.value(arg, typ)))
	}
	return list
}
