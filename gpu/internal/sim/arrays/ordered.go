package arrays

import (
	"sort"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
)

// typed is a routine for each type that is held as such.
type typed [expression.Types]routineFunc

func (t *typed) routine(of expression.Type, pointers, words int) *routine {
	if f := t[of]; f != nil {
		return &routine{pointers, words, f}
	}
	return nil
}

// searches find where values belong among sorted ones: the words are the number of values, that of the sorted ones, and whether the index
// after equal ones is wanted.
var searches = typed{
	expression.Int8: search[int8], expression.Int16: search[int16], expression.Int32: search[int32], expression.Int64: search[int64],
	expression.Uint8: search[uint8], expression.Uint16: search[uint16], expression.Uint32: search[uint32], expression.Uint64: search[uint64],
	expression.Float32: search[float32], expression.Float64: search[float64],
}

func searching(t expression.Type) *routine { return searches.routine(t, 3, 3) }

func search[T number](p []pointer, w []int64, _ int) {
	n := int(w[0])
	out, sorted, values := elements[int64](p[0], n), elements[T](p[1], int(w[1])), elements[T](p[2], n)
	before := func(a, b T) bool { return a < b || b != b && a == a }
	spread(n, func(from, to int) {
		for i := from; i < to; i++ {
			x := values[i]
			if w[2] != 0 {
				out[i] = int64(sort.Search(len(sorted), func(k int) bool { return before(x, sorted[k]) }))
			} else {
				out[i] = int64(sort.Search(len(sorted), func(k int) bool { return !before(sorted[k], x) }))
			}
		}
	})
}

// The modes of a pass of sorting, as in package nd.
const (
	sortFirst = 1 << iota // keys are read as numbers, and payloads are made
	sortLast              // keys are written as numbers
	sortTies              // the two zeros are the same
)

// sorting returns a routine of the sort by digits of 8 bits. The numbers are whether keys have payloads, and whether the payload is sorted
// by. A second type is that of values which are the payload.
func sorting(k *expression.Kernel, t expression.Type) *routine {
	if k.Name == "sort_before" {
		return &routine{1, 4, sortBefore}
	}
	if t.Complex() {
		return nil
	}
	o := orderOf(t)
	if len(k.Types) == 2 {
		return sortValues(o, t.Size(), k.Types[1].Size())
	}
	move := len(k.Numbers) == 2
	switch t.Size() {
	case 1:
		return sortRoutine[uint8](o, k, move)
	case 2:
		return sortRoutine[uint16](o, k, move)
	case 4:
		return sortRoutine[uint32](o, k, move)
	}
	return sortRoutine[uint64](o, k, move)
}

// order is how keys, which are unsigned, are made of numbers in the same order.
type order struct {
	signed   bool
	infinity uint64 // the bits of that of a float, else 0
}

// orderOf returns the order of the numbers of a type.
func orderOf(t expression.Type) order {
	switch {
	case t == expression.Float16:
		return order{infinity: 0x7c00}
	case t == expression.BFloat16:
		return order{infinity: 0x7f80}
	case t == expression.Float32:
		return order{infinity: 0x7f800000}
	case t == expression.Float64:
		return order{infinity: 0x7ff0000000000000}
	}
	return order{signed: t >= expression.Int8 && t <= expression.Int64}
}

// keys are the types of keys.
type keys interface {
	uint8 | uint16 | uint32 | uint64
}

func encode[K keys](o order, k K, ties bool) K {
	sign := K(1) << (8*unsafe.Sizeof(k) - 1)
	switch {
	case o.signed:
		return k ^ sign
	case o.infinity == 0:
		return k
	case k&^sign > K(o.infinity): // no number
		return ^K(0)
	case ties && k == sign:
		return sign
	case k&sign != 0:
		return ^k
	}
	return k | sign
}

func decode[K keys](o order, k K) K {
	sign := K(1) << (8*unsafe.Sizeof(k) - 1)
	switch {
	case o.signed:
		return k ^ sign
	case o.infinity == 0:
		return k
	case k&sign != 0:
		return k ^ sign
	}
	return ^k
}

func sortRoutine[K keys](o order, k *expression.Kernel, move bool) *routine {
	switch {
	case !move:
		return &routine{2, 4, func(p []pointer, w []int64, _ int) { sortCount[K](o, p, w) }}
	case k.Numbers[1] != 0:
		return &routine{6, 4, func(p []pointer, w []int64, _ int) { sortMoveRows[K](o, p, w) }}
	}
	payload := k.Numbers[0] != 0
	return &routine{6, 4, func(p []pointer, w []int64, _ int) { sortMove[K](o, p, w, payload) }}
}

