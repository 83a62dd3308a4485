package nd

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// CSR is a sparse matrix in compressed sparse row format: only its nonzero elements are stored, row by row. Its arrays must not be
// written to. Products are computed by cuSPARSE or, on the simulator, in Go. On a GPU, a matrix of float32s or float64s whose rows are short, or
// nearly of the same length, is multiplied by a vector by a kernel, which adds a row's products in that type and always in the same order.
type CSR[T Inexact] struct {
	rows, cols int
	rowStart   *Array[int32]
	column     *Array[int32]
	values     *Array[T]
	form       rowForm
}

// NewCSR returns a matrix of that many rows and columns with the given values, in the columns that column has; those of row i have the
// indices from rowStart[i] up to but not including rowStart[i+1]. It waits for the device and checks the indices, since invalid ones
// would read foreign memory later. The arrays are not copied if they are contiguous.
func NewCSR[T Inexact](rows, cols int, rowStart, column *Array[int32], values *Array[T]) *CSR[T] {
	const op = "NewCSR"
	nodeOf(rowStart).check(op)
	nodeOf(column).check(op)
	nodeOf(values).check(op)
	common(op, nodeOf(rowStart), nodeOf(column), nodeOf(values))
	switch {
	case rows < 0 || cols < 0 || rows >= math.MaxInt32 || cols > math.MaxInt32:
		fail(op, "there is no matrix of %d rows and %d columns", rows, cols)
	case nodeOf(rowStart).lay.rank() != 1 || nodeOf(rowStart).lay.size != rows+1:
		fail(op, "rowStart has shape %s: a matrix of %d rows needs %d numbers", shapeString(nodeOf(rowStart).lay.shape), rows, rows+1)
	case nodeOf(column).lay.rank() != 1 || nodeOf(values).lay.rank() != 1 || nodeOf(column).lay.size != nodeOf(values).lay.size:
		fail(op, "column has shape %s and values %s: there must be one column for each value", shapeString(nodeOf(column).lay.shape), shapeString(nodeOf(values).lay.shape))
	}
	start := rowStart.ToHost()
	for i, v := range start {
		if i == 0 && v != 0 || i > 0 && v < start[i-1] || i == rows && int(v) != nodeOf(values).lay.size {
			fail(op, "number %d of rowStart is %d: they must begin with 0, not descend, and end with the number of values, %d", i, v, nodeOf(values).lay.size)
		}
	}
	for i, c := range column.ToHost() {
		if c < 0 || int(c) >= cols {
			fail(op, "number %d of column is %d, the columns are 0 to %d", i, c, cols-1)
		}
	}
	return &CSR[T]{rows, cols, packed(rowStart), packed(column), packed(values), formOf(start)}
}

// CSRFromDense returns the sparse matrix of an array of two axes. It is built on the host.
func CSRFromDense[T Inexact](a *Array[T]) *CSR[T] {
	const op = "CSRFromDense"
	if nodeOf(a).check(op).lay.rank() != 2 {
		fail(op, "an array of shape %s is no matrix: it has %d axes, want 2", shapeString(nodeOf(a).lay.shape), nodeOf(a).lay.rank())
	}
	rows, cols := nodeOf(a).lay.shape[0], nodeOf(a).lay.shape[1]
	host := a.ToHost()
	start := make([]int32, 1, rows+1)
	column, values := []int32{}, []T{}
	var zero T
	for i := range rows {
		for j, v := range host[i*cols:][:cols] {
			if v != zero {
				column, values = append(column, int32(j)), append(values, v)
			}
		}
		start = append(start, int32(len(values)))
	}
	return &CSR[T]{rows, cols, FromSlice(start), FromSlice(column), FromSlice(values), formOf(start)}
}

// CSRFromCOO returns the sparse matrix of elements in any order, each with its row and column. Elements of the same row and column are
// summed. It is built on the host.
func CSRFromCOO[T Inexact](rows, cols int, row, column []int32, values []T) *CSR[T] {
	const op = "CSRFromCOO"
	if len(row) != len(values) || len(column) != len(values) {
		fail(op, "there are %d rows, %d columns and %d values: one of each makes an element", len(row), len(column), len(values))
	}
	if rows < 0 || cols < 0 || rows >= math.MaxInt32 || cols > math.MaxInt32 || len(values) > math.MaxInt32 {
		fail(op, "there is no matrix of %d rows and %d columns with %d elements", rows, cols, len(values))
	}
	place := make([]map[int32]T, rows)
	for i, v := range values {
		r, c := row[i], column[i]
		if r < 0 || int(r) >= rows || c < 0 || int(c) >= cols {
			fail(op, "element %d is in row %d and column %d of a matrix of shape %s", i, r, c, shapeString([]int{rows, cols}))
		}
		if place[r] == nil {
			place[r] = map[int32]T{}
		}
		place[r][c] += v
	}
	start := make([]int32, 1, rows+1)
	var list []int32
	var sums []T
	for _, of := range place {
		for _, c := range slices.Sorted(maps.Keys(of)) {
			list, sums = append(list, c), append(sums, of[c])
		}
		start = append(start, int32(len(sums)))
	}
	return &CSR[T]{rows, cols, FromSlice(start), FromSlice(list), FromSlice(sums), formOf(start)}
}

