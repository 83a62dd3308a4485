package arrays

import (
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/cores"
)

// compactTile is the number of elements that a thread compacts at once.
const compactTile = 4096

// compacting returns the routine that stores the elements, or the indices, where a mask is true. The numbers are how many operands there are,
// and whether the last one has elements.
func compacting(k *expression.Kernel, t expression.Type) *routine {
	if len(k.Numbers) != 2 || k.Numbers[0] < 1 || k.Numbers[0] > 2 {
		return nil
	}
	operands := k.Numbers[0]
	move := compactIndices
	if k.Numbers[1] != 0 {
		move = compactMoveOf(t.Size())
	}
	size := t.Size()
	return &routine{2 + operands, 4 + 2*operands, func(p []pointer, w []int64, _ int) {
		n, last := int(w[0]), operands-1
		values := unsafe.Add(p[2+last], int(w[2+last])*size)
		mask := elements[uint8](unsafe.Add(p[2], int(w[2])), n)
		total := &elements[int64](p[1], 2)[1]
		ends := compactEnds(mask)
		if *total = int64(ends[len(ends)-1]); *total > w[3+2*operands] {
			return
		}
		eachTile(n, func(tile, from, to int) {
			start := 0
			if tile > 0 {
				start = ends[tile-1]
			}
			if start < ends[tile] {
				move(p[0], values, mask, from, to, start, ends[tile])
			}
		})
	}}
}

// compactEnds returns how many elements are true up to the end of each tile.
func compactEnds(mask []uint8) []int {
	ends := make([]int, max((len(mask)+compactTile-1)/compactTile, 1))
	eachTile(len(mask), func(tile, from, to int) { ends[tile] = int(ones(mask[from:to])) })
	sum := 0
	for i, n := range ends {
		sum += n
		ends[i] = sum
	}
	return ends
}

// eachTile calls f for each tile of n elements.
func eachTile(n int, f func(tile, from, to int)) {
	cores.Blocks((n+compactTile-1)/compactTile, compactTile, func(blocks func() (from, to int)) {
		for from, to := blocks(); from < to; from, to = blocks() {
			for t := from; t < to; t++ {
				f(t, t*compactTile, min(n, (t+1)*compactTile))
			}
		}
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

// compactMove stores the elements of a tile, from one to another, where the mask is true: results start to end.
func compactMove[T any](results, values pointer, mask []uint8, from, to, start, end int) {
	out, in := elements[T](results, end)[start:], elements[T](values, to)
	k, last := 0, len(out)-1
	for i, m := range mask[from:to] {
		// Stored in any case, so that nothing depends on a branch that is hard to predict; what is not wanted is overwritten.
		out[min(k, last)] = in[from+i]
		k += int(m)
		if k > last {
			break
		}
	}
}

// compactIndices is compactMove for the indices.
func compactIndices(results, _ pointer, mask []uint8, from, to, start, end int) {
	out := elements[int64](results, end)[start:]
	k := 0
	for i, m := range mask[from:to] {
		if k == len(out) {
			return
		}
		out[k] = int64(from + i)
		k += int(m)
	}
}

type moveFunc = func(results, values pointer, mask []uint8, from, to, start, end int)

// compactMoveOf returns compactMove for elements of that many bytes.
func compactMoveOf(size int) moveFunc {
	return map[int]moveFunc{1: compactMove[uint8], 2: compactMove[uint16], 4: compactMove[uint32], 8: compactMove[uint64], 16: compactMove[wide]}[size]
}
