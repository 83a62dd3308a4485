package gpu

import "github.com/gopherwarp/gopherwarp/gpu/internal/half"

// Float16 is CUDA's half (__half): 11 bits of precision, up to 65504.
type Float16 uint16

// BFloat16 is CUDA's __nv_bfloat16: 8 bits of precision, and the range of a float32.
type BFloat16 uint16

// ToFloat16 rounds to the nearest Float16, ties to even. What is too large becomes infinite.
func ToFloat16(f float32) Float16 { return Float16(half.From32(f)) }

// Float32 is the same number.
func (h Float16) Float32() float32 { return half.To32(uint16(h)) }

// ToBFloat16 rounds to the nearest BFloat16, ties to even.
func ToBFloat16(f float32) BFloat16 { return BFloat16(half.BrainFrom32(f)) }

// Float32 is the same number.
func (b BFloat16) Float32() float32 { return half.BrainTo32(uint16(b)) }

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

// Float16x2 is CUDA's half2, with its layout.
type Float16x2 struct{ X, Y Float16 }

// BFloat16x2 is CUDA's __nv_bfloat162, with its layout.
type BFloat16x2 struct{ X, Y BFloat16 }
