package nd_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// places returns random indices of an axis of that length, some counted from the end.
func places(s *suite, length int, shape ...int) (*nd.Array[int64], input) {
	size := 1
	for _, n := range shape {
		size *= n
	}
	list := make([]int64, size)
	for i := range list {
		list[i] = int64(s.IntN(2*length) - length)
	}
	return given(list, shape...)
}

func TestNumPyIndexing(t *testing.T) {
	s := newSuite(t)
	for range 12 {
		a, x := array[float32](s, 1+s.IntN(5), 1+s.IntN(5), 1+s.IntN(5))
		shape := a.Shape()
		axis := s.IntN(3)
		i, y := places(s, shape[axis], 1+s.IntN(3), s.IntN(4))
		expect(s, fmt.Sprintf("x0.take(x1, %d)", axis), 0, nd.Take(a, i, axis), x, y)
		i, y = places(s, a.Size(), 7)
		expect(s, "x0.take(x1, mode='wrap')", 0, nd.Take(a, i), x, y)
		along := slices.Clone(shape)
		along[axis] = s.IntN(5)
		i, y = places(s, shape[axis], along...)
		expect(s, fmt.Sprintf("np.take_along_axis(x0, x1, %d)", axis), 0, nd.TakeAlong(a, i, axis), x, y)
		i, y = places(s, shape[0], 4, 1)
		j, z := places(s, shape[1], 3)
		expect(s, "x0[x1, x2]", 0, nd.Gather(a, i, j), x, y, z)

		mask, m := array[bool](s, shape...)
		expect(s, "x0[x1]", 0, nd.Mask(a, mask), x, m)
		expect(s, "np.flatnonzero(x0)", 0, nd.Flatnonzero(mask), m)
		expect(s, "np.array(np.nonzero(x0))", 0, nd.Stack(0, nd.Nonzero(mask)...), m)
		rows, m := array[bool](s, shape[0])
		expect(s, "x0[x1]", 0, nd.Mask(a, rows), x, m)

		one := slices.Sorted(slices.Values(s.Perm(a.Size())[:s.IntN(a.Size()+1)]))
		where := make([]int64, len(one))
		for k, v := range one {
			where[k] = int64(v)
		}
		i, y = given(where, len(where))
		v, z := array[float32](s, 2)
		target := a.To(a.Device()).Copy().T()
		nd.Put(target, i, v)
		expect(s, "(lambda a: (np.put(a, x1, x2), a)[1])(x0.T.copy())", 0, target, x, y, z)
	}
	s.run()
}

func TestNumPyJoining(t *testing.T) {
	s := newSuite(t)
	for range 12 {
		shape := []int{1 + s.IntN(4), 1 + s.IntN(4), 2 + s.IntN(4)}
		axis := s.IntN(3) - 3
		a, x := array[int32](s, shape...)
		other := slices.Clone(shape)
		other[axis+3] = s.IntN(4)
		b, y := array[int32](s, other...)
		expect(s, fmt.Sprintf("np.concatenate([x0, x1, x0], %d)", axis), 0, nd.Concatenate(axis, a, b, a), x, y)
		expect(s, fmt.Sprintf("np.stack([x0, x0], %d)", axis), 0, nd.Stack(axis, a, a), x)
		expect(s, "np.tile(x0, (2, 1, 3, 2))", 0, nd.Tile(a, 2, 1, 3, 2), x)
		expect(s, "np.tile(x0, 3)", 0, nd.Tile(a, 3), x)
		expect(s, fmt.Sprintf("np.repeat(x0, 3, %d)", axis), 0, nd.Repeat(a, 3, axis), x)
		shift := s.IntN(11) - 5
		expect(s, fmt.Sprintf("np.roll(x0, %d, %d)", shift, axis), 0, nd.Roll(a, shift, axis), x)
		expect(s, fmt.Sprintf("np.split(x0.repeat(2, 1), 2, 1)[%d]", shift&1), 0, nd.Split(nd.Repeat(a, 2, 1), 2, 1)[shift&1], x)
		w := [][2]int{{s.IntN(3), s.IntN(7)}, {s.IntN(3), 0}, {1, s.IntN(9)}}
		widths := fmt.Sprintf("((%d, %d), (%d, %d), (%d, %d))", w[0][0], w[0][1], w[1][0], w[1][1], w[2][0], w[2][1])
		expect(s, "np.pad(x0, "+widths+", constant_values=7)", 0, nd.PadConstant(a, 7, w...), x)
		for mode, name := range []string{"edge", "reflect", "symmetric", "wrap"} {
			expect(s, "np.pad(x0, "+widths+", '"+name+"')", 0, nd.Pad(a, nd.PadMode(mode), w...), x)
		}
	}
	s.run()
}

