package arrays

import (
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/cores"
)

// copyOutside copies the elements that are not in a box, row by row. The words are the number of elements, the length of a row and where the
// box begins and ends in it, and the same three numbers for each other axis, from the last one on.
func copyOutside(p []pointer, w []int64, size int) {
	total, length, low, high := int(w[0]), int(w[1]), int(w[2]), int(w[3])
	outer := w[4:]
	part := func(begin, end int) {
		copy(elements[byte](unsafe.Add(p[0], begin*size), (end-begin)*size), elements[byte](unsafe.Add(p[1], begin*size), (end-begin)*size))
	}
	cores.Range((total+length-1)/length, 5+0.02*float64(length), func(from, to int) {
		for row := from; row < to; row++ {
			begin, end := row*length, min(total, (row+1)*length)
			if !within(int64(row), outer) {
				part(begin, end)
				continue
			}
			part(begin, min(begin+low, end))
			part(min(begin+high, end), end)
		}
	})
}

// within reports whether a row is in the box, by the lengths of the other axes and the box's begin and end along each.
func within(row int64, axes []int64) bool {
	for ; len(axes) > 0; axes = axes[3:] {
		at := row
		if len(axes) > 3 { // the first axis may be longer than its elements are
			at %= axes[0]
		}
		if at < axes[1] || at >= axes[2] {
			return false
		}
		row /= axes[0]
	}
	return true
}
