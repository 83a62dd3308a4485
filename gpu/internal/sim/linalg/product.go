package linalg

import (
	"sync"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/cores"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/simd"
)

// The sizes of the parts that a product of matrices is divided into. Rows of the tile that the innermost loop computes are columns of the
// result, which is in column-major order.
const (
	tileRows  = 6
	tileBytes = 64      // of a row
	depth     = 256     // of packed factors, so that a strip of each is in the first cache
	taskRows  = 16 * 6  // columns of the result that a goroutine takes at a time
	taskBytes = 1 << 11 // bytes of each
	leastWork = 1 << 15 // products of numbers for which packing and goroutines are worth their time
)

// multiplier multiplies matrices of one type with vector instructions.
type multiplier[T float32 | float64] struct {
	tile    func(c, a, b *T, stride, n int)
	dotRows func(out, a, x *T, stride, rows, n int)
	// addRows are for 8 vectors and for one.
	addRowsWide, addRows func(out, a, x *T, stride, n int)
}

var (
	multiplier32 = multiplier[float32]{simd.Tile32, simd.DotRows32, simd.AddRowsWide32, simd.AddRows32}
	multiplier64 = multiplier[float64]{simd.Tile64, simd.DotRows64, simd.AddRowsWide64, simd.AddRows64}
)

// matrix is a factor: element (row, column) is at row·down + column·right.
type matrix[T any] struct {
	at          []T
	down, right int
}

func factor[T any](at []T, op routine.Op, lead int) matrix[T] {
	if op == routine.AsIs {
		return matrix[T]{at, 1, lead}
	}
	return matrix[T]{at, lead, 1}
}

// multiply computes the products of c, and reports whether it has: gonum is as quick for small ones.
func (m *multiplier[T]) multiply(c *routine.Gemm, parts [][]byte, alpha, beta T) bool {
	if !simd.Has || c.M == 0 || c.N == 0 || c.K == 0 || c.M*c.N*c.K < leastWork/8 {
		return false
	}
	for i := range c.Count {
		a := factor(view[T](parts[0], i*c.A.Step), c.TransA, c.A.Lead)
		b := factor(view[T](parts[1], i*c.B.Step), c.TransB, c.B.Lead)
		out := view[T](parts[2], i*c.C.Step)
		if beta != 1 {
			scale(out, c.M, c.N, c.C.Lead, beta)
		}
		switch {
		case c.N == 1 && c.M == 1 && a.right == 1 && b.down == 1 && c.K < 2*leastWork:
			var sum [1]T
			m.dots(sum[:], a.at, 0, b.at[:c.K])
			out[0] += alpha * sum[0]
		case c.N == 1:
			m.vector(out, 1, c.M, c.K, a.down, a.right, a.at, b.at, b.down, alpha)
		case c.M == 1:
			m.vector(out, c.C.Lead, c.N, c.K, b.right, b.down, b.at, a.at, a.right, alpha)
		default:
			m.matrices(out, c.C.Lead, c.M, c.N, c.K, a, b, alpha)
		}
	}
	return true
}

// vector adds to n elements of out, step apart, the product of a matrix, whose element (i, k) is at i·down + k·right, and a vector of count
// elements that are apart elements apart.
func (m *multiplier[T]) vector(out []T, step, n, count, down, right int, a, x []T, apart int, alpha T) {
	factors := make([]T, count)
	for k := range factors {
		factors[k] = alpha * x[k*apart]
	}
	var adding sync.Mutex
	store := func(from int, sums []T) {
		adding.Lock()
		defer adding.Unlock()
		for i, v := range sums {
			out[(from+i)*step] += v
		}
	}
	if right == 1 {
		cores.Range(n, 0.1*float64(count), func(from, to int) {
			sums := make([]T, to-from)
			m.dots(sums, a[from*down:], down, factors)
			store(from, sums)
		})
		return
	}
	cores.Range(count, 0.1*float64(n), func(from, to int) {
		sums := make([]T, n)
		if down == 1 {
			m.sum(sums, a[from*right:], right, factors[from:to])
		} else {
			for k := from; k < to; k++ {
				for i := range sums {
					sums[i] += factors[k] * a[k*right+i*down]
				}
			}
		}
		store(0, sums)
	})
}

