package linalg

import (
	"math/cmplx"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/cores"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/simd"
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

// rows multiplies a matrix, as it is, by a vector, and reports whether that was asked for.
func rows[T float32 | float64](c *routine.CSRMul, parts [][]byte) bool {
	if c.Trans != routine.AsIs || c.N != 1 || c.ByRows && (c.B.Lead != 1 || c.C.Lead != 1) {
		return false
	}
	starts, columns, values := view[int32](parts[0], 0), view[int32](parts[1], 0), view[T](parts[2], 0)
	x, out := view[T](parts[3], 0), view[T](parts[4], 0)
	alpha, beta := T(real(c.Alpha)), T(real(c.Beta))
	cores.Range(c.Rows, 1+0.3*float64(c.NonZeros)/float64(c.Rows), func(from, to int) {
		var sums []T
		for from < to {
			some := min(to-from, rowsAtOnce)
			result, starts := out[from:][:some], starts[from:][:some+1]
			from += some
			if alpha == 1 && beta == 0 {
				rowSums(result, starts, columns, values, x)
				continue
			}
			if sums == nil {
				sums = make([]T, rowsAtOnce)
			}
			rowSums(sums[:some], starts, columns, values, x)
			for i, sum := range sums[:some] {
				sum *= alpha
				if beta != 0 { // with beta 0, NaNs in the result are overwritten
					sum += beta * result[i]
				}
				result[i] = sum
			}
		}
	})
	return true
}

// rowsAtOnce are so many that their elements mostly stay in the first cache between two passes over them.
const rowsAtOnce = 512

// rowSums stores the sums of the products of rows and x. Row k has the elements from starts[k] to starts[k+1].
func rowSums[T float32 | float64](sums []T, starts, columns []int32, values, x []T) {
	if simd.Has && len(columns) > 0 && within(starts, columns, len(x)) {
		switch x := any(x).(type) {
		case []float32:
			simd.SparseRows32(&any(sums).([]float32)[0], &starts[0], &columns[0], &any(values).([]float32)[0], &x[0], len(sums))
		case []float64:
			simd.SparseRows64(&any(sums).([]float64)[0], &starts[0], &columns[0], &any(values).([]float64)[0], &x[0], len(sums))
		}
		return
	}
	begin := int(starts[0])
	for row := range sums {
		end := int(starts[row+1])
		sum := 0.0
		columns := columns[begin:end]
		values := values[begin:end][:len(columns)]
		for i, column := range columns {
			sum += float64(values[i]) * float64(x[column])
		}
		begin = end
		sums[row] = T(sum)
	}
}

// within reports whether all elements of some rows, of which there is at least one, are in the matrix, and their columns less than cols.
// Without vectors an element elsewhere is an error, with them it would be memory that is not the matrix's.
func within(starts, columns []int32, cols int) bool {
	low, high := simd.Range32(starts)
	if low < 0 || int(high) > len(columns) {
		return false
	}
	if columns = columns[low:high]; len(columns) == 0 {
		return true
	}
	low, high = simd.Range32(columns)
	return low >= 0 && int(high) < cols
}
