package nd_test

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

type doubles = *nd.Array[float64]

// numbers returns an array of distinct numbers without an order.
func numbers(shape ...int) doubles {
	n := 1
	for _, length := range shape {
		n *= length
	}
	return nd.Sin(nd.Arange[float64](float64(n)).MulScalar(1.7)).MulScalar(5).Reshape(shape...).Eval()
}

// onAll is the axis of results that each device has all of; onOne that of results on the first device only.
const (
	onAll = -1
	onOne = -2
)

// sharding returns the axis along which a result is split, onAll or onOne.
func sharding(o nd.Operand) int {
	axis, devices := nd.Sharding(o)
	if len(devices) == 1 {
		return onOne
	}
	return axis
}

// What is computed from split arrays is equal to what is computed from the same arrays on one device, and is split as the documentation says.
func TestShards(t *testing.T) {
	on(t, "sim:x3")
	tests := []struct {
		name       string
		x, y       []int // shapes
		axis, want int   // split of x and of the result
		f          func(x, y doubles) doubles
	}{
		{"arithmetic", []int{7, 5}, []int{7, 5}, 0, 0, func(x, y doubles) doubles { return x.Mul(y).Add(nd.Exp(x)).SubScalar(2) }},
		{"arithmetic of columns", []int{7, 5}, []int{7, 5}, 1, 1, func(x, y doubles) doubles { return y.Sub(x) }},
		{"broadcast row", []int{7, 5}, []int{5}, 0, 0, func(x, y doubles) doubles { return x.Add(y) }},
		{"broadcast column", []int{7, 5}, []int{7, 1}, 0, 0, func(x, y doubles) doubles { return x.Add(y) }},
		{"broadcast over a new axis", []int{7}, []int{5, 1}, 0, 1, func(x, y doubles) doubles { return x.Add(y) }},
		{"stretched split axis", []int{1, 5}, []int{7, 5}, 0, onOne, func(x, y doubles) doubles { return x.Add(y) }},
		{"both are split", []int{7, 5}, []int{7, 5}, 0, 0, func(x, y doubles) doubles { return x.Add(nd.Shard(y, 1)) }},
		{"replicated", []int{7, 5}, []int{7, 5}, 0, 0, func(x, y doubles) doubles { return x.Add(nd.Replicate(y)) }},
		{"replicated alone", []int{7, 5}, []int{7, 5}, 0, onAll, func(x, y doubles) doubles { y = nd.Replicate(y); return y.Mul(y).Sum(0) }},
		{"fewer rows than devices", []int{2, 5}, []int{2, 5}, 0, 0, func(x, y doubles) doubles { return x.Sub(y) }},
		{"where", []int{7, 5}, []int{7, 5}, 0, 0, func(x, y doubles) doubles { return nd.Where(x.Greater(y), x, y.MulScalar(3)) }},
		{"cast", []int{7, 5}, []int{1}, 0, 0, func(x, y doubles) doubles { return nd.AsType[float64](nd.AsType[int32](x)) }},
		{"map", []int{7, 5}, []int{1}, 0, 0, func(x, y doubles) doubles { return x.Clip(-1, 1).PowScalar(3) }},

		{"sum", []int{7, 5}, []int{1}, 0, onAll, func(x, y doubles) doubles { return x.Sum() }},
		{"sum of rows", []int{7, 5}, []int{1}, 0, 0, func(x, y doubles) doubles { return x.Sum(1) }},
		{"sum of columns", []int{7, 5}, []int{1}, 0, onAll, func(x, y doubles) doubles { return x.Mul(x).Sum(0) }},
		{"sum before the split axis", []int{4, 7, 5}, []int{1}, 1, 0, func(x, y doubles) doubles { return x.Sum(0) }},
		{"mean", []int{7, 5}, []int{1}, 0, onAll, func(x, y doubles) doubles { return nd.Mean(x) }},
		{"product", []int{7, 5}, []int{1}, 0, onAll, func(x, y doubles) doubles { return x.Prod(0) }},
		{"min", []int{7, 5}, []int{1}, 0, onAll, func(x, y doubles) doubles { return x.Min(0) }},
		{"max", []int{7, 5}, []int{1}, 0, onAll, func(x, y doubles) doubles { return x.Max() }},
		{"max with NaN", []int{7, 5}, []int{1}, 0, onAll, func(x, y doubles) doubles { return nd.Sqrt(x).Max(0) }},
		{"max of fewer rows than devices", []int{2, 5}, []int{1}, 0, onOne, func(x, y doubles) doubles { return x.Max(0) }},
		{"any", []int{7, 5}, []int{1}, 0, onAll, func(x, y doubles) doubles { return nd.AsType[float64](x.GreaterScalar(4.8).Any(0)) }},
		{"count", []int{7, 5}, []int{1}, 0, onAll, func(x, y doubles) doubles { return nd.AsType[float64](nd.CountNonzero(x.GreaterScalar(0))) }},
		{"variance", []int{7, 5}, []int{1}, 0, onAll, func(x, y doubles) doubles { return nd.Var(x, 0) }},
		{"norm of rows", []int{7, 5}, []int{1}, 0, 0, func(x, y doubles) doubles { return nd.Norm(x, 1) }},
		{"argmax", []int{7, 5}, []int{1}, 0, onAll, func(x, y doubles) doubles { return nd.AsType[float64](nd.Argmax(x, 0)) }},
		{"argmin of all", []int{7, 5}, []int{1}, 0, onAll, func(x, y doubles) doubles { return nd.AsType[float64](nd.Argmin(x)) }},
		{"argmax of equal numbers", []int{7, 5}, []int{1}, 0, onAll, func(x, y doubles) doubles { return nd.AsType[float64](nd.Argmax(nd.Sign(x), 0)) }},
		{"argmin of all, split by columns", []int{7, 5}, []int{1}, 1, onOne, func(x, y doubles) doubles { return nd.AsType[float64](nd.Argmin(x)) }},
		{"argmax of rows", []int{7, 5}, []int{1}, 0, 0, func(x, y doubles) doubles { return nd.AsType[float64](nd.Argmax(x, 1)) }},
		{"softmax", []int{7, 5}, []int{1}, 0, 0, func(x, y doubles) doubles {
			e := nd.Exp(x.Sub(x.Max(1).ExpandDims(1)))
			return e.Div(e.Sum(1).ExpandDims(1))
		}},
		{"standardised columns", []int{7, 5}, []int{1}, 0, 0, func(x, y doubles) doubles { return x.Sub(nd.Mean(x, 0)).Div(nd.Std(x, 0)) }},

		{"transpose", []int{7, 5}, []int{1}, 0, 1, func(x, y doubles) doubles { return x.T() }},
		{"transpose of three axes", []int{7, 5, 4}, []int{1}, 1, 2, func(x, y doubles) doubles { return x.Transpose(2, 0, 1) }},
		{"expand before", []int{7, 5}, []int{1}, 0, 1, func(x, y doubles) doubles { return x.ExpandDims(0) }},
		{"expand after", []int{7, 5}, []int{1}, 0, 0, func(x, y doubles) doubles { return x.ExpandDims(1) }},
		{"squeeze", []int{1, 7, 1}, []int{1}, 1, 0, func(x, y doubles) doubles { return x.Squeeze() }},
		{"squeeze the split axis", []int{1, 7}, []int{1}, 0, onOne, func(x, y doubles) doubles { return x.Squeeze(0) }},
		{"reshape after the split axis", []int{7, 6}, []int{1}, 0, 0, func(x, y doubles) doubles { return x.Reshape(7, 2, -1) }},
		{"reshape before the split axis", []int{6, 7}, []int{1}, 1, 2, func(x, y doubles) doubles { return x.Reshape(2, 3, 7) }},
		{"reshape across the split axis", []int{7, 6}, []int{1}, 0, onOne, func(x, y doubles) doubles { return x.Reshape(-1) }},
		{"broadcast", []int{7, 1}, []int{1}, 0, 1, func(x, y doubles) doubles { return x.BroadcastTo(3, 7, 4) }},
		{"flip others", []int{7, 5}, []int{1}, 0, 0, func(x, y doubles) doubles { return x.Flip(1) }},
		{"flip the split axis", []int{7, 5}, []int{1}, 0, onOne, func(x, y doubles) doubles { return x.Flip(0) }},
		{"column", []int{7, 5}, []int{1}, 0, 0, func(x, y doubles) doubles { return x.Slice(nd.All, nd.At(2)) }},
		{"columns backwards", []int{7, 5}, []int{1}, 0, 1, func(x, y doubles) doubles { return x.Slice(nd.Idx("None, :, ::-2")...) }},
		{"row", []int{7, 5}, []int{1}, 0, onOne, func(x, y doubles) doubles { return x.Slice(nd.At(-2)) }},
		{"rows of one device", []int{9, 5}, []int{1}, 0, onOne, func(x, y doubles) doubles { return x.Slice(nd.R(4, 6), nd.From(2)) }},
		{"rows of several devices", []int{9, 5}, []int{1}, 0, onOne, func(x, y doubles) doubles { return x.Slice(nd.R(1, 9).By(3)) }},
		{"rows backwards", []int{9, 5}, []int{1}, 0, onOne, func(x, y doubles) doubles { return x.Slice(nd.All.By(-2)) }},
		{"no rows", []int{9, 5}, []int{1}, 0, onOne, func(x, y doubles) doubles { return x.Slice(nd.R(4, 4)) }},
		{"diagonal", []int{7, 5}, []int{1}, 0, onOne, func(x, y doubles) doubles { return x.Diagonal(1) }},

		{"rows times matrix", []int{7, 5}, []int{5, 4}, 0, 0, func(x, y doubles) doubles { return nd.MatMul(x, y) }},
		{"matrix times columns", []int{5, 7}, []int{4, 5}, 1, 1, func(x, y doubles) doubles { return nd.MatMul(y, x) }},
		{"inner products", []int{4, 7}, []int{7, 5}, 1, onAll, func(x, y doubles) doubles { return nd.MatMul(x, y) }},
		{"gram matrix", []int{7, 5}, []int{1}, 0, onAll, func(x, y doubles) doubles { return nd.MatMul(x.T(), x) }},
		{"gram matrix of rows", []int{7, 5}, []int{1}, 0, 0, func(x, y doubles) doubles { return nd.MatMul(x, x.T()) }},
		{"matrix times vector", []int{7, 5}, []int{5}, 0, 0, func(x, y doubles) doubles { return nd.MatMul(x, y) }},
		{"vector times matrix", []int{7}, []int{7, 5}, 0, onAll, func(x, y doubles) doubles { return nd.MatMul(x, y) }},
		{"batches", []int{4, 3, 5}, []int{5, 2}, 0, 0, func(x, y doubles) doubles { return nd.MatMul(x, y) }},
		{"batches of both", []int{4, 3, 5}, []int{4, 5, 2}, 0, 0, func(x, y doubles) doubles { return nd.MatMul(x, y) }},
		{"batches of one, whose rows are of length 1", []int{4, 1}, []int{3, 1, 5}, 1, onOne, func(x, y doubles) doubles { return nd.MatMul(x, nd.Shard(y, 0)) }},
		{"batches and columns of length 1", []int{1, 4, 1}, []int{3, 1, 5}, 0, onOne, func(x, y doubles) doubles { return nd.MatMul(x, nd.Shard(y, 1)) }},
		{"fewer inner products than devices", []int{4, 2}, []int{2, 5}, 1, onAll, func(x, y doubles) doubles { return nd.MatMul(x, y) }},

		{"cumulative sum of rows", []int{7, 5}, []int{1}, 0, 0, func(x, y doubles) doubles { return nd.Cumsum(x, 1) }},
		{"cumulative sum of columns", []int{7, 5}, []int{1}, 0, onOne, func(x, y doubles) doubles { return nd.Cumsum(x, 0) }},
		{"cumulative sum along the first axis", []int{7, 5}, []int{1}, 1, 1, func(x, y doubles) doubles { return nd.Cumsum(x, 0) }},
		{"sort", []int{7, 5}, []int{1}, 0, 0, func(x, y doubles) doubles { return nd.Sort(x) }},
		{"sort the split axis", []int{7, 5}, []int{1}, 0, onOne, func(x, y doubles) doubles { return nd.Sort(x, 0) }},
		{"argsort", []int{7, 5}, []int{1}, 1, 1, func(x, y doubles) doubles { return nd.AsType[float64](nd.Argsort(x, 0)) }},
		{"sort by keys", []int{7, 5}, []int{1}, 0, 0, func(x, y doubles) doubles { return nd.SortBy(x.Square(), nd.Sin(x)) }},
		{"sort by other keys", []int{7, 5}, []int{7, 5}, 1, 1, func(x, y doubles) doubles { return nd.SortBy(y, nd.Sin(x), 0) }},
		{"sort split values", []int{7, 5}, []int{7, 5}, 0, 0, func(x, y doubles) doubles { return nd.SortBy(x, nd.Sin(y)) }},
		{"sort by keys along the split axis", []int{7, 5}, []int{1}, 0, onOne, func(x, y doubles) doubles { return nd.SortBy(x, nd.Sin(x), 0) }},
		{"gradient of sorted values", []int{7, 5}, []int{7, 5}, 0, 0, func(x, y doubles) doubles {
			return nd.Grad(func(x doubles) doubles { return nd.SortBy(x, nd.Sin(y)).Square().Mul(y).Sum() })(x)
		}},
		{"fourier of rows", []int{7, 8}, []int{1}, 0, 0, func(x, y doubles) doubles { return nd.RealPart[float64](nd.RFFT[complex128](x)) }},
		{"fourier of columns", []int{8, 5}, []int{1}, 0, 0, func(x, y doubles) doubles { return nd.RealPart[float64](nd.FFT(nd.AsType[complex128](x), 0)) }},
		{"fourier of all", []int{8, 5}, []int{1}, 0, onOne, func(x, y doubles) doubles { return nd.ImagPart[float64](nd.FFT2(nd.AsType[complex128](x))) }},
		{"fourier and back", []int{7, 8}, []int{1}, 0, 0, func(x, y doubles) doubles { return nd.IRFFT[float64](nd.RFFT[complex128](x), 8) }},
		{"fourier of the split axis and back", []int{8, 6}, []int{1}, 0, 0, func(x, y doubles) doubles { return nd.IRFFT[float64](nd.RFFT[complex128](x, 0), 8, 0) }},
		{"bincount", []int{40}, []int{40}, 0, onAll, func(x, y doubles) doubles {
			return nd.BincountWeights(nd.AsType[int32](nd.Abs(x)), y, 9)
		}},
		{"counts", []int{40}, []int{1}, 0, onAll, func(x, y doubles) doubles {
			return nd.AsType[float64](nd.Bincount(nd.AsType[int32](nd.Abs(x)), 0))
		}},
		{"concatenate", []int{7, 5}, []int{2, 5}, 0, onOne, func(x, y doubles) doubles { return nd.Concatenate(0, x, y) }},
		{"take", []int{7, 5}, []int{1}, 0, onOne, func(x, y doubles) doubles { return nd.Take(x, nd.FromSlice([]int64{5, 0, -1}), 0) }},
		{"split again", []int{7, 5}, []int{1}, 0, 1, func(x, y doubles) doubles { return nd.Shard(x, 1) }},
		{"copied to all", []int{7, 5}, []int{1}, 0, onAll, func(x, y doubles) doubles { return nd.Replicate(x) }},
		{"split of copies", []int{7, 5}, []int{1}, 0, 1, func(x, y doubles) doubles { return nd.Shard(nd.Replicate(x), 1) }},
		{"copied to one", []int{7, 5}, []int{1}, 0, onOne, func(x, y doubles) doubles { return x.To(x.Device()).Fill(3) }},
		{"gradient", []int{7, 5}, []int{5, 4}, 0, onAll, func(x, y doubles) doubles {
			return nd.Grad(func(w doubles) doubles { return nd.Mean(nd.Tanh(nd.MatMul(x, w)).Square()) })(y)
		}},
		{"gradient with respect to the split array", []int{7, 5}, []int{5, 4}, 0, 0, func(x, y doubles) doubles {
			return nd.Grad(func(x doubles) doubles { return nd.Exp(nd.MatMul(x, y)).Sum(1).Max() })(x)
		}},
		{"training", []int{9, 4}, []int{4, 3}, 0, onAll, func(x, y doubles) doubles {
			params := []doubles{y, numbers(3, 1)}
			step := nd.ValueAndGrads(func(p []doubles) doubles {
				hidden := nd.Relu(nd.MatMul(x, p[0]))
				return nd.Mean(nd.MatMul(hidden, p[1]).Sub(x.Slice(nd.All, nd.R(0, 1))).Square())
			})
			for range 4 {
				_, gradients := step(params)
				for i, g := range gradients {
					params[i] = params[i].Sub(g.MulScalar(0.01))
				}
			}
			return params[0]
		}},
		{"k-means", []int{40, 3}, []int{1}, 0, onOne, func(x, y doubles) doubles {
			centres := x.Slice(nd.To(4)).Copy()
			for range 3 {
				nearest := nd.Argmin(x.ExpandDims(1).Sub(centres).Square().Sum(2), 1)
				counts := nd.AsType[float64](nd.Bincount(nearest, 4)).MaximumScalar(1)
				for axis := range 3 {
					sums := nd.BincountWeights(nearest, x.Slice(nd.All, nd.At(axis)), 4)
					centres.Slice(nd.All, nd.At(axis)).Assign(sums.Div(counts))
				}
			}
			return centres
		}},
		{"gradient of a sum that is collected", []int{2, 2}, []int{1}, 0, 0, func(x, y doubles) doubles {
			return nd.Grad(func(x doubles) doubles { return x.Square().Sum() })(x)
		}},
		{"gradient past what is constant", []int{7, 5}, []int{1}, 0, 0, func(x, y doubles) doubles {
			return nd.Grad(func(x doubles) doubles { return x.Mul(nd.StopGradient(x)).Sum() })(x)
		}},
		{"gradient of a choice", []int{7, 5}, []int{5}, 0, onAll, func(x, y doubles) doubles {
			return nd.Grad(func(w doubles) doubles { return x.Mul(w).Slice(nd.From(2), nd.To(3)).Square().Sum() })(y)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x, y := numbers(tt.x...), numbers(tt.y...).AddScalar(0.25)
			want := tt.f(x, y)
			got := tt.f(nd.Shard(x, tt.axis), y)
			if axis := sharding(got); axis != tt.want {
				t.Errorf("the result is split along %d, want %d", axis, tt.want)
			}
			same(t, got, want)
			// Also where it is computed at once, and in views.
			same(t, got.Eval(), want)
			if got.NDim() > 0 && got.Len() > 0 {
				same(t, got.Slice(nd.At(got.Len()-1)), want.Slice(nd.At(want.Len()-1)))
			}
			same(t, nd.Concatenate(0, got.Reshape(-1)), want.Reshape(-1)) // collected
			same(t, got.MulScalar(2), want.MulScalar(2))
		})
	}
}

