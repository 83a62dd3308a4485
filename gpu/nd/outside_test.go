package nd_test

import (
	"math/rand/v2"
	"slices"
	"testing"

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
	for name, c := range map[string]struct {
		shape []int
		index []nd.Index // of the elements that are written
		back  int        // columns between these and those that are read
	}{
		"square":            {[]int{70, 131}, []nd.Index{nd.R(1, -1), nd.R(1, -1)}, 1},
		"cube":              {[]int{5, 19, 70}, []nd.Index{nd.R(1, -1), nd.R(1, -1), nd.R(1, -1)}, 1},
		"nothing before":    {[]int{40, 66}, []nd.Index{nd.R(1, -1), nd.To(-3)}, 0},
		"nothing after":     {[]int{40, 66}, []nd.Index{nd.R(1, -1), nd.From(3)}, 3},
		"as many as fit":    {[]int{40, 96}, []nd.Index{nd.R(2, -1), nd.R(16, -16)}, 4},
		"too many":          {[]int{40, 128}, []nd.Index{nd.R(1, -1), nd.R(20, -20)}, 4},
		"some planes":       {[]int{12, 19, 40}, []nd.Index{nd.R(2, -1), nd.R(1, -1), nd.R(2, -2)}, 2},
		"columns, all rows": {[]int{3, 40, 50}, []nd.Index{nd.All, nd.R(1, -1), nd.R(1, -1)}, 1},
	} {
		testStencilAround[float32](t, name, c.shape, c.index, c.back)
		testStencilAround[float64](t, name, c.shape, c.index, c.back)
	}
}

func testStencilAround[T float32 | float64](t *testing.T, name string, shape []int, index []nd.Index, back int) {
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
	if !slices.Equal(a.ToHost(), same.ToHost()) {
		t.Errorf("%s: the elements are other ones than those that are assigned from a copy", name)
	}
}
