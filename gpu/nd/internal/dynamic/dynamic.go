// Package dynamic makes arrays whose type of elements is known at run time only.
package dynamic

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// FromBuffer is the *nd.Array[T] of a type that shares a buffer's memory, where elements of that shape lie in the order of C. Axes
// may be given, as to Transpose, if the array's are to be in another order.
func FromBuffer(dt nd.DType, b *gpu.Buffer[byte], shape []int, axes ...int) (a nd.Operand, err error) {
	err = nd.Try(func() { a = fromBuffer(dt, b, shape, axes) })
	return a, err
}

func fromBuffer(dt nd.DType, b *gpu.Buffer[byte], shape, axes []int) nd.Operand {
	switch dt {
	case nd.Bool:
		return typed[bool](b, shape, axes)
	case nd.Int8:
		return typed[int8](b, shape, axes)
	case nd.Int16:
		return typed[int16](b, shape, axes)
	case nd.Int32:
		return typed[int32](b, shape, axes)
	case nd.Int64:
		return typed[int64](b, shape, axes)
	case nd.Uint8:
		return typed[uint8](b, shape, axes)
	case nd.Uint16:
		return typed[uint16](b, shape, axes)
	case nd.Uint32:
		return typed[uint32](b, shape, axes)
	case nd.Uint64:
		return typed[uint64](b, shape, axes)
	case nd.F16:
		return typed[nd.Float16](b, shape, axes)
	case nd.BF16:
		return typed[nd.BFloat16](b, shape, axes)
	case nd.F32:
		return typed[float32](b, shape, axes)
	case nd.F64:
		return typed[float64](b, shape, axes)
	case nd.C64:
		return typed[complex64](b, shape, axes)
	case nd.C128:
		return typed[complex128](b, shape, axes)
	}
	panic(&nd.Error{Op: "FromBuffer", Msg: fmt.Sprintf("there are no arrays of %v", dt)})
}

func typed[T nd.Elem](b *gpu.Buffer[byte], shape, axes []int) nd.Operand {
	a := nd.FromBuffer(gpu.Reinterpret[T](b))
	switch {
	case len(shape) == 0:
		return a.Reshape()
	case axes == nil:
		return a.Reshape(shape...)
	}
	return a.Reshape(shape...).Transpose(axes...)
}

// Empty is an array whose elements are not set, on the current device unless one is given, and its memory.
func Empty(dt nd.DType, shape []int, on ...*gpu.Device) (a nd.Operand, b *gpu.Buffer[byte], err error) {
	n := 1
	for _, k := range shape {
		n *= k
	}
	err = nd.Try(func() { b = gpu.Alloc[byte](n*dt.Size(), on...) })
	if err != nil {
		return nil, nil, err
	}
	a, err = FromBuffer(dt, b, shape)
	return a, b, err
}
