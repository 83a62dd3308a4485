package arrays

import (
	"fmt"
	"maps"
	"math"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
)

// operations are the functions of operations by the held type of their first operand.
var operations = [expression.Types]map[string]fn{
	expression.Bool: bools,
	expression.Int8: integers[int8](), expression.Int16: integers[int16](), expression.Int32: integers[int32](), expression.Int64: integers[int64](),
	expression.Uint8: integers[uint8](), expression.Uint16: integers[uint16](), expression.Uint32: integers[uint32](), expression.Uint64: integers[uint64](),
	expression.Float32: float32s, expression.Float64: float64s,
	expression.Complex64: complexes[float32](), expression.Complex128: complexes[float64](),
}

// exact are the operations whose results on 16-bit floats need no rounding.
var exact = map[string]bool{
	"Copy": true, "Fmod": true, "Maximum": true, "Minimum": true, "Fmax": true, "Fmin": true, "Nextafter": true, "Heaviside": true,
	"Neg": true, "Abs": true, "Sign": true, "Modf": true, "Frexp": true, "Where": true, "Relu": true,
}

// unsupported returns the error for a step that no function computes.
func unsupported(op string, t expression.Type) error {
	return fmt.Errorf("there is no function for operation %s of type %d", op, t)
}

// operation returns the function of a step whose operands have the given types.
func operation(op string, result expression.Type, of []expression.Type) (fn, error) {
	if len(of) == 0 {
		return nil, unsupported(op, result)
	}
	first := of[0]
	var f fn
	switch op {
	case "AsType":
		return cast(result, first), nil
	case "Copy":
		f = bySize(result, copied[uint8], copied[uint16], copied[uint32], copied[uint64], copied[wide])
	case "Where":
		f = bySize(result, where[uint8], where[uint16], where[uint32], where[uint64], where[wide])
	case "ToComplex":
		f = joined[float64]
		if held(first) == expression.Float32 {
			f = joined[float32]
		}
	case "Jn":
		f = bessel(math.Jn, held(first), of)
	case "Yn":
		f = bessel(math.Yn, held(first), of)
	case "Ldexp", "Frexp":
		f = scaling(op, held(first), result, of)
	default:
		f = operations[held(first)][op]
	}
	if f == nil {
		return nil, unsupported(op, first)
	}
	if result.Half() && !exact[op] {
		compute, round := f, rounding(result)
		f = func(out, a, b, c pointer, n int) {
			compute(out, a, b, c, n)
			round(out, out, nil, nil, n)
		}
	}
	return f, nil
}

// bySize returns the one of the functions that is for elements of the size of the held type.
func bySize(t expression.Type, f1, f2, f4, f8, f16 fn) fn {
	switch held(t).Size() {
	case 1:
		return f1
	case 2:
		return f2
	case 4:
		return f4
	case 8:
		return f8
	}
	return f16
}

// bessel returns the loop of a function whose order is the second operand, or nil.
func bessel(f func(order int, x float64) float64, float expression.Type, of []expression.Type) fn {
	switch {
	case len(of) != 2 || of[1] != expression.Int32:
		return nil
	case float == expression.Float32:
		return binary(func(x float32, order int32) float32 { return float32(f(int(order), float64(x))) })
	}
	return binary(func(x float64, order int32) float64 { return f(int(order), x) })
}

// scaling returns the function of the operations that take a float apart or put it together, or nil.
func scaling(op string, float, result expression.Type, of []expression.Type) fn {
	switch {
	case op == "Ldexp" && len(of) == 2 && of[1] == expression.Int32 && float == expression.Float32:
		return binary(func(a float32, b int32) float32 { return float32(math.Ldexp(float64(a), int(b))) })
	case op == "Ldexp" && len(of) == 2 && of[1] == expression.Int32:
		return binary(func(a float64, b int32) float64 { return math.Ldexp(a, int(b)) })
	case op == "Frexp" && held(result) == float && float == expression.Float32:
		return unary(func(a float32) float32 { v, _ := math.Frexp(float64(a)); return float32(v) })
	case op == "Frexp" && held(result) == float:
		return unary(func(a float64) float64 { v, _ := math.Frexp(a); return v })
	case op == "Frexp" && result == expression.Int32 && float == expression.Float32:
		return unary(func(a float32) int32 { _, e := math.Frexp(float64(a)); return int32(e) })
	case op == "Frexp" && result == expression.Int32:
		return unary(func(a float64) int32 { _, e := math.Frexp(a); return int32(e) })
	}
	return nil
}

func with(ops, more map[string]fn) map[string]fn {
	maps.Copy(ops, more)
	return ops
}
