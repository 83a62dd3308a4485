package nd_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// onGeneratedCode runs a test as usual and with the kernels that a GPU has.
func onGeneratedCode(t *testing.T, run func(t *testing.T, generated bool)) {
	t.Run("usual", func(t *testing.T) { run(t, false) })
	t.Run("generated", func(t *testing.T) {
		t.Setenv("GOPHERWARP_ARRAYS", "cuda")
		run(t, true)
	})
}

func wantTaken[T comparable](t *testing.T, what string, got []T, want ...T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestTakeFuses(t *testing.T) {
	onGeneratedCode(t, func(t *testing.T, generated bool) {
		sums := nd.FromSlice([]int32{10, 20, 30, 40, 50, 60, 70})
		base := nd.FromSlice([]int32{1, 2, 3})
		ids := nd.FromSlice([]int32{0, 0, 1, -1, 2, -3, 1})
		nd.Take(base, ids).Eval() // its indices are in range
		nd.ResetStats()
		diff := sums.Sub(nd.Take(base, ids))
		if text := nd.Explain(diff); generated && (!strings.Contains(text, "map_sub_take") || !strings.Contains(text, "from0[")) {
			t.Errorf("the kernel does not take the elements:\n%s", text)
		}
		wantTaken(t, "the difference", diff.ToHost(), 9, 19, 28, 37, 47, 59, 68)
		if n := nd.Stats().Launches; generated && n != 1 {
			t.Errorf("%d launches, want 1", n)
		}
		if text := nd.Explain(nd.Take(base, ids)); generated && !strings.Contains(text, " take(") {
			t.Errorf("elements alone are taken by another kernel:\n%s", text)
		}
	})
}

func TestTakeInExpressions(t *testing.T) {
	onGeneratedCode(t, func(t *testing.T, _ bool) {
		x := nd.Arange[float32](100).MulScalar(0.5).Eval()
		wide := nd.Arange[int64](0, 200, 2).ModScalar(100).Eval()
		order := func(i int) int { return 2 * i % 100 }
		want := func(f func(i int) float32) (list []float32) {
			for i := range 100 {
				list = append(list, f(i))
			}
			return list
		}
		half := func(i int) float32 { return float32(order(i)) / 2 }
		wantTaken(t, "indices of 64 bits", nd.Take(x, wide).AddScalar(1).ToHost(), want(func(i int) float32 { return half(i) + 1 })...)
		bytes := nd.AsType[uint8](wide).Eval()
		wantTaken(t, "indices of 8 bits", nd.Take(x, bytes).AddScalar(1).ToHost(), want(func(i int) float32 { return half(i) + 1 })...)
		backwards := wide.Slice(nd.All.By(-1))
		wantTaken(t, "indices backwards", nd.Take(x, backwards).Neg().ToHost(), want(func(i int) float32 { return -half(99 - i) })...)
		last := nd.FromSlice([]uint64{math.MaxUint64, 1})
		wantTaken(t, "the last by a large index", nd.Take(x, last).AddScalar(1).ToHost(), 50.5, 1.5)
		part := x.Slice(nd.R(10, 20))
		wantTaken(t, "a part, from its end", nd.Take(part, nd.FromSlice([]int8{-1, 0, -10})).AddScalar(0).ToHost(), 9.5, 5, 5)
		wantTaken(t, "a strided source", nd.Take(x.Slice(nd.All.By(-1)), nd.FromSlice([]int8{0, -1})).AddScalar(0).ToHost(), 49.5, 0)
		both := nd.Take(x, wide)
		wantTaken(t, "twice", both.Mul(both).ToHost(), want(func(i int) float32 { return half(i) * half(i) })...)
		again := nd.Take(nd.Take(x, wide), wide)
		wantTaken(t, "taken from what is taken", again.AddScalar(1).ToHost(), want(func(i int) float32 { return half(order(i)) + 1 })...)
		if got := nd.Take(x, wide).Sum().Item(); got != 2450 {
			t.Errorf("the sum is %v, want 2450", got)
		}
		if got := nd.Take(x, nd.Arange[int64](1<<20).ModScalar(100)).MulScalar(2).Sum().Item(); got != 51903600 {
			t.Errorf("the sum of many is %v", got)
		}
		square := nd.Take(x, wide.Reshape(10, 10))
		wantTaken(t, "columns", square.Sum(0).ToHost(), 200, 210, 220, 230, 240, 250, 260, 270, 280, 290)
		wantTaken(t, "beside columns", square.Add(square.Eval().T()).Slice(nd.At(1), nd.R(0, 3)).ToHost(), 11, 22, 33)
		large := nd.Take(x, nd.Arange[int64](40*40).ModScalar(100).Reshape(40, 40))
		turned := nd.Ones[float32](40, 40).T().Eval()
		wantTaken(t, "beside a transposed array", large.Add(turned.Copy().T()).Slice(nd.At(1), nd.R(0, 3)).ToHost(), 21, 21.5, 22)
		around := nd.Arange[float32](40*40).Reshape(40, 40).Eval()
		smooth := around.Slice(nd.From(2), nd.From(2)).Add(around.Slice(nd.R(1, 39), nd.R(1, 39))).Add(around.Slice(nd.To(38), nd.To(38))).
			Add(around.Slice(nd.To(38), nd.From(2))).Add(around.Slice(nd.From(2), nd.To(38)))
		some := nd.Take(x, nd.Arange[int64](38*38).ModScalar(100).Reshape(38, 38))
		wantTaken(t, "beside neighbours", smooth.Add(some).Slice(nd.At(1), nd.R(0, 2)).ToHost(), 5*81+19, 5*82+19.5)
		wantTaken(t, "in a mask", nd.Mask(nd.Take(x, wide), nd.Take(x, wide).GreaterScalar(48)).ToHost(), 49, 49)
		rows := nd.Take(x, nd.Arange[int64](100*100).ModScalar(100).Reshape(100, 100))
		wantTaken(t, "rows", rows.Sub(nd.Mean(rows, 1).ExpandDims(1)).Slice(nd.At(7), nd.R(0, 2)).ToHost(), -24.75, -24.25)
		i, j := nd.FromSlice([]int64{-1, 0}), nd.FromSlice([]int64{1, -1})
		wantTaken(t, "by two indices", nd.Gather(x.Reshape(10, 10), i, j).AddScalar(1).ToHost(), 46.5, 5.5)
		f16 := nd.AsType[nd.Float16](x).Eval()
		wantTaken(t, "floats of 16 bits", nd.AsType[float32](nd.Take(f16, wide).Neg()).ToHost(), want(func(i int) float32 { return -half(i) })...)
		nan := nd.FromSlice([]nd.Float16{0x7d01, 0xfe03})
		masked := nd.Mask(nd.Take(nan, nd.FromSlice([]int32{1, 0})), nd.Ones[bool](2)).ToHost()
		wantTaken(t, "the bits of NaNs", masked, 0xfe03, 0x7d01)
		a, b := nd.Take(x, wide), nd.Take(x, backwards)
		sum, product := a.Add(b), a.Mul(b)
		nd.Eval(sum, product, a)
		wantTaken(t, "one of three together", sum.Slice(nd.R(0, 2)).ToHost(), 49, 49)
		wantTaken(t, "another one", product.Slice(nd.R(0, 2)).ToHost(), 0, 48)
		wantTaken(t, "the elements", a.Slice(nd.R(0, 2)).ToHost(), 0, 1)
	})
}

// The shape of what is taken may have axes of one element that the index does not have.
func TestTakeFromColumns(t *testing.T) {
	onGeneratedCode(t, func(t *testing.T, _ bool) {
		column := nd.FromSlice([]float32{1, 2, 3, 4}).Reshape(4, 1)
		i := nd.FromSlice([]int32{3, 0, 1})
		wantTaken(t, "rows of a column", nd.Take(column, i, 0).Mul(nd.Ones[float32](3, 2)).ToHost(), 4, 4, 1, 1, 2, 2)
		wantTaken(t, "as many rows as columns", nd.Take(column, i, 0).Mul(nd.Ones[float32](3, 3)).ToHost(), 4, 4, 4, 1, 1, 1, 2, 2, 2)
		backwards := i.Slice(nd.All.By(-1))
		wantTaken(t, "rows backwards", nd.Take(column.Reshape(1, 4, 1), backwards, 1).AddScalar(1).ToHost(), 3, 2, 5)
		wide := nd.AsType[int64](i).Eval().Slice(nd.All.By(-1))
		wantTaken(t, "rows by an index", nd.Gather(column, wide).Mul(nd.Ones[float32](3, 2)).ToHost(), 2, 2, 1, 1, 4, 4)
	})
}

func TestTakeKeepsWhatItTook(t *testing.T) {
	onGeneratedCode(t, func(t *testing.T, _ bool) {
		x, i := nd.FromSlice([]float64{1, 2, 3, 4}), nd.FromSlice([]int64{3, 2, 1, 0})
		before := nd.Take(x, i)
		x.Slice(nd.R(0, 2)).Fill(9)
		i.Fill(0)
		wantTaken(t, "elements that were written later", before.AddScalar(0).ToHost(), 4, 3, 2, 1)
		i.Assign(nd.FromSlice([]int64{1, 0, 3, 2}))
		x.Assign(nd.Take(x, i).AddScalar(1))
		wantTaken(t, "an array that elements of its own are assigned to", x.ToHost(), 10, 10, 5, 4)
		i.Assign(nd.Take(i, i))
		wantTaken(t, "indices that are taken from themselves", i.ToHost(), 0, 1, 2, 3)
		lazy := nd.Take(x, i)
		nd.BufferOf(i) // others may write to it
		nd.BufferOf(x)
		wantTaken(t, "elements before others may write", lazy.AddScalar(0).ToHost(), 10, 10, 5, 4)
		now := nd.Take(x, i)
		if !now.Evaluated() {
			t.Error("elements of memory that others may write to are taken later")
		}
		if err := nd.Try(func() { nd.Take(x, nd.FromSlice([]int64{4})) }); err == nil || !strings.Contains(err.Error(), "index 4 is out of bounds for axis 0 with size 4") {
			t.Errorf("the error of Take is %v", err)
		}
	})
}

func TestTakeFree(t *testing.T) {
	onGeneratedCode(t, func(t *testing.T, _ bool) {
		if err := nd.Take(nd.Ones[float32](3), nd.FromSlice([]int32{2, 1, 0})).Free(); err != nil {
			t.Errorf("the memory of what is taken is not freed: %v", err)
		}
	})
}

func TestTakeOfLateIndices(t *testing.T) {
	onGeneratedCode(t, func(t *testing.T, _ bool) {
		x := nd.Arange[float64](1000).Eval()
		rows := nd.Ones[int64](100, 100).Sum(1)
		wantTaken(t, "elements at sums", nd.Take(x, rows).AddScalar(1).Slice(nd.R(0, 2)).ToHost(), 101, 101)
		i := nd.Ones[int64](100, 100).Sum(1)
		wantTaken(t, "elements at sums, by two indices", nd.Gather(x.Reshape(1, 1000), nd.Zeros[int64](100), i).AddScalar(1).Slice(nd.R(0, 2)).ToHost(), 101, 101)
	})
}

func TestTakeOnceWhereItIsDear(t *testing.T) {
	t.Setenv("GOPHERWARP_ARRAYS", "cuda")
	large := nd.Zeros[float32](5 << 20)
	i := nd.Arange[int64](1000).Eval()
	nd.Take(large, i).Eval()
	a := nd.Take(large, i)
	b, c := a.AddScalar(1), a.AddScalar(2)
	nd.ResetStats()
	b.Eval()
	if !a.Evaluated() {
		t.Error("elements that two expressions need are not stored")
	}
	c.Eval()
	if n := nd.Stats().Launches; n != 3 {
		t.Errorf("%d launches, want 3", n)
	}
}

func TestTakeInLoop(t *testing.T) {
	onGeneratedCode(t, func(t *testing.T, _ bool) {
		next := nd.FromSlice([]int32{1, 2, 3, 0})
		x := nd.FromSlice([]float32{1, 2, 3, 4})
		nd.Loop(10, func() { x = nd.Take(x, next).AddScalar(1) }, &x)
		wantTaken(t, "elements after ten steps", x.ToHost(), 13, 14, 11, 12)
	})
}

func TestTakeGradient(t *testing.T) {
	onGeneratedCode(t, func(t *testing.T, _ bool) {
		x, y, i := nd.FromSlice([]float64{1, 2, 3}), nd.FromSlice([]float64{5, 6, 7, 8}), nd.FromSlice([]int64{0, 0, -1, 1})
		value, g := nd.ValueAndGrad(func(x *nd.Array[float64]) *nd.Array[float64] { return nd.Take(x, i).Square().Mul(y).Sum() })(x)
		wantTaken(t, "the value", value.ToHost(), 5+6+63+32)
		wantTaken(t, "the gradient", g.ToHost(), 22, 32, 42)
	})
}
