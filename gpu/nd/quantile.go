package nd

import (
	"math"
	"slices"
)

// Quantile returns the quantiles q, numbers from 0 to 1, over the given axes, or of all elements if none is given. The first axis of the
// result has one for each of q. An element of the sorted array that is at place q (n-1) is the quantile, and between two neighbours it is
// interpolated linearly, in float64. If there is a NaN, the quantiles are NaN. Integers are converted with AsType.
//
//	nd.Quantile(a, []float64{0.25, 0.75}, 1) // the quartiles of each row
//
// A long row is not sorted: a few passes over it, or one that a sample guides, find the neighbours of up to eight quantiles. Unlike NumPy's, a quantile is no NaN for
// infinite neighbours that are equal, nor for an infinite one that has no weight.
func Quantile[T Float](a *Array[T], q []float64, axes ...int) *Array[T] {
	const op = "Quantile"
	return as[T](nodeOf(a).check(op).quantile(op, q, 1, axes))
}

// Percentile returns Quantile of q / 100.
func Percentile[T Float](a *Array[T], q []float64, axes ...int) *Array[T] {
	const op = "Percentile"
	return as[T](nodeOf(a).check(op).quantile(op, q, 100, axes))
}

// Median returns the element in the middle of the sorted elements over the given axes, or of all if none is given, or the mean of the two in
// the middle, computed in float64. If there is a NaN, or no element, the median is NaN.
func Median[T Float](a *Array[T], axes ...int) *Array[T] {
	const op = "Median"
	return as[T](nodeOf(a).check(op).median(op, axes))
}

func (n *node) quantile(op string, q []float64, most float64, axes []int) *node {
	for _, v := range q {
		if !(v >= 0 && v <= most) {
			fail(op, "%v is not from 0 to %v", v, most)
		}
	}
	rows := n.together(op, axes)
	length := rows.lay.shape[rows.lay.rank()-1]
	if length == 0 {
		fail(op, "an array of shape %s has nothing along the axes %v, of which there could be a result", shapeString(n.lay.shape), axesOf(op, axes, n.lay.rank()))
	}
	ranks, weights := make([]int, 0, 2*len(q)+1), make([]float64, len(q))
	for i, v := range q {
		at := v / most * float64(length-1)
		low := min(int(at), length-1)
		weights[i] = at - float64(low)
		ranks = append(ranks, low, min(low+1, length-1))
	}
	found := as[float64](rows.statistics(op, append(ranks, length-1)).moveAxis(-1, 0).cast(op, F64))
	last := 2 * len(q)
	low, high := found.Slice(R(0, last).By(2)), found.Slice(R(1, last).By(2))
	shape := slices.Repeat([]int{1}, rows.lay.rank())
	shape[0] = len(q)
	weight := FromSlice(weights, shape...).To(rows.eng.dev)
	way := high.Sub(low)
	between := Where(weight.LessScalar(0.5), low.Add(way.Mul(weight)), high.Sub(way.Mul(Scalar(1.0).Sub(weight))))
	between = Where(low.Equal(high).LogicalOr(weight.EqualScalar(0)), low, between)
	return withNaN(between, found.Slice(At(last))).cast(op, n.dt)
}

func (n *node) median(op string, axes []int) *node {
	rows := n.together(op, axes)
	length := rows.lay.shape[rows.lay.rank()-1]
	if length == 0 {
		lay := contiguous(op, rows.lay.shape[:rows.lay.rank()-1])
		return nodeOf(Full(math.NaN(), lay.shape...).To(rows.eng.dev)).cast(op, n.dt)
	}
	found := as[float64](rows.statistics(op, []int{(length - 1) / 2, length / 2, length - 1}).moveAxis(-1, 0).cast(op, F64))
	middle := found.Slice(At(0))
	if length%2 == 0 {
		middle = middle.Add(found.Slice(At(1))).DivScalar(2)
	}
	return withNaN(middle, found.Slice(At(2))).cast(op, n.dt)
}

// withNaN returns the results, or the largest element where that is NaN: a NaN comes last in the order.
func withNaN(results, largest *Array[float64]) *node {
	return nodeOf(Where(largest.NotEqual(largest), largest, results))
}

// together returns a dense array that has the elements along the axes, which are as those of a reduction, along its last axis.
func (n *node) together(op string, axes []int) *node {
	n.withoutGradient()
	list := axesOf(op, axes, n.lay.rank())
	var order, shape []int
	for i, length := range n.lay.shape {
		if !slices.Contains(list, i) {
			order, shape = append(order, i), append(shape, length)
		}
	}
	length := 1
	for _, axis := range list {
		length *= n.lay.shape[axis]
	}
	if n.eng == nil {
		n.ready()
	}
	return n.collected().transpose(append(order, list...)).reshape(append(shape, length)).packed()
}
