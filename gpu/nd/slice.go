package nd

import (
	"slices"
	"strconv"
	"strings"
)

// Index is the argument of Slice for an axis.
type Index struct {
	kind            indexKind
	start, stop, by int
	hasStart, hasTo bool
}

type indexKind uint8

const (
	indexRange indexKind = iota
	indexAt
	indexNew
	indexRest
)

var (
	// All selects the whole axis.
	All = Index{}
	// NewAxis inserts an axis of length 1.
	NewAxis = Index{kind: indexNew}
	// Rest selects the whole of all axes without an index, as Python's ….
	Rest = Index{kind: indexRest}
)

// At selects one index of an axis and removes the axis. A negative index counts from the end.
func At(i int) Index { return Index{kind: indexAt, start: i} }

// R selects the elements from start up to but not including stop. Negative numbers count from the end, and a range beyond the ends is cut
// off.
func R(start, stop int) Index {
	return Index{start: start, stop: stop, hasStart: true, hasTo: true}
}

// From selects the elements from start on.
func From(start int) Index { return Index{start: start, hasStart: true} }

// To selects the elements before stop.
func To(stop int) Index { return Index{stop: stop, hasTo: true} }

// By selects only every n-th element, backwards if n is negative.
func (i Index) By(n int) Index {
	i.by = n
	return i
}

// Idx parses indices written as in Python: a.Slice(nd.Idx("1:5, ::-1, None, ..., 3")...).
func Idx(text string) []Index {
	var list []Index
	for part := range strings.SplitSeq(text, ",") {
		list = append(list, parseIndex(text, strings.TrimSpace(part)))
	}
	return list
}

func parseIndex(text, part string) Index {
	number := func(s string) (n int, given bool) {
		if s = strings.TrimSpace(s); s == "" {
			return 0, false
		}
		n, err := strconv.Atoi(s)
		if err != nil {
			fail("Idx", "%q in %q is no number; parts look like 3, 1:5, ::-1, None or ...", s, text)
		}
		return n, true
	}
	switch part {
	case "...":
		return Rest
	case "None", "newaxis":
		return NewAxis
	}
	bounds := strings.Split(part, ":")
	switch {
	case len(bounds) == 1:
		n, given := number(part)
		if !given {
			fail("Idx", "there is nothing between two commas of %q", text)
		}
		return At(n)
	case len(bounds) > 3:
		fail("Idx", "%q in %q has too many colons", part, text)
	}
	var i Index
	i.start, i.hasStart = number(bounds[0])
	i.stop, i.hasTo = number(bounds[1])
	if len(bounds) == 3 {
		n, given := number(bounds[2])
		if given && n == 0 {
			fail("Idx", "the step in %q is 0", part)
		}
		i.by = n
	}
	return i
}

// span returns where a range begins on an axis of n elements, how many it selects, and its step.
func (i Index) span(n int) (first, count, step int) {
	step = i.by
	if step == 0 {
		step = 1
	}
	low, high := 0, n // the limits of start and stop
	start, stop := 0, n
	if step < 0 {
		low, high = -1, n-1
		start, stop = n-1, -1
	}
	bound := func(v int) int {
		if v < 0 {
			v += n
		}
		return min(max(v, low), high)
	}
	if i.hasStart {
		start = bound(i.start)
	}
	if i.hasTo {
		stop = bound(i.stop)
	}
	if step > 0 && stop > start {
		count = (stop-start-1)/step + 1
	} else if step < 0 && start > stop {
		count = (start-stop-1)/-step + 1
	}
	if count == 0 {
		start = 0
	}
	return start, count, step
}

// Slice returns a view of a part: it takes an Index for each axis, of which the last ones may be omitted.
//
//	a.Slice(nd.At(0), nd.R(2, 5))          // a[0, 2:5]
//	a.Slice(nd.Rest, nd.All.By(-1))        // a[..., ::-1]
//	a.Slice(nd.Idx("1:, None, ..., 0")...) // a[1:, None, ..., 0]
//
//go:noinline
func (a *Array[T]) Slice(index ...Index) *Array[T] { return (*Array[T])(sliceOf(ref(a), index)) }

func (a *node) slice(index []Index) *node {
	const op = "Slice"
	rank := a.check(op).lay.rank()
	spoken, rests, removed := 0, 0, 0
	for _, i := range index {
		switch i.kind {
		case indexAt:
			spoken++
			removed++
		case indexRange:
			spoken++
		case indexRest:
			rests++
		}
	}
	if spoken > rank {
		fail(op, "too many indices: the array has %d axes, but %d were indexed", rank, spoken)
	}
	if rests > 1 {
		fail(op, "Rest can stand for the axes that are not spoken of only once")
	}
	var room numbersOfAxes
	cut := slicing{from: a.lay}
	cut.shape, cut.strides = room.of(len(index) - rests + rank - spoken - removed)
	for _, i := range index {
		if i.kind == indexRest {
			cut.all(rank - spoken)
		} else {
			cut.index(op, i)
		}
	}
	if rests == 0 {
		cut.all(rank - spoken)
	}
	if a.shards == nil && !traced(a) {
		return a.viewAs(cut.shape, cut.strides, cut.off)
	}
	// The closure keeps a copy of the indices, so that the caller's list need not be allocated.
	each := withoutRest(index, rank-spoken)
	out := a.sliceParts(op, each)
	if out == nil {
		out = a.viewAs(cut.shape, cut.strides, cut.off)
	}
	return out.deriveChoice(a, func(n *node) *node { return n.slice(each) })
}

// slicing makes the layout of a slice.
type slicing struct {
	from           *layout
	shape, strides []int // of the slice
	off            int   // of the first element, from that of the array
	axis, at       int   // those of both that come next
}

// index takes the next index.
func (s *slicing) index(op string, i Index) {
	if i.kind == indexNew {
		s.add(1, 0)
		return
	}
	n, stride := s.from.shape[s.axis], s.from.strides[s.axis]
	if i.kind == indexRange {
		first, count, step := i.span(n)
		s.off += first * stride
		s.add(count, step*stride)
		s.axis++
		return
	}
	at := i.start
	if at < -n || at >= n {
		fail(op, "index %d is out of bounds for axis %d with size %d", at, s.axis, n)
	}
	if at < 0 {
		at += n
	}
	s.off += at * stride
	s.axis++
}

// all takes the whole of the next axes.
func (s *slicing) all(axes int) {
	for range axes {
		s.add(s.from.shape[s.axis], s.from.strides[s.axis])
		s.axis++
	}
}

// add adds an axis to the result.
func (s *slicing) add(length, stride int) {
	s.shape[s.at], s.strides[s.at] = length, stride
	s.at++
}

// withoutRest returns the indices with that many Alls in the place of Rest, which is at the end if it is not among them.
func withoutRest(index []Index, count int) []Index {
	at := slices.IndexFunc(index, func(x Index) bool { return x.kind == indexRest })
	if at < 0 {
		return slices.Concat(index, make([]Index, count))
	}
	return slices.Concat(index[:at], make([]Index, count), index[at+1:])
}

// At returns a view of the array at the given indices of its first axes; with one for each axis it has a single element, which Item
// returns.
//
//go:noinline
func (a *Array[T]) At(places ...int) *Array[T] { return (*Array[T])(atOf(ref(a), places)) }

func (a *node) at(places []int) *node {
	index := make([]Index, len(places))
	for i, p := range places {
		index[i] = At(p)
	}
	return a.slice(index)
}
