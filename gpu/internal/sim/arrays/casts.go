package arrays

import (
	"math"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
	"github.com/gopherwarp/gopherwarp/gpu/internal/half"
	"github.com/gopherwarp/gopherwarp/gpu/internal/philox"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/simd"
)

// held returns the type in which values of a type are computed: 16-bit floats are float32s.
func held(t expression.Type) expression.Type {
	if t.Half() {
		return expression.Float32
	}
	return t
}

func convert[F, T number](out, a, _, _ pointer, n int) {
	o, x := elements[T](out, n), elements[F](a, n)
	for i := range o {
		o[i] = T(x[i])
	}
}

func truth[F number](out, a, _, _ pointer, n int) {
	o, x := elements[bool](out, n), elements[F](a, n)
	for i := range o {
		o[i] = x[i] != 0
	}
}

func toPair[F number, R real](out, a, _, _ pointer, n int) {
	o, x := elements[pair[R]](out, n), elements[F](a, n)
	for i := range o {
		o[i] = pair[R]{R(x[i]), 0}
	}
}

// castFrom returns the conversion of numbers to the held type of another.
func castFrom[F number](to expression.Type) fn {
	switch held(to) {
	case expression.Bool:
		return truth[F]
	case expression.Int8:
		return convert[F, int8]
	case expression.Int16:
		return convert[F, int16]
	case expression.Int32:
		return convert[F, int32]
	case expression.Int64:
		return convert[F, int64]
	case expression.Uint8:
		return convert[F, uint8]
	case expression.Uint16:
		return convert[F, uint16]
	case expression.Uint32:
		return convert[F, uint32]
	case expression.Uint64:
		return convert[F, uint64]
	case expression.Float32:
		return convert[F, float32]
	case expression.Float64:
		return convert[F, float64]
	case expression.Complex64:
		return toPair[F, float32]
	}
	return toPair[F, float64]
}

// castComplex returns the conversion of complex numbers: to real ones their real part.
func castComplex[R real](to expression.Type) fn {
	switch to {
	case expression.Bool:
		return unary(func(a pair[R]) bool { return a.re != 0 || a.im != 0 })
	case expression.Complex64:
		return unary(func(a pair[R]) pair[float32] { return pair[float32]{float32(a.re), float32(a.im)} })
	case expression.Complex128:
		return unary(func(a pair[R]) pair[float64] { return pair[float64]{float64(a.re), float64(a.im)} })
	}
	rest := castFrom[R](to)
	return func(out, a, b, c pointer, n int) {
		var parts [64]R
		x, size := elements[pair[R]](a, n), held(to).Size()
		for i := 0; i < n; i += len(parts) {
			some := parts[:min(len(parts), n-i)]
			for k := range some {
				some[k] = x[i+k].re
			}
			rest(unsafe.Add(out, i*size), pointer(&parts), nil, nil, len(some))
		}
	}
}

// cast returns the conversion of values as they are held. It rounds to 16 bits where the value may not be representable.
func cast(to, from expression.Type) fn {
	if to.Half() && to != from && from.Size() > 1 {
		return castHalf(to, from)
	}
	if f := castByVectors(held(to), held(from)); f != nil {
		return f
	}
	switch held(from) {
	case expression.Bool, expression.Uint8:
		return castFrom[uint8](to)
	case expression.Int8:
		return castFrom[int8](to)
	case expression.Int16:
		return castFrom[int16](to)
	case expression.Int32:
		return castFrom[int32](to)
	case expression.Int64:
		return castFrom[int64](to)
	case expression.Uint16:
		return castFrom[uint16](to)
	case expression.Uint32:
		return castFrom[uint32](to)
	case expression.Uint64:
		return castFrom[uint64](to)
	case expression.Float32:
		return castFrom[float32](to)
	case expression.Float64:
		return castFrom[float64](to)
	case expression.Complex64:
		return castComplex[float32](to)
	}
	return castComplex[float64](to)
}

// castByVectors returns the conversion with vectors, or nil if there is none.
func castByVectors(to, from expression.Type) fn {
	switch [2]expression.Type{from, to} {
	case [2]expression.Type{expression.Float32, expression.Float64}:
		return converting(simd.Widened32, convert[float32, float64])
	case [2]expression.Type{expression.Float64, expression.Float32}:
		return converting(simd.Narrowed64, convert[float64, float32])
	case [2]expression.Type{expression.Float32, expression.Int32}:
		return converting(simd.Int32OfFloat32, unary(saturated))
	case [2]expression.Type{expression.Int32, expression.Float32}:
		return converting(simd.Float32OfInt32, convert[int32, float32])
	case [2]expression.Type{expression.Int32, expression.Float64}:
		return converting(simd.Float64OfInt32, convert[int32, float64])
	case [2]expression.Type{expression.Uint8, expression.Float32}, [2]expression.Type{expression.Bool, expression.Float32}:
		return converting(simd.Float32OfUint8, convert[uint8, float32])
	}
	return nil
}

// saturated returns the integer that a GPU converts a number to: the nearest one if it is too large, and 0 for what is no number.
func saturated(v float32) int32 {
	switch {
	case v != v:
		return 0
	case v >= 1<<31:
		return math.MaxInt32
	case v < -1<<31:
		return math.MinInt32
	}
	return int32(v)
}

// castHalf returns the conversion to a 16-bit float, by way of float64.
func castHalf(to, from expression.Type) fn {
	wide, round := cast(expression.Float64, from), rounding(to)
	return func(out, a, _, _ pointer, n int) {
		var part [64]float64
		o, size := elements[float32](out, n), held(from).Size()
		for i := 0; i < n; i += len(part) {
			some := part[:min(len(part), n-i)]
			wide(pointer(&part), unsafe.Add(a, i*size), nil, nil, len(some))
			for k, v := range some {
				o[i+k] = odd(v)
			}
		}
		round(out, out, nil, nil, n)
	}
}

// odd rounds to float32 so that rounding once more, to 16 bits, gives what rounding x at once would.
func odd(x float64) float32 {
	f := float32(x)
	if float64(f) == x || f-f != 0 {
		return f
	}
	bits := math.Float32bits(f)
	if (float64(f) > x) == (x > 0) {
		bits--
	}
	return math.Float32frombits(bits | 1)
}

// fma32 returns a·b + c, rounded once.
func fma32(a, b, c float32) float32 {
	s := float64(a)*float64(b) + float64(c)
	if s-s != 0 {
		return float32(s)
	}
	return philox.FMA32(a, b, c)
}

// rounding returns the loop that rounds float32s to a 16-bit type.
func rounding(t expression.Type) fn {
	if t == expression.Float16 {
		return unary(func(v float32) float32 { return half.To32(half.From32(v)) })
	}
	return unary(func(v float32) float32 { return half.BrainTo32(half.BrainFrom32(v)) })
}

// loading returns the loop that reads elements of a 16-bit type as float32s, and storing its inverse.
func loading(t expression.Type) fn {
	if t == expression.Float16 {
		return unary(half.To32)
	}
	return unary(half.BrainTo32)
}

// storing returns what makes a float of 16 bits of the held type, or nil for other types, which are stored as they are held.
func storing(t expression.Type) fn {
	switch t {
	case expression.Float16:
		return unary(half.From32)
	case expression.BFloat16:
		return unary(half.BrainFrom32)
	}
	return nil
}
