package arrays

import (
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/cores"
)

// routine is a kernel that is no expression: the numbers of pointers and words that it takes, and the function.
type routine struct {
	pointers, words int
	run             func(p []pointer, w []int64, blocks int)
}

// newRoutine returns the routine of that name and those types, or nil.
func newRoutine(k *expression.Kernel) *routine {
	number := func(i int) int {
		if i < len(k.Numbers) {
			return k.Numbers[i]
		}
		return 0
	}
	if len(k.Types) == 0 {
		return nil
	}
	t := k.Types[0]
	switch k.Name {
	case "take":
		switch {
		case len(k.Types) < 2:
			return nil
		case k.Types[1] == expression.Int32:
			return taking[int32](t)
		case k.Types[1] == expression.Uint32:
			return taking[uint32](t)
		}
		return taking[int64](t)
	case "put":
		return &routine{3, 3, bySizeOf(t.Size(), put[uint8], put[uint16], put[uint32], put[uint64], put[wide])}
	case "bincount", "count":
		return counter(k)
	case "extremes":
		extent := extentOf(t)
		if number(0) != 0 {
			return &routine{2, 3, func(p []pointer, w []int64, _ int) {
				extremesOf(p, int(w[0]), extent, stridedAt(p[1], w[1:], t.Size()))
			}}
		}
		return &routine{2, 1, func(p []pointer, w []int64, _ int) { extremesOf(p, int(w[0]), extent, strided{p[1], 0, 1, t.Size()}) }}
	case "compact":
		return compacting(k, t)
	case "outside":
		return &routine{2, 4 + 3*number(0), func(p []pointer, w []int64, _ int) { copyOutside(p, w, t.Size()) }}
	case "searchsorted":
		return searching(t)
	case "scan":
		return scanning(k, t)
	case "sort_count", "sort_before", "sort_move":
		return sorting(k, t)
	case "top_row":
		return topping(t)
	case "select_row":
		return selecting(t)
	}
	return nil
}

// runRoutine calls the routine with the arguments of a launch.
func (p *Program) runRoutine(args []byte, blocks int) error {
	r := p.routine
	if len(args)/8 < r.pointers+r.words {
		return errArguments
	}
	at := pointer(unsafe.SliceData(args))
	r.run(elements[pointer](at, r.pointers), elements[int64](unsafe.Add(at, 8*r.pointers), r.words), blocks)
	return nil
}

type routineFunc = func(p []pointer, w []int64, blocks int)

// bySizeOf returns the one of the functions that is for elements of that many bytes.
func bySizeOf(size int, f1, f2, f4, f8, f16 routineFunc) routineFunc {
	return map[int]routineFunc{1: f1, 2: f2, 4: f4, 8: f8, 16: f16}[size]
}

// spread calls f for parts of n items, on several threads if there are many.
func spread(n int, f func(from, to int)) { cores.Range(n, 1, f) }

// taking returns the routine take for indices of that type.
func taking[I int32 | uint32 | int64](t expression.Type) *routine {
	return &routine{3, 5, bySizeOf(t.Size(), take[uint8, I], take[uint16, I], take[uint32, I], take[uint64, I], take[wide, I])}
}

// take gathers elements along an axis: the words are the number of results, the elements of an index, the number of indices, the length of
// the axis, and whether there is an index for each element.
func take[T any, I int32 | uint32 | int64](p []pointer, w []int64, _ int) {
	n, inner, count, length := int(w[0]), int(w[1]), int(w[2]), int(w[3])
	out := elements[T](p[0], n)
	var v T
	size := int(unsafe.Sizeof(v))
	from := func(at, i int) *T { return (*T)(unsafe.Add(p[1], (at*inner+i)*size)) }
	if w[4] != 0 {
		index := elements[I](p[2], n)
		spread(n, func(start, end int) {
			for i := start; i < end; i++ {
				x, row := i%inner, i/inner
				out[i] = *from(row/count*length+place(index[i], length), x)
			}
		})
		return
	}
	index := elements[I](p[2], count)
	rows := n / max(inner, 1)
	if inner == 1 {
		cores.Range(rows, 0.8, func(start, end int) {
			for start < end {
				outer, i := start/count, start%count
				some := min(end-start, count-i)
				takeSome(out[start:][:some], elements[T](pointer(from(outer*length, 0)), length), index[i:][:some])
				start += some
			}
		})
		return
	}
	cores.Range(rows, 2+0.1*float64(inner), func(start, end int) {
		for row := start; row < end; row++ {
			at := row/count*length + place(index[row%count], length)
			copy(out[row*inner:][:inner], elements[T](pointer(from(at, 0)), inner))
		}
	})
}

// takeSome stores the elements at the indices.
func takeSome[T any, I int32 | uint32 | int64](out, in []T, index []I) {
	out = out[:len(index)]
	for k, i := range index {
		out[k] = in[place(i, len(in))]
	}
}

// place returns the place of an index along an axis of that length. It has no branch, since the signs of indices may be in any order.
func place[I int32 | uint32 | int64](index I, length int) int {
	at := int(index)
	return at + length&(at>>63)
}

// put stores values at indices: the words are the number of indices, the size of the array and the number of values.
func put[T any](p []pointer, w []int64, _ int) {
	out, values := elements[T](p[0], int(w[1])), elements[T](p[1], int(w[2]))
	for i, at := range elements[int64](p[2], int(w[0])) {
		if at < 0 {
			at += w[1]
		}
		out[at] = values[i%len(values)]
	}
}
