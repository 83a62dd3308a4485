package arrays

import (
	"math"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/simd"
)

// vectored returns the loop of two operands that uses vectors for as many elements as fill some, and rest for the others.
func vectored[T number](vectors func(out, a, b *T, n int), rest fn) fn {
	if !simd.Has {
		return rest
	}
	size := int(unsafe.Sizeof(T(0)))
	return func(out, a, b, c pointer, n int) {
		whole := n &^ (32/size - 1)
		if whole > 0 {
			vectors((*T)(out), (*T)(a), (*T)(b), whole)
		}
		if whole < n {
			at := whole * size
			rest(unsafe.Add(out, at), unsafe.Add(a, at), unsafe.Add(b, at), c, n-whole)
		}
	}
}

// vectoredOne is vectored for one operand.
func vectoredOne[T real](vectors func(out, a *T, n int), rest fn) fn {
	f := vectored(func(out, a, _ *T, n int) { vectors(out, a, n) }, rest)
	return func(out, a, _, _ pointer, n int) { f(out, a, a, nil, n) }
}

// twice returns the loop of an operation of two operands that are the same.
func twice(f fn) fn {
	return func(out, a, _, c pointer, n int) { f(out, a, a, c, n) }
}

// fitting returns the loop that uses vectors for blocks whose operands they fit, and rest for others.
func fitting(vectors, rest fn, fit func(a, b pointer, n int) bool) fn {
	if !simd.Has {
		return rest
	}
	return func(out, a, b, c pointer, n int) {
		if n >= 8 && fit(a, b, n) {
			vectors(out, a, b, c, n)
			return
		}
		rest(out, a, b, c, n)
	}
}

// between reports whether all of n numbers are from low to high.
func between(a pointer, n int, low, high float32) bool {
	x := elements[float32](a, n)
	least, nan := simd.Extreme(x, true)
	most, _ := simd.Extreme(x, false)
	return !nan && least >= low && most <= high
}

// mostAngle is the largest angle whose sine is computed with vectors: its quarters must be counted in float64 without a rest.
const mostAngle = 1 << 20

// ofAngles is vectoredOne for a function of angles.
func ofAngles(vectors func(out, a *float32, n int), rest fn) fn {
	return fitting(vectoredOne(vectors, rest), rest, func(a, _ pointer, n int) bool { return between(a, n, -mostAngle, mostAngle) })
}

// powers returns the loop of powers, with vectors where bases are positive and finite and exponents finite.
func powers(rest fn) fn {
	return fitting(vectored(simd.Pow32, rest), rest, func(a, b pointer, n int) bool {
		return between(a, n, math.SmallestNonzeroFloat32, math.MaxFloat32) && between(b, n, -math.MaxFloat32, math.MaxFloat32)
	})
}

// inverse returns the loop of 1 divided by what the function of one operand gives, or by the operand itself if that is nil.
func inverse[T real](divide func(out, a, b *T, n int), of func(out, a *T, n int), rest fn) fn {
	ones := make([]T, 64)
	fill(ones, 1)
	return vectoredOne(func(out, a *T, n int) {
		if of != nil {
			of(out, a, n)
			a = out
		}
		for i := 0; i < n; i += len(ones) {
			at := i * int(unsafe.Sizeof(*a))
			divide((*T)(unsafe.Add(pointer(out), at)), &ones[0], (*T)(unsafe.Add(pointer(a), at)), min(len(ones), n-i))
		}
	}, rest)
}

// inEights returns the loop that uses vectors for a multiple of 8 elements of that size, with results of another size, and rest for the others.
func inEights(to, size int, vectors func(out, a, b pointer, n int), rest fn) fn {
	if !simd.Has {
		return rest
	}
	return func(out, a, b, c pointer, n int) {
		whole := n &^ 7
		if whole > 0 {
			vectors(out, a, b, whole)
		}
		if whole < n {
			at := whole * size
			rest(unsafe.Add(out, whole*to), unsafe.Add(a, at), unsafe.Add(b, at), c, n-whole)
		}
	}
}

// converting returns the conversion that uses vectors, and rest for the elements that do not fill one.
func converting[F, T number](vectors func(out *T, a *F, n int), rest fn) fn {
	f := inEights(int(unsafe.Sizeof(T(0))), int(unsafe.Sizeof(F(0))), func(out, a, _ pointer, n int) { vectors((*T)(out), (*F)(a), n) }, rest)
	return func(out, a, _, _ pointer, n int) { f(out, a, a, nil, n) }
}

