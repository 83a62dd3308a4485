package half

import "math"

// From32 rounds to the nearest binary16 number, ties to even. What is too large becomes infinite.
func From32(f float32) uint16 {
	bits := math.Float32bits(f)
	sign := uint16(bits >> 16 & 0x8000)
	bits &= 0x7fff_ffff
	switch {
	case bits > 0x7f80_0000: // NaN, which stays one
		return sign | 0x7e00
	case bits >= 0x477f_f000: // 65520 and more round to infinity
		return sign | 0x7c00
	case bits < 0x3880_0000: // subnormal: a multiple of 2⁻²⁴, which adding 1/2 as float32 rounds to
		return sign | uint16(math.Float32bits(math.Float32frombits(bits)+0.5)-0x3f00_0000)
	}
	// Take 112 off the exponent and round the 13 bits that go.
	bits -= 112 << 23
	bits += 0xfff + bits>>13&1
	return sign | uint16(bits>>13)
}

// To32 is the same number as the binary16 one.
func To32(h uint16) float32 {
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

// BrainFrom32 rounds to the nearest bfloat16, ties to even.
func BrainFrom32(f float32) uint16 {
	bits := math.Float32bits(f)
	if bits&0x7fff_ffff > 0x7f80_0000 {
		return uint16(bits>>16 | 0x40) // NaN, which stays one
	}
	bits += 0x7fff + bits>>16&1
	return uint16(bits >> 16)
}

// BrainTo32 is the same number as the bfloat16.
func BrainTo32(b uint16) float32 { return math.Float32frombits(uint32(b) << 16) }
