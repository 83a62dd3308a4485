package routine

import "errors"

// All routines of this file support float32, float64, complex64 and complex128. Info receives one int32 per problem: 0 on
// success.

// Getrf factors A = P·L·U and stores L, without its diagonal of ones, and U in A. Info is i if the i-th diagonal element of U,
// counted from 1, is the first that is 0.
type Getrf struct {
	Type   Type
	M, N   int
	A      Matrices
	Pivots Vectors // int32, min(M, N) per problem: row i was exchanged with row Pivots[i], counted from 1
	Info   uint64  // address
	Count  int
}

// Routine implements Call.
func (*Getrf) Routine() Routine { return RoutineGetrf }

// Check implements Call.
func (c *Getrf) Check() error {
	return factor(c.Type, c.M, c.N, c.Count, c.A, apart(c.Count, c.Pivots.Step, min(c.M, c.N)))
}

// Operands implements Call.
func (c *Getrf) Operands(list []Operand) []Operand {
	return append(list,
		c.A.operand("A", c.Type, c.M, c.N, c.Count, true),
		c.Pivots.operand("Pivots", 4, min(c.M, c.N), c.Count, true), info(c.Info, c.Count))
}

// Getrs solves op(A)·X = B for a square A factored by Getrf, and stores X in B.
type Getrs struct {
	Type    Type
	Trans   Op
	N, NRHS int // B has N rows and NRHS columns
	A       Matrices
	Pivots  Vectors
	B       Matrices
	Info    uint64
	Count   int
}

// Routine implements Call.
func (*Getrs) Routine() Routine { return RoutineGetrs }

// Check implements Call.
func (c *Getrs) Check() error {
	return factor(c.Type, c.N, c.NRHS, c.Count, c.B, columns("A", c.A, c.N))
}

// Operands implements Call.
func (c *Getrs) Operands(list []Operand) []Operand {
	return append(list,
		c.A.operand("A", c.Type, c.N, c.N, c.Count, false),
		c.Pivots.operand("Pivots", 4, c.N, c.Count, false),
		c.B.operand("B", c.Type, c.N, c.NRHS, c.Count, true), info(c.Info, c.Count))
}

// Geqrf factors A = Q·R and stores R in the upper triangle of A, and the Householder vectors of Q below it and in Tau.
type Geqrf struct {
	Type  Type
	M, N  int
	A     Matrices
	Tau   Vectors // min(M, N) elements of Type per problem
	Info  uint64
	Count int
}

// Routine implements Call.
func (*Geqrf) Routine() Routine { return RoutineGeqrf }

// Check implements Call.
func (c *Geqrf) Check() error {
	return factor(c.Type, c.M, c.N, c.Count, c.A, apart(c.Count, c.Tau.Step, min(c.M, c.N)))
}

// Operands implements Call.
func (c *Geqrf) Operands(list []Operand) []Operand {
	return append(list,
		c.A.operand("A", c.Type, c.M, c.N, c.Count, true),
		c.Tau.operand("Tau", c.Type.Size(), min(c.M, c.N), c.Count, true), info(c.Info, c.Count))
}

// Orgqr computes the first N columns of Q from the results of Geqrf in A and Tau, and stores them in A. For complex types it is
// LAPACK's ungqr.
type Orgqr struct {
	Type    Type
	M, N, K int // M ≥ N ≥ K, the number of elements in Tau
	A       Matrices
	Tau     Vectors
	Info    uint64
	Count   int
}

// Routine implements Call.
func (*Orgqr) Routine() Routine { return RoutineOrgqr }

// Check implements Call.
func (c *Orgqr) Check() error {
	err := sizes(dimension{"K", c.K})
	if c.M < c.N || c.N < c.K {
		err = errors.New("the sizes are not M ≥ N ≥ K")
	}
	return factor(c.Type, c.M, c.N, c.Count, c.A, err)
}

// Operands implements Call.
func (c *Orgqr) Operands(list []Operand) []Operand {
	return append(list,
		c.A.operand("A", c.Type, c.M, c.N, c.Count, true),
		c.Tau.operand("Tau", c.Type.Size(), c.K, c.Count, false), info(c.Info, c.Count))
}

// Potrf factors a positive definite A = L·Lᴴ or Uᴴ·U and stores the factor in the given triangle of A. The other triangle is
// unchanged. Info is i if the leading minor of order i is not positive definite.
type Potrf struct {
	Type  Type
	Half  Triangle
	N     int
	A     Matrices
	Info  uint64
	Count int
}

// Routine implements Call.
func (*Potrf) Routine() Routine { return RoutinePotrf }

// Check implements Call.
func (c *Potrf) Check() error { return factor(c.Type, c.N, c.N, c.Count, c.A, nil) }

// Operands implements Call.
func (c *Potrf) Operands(list []Operand) []Operand {
	return append(list, c.A.operand("A", c.Type, c.N, c.N, c.Count, true), info(c.Info, c.Count))
}

// Job determines which singular vectors are computed.
type Job uint32

// The jobs.
const (
	ValuesOnly Job = iota
	Thin           // as many vectors as singular values
	Full           // a square U; V is always square
)

