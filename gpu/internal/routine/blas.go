package routine

import "errors"

// Gemm computes C = Alpha·op(A)·op(B) + Beta·C. With N or M of 1 it is also used for dot products and matrix-vector products.
// Sums are in float32 if the elements are float16 or bfloat16.
type Gemm struct {
	Type           Type // any except integers
	TF32           bool // float32 products may round their factors to 10 bits of mantissa, which is faster on a GPU
	TransA, TransB Op
	M, N, K        int // op(A) is M×K, op(B) is K×N, C is M×N
	Alpha, Beta    complex128
	A, B, C        Matrices // C is not read if Beta is 0
	Count          int
}

// Routine implements Call.
func (*Gemm) Routine() Routine { return RoutineGemm }

// shape returns the stored rows and columns of a matrix if op of it has these rows and columns.
func shape(op Op, rows, cols int) (int, int) {
	if op != AsIs {
		return cols, rows
	}
	return rows, cols
}

// Check implements Call.
func (g *Gemm) Check() error {
	if g.Type < Float32 || g.Type > BFloat16 {
		return errType
	}
	rowsA, _ := shape(g.TransA, g.M, g.K)
	rowsB, _ := shape(g.TransB, g.K, g.N)
	var scale error
	if !g.Type.Complex() && (imag(g.Alpha) != 0 || imag(g.Beta) != 0) {
		scale = errors.New("a complex factor for real matrices")
	}
	return together(
		sizes(dimension{"M", g.M}, dimension{"N", g.N}, dimension{"K", g.K}, dimension{"Count", g.Count}), scale,
		columns("A", g.A, rowsA), columns("B", g.B, rowsB), columns("C", g.C, g.M),
		apart(g.Count, g.C.Step, int(g.C.span(g.M, g.N, 1))),
	)
}

// Operands implements Call.
func (g *Gemm) Operands(list []Operand) []Operand {
	rowsA, colsA := shape(g.TransA, g.M, g.K)
	rowsB, colsB := shape(g.TransB, g.K, g.N)
	return append(list,
		g.A.operand("A", g.Type, rowsA, colsA, g.Count, false),
		g.B.operand("B", g.Type, rowsB, colsB, g.Count, false),
		g.C.operand("C", g.Type, g.M, g.N, g.Count, true))
}

// Trsm solves op(A)·X = Alpha·B or X·op(A) = Alpha·B for a triangular A and stores X in B.
type Trsm struct {
	Type  Type // float32, float64, complex64, complex128
	Side  Side // the position of A in the product
	Half  Triangle
	Trans Op
	Unit  bool // the diagonal of A is treated as ones
	M, N  int  // of B; A is square
	Alpha complex128
	A, B  Matrices
	Count int
}

// Routine implements Call.
func (*Trsm) Routine() Routine { return RoutineTrsm }

// Order returns the number of rows and columns of A.
func (t *Trsm) Order() int {
	if t.Side == Right {
		return t.N
	}
	return t.M
}

// Check implements Call.
func (t *Trsm) Check() error {
	if !t.Type.solvable() {
		return errType
	}
	return together(
		sizes(dimension{"M", t.M}, dimension{"N", t.N}, dimension{"Count", t.Count}), columns("A", t.A, t.Order()), columns("B", t.B, t.M),
		apart(t.Count, t.B.Step, int(t.B.span(t.M, t.N, 1))),
	)
}

// Operands implements Call.
func (t *Trsm) Operands(list []Operand) []Operand {
	return append(list,
		t.A.operand("A", t.Type, t.Order(), t.Order(), t.Count, false),
		t.B.operand("B", t.Type, t.M, t.N, t.Count, true))
}
