package routine

import "errors"

// CSRMul computes C = Alpha·op(A)·B + Beta·C for a sparse A in compressed rows and dense B and C,
// which are vectors if they have one column.
type CSRMul struct {
	Type        Type // float32, float64, complex64, complex128
	Trans       Op
	Rows, Cols  int    // of A
	NonZeros    int    // elements of A that are stored
	RowStart    uint64 // address of Rows+1 int32: where each row begins, and the end
	Column      uint64 // address of NonZeros int32, counted from 0
	Values      uint64 // address of NonZeros elements
	N           int    // columns of B and C
	ByRows      bool   // B and C are stored by rows; Lead counts from one row to the next
	Alpha, Beta complex128
	B, C        Matrices // Step is not used; C is not read if Beta is 0
}

// Routine is RoutineCSRMul.
func (*CSRMul) Routine() Routine { return RoutineCSRMul }

// Heights are the rows of B and of C.
func (c *CSRMul) Heights() (b, out int) {
	if c.Trans != AsIs {
		return c.Rows, c.Cols
	}
	return c.Cols, c.Rows
}

// stored is the length of a column and the number of columns of B or C as they are stored.
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
	return errors.Join(
		sizes("Rows", c.Rows, "Cols", c.Cols, "NonZeros", c.NonZeros, "N", c.N), scale,
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
