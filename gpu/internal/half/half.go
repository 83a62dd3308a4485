package half

import "math"

// From32 returns the nearest binary16 number, ties to even. Numbers that are too large become infinite.
func From32(f float32) uint16 {
	bits := math.Float32bits(f)
	sign := uint16(bits >> 16 & 0x8000)
	bits &= 0x7fff_ffff
	switch {
	case bits > 0x7f80_0000: // NaN remains NaN
		return sign | 0x7e00
	case bits >= 0x477f_f000: // 65520 and more round to infinity
		return sign | 0x7c00
	case bits < 0x3880_0000: // subnormal: a multiple of 2⁻²⁴, which adding 1/2 as float32 rounds to
		return sign | uint16(math.Float32bits(math.Float32frombits(bits)+0.5)-0x3f00_0000)
	}
	// Subtract 112 from the exponent and round the 13 bits that are removed.
	bits -= 112 << 23
	bits += 0xfff + bits>>13&1
	return sign | uint16(bits>>13)
}

// To32 returns the value of a binary16 number.
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

// BrainFrom32 returns the nearest bfloat16 number, ties to even.
func BrainFrom32(f float32) uint16 {
	bits := math.Float32bits(f)
	if bits&0x7fff_ffff > 0x7f80_0000 {
		return uint16(bits>>16 | 0x40) // NaN remains NaN
	}
	bits += 0x7fff + bits>>16&1
	return uint16(bits >> 16)
}

// BrainTo32 returns the value of a bfloat16 number.
func BrainTo32(b uint16) float32 { return math.Float32frombits(uint32(b) << 16) }

// FMA returns a·b + c rounded to odd: rounding the result to a 16-bit number is the same as rounding the exact one. The product of the
// factors, which are such numbers, is exact in float64.
func FMA(a, b, c float32) float32 {
	p, q := float64(a)*float64(b), float64(c)
	s := p + q
	v := s - p
	rest := (p - (s - v)) + (q - v)
	if bits := math.Float64bits(s); rest != 0 && bits&1 == 0 && !math.IsInf(s, 0) && s == s {
		if (rest > 0) == (s > 0) {
			bits++
		} else {
			bits--
		}
		s = math.Float64frombits(bits)
	}
	f := float32(s)
	if float64(f) == s || s != s {
		return f
	}
	bits := math.Float32bits(f)
	if math.Abs(float64(f)) > math.Abs(s) {
		bits-- // toward zero, also from infinity
	}
	return math.Float32frombits(bits | 1)
}
