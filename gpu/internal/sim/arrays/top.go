package arrays

import (
	"math"
	"math/bits"
	"runtime"
	"slices"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/cores"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/simd"
)

const (
	topBlock  = 1 << 12 // elements that are compared with a limit at once, at most
	topLittle = 1 << 6  // and at least
	topPart   = 1 << 14 // elements that a thread takes at once, at least
	topFew    = 1 << 5  // candidates that are sorted by insertion

	topSampled = 1 << 12 // elements of the shortest row of which a sample is taken
	topEach    = 1 << 7  // elements of a row for each of a sample
	topLeast   = 1 << 8  // elements of the smallest sample
	topMost    = 1 << 14 // and of the largest one
	topSpread  = 4       // standard deviations of the number of a sample's elements above a given one
	topMore    = 5       // elements of a sample more, since the number has another distribution if it is small
)

// topping returns the routine that finds the largest elements of each row, in descending order and of equal ones the last first, and their
// places: the words are the elements of a row and how many of them are wanted.
func topping(t expression.Type) *routine {
	if t.Complex() {
		return nil
	}
	o := orderOf(t)
	f := map[int]routineFunc{1: topRows[uint8](o, nil), 2: topRows[uint16](o, nil), 4: topRows(o, above32(t)), 8: topRows(o, above64(t))}[t.Size()]
	return &routine{3, 2, f}
}

// aboveFunc stores a bit for each of n elements, a multiple of 64, which is 1 if the element's key may be larger than the limit.
type aboveFunc[K keys] func(out *uint64, from *K, limit K, n int)

// above32 returns the function for a type of 4 bytes, or nil if the processor has no instructions for it.
func above32(t expression.Type) aboveFunc[uint32] {
	const sign = uint32(1) << 31
	switch {
	case !simd.Has:
		return nil
	case t == expression.Float32:
		return func(out *uint64, from *uint32, limit uint32, n int) {
			limit = floatBelow(orderOf(t), limit)
			simd.Above32((*byte)(pointer(out)), (*float32)(pointer(from)), (*float32)(pointer(&limit)), n)
		}
	}
	flip := sign
	if orderOf(t).signed {
		flip = 0
	}
	return func(out *uint64, from *uint32, limit uint32, n int) {
		number, flip := int32(limit^sign), int32(flip)
		simd.AboveInt32((*byte)(pointer(out)), (*int32)(pointer(from)), &number, &flip, n)
	}
}

// above64 is above32 for a type of 8 bytes.
func above64(t expression.Type) aboveFunc[uint64] {
	const sign = uint64(1) << 63
	switch {
	case !simd.Has:
		return nil
	case t == expression.Float64:
		return func(out *uint64, from *uint64, limit uint64, n int) {
			limit = floatBelow(orderOf(t), limit)
			simd.Above64((*byte)(pointer(out)), (*float64)(pointer(from)), (*float64)(pointer(&limit)), n)
		}
	}
	flip := sign
	if orderOf(t).signed {
		flip = 0
	}
	return func(out *uint64, from *uint64, limit uint64, n int) {
		number, flip := int64(limit^sign), int64(flip)
		simd.AboveInt64((*byte)(pointer(out)), (*int64)(pointer(from)), &number, &flip, n)
	}
}

// floatBelow returns the bits of a float that is less than all floats, with equal zeros, whose keys are larger than the limit, and not less
// than another one. A limit need not be the key of a number: it may be between those of the largest number and of what is none, or of the
// two zeros.
func floatBelow[K keys](o order, limit K) K {
	sign := K(1) << (8*unsafe.Sizeof(limit) - 1)
	limit = min(limit, encode(o, K(o.infinity), true))
	if limit == ^sign { // the key that -0 would have
		limit--
	}
	return decode(o, limit)
}

func topRows[K keys](o order, above aboveFunc[K]) routineFunc {
	return func(p []pointer, w []int64, rows int) {
		n, k := int(w[0]), int(w[1])
		values, places, in := elements[K](p[0], rows*k), elements[int64](p[1], rows*k), elements[K](p[2], rows*n)
		t := topper[K]{ranking: rankingOf[K](o, true), above: above, k: k}
		one := func(f *topFinder[K], row int, spread bool) {
			of := in[row*n:][:n]
			f.find(of, spread)
			f.store(values[row*k:][:k], places[row*k:][:k], of)
		}
		if n >= selectSpread {
			f := &topFinder[K]{topper: &t}
			for row := range rows {
				one(f, row, true)
			}
			return
		}
		cores.Range(rows, 100+float64(n), func(from, to int) {
			f := &topFinder[K]{topper: &t}
			for row := from; row < to; row++ {
				one(f, row, false)
			}
		})
	}
}

