package nd_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// sizes are numbers of elements about those of a warp, of a block's tile, and of several tiles.
var sizes = []int{0, 1, 31, 33, 4095, 4096, 4097, 100_003}

// TestMaskOfSizes compares the masked elements of arrays of many sizes, aligned or not, with those that a loop finds.
func TestMaskOfSizes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range sizes {
		for _, share := range []float64{0, 0.1, 0.9, 1} {
			t.Run(fmt.Sprintf("%d,%v", n, share), func(t *testing.T) {
				mask, values := make([]bool, n+1), make([]int16, n+1)
				want, places := []int16{}, []int64{}
				for i := range mask {
					mask[i], values[i] = random.Float64() < share, int16(random.Int())
					if i > 0 && mask[i] {
						want, places = append(want, values[i]), append(places, int64(i-1))
					}
				}
				m, v := nd.FromSlice(mask).Slice(nd.From(1)), nd.FromSlice(values).Slice(nd.From(1))
				if got := nd.Mask(v, m).ToHost(); !slices.Equal(got, want) {
					t.Errorf("there are %d elements, want %d, or others", len(got), len(want))
				}
				if got := nd.Flatnonzero(m).ToHost(); !slices.Equal(got, places) {
					t.Errorf("there are %d places, want %d, or others", len(got), len(places))
				}
				column := v.Reshape(n, 1)
				if got := nd.Mask(column, m); !slices.Equal(got.Shape(), []int{len(want), 1}) || !slices.Equal(got.ToHost(), want) {
					t.Errorf("of a column there is %v", got)
				}
			})
		}
	}
}

// TestBincountOfSizes compares counts of few bins, of more than a block has copies of, and of more than a block has room for.
func TestBincountOfSizes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, n := range sizes[1:] {
		for _, bins := range []int{1, 100, 3071, 3072, 5000, 20_000} {
			t.Run(fmt.Sprintf("%d,%d", n, bins), func(t *testing.T) {
				numbers, weights := make([]uint16, n+1), make([]float32, n+1)
				counts, sums := make([]int64, bins), make([]float64, bins)
				for i := range numbers {
					numbers[i], weights[i] = uint16(random.IntN(bins)), float32(random.IntN(1000))/8
					if i > 0 {
						counts[numbers[i]]++
						sums[numbers[i]] += float64(weights[i])
					}
				}
				x, w := nd.FromSlice(numbers).Slice(nd.From(1)), nd.FromSlice(weights).Slice(nd.From(1))
				if got := nd.Bincount(x, bins).ToHost(); !slices.Equal(got, counts) {
					t.Error("the counts are wrong")
				}
				if got := nd.BincountWeights(x, w, bins).ToHost(); !slices.Equal(got, sums) {
					t.Error("the sums, which are exact, are wrong")
				}
			})
		}
	}
}

// TestUniqueOfRanges compares the distinct integers of ranges that are counted and of ranges that are sorted.
func TestUniqueOfRanges(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, span := range []int64{1, 200, 12_287, 12_288, 12_289, 1 << 40} {
		for _, low := range []int64{0, -100, -1 << 62} {
			list := make([]int64, 10_000)
			for i := range list {
				list[i] = low + random.Int64N(span)
			}
			list[7], list[77] = low, low+span-1
			got := nd.Unique(nd.FromSlice(list, 100, 100)).ToHost()
			slices.Sort(list)
			if want := slices.Compact(list); !slices.Equal(got, want) {
				t.Errorf("from %d to %d there are %d, want %d, or others", low, low+span-1, len(got), len(want))
			}
		}
	}
	small := nd.FromSlice([]int8{127, -128, 0, 127})
	if got := nd.Unique(small).ToHost(); !slices.Equal(got, []int8{-128, 0, 127}) {
		t.Errorf("of int8s there are %v", got)
	}
	large := nd.FromSlice([]uint64{1<<64 - 1, 5, 1<<63 + 1, 5})
	if got := nd.Unique(large).ToHost(); !slices.Equal(got, []uint64{5, 1<<63 + 1, 1<<64 - 1}) {
		t.Errorf("of uint64s there are %v", got)
	}
}

// Columns and other views of one axis are counted where they are.
func TestBincountOfViews(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	bincountViews[int64, float32](t, random)
	bincountViews[int32, float32](t, random)
	bincountViews[uint8, float64](t, random)
	bincountViews[int16, nd.Float16](t, random)
	bincountViews[uint32, int8](t, random)
	bincountViews[uint64, int64](t, random)
}

