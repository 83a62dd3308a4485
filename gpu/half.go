package gpu

import "math"

// Float16 is CUDA's half (__half): 11 bits of precision, up to 65504.
type Float16 uint16

// BFloat16 is CUDA's __nv_bfloat16: 8 bits of precision, and the range of a float32.
type BFloat16 uint16

// ToFloat16 rounds to the nearest Float16, ties to even. What is too large becomes infinite.
func ToFloat16(f float32) Float16 {
	bits := math.Float32bits(f)
	sign := uint16(bits >> 16 & 0x8000)
	bits &= 0x7fff_ffff
	switch {
	case bits > 0x7f80_0000: // NaN, which stays one
		return Float16(sign | 0x7e00)
	case bits >= 0x477f_f000: // 65520 and more round to infinity
		return Float16(sign | 0x7c00)
	case bits < 0x3880_0000: // subnormal: a multiple of 2⁻²⁴, which adding 1/2 as float32 rounds to
		return Float16(sign | uint16(math.Float32bits(math.Float32frombits(bits)+0.5)-0x3f00_0000))
	}
	// Take 112 off the exponent and round the 13 bits that go.
	bits -= 112 << 23
	bits += 0xfff + bits>>13&1
	return Float16(sign | uint16(bits>>13))
}

// Float32 is the same number.
func (h Float16) Float32() float32 {
	sign := uint32(h&0x8000) << 16
	bits := uint32(h & 0x7fff)
	switch {
	case bits >= 0x7c00: // infinity, NaN
		return math.Float32frombits(sign | 0x7f80_0000 | bits&0x3ff<<13)
	case bits < 0x400: // zero, subnormal
		f := float32(bits) / (1 << 24)
		return math.Float32frombits(sign | math.Float32bits(f))
	}
	return math.Float32frombits(sign | (bits<<13 + 112<<23))
}

// ToBFloat16 rounds to the nearest BFloat16, ties to even.
func ToBFloat16(f float32) BFloat16 {
	bits := math.Float32bits(f)
	if bits&0x7fff_ffff > 0x7f80_0000 {
		return BFloat16(bits>>16 | 0x40) // NaN, which stays one
	}
	bits += 0x7fff + bits>>16&1
	return BFloat16(bits >> 16)
}

// Float32 is the same number.
func (b BFloat16) Float32() float32 { return math.Float32frombits(uint32(b) << 16) }

// ToFloat16s rounds each number.
func ToFloat16s(list []float32) []Float16 { return each(list, ToFloat16) }

// ToBFloat16s rounds each number.
func ToBFloat16s(list []float32) []BFloat16 { return each(list, ToBFloat16) }

// Float32s makes float32s of numbers of half their size.
func Float32s[T interface{ Float32() float32 }](list []T) []float32 { return each(list, T.Float32) }

func each[A, B any](list []A, f func(A) B) []B {
	out := make([]B, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}
