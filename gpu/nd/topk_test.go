package nd_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// TopK of a long array, which is not sorted as a whole, is that of a sort, whatever a sample of it tells.
func TestTopKLong(t *testing.T) {
	const n = 1<<18 + 77
	rng := rand.New(rand.NewPCG(3, 4))
	for name, f := range map[string]func(i int) float64{
		"uniform":   func(int) float64 { return rng.Float64() },
		"ascending": func(i int) float64 { return float64(i) },
		"constant":  func(int) float64 { return 7 },
		"few":       func(int) float64 { return float64(rng.IntN(5)) },
		"NaNs":      func(i int) float64 { return []float64{math.NaN(), rng.Float64()}[min(i%50, 1)] },
		"some NaNs": func(i int) float64 { return []float64{math.NaN(), rng.Float64()}[min(i%50000, 1)] },
		"sampled":   func(i int) float64 { return float64(max(0, 1-i%16)) }, // the sample has only the largest
		"missed":    func(i int) float64 { return float64(i % 16) },         // and only the smallest
		"infinite":  func(i int) float64 { return []float64{math.Inf(1), math.Inf(-1), 0}[min(i%700, 2)] },
	} {
		host := make([]float64, n)
		for i := range host {
			host[i] = f(i)
		}
		order := make([]int64, n)
		for i := range order {
			order[i] = int64(i)
		}
		slices.SortFunc(order, func(i, j int64) int {
			x, y := host[i], host[j]
			switch {
			case x != x && y == y:
				return -1
			case x == x && y != y:
				return 1
			case x != y && x == x:
				return cmp.Compare(y, x)
			}
			return cmp.Compare(j, i)
		})
		a := nd.FromSlice(host)
		for _, k := range []int{0, 1, 300, n / 64} {
			values, places := nd.TopK(a, k, 0)
			if got := places.ToHost(); !slices.Equal(got, order[:k]) {
				t.Errorf("%s: the indices of the %d largest are other ones than those of a sort", name, k)
			}
			for i, v := range values.ToHost() {
				if want := host[order[i]]; v != want && (v == v || want == want) {
					t.Errorf("%s: element %d of the %d largest is %v, want %v", name, i, k, v, want)
					break
				}
			}
		}
	}
	ints := make([]int32, n)
	for i := range ints {
		ints[i] = rng.Int32()
	}
	values, _ := nd.TopK(nd.FromSlice(ints), 5, 0)
	slices.Sort(ints)
	if want := ints[n-5:]; !slices.Equal(values.Flip().ToHost(), want) {
		t.Errorf("the largest integers are %v, want %v", values, want)
	}
}
