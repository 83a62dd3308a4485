package gokernel

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// squares is a table, which kernels can read.
var squares = []int32{0, 1, 4, 9, 16}

// weights has rows.
var weights = [2][3]float64{{1, 2, 3}, {10, 20, 30}}

// Functions of other packages, each with its own element of x.
//
//gpu:kernel
func imported(x []float64, list []int32, n int) {
	if gpu.GlobalID() != 0 {
		return
	}
	part := list[:n]
	x[0] = float64(slices.Max(part))
	x[1] = float64(slices.Index(part, 7))
	if slices.Contains(part, 9) {
		x[2] = 1
	}
	slices.Reverse(part)
	x[3] = float64(part[0])
	at, found := slices.BinarySearch(list[n:], 60)
	x[4] = float64(at)
	if found {
		x[4] += 1000
	}
	x[5] = float64(cmp.Compare(n, 3))
	x[6] = math.J0(1.5)
	fraction, exponent := math.Frexp(100)
	x[7] = fraction*1000 + float64(exponent)
	x[8] = math.Ldexp(1.25, n)
	high, low := bits.Mul64(1<<63+5, 6)
	x[9] = float64(high)*1e6 + float64(low)
	x[10] = float64(bits.Len8(200))
	x[11] = float64(squares[n%5]) + weights[n%2][n%3] + float64(len(squares))
	x[12] = math.Dim(7, 3) + math.Pow10(n)
	x[13] = float64(sort.Search(n, func(i int) bool { return part[i] < 5 }))
}