// same compares two arrays, to the last digits in which sums of another order may differ.
func same(t *testing.T, got, want doubles) {
	t.Helper()
	if fmt.Sprint(got.Shape()) != fmt.Sprint(want.Shape()) {
		t.Fatalf("got shape %v, want %v", got.Shape(), want.Shape())
	}
	a, b := got.ToHost(), want.ToHost()
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= 1e-12*max(1, math.Abs(b[i]))) && !(math.IsNaN(a[i]) && math.IsNaN(b[i])) {
			t.Fatalf("element %d is %v, want %v\ngot  %v\nwant %v", i, a[i], b[i], a, b)
		}
	}
}

// Split arrays of all types are summed on all devices.
func TestShardTypes(t *testing.T) {
	on(t, "sim:x2")
	sums[int8](t, "-116")
	sums[uint16](t, "140")
	sums[int64](t, "140")
	sums[uint64](t, "140")
	sums[float32](t, "140.")
	sums[nd.Float16](t, "140.")
	sums[complex64](t, "140.+0.j")
}

func sums[T nd.Number](t *testing.T, want string) {
	t.Helper()
	a := nd.AsType[T](nd.Arange[int64](8))
	got, _, _ := strings.Cut(nd.Shard(a, 0).Mul(a).Sum().String(), ",")
	if got != "array("+want {
		t.Errorf("%v: got %s, want %s", a.DType(), got, want)
	}
}