// dots stores the products of rows, which are stride elements apart, and x.
func (m *multiplier[T]) dots(out, a []T, stride int, x []T) {
	lanes := tileBytes / 2 / int(unsafe.Sizeof(x[0]))
	n := len(x) / lanes * lanes
	if n > 0 {
		m.dotRows(&out[0], &a[0], &x[0], stride*int(unsafe.Sizeof(x[0])), len(out), n)
	}
	if n == len(x) {
		return
	}
	for r := range out {
		for k := n; k < len(x); k++ {
			out[r] += a[r*stride+k] * x[k]
		}
	}
}

// sum adds multiples of rows, which are stride elements apart, to out.
func (m *multiplier[T]) sum(out, a []T, stride int, factors []T) {
	size := int(unsafe.Sizeof(factors[0]))
	lanes := tileBytes / 2 / size
	i := 0
	for ; i+8*lanes <= len(out); i += 8 * lanes {
		m.addRowsWide(&out[i], &a[i], &factors[0], stride*size, len(factors))
	}
	for ; i+lanes <= len(out); i += lanes {
		m.addRows(&out[i], &a[i], &factors[0], stride*size, len(factors))
	}
	for ; i < len(out); i++ {
		for k, f := range factors {
			out[i] += f * a[k*stride+i]
		}
	}
}

// matrices adds alpha·a·b to out, which has m rows and n columns that are lead elements apart.
func (m *multiplier[T]) matrices(out []T, lead, rows, columns, count int, a, b matrix[T], alpha T) {
	width := tileBytes / int(unsafe.Sizeof(alpha))
	high, wide := roundUp(rows, width), roundUp(columns, tileRows)
	packedA, packedB := make([]T, high*depth), make([]T, wide*depth)
	taskWidth := taskBytes / int(unsafe.Sizeof(alpha))
	across, down := (rows+taskWidth-1)/taskWidth, (columns+taskRows-1)/taskRows
	for from := 0; from < count; from += depth {
		n := min(depth, count-from)
		cores.Range(high/width, float64(n*width), func(s, end int) {
			for ; s < end; s++ {
				pack(packedA[s*width*n:][:width*n], a, s*width, rows, from, n, width, 1)
			}
		})
		turned := matrix[T]{b.at, b.right, b.down}
		cores.Range(wide/tileRows, float64(n*tileRows), func(s, end int) {
			for ; s < end; s++ {
				pack(packedB[s*tileRows*n:][:tileRows*n], turned, s*tileRows, columns, from, n, tileRows, alpha)
			}
		})
		cores.Range(across*down, 0.02*float64(n)*float64(min(rows, taskWidth)*min(columns, taskRows)), func(task, end int) {
			for ; task < end; task++ {
				r, c := task%across*taskWidth, task/across*taskRows
				m.part(out, lead, rows, columns, r, min(rows, r+taskWidth), c, min(columns, c+taskRows), n, packedA, packedB, width)
			}
		})
	}
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// pack copies n columns of a strip of rows, which begins at that row and of whose rows there are fewer at the end of the matrix.
func pack[T float32 | float64](to []T, a matrix[T], row, rows, column, n, width int, factor T) {
	some := min(width, rows-row)
	for k := range n {
		from := a.at[row*a.down+(column+k)*a.right:]
		line := to[k*width:][:width]
		for i := range some {
			line[i] = factor * from[i*a.down]
		}
		clear(line[some:])
	}
}

// part adds the product of the packed factors to some rows and columns of the result.
func (m *multiplier[T]) part(out []T, lead, rows, columns, row, rowEnd, column, columnEnd, n int, a, b []T, width int) {
	var edge [tileRows * tileBytes / 4]T
	size := int(unsafe.Sizeof(edge[0]))
	for c := column; c < columnEnd; c += tileRows {
		strip := b[c*n:]
		for r := row; r < rowEnd; r += width {
			if c+tileRows <= columns && r+width <= rows {
				m.tile(&out[c*lead+r], &strip[0], &a[r*n], lead*size, n)
				continue
			}
			clear(edge[:])
			m.tile(&edge[0], &strip[0], &a[r*n], tileBytes, n)
			for i := range min(tileRows, columns-c) {
				to := out[(c+i)*lead+r:]
				for k, v := range edge[i*width:][:min(width, rows-r)] {
					to[k] += v
				}
			}
		}
	}
}
