package routine

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// Family is a library of routines.
type Family uint32

// The families.
const (
	BLAS Family = iota + 1
	Solver
	FFT
	Sparse
	Collectives
	// GeneralSolver is the part of the solver that older releases of cuSOLVER do not have.
	GeneralSolver
	familyEnd
)

func (f Family) String() string {
	if f == 0 || f >= familyEnd {
		return fmt.Sprintf("library %d", uint32(f))
	}
	return [...]string{"cuBLAS", "cuSOLVER", "cuFFT", "cuSPARSE", "NCCL", "cuSOLVER's Xgeev"}[f-1]
}

// Routine is the number that identifies a routine in messages to the device process.
type Routine uint32

// The routines, with the names of their structs.
const (
	RoutineGemm Routine = iota + 1
	RoutineTrsm
	RoutineGetrf
	RoutineGetrs
	RoutineGeqrf
	RoutineOrgqr
	RoutinePotrf
	RoutineGesvd
	RoutineSyevd
	RoutineGeev
	RoutineTransform
	RoutineCSRMul
	routineEnd
)

// A Call is a routine with its arguments: a pointer to one of the structs of this package, all of whose fields are numbers.
type Call interface {
	Routine() Routine
	// Check returns an error for arguments that are invalid on every device.
	Check() error
	// Operands appends the operands of the routine to list.
	Operands(list []Operand) []Operand
}

// An Operand is device memory that a routine reads or writes.
type Operand struct {
	Name  string // of the argument
	Addr  uint64
	Bytes uint64
	Align uint64 // required alignment of the address
	Write bool   // it is written, and possibly read
}

// routines are the types of the structs, by their numbers.
var routines = [routineEnd]Call{
	RoutineGemm: (*Gemm)(nil), RoutineTrsm: (*Trsm)(nil),
	RoutineGetrf: (*Getrf)(nil), RoutineGetrs: (*Getrs)(nil), RoutineGeqrf: (*Geqrf)(nil), RoutineOrgqr: (*Orgqr)(nil),
	RoutinePotrf: (*Potrf)(nil), RoutineGesvd: (*Gesvd)(nil), RoutineSyevd: (*Syevd)(nil), RoutineGeev: (*Geev)(nil),
	RoutineTransform: (*Transform)(nil), RoutineCSRMul: (*CSRMul)(nil),
}

// FamilyOf returns the library of a routine.
func FamilyOf(r Routine) Family {
	switch {
	case r == RoutineGemm || r == RoutineTrsm:
		return BLAS
	case r == RoutineTransform:
		return FFT
	case r == RoutineCSRMul:
		return Sparse
	case r == RoutineGeev:
		return GeneralSolver
	}
	return Solver
}

// NameOf returns the name of a routine for errors: "gemm".
func NameOf(c Call) string { return strings.ToLower(reflect.TypeOf(c).Elem().Name()) }

// Bytes returns the memory of a call's struct, as it is sent to the device process.
func Bytes(c Call) []byte {
	v := reflect.ValueOf(c)
	return unsafe.Slice((*byte)(v.UnsafePointer()), v.Type().Elem().Size())
}

// Parse is the inverse of Bytes.
func Parse(r Routine, data []byte) (Call, error) {
	if r == 0 || r >= routineEnd {
		return nil, fmt.Errorf("there is no routine %d", uint32(r))
	}
	c := reflect.New(reflect.TypeOf(routines[r]).Elem()).Interface().(Call)
	if to := Bytes(c); copy(to, data) != len(to) || len(data) != len(to) {
		return nil, fmt.Errorf("%d bytes of arguments for routine %d, want %d", len(data), uint32(r), len(to))
	}
	return c, nil
}

// maxSize is the maximum size of a dimension, since the libraries use 32-bit integers.
const maxSize = 1<<31 - 1

// sizes returns an error for the first number that is negative or too large.
func sizes(list ...dimension) error {
	for _, s := range list {
		if s.n < 0 || s.n > maxSize {
			return fmt.Errorf("%s is %d: it must be from 0 to %d", s.name, s.n, maxSize)
		}
	}
	return nil
}

// dimension is a number of rows, columns or problems.
type dimension struct {
	name string
	n    int
}

// together is errors.Join without the memory that this takes where there is no error.
func together(list ...error) error {
	for _, err := range list {
		if err != nil {
			return errors.Join(slices.Clone(list)...)
		}
	}
	return nil
}

// columns returns an error if the columns, of that many rows, overlap or could overlap.
func columns(name string, m Matrices, rows int) error {
	if m.Lead < max(rows, 1) || m.Lead > maxSize {
		return fmt.Errorf("%s: columns of %d rows that begin %d elements apart", name, rows, m.Lead)
	}
	if m.Step < 0 {
		return fmt.Errorf("%s: matrices begin %d elements apart, which must not be negative", name, m.Step)
	}
	return nil
}

var (
	errType    = errors.New("the routine does not support this type")
	errOverlap = errors.New("the results of several problems overlap")
)

// apart returns an error if count results of n elements overlap that begin step elements apart.
func apart(count, step, n int) error {
	if count > 1 && step < n {
		return errOverlap
	}
	return nil
}

// span returns the number of elements from the first to the last element of count matrices.
func (m Matrices) span(rows, cols, count int) uint64 {
	if rows == 0 || cols == 0 || count == 0 {
		return 0
	}
	return uint64(count-1)*uint64(m.Step) + uint64(cols-1)*uint64(m.Lead) + uint64(rows)
}

func (m Matrices) operand(name string, t Type, rows, cols, count int, write bool) Operand {
	size := uint64(t.Size())
	return Operand{name, m.Addr, m.span(rows, cols, count) * size, size, write}
}

func (v Vectors) operand(name string, size, n, count int, write bool) Operand {
	o := Operand{Name: name, Addr: v.Addr, Align: uint64(size), Write: write}
	if n > 0 && count > 0 {
		o.Bytes = (uint64(count-1)*uint64(v.Step) + uint64(n)) * uint64(size)
	}
	return o
}

// Clone returns a copy of a routine with its arguments.
func Clone(c Call) Call {
	clone := reflect.New(reflect.TypeOf(c).Elem()).Interface().(Call)
	copy(Bytes(clone), Bytes(c))
	return clone
}

// Places returns where a product of matrices has the addresses of its operands, in their order, or nil for another routine.
func Places(c Call) []*uint64 {
	switch c := c.(type) {
	case *Gemm:
		return []*uint64{&c.A.Addr, &c.B.Addr, &c.C.Addr}
	case *CSRMul:
		return []*uint64{&c.RowStart, &c.Column, &c.Values, &c.B.Addr, &c.C.Addr}
	}
	return nil
}
