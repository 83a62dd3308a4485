package nd_test

import (
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// Assign of what is computed from the same memory keeps the rest of it, for views of all kinds.
func TestAssignFromItself(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	inner := nd.R(1, -1)
	for name, c := range map[string]struct {
		shape []int
		view  func(a *nd.Array[float32]) *nd.Array[float32]
	}{
		"whole":              {[]int{5, 6}, func(a *nd.Array[float32]) *nd.Array[float32] { return a }},
		"line":               {[]int{200}, func(a *nd.Array[float32]) *nd.Array[float32] { return a.Slice(nd.R(3, -5)) }},
		"inside":             {[]int{20, 70}, func(a *nd.Array[float32]) *nd.Array[float32] { return a.Slice(inner, inner) }},
		"inside, transposed": {[]int{20, 70}, func(a *nd.Array[float32]) *nd.Array[float32] { return a.T().Slice(inner, inner) }},
		"rows":               {[]int{20, 33}, func(a *nd.Array[float32]) *nd.Array[float32] { return a.Slice(nd.R(2, 19)) }},
		"columns":            {[]int{20, 133}, func(a *nd.Array[float32]) *nd.Array[float32] { return a.Slice(nd.All, nd.R(5, 131)) }},
		"cube":               {[]int{9, 12, 45}, func(a *nd.Array[float32]) *nd.Array[float32] { return a.Slice(inner, inner, inner) }},
		"one layer":          {[]int{1, 12, 45}, func(a *nd.Array[float32]) *nd.Array[float32] { return a.Slice(nd.All, inner, inner) }},
		"four axes": {[]int{4, 5, 6, 7}, func(a *nd.Array[float32]) *nd.Array[float32] {
			return a.Slice(nd.From(1), nd.All, nd.To(5), nd.R(1, 6))
		}},
		"reversed":     {[]int{20, 30}, func(a *nd.Array[float32]) *nd.Array[float32] { return a.Flip(1) }},
		"every second": {[]int{20, 30}, func(a *nd.Array[float32]) *nd.Array[float32] { return a.Slice(nd.All, nd.All.By(2)) }},
		"few":          {[]int{20, 30}, func(a *nd.Array[float32]) *nd.Array[float32] { return a.Slice(nd.R(1, 3), nd.R(1, 3)) }},
	} {
		n := 1
		for _, s := range c.shape {
			n *= s
		}
		host := make([]float32, n)
		for i := range host {
			host[i] = rng.Float32()
		}
		a, same := nd.FromSlice(host, c.shape...), nd.FromSlice(host, c.shape...)
		for range 3 {
			before := c.view(a).Add(a.Slice(nd.Rest, nd.R(0, 1)).Sum()) // reads all of the memory
			c.view(a).Assign(before.MulScalar(0.5))
			values := c.view(same).Add(same.Slice(nd.Rest, nd.R(0, 1)).Sum()).MulScalar(0.5).Copy()
			c.view(same).Assign(values)
			if !slices.Equal(a.ToHost(), same.ToHost()) {
				t.Errorf("%s: the elements are other ones than those that are assigned from a copy", name)
				break
			}
		}
	}
}

// A stencil's kernel copies what is beside the elements that it writes, and another one the rest.
func TestStencilAround(t *testing.T) {
	run := func() {
		nd.Rehearse(func() { testStencilsAround(t, false) })
		testStencilsAround(t, true)
	}
	run()
	columnsAlways(t)
	run()
}

func testStencilsAround(t *testing.T, compare bool) {
	for name, c := range map[string]struct {
		shape []int
		index []nd.Index // of the elements that are written
		back  int        // columns between these and those that are read
	}{
		"square":            {[]int{70, 131}, []nd.Index{nd.R(1, -1), nd.R(1, -1)}, 1},
		"aligned":           {[]int{70, 132}, []nd.Index{nd.R(1, -1), nd.R(1, -1)}, 1},
		"from column 2 on":  {[]int{70, 132}, []nd.Index{nd.R(1, -1), nd.R(2, -1)}, 1},
		"aligned cube":      {[]int{5, 19, 72}, []nd.Index{nd.R(1, -1), nd.R(1, -1), nd.R(3, -2)}, 2},
		"cube":              {[]int{5, 19, 70}, []nd.Index{nd.R(1, -1), nd.R(1, -1), nd.R(1, -1)}, 1},
		"nothing before":    {[]int{40, 66}, []nd.Index{nd.R(1, -1), nd.To(-3)}, 0},
		"nothing after":     {[]int{40, 66}, []nd.Index{nd.R(1, -1), nd.From(3)}, 3},
		"as many as fit":    {[]int{40, 96}, []nd.Index{nd.R(2, -1), nd.R(16, -16)}, 4},
		"too many":          {[]int{40, 128}, []nd.Index{nd.R(1, -1), nd.R(20, -20)}, 4},
		"some planes":       {[]int{12, 19, 40}, []nd.Index{nd.R(2, -1), nd.R(1, -1), nd.R(2, -2)}, 2},
		"columns, all rows": {[]int{3, 40, 50}, []nd.Index{nd.All, nd.R(1, -1), nd.R(1, -1)}, 1},
	} {
		testStencilAround[float32](t, name, c.shape, c.index, c.back, compare)
		testStencilAround[float64](t, name, c.shape, c.index, c.back, compare)
	}
}

func testStencilAround[T float32 | float64](t *testing.T, name string, shape []int, index []nd.Index, back int, compare bool) {
	n := 1
	for _, s := range shape {
		n *= s
	}
	host := make([]T, n)
	for i := range host {
		host[i] = T(i%97) + 0.25
	}
	step := func(a *nd.Array[T]) (to, values *nd.Array[T]) {
		to = a.Slice(index...)
		rows := len(shape) - 2
		height, width := to.Shape()[rows], to.Shape()[rows+1]
		view := func(row, col int) *nd.Array[T] {
			at := append([]nd.Index{}, index...)
			at[rows], at[rows+1] = nd.R(row, row+height), nd.R(col, col+width)
			return a.Slice(at...)
		}
		return to, view(0, back).Add(view(1, back)).Add(view(2, back)).Add(to.MulScalar(2)).Add(view(1, 0)).MulScalar(0.25)
	}
	a, same := nd.FromSlice(host, shape...), nd.FromSlice(host, shape...)
	for range 3 {
		to, values := step(a)
		to.Assign(values)
		to, values = step(same)
		to.Assign(values.Copy())
	}
	if got, want := a.ToHost(), same.ToHost(); compare && !slices.Equal(got, want) {
		t.Errorf("%s: the elements are other ones than those that are assigned from a copy", name)
	}
}

// A loop that writes an array from a view of itself uses the memory of the step before again, without waiting for Go's garbage collector. Contents that
// something needs keep theirs.
func TestAssignUsesMemoryAgain(t *testing.T) {
	device, err := gpu.Current()
	if err != nil {
		t.Fatal(err)
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	a := nd.Arange[float32](100_000).Reshape(100, 1000).Copy()
	inner := a.Slice(nd.R(1, -1), nd.R(1, -1))
	step := func() { inner.Assign(inner.AddScalar(1).Add(a.Slice(nd.From(2), nd.R(1, -1)).MulScalar(0))) }
	step()
	before := a.MulScalar(2)
	step()
	open := nd.Packed(a)
	// What other tests have left may be freed meanwhile, once.
	held, got := device.Pool().Used, uint64(0)
	for range 20 {
		for range 10 {
			step()
		}
		if got = device.Pool().Used; got > held {
			break
		}
		held = got
	}
	if got <= held {
		t.Errorf("after 10 steps arrays have %d bytes, and before %d: memory that others may read was freed", got, held)
	}
	if got, want := before.Slice(nd.At(1), nd.At(1)).Item(), float32(2*1002); got != want {
		t.Errorf("an expression made before a step is %v, want %v", got, want)
	}
	if open.Len() != 400_000 {
		t.Errorf("the memory has %d bytes", open.Len())
	}
	b := nd.Arange[float32](500_000).Copy() // check mode keeps smaller ones for a while
	b.Slice(nd.From(1)).Assign(b.Slice(nd.To(-1)))
	held = device.Pool().Used
	for range 10 {
		b.Slice(nd.From(1)).Assign(b.Slice(nd.To(-1)))
	}
	if got := device.Pool().Used; got > held {
		t.Errorf("after 10 steps arrays have %d bytes more", got-held)
	}
	if got := b.Slice(nd.At(12)).Item(); got != 1 {
		t.Errorf("element 12 is %v after 11 steps by one, want 1", got)
	}
}

// Expressions of views of the same inside of arrays, whose rows are short, have the values of those of whole arrays.
func TestShortRowsOfViews(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 11))
	for range 60 {
		shape, low, high, size := [3]int{}, [3]int{}, [3]int{}, 1
		for k, most := range [3]int{6, 20, 110} {
			shape[k] = 1 + rng.IntN(most)
			low[k] = rng.IntN(min(shape[k], 3))
			high[k] = max(low[k]+1, shape[k]-rng.IntN(3))
			size *= shape[k]
		}
		host := make([][]float64, 2)
		var arrays [2]*nd.Array[float64]
		for k := range host {
			host[k] = make([]float64, size)
			for i := range host[k] {
				host[k][i] = rng.NormFloat64()
			}
			arrays[k] = nd.FromSlice(host[k], shape[0], shape[1], shape[2])
		}
		part := func(a *nd.Array[float64]) *nd.Array[float64] {
			return a.Slice(nd.R(low[0], high[0]), nd.R(low[1], high[1]), nd.R(low[2], high[2]))
		}
		var want, divided []float64
		for i := low[0]; i < high[0]; i++ {
			for j := low[1]; j < high[1]; j++ {
				for k := low[2]; k < high[2]; k++ {
					at := (i*shape[1]+j)*shape[2] + k
					want = append(want, (host[0][at]-host[1][at])*3)
					divided = append(divided, host[0][at]/host[1][0])
				}
			}
		}
		x, y := part(arrays[0]), part(arrays[1])
		if got := x.Sub(y).MulScalar(3).ToHost(); !slices.Equal(got, want) {
			t.Fatalf("the part from %v to %v of arrays of shape %v: the differences are wrong", low, high, shape)
		}
		if got := x.Div(arrays[1].Slice(nd.At(0), nd.At(0), nd.R(0, 1))).ToHost(); !slices.Equal(got, divided) {
			t.Fatalf("the part from %v to %v of an array of shape %v: the quotients with one number are wrong", low, high, shape)
		}
		x.Assign(y.MulScalar(0).AddScalar(7))
		for i, v := range arrays[0].ToHost() {
			at := [3]int{i / shape[2] / shape[1], i / shape[2] % shape[1], i % shape[2]}
			inside := true
			for k := range at {
				inside = inside && at[k] >= low[k] && at[k] < high[k]
			}
			if inside && v != 7 || !inside && v != host[0][i] {
				t.Fatalf("the part from %v to %v of an array of shape %v is set to 7: element %v is %v", low, high, shape, at, v)
			}
		}
	}
}

