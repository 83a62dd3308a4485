package routine

import "errors"

// CSRMul computes C = Alpha·op(A)·B + Beta·C for a sparse A in compressed sparse row (CSR) format and dense B and C, which are
// vectors if N is 1.
type CSRMul struct {
	Type        Type // float32, float64, complex64, complex128
	Trans       Op
	Rows, Cols  int    // of A
	NonZeros    int    // stored elements of A
	RowStart    uint64 // address of Rows+1 int32: the index of each row's first element, and NonZeros
	Column      uint64 // address of NonZeros int32, which count from 0
	Values      uint64 // address of NonZeros elements
	N           int    // columns of B and C
	ByRows      bool   // B and C are row-major; Lead is the distance between rows
	Alpha, Beta complex128
	B, C        Matrices // Step is not used; C is not read if Beta is 0
}

// Routine implements Call.
func (*CSRMul) Routine() Routine { return RoutineCSRMul }

// Heights returns the numbers of rows of B and of C.
func (c *CSRMul) Heights() (b, out int) {
	if c.Trans != AsIs {
		return c.Rows, c.Cols
	}
	return c.Cols, c.Rows
}

// stored returns the number of rows and columns of B or C in column-major order.
func (c *CSRMul) stored(height int) (int, int) {
	if c.ByRows {
		return c.N, height
	}
	return height, c.N
}

// Check implements Call.
func (c *CSRMul) Check() error {
	if !c.Type.solvable() {
		return errType
	}
	b, out := c.Heights()
	rowsB, _ := c.stored(b)
	rowsC, _ := c.stored(out)
	var scale error
	if !c.Type.Complex() && (imag(c.Alpha) != 0 || imag(c.Beta) != 0) {
		scale = errors.New("a complex factor for real matrices")
	}
	return together(
		sizes(dimension{"Rows", c.Rows}, dimension{"Cols", c.Cols}, dimension{"NonZeros", c.NonZeros}, dimension{"N", c.N}), scale,
		columns("B", c.B, rowsB), columns("C", c.C, rowsC),
	)
}

// Operands implements Call.
func (c *CSRMul) Operands(list []Operand) []Operand {
	size := uint64(c.Type.Size())
	b, out := c.Heights()
	rowsB, colsB := c.stored(b)
	rowsC, colsC := c.stored(out)
	return append(list,
		Operand{"RowStart", c.RowStart, uint64(c.Rows+1) * 4, 4, false},
		Operand{"Column", c.Column, uint64(c.NonZeros) * 4, 4, false},
		Operand{"Values", c.Values, uint64(c.NonZeros) * size, size, false},
		c.B.operand("B", c.Type, rowsB, colsB, 1, false),
		c.C.operand("C", c.Type, rowsC, colsC, 1, true))
}
