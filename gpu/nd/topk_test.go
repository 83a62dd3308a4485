package nd_test

import (
	"bytes"
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/check"
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
		"zeros":     func(i int) float64 { return math.Copysign(float64(i%100000/99990), float64(i%3)-1) },
		"mostly":    func(i int) float64 { return float64(min(i%70, 1)) },
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
		wanted := []int{0, 1, 300, n / 64, n/64 + 1}
		if name == "few" {
			wanted = append(wanted, n/4, n/4+1)
		}
		for _, k := range wanted {
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
	topOf[int8](t, rng, n)
	topOf[uint16](t, rng, n)
	topOf[int32](t, rng, n)
	topOf[uint64](t, rng, n)
	topOf[nd.Float16](t, rng, n)
	topOf[nd.BFloat16](t, rng, n)
	topOf[float32](t, rng, n)
}

// TopK of rows along any axis, of views, of short and of split arrays is that of Argsort.
func TestTopKRows(t *testing.T) {
	on(t, "sim:x3")
	x := nd.Floor(numbers(31, 20, 30)).Eval() // with equal elements
	for name, a := range map[string]*nd.Array[float64]{
		"array": x, "transposed": x.Transpose(2, 0, 1), "view": x.Slice(nd.From(1), nd.All.By(-2), nd.R(3, 17)), "split": nd.Shard(x, 0), "constant": nd.Full(2.0, 4, 3, 5),
		"row": x.Reshape(-1), "short row": numbers(10), "split row": nd.Shard(x.Reshape(-1), 0), "empty": nd.Zeros[float64](3, 0, 5),
	} {
		for axis := range a.NDim() {
			length := a.Shape()[axis]
			index := make([]nd.Index, a.NDim())
			for i := range index {
				index[i] = nd.All
			}
			for _, k := range []int{min(1, length), length / 3, length} {
				index[axis] = nd.To(k)
				want := nd.Argsort(a, axis).Flip(axis).Slice(index...)
				values, places := nd.TopK(a, k, axis)
				if !values.Contiguous() || !places.Contiguous() {
					t.Errorf("%s, axis %d: the %d largest are not contiguous", name, axis, k)
				}
				if got := places.ToHost(); !slices.Equal(got, want.ToHost()) || !slices.Equal(places.Shape(), want.Shape()) {
					t.Errorf("%s, axis %d: the indices of the %d largest are %v of shape %v, want %v", name, axis, k, got, places.Shape(), want)
				}
				if got, want := values.ToHost(), nd.Sort(a, axis).Flip(axis).Slice(index...).ToHost(); !slices.Equal(got, want) {
					t.Errorf("%s, axis %d: the %d largest are %v, want %v", name, axis, k, got, want)
				}
			}
		}
	}
}

// The text of the kernel that TopK has a routine for gives the same results, and has no defects.
func TestTopKChecked(t *testing.T) {
	if !nd.Described() {
		t.Skip("SKIPPED: this device has other kernels")
	}
	rng := rand.New(rand.NewPCG(5, 6))
	topText(t, func() int8 { return int8(rng.Uint32()) })
	topText(t, rng.Uint64)
	topText(t, func() float32 {
		return []float32{float32(math.NaN()), float32(math.Inf(-1)), 0, float32(math.Copysign(0, -1)), rng.Float32()}[rng.IntN(5)]
	})
}

func topText[T nd.Real](t *testing.T, number func() T) {
	t.Helper()
	for _, c := range []struct{ rows, n, k int }{{1, 1, 1}, {3, 7, 7}, {2, 1500, 1}, {2, 1500, 600}, {1, 520, 513}} {
		host := make([]T, c.rows*c.n)
		for i := range host {
			host[i] = number()
		}
		x := nd.FromSlice(host, c.rows, c.n)
		values, places := nd.TopK(x, c.k, 1)
		r, err := check.Run(func() error {
			checkedValues, checkedPlaces := nd.TopK(x, c.k, 1)
			if !slices.Equal(checkedPlaces.ToHost(), places.ToHost()) || !bytes.Equal(rawBytes(checkedValues.ToHost()), rawBytes(values.ToHost())) {
				t.Errorf("%v: the %d largest of %d rows of %d are other ones", nd.DTypeOf[T](), c.k, c.rows, c.n)
			}
			return nil
		})
		if err == nil {
			err = r.Err()
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.Launches == 0 {
			t.Error("nothing is checked")
		}
	}
}

// topOf compares TopK of random bits of a type, of a view and of an expression, with Argsort.
func topOf[T nd.Real](t *testing.T, rng *rand.Rand, n int) {
	t.Helper()
	bits := make([]byte, (2*n+1)*nd.DTypeOf[T]().Size())
	for i := range bits {
		bits[i] = byte(rng.Uint32())
	}
	host := unsafe.Slice((*T)(unsafe.Pointer(&bits[0])), 2*n+1)
	a := nd.FromSlice(host)
	for name, x := range map[string]*nd.Array[T]{"view": a.Slice(nd.From(1).By(2)), "expression": a.Slice(nd.To(n)).Neg()} {
		order := nd.Argsort(x).Flip()
		for _, k := range []int{5, n / 64, n / 5} {
			values, places := nd.TopK(x, k, 0)
			want := order.Slice(nd.To(k)).Copy()
			if !slices.Equal(places.ToHost(), want.ToHost()) {
				t.Errorf("%v, %s: the indices of the %d largest are other ones than those of a sort", nd.DTypeOf[T](), name, k)
			}
			got, sorted := values.ToHost(), nd.Take(x, want).ToHost()
			for i, v := range got {
				if v != sorted[i] && (v == v || sorted[i] == sorted[i]) {
					t.Errorf("%v, %s: element %d of the %d largest is %v, want %v", nd.DTypeOf[T](), name, i, k, v, sorted[i])
					break
				}
			}
		}
	}
}

// TopK of a long array has few launches, and the same results if the array is split.
func TestTopKOperands(t *testing.T) {
	on(t, "sim:x3")
	x := numbers(1 << 18)
	want, where := nd.TopK(x, 100, 0)
	got, at := nd.TopK(nd.Shard(x, 0), 100, 0)
	if !slices.Equal(got.ToHost(), want.ToHost()) || !slices.Equal(at.ToHost(), where.ToHost()) {
		t.Error("the largest of a split array are other ones")
	}
	before := nd.Stats().Launches
	nd.TopK(x, 100, 0)
	most := 6 // for few elements
	if nd.Described() {
		most = 1
	}
	if made := nd.Stats().Launches - before; made > most {
		t.Errorf("there are %d launches, want %d at most", made, most)
	}
	if got := panics(t, func() {
		nd.Grad(func(p doubles) doubles { v, _ := nd.TopK(p, 1, 0); return v.Sum() })(x)
	}); !strings.Contains(got, "nd.TopK: it has no gradient here") {
		t.Errorf("a gradient gives %q", got)
	}
}

// A long array's sample is in groups of which only the largest elements are kept. It tells a limit wherever the largest elements are.
func TestTopKGroups(t *testing.T) {
	const n, k = 1<<20 + 77, 200
	rng := rand.New(rand.NewPCG(5, 6))
	for name, f := range map[string]func(i int) int32{
		"random":     func(int) int32 { return int32(rng.Uint32()) },
		"ascending":  func(i int) int32 { return int32(i) },
		"descending": func(i int) int32 { return int32(-i) },
		"in blocks":  func(i int) int32 { return int32(i%4096*4096 + i/4096) },
		"columns":    func(i int) int32 { return int32(max(0, 500-i%(n/4)) * (i + 1)) }, // the largest are those of the first columns of four rows
	} {
		host := make([]int32, n)
		for i := range host {
			host[i] = f(i)
		}
		a := nd.FromSlice(host)
		before := nd.Stats().Launches
		values, places := nd.TopK(a, k, 0)
		if made := nd.Stats().Launches - before; made > 6 && !nd.Described() {
			t.Errorf("%s: there are %d launches, want 6 at most", name, made)
		}
		got := values.ToHost()
		for i, at := range places.ToHost() {
			if host[at] != got[i] {
				t.Fatalf("%s: element %d is not the one at its index", name, i)
			}
		}
		slices.Sort(host)
		if slices.Reverse(host); !slices.Equal(got, host[:k]) {
			t.Errorf("%s: the largest are other ones than those of a sort", name)
		}
	}
}
