package nd_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// TestProductsOfViews multiplies matrices and vectors whose elements are in all orders in memory, and compares the products with sums in Go.
func TestProductsOfViews(t *testing.T) {
	const rows, depth, cols = 3, 4, 5
	left, right := viewsOf(rows, depth), viewsOf(depth, cols)
	for nameA, a := range left {
		for nameB, b := range right {
			for _, c := range []struct {
				what string
				a, b *nd.Array[float32]
			}{
				{"%s · %s", a, b},
				{"row of %s · %s", a.Slice(nd.At(1)), b},
				{"%s · column of %s", a, b.Slice(nd.All, nd.At(1))},
				{"row of %s · column of %s", a.Slice(nd.At(-1)), b.Slice(nd.All, nd.At(-1))},
				{"first row of %s · %s", a.Slice(nd.R(0, 1)), b},
				{"%s · first column of %s", a, b.Slice(nd.All, nd.R(0, 1))},
				{"expression of %s · %s", a.AddScalar(1), b},
				{"no rows of %s · %s", a.Slice(nd.R(1, 1)), b},
			} {
				compareProduct(t, fmt.Sprintf(c.what, nameA, nameB), c.a, c.b)
			}
		}
	}
}

// viewsOf returns matrices of that shape, by what is special about them.
func viewsOf(rows, cols int) map[string]*nd.Array[float32] {
	list := func(n int) *nd.Array[float32] {
		values := make([]float32, n)
		for i := range values {
			values[i] = float32(i*i%7 - 3)
		}
		return nd.FromSlice(values)
	}
	dense := list(rows*cols).Reshape(rows, cols)
	return map[string]*nd.Array[float32]{
		"dense":           dense,
		"transposed":      list(rows*cols).Reshape(cols, rows).T(),
		"upside down":     dense.Slice(nd.All.By(-1)),
		"mirrored":        dense.Slice(nd.All, nd.All.By(-1)),
		"every other":     list(2*rows*cols).Reshape(rows, 2*cols).Slice(nd.All, nd.All.By(2)),
		"part":            list((rows+1)*(cols+2)).Reshape(rows+1, cols+2).Slice(nd.R(1, rows+1), nd.R(1, cols+1)),
		"equal rows":      list(cols).BroadcastTo(rows, cols),
		"equal columns":   list(rows).ExpandDims(1).BroadcastTo(rows, cols),
		"equal elements":  list(1).BroadcastTo(rows, cols),
		"constant":        nd.Scalar[float32](2).BroadcastTo(rows, cols),
		"transposed part": list((rows+1)*(cols+2)).Reshape(cols+2, rows+1).T().Slice(nd.R(1, rows+1), nd.R(2, cols+2)),
	}
}

func compareProduct(t *testing.T, what string, a, b *nd.Array[float32]) {
	t.Helper()
	x, y := a, b
	if x.NDim() == 1 {
		x = x.Reshape(1, -1)
	}
	if y.NDim() == 1 {
		y = y.Reshape(-1, 1)
	}
	shape := a.Shape()[:a.NDim()-1]
	if b.NDim() == 2 {
		shape = append(shape, b.Shape()[1])
	}
	rows, depth, cols := x.Len(), y.Len(), y.Shape()[1]
	p, q := x.ToHost(), y.ToHost()
	want := make([]float32, 0, rows*cols)
	for i := range rows {
		for j := range cols {
			sum := float32(0)
			for k := range depth {
				sum += p[i*depth+k] * q[k*cols+j]
			}
			want = append(want, sum)
		}
	}
	got := nd.MatMul(a, b)
	if !slices.Equal(got.Shape(), shape) || !slices.Equal(got.ToHost(), want) {
		t.Errorf("%s: got %v of shape %v, want %v of shape %v", what, got.ToHost(), got.Shape(), want, shape)
	}
}