func TestNumPySearching(t *testing.T) {
	s := newSuite(t)
	for range 10 {
		a, x := array[float32](s, 1+s.IntN(60))
		b, y := array[float32](s, 3, 5)
		sorted := nd.Sort(a)
		z := produced(sorted)
		expect(s, "np.searchsorted(x0, x1, 'left')", 0, nd.Searchsorted(sorted, b, nd.Left), z, y)
		expect(s, "np.searchsorted(x0, x1, 'right')", 0, nd.Searchsorted(sorted, b, nd.Right), z, y)
		expect(s, "np.unique(x0)", 1, nd.Unique(a), x)
		small := make([]int64, s.IntN(50))
		for i := range small {
			small[i] = int64(s.IntN(9))
		}
		n, w := given(small, len(small))
		expect(s, "np.bincount(x0, minlength=5)", 0, nd.Bincount(n, 5), w)
		weights, v := array[int16](s, len(small)) // whose sums are exact
		expect(s, "np.bincount(x0, x1, 5)", 0, nd.BincountWeights(n, weights, 5), w, v)
		sums, _ := nd.HistogramWeights(n, weights, 7, 1, 8)
		expect(s, "np.histogram(x0, 7, (1, 8), weights=x1.astype(np.float64))[0]", 0, sums, w, v)
		if len(small) > 0 {
			values, first, inverse, counts := nd.UniqueAll(n)
			for i, got := range []*nd.Array[int64]{values, first, inverse, counts} {
				expect(s, fmt.Sprintf("np.unique(x0, True, True, True)[%d]", i), 0, got, w)
			}
		}
		counts, edges := nd.Histogram(n, 7, 1, 8)
		expect(s, "np.histogram(x0, 7, (1, 8))[0]", 0, counts, w)
		expect(s, "np.histogram(x0, 7, (1, 8))[1]", 1, edges, w)
		c, x := array[uint32](s, 4, 6)
		top, _ := nd.TopK(c, 3, 1)
		expect(s, "np.sort(x0, 1)[:, :-4:-1]", 0, top, x)
	}
	s.run()
}

func TestIndexErrors(t *testing.T) {
	a, b := nd.Zeros[float32](2, 3), nd.Zeros[float32](2, 4)
	at := func(list ...int64) *nd.Array[int64] { return nd.FromSlice(list) }
	for _, c := range []struct {
		want string
		f    func()
	}{
		{"nd.Take: index 3 is out of bounds for axis 1 with size 3", func() { nd.Take(a, at(0, 3), 1) }},
		{"nd.Gather: index -3 is out of bounds for axis 0 with size 2", func() { nd.Gather(a, at(-3)) }},
		{"nd.Put: index 6 is out of bounds for axis 0 with size 6", func() { nd.Put(a, at(6), a) }},
		{"nd.Mask: the mask of shape (3,) does not go with the array of shape (2, 3)", func() { nd.Mask(a, nd.Zeros[bool](3)) }},
		{"nd.Concatenate: arrays of shapes (2, 3) and (2, 4) differ in more than axis 0", func() { nd.Concatenate(0, a, b) }},
		{"nd.Stack: arrays of shapes (2, 3) and (2, 4) cannot be stacked", func() { nd.Stack(0, a, b) }},
		{"nd.Split: an axis of length 3 cannot be split into 2 parts", func() { nd.Split(a, 2, 1) }},
		{"nd.Bincount: there is a negative number, -1", func() { nd.Bincount(at(-1), 0) }},
		{"nd.BincountWeights: the weights of shape (2,) do not go with the array of shape (1,)", func() { nd.BincountWeights(at(1), at(1, 2), 0) }},
		{"nd.TopK: 4 of 3 elements along axis 1 cannot be taken", func() { nd.TopK(a, 4, 1) }},
		{"nd.Sort: axis 2 is out of bounds", func() { nd.Sort(a, 2) }},
		{"nd.Cumsum: axis -3 is out of bounds", func() { nd.Cumsum(a, -3) }},
	} {
		if got := panics(t, c.f); !strings.Contains(got, c.want) {
			t.Errorf("got %q, want %q in it", got, c.want)
		}
	}
}
