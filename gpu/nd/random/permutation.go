package random

import (
	"math/bits"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/philox"
)

// shuffledOnHost is the largest number of elements that are shuffled on the host, one exchange after the other, which gives all
// permutations with the same probability.
const shuffledOnHost = 1 << 16

// shuffled returns the first k numbers of a random permutation of 0 to n-1.
func (s Stream) shuffled(n, k int) []int64 {
	list := make([]int64, n)
	for i := range list {
		list[i] = int64(i)
	}
	for i := range min(k, n-1) {
		j := i + int(s.Uint64N(i, uint64(n-i)))
		list[i], list[j] = list[j], list[i]
	}
	return list[:k]
}

// feistelRounds is more than enough for a round function that is itself random.
const feistelRounds = 8

// place returns the i-th number of a random permutation of 0 to n-1, without computing the others: a Feistel network maps the numbers of
// that many bits one to one, and is applied again to results that are not below n.
func (s Stream) place(i, n uint64) uint64 {
	all := bitsFor(int(n))
	low := all / 2
	for x := i; ; {
		left, right := x>>low, x&(1<<low-1)
		wide, narrow := all-low, low // of left and of right
		for round := range uint32(feistelRounds) {
			w := philox.Words([4]uint32{uint32(right), uint32(right >> 32), s.call, round}, s.seed)
			left, right = right, (left^philox.Pair(w, 0))&(1<<wide-1)
			wide, narrow = narrow, wide
		}
		if x = left<<low | right; x < n {
			return x
		}
	}
}

// Permutation returns the numbers of Permutation(rng, n).
func (s Stream) Permutation(n int) []int64 {
	if n <= shuffledOnHost {
		return s.shuffled(n, n)
	}
	list := make([]int64, n)
	for i := range list {
		list[i] = int64(s.place(uint64(i), uint64(n)))
	}
	return list
}

// weighted returns k different numbers from 0 to len(p)-1, drawn one after the other with probabilities proportional to p: those with the
// smallest exponential numbers of rates p.
func (s Stream) weighted(p []float64, k int) []int64 {
	type key struct {
		at    int64
		value float64
	}
	var keys []key
	for i, w := range p {
		if w > 0 {
			keys = append(keys, key{int64(i), s.Exponential64(i) / w})
		}
	}
	slices.SortFunc(keys, func(a, b key) int {
		switch {
		case a.value < b.value:
			return -1
		case a.value > b.value:
			return 1
		}
		return int(a.at - b.at)
	})
	list := make([]int64, k)
	for i := range list {
		list[i] = keys[i].at
	}
	return list
}

// bitsFor returns the number of bits of the numbers below n.
func bitsFor(n int) uint { return uint(bits.Len64(uint64(n - 1))) }
