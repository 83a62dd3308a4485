package nd_test

import (
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// TestNarrowTimesVector multiplies matrices of many short rows by vectors, also those of which no kernel for short rows is made.
func TestNarrowTimesVector(t *testing.T) {
	const rows = 1 << 14
	x := nd.AsType[float32](nd.Sin(nd.Arange[float64](rows*72).Square())).Reshape(rows, 72).Eval()
	w := nd.AsType[float32](nd.Cos(nd.Arange[float64](72).Square())).Eval()
	for what, c := range map[string]struct {
		x, w  *nd.Array[float32]
		folds bool
	}{
		"rows":            {x, w, true},
		"a column":        {x, w.ExpandDims(1), true},
		"an expression":   {x.MulScalar(2), w.AddScalar(1), true},
		"the other way":   {x.Slice(nd.To(72)).T(), w, false},
		"parts of rows":   {x.Slice(nd.All, nd.To(64)), w.Slice(nd.To(64)), false},
		"two columns":     {x, nd.Stack(1, w, w), false},
		"rows of 9":       {x.Reshape(rows*8, 9), w.Slice(nd.To(9)), false},
		"too few of them": {x.Slice(nd.To(100)), w, false},
		"a vector's view": {x, nd.Concatenate(0, w, w).Slice(nd.All.By(2)), true},
	} {
		got := nd.MatMul(c.x, c.w)
		want := nd.MatMul(nd.AsType[float64](c.x), nd.AsType[float64](c.w))
		closeTo(t, what, nd.AsType[float64](got), want, 1e-3)
		text := strings.Join(nd.Sources(func() { nd.MatMul(c.x, c.w).Eval() }), "")
		if folds := strings.Contains(text, "reduce_sum_mul"); folds != (c.folds && !nd.Described()) {
			t.Errorf("%s: sums of products %v, want %v", what, folds, c.folds)
		}
	}
	gradient := nd.Grad(func(w *nd.Array[float32]) *nd.Array[float32] { return nd.MatMul(x, w).Square().Sum() })(w)
	want := nd.MatMul(nd.AsType[float64](x).T(), nd.MatMul(nd.AsType[float64](x), nd.AsType[float64](w))).MulScalar(2)
	closeTo(t, "gradient", nd.AsType[float64](gradient), want, 1e-3)
}
