package nd_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/gpu/nd/internal/dynamic"
	"github.com/gopherwarp/gopherwarp/internal/gpuhooks"
)

// The range of an array is found once, whatever asks for it.
func TestRangeIsKept(t *testing.T) {
	index := nd.FromSlice([]int32{4, 0, 3, 2, 1, 4})
	values, weights := nd.Arange[float32](5).Eval(), nd.Ones[float32](6).Eval()
	functions := map[string]func(){
		"Bincount":         func() { nd.Bincount(index, 0) },
		"BincountWeights":  func() { nd.BincountWeights(index, weights, 0) },
		"Take":             func() { nd.Take(values, index) },
		"Take of int64s":   func() { nd.Take(values, nd.AsType[int64](index)) },
		"Take of a matrix": func() { nd.Take(values, index.Reshape(2, 3)) },
		"Put":              func() { nd.Put(nd.Zeros[int8](5), index, nd.Ones[int8](1).Eval()) },
		"Unique":           func() { nd.Unique(index) },
	}
	for name, f := range functions {
		index.Fill(0)
		index.Assign(nd.FromSlice([]int32{4, 0, 3, 2, 1, 4}))
		first, second := launches(f), launches(f)
		if second != first-2 { // a fill and a search
			t.Errorf("%s launches %d kernels and then %d, want two less", name, first, second)
		}
		for other, g := range functions {
			before := launches(g)
			if again := launches(g); again != before {
				t.Errorf("after %s, %s launches %d kernels and then %d", name, other, before, again)
			}
		}
	}
	edges := nd.FromSlice([]int64{0, 1, 2, 3, 4, 0}, 3, 2)
	ends := []*nd.Array[int64]{edges.Slice(nd.All, nd.At(0)), edges.Slice(nd.All, nd.At(1))}
	columns := func() {
		for _, column := range ends {
			nd.Take(values, column)
		}
	}
	if first, second := launches(columns), launches(columns); second != first-4-2 && second != first-4 {
		t.Errorf("with columns, Take launches %d kernels and then %d", first, second)
	}
	for i, want := range []string{"[1 0 1 0 1]", "[1 1 0 1]"} {
		if got := fmt.Sprint(nd.Bincount(ends[i], 0).ToHost()); got != want {
			t.Errorf("column %d has the counts %s, want %s", i, got, want)
		}
	}
}

// The indices that Argmin returns are counted without looking for their range, until they are written.
func TestRangeOfIndices(t *testing.T) {
	x := nd.FromSlice([]float32{3, 1, 2, 0, 5, 4, 7, 8, 6}, 3, 3)
	nearest := nd.Argmin(x, 1).Eval()
	counted := func(least int) (list []int64, kernels int) {
		kernels = launches(func() { list = nd.Bincount(nearest, least).ToHost() })
		return list, kernels
	}
	list, first := counted(4)
	if !slices.Equal(list, []int64{1, 1, 1, 0}) {
		t.Errorf("the counts are %d, want [1 1 1 0]", list)
	}
	if _, second := counted(4); second != first {
		t.Errorf("to count takes %d launches and then %d", first, second)
	}
	if list, _ := counted(2); !slices.Equal(list, []int64{1, 1, 1}) {
		t.Errorf("with fewer counts than indices they are %d, want [1 1 1]", list)
	}
	nearest = nd.Argmax(x, 0)
	nearest.At(1).Fill(5)
	if list, _ := counted(4); !slices.Equal(list, []int64{0, 0, 2, 0, 0, 1}) {
		t.Errorf("after a write, the counts are %d, want [0 0 2 0 0 1]", list)
	}
	nearest = nd.Argmin(x, 1)
	if got := nd.Bincount(nearest.Slice(nd.To(2)), 3).ToHost(); !slices.Equal(got, []int64{1, 1, 0}) {
		t.Errorf("a view has the counts %d, want [1 1 0]", got)
	}
	must(t, nd.BufferOf(nearest).CopyFrom([]int64{6, 0, 0}))
	if list, _ := counted(3); !slices.Equal(list, []int64{2, 0, 0, 0, 0, 0, 1}) {
		t.Errorf("after a write to its memory, the counts are %d, want [2 0 0 0 0 0 1]", list)
	}
}

