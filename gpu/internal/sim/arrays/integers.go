package arrays

import (
	"maps"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/simd"
)

type integer interface{ signed | unsigned }

// integers are the operations of an integer type.
func integers[T integer]() map[string]fn {
	ops := plainIntegers[T]()
	for name, f := range vectorsOfIntegers(int(unsafe.Sizeof(T(0))), ^T(0) < 0) {
		ops[name] = f(ops[name])
	}
	ops["Square"] = twice(ops["Mul"])
	switch signed := ^T(0) < 0; unsafe.Sizeof(T(0)) {
	case 4:
		maps.Copy(ops, comparisonsOfIntegers(comparing(simd.EqualInt32, equal[int32]), comparing(simd.LessInt32, less[int32]), signed))
	case 8:
		maps.Copy(ops, comparisonsOfIntegers(comparing(simd.EqualInt64, equal[int64]), comparing(simd.LessInt64, less[int64]), signed))
	}
	return ops
}

// plainIntegers are those without vectors.
func plainIntegers[T integer]() map[string]fn {
	bits := T(8 * unsafe.Sizeof(T(0)))
	negative := func(v T) bool { return v < 0 }
	ops := common[T]()
	maps.Copy(ops, map[string]fn{
		"Div": binary(quotient[T]),
		"FloorDiv": binary(func(a, b T) T {
			q := quotient(a, b)
			if rest(a, b) != 0 && negative(a) != negative(b) {
				q--
			}
			return q
		}),
		"Mod": binary(func(a, b T) T {
			r := rest(a, b)
			if r != 0 && negative(r) != negative(b) {
				r += b
			}
			return r
		}),
		"Fmod":    binary(rest[T]),
		"Pow":     binary(power[T]),
		"Maximum": binary(func(a, b T) T { return max(a, b) }),
		"Minimum": binary(func(a, b T) T { return min(a, b) }),
		"And":     binary(func(a, b T) T { return a & b }),
		"Or":      binary(func(a, b T) T { return a | b }),
		"Xor":     binary(func(a, b T) T { return a ^ b }),
		"Invert":  unary(func(a T) T { return ^a }),
		"Lsh": binary(func(a, b T) T {
			if negative(b) || b >= bits {
				return 0
			}
			return a << b
		}),
		"Rsh": binary(func(a, b T) T {
			if negative(b) || b >= bits {
				b = bits - 1
				return a >> b >> 1
			}
			return a >> b
		}),
		"Abs": unary(func(a T) T {
			if negative(a) {
				return -a
			}
			return a
		}),
		"Sign": unary(func(a T) T {
			switch {
			case a > 0:
				return 1
			case negative(a):
				return ^T(0)
			}
			return 0
		}),
	})
	return ops
}

// quotient returns a / b, truncated, or 0 if b is 0.
func quotient[T integer](a, b T) T {
	if b == 0 {
		return 0
	}
	return a / b
}

// rest returns the remainder of quotient.
func rest[T integer](a, b T) T {
	if b == 0 {
		return 0
	}
	return a % b
}

// power returns a to the power of b, wrapped around; to a negative power it is 0 unless a is 1 or -1.
func power[T integer](a, b T) T {
	if b < 0 {
		switch a {
		case 1:
			return 1
		case ^T(0):
			return 1 - 2*(b&1)
		}
		return 0
	}
	r := T(1)
	for ; b > 0; b >>= 1 {
		if b&1 != 0 {
			r *= a
		}
		a *= a
	}
	return r
}

// bools are the operations of bool.
var bools = map[string]fn{
	"Add": anyOf, "Or": anyOf, "Maximum": anyOf, "LogicalOr": anyOf,
	"Mul": allOf, "And": allOf, "Minimum": allOf, "LogicalAnd": allOf,
	"Xor": oneOf, "LogicalXor": oneOf,
	"Invert": logicalNot[uint8], "LogicalNot": logicalNot[uint8], "Abs": copied[bool],
	"Equal": equal[uint8], "NotEqual": notEqual[uint8], "Less": less[uint8], "LessEqual": lessEqual[uint8],
	"Greater": greater[uint8], "GreaterEqual": greaterEqual[uint8],
}

// The operations of two bools.
var (
	anyOf = vectored(simd.OrInt8, either)
	allOf = vectored(simd.AndInt8, both)
	oneOf = vectored(simd.XorInt8, notEqual[uint8])
)

func either(out, a, b, _ pointer, n int) {
	o, x, y := elements[uint8](out, n), elements[uint8](a, n), elements[uint8](b, n)
	for i := range o {
		o[i] = x[i] | y[i]
	}
}

func both(out, a, b, _ pointer, n int) {
	o, x, y := elements[uint8](out, n), elements[uint8](a, n), elements[uint8](b, n)
	for i := range o {
		o[i] = x[i] & y[i]
	}
}