// Shape returns the number of rows and columns.
func (m *CSR[T]) Shape() (rows, cols int) { return m.rows, m.cols }

// NNZ returns the number of stored elements.
func (m *CSR[T]) NNZ() int { return m.values.Size() }

// Parts returns the arrays of the matrix, as NewCSR takes them.
func (m *CSR[T]) Parts() (rowStart, column *Array[int32], values *Array[T]) {
	return m.rowStart, m.column, m.values
}

// String returns the matrix's shape, number of stored elements, dtype and device.
func (m *CSR[T]) String() string {
	return fmt.Sprintf("csr(shape=%s, nnz=%d, dtype=%v, device=%s)", shapeString([]int{m.rows, m.cols}), m.NNZ(), m.values.DType(), m.values.Device().Name())
}

// ToDense returns the matrix as an array. It is built on the host. Elements of the same row and column are summed.
func (m *CSR[T]) ToDense() *Array[T] {
	host := make([]T, m.rows*m.cols)
	start, column, values := m.rowStart.ToHost(), m.column.ToHost(), m.values.ToHost()
	for i := range m.rows {
		for at := start[i]; at < start[i+1]; at++ {
			host[i*m.cols+int(column[at])] += values[at]
		}
	}
	return FromSlice(host, m.rows, m.cols)
}

// Dot returns the product with a dense vector (cols,) or matrix (cols, k).
func (m *CSR[T]) Dot(b *Array[T]) *Array[T] { return m.multiply("CSR.Dot", routine.AsIs, b) }

// TDot returns the product of the transposed matrix with a dense vector (rows,) or matrix (rows, k). It is slower than Dot.
func (m *CSR[T]) TDot(b *Array[T]) *Array[T] { return m.multiply("CSR.TDot", routine.Transposed, b) }

func (m *CSR[T]) multiply(op string, trans routine.Op, b *Array[T]) *Array[T] {
	nodeOf(b).check(op)
	wide, high := m.cols, m.rows
	if trans != routine.AsIs {
		wide, high = high, wide
	}
	if rank := nodeOf(b).lay.rank(); rank < 1 || rank > 2 || nodeOf(b).lay.shape[0] != wide {
		fail(op, "shapes %s and %s not aligned: want a vector or matrix of %d rows", shapeString([]int{high, wide}), shapeString(nodeOf(b).lay.shape), wide)
	}
	e := common(op, nodeOf(m.values), nodeOf(b), nil)
	x := packed(b)
	k := 1
	shape := []int{high}
	if nodeOf(b).lay.rank() == 2 {
		k = nodeOf(b).lay.shape[1]
		shape = append(shape, k)
	}
	if high == 0 || k == 0 || wide == 0 || m.NNZ() == 0 {
		return Zeros[T](shape...)
	}
	out := newArray[T](e, contiguous(op, shape))
	if m.form.multiplies(e, trans, k, nodeOf(x).dt) {
		e.multiplyRows(m.form, nodeOf(m.rowStart), nodeOf(m.column), nodeOf(m.values), nodeOf(x), nodeOf(out))
		return out
	}
	c := &routine.CSRMul{
		Type: libraryTypes[nodeOf(b).dt], Trans: trans, Rows: m.rows, Cols: m.cols, NonZeros: m.NNZ(),
		RowStart: nodeOf(m.rowStart).address(), Column: nodeOf(m.column).address(), Values: nodeOf(m.values).address(),
		N: k, ByRows: true, Alpha: 1,
		B: routine.Matrices{Addr: nodeOf(x).address(), Lead: k}, C: routine.Matrices{Addr: nodeOf(out).address(), Lead: k},
	}
	if k == 1 { // a column is a vector in either order
		c.ByRows = false
		c.B.Lead, c.C.Lead = wide, high
	}
	e.call(c, nodeOf(m.rowStart), nodeOf(m.column), nodeOf(m.values), nodeOf(x), nodeOf(out))
	return out
}
