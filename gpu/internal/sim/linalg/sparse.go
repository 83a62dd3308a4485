package linalg

import (
	"math/cmplx"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/cores"
)

func multiplySparse(c *routine.CSRMul, parts [][]byte) {
	same := func(v float64) float64 { return v }
	switch c.Type {
	case routine.Float32:
		if rows[float32](c, parts) {
			return
		}
		csr(c, parts, accessAs(func(v float32) float64 { return float64(v) }, func(v float64) float32 { return float32(v) }), same, real(c.Alpha), real(c.Beta))
	case routine.Float64:
		if rows[float64](c, parts) {
			return
		}
		csr(c, parts, accessAs(same, same), same, real(c.Alpha), real(c.Beta))
	case routine.Complex64:
		csr(c, parts, accessAs(func(v complex64) complex128 { return complex128(v) }, func(v complex128) complex64 { return complex64(v) }), cmplx.Conj, c.Alpha, c.Beta)
	case routine.Complex128:
		id := func(v complex128) complex128 { return v }
		csr(c, parts, accessAs(id, id), cmplx.Conj, c.Alpha, c.Beta)
	}
}

func csr[W float64 | complex128](c *routine.CSRMul, parts [][]byte, a access[W], conj func(W) W, alpha, beta W) {
	starts, columns := view[int32](parts[0], 0), view[int32](parts[1], 0)
	_, height := c.Heights()
	at := func(m routine.Matrices, row, col int) int {
		if c.ByRows {
			return row*m.Lead + col
		}
		return col*m.Lead + row
	}
	for col := range c.N {
		sums := make([]W, height)
		for row := range c.Rows {
			for i := starts[row]; i < starts[row+1]; i++ {
				v, other := a.get(parts[2], int(i)), int(columns[i])
				switch c.Trans {
				case routine.AsIs:
					sums[row] += v * a.get(parts[3], at(c.B, other, col))
				case routine.Transposed:
					sums[other] += v * a.get(parts[3], at(c.B, row, col))
				case routine.Adjoint:
					sums[other] += conj(v) * a.get(parts[3], at(c.B, row, col))
				}
			}
		}
		for row, sum := range sums {
			i := at(c.C, row, col)
			v := alpha * sum
			if beta != 0 { // with beta 0, NaNs in the result are overwritten
				v += beta * a.get(parts[4], i)
			}
			a.put(parts[4], i, v)
		}
	}
}

// rows multiplies a matrix, as it is, by a vector, and reports whether that was asked for. Sums are in float64.
func rows[T float32 | float64](c *routine.CSRMul, parts [][]byte) bool {
	if c.Trans != routine.AsIs || c.N != 1 || c.ByRows && (c.B.Lead != 1 || c.C.Lead != 1) {
		return false
	}
	starts, columns, values := view[int32](parts[0], 0), view[int32](parts[1], 0), view[T](parts[2], 0)
	x, out := view[T](parts[3], 0), view[T](parts[4], 0)
	alpha, beta := real(c.Alpha), real(c.Beta)
	cores.Range(c.Rows, 2+float64(c.NonZeros)/float64(c.Rows), func(from, to int) {
		begin := int(starts[from])
		for row := from; row < to; row++ {
			end := int(starts[row+1])
			sum := 0.0
			columns := columns[begin:end]
			values := values[begin:end][:len(columns)]
			for i, column := range columns {
				sum += float64(values[i]) * float64(x[column])
			}
			begin = end
			sum *= alpha
			if beta != 0 {
				sum += beta * float64(out[row])
			}
			out[row] = T(sum)
		}
	})
	return true
}
