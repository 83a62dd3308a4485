package routine

import "fmt"

// Type is the type of an element.
type Type uint32

// The types. Routines on matrices support the real and complex ones.
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

// Size returns the size of an element in bytes.
func (t Type) Size() int {
	if t >= typeEnd {
		return 0
	}
	return typeSizes[t]
}

// Complex reports whether the numbers are complex.
func (t Type) Complex() bool { return t == Complex64 || t == Complex128 }

// Real returns the type of the parts of a complex type, and otherwise the type itself.
func (t Type) Real() Type {
	switch t {
	case Complex64:
		return Float32
	case Complex128:
		return Float64
	}
	return t
}

// solvable reports whether LAPACK supports the type.
func (t Type) solvable() bool { return t >= Float32 && t <= Complex128 }

// Op is an operation on a matrix before it is used.
type Op uint32

// The values are cuBLAS's.
const (
	AsIs Op = iota
	Transposed
	Adjoint // transposed and conjugated
)

// Triangle is the triangle of a matrix that is used.
type Triangle uint32

// The values are cuBLAS's.
const (
	Lower Triangle = iota
	Upper
)

// Side is the side of a product on which a matrix is.
type Side uint32

// The values are cuBLAS's.
const (
	Left Side = iota
	Right
)

// Matrices are matrices in device memory, in column-major order.
type Matrices struct {
	Addr uint64 // address of the first element of the first matrix
	Lead int    // elements between the starts of consecutive columns
	Step int    // elements between the starts of consecutive matrices
}

// Vectors are operands without columns.
type Vectors struct {
	Addr uint64
	Step int // elements between the starts of consecutive vectors
}
