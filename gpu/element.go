package gpu

import (
	"reflect"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/vec"
)

// Element is a constraint that permits the types of a buffer's elements, which C has, too, with the same layout. An int or uint has 8
// bytes, as a C long long. Float16, BFloat16 and the vector types of package vec are permitted.
type Element interface {
	~bool |
		~int8 | ~int16 | ~int32 | ~int64 | ~int |
		~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint |
		~float32 | ~float64 | ~complex64 | ~complex128 |
		Float16x2 | BFloat16x2 | vec.Type
}

func sizeOf[T Element]() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}

// bytesOf returns the memory of a slice.
func bytesOf[T Element](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*sizeOf[T]())
}

// elementName returns the name of the type in kernel signatures: that of the basic type with an explicit size, or "vec.Float4".
func elementName[T Element]() string { return typeName(reflect.TypeFor[T]()) }

var (
	float16Type  = reflect.TypeFor[Float16]()
	bfloat16Type = reflect.TypeFor[BFloat16]()
)

func typeName(t reflect.Type) string {
	switch {
	case t == float16Type || t == bfloat16Type:
		return t.String()
	case t.Kind() == reflect.Int:
		return "int64"
	case t.Kind() == reflect.Uint:
		return "uint64"
	case t.Kind() == reflect.Struct:
		return t.String()
	}
	return t.Kind().String()
}
