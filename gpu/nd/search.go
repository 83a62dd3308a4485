package nd

import (
	"fmt"
	"math"
	"runtime"
)

// Side selects the index that Searchsorted returns for a number that is among the sorted ones already.
type Side uint8

// The sides of Searchsorted.
const (
	Left  Side = iota // before the first equal element
	Right             // after the last equal element
)

// Searchsorted returns the indices at which the elements of v would have to be inserted in sorted, an array of one axis in ascending
// order, to keep the order. NaNs sort to the end.
func Searchsorted[T Real](sorted, v *Array[T], side Side) *Array[int64] {
	return as[int64](searchsorted("Searchsorted", nodeOf(sorted).check("Searchsorted"), nodeOf(v).check("Searchsorted"), side))
}

func searchsorted(op string, sorted, v *node, side Side) *node {
	if sorted.lay.rank() != 1 {
		fail(op, "the sorted array of shape %s must have one axis", shapeString(sorted.lay.shape))
	}
	e := common(op, sorted, v, nil)
	s, x := sorted.packed(), v.packed()
	out := newNode(e, Int64, contiguous(op, v.Shape()))
	dt := s.dt
	e.each(fmt.Sprintf("search%d", dt), v.lay.size, func() elementKernel {
		before := "at < x"
		behind := "!(x < at)"
		if dt.is(kindFloat) {
			before, behind = "at < x || (x != x && at == at)", "!(x < at || (at != at && x == x))"
		}
		return elementKernel{name: "searchsorted", types: []DType{dt}, need: dt.needs(), params: fmt.Sprintf("long long *out, const %[1]s *sorted, const %[1]s *values", dt.info().stored), body: fmt.Sprintf(`    const %s x = %s;
    long long low = 0, high = a.v[1];
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        const %[1]s at = %[3]s;
        if (a.v[2] ? %[4]s : %[5]s)
            low = middle + 1;
        else
            high = middle;
    }
    out[i] = low;
`, dt.info().held, dt.load("values[i]"), dt.load("sorted[middle]"), behind, before)}
	}, []int{s.lay.size, int(side)}, out.buffer(), s.buffer(), x.buffer())
	runtime.KeepAlive(s)
	runtime.KeepAlive(x)
	return out
}

// Histogram divides the interval from low to high into bins of equal width and returns the number of elements in each bin, and the edges
// of the bins. An element at an edge belongs to the bin above it, one at the last edge to the last bin; elements outside, and NaNs, are
// ignored.
func Histogram[T Real](a *Array[T], bins int, low, high float64) (counts *Array[int64], edges *Array[float64]) {
	const op = "Histogram"
	edges, bin := histogram(op, nodeOf(a).check(op), bins, low, high)
	return as[int64](count(op, bin, 0, bins, nil)), edges
}

// HistogramWeights returns the sum of the weights of the elements in each bin, where Histogram counts 1; they are added as by
// BincountWeights.
func HistogramWeights[T, W Real](a *Array[T], weights *Array[W], bins int, low, high float64) (sums, edges *Array[float64]) {
	const op = "HistogramWeights"
	checkWeights(op, nodeOf(a).check(op), nodeOf(weights).check(op))
	edges, bin := histogram(op, nodeOf(a), bins, low, high)
	return as[float64](count(op, bin, 0, bins, nodeOf(weights))), edges
}

// histogram returns the edges of the bins, and the bin of each element in row-major order, as contiguous memory.
func histogram(op string, n *node, bins int, low, high float64) (edges *Array[float64], bin *node) {
	switch {
	case bins < 1:
		fail(op, "%d bins are given, want at least one", bins)
	case math.IsNaN(high-low) || math.IsInf(high-low, 0) || high < low:
		fail(op, "there is no range from %v to %v", low, high)
	}
	if low == high {
		low, high = low-0.5, high+0.5
	}
	edges = Linspace(low, high, bins+1).Eval()
	x := as[float64](n.cast(op, F64)).Ravel()
	// An element belongs to the bin after the last edge that is not above it, one at the last edge to the last bin.
	at := as[int64](searchsorted(op, nodeOf(edges), nodeOf(x), Right)).SubScalar(1)
	return edges, nodeOf(Where(x.EqualScalar(high), Scalar(int64(bins-1)), at)).packed()
}

// Unique returns the distinct elements, sorted. NaNs count as one. It waits for the array.
func Unique[T Elem](a *Array[T]) *Array[T] {
	if found := nodeOf(a).check("Unique").uniqueCounted("Unique"); found != nil {
		return as[T](found)
	}
	sorted := Sort(a.Ravel())
	return Mask(sorted, firsts(sorted))
}

// uniqueCounted is Unique for integers of a range that a block can count, and returns nil for others: to count takes less time than to
// sort.
func (n *node) uniqueCounted(op string) *node {
	if !n.dt.is(kindInteger) || n.lay.size == 0 {
		return nil
	}
	p := n.evenly()
	low, high := p.extremes(op)
	last := uint64(high) - uint64(low) // also of uint64s, whose order in extremes is that of int64s
	if (n.dt == Uint64 && low < 0) || last >= uint64(counting{n: p}.room()) {
		return nil
	}
	places := count(op, p, low, int(last)+1, nil).nonzero(op)
	return nodeOf(as[int64](places).AddScalar(low)).unary(op, opCast, n.dt).ready()
}

// UniqueAll returns the distinct elements, sorted, with the index in the array of the first occurrence of each, the index in values of
// each element, in the array's shape, and the number of occurrences of each. It waits for the array.
func UniqueAll[T Elem](a *Array[T]) (values *Array[T], first, inverse, counts *Array[int64]) {
	const op = "UniqueAll"
	flat := a.Ravel()
	order := Argsort(flat)
	sorted := Take(flat, order)
	begins := firsts(sorted)
	places := Flatnonzero(begins)
	inverse = newArray[int64](nodeOf(order).eng, contiguous(op, []int{nodeOf(flat).lay.size}))
	Put(inverse, order, Cumsum(AsType[int64](begins)).SubScalar(1))
	ends := Concatenate(0, places, as[int64](sizeOnly(nodeOf(places).eng, nodeOf(flat).lay.size)))
	n := nodeOf(places).lay.size
	counts = ends.Slice(R(1, n+1)).Sub(ends.Slice(R(0, n)))
	return Take(sorted, places), Take(order, places), inverse.Reshape(a.Shape()...), counts
}

// sizeOnly returns an array with that number as its only element.
func sizeOnly(e *engine, n int) *node {
	out := newNode(e, Int64, contiguous("UniqueAll", []int{1}))
	return out.fill(number{uint64(n)})
}

// firsts reports, element-wise, whether an element of a sorted array differs from the one before.
func firsts[T Elem](sorted *Array[T]) *Array[bool] {
	n := sorted.Size()
	out := newArray[bool](nodeOf(sorted).eng, contiguous("Unique", []int{n}))
	out.Fill(true)
	if n > 1 {
		x, y := sorted.Slice(From(1)), sorted.Slice(To(n-1))
		nans := x.NotEqual(x).LogicalAnd(y.NotEqual(y))
		out.Slice(From(1)).Assign(x.NotEqual(y).LogicalAnd(nans.LogicalNot()))
	}
	return out
}
