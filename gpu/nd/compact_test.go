package nd_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// Masks and masked arrays may be expressions, views and numbers of any type.
func TestNumPyMasks(t *testing.T) {
	s := newSuite(t)
	masks[bool](s)
	masks[int8](s)
	masks[uint16](s)
	masks[nd.Float16](s)
	masks[float32](s)
	masks[int64](s)
	masks[float64](s)
	masks[complex64](s)
	masks[complex128](s)
	for _, n := range []int{1, 5, 1023, 1025, 4096, 4097, 20_011} {
		a, x := array[float32](s, n)
		b, y := array[float32](s, n)
		expectFrom(s, "x0[x0 > 0]", 0, func() *nd.Array[float32] { return nd.Mask(a, a.GreaterScalar(0)) }, x)
		expectFrom(s, "(x0 - x1)[x0 > x1]", 0, func() *nd.Array[float32] { return nd.Mask(a.Sub(b), a.Greater(b)) }, x, y)
		expectFrom(s, "np.flatnonzero(x0 * x1 > x1[0])", 0, func() *nd.Array[int64] {
			return nd.Flatnonzero(a.Mul(b).Greater(b.Slice(nd.At(0))))
		}, x, y)
		expectFrom(s, "np.arange(len(x0))[x0 > 1]", 0, func() *nd.Array[int64] {
			return nd.Mask(nd.Arange[int64](int64(n)), a.GreaterScalar(1))
		}, x)
		expectFrom(s, "x0[np.arange(len(x0)) % 7 == 3]", 0, func() *nd.Array[float32] {
			return nd.Mask(a, nd.Arange[int64](int64(n)).ModScalar(7).EqualScalar(3))
		}, x)
		whole, z := array[int32](s, n)
		expectFrom(s, "x0[x0 == x0.max()]", 0, func() *nd.Array[int32] { return nd.Mask(whole, whole.Equal(whole.Max())) }, z)
	}
	columns, z := array[float32](s, 300, 3)
	rows, w := array[bool](s, 300)
	expectFrom(s, "x0[:, 1:2][x1]", 0, func() *nd.Array[float32] { return nd.Mask(columns.Slice(nd.All, nd.R(1, 2)), rows) }, z, w)
	expectFrom(s, "(-x0[:, 2:])[x1]", 0, func() *nd.Array[float32] { return nd.Mask(columns.Slice(nd.All, nd.From(2)).Neg(), rows) }, z, w)
	// Expressions of operands that are not arranged alike, and a reduction that is computed later.
	a, x := array[float32](s, 70, 90)
	b, y := array[float32](s, 90, 70)
	expectFrom(s, "x0[x0 > x1.T]", 0, func() *nd.Array[float32] { return nd.Mask(a, a.Greater(b.T())) }, x, y)
	expectFrom(s, "(x0.T * 2)[x1 > x1[3]]", 0, func() *nd.Array[float32] {
		return nd.Mask(a.T().MulScalar(2), b.Greater(b.Slice(nd.At(3))))
	}, x, y)
	expectFrom(s, "x0[x1.max(1) > 0]", 0, func() *nd.Array[float32] { return nd.Mask(b.T(), a.Max(1).GreaterScalar(0)) }, transposed(y), x)
	expectFrom(s, "x0.max(1)[x0.max(1) > 0]", 0, func() *nd.Array[float32] {
		m := a.Max(1)
		return nd.Mask(m, m.GreaterScalar(0))
	}, x)
	s.run()
}

func transposed(x input) input {
	x.Axes = []int{1, 0}
	return x
}

func masks[T nd.Elem](s *suite) {
	for range 3 {
		a, x := view[T](s, []int{1 + s.IntN(3), 1 + s.IntN(9), 1 + s.IntN(40)})
		m, y := array[bool](s, a.Shape()...)
		expectFrom(s, "x0[x1]", 0, func() *nd.Array[T] { return nd.Mask(a, m) }, x, y)
		expectFrom(s, "np.flatnonzero(x0)", 0, func() *nd.Array[int64] { return nd.Flatnonzero(a) }, x)
	}
	long, x := array[T](s, 33_001)
	m, y := array[bool](s, 33_001)
	expectFrom(s, "x0[~x1]", 0, func() *nd.Array[T] { return nd.Mask(long, m.LogicalNot()) }, x, y)
	expectFrom(s, "x0[3:][x1[:-3]]", 0, func() *nd.Array[T] { return nd.Mask(long.Slice(nd.From(3)), m.Slice(nd.To(-3))) }, x, y)
	expectFrom(s, "x0[::3][x1[::-3]]", 0, func() *nd.Array[T] { return nd.Mask(long.Slice(nd.All.By(3)), m.Slice(nd.All.By(-3))) }, x, y)
}

// The bits of all numbers stay as they are.
func TestMaskKeepsBits(t *testing.T) {
	host := make([]nd.Float16, 1<<16)
	for i := range host {
		host[i] = nd.Float16(i)
	}
	a := nd.FromSlice(host)
	if got := nd.Mask(a, nd.Ones[bool](len(host))).ToHost(); !slices.Equal(got, host) {
		t.Error("float16s are other ones")
	}
}