// sortCount counts the digits of all keys, and those of the numbers of their rows.
func sortCount[K keys](o order, p []pointer, w []int64) {
	n, row, rowDigits, mode := int(w[0]), int(w[1]), int(w[2]), w[3]
	digits := int(unsafe.Sizeof(K(0)))
	counts := elements[[256]uint32](p[0], digits+rowDigits)
	for _, key := range elements[K](p[1], n) {
		u := uint64(encode(o, key, mode&sortTies != 0))
		for d := range digits {
			counts[d][uint8(u>>(8*d))]++
		}
	}
	for d := range rowDigits {
		for r := range n / row {
			counts[digits+d][uint8(r>>(8*d))] += uint32(row)
		}
	}
}

// sortBefore turns the counts of each pass into the number of keys before each digit.
func sortBefore(p []pointer, _ []int64, blocks int) {
	for b := range blocks {
		counts := &elements[[256]uint32](p[0], blocks)[b]
		before := uint32(0)
		for d, c := range counts {
			counts[d] = before
			before += c
		}
	}
}

// sortMove moves keys, with their payloads, to their positions by a digit.
func sortMove[K keys](o order, p []pointer, w []int64, payload bool) {
	n, shift, mode := int(w[0]), uint(w[2]), w[3]
	from, to := elements[K](p[0], n), elements[K](p[3], n)
	next := *(*[256]uint32)(p[2])
	var indices, moved []uint32
	if payload {
		indices, moved = elements[uint32](p[1], n), elements[uint32](p[4], n)
	}
	ties := mode&sortTies != 0
	for i, k := range from {
		if mode&sortFirst != 0 {
			k = encode(o, k, ties)
		}
		d := uint8(uint64(k) >> shift)
		at := next[d]
		next[d]++
		if mode&sortLast != 0 {
			k = decode(o, k)
		}
		to[at] = k
		switch {
		case !payload:
		case mode&sortFirst != 0:
			moved[at] = uint32(i)
		default:
			moved[at] = indices[i]
		}
	}
}

// sortMoveRows moves indices by a digit of their row, and keys with them.
func sortMoveRows[K keys](o order, p []pointer, w []int64) {
	n, row, shift, mode := int(w[0]), uint32(w[1]), uint(w[2]), w[3]
	from, to := elements[uint32](p[0], n), elements[uint32](p[3], n)
	keysOf, moved := elements[K](p[1], n), elements[K](p[4], n)
	next := *(*[256]uint32)(p[2])
	for i, index := range from {
		d := uint8(index / row >> shift)
		at := next[d]
		next[d]++
		k := keysOf[i]
		if mode&sortLast != 0 {
			k = decode(o, k)
		}
		to[at], moved[at] = index, k
	}
}

// sortValues returns the routine that moves values with keys, for those sizes of either.
func sortValues(o order, key, value int) *routine {
	with := map[int]func(o order, size int) routineFunc{
		1: movingValues[uint8], 2: movingValues[uint16], 4: movingValues[uint32], 8: movingValues[uint64],
	}[key]
	return &routine{6, 4, with(o, value)}
}

func movingValues[K keys](o order, size int) routineFunc {
	return bySizeOf(size, sortMoveValues[K, uint8](o), sortMoveValues[K, uint16](o), sortMoveValues[K, uint32](o), sortMoveValues[K, uint64](o), nil)
}

// sortMoveValues returns the routine that moves keys, and values with them, to their positions by a digit. The last keys are not written.
func sortMoveValues[K, V keys](o order) routineFunc {
	return func(p []pointer, w []int64, _ int) {
		n, shift, mode := int(w[0]), uint(w[2]), w[3]
		from, values, moved := elements[K](p[0], n), elements[V](p[1], n), elements[V](p[4], n)
		next := *(*[256]uint32)(p[2])
		first, last, ties := mode&sortFirst != 0, mode&sortLast != 0, mode&sortTies != 0
		if !first && last {
			for i, k := range from {
				d := uint8(uint64(k) >> shift)
				moved[next[d]] = values[i]
				next[d]++
			}
			return
		}
		var to []K
		if !last {
			to = elements[K](p[3], n)
		}
		for i, k := range from {
			if first {
				k = encode(o, k, ties)
			}
			d := uint8(uint64(k) >> shift)
			at := next[d]
			next[d]++
			moved[at] = values[i]
			if !last {
				to[at] = k
			}
		}
	}
}
