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
