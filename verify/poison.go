package verify

import "unsafe"

// Number is a constraint that permits the types of elements of checked arrays.
type Number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~int |
		~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint |
		~float32 | ~float64
}

// poison returns a value that no kernel writes by accident: a NaN with unusual bits, which differ from those of a computed NaN, or bytes
// 0xA5. An 8-bit integer may well be 0xA5; of several elements at least one will probably differ.
func poison[T Number]() T { return pattern[T](0xA5) }

// fence returns the value around inputs. It differs from poison, since some processors give a sum of NaNs the bits of the first: an
// element of an output's guard zone that was computed from an input's guard zone must be detected.
func fence[T Number]() T { return pattern[T](0x5A) }

// pattern returns a value that repeats a byte, within a quiet NaN for floating-point types.
func pattern[T Number](b byte) T {
	var v T
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v))
	for i := range bytes {
		bytes[i] = b
	}
	if isFloat[T]() {
		switch p := unsafe.Pointer(&v); len(bytes) {
		case 4:
			*(*uint32)(p) = *(*uint32)(p)&0x0000FFFF | 0x7FC00000
		case 8:
			*(*uint64)(p) = *(*uint64)(p)&0x0000FFFFFFFFFFFF | 0x7FF8000000000000
		}
	}
	return v
}

// sameBits reports whether a and b have the same bits, so that a NaN equals itself.
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

// epsilon returns the distance from 1 to the next number of type T.
func epsilon[T Number]() float64 {
	var v T
	if unsafe.Sizeof(v) == 4 {
		return 0x1p-23
	}
	return 0x1p-52
}