func bincountViews[T nd.Integer, W nd.Real](t *testing.T, random *rand.Rand) {
	t.Helper()
	for _, n := range []int{0, 1, 33, 5000} {
		for _, bins := range []int{1, 100, 20_000} {
			if nd.DTypeOf[T]() == nd.Uint8 {
				bins = min(bins, 256)
			}
			numbers, ints := make([]int64, 5*n), make([]int64, 5*n)
			for i := range numbers {
				numbers[i], ints[i] = random.Int64N(int64(bins)), random.Int64N(100)
			}
			x, w := nd.AsType[T](nd.FromSlice(numbers, n, 5)).Eval(), nd.AsType[W](nd.FromSlice(ints, n, 5)).Eval()
			for range 4 {
				i, j := random.IntN(5), random.IntN(5)
				column, weights := x.Slice(nd.All, nd.At(i)), w.Slice(nd.All, nd.At(j))
				at := func(k int) (number, weight int64) { return numbers[5*k+i], ints[5*k+j] }
				switch random.IntN(5) {
				case 0:
					column, weights = column.Copy(), weights.Flip(0)
					at = func(k int) (number, weight int64) { return numbers[5*k+i], ints[5*(n-1-k)+j] }
				case 1:
					column = column.Flip(0)
					at = func(k int) (number, weight int64) { return numbers[5*(n-1-k)+i], ints[5*k+j] }
				case 2:
					weights = nd.Ones[W](1).Eval().BroadcastTo(n)
					at = func(k int) (number, weight int64) { return numbers[5*k+i], 1 }
				case 3:
					weights = nd.Scalar(nd.Ones[W](1).Item()).BroadcastTo(n)
					at = func(k int) (number, weight int64) { return numbers[5*k+i], 1 }
				}
				counts, sums := make([]int64, bins), make([]float64, bins)
				for k := range n {
					number, weight := at(k)
					counts[number]++
					sums[number] += float64(weight)
				}
				if got := nd.Bincount(column, bins).ToHost(); !slices.Equal(got, counts) {
					t.Errorf("%v, %d of %d bins, column %d: the counts are wrong", x.DType(), n, bins, i)
				}
				if got := nd.BincountWeights(column, weights, bins).ToHost(); !slices.Equal(got, sums) {
					t.Errorf("%v by %v, %d of %d bins, columns %d and %d: the sums are wrong", w.DType(), x.DType(), n, bins, i, j)
				}
			}
		}
	}
}

// To count a column takes no copy of it.
func TestBincountWithoutCopy(t *testing.T) {
	x, w := nd.Zeros[int32](100, 3), nd.Ones[float32](100, 3).Eval()
	i, v := x.Slice(nd.All, nd.At(1)), w.Slice(nd.All, nd.At(2))
	nd.Bincount(i, 0)
	if got := launches(func() { nd.BincountWeights(i, v, 0) }); got != 2 { // zeros, and the sums
		t.Errorf("there are %d launches, want 2", got)
	}
	if got := launches(func() { nd.Bincount(x.Slice(nd.All, nd.At(0)), 0) }); got != 4 { // also for the range
		t.Errorf("there are %d launches, want 4", got)
	}
}

// Sums of weights have no errors but that of float64, whatever the weights' range, signs and order.
func TestBincountOfRanges(t *testing.T) {
	const n, bins = 60_013, 30
	random := rand.New(rand.NewPCG(7, 8))
	for name, f := range map[string]func(i int) float32{
		"uniform":   func(int) float32 { return random.Float32() },
		"normal":    func(int) float32 { return float32(random.NormFloat64()) },
		"ascending": func(i int) float32 { return float32(i) * 1e-3 },
		"all ranges": func(int) float32 {
			return float32(math.Exp(min(25*random.NormFloat64(), 85))) * float32(random.IntN(3)-1)
		},
		"by bin":      func(i int) float32 { return float32(math.Ldexp(random.Float64(), 8*(i%bins)-120)) },
		"subnormal":   func(i int) float32 { return float32(i-n/2) * math.SmallestNonzeroFloat32 },
		"largest":     func(i int) float32 { return math.MaxFloat32 * float32(1-i%bins%3) },
		"one is huge": func(i int) float32 { return []float32{random.Float32(), 3e38}[min(i/(n-5), 1)] },
		"zeros":       func(i int) float32 { return float32(math.Copysign(0, float64(i%2)-1)) },
		"cancel":      func(i int) float32 { return float32(1-i/bins%2*2) * float32(i/bins/2*7+1) },
	} {
		numbers, weights := make([]int32, n), make([]float32, n)
		for i := range numbers {
			numbers[i], weights[i] = int32(i%bins), f(i)
		}
		want, size := make([]big.Float, bins), make([]float64, bins)
		for i, w := range weights {
			sum := &want[numbers[i]]
			sum.SetPrec(400).Add(sum, big.NewFloat(float64(w)))
			size[numbers[i]] += math.Abs(float64(w))
		}
		for i, got := range nd.BincountWeights(nd.FromSlice(numbers), nd.FromSlice(weights), bins).ToHost() {
			sum, _ := want[i].Float64()
			if d := math.Abs(got - sum); !(d <= 1e-13*size[i]) {
				t.Errorf("%s: the sum of bin %d is %v, want %v, or %v less", name, i, got, sum, d)
			}
		}
	}
	special := []float32{1, float32(math.Inf(1)), 2, float32(math.NaN()), float32(math.Inf(-1)), float32(math.Inf(1)), 5}
	got := nd.BincountWeights(nd.FromSlice([]int32{0, 1, 0, 2, 3, 3, 4}), nd.FromSlice(special), 6).ToHost()
	if got[0] != 3 || !math.IsInf(got[1], 1) || !math.IsNaN(got[2]) || !math.IsNaN(got[3]) || got[4] != 5 || got[5] != 0 {
		t.Errorf("sums with infinities and NaNs are %v", got)
	}
}

// Blocks do not share more memory than an old GPU has, whatever the number of bins.
func TestBincountOnOldGPU(t *testing.T) {
	on(t, "sim:gtx1080")
	numbers := nd.Arange[int32](10_000)
	for _, bins := range []int{16, 192, 256, 1024, 3071, 3072, 3073, 6144} {
		some := numbers.ModScalar(int32(bins))
		for name, got := range map[string][]float64{
			"float16": nd.BincountWeights(some, nd.Ones[nd.Float16](10_000), bins).ToHost(),
			"float32": nd.BincountWeights(some, nd.Ones[float32](10_000), bins).ToHost(),
		} {
			for i, sum := range got {
				if want := float64((10_000 + bins - 1 - i) / bins); sum != want {
					t.Fatalf("%s: the sum of bin %d of %d is %v, want %v", name, i, bins, sum, want)
				}
			}
		}
	}
}
