package gokernel

import (
	"math"
	"math/bits"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// The operators of integers, where C++ promotes, overflows or divides in another way. Each thread has two numbers of a table with the
// least and the largest ones.

type integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint
}

// combine folds the results of all operators on a and b to one number.
func combine[T integer](a, b T) uint64 {
	var h uint64
	mix := func(v T) { h = h*1099511628211 + uint64(v) }
	mix(a + b)
	mix(a - b)
	mix(a * b)
	if b != 0 {
		mix(a / b)
		mix(a % b)
	}
	mix(a & b)
	mix(a | b)
	mix(a ^ b)
	mix(a &^ b)
	mix(-a)
	mix(^a)
	mix(+a)
	for _, s := range [...]uint8{0, 1, 3, 7, 8, 15, 31, 33, 63, 64, 200} {
		mix(a << s)
		mix(a >> s)
	}
	mix(a/3 + a%7)
	mix(min(a, b) ^ max(a, b, 5))
	mix(a<<2 + b>>1)
	c := a
	c += b
	c *= 3
	c -= a
	c <<= 1
	c |= b
	c ^= a
	c &= 0x5f
	c >>= 1
	c &^= 2
	c++
	mix(c)
	c--
	mix(c)
	if a < b {
		mix(1)
	}
	if a <= b {
		mix(2)
	}
	if a > b {
		mix(3)
	}
	if a >= b {
		mix(4)
	}
	if a == b {
		mix(5)
	}
	if a != b {
		mix(6)
	}
	h ^= uint64(int8(a)) + uint64(int16(b)) + uint64(uint8(a)) + uint64(uint16(b)) + uint64(int32(a)) + uint64(uint32(b))
	h += uint64(int64(float32(int16(a)) / 4))
	return h
}

//gpu:kernel
func integers8(a, b []int8, out []uint64) {
	if i := gpu.GlobalID(); i < len(out) {
		out[i] = combine(a[i], b[i])
	}
}

//gpu:kernel
func integersU8(a, b []uint8, out []uint64) {
	if i := gpu.GlobalID(); i < len(out) {
		out[i] = combine(a[i], b[i])
	}
}

//gpu:kernel
func integers16(a, b []int16, out []uint64) {
	if i := gpu.GlobalID(); i < len(out) {
		out[i] = combine(a[i], b[i])
	}
}

//gpu:kernel
func integersU16(a, b []uint16, out []uint64) {
	if i := gpu.GlobalID(); i < len(out) {
		out[i] = combine(a[i], b[i])
	}
}

//gpu:kernel
func integers32(a, b []int32, out []uint64) {
	if i := gpu.GlobalID(); i < len(out) {
		out[i] = combine(a[i], b[i])
	}
}

//gpu:kernel
func integersU32(a, b []uint32, out []uint64) {
	if i := gpu.GlobalID(); i < len(out) {
		out[i] = combine(a[i], b[i])
	}
}

//gpu:kernel
func integers64(a, b []int64, out []uint64) {
	if i := gpu.GlobalID(); i < len(out) {
		out[i] = combine(a[i], b[i])
	}
}

//gpu:kernel
func integersU64(a, b []uint64, out []uint64) {
	if i := gpu.GlobalID(); i < len(out) {
		out[i] = combine(a[i], b[i])
	}
}

//gpu:kernel
func integersInt(a, b []int, out []uint64) {
	if i := gpu.GlobalID(); i < len(out) {
		out[i] = combine(a[i], b[i])
	}
}

//gpu:kernel
func integersUint(a, b []uint, out []uint64) {
	if i := gpu.GlobalID(); i < len(out) {
		out[i] = combine(a[i], b[i])
	}
}

//gpu:kernel
func bitFunctions(a []uint32, b []uint64, out []int) {
	i := gpu.GlobalID()
	if i >= len(out) {
		return
	}
	x, y := a[i], b[i]
	r := bits.LeadingZeros32(x) + 100*bits.TrailingZeros32(x) + 10000*bits.OnesCount32(x) + bits.Len32(x)
	r += 31 * (bits.LeadingZeros64(y) + 100*bits.TrailingZeros64(y) + 10000*bits.OnesCount64(y) + bits.Len64(y))
	r ^= int(bits.Reverse32(x)) + int(bits.RotateLeft32(x, i-3)) + int(bits.RotateLeft64(y, -i))
	r ^= int(bits.Reverse64(y))
	out[i] = r
}

// The parts of package math whose results CUDA rounds as Go does.
//
//gpu:kernel
func exactMath(x, y []float64, out []uint64) {
	i := gpu.GlobalID()
	if i >= len(out) {
		return
	}
	a, b := x[i], y[i]
	var h uint64
	mix := func(v float64) {
		if math.IsNaN(v) {
			v = 12345
		}
		h = h*31 + math.Float64bits(v)
	}
	mix(float64(a*b) + a)
	mix(a - b)
	mix(a / b)
	mix(math.Sqrt(a))
	mix(math.Abs(a))
	mix(math.Floor(a))
	mix(math.Ceil(a))
	mix(math.Trunc(a))
	mix(math.Round(a))
	mix(math.RoundToEven(a))
	mix(math.Copysign(a, b))
	mix(math.FMA(a, b, 1.5))
	mix(math.Mod(a, b))
	mix(math.Max(a, b))
	mix(math.Min(a, b))
	mix(max(a, b, 0.25))
	mix(min(a, b))
	mix(-a)
	if math.IsInf(a, 0) || math.IsInf(b, -1) {
		mix(math.Inf(1))
	}
	if math.Signbit(a) {
		h += 7
	}
	if a == b || a < b && !(a > 2) {
		h += 77
	}
	f := float32(math.Abs(a))
	if math.IsNaN(a) {
		f = 1
	}
	h ^= uint64(math.Float32bits(float32(f*f) - 0.1))
	h += uint64(math.Float32bits(float32(math.Sqrt(float64(f)))))
	out[i] = h
}

// Functions whose results may differ in the last places.
//
//gpu:kernel
func nearMath(x []float64, out []float64) {
	i := gpu.GlobalID()
	if i*16 >= len(out) {
		return
	}
	v := x[i]
	o := out[16*i : 16*i+16]
	o[0], o[1] = math.Sin(v), math.Cos(v)
	o[2], o[3] = math.Tan(v), math.Atan(v)
	o[4] = math.Exp(v)
	o[5] = math.Log(math.Abs(v) + 1)
	o[6] = math.Pow(math.Abs(v), 0.3)
	o[7] = math.Tanh(v)
	o[8] = math.Hypot(v, 2)
	o[9] = math.Cbrt(v)
	o[10] = math.Erf(v)
	o[11] = math.Atan2(v, 3)
	o[12] = math.Exp2(v)
	o[13], o[14] = math.Sincos(v)
	o[15] = math.Log2(math.Abs(v)+1) + math.Log10(math.Abs(v)+1) + math.Log1p(math.Abs(v)) + math.Expm1(v/10)
}

//gpu:kernel
func singleMath(x []float32, out []float32) {
	i := gpu.GlobalID()
	if i*8 >= len(out) {
		return
	}
	v := x[i]
	o := out[8*i:]
	o[0] = float32(math.Sin(float64(v)))
	o[1] = float32(math.Exp(float64(v)))
	o[2] = float32(math.Log(float64(v*v + 1)))
	o[3] = float32(math.Pow(float64(v*v), 0.3))
	o[4] = float32(math.Tanh(float64(v)))
	o[5] = v*0.1 + 3
	o[6] = v / 3
	o[7] = float32(math.Erf(float64(v)))
}
