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

// TestAverageOfMany has more members than some types have numbers.
func TestAverageOfMany(t *testing.T) {
	for _, members := range []int{127, 128, 200, 256, 300} {
		signed, unsigned := make([][]byte, members), make([][]byte, members)
		for i := range members {
			signed[i], unsigned[i] = []byte{0}, []byte{0}
		}
		const sum = -100
		minus := int8(sum)
		signed[0], signed[1], signed[2] = []byte{byte(minus)}, []byte{100}, []byte{byte(minus)}
		unsigned[0] = []byte{255}
		dst := []byte{1}
		ReducerOf(Int8)(dst, signed, Average)
		if got, want := int8(dst[0]), int8(sum/members); got != want {
			t.Errorf("int8 of %d members: got %d, want %d", members, got, want)
		}
		ReducerOf(Uint8)(dst, unsigned, Average)
		if want := byte(255 / members); dst[0] != want {
			t.Errorf("uint8 of %d members: got %d, want %d", members, dst[0], want)
		}
	}
}
