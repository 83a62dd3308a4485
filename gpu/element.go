package gpu

import (
	"reflect"
	"unsafe"
)

// Element is a constraint for the types of a buffer's elements: numbers, bools, Float16, BFloat16, the vector types of package vec, and arrays
// and structs of these. C has them, too, with the same layout; an int or uint has 8 bytes, as a C long long. Memory for other types, which
// hold pointers of Go, cannot be made. A constraint can exclude some of them only; the others, as strings, are found when the program runs.
type Element interface{ comparable }

// checkElement returns an error if T is no type for elements.
func checkElement[T Element](op string) error { return checkPointed(op, (*T)(nil)) }

// checkPointed is checkElement for the type that p, a pointer, points to. The generic functions of buffers don't mention package reflect, as
// cells that instantiate them would compile methods for its types.
func checkPointed(op string, p any) error {
	switch p.(type) {
	case *byte, *int32, *int64, *float32, *float64:
		return nil // without a look-up of the type: each buffer is checked, and almost all have one of these
	}
	t := reflect.TypeOf(p).Elem()
	switch {
	case !flat(t):
		return misuse(op, "elements of type %v hold pointers of Go, which mean nothing on a device: use numbers, or structs of numbers", t)
	case t.Size() == 0:
		return misuse(op, "elements of type %v have no size", t)
	}
	return nil
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
func elementName[T Element]() string { return pointedName((*T)(nil)) }

// pointedName is elementName for the type that p, a pointer, points to.
func pointedName(p any) string { return typeName(reflect.TypeOf(p).Elem()) }

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