// comparing is inEights for a comparison.
func comparing[T number](vectors comparison[T], rest fn) fn {
	return inEights(1, int(unsafe.Sizeof(T(0))), func(out, a, b pointer, n int) { vectors((*bool)(out), (*T)(a), (*T)(b), n) }, rest)
}

// swapped returns the comparison of the operands the other way round, and inverted the one that holds where f does not.
func swapped(f fn) fn { return func(out, a, b, c pointer, n int) { f(out, b, a, c, n) } }

func inverted(f fn) fn {
	return func(out, a, b, c pointer, n int) {
		f(out, a, b, c, n)
		invert(out, n)
	}
}

// invert inverts bools.
func invert(at pointer, n int) {
	if n >= 8 {
		words := elements[uint64](at, n/8)
		for i := range words {
			words[i] ^= 0x0101010101010101
		}
	}
	rest := elements[bool](at, n)[n&^7:]
	for i, v := range rest {
		rest[i] = !v
	}
}

// comparison compares elements with vectors.
type comparison[T number] = func(out *bool, a, b *T, n int)

// comparisons are those of floats with vectors.
func comparisons[T real](same, different, lower, notHigher comparison[T]) map[string]fn {
	is, isNot := comparing(same, equal[T]), comparing(different, notEqual[T])
	isLess, isLessOrEqual := comparing(lower, less[T]), comparing(notHigher, lessEqual[T])
	return map[string]fn{
		"Equal": is, "NotEqual": isNot, "IsNaN": twice(isNot),
		"Less": isLess, "LessEqual": isLessOrEqual, "Greater": swapped(isLess), "GreaterEqual": swapped(isLessOrEqual),
	}
}

// comparisonsOfIntegers are those of integers with vectors. Whether one is less depends on their signs.
func comparisonsOfIntegers(same, lower fn, signed bool) map[string]fn {
	list := map[string]fn{"Equal": same, "NotEqual": inverted(same)}
	if signed {
		higher := swapped(lower)
		list["Less"], list["Greater"], list["LessEqual"], list["GreaterEqual"] = lower, higher, inverted(higher), inverted(lower)
	}
	return list
}

// vectors32 and vectors64 are operations of the two types that have a form with vectors.
func vectors32() map[string]fn {
	product := vectored(simd.Mul32, mul[float32])
	return map[string]fn{
		"Add": vectored(simd.Add32, add[float32]), "Sub": vectored(simd.Sub32, sub[float32]),
		"Mul": product, "Square": twice(product), "Div": vectored(simd.Div32, div[float32]),
		"Maximum": vectored(simd.Maximum32, maximum[float32]), "Minimum": vectored(simd.Minimum32, minimum[float32]),
		"sqrt": vectoredOne(simd.Sqrt32, root[float32]), "Rsqrt": inverse(simd.Div32, simd.Sqrt32, rsqrt[float32]),
		"Reciprocal": inverse(simd.Div32, nil, reciprocal[float32]), "exp": vectoredOne(simd.Exp32, exp32),
		"log": vectoredOne(simd.Log32, log32), "erfc": vectoredOne(simd.Erfc32, erfc32),
		"Sigmoid": vectoredOne(simd.Sigmoid32, sigmoid32), "tanh": vectoredOne(simd.Tanh32, tanh32),
		"Abs": vectoredOne(simd.Abs32, absolute[float32]), "Neg": vectoredOne(simd.Neg32, negated[float32]),
		"sin": ofAngles(simd.Sin32, of[float32](sin)), "cos": ofAngles(simd.Cos32, of[float32](cos)),
		"Pow":   powers(pow32),
		"floor": vectoredOne(simd.Floor32, of[float32](math.Floor)), "ceil": vectoredOne(simd.Ceil32, of[float32](math.Ceil)),
		"trunc": vectoredOne(simd.Trunc32, of[float32](math.Trunc)), "rint": vectoredOne(simd.Rint32, of[float32](math.RoundToEven)),
	}
}