// Split arrays cannot be written, nor what shares their memory.
func TestShardsAreFixed(t *testing.T) {
	on(t, "sim:x2")
	x := nd.Shard(numbers(4, 3), 0)
	for name, f := range map[string]func(){
		"Assign":         func() { x.Assign(numbers(4, 3)) },
		"Fill of a view": func() { x.Slice(nd.All, nd.At(0)).Fill(1) },
		"Fill of rows":   func() { x.Slice(nd.From(2)).Fill(1) },
		"BufferOf":       func() { nd.BufferOf(x) },
		"Put":            func() { nd.Put(x, nd.FromSlice([]int64{0}), nd.Scalar(1.0)) },
		"a part":         func() { nd.Parts(x)[1].Fill(1) },
		"a view of what was collected": func() {
			y := x.AddScalar(0)
			nd.Concatenate(0, y, y)
			y.Reshape(-1).Fill(1)
		},
	} {
		if got := panics(t, f); !strings.Contains(got, "split over devices") || !strings.Contains(got, "To makes a copy") {
			t.Errorf("%s: got %q", name, got)
		}
	}
	view := x.Slice(nd.At(0))
	same(t, view.To(view.Device()).Fill(2), nd.Full(2.0, 3))
	nd.RawOf(view).Memory.Fill(0) // of a copy
	same(t, view, numbers(4, 3).Slice(nd.At(0)))
	if got := nd.Packed(nd.Parts(x)[1]).Len(); got != 2*3*8 {
		t.Errorf("the memory of a part has %d bytes", got)
	}
	y := numbers(4, 3)
	z := nd.Shard(y, 0)
	y.Fill(0)
	same(t, z, x)
	y.Assign(z) // another array may be written from one
	same(t, y, x)
	if got := x.To(x.Device()).Fill(1).Sum().Item(); got != 12 {
		t.Errorf("a copy sums to %v", got)
	}
}

