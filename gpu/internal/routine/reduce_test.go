package routine

import (
	"slices"
	"testing"
	"unsafe"
)

func bytesOf(s []int32) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), 4*len(s)) }

func TestReductions(t *testing.T) {
	for op, want := range map[Reduction][]int32{
		Sum: {9, 3}, Product: {24, -8}, Max: {4, 4}, Min: {2, -2}, Average: {3, 1},
	} {
		dst := make([]int32, 2)
		ReducerOf(Int32)(bytesOf(dst), [][]byte{bytesOf([]int32{2, 4}), bytesOf([]int32{3, -2}), bytesOf([]int32{4, 1})}, op)
		if !slices.Equal(dst, want) {
			t.Errorf("reduction %d: got %v, want %v", op, dst, want)
		}
	}
	for kind := Float32; kind.Size() > 0; kind++ {
		if ReducerOf(kind) == nil && !kind.Complex() {
			t.Errorf("%v cannot be reduced", kind)
		}
	}
}
