package nd

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// Float16 and BFloat16 are the 16-bit floating-point types of package gpu.
type (
	Float16  = gpu.Float16
	BFloat16 = gpu.BFloat16
)

// Elem is a constraint that permits the types of elements that an array can have. An int or uint is an int64 or uint64 on the device.
type Elem interface {
	bool | Number
}

// Number is a constraint that permits the types of Elem except bool.
type Number interface{ Real | Complex }

// Real is a constraint that permits integers and floating-point numbers, which are ordered.
type Real interface{ Integer | Float }

// Integer is a constraint that permits any integer type of Elem.
type Integer interface {
	int8 | int16 | int32 | int64 | int | uint8 | uint16 | uint32 | uint64 | uint
}

// Float is a constraint that permits any floating-point type of Elem.
type Float interface {
	Float16 | BFloat16 | float32 | float64
}

// Complex is a constraint that permits any complex type.
type Complex interface{ complex64 | complex128 }

// DType is the type of an array's elements, for use where it is not known at compile time.
type DType uint8

// The types of elements, in the order of NumPy's kinds.
const (
	Bool DType = iota
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	F16
	BF16
	F32
	F64
	C64
	C128
	dtypes
)

// kind groups types by the operations that they have.
type kind uint8

const (
	kindBool kind = 1 << iota
	kindInt
	kindUint
	kindFloat
	kindComplex

	kindInteger = kindInt | kindUint
	kindReal    = kindInteger | kindFloat
	kindNumber  = kindReal | kindComplex
	kindAny     = kindBool | kindNumber
)

// dtypeInfo describes a type.
type dtypeInfo struct {
	name   string // NumPy's
	size   int
	kind   kind
	stored string // its C type in memory
	held   string // its C type in registers
	npy    string // its name in .npy files; bfloat16 has none
}

var dtypeTable = [dtypes]dtypeInfo{
	Bool:   {"bool", 1, kindBool, "bool", "bool", "|b1"},
	Int8:   {"int8", 1, kindInt, "signed char", "signed char", "|i1"},
	Int16:  {"int16", 2, kindInt, "short", "short", "<i2"},
	Int32:  {"int32", 4, kindInt, "int", "int", "<i4"},
	Int64:  {"int64", 8, kindInt, "long long", "long long", "<i8"},
	Uint8:  {"uint8", 1, kindUint, "unsigned char", "unsigned char", "|u1"},
	Uint16: {"uint16", 2, kindUint, "unsigned short", "unsigned short", "<u2"},
	Uint32: {"uint32", 4, kindUint, "unsigned", "unsigned", "<u4"},
	Uint64: {"uint64", 8, kindUint, "unsigned long long", "unsigned long long", "<u8"},
	F16:    {"float16", 2, kindFloat, "f16", "float", "<f2"},
	BF16:   {"bfloat16", 2, kindFloat, "bf16", "float", ""},
	F32:    {"float32", 4, kindFloat, "float", "float", "<f4"},
	F64:    {"float64", 8, kindFloat, "double", "double", "<f8"},
	C64:    {"complex64", 8, kindComplex, "complex<float>", "complex<float>", "<c8"},
	C128:   {"complex128", 16, kindComplex, "complex<double>", "complex<double>", "<c16"},
}

// String returns NumPy's name of the type.
func (d DType) String() string {
	if d >= dtypes {
		return fmt.Sprintf("DType(%d)", uint8(d))
	}
	return dtypeTable[d].name
}

// Size returns the number of bytes of an element.
func (d DType) Size() int { return dtypeTable[d].size }

func (d DType) kind() kind       { return dtypeTable[d].kind }
func (d DType) is(k kind) bool   { return dtypeTable[d].kind&k != 0 }
func (d DType) info() *dtypeInfo { return &dtypeTable[d] }
func (d DType) half() bool       { return d == F16 || d == BF16 }
func (d DType) realPart() DType  { return [...]DType{C64: F32, C128: F64}[d] }

// DTypeOf returns the DType of a Go type.
func DTypeOf[T Elem]() DType { return dtypeOf((*T)(nil)) }

// dtypeOf returns the DType of the type that p points to. Cells compile DTypeOf, but not this.
func dtypeOf(p any) DType {
	switch p.(type) {
	case *bool:
		return Bool
	case *int8:
		return Int8
	case *int16:
		return Int16
	case *int32:
		return Int32
	case *int64, *int:
		return Int64
	case *uint8:
		return Uint8
	case *uint16:
		return Uint16
	case *uint32:
		return Uint32
	case *uint64, *uint:
		return Uint64
	case *Float16:
		return F16
	case *BFloat16:
		return BF16
	case *float32:
		return F32
	case *float64:
		return F64
	case *complex64:
		return C64
	}
	return C128
}

// Promote returns the common type of a and b, by NumPy's rules: the smallest that holds all values of both, except that a 64-bit integer
// and a float make a float64, as do an int64 and a uint64. NumPy has no bfloat16: with float16 it makes a float32, with integers of more
// than 8 bits too, and with those of more than 16 bits a float64.
func Promote(a, b DType) DType {
	if a == b {
		return a
	}
	ka, kb := a.kind(), b.kind()
	if ka > kb {
		a, b, ka, kb = b, a, kb, ka
	}
	switch {
	case ka == kindBool:
		return b
	case ka == kb && kb == kindFloat:
		if a.half() && b.half() {
			return F32
		}
		return max(a, b)
	case ka == kb:
		return max(a, b)
	case kb == kindUint: // with an int
		if b.Size() < a.Size() {
			return a
		}
		return [...]DType{1: Int16, 2: Int32, 4: Int64, 8: F64}[b.Size()]
	case kb == kindFloat:
		return max(b, floatFor(a, b))
	}
	// With a complex number: as wide as the result for a real one.
	if ka == kindFloat {
		if a == F64 {
			return C128
		}
		return b
	}
	return max(b, [...]DType{1: C64, 2: C64, 4: C128, 8: C128}[a.Size()])
}

// floatFor returns the smallest float type that holds all values of the integer type a, of the family of float b.
func floatFor(a, b DType) DType {
	switch {
	case a.Size() == 1 && b == BF16:
		return BF16
	case a.Size() == 1:
		return F16
	case a.Size() == 2:
		return F32
	}
	return F64
}

// PromoteAll returns the common type of all arrays, by the rules of Promote.
func PromoteAll(first Operand, more ...Operand) DType {
	d := nodeIn(first).dt
	for _, o := range more {
		d = Promote(d, nodeIn(o).dt)
	}
	return d
}
