package random

import "github.com/gopherwarp/gopherwarp/gpu/internal/philox"

// Stream has the numbers of one request to a generator, in plain Go: element i of the array that the request would have returned, in
// row-major order. The methods may be called in any order.
type Stream struct {
	seed uint64
	call uint32
}

func (s Stream) numbers() philox.Stream { return philox.Stream{Seed: s.seed, Call: s.call} }

// words returns the words of a block of elements. Distributions that reject words take those of further attempts.
func (s Stream) words(block uint64, attempt uint32) [4]uint32 {
	return s.numbers().Words(block, attempt)
}

// Float32 returns element i of Random[float32]: a multiple of 2⁻²⁴ in [0, 1).
func (s Stream) Float32(i int) float32 { return s.numbers().Float32(i) }

// Float64 returns element i of Random[float64]: a multiple of 2⁻⁵³ in [0, 1).
func (s Stream) Float64(i int) float64 { return s.numbers().Float64(i) }

// Uint64N returns element i of Integers from 0 to n-1. An n of 0 means 2⁶⁴.
func (s Stream) Uint64N(i int, n uint64) uint64 { return s.numbers().Uint64N(i, n) }

// Normal32 returns element i of Normal[float32] with mean 0 and standard deviation 1.
func (s Stream) Normal32(i int) float32 { return s.numbers().Normal32(i) }

// Normal64 returns element i of Normal[float64] with mean 0 and standard deviation 1.
func (s Stream) Normal64(i int) float64 { return s.numbers().Normal64(i) }

// Exponential32 returns element i of Exponential[float32] with scale 1.
func (s Stream) Exponential32(i int) float32 { return s.numbers().Exponential32(i) }

// Exponential64 returns element i of Exponential[float64] with scale 1.
func (s Stream) Exponential64(i int) float64 { return s.numbers().Exponential64(i) }
