package verify

import "unsafe"

// Number is what checked arrays hold.
type Number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int |
		~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint |
		~float32 | ~float64
}

// poison is a value that no kernel writes by accident: a NaN with its own bits, so that
// it differs from a NaN that was computed, or bytes 0xA5. Eight-bit integers may well be
// 0xA5; there it is only likely that some element tells.
func poison[T Number]() T {
	var v T
	switch p := unsafe.Pointer(&v); unsafe.Sizeof(v) {
	case 1:
		*(*uint8)(p) = 0xA5
	case 2:
		*(*uint16)(p) = 0xA5A5
	case 4:
		*(*uint32)(p) = 0xA5A5A5A5
		if isFloat[T]() {
			*(*uint32)(p) = 0x7FC0A5A5
		}
	case 8:
		*(*uint64)(p) = 0xA5A5A5A5A5A5A5A5
		if isFloat[T]() {
			*(*uint64)(p) = 0x7FF8A5A5A5A5A5A5
		}
	}
	return v
}

// sameBits compares as integers do, so that a NaN equals itself.
func sameBits[T Number](a, b T) bool {
	p, q := unsafe.Pointer(&a), unsafe.Pointer(&b)
	switch unsafe.Sizeof(a) {
	case 4:
		return *(*uint32)(p) == *(*uint32)(q)
	case 8:
		return *(*uint64)(p) == *(*uint64)(q)
	default:
		return a == b
	}
}

func isFloat[T Number]() bool {
	one := T(1)
	return one/2 != 0
}

// epsilon is the distance from 1 to the next number of type T.
func epsilon[T Number]() float64 {
	var v T
	if unsafe.Sizeof(v) == 4 {
		return 0x1p-23
	}
	return 0x1p-52
}
