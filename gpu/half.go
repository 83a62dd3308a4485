package gpu

import "github.com/gopherwarp/gopherwarp/gpu/internal/half"

// A Float16 is CUDA's half (__half): 11 bits of precision, at most 65504.
type Float16 uint16

// A BFloat16 is CUDA's __nv_bfloat16: 8 bits of precision, and the range of a float32.
type BFloat16 uint16

// ToFloat16 returns f rounded to the nearest Float16, ties to even. Numbers that are too large become infinite.
func ToFloat16(f float32) Float16 { return Float16(half.From32(f)) }

// Float32 returns h as a float32, which is exact.
func (h Float16) Float32() float32 { return half.To32(uint16(h)) }

// ToBFloat16 returns f rounded to the nearest BFloat16, ties to even.
func ToBFloat16(f float32) BFloat16 { return BFloat16(half.BrainFrom32(f)) }

// Float32 returns b as a float32, which is exact.
func (b BFloat16) Float32() float32 { return half.BrainTo32(uint16(b)) }

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