// An array that is made by a mask can be used as others can, and written.
func TestMaskResult(t *testing.T) {
	const n = 10_000
	a := nd.Arange[float32](n).Eval()
	for _, limit := range []float32{10, n / 2, n - 1, n} {
		got := nd.Mask(a, a.LessScalar(limit))
		if size := int(limit); got.Size() != size || got.Bytes() != 4*size || nd.Packed(got).Len() != 4*size {
			t.Errorf("of %v elements there are %d in %d bytes, and %d packed", limit, got.Size(), got.Bytes(), nd.Packed(got).Len())
		}
		sum := float64(limit) * float64(limit-1) / 2
		if s := nd.SumAs[float64](got).Item(); s != sum {
			t.Errorf("the sum of %v elements is %v, want %v", limit, s, sum)
		}
		got.Fill(1)
		if s := nd.SumAs[float64](got.Add(got)).Item(); s != float64(2*limit) {
			t.Errorf("%v elements that were set to 1 have the sum %v", limit, s/2)
		}
	}
	if a.At(5).Item() != 5 {
		t.Error("the array was changed")
	}
}

// One kernel computes the mask and what is chosen, or the same one twice if there is not much memory.
func TestMaskLaunches(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	host := make([]float32, 50_000)
	for i := range host {
		host[i] = random.Float32() - 0.5
	}
	want := slices.DeleteFunc(slices.Clone(host), func(v float32) bool { return v <= 0 })
	a := nd.FromSlice(host)
	for _, held := range []int{1 << 30, 4 * len(host), 1000} {
		t.Run(fmt.Sprint(held), func(t *testing.T) {
			defer nd.SetMostHeld(nd.SetMostHeld(held))
			before := nd.Stats().Launches
			got := nd.Mask(a, a.GreaterScalar(0))
			launches := 1
			if held == 1000 {
				launches = 2
			}
			if nd.Described() {
				launches++ // the mask is computed before
			}
			if made := nd.Stats().Launches - before; made != launches {
				t.Errorf("there are %d launches, want %d", made, launches)
			}
			if !slices.Equal(got.ToHost(), want) {
				t.Errorf("there are %d elements, want %d, or others", got.Size(), len(want))
			}
		})
	}
}

// Masks of split arrays are collected.
func TestMaskOfShards(t *testing.T) {
	on(t, "sim:x3")
	x := numbers(50, 40)
	want := nd.Mask(x, x.GreaterScalar(1)).ToHost()
	split := nd.Shard(x, 0)
	for name, got := range map[string]doubles{
		"both":  nd.Mask(split, split.GreaterScalar(1)),
		"mask":  nd.Mask(x, split.GreaterScalar(1)),
		"array": nd.Mask(split, x.GreaterScalar(1)),
	} {
		if !slices.Equal(got.ToHost(), want) {
			t.Errorf("%s: there are %d elements, want %d, or others", name, got.Size(), len(want))
		}
	}
}

// Masks of more tiles than there are blocks at once choose the elements that a loop chooses.
func TestMasksOfManyTiles(t *testing.T) {
	n := 1<<23 + 777
	if d, err := gpu.Current(); err != nil || d.Properties().Simulated {
		n = 1<<20 + 777
		t.Setenv("GOPHERWARP_ARRAYS", "cuda") // the kernel itself
	}
	x := nd.Sin(nd.Arange[float32](float32(n)).MulScalar(0.1)).Eval()
	wide, narrow, odd := nd.AsType[float64](x).Eval(), nd.AsType[int8](x.MulScalar(100)).Eval(), x.Slice(nd.From(1))
	for what, c := range map[string]struct {
		got  nd.Operand
		from []float32
		want func(i int, v float32) float64
	}{
		"elements":                  {nd.Mask(x, x.GreaterScalar(0.3)), x.ToHost(), func(_ int, v float32) float64 { return float64(v) }},
		"of another array":          {nd.Mask(wide.MulScalar(2), x.GreaterScalar(0.3)), x.ToHost(), func(_ int, v float32) float64 { return 2 * float64(v) }},
		"places":                    {nd.Flatnonzero(x.GreaterScalar(0.3)), x.ToHost(), func(i int, _ float32) float64 { return float64(i) }},
		"bytes":                     {nd.Mask(narrow, x.GreaterScalar(0.3)), x.ToHost(), func(_ int, v float32) float64 { return float64(int8(v * 100)) }},
		"places of bytes":           {nd.Flatnonzero(narrow.GreaterScalar(30)), nd.AsType[float32](narrow).DivScalar(100).ToHost(), func(i int, _ float32) float64 { return float64(i) }},
		"not at a vector's address": {nd.Mask(odd, odd.GreaterScalar(0.3)), odd.ToHost(), func(_ int, v float32) float64 { return float64(v) }},
	} {
		var want []float64
		for i, v := range c.from {
			if v > 0.3 {
				want = append(want, c.want(i, v))
			}
		}
		if got := nd.AsType[float64](c.got).ToHost(); !slices.Equal(got, want) {
			t.Errorf("%s: %d elements, want %d", what, len(got), len(want))
		}
	}
}