// An array of any device is split over all, of which its own is the first; it may be written afterwards.
func TestShardOfAnotherDevice(t *testing.T) {
	first := on(t, "sim:x3")
	last := on(t, "sim:x3:2")
	x := nd.Arange[float64](6).Eval()
	y, z := nd.Shard(x, 0), nd.Shard(x, 0, first, last)
	same(t, y.Add(x), x.MulScalar(2))
	x.Fill(-1)
	equal(t, "by default", y, 0, 1, 2, 3, 4, 5)
	equal(t, "over given devices", z, 0, 1, 2, 3, 4, 5)
	if _, devices := nd.Sharding(y); devices[0] != last || devices[1] != first {
		t.Errorf("the devices are %v", devices)
	}
}

// On one device there is nothing to combine, and no library is needed for it.
func TestShardOfOne(t *testing.T) {
	d := on(t, "sim")
	x := nd.Shard(numbers(4, 3), 0, d)
	same(t, x.Sum(0), numbers(4, 3).Sum(0))
	same(t, x.Max(0), numbers(4, 3).Max(0))
}

// Products of 16-bit floats over the split axis are added before they are rounded.
func TestShardedHalves(t *testing.T) {
	on(t, "sim:x2")
	half := func(list ...float64) *nd.Array[nd.Float16] { return nd.AsType[nd.Float16](nd.FromSlice(list)) }
	x, y := half(300, -300).Reshape(1, 2), half(300, 300).Reshape(2, 1)
	if got, _, _ := strings.Cut(nd.MatMul(nd.Shard(x, 1), y).String(), ","); got != "array([[0.]]" {
		t.Errorf("got %s", got)
	}
}

