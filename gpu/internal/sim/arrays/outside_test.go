package arrays

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

// What is outside of a box is copied, and nothing else.
func TestCopyOutside(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		rank := 1 + random.IntN(4)
		dims, low, high, total := make([]int, rank), make([]int, rank), make([]int, rank), 1
		for k := range dims {
			dims[k] = 1 + random.IntN(7+60/rank)
			low[k] = random.IntN(dims[k])
			high[k] = low[k] + 1 + random.IntN(dims[k]-low[k])
			total *= dims[k]
		}
		words := []int64{0}
		last := 0
		for k := rank - 1; k >= 0; k-- {
			words = append(words, int64(dims[k]), int64(low[k]), int64(high[k]))
		}
		for k := range dims {
			last = last*dims[k] + high[k] - 1
		}
		total -= random.IntN(total - last) // memory may end before the first axis does
		words[0] = int64(total)
		from, to := make([]int32, total), make([]int32, total)
		for i := range from {
			from[i], to[i] = int32(i), -1
		}
		copyOutside([]pointer{unsafe.Pointer(&to[0]), unsafe.Pointer(&from[0])}, words, 4)
		for i, v := range to {
			inside, rest := true, i
			for k := rank - 1; k >= 0; k-- {
				at := rest % dims[k]
				inside = inside && at >= low[k] && at < high[k]
				rest /= dims[k]
			}
			if want := int32(i); inside && v != -1 || !inside && v != want {
				t.Fatalf("box from %v to %v of %v: element %d is %d, inside: %v", low, high, dims, i, v, inside)
			}
		}
	}
}