// Gesvd computes A = U·diag(S)·VT, with the singular values in descending order. A is overwritten. Info is not 0 if it did not
// converge.
type Gesvd struct {
	Type  Type
	Job   Job
	M, N  int // M ≥ N
	A     Matrices
	S     Vectors  // N elements of Type.Real() per problem
	U     Matrices // M rows, and N columns, or M if Job is Full
	VT    Matrices // N by N
	Info  uint64
	Count int
}

// Routine implements Call.
func (*Gesvd) Routine() Routine { return RoutineGesvd }

// ColumnsU returns the number of columns of U.
func (c *Gesvd) ColumnsU() int {
	switch c.Job {
	case ValuesOnly:
		return 0
	case Full:
		return c.M
	}
	return c.N
}

// Check implements Call.
func (c *Gesvd) Check() error {
	var err error
	if c.M < c.N {
		err = errors.New("fewer rows than columns: take the transposed matrix")
	} else if c.N == 0 {
		err = errors.New("a matrix without elements has no singular values")
	}
	if c.Job != ValuesOnly {
		err = errors.Join(err, columns("U", c.U, c.M), columns("VT", c.VT, c.N),
			apart(c.Count, c.U.Step, int(c.U.span(c.M, c.ColumnsU(), 1))), apart(c.Count, c.VT.Step, int(c.VT.span(c.N, c.N, 1))))
	}
	return factor(c.Type, c.M, c.N, c.Count, c.A, errors.Join(err, apart(c.Count, c.S.Step, c.N)))
}

// Operands implements Call.
func (c *Gesvd) Operands(list []Operand) []Operand {
	list = append(list,
		c.A.operand("A", c.Type, c.M, c.N, c.Count, true),
		c.S.operand("S", c.Type.Real().Size(), c.N, c.Count, true), info(c.Info, c.Count))
	if c.Job == ValuesOnly {
		return list
	}
	return append(list,
		c.U.operand("U", c.Type, c.M, c.ColumnsU(), c.Count, true),
		c.VT.operand("VT", c.Type, c.N, c.N, c.Count, true))
}

// Syevd computes the eigenvalues of a symmetric or Hermitian A, of which one triangle is read, in ascending order. If Vectors is
// set, it stores the eigenvectors in the columns of A; otherwise A is overwritten. Info is not 0 if it did not converge.
type Syevd struct {
	Type    Type
	Vectors bool
	Half    Triangle
	N       int
	A       Matrices
	W       Vectors // N elements of Type.Real() per problem
	Info    uint64
	Count   int
}

// Routine implements Call.
func (*Syevd) Routine() Routine { return RoutineSyevd }

// Check implements Call.
func (c *Syevd) Check() error {
	return factor(c.Type, c.N, c.N, c.Count, c.A, apart(c.Count, c.W.Step, c.N))
}

// Operands implements Call.
func (c *Syevd) Operands(list []Operand) []Operand {
	return append(list,
		c.A.operand("A", c.Type, c.N, c.N, c.Count, true),
		c.W.operand("W", c.Type.Real().Size(), c.N, c.Count, true), info(c.Info, c.Count))
}

// Geev computes the eigenvalues of a square A in no particular order and, if Vectors is set, stores the eigenvectors, of norm 1, in the columns
// of V. A is overwritten. Info is not 0 if it did not converge. The type must be complex64 or complex128.
type Geev struct {
	Type    Type
	Vectors bool
	N       int
	A       Matrices
	W       Vectors  // N elements of Type per problem
	V       Matrices // N by N
	Info    uint64
	Count   int
}

// Routine implements Call.
func (*Geev) Routine() Routine { return RoutineGeev }

// Check implements Call.
func (c *Geev) Check() error {
	if !c.Type.Complex() {
		return errType
	}
	err := apart(c.Count, c.W.Step, c.N)
	if c.Vectors {
		err = errors.Join(err, columns("V", c.V, c.N), apart(c.Count, c.V.Step, int(c.V.span(c.N, c.N, 1))))
	}
	return factor(c.Type, c.N, c.N, c.Count, c.A, err)
}

// Operands implements Call.
func (c *Geev) Operands(list []Operand) []Operand {
	list = append(list,
		c.A.operand("A", c.Type, c.N, c.N, c.Count, true),
		c.W.operand("W", c.Type.Size(), c.N, c.Count, true), info(c.Info, c.Count))
	if !c.Vectors {
		return list
	}
	return append(list, c.V.operand("V", c.Type, c.N, c.N, c.Count, true))
}

// factor checks the arguments that these routines have in common; a is the matrix that is written.
func factor(t Type, rows, cols, count int, a Matrices, more error) error {
	if !t.solvable() {
		return errType
	}
	return together(
		sizes(dimension{"the number of rows", rows}, dimension{"the number of columns", cols}, dimension{"Count", count}),
		columns("the matrix", a, rows), apart(count, a.Step, int(a.span(rows, cols, 1))), more,
	)
}

func info(addr uint64, count int) Operand {
	return Operand{Name: "Info", Addr: addr, Bytes: uint64(count) * 4, Align: 4, Write: true}
}
