package nd_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// sampling makes selections take samples of short rows, too.
func sampling(t *testing.T) {
	before := nd.SetSampled(1)
	t.Cleanup(func() { nd.SetSampled(before) })
}

// rawBytes returns the memory of a list.
func rawBytes[T any](list []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), len(list)*int(unsafe.Sizeof(*new(T))))
}

// sampledPlace is where an element of a sample of n elements is.
func sampledPlace(part, size, n int) int {
	from, to := part*n/size, (part+1)*n/size
	hash := uint64(part+1) * 0x9e3779b97f4a7c15
	hash = (hash ^ hash>>31) * 0x9e3779b97f4a7c15
	return from + int((hash>>32)*uint64(to-from)>>32)
}

const sampledLength = 70_001

// sampledCases are rows of numbers, some of which mislead samples.
func sampledCases(rng *rand.Rand) map[string]func(i int) float64 {
	taken := map[int]bool{}
	for size := 64; size <= 1<<16; size *= 2 {
		for part := range size {
			if size <= sampledLength/32 {
				taken[sampledPlace(part, size, sampledLength)] = true
			}
		}
	}
	onlyTaken := func(value float64) func(i int) float64 {
		return func(i int) float64 {
			if taken[i] {
				return value
			}
			return rng.NormFloat64()
		}
	}
	return map[string]func(i int) float64{
		"normal":     func(int) float64 { return rng.NormFloat64() },
		"uniform":    func(int) float64 { return rng.Float64() },
		"ascending":  func(i int) float64 { return float64(i) },
		"descending": func(i int) float64 { return float64(-i) },
		"constant":   func(int) float64 { return 7 },
		"two":        func(i int) float64 { return float64(i % 2) },
		"mostly one": func(i int) float64 { return float64(min(i%70, 1)) },
		"few":        func(int) float64 { return float64(rng.IntN(7)) - 3 },
		"some equal": func(int) float64 { return math.Round(rng.NormFloat64()*40) / 40 },
		"NaNs":       func(i int) float64 { return []float64{math.NaN(), rng.Float64()}[min(i%3, 1)] },
		"negative NaNs": func(i int) float64 {
			return []float64{math.Copysign(math.NaN(), -1), math.NaN(), rng.NormFloat64()}[min(i%10, 2)]
		},
		"only NaNs":     func(int) float64 { return math.NaN() },
		"one NaN":       func(i int) float64 { return []float64{math.NaN(), rng.Float64()}[min(i, 1)] },
		"zeros":         func(int) float64 { return math.Copysign(0, rng.NormFloat64()) },
		"infinite":      func(int) float64 { return []float64{math.Inf(1), math.Inf(-1), 1}[rng.IntN(3)] },
		"large":         func(int) float64 { return rng.NormFloat64() * math.Pow(2, float64(rng.IntN(30)-15)) },
		"around":        func(int) float64 { return 1e6 + rng.NormFloat64() },
		"sampled large": onlyTaken(1e9),
		"sampled small": onlyTaken(-1e9),
		"sampled equal": onlyTaken(0.5),
		"sampled NaNs":  onlyTaken(math.NaN()),
	}
}

// misled are the cases in which a sample does not lead to the wanted elements.
var misled = []string{"sampled large", "sampled small", "sampled equal", "sampled NaNs"}

// Elements of long rows, to which a sample leads, are those that a sort puts at their places, whatever the sample tells.
func TestSelectSampled(t *testing.T) {
	sampling(t)
	rng := rand.New(rand.NewPCG(5, 6))
	cases := sampledCases(rng)
	for name, f := range cases {
		host := make([]float64, sampledLength)
		for i := range host {
			host[i] = f(i)
		}
		selectSampled[float32](t, name, host)
		selectSampled[float64](t, name, host)
		selectSampled[nd.Float16](t, name, host)
		selectSampled[int64](t, name, host)
	}
	selectBits[int8](t, rng)
	selectBits[int32](t, rng)
	selectBits[uint16](t, rng)
	selectBits[int16](t, rng)
	selectBits[uint32](t, rng)
	selectBits[uint64](t, rng)
	selectBits[nd.BFloat16](t, rng)
	selectBits[float32](t, rng)
	selectBits[float64](t, rng)
}

// selectSampled compares statistics of numbers, and of what follows the first of them, with a sort.
func selectSampled[T nd.Real](t *testing.T, name string, host []float64) {
	t.Helper()
	a := nd.AsType[T](nd.FromSlice(host)).Copy()
	n := a.Size()
	selectOf(t, name, a, []int{n / 10, n/10 + 1, n / 2, n/2 + 1, n / 10 * 9, n/10*9 + 1, n - 1})
	selectOf(t, name, a.Slice(nd.From(1)), []int{n / 3, n - 2})
	if a.DType() == nd.F32 {
		selectOf(t, name, a, []int{n / 2, n - 1})
		selectOf(t, name, a, []int{0, n / 100, n - 1, 3, n - 2})
		selectOf(t, name, a.Slice(nd.R(3, n-30_000)), []int{0, n / 3})
	}
}

// selectBits compares statistics of random bits with a sort.
func selectBits[T nd.Real](t *testing.T, rng *rand.Rand) {
	t.Helper()
	list := make([]T, 50_001)
	raw := rawBytes(list)
	for i := range raw {
		raw[i] = byte(rng.Uint32())
	}
	n := len(list)
	a := nd.FromSlice(list)
	selectOf(t, "bits", a, []int{n / 4, n/4 + 1, 0, n - 1, n / 4 * 3})
	selectOf(t, "bits", a.Slice(nd.From(1)), []int{n / 2})
	rows := nd.FromSlice(list[:49_998]).Reshape(3, -1)
	selectOf(t, "bits of rows", rows, []int{100, 16_665, 8000})
}

func selectOf[T nd.Real](t *testing.T, name string, a *nd.Array[T], ranks []int) {
	t.Helper()
	got, sorted := nd.Statistics(a, ranks).ToHost(), nd.Sort(a).ToHost()
	n := a.Shape()[a.NDim()-1]
	var want []T
	for row := range slices.Chunk(sorted, n) {
		for _, r := range ranks {
			want = append(want, row[r])
		}
	}
	if !bytes.Equal(rawBytes(got), rawBytes(want)) {
		t.Errorf("%v, %s: elements %v of %v are %v, want %v", nd.DTypeOf[T](), name, ranks, a.Shape(), got, want)
	}
}

// A sample leads to few elements, also if many are equal, unless it misleads.
func TestSelectKept(t *testing.T) {
	if nd.Described() {
		t.Skip("SKIPPED: without a GPU's kernels no sample is taken")
	}
	sampling(t)
	rng := rand.New(rand.NewPCG(7, 8))
	for name, f := range sampledCases(rng) {
		host := make([]float32, sampledLength)
		for i := range host {
			host[i] = float32(f(i))
		}
		n := len(host)
		count, ok := nd.Kept(nd.FromSlice(host), []int{n / 2, n/2 + 1, n - 1})
		if want := !slices.Contains(misled, name); ok != want || ok && count > n/4 {
			t.Errorf("%s: %d elements are kept, %v", name, count, ok)
		}
	}
}