// Functions without a gradient refuse split arrays that depend on a parameter, too.
func TestShardGradientErrors(t *testing.T) {
	on(t, "sim:x2")
	for name, f := range map[string]func(x doubles) doubles{
		"Sort":  func(x doubles) doubles { return nd.Sort(x, 1).Sum() },
		"RFFT":  func(x doubles) doubles { return nd.RealPart[float64](nd.RFFT[complex128](x)).Sum() },
		"Shard": func(x doubles) doubles { return nd.Shard(x, 1).Sum() },
	} {
		if got := panics(t, func() { nd.Grad(f)(nd.Shard(numbers(4, 3), 0)) }); !strings.Contains(got, name+": it has no gradient") {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

// Split arrays are safe for concurrent use.
func TestShardsConcurrently(t *testing.T) {
	on(t, "sim:x2")
	x := nd.Shard(numbers(4, 3), 0)
	y := x.MulScalar(2)
	sum := func(y doubles) doubles { return y.Diagonal(0).Add(y.Slice(nd.At(0))) }
	var group sync.WaitGroup
	var got [8]doubles
	for i := range got {
		group.Go(func() {
			nd.Parts(y)
			got[i] = sum(y)
		})
	}
	group.Wait()
	for _, g := range got {
		same(t, g, sum(numbers(4, 3).MulScalar(2)))
	}
}

// Requests that cannot be met say why.
func TestShardErrors(t *testing.T) {
	first := on(t, "sim:x2")
	x := numbers(4, 3)
	for want, f := range map[string]func(){
		"axis 2 is out of bounds": func() { nd.Shard(x, 2) },
		"device 1 is nil":         func() { nd.Shard(x, 0, first, nil) },
		"is there twice":          func() { nd.Shard(x, 0, first, first) },
	} {
		if got := panics(t, f); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A split array says where it is, and its parts are on their devices.
func TestShardText(t *testing.T) {
	first := on(t, "sim:x2")
	x := nd.Shard(nd.Arange[float64](3), 0)
	if got, want := x.AddScalar(1).String(), "array([1., 2., 3.], shape=(3,), dtype=float64, axis 0 over sim:x2, sim:x2:1)"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := x.Sum().String(), "array(3., shape=(), dtype=float64, whole on each of sim:x2, sim:x2:1)"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	parts := nd.Parts(x.AddScalar(1))
	if len(parts) != 2 || parts[0].Device() != first || parts[1].Device() == first {
		t.Fatalf("the parts are %v", parts)
	}
	equal(t, "first part", parts[0], 1, 2)
	equal(t, "second part", parts[1], 3)
	lazy := x.AddScalar(1)
	if lazy.Evaluated() || !lazy.Eval().Evaluated() {
		t.Error("Evaluated does not tell whether the parts have been computed")
	}
	if !strings.HasPrefix(nd.Explain(x.AddScalar(1)), "// on each of sim:x2, sim:x2:1, for its part\n") {
		t.Errorf("got %s", nd.Explain(x.AddScalar(1)))
	}
	if err := lazy.Free(); err != nil {
		t.Error(err)
	}
}

// Each device does its part of the work: the bytes that one reads are half of all.
func TestShardWork(t *testing.T) {
	on(t, "sim:x2")
	x := nd.Shard(nd.Zeros[float32](1<<20), 0)
	var before, after [2]nd.Counts
	count := func(into *[2]nd.Counts) {
		for i, name := range []string{"sim:x2:1", "sim:x2"} {
			if err := gpu.Use(name); err != nil {
				t.Fatal(err)
			}
			into[i] = nd.Stats()
		}
	}
	count(&before)
	x.AddScalar(1).Eval()
	count(&after)
	for i := range after {
		if launches, bytes := after[i].Launches-before[i].Launches, after[i].Bytes-before[i].Bytes; launches != 1 || bytes != 4<<20 {
			t.Errorf("a device has %d launches of %d bytes, want one of %d", launches, bytes, 4<<20)
		}
	}
}
