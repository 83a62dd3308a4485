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
	case "compact_count":
		return &routine{2, 1, func(p []pointer, w []int64, _ int) { compactCount(p, int(w[0]), number(0)) }}
	case "compact_move":
		if number(1) == 0 {
			return &routine{4, 1, func(p []pointer, w []int64, _ int) { compactIndices(p, int(w[0]), number(0)) }}
		}
		c := compacting(number(0))
		return &routine{4, 1, bySizeOf(t.Size(), compactMove[uint8](c), compactMove[uint16](c), compactMove[uint32](c), compactMove[uint64](c), compactMove[wide](c))}
	case "outside":
		return &routine{2, 4 + 3*number(0), func(p []pointer, w []int64, _ int) { copyOutside(p, w, t.Size()) }}
	case "searchsorted":
		return searching(t)
	case "scan":
		return scanning(k, t)
	case "sort_count", "sort_before", "sort_move":
		return sorting(k, t)
	case "select_count", "select_pick":
		return selecting(k, t)
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

// compactCount stores how many elements of each tile are true.
func compactCount(p []pointer, n, tile int) {
	mask := elements[uint8](p[1], n)
	counts := elements[int64](p[0], (n+tile-1)/tile)
	compacting(tile).each(n, func(t int, from, to int) {
		counts[t] = ones(mask[from:to])
	})
}

// ones returns the number of bytes that are 1, of bytes that are 0 or 1.
func ones(mask []uint8) (count int64) {
	for len(mask) >= 8 {
		// Sums of up to 255 words do not overflow their bytes.
		words := elements[uint64](pointer(&mask[0]), min(len(mask)/8, 255))
		sum := uint64(0)
		for _, w := range words {
			sum += w
		}
		count += int64((sum&0x00ff00ff00ff00ff + sum>>8&0x00ff00ff00ff00ff) * 0x0001000100010001 >> 48)
		mask = mask[8*len(words):]
	}
	for _, m := range mask {
		count += int64(m)
	}
	return count
}

// compacting is the number of elements of a tile.
type compacting int

// each calls f for each tile.
func (c compacting) each(n int, f func(tile, from, to int)) {
	cores.Blocks((n+int(c)-1)/int(c), float64(c), func(blocks func() (from, to int)) {
		for from, to := blocks(); from < to; from, to = blocks() {
			for t := from; t < to; t++ {
				f(t, t*int(c), min(n, (t+1)*int(c)))
			}
		}
	})
}

// start returns where the results of a tile begin: where those of the one before end.
func start(ends pointer, tile int) int {
	if tile == 0 {
		return 0
	}
	return int(*(*int64)(unsafe.Add(ends, 8*(tile-1))))
}

// compactMove returns the routine that copies the elements where the mask is true.
func compactMove[T any](c compacting) routineFunc {
	return func(p []pointer, w []int64, _ int) {
		n := int(w[0])
		mask, in := elements[uint8](p[1], n), elements[T](p[3], n)
		ends := elements[int64](p[2], (n+int(c)-1)/int(c))
		c.each(n, func(t, from, to int) {
			out := elements[T](p[0], int(ends[len(ends)-1]))[start(p[2], t):ends[t]]
			if len(out) == 0 {
				return
			}
			k, last := 0, len(out)-1
			for i, m := range mask[from:to] {
				// Stored in any case, so that nothing depends on a branch that is hard to predict; what is not wanted is overwritten.
				out[min(k, last)] = in[from+i]
				k += int(m)
				if k > last {
					break
				}
			}
		})
	}
}

// compactIndices stores the indices of the true elements.
func compactIndices(p []pointer, n, tile int) {
	mask := elements[uint8](p[1], n)
	ends := elements[int64](p[2], (n+tile-1)/tile)
	compacting(tile).each(n, func(t, from, to int) {
		out := elements[int64](p[0], int(ends[len(ends)-1]))[start(p[2], t):ends[t]]
		k := 0
		for i, m := range mask[from:to] {
			if k == len(out) {
				return
			}
			out[k] = int64(from + i)
			k += int(m)
		}
	})
}
