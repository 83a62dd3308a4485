package philox

import "math/bits"

// Words returns four random words for a position and a key. It is the published function, with the published constants.
func Words(c [4]uint32, key uint64) [4]uint32 {
	keys := RoundKeys(key)
	for i := 0; i < len(keys); i += 2 {
		h0, l0 := bits.Mul32(0xD2511F53, c[0])
		h1, l1 := bits.Mul32(0xCD9E8D57, c[2])
		c = [4]uint32{h1 ^ c[1] ^ keys[i], l1, h0 ^ c[3] ^ keys[i+1], l0}
	}
	return c
}

// RoundKeys returns the two keys of each round. They are passed to kernels so that no thread computes them.
func RoundKeys(key uint64) (keys [20]uint32) {
	k0, k1 := uint32(key), uint32(key>>32)
	for i := 0; i < len(keys); i += 2 {
		keys[i], keys[i+1] = k0, k1
		k0 += 0x9E3779B9
		k1 += 0xBB67AE85
	}
	return keys
}

// Stream has the numbers of one request to a generator. The methods return element i.
type Stream struct {
	Seed uint64
	Call uint32
}

// Words returns the words of a block of elements. Distributions that reject words take those of further attempts.
func (s Stream) Words(block uint64, attempt uint32) [4]uint32 {
	return Words([4]uint32{uint32(block), uint32(block >> 32), s.Call, attempt}, s.Seed)
}

// Word returns the word of element i where each takes one.
func (s Stream) Word(i uint64, attempt uint32) uint32 { return s.Words(i/4, attempt)[i%4] }

// Wide returns the word of element i where each takes 64 bits.
func (s Stream) Wide(i uint64, attempt uint32) uint64 {
	w := s.Words(i/2, attempt)
	return Pair(w, i%2)
}

// Pair returns two words as one.
func Pair(w [4]uint32, i uint64) uint64 { return uint64(w[2*i]) | uint64(w[2*i+1])<<32 }

// Float32 returns an element of Random[float32]: a multiple of 2⁻²⁴ in [0, 1).
func (s Stream) Float32(i int) float32 { return float32(s.Word(uint64(i), 0)>>8) * 0x1p-24 }

// Float64 returns an element of Random[float64]: a multiple of 2⁻⁵³ in [0, 1).
func (s Stream) Float64(i int) float64 { return float64(s.Wide(uint64(i), 0)>>11) * 0x1p-53 }

// Uint64N returns an element of Integers from 0 to n-1. An n of 0 means 2⁶⁴.
func (s Stream) Uint64N(i int, n uint64) uint64 {
	at := uint64(i)
	if n-1 < 1<<32 {
		// The upper half of a word times n; words that would make some numbers more likely are rejected.
		for attempt := uint32(0); ; attempt++ {
			if m := uint64(s.Word(at, attempt)) * n; uint64(uint32(m)) >= (1<<32-n)%n {
				return m >> 32
			}
		}
	}
	for attempt := uint32(0); ; attempt++ {
		w := s.Wide(at, attempt)
		if n == 0 {
			return w
		}
		if high, low := bits.Mul64(w, n); low >= -n%n {
			return high
		}
	}
}

// Normal32 returns an element of Normal[float32] with mean 0 and standard deviation 1.
func (s Stream) Normal32(i int) float32 {
	w := s.Words(uint64(i)/4, 0)
	at := i % 4 &^ 1
	return normal32(w[at], w[at+1])[i%2]
}

// Normal64 returns an element of Normal[float64] with mean 0 and standard deviation 1.
func (s Stream) Normal64(i int) float64 {
	w := s.Words(uint64(i)/2, 0)
	return normal64(Pair(w, 0), Pair(w, 1))[i%2]
}

// Exponential32 returns an element of Exponential[float32] with scale 1.
func (s Stream) Exponential32(i int) float32 { return 0.5 * MinusTwoLog32(s.Word(uint64(i), 0)) }

// Exponential64 returns an element of Exponential[float64] with scale 1.
func (s Stream) Exponential64(i int) float64 { return -Log64(Open64(s.Wide(uint64(i), 0))) }
