package arrays

import (
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/cores"
)

// copyOutside copies the elements that are not in a box: those before each of its rows, from the end of the row before, and those behind the
// last one. The words are the number of elements, the length of a row of the array and where the box begins and ends in it, and the same three
// numbers for each other axis, from the last one on.
func copyOutside(p []pointer, w []int64, size int) {
	total, low, length := int(w[0]), int(w[2]), int(w[3]-w[2])
	axes := boxAxes(w[1:])
	rows := 1
	for _, a := range axes {
		rows *= a.count
	}
	part := func(begin, end int) {
		if begin == end {
			return // there may be no address behind the last element
		}
		copy(elements[byte](unsafe.Add(p[0], begin*size), (end-begin)*size), elements[byte](unsafe.Add(p[1], begin*size), (end-begin)*size))
	}
	outside := float64(total-rows*length) * float64(size)
	cores.Range(rows, 6+0.05*outside/float64(max(rows, 1)), func(from, to int) {
		before := 0
		if from > 0 {
			before = rowOf(axes, from-1) + low + length
		}
		at := rowOf(axes, from) + low
		for row := from; row < to; row++ {
			part(before, at)
			before = at + length
			at += axes.step(row)
		}
		if to == rows {
			part(before, total)
		}
	})
}

// boxAxis is an axis of a box but for the last: the rows that it has along it, the first one, and the elements from one to the next.
type boxAxis struct{ count, first, stride int }

type boxRows []boxAxis

// boxAxes reads the axes, from the last but one to the first. The first three words are those of the last one.
func boxAxes(w []int64) boxRows {
	var axes boxRows
	stride := int(w[0])
	for w = w[3:]; len(w) > 0; w = w[3:] {
		axes = append(axes, boxAxis{int(w[2] - w[1]), int(w[1]), stride})
		stride *= int(w[0])
	}
	return axes
}

// rowOf returns where the array's row begins that the box's row of that number is in.
func rowOf(axes boxRows, row int) (at int) {
	for _, a := range axes {
		at += (a.first + row%a.count) * a.stride
		row /= a.count
	}
	return at
}

// step returns how many elements it is from a row to the next one.
func (axes boxRows) step(row int) (by int) {
	for _, a := range axes {
		by += a.stride
		if row++; row%a.count != 0 {
			break
		}
		by -= a.count * a.stride
		row = row/a.count - 1
	}
	return by
}
