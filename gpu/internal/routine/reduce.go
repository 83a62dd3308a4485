package routine

import (
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/half"
)

// A Reducer sets the elements of dst to the reduction of those of all slots, in the order of the slots, each as long as dst.
type Reducer func(dst []byte, slots [][]byte, op Reduction)

// ReducerOf returns the reducer of elements of a type, in the host's memory, or nil if they cannot be reduced.
func ReducerOf(t Type) Reducer { return reducers[t] }

var reducers = map[Type]Reducer{
	Float32: reduce[float32], Float64: reduce[float64],
	Int8: reduce[int8], Uint8: reduce[uint8], Int32: reduce[int32], Uint32: reduce[uint32],
	Int64: reduce[int64], Uint64: reduce[uint64],
	Float16:  reduceHalf(half.To32, half.From32),
	BFloat16: reduceHalf(half.BrainTo32, half.BrainFrom32),
}

type number interface {
	float32 | float64 | int8 | uint8 | int32 | uint32 | int64 | uint64
}

func reduce[T number](dst []byte, slots [][]byte, op Reduction) {
	out := numbers[T](dst)
	in := make([][]T, len(slots))
	for i, s := range slots {
		in[i] = numbers[T](s)
	}
	for i := range out {
		v := in[0][i]
		for _, other := range in[1:] {
			v = combine(v, other[i], op)
		}
		if op == Average {
			v = quotient(v, len(in))
		}
		out[i] = v
	}
}

// quotient divides by a number of members, which may be more than a T can be.
func quotient[T number](v T, n int) T {
	switch any(v).(type) {
	case float32, float64:
		return v / T(n)
	case uint64:
		return T(uint64(v) / uint64(n))
	}
	return T(int64(v) / int64(n))
}

func combine[T number](a, b T, op Reduction) T {
	switch op {
	case Product:
		return a * b
	case Max:
		return max(a, b)
	case Min:
		return min(a, b)
	}
	return a + b
}

// reduceHalf computes in float32 and rounds once.
func reduceHalf(widen func(uint16) float32, narrow func(float32) uint16) Reducer {
	return func(dst []byte, slots [][]byte, op Reduction) {
		out := numbers[uint16](dst)
		for i := range out {
			v := widen(numbers[uint16](slots[0])[i])
			for _, s := range slots[1:] {
				v = combine(v, widen(numbers[uint16](s)[i]), op)
			}
			if op == Average {
				v /= float32(len(slots))
			}
			out[i] = narrow(v)
		}
	}
}

func numbers[T any](mem []byte) []T {
	if len(mem) == 0 {
		return nil
	}
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(&mem[0])), len(mem)/int(unsafe.Sizeof(zero)))
}