// A write of any kind makes a range that was found before unknown.
func TestRangeOfWritten(t *testing.T) {
	type integers = *nd.Array[int32]
	raise := nd.NewRawKernel(`extern "C" __global__ void raise(int *x) { x[threadIdx.x] = 9; }`, "raise")
	nines := []int32{9, 9, 9, 9}
	writes := map[string]func(a integers){
		"Fill":                   func(a integers) { a.Fill(9) },
		"Assign":                 func(a integers) { a.Assign(nd.FromSlice(nines)) },
		"Assign of itself":       func(a integers) { a.Assign(a.MulScalar(0).AddScalar(9)) },
		"Assign to a view":       func(a integers) { a.Slice(nd.From(2)).Assign(nd.FromSlice(nines[:2])) },
		"Fill of an element":     func(a integers) { a.At(1).Fill(9) },
		"Fill of a reversed one": func(a integers) { a.Flip(0).Reshape(4).Flip(0).Slice(nd.To(3)).Fill(9); a.At(0).Fill(9) },
		"Fill of a matrix":       func(a integers) { a.Reshape(2, 2).T().Fill(9) },
		"Put":                    func(a integers) { nd.Put(a, nd.FromSlice([]int64{3}), nd.FromSlice(nines[:1])) },
		"Put in a view":          func(a integers) { nd.Put(a.Slice(nd.All.By(2)), nd.FromSlice([]int64{0}), nd.FromSlice(nines[:1])) },
		"PutMask":                func(a integers) { nd.PutMask(a, a.EqualScalar(0), nd.FromSlice(nines)) },
		"BufferOf":               func(a integers) { must(t, nd.BufferOf(a).CopyFrom(nines)) },
		"BufferOf a view":        func(a integers) { must(t, nd.BufferOf(a.Slice(nd.From(1))).CopyFrom(nines[:3])) },
		"RawOf":                  func(a integers) { must(t, gpu.Reinterpret[int32](nd.RawOf(a).Memory).CopyFrom(nines)) },
		"Packed":                 func(a integers) { must(t, gpu.Reinterpret[int32](nd.Packed(a)).CopyFrom(nines)) },
		"a kernel":               func(a integers) { must(t, raise.Launch(gpu.For(4, 4), a)) },
		"an array of its memory": func(a integers) { nd.FromBuffer(nd.BufferOf(a)).Fill(9) },
	}
	values := nd.Arange[float64](5)
	for name, write := range writes {
		for _, read := range []bool{false, true} {
			a := nd.FromSlice([]int32{0, 1, 2, 3})
			var needed *nd.Array[int32]
			if read {
				needed = a.MulScalar(2) // so the write goes to a copy
				if name == "Packed" {   // which is for reading: it leaves the memory where it is
					continue
				}
			}
			nd.Take(values, a)
			if got := nd.Bincount(a, 0).Len(); got != 4 {
				t.Fatalf("there are %d counts, want 4", got)
			}
			write(a)
			if err := nd.Try(func() { nd.Take(values, a) }); err == nil || !strings.Contains(err.Error(), "index 9") {
				t.Errorf("%s, %t: the error is %v, want one of index 9", name, read, err)
			}
			if got := nd.Bincount(a, 0).Len(); got != 10 {
				t.Errorf("%s, %t: there are %d counts, want 10", name, read, got)
			}
			if read {
				equal(t, name, needed, 0, 2, 4, 6)
			}
		}
	}
}