// The memory may end before the end of the last row of which a part is written.
func TestOverwriteInsideOfRowsThatEndEarly(t *testing.T) {
	onGeneratedCode(t, func(t *testing.T, _ bool) {
		const rows, row, end = 100, 64, 35
		x := nd.Arange[float32](rows*row + end).Eval()
		want := x.ToHost()
		table := x.Slice(nd.From(end)).Reshape(rows, row)
		part := func(back int) *nd.Array[float32] { return table.Slice(nd.All, nd.R(row-end-back, row-back)) }
		before := part(0).Neg()
		part(0).Assign(part(0).Add(part(1)).Add(part(2)))
		for i := row; i < len(want); i++ {
			if i%row < end {
				want[i] = float32(3*i - 3)
			}
		}
		wantTaken(t, "the array", x.ToHost(), want...)
		if got := before.Slice(nd.At(0), nd.At(0)).Item(); got != -row {
			t.Errorf("the first element before was %v", -got)
		}
	})
}

// An assignment whose kernel cannot be compiled leaves the array as it was.
func TestAssignThatFails(t *testing.T) {
	t.Setenv("GOPHERWARP_ARRAYS", "cuda")
	wrong := nd.Translated(func(x float64) float64 { return x }, "wrong", "static __device__ double wrong(double x) { return nonsense; }")
	a := nd.Arange[float64](20*40).Reshape(20, 40).Eval()
	want := a.ToHost()
	inside := a.Slice(nd.R(1, 19), nd.R(1, 39))
	before := inside.MulScalar(2)
	if err := nd.Try(func() { inside.Assign(nd.Map(inside, wrong)) }); err == nil {
		t.Fatal("a wrong function can be compiled")
	}
	wantTaken(t, "the array", a.ToHost(), want...)
	inside.Assign(inside.AddScalar(1))
	if got := a.Slice(nd.At(1), nd.R(0, 2)).ToHost(); !slices.Equal(got, []float64{40, 42}) {
		t.Errorf("row 1 begins with %v after a second assignment, want 40 and 42", got)
	}
	if got := before.Slice(nd.At(0), nd.At(0)).Item(); got != 82 {
		t.Errorf("an expression that was made before begins with %v, want 82", got)
	}
}
