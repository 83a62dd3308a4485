package nd

// Matrix is implemented by gonum's matrices, among others.
type Matrix interface {
	Dims() (rows, cols int)
	At(row, col int) float64
}

// FromMatrix copies a matrix, such as gonum's, to the current device. The opposite is mat.NewDense(rows, cols, a.ToHost()).
func FromMatrix(m Matrix) *Array[float64] {
	rows, cols := m.Dims()
	host := make([]float64, 0, rows*cols)
	for i := range rows {
		for j := range cols {
			host = append(host, m.At(i, j))
		}
	}
	return FromSlice(host, rows, cols)
}