func vectors64() map[string]fn {
	product := vectored(simd.Mul64, mul[float64])
	return map[string]fn{
		"Add": vectored(simd.Add64, add[float64]), "Sub": vectored(simd.Sub64, sub[float64]),
		"Mul": product, "Square": twice(product), "Div": vectored(simd.Div64, div[float64]),
		"Maximum": vectored(simd.Maximum64, maximum[float64]), "Minimum": vectored(simd.Minimum64, minimum[float64]),
		"sqrt": vectoredOne(simd.Sqrt64, root[float64]), "Rsqrt": inverse(simd.Div64, simd.Sqrt64, rsqrt[float64]),
		"Reciprocal": inverse(simd.Div64, nil, reciprocal[float64]),
		"Abs":        vectoredOne(simd.Abs64, absolute[float64]), "Neg": vectoredOne(simd.Neg64, negated[float64]),
		"floor": vectoredOne(simd.Floor64, of[float64](math.Floor)), "ceil": vectoredOne(simd.Ceil64, of[float64](math.Ceil)),
		"trunc": vectoredOne(simd.Trunc64, of[float64](math.Trunc)), "rint": vectoredOne(simd.Rint64, of[float64](math.RoundToEven)),
	}
}

// vectorsOfIntegers returns the operations of integers of that many bytes that have a form with vectors, and take others' operands, too.
func vectorsOfIntegers(size int, signed bool) map[string]func(rest fn) fn {
	of32 := func(f func(out, a, b *int32, n int)) func(fn) fn {
		return func(rest fn) fn { return vectored(f, rest) }
	}
	of64 := func(f func(out, a, b *int64, n int)) func(fn) fn {
		return func(rest fn) fn { return vectored(f, rest) }
	}
	of8 := func(f func(out, a, b *int8, n int)) func(fn) fn { return func(rest fn) fn { return vectored(f, rest) } }
	switch size {
	case 1:
		return map[string]func(fn) fn{
			"Add": of8(simd.AddInt8), "Sub": of8(simd.SubInt8), "And": of8(simd.AndInt8), "Or": of8(simd.OrInt8), "Xor": of8(simd.XorInt8),
		}
	case 4:
		list := map[string]func(fn) fn{
			"Add": of32(simd.AddInt32), "Sub": of32(simd.SubInt32), "Mul": of32(simd.MulInt32),
			"And": of32(simd.AndInt32), "Or": of32(simd.OrInt32), "Xor": of32(simd.XorInt32),
		}
		if signed {
			list["Maximum"], list["Minimum"] = of32(simd.MaximumInt32), of32(simd.MinimumInt32)
		}
		return list
	case 8:
		return map[string]func(fn) fn{
			"Add": of64(simd.AddInt64), "Sub": of64(simd.SubInt64), "And": of64(simd.AndInt64), "Or": of64(simd.OrInt64), "Xor": of64(simd.XorInt64),
		}
	}
	return nil
}

// costs are about how many nanoseconds an element of operations with vectors takes, on the processors of these years.
var costs = map[string]float64{
	expression.Operand: 0.03, expression.Constant: 0, "Add": 0.05, "Sub": 0.05, "Mul": 0.05, "Square": 0.05, "Div": 0.07, "Maximum": 0.08, "Minimum": 0.08,
	"Abs": 0.05, "Neg": 0.05, "floor": 0.05, "ceil": 0.05, "trunc": 0.05, "rint": 0.05,
	"And": 0.05, "Or": 0.05, "Xor": 0.05, "sqrt": 0.13, "sin": 1, "cos": 1, "Pow": 2, "Rsqrt": 0.2, "Reciprocal": 0.07, "exp": 0.2, "log": 0.7, "Sigmoid": 0.8, "tanh": 1, "erfc": 1.3,
}

// leastInexact is the least cost of an operation whose results with and without vectors may differ in a bit. Those that take less time are
// rounded correctly.
const leastInexact = 0.2

// costOf returns about how many nanoseconds an element of a step takes.
func costOf(s *expression.Step) float64 {
	cost, ok := costs[s.Op]
	switch {
	case !ok, !simd.Has:
		return 1
	}
	switch s.Type {
	case expression.Float32:
		return cost
	case expression.Float64:
		return 2 * cost
	case expression.Int32, expression.Uint32, expression.Int64, expression.Uint64:
		if vectorsOfIntegers(s.Type.Size(), s.Type == expression.Int32)[s.Op] != nil {
			return cost * float64(s.Type.Size()/4)
		}
	}
	return 1
}
