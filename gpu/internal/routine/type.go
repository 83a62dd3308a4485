package routine

import "fmt"

// Type is the type of an element.
type Type uint32

// The types. Routines on matrices take those of real and complex numbers.
const (
	Float32 Type = iota + 1
	Float64
	Complex64
	Complex128
	Float16
	BFloat16
	Int8
	Uint8
	Int32
	Uint32
	Int64
	Uint64
	typeEnd
)

var typeNames = [...]string{
	"no type", "float32", "float64", "complex64", "complex128", "float16", "bfloat16",
	"int8", "uint8", "int32", "uint32", "int64", "uint64",
}

var typeSizes = [...]int{0, 4, 8, 8, 16, 2, 2, 1, 1, 4, 4, 8, 8}

func (t Type) String() string {
	if t >= typeEnd {
		return fmt.Sprintf("type %d", uint32(t))
	}
	return typeNames[t]
}

// Size is the size of an element in bytes.
func (t Type) Size() int {
	if t >= typeEnd {
		return 0
	}
	return typeSizes[t]
}

// Complex reports whether the numbers are complex.
func (t Type) Complex() bool { return t == Complex64 || t == Complex128 }

// Real is the type of the parts of complex numbers, and otherwise the type itself.
func (t Type) Real() Type {
	switch t {
	case Complex64:
		return Float32
	case Complex128:
		return Float64
	}
	return t
}

// solvable reports whether the type is one that LAPACK knows.
func (t Type) solvable() bool { return t >= Float32 && t <= Complex128 }

// Op is what is done to a matrix before it is used.
type Op uint32

// The values are cuBLAS's.
const (
	AsIs Op = iota
	Transposed
	Adjoint // transposed and conjugated
)

// Triangle is the half of a matrix that counts.
type Triangle uint32

// The values are cuBLAS's.
const (
	Lower Triangle = iota
	Upper
)

// Side is where a matrix stands in a product.
type Side uint32

// The values are cuBLAS's.
const (
	Left Side = iota
	Right
)

// Matrices are the operands of one name: matrices stored by columns in device memory.
type Matrices struct {
	Addr uint64 // of the first element of the first one
	Lead int    // elements from the start of one column to that of the next
	Step int    // elements from the start of one matrix to that of the next
}

// Vectors are operands that have no columns.
type Vectors struct {
	Addr uint64
	Step int // elements from the start of one to that of the next
}
