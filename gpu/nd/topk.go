package nd

import (
	"math"
	"slices"
)

// TopK returns the k largest elements along an axis, in descending order, and their indices. NaNs count as larger than all numbers.
func TopK[T Real](a *Array[T], k, axis int) (values *Array[T], places *Array[int64]) {
	v, p := nodeOf(a).check("TopK").topK("TopK", k, axis)
	return as[T](v), as[int64](p)
}

func (n *node) topK(op string, k, axis int) (values, places *node) {
	at := axisOf(op, axis, n.lay.rank())
	length := n.lay.shape[at]
	if k < 0 || k > length {
		fail(op, "%d of %d elements along axis %d cannot be taken", k, length, at)
	}
	n.withoutGradient()
	index := slices.Repeat([]Index{All}, at+1)
	index[at] = To(k)
	switch {
	case k == 0:
		none := n.slice(index).copied()
		return none, newNode(none.eng, Int64, none.lay)
	case n.topsRows():
		return n.topOfRows(op, k, at)
	case n.lay.rank() == 1 && length >= selectLeast && k <= length/selectAll:
		return n.collected().computed().topOfLong(op, k)
	}
	places = n.argsort(op, []int{at}).flip([]int{at}).slice(index).copied()
	return n.gatherKnown(op, places, at, places.lay.shape, true), places
}

// TopK looks for the elements of a long array that are not less than a limit, which a sample has or which is the least of those wanted, and
// sorts these: to sort all takes longer.
const (
	selectLeast  = 1 << 18 // elements of the array
	selectAll    = 4       // elements of the array for each that is wanted, at least
	selectShare  = 64      // so many for a limit from a sample
	selectSample = 1 << 14
)

// topOfLong is topK for an array of one axis that has been computed.
func (n *node) topOfLong(op string, k int) (values, places *node) {
	if values, places := n.few(op, k); values != nil {
		return values, places
	}
	var found *node
	if k <= n.lay.size/selectShare {
		found = n.above(op, k)
	}
	if found == nil {
		found = n.largest(op, k)
	}
	// Of equal elements the first ones come first in found, and the last ones in the result.
	some := n.gatherKnown(op, found, 0, found.lay.shape, false)
	order := some.places(op).flip([]int{0}).slice([]Index{To(k)})
	places = found.gatherKnown(op, order, 0, order.lay.shape, false)
	return n.gatherKnown(op, places, 0, places.lay.shape, false), places
}

// above returns the indices, in ascending order, of the elements that are not less than some limit, among which the k largest are, or nil if
// they are not few. It waits for the array.
func (n *node) above(op string, k int) *node {
	step := n.lay.size / selectSample
	sample := n.slice([]Index{All.By(step)}).packed()
	size := sample.lay.size
	// So many of the sample are above the limit that fewer than k elements are very unlikely (and are seen below).
	share := float64(k) / float64(step)
	limit := sample.statistic(max(size-1-int(share+6*math.Sqrt(share)+16), 0))
	c := newCompacting(op, n.compare(op, opLess, limit).unary(op, opInvert, Bool), nil)
	places, count := c.run(n.eng, n.lay.size/4)
	if count < k || count > places.lay.size {
		return nil
	}
	return c.part(places, count)
}

// largest returns the indices of the k largest elements, of equal ones in ascending order. It waits for the array.
func (n *node) largest(op string, k int) *node {
	limit := n.statistic(n.lay.size - k)
	above, equal := limit.compare(op, opLess, n), n.compare(op, opEqual, limit)
	if n.dt.is(kindFloat) {
		nan, nanLimit := n.unary(op, opIsnan, Bool), limit.unary(op, opIsnan, Bool)
		above = above.binary(op, opOr, Bool, nan.binary(op, opGreater, Bool, nanLimit))
		equal = equal.binary(op, opOr, Bool, nan.binary(op, opAnd, Bool, nanLimit))
	}
	list := above.nonzero(op)
	rest := equal.nonzero(op)
	return concatenate(op, 0, []*node{list, rest.slice([]Index{From(rest.lay.size - (k - list.lay.size))})})
}

// statistic returns the element of a contiguous array that Argsort would put at that place, as an array of it alone.
func (n *node) statistic(rank int) *node {
	return n.packed().selected(&selecting{dt: n.dt, ranks: []int{rank}, mode: sortTies}, contiguous("TopK", []int{1}))
}
