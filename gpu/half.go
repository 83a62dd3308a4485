package gpu

import "github.com/gopherwarp/gopherwarp/gpu/internal/half"

// A Float16 is CUDA's half (__half): 11 bits of precision, at most 65504. The integer has its bits, so Go's operators are not those of
// numbers: use the methods, or convert to float32. Kernels written in Go have Float16s, too.
type Float16 uint16

// A BFloat16 is CUDA's __nv_bfloat16: 8 bits of precision, and the range of a float32. The integer has its bits, as that of a Float16.
type BFloat16 uint16

// The results that are no numbers.
const (
	float16NaN  Float16  = 0x7e00
	bfloat16NaN BFloat16 = 0x7fc0
)

// ToFloat16 returns f rounded to the nearest Float16, ties to even. Numbers that are too large become infinite.
func ToFloat16(f float32) Float16 { return Float16(half.From32(f)) }

// Float32 returns h as a float32, which is exact.
func (h Float16) Float32() float32 { return half.To32(uint16(h)) }

// Add returns h + g, rounded to the nearest Float16, ties to even.
func (h Float16) Add(g Float16) Float16 { return h.round(h.Float32() + g.Float32()) }

// Sub returns h - g, rounded as by Add.
func (h Float16) Sub(g Float16) Float16 { return h.round(h.Float32() - g.Float32()) }

// Mul returns h · g, rounded as by Add.
func (h Float16) Mul(g Float16) Float16 { return h.round(h.Float32() * g.Float32()) }

// Div returns h / g, rounded as by Add.
func (h Float16) Div(g Float16) Float16 { return h.round(h.Float32() / g.Float32()) }

// FMA returns h · g + a, rounded once.
func (h Float16) FMA(g, a Float16) Float16 {
	return h.round(half.FMA(h.Float32(), g.Float32(), a.Float32()))
}

// round returns f as a Float16. There is one NaN, for processors make different ones.
func (Float16) round(f float32) Float16 {
	if f != f {
		return float16NaN
	}
	return ToFloat16(f)
}

// ToBFloat16 returns f rounded to the nearest BFloat16, ties to even.
func ToBFloat16(f float32) BFloat16 { return BFloat16(half.BrainFrom32(f)) }

// Float32 returns b as a float32, which is exact.
func (b BFloat16) Float32() float32 { return half.BrainTo32(uint16(b)) }

// Add returns b + c, computed as float32s and rounded to the nearest BFloat16, ties to even.
func (b BFloat16) Add(c BFloat16) BFloat16 { return b.round(b.Float32() + c.Float32()) }

// Sub returns b - c, rounded as by Add.
func (b BFloat16) Sub(c BFloat16) BFloat16 { return b.round(b.Float32() - c.Float32()) }

// Mul returns b · c, rounded as by Add.
func (b BFloat16) Mul(c BFloat16) BFloat16 { return b.round(b.Float32() * c.Float32()) }

// Div returns b / c, rounded as by Add.
func (b BFloat16) Div(c BFloat16) BFloat16 { return b.round(b.Float32() / c.Float32()) }

// FMA returns b · c + a, rounded once.
func (b BFloat16) FMA(c, a BFloat16) BFloat16 {
	return b.round(half.FMA(b.Float32(), c.Float32(), a.Float32()))
}

// round returns f as a BFloat16, with one NaN.
func (BFloat16) round(f float32) BFloat16 {
	if f != f {
		return bfloat16NaN
	}
	return ToBFloat16(f)
}

// ToFloat16s returns the numbers rounded as by ToFloat16.
func ToFloat16s(list []float32) []Float16 { return each(list, ToFloat16) }

// ToBFloat16s returns the numbers rounded as by ToBFloat16.
func ToBFloat16s(list []float32) []BFloat16 { return each(list, ToBFloat16) }

// Float32s returns the numbers, such as Float16s, as float32s.
func Float32s[T interface{ Float32() float32 }](list []T) []float32 { return each(list, T.Float32) }

func each[A, B any](list []A, f func(A) B) []B {
	out := make([]B, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}

// A Float16x2 is CUDA's half2, with its layout.
type Float16x2 struct{ X, Y Float16 }

// A BFloat16x2 is CUDA's __nv_bfloat162, with its layout.
type BFloat16x2 struct{ X, Y BFloat16 }