// topper has what the finders of a launch have in common.
type topper[K keys] struct {
	ranking[K]
	above aboveFunc[K] // or nil
	k     int          // elements that are wanted of a row
}

// topFinder finds the largest elements of a row: first it collects candidates, among which they are, from the end of the row on. So places
// descend, and what is not before a limit by its key alone comes after all that is kept.
//
// Keys are inverted: the first in the order is the least.
type topFinder[K keys] struct {
	*topper[K]
	keys        []K
	places      []uint32
	scratch     []K
	otherPlaces []uint32
}

// find finds and sorts the largest elements of a row, or some more.
func (f *topFinder[K]) find(row []K, spread bool) {
	limit, limited := f.sample(row)
	for {
		if spread {
			f.spread(row, limit, limited)
		} else {
			f.reset()
			f.collect(row, 0, len(row), limit, limited)
		}
		if len(f.keys) >= f.k {
			break
		}
		limited = false // the sample has had too many large elements
	}
	if len(f.keys) > 4*f.k {
		f.cut()
	}
	f.sort()
}

func (f *topFinder[K]) reset() { f.keys, f.places = f.keys[:0], f.places[:0] }

// grow makes room for so many candidates more.
func (f *topFinder[K]) grow(n int) {
	f.keys, f.places = slices.Grow(f.keys, n), slices.Grow(f.places, n)
}

// sample returns a limit which a little more than the wanted elements of a row are before, as far as a sample can tell, or false. Its places
// are so irregular that it does not have a period in common with the row.
func (f *topFinder[K]) sample(row []K) (limit K, ok bool) {
	n := len(row)
	size := min(max(n/topEach, topLeast), topMost)
	share := float64(f.k) / float64(n) * float64(size)
	at := int(share + topSpread*math.Sqrt(share) + topMore)
	if n < topSampled || at >= size || f.k > n/2 {
		return 0, false
	}
	step, random := n/size, uint32(1)
	f.scratch = slices.Grow(f.scratch[:0], size)
	for i := range size {
		random = random*1664525 + 1013904223
		f.scratch = append(f.scratch, ^f.key(row[i*step+int(uint64(random)*uint64(step)>>32)]))
	}
	pick(f.scratch, 0, []want[K]{{at, &limit}}, 0)
	return limit + 1, limit != ^K(0)
}

// spread collects candidates of a row on several threads. Which ones there are depends on these, but not which are the largest of them.
func (f *topFinder[K]) spread(row []K, limit K, limited bool) {
	threads := runtime.GOMAXPROCS(0)
	part := max((len(row)+threads-1)/threads, topPart)
	if limited { // else each part has as many candidates as are wanted
		part = max(len(row)/(4*threads), topPart)
	}
	part = (part + 63) &^ 63
	found := make([]*topFinder[K], (len(row)+part-1)/part)
	room := min(part, 2*f.k+2*topLittle)
	if limited {
		room = min(part, 3*f.k/len(found)+topLittle)
	}
	each := 0.15
	if f.above == nil {
		each = 1
	}
	cores.Blocks(len(found), each*float64(part), func(next func() (from, to int)) {
		for from, to := next(); from < to; from, to = next() {
			for i := from; i < to; i++ {
				found[i] = &topFinder[K]{topper: f.topper}
				found[i].grow(room)
				found[i].collect(row, i*part, min((i+1)*part, len(row)), limit, limited)
			}
		}
	})
	f.reset()
	all := 0
	for _, part := range found {
		all += len(part.keys)
	}
	f.grow(all)
	for i := len(found) - 1; i >= 0; i-- {
		f.keys, f.places = append(f.keys, found[i].keys...), append(f.places, found[i].places...)
	}
}

// collect appends the candidates among the elements of a row between two places: those before the limit, if there is one, that are not known
// to come after as many others as are wanted.
func (f *topFinder[K]) collect(row []K, from, to int, limit K, limited bool) {
	most, block, end := 2*f.k+topLittle, topBlock, to
	for to > from {
		begin := max(from, to-block)
		switch {
		case !limited:
			begin = max(from, to-most)
			f.add(row, begin, to)
		case limit == 0: // nothing is before it
			return
		default:
			f.addBefore(row, begin, to, limit)
		}
		if to = begin; len(f.keys) >= most {
			limit, limited = f.cut(), true
		}
		block = min(max(end-to, topLittle), topBlock) // as many as before, of which few are before the limit
	}
}