// Memory that others have may be written at any time.
func TestRangeOfOpenMemory(t *testing.T) {
	for name, share := range map[string]func() (*nd.Array[int32], *gpu.Buffer[int32]){
		"BufferOf": func() (*nd.Array[int32], *gpu.Buffer[int32]) {
			a := nd.FromSlice([]int32{0, 1})
			return a, nd.BufferOf(a)
		},
		"FromBuffer": func() (*nd.Array[int32], *gpu.Buffer[int32]) {
			b := gpu.ToDevice([]int32{0, 1})
			return nd.FromBuffer(b), b
		},
		"RawOf": func() (*nd.Array[int32], *gpu.Buffer[int32]) {
			a := nd.FromSlice([]int32{0, 1})
			return a, gpu.Reinterpret[int32](nd.RawOf(a).Memory)
		},
		"Packed": func() (*nd.Array[int32], *gpu.Buffer[int32]) {
			a := nd.FromSlice([]int32{0, 1})
			nd.Bincount(a, 0)
			return a, gpu.Reinterpret[int32](nd.Packed(a))
		},
	} {
		a, b := share()
		view := a.Slice(nd.From(1))
		for _, v := range []int32{1, 7, 3} {
			must(t, b.CopyFrom([]int32{0, v}))
			for _, x := range []*nd.Array[int32]{a, view} {
				if got := nd.Bincount(x, 0).Len(); got != int(v)+1 {
					t.Errorf("%s: there are %d counts, want %d", name, got, v+1)
				}
			}
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestRangesOfViews writes and counts views of one array at random, and compares with slices of Go.
func TestRangesOfViews(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	const n = 60
	mirror := make([]int32, n)
	a := nd.FromSlice(mirror)
	var waiting []*nd.Array[int32]
	for step := range 600 {
		from, by := random.IntN(n/2), 1+random.IntN(3)
		to := from + 1 + random.IntN(n-from)
		var places []int
		for i := from; i < to; i += by {
			places = append(places, i)
		}
		switch random.IntN(5) {
		case 0:
			v := random.Int32N(50)
			a.Slice(nd.R(from, to).By(by)).Fill(v)
			for _, i := range places {
				mirror[i] = v
			}
		case 1:
			waiting = append(waiting, a.Slice(nd.R(from, to)).AddScalar(1))
		case 2:
			waiting = nil
		}
		view := a.Slice(nd.R(from, to).By(by))
		if random.IntN(3) == 0 && by == 1 && (to-from)%2 == 0 {
			view = view.Reshape(2, -1).T().Reshape(-1)
		}
		most := int32(0)
		for _, i := range places {
			most = max(most, mirror[i])
		}
		if got := nd.Bincount(view, 0).Len(); got != int(most)+1 {
			t.Fatalf("step %d: there are %d counts of %d:%d:%d, want %d", step, got, from, to, by, most+1)
		}
		if got := nd.Bincount(a, 0).Len(); got != int(slices.Max(mirror))+1 {
			t.Fatalf("step %d: there are %d counts of all, want %d", step, got, slices.Max(mirror)+1)
		}
	}
	_ = waiting
}

// Parts of a split array keep their ranges; a gradient has the one of the indices that it was made with.
func TestRangeElsewhere(t *testing.T) {
	grad := nd.Grad(func(x *nd.Array[float64]) *nd.Array[float64] {
		index := nd.FromSlice([]int64{2, 0})
		y := nd.Take(x.Square(), index)
		index.Fill(1)
		return y.Add(nd.Take(x, index)).Sum()
	})(nd.Arange[float64](3))
	if got := fmt.Sprint(grad.ToHost()); got != "[0 2 4]" {
		t.Errorf("the gradient is %s, want [0 2 4]", got)
	}
	on(t, "sim:x2")
	parts := nd.Shard(nd.FromSlice([]int32{0, 5, 1, 2}), 0)
	count := func() { nd.Bincount(parts, 0) }
	if first, second := launches(count), launches(count); second >= first {
		t.Errorf("counting a split array takes %d launches on its first device, and then %d", first, second)
	}
	if got := fmt.Sprint(nd.Bincount(parts, 0).ToHost()); got != "[1 1 1 0 0 1]" {
		t.Errorf("the counts are %s", got)
	}
}

// Arrays that come from elsewhere as a copy are like those of FromSlice.
func TestRangeOfImported(t *testing.T) {
	a, b, err := dynamic.Empty(nd.Int32, []int{3}, nil, nil)
	must(t, err)
	must(t, gpu.Reinterpret[int32](b).CopyFrom([]int32{2, 0, 2}))
	index := a.(*nd.Array[int32])
	count := func() { nd.Bincount(index, 0) }
	if first, second := launches(count), launches(count); second != first-2 {
		t.Errorf("counting takes %d launches and then %d, want two less", first, second)
	}
	if got := fmt.Sprint(nd.Bincount(index, 0).ToHost()); got != "[1 0 2]" {
		t.Errorf("the counts are %s", got)
	}
}

// Where launches are left out, nothing is found that could be kept.
func TestRangeOfSkippedLaunches(t *testing.T) {
	a := nd.FromSlice([]int32{0, 2, 1, 2})
	if _, err := gpuhooks.SkipLaunches(func() error {
		_ = nd.Try(func() { nd.Bincount(a, 0) }) // its range is whatever is in memory
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(nd.Bincount(a, 0).ToHost()); got != "[1 1 2]" {
		t.Errorf("the counts are %s", got)
	}
}

// Several goroutines may ask for the range of an array.
func TestRangeConcurrently(t *testing.T) {
	a := nd.FromSlice([]int64{3, 1, 4, 1, 5})
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			view := a.Slice(nd.From(i % 3))
			for range 20 {
				if got := nd.Bincount(view, 0).Len(); got != 6 {
					t.Errorf("there are %d counts, want 6", got)
				}
			}
		})
	}
	wait.Wait()
}
