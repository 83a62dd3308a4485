package verify

import "unsafe"

// setBits makes a number of its bits, for NaNs that arithmetic would not give.
func setBits[T Number](v *T, bits uint64) {
	if unsafe.Sizeof(*v) == 4 {
		*(*uint32)(unsafe.Pointer(v)) = uint32(bits)
		return
	}
	*(*uint64)(unsafe.Pointer(v)) = bits
}