// add appends all elements between two places.
func (f *topFinder[K]) add(row []K, from, to int) {
	for i := to - 1; i >= from; i-- {
		f.keys = append(f.keys, ^f.key(row[i]))
		f.places = append(f.places, uint32(i))
	}
}

// addBefore appends the elements between two places that are before a limit.
func (f *topFinder[K]) addBefore(row []K, from, to int, limit K) {
	whole := 0
	if f.above != nil {
		whole = (to - from) &^ 63
	}
	for i := to - 1; i >= from+whole; i-- {
		f.addIf(row, i, limit)
	}
	if whole == 0 {
		return
	}
	var flags [topBlock / 64]uint64
	f.above(&flags[0], &row[from], ^limit, whole)
	for w := whole/64 - 1; w >= 0; w-- {
		for flag := flags[w]; flag != 0; {
			k := bits.Len64(flag) - 1
			flag ^= 1 << k
			f.addIf(row, from+64*w+k, limit)
		}
	}
}

func (f *topFinder[K]) addIf(row []K, i int, limit K) {
	if key := ^f.key(row[i]); key < limit {
		f.keys = append(f.keys, key)
		f.places = append(f.places, uint32(i))
	}
}

// cut removes the candidates that cannot be among the wanted ones, of which there are at least as many, and returns the key of the last one.
func (f *topFinder[K]) cut() (limit K) {
	f.scratch = append(f.scratch[:0], f.keys...)
	pick(f.scratch, 0, []want[K]{{f.k - 1, &limit}}, 0)
	less := func(key K) int { // without a branch, which would be hard to predict
		_, borrow := bits.Sub64(uint64(key), uint64(limit), 0)
		return int(borrow)
	}
	equal := f.k
	for _, key := range f.keys {
		equal -= less(key)
	}
	n := 0
	for i, key := range f.keys {
		f.keys[n], f.places[n] = key, f.places[i]
		more := less(key)
		if key == limit && equal > 0 {
			more = 1
			equal--
		}
		n += more
	}
	f.keys, f.places = f.keys[:n], f.places[:n]
	return limit
}

// sort sorts the candidates by their keys and leaves those with equal ones in their order.
func (f *topFinder[K]) sort() {
	if len(f.keys) <= topFew {
		for i, key := range f.keys {
			place, at := f.places[i], i
			for ; at > 0 && f.keys[at-1] > key; at-- {
				f.keys[at], f.places[at] = f.keys[at-1], f.places[at-1]
			}
			f.keys[at], f.places[at] = key, place
		}
		return
	}
	n, digits := len(f.keys), int(unsafe.Sizeof(K(0)))
	var next [8][256]uint32
	for _, key := range f.keys {
		for d := range digits {
			next[d][uint8(uint64(key)>>(8*d))]++
		}
	}
	f.scratch, f.otherPlaces = slices.Grow(f.scratch[:0], n)[:n], slices.Grow(f.otherPlaces[:0], n)[:n]
	for d := range digits {
		counts := &next[d]
		if counts[uint8(uint64(f.keys[0])>>(8*d))] == uint32(n) {
			continue // all have the same digit
		}
		sortBefore([]pointer{pointer(counts)}, nil, 1)
		moveByDigit(f.scratch, f.keys, f.otherPlaces, f.places, counts, 8*d)
		f.keys, f.scratch, f.places, f.otherPlaces = f.scratch, f.keys, f.otherPlaces, f.places
	}
}

// moveByDigit moves keys and places to where the keys' digit belongs.
func moveByDigit[K keys](toKeys, keys []K, toPlaces, places []uint32, next *[256]uint32, shift int) {
	places, toPlaces = places[:len(keys)], toPlaces[:len(toKeys)]
	for i, key := range keys {
		d := uint8(uint64(key) >> shift)
		at := next[d]
		next[d]++
		toKeys[at], toPlaces[at] = key, places[i]
	}
}

// store stores the wanted elements and their places.
func (f *topFinder[K]) store(values []K, places []int64, row []K) {
	for i, place := range f.places[:len(values)] {
		values[i], places[i] = row[place], int64(place)
	}
}
