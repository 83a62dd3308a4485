package routine

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unsafe"
)

// Family is the library that a routine belongs to.
type Family uint32

// The families.
const (
	BLAS Family = iota + 1
	Solver
	FFT
	Sparse
	Collectives
	familyEnd
)

func (f Family) String() string {
	if f == 0 || f >= familyEnd {
		return fmt.Sprintf("library %d", uint32(f))
	}
	return [...]string{"cuBLAS", "cuSOLVER", "cuFFT", "cuSPARSE", "NCCL"}[f-1]
}

// Routine is the number of a routine on its way to the device process.
type Routine uint32

// The routines, named as their structs.
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
	RoutineTransform
	RoutineCSRMul
	routineEnd
)

// A Call is a routine with its arguments: a pointer to one of the structs of this package, which
// hold plain numbers only.
type Call interface {
	Routine() Routine
	// Check says what is wrong with the arguments, as far as that shows without the device.
	Check() error
	// Operands appends what the routine reads and writes to a list.
	Operands(list []Operand) []Operand
}

// An Operand is device memory that a routine works on.
type Operand struct {
	Name  string // of the argument
	Addr  uint64
	Bytes uint64
	Align uint64 // what the address must be a multiple of
	Write bool   // perhaps besides reading
}

// routines are the structs, by their numbers.
var routines = [routineEnd]Call{
	RoutineGemm: (*Gemm)(nil), RoutineTrsm: (*Trsm)(nil),
	RoutineGetrf: (*Getrf)(nil), RoutineGetrs: (*Getrs)(nil), RoutineGeqrf: (*Geqrf)(nil), RoutineOrgqr: (*Orgqr)(nil),
	RoutinePotrf: (*Potrf)(nil), RoutineGesvd: (*Gesvd)(nil), RoutineSyevd: (*Syevd)(nil),
	RoutineTransform: (*Transform)(nil), RoutineCSRMul: (*CSRMul)(nil),
}

// FamilyOf is the library that has the routine.
func FamilyOf(r Routine) Family {
	switch {
	case r == RoutineGemm || r == RoutineTrsm:
		return BLAS
	case r == RoutineTransform:
		return FFT
	case r == RoutineCSRMul:
		return Sparse
	}
	return Solver
}

// NameOf is the routine as errors call it: "gemm".
func NameOf(c Call) string { return strings.ToLower(reflect.TypeOf(c).Elem().Name()) }

// Bytes is how a call travels: the memory of its struct.
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

// maxSize bounds every dimension, since the libraries count in 32 bits.
const maxSize = 1<<31 - 1

// sizes returns an error for the first number that is negative or too large. Names and values
// take turns.
func sizes(pairs ...any) error {
	for i := 0; i < len(pairs); i += 2 {
		if n := pairs[i+1].(int); n < 0 || n > maxSize {
			return fmt.Errorf("%v is %d: it must be from 0 to %d", pairs[i], n, maxSize)
		}
	}
	return nil
}

// columns returns an error if columns of rows elements overlap, or could.
func columns(name string, m Matrices, rows int) error {
	if m.Lead < max(rows, 1) || m.Lead > maxSize {
		return fmt.Errorf("%s: columns of %d rows that begin %d elements apart", name, rows, m.Lead)
	}
	if m.Step < 0 {
		return fmt.Errorf("%s: matrices that lie %d elements apart", name, m.Step)
	}
	return nil
}

var (
	errType    = errors.New("the routine is not there for this type")
	errOverlap = errors.New("the results of several problems overlap")
)

// apart returns an error if count results of n elements that lie step apart overlap.
func apart(count, step, n int) error {
	if count > 1 && step < n {
		return errOverlap
	}
	return nil
}

// span is the elements from the first to the last of matrices with so many rows and columns.
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
