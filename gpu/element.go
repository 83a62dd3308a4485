package gpu

import (
	"reflect"
	"unsafe"
)

// Element is what a buffer may hold: types that C has too, with the same layout. An int or
// uint is 8 bytes, a C long long.
type Element interface {
	~bool |
		~int8 | ~int16 | ~int32 | ~int64 | ~int |
		~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint |
		~float32 | ~float64 | ~complex64 | ~complex128
}

func sizeOf[T Element]() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}

// bytesOf is the memory of a slice.
func bytesOf[T Element](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*sizeOf[T]())
}

// elementName is the name by which kernel signatures call the type: that of the basic
// type with an explicit size.
func elementName[T Element]() string {
	switch k := reflect.TypeFor[T]().Kind(); k {
	case reflect.Int:
		return "int64"
	case reflect.Uint:
		return "uint64"
	default:
		return k.String()
	}
}
