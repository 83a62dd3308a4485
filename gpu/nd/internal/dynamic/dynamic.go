package dynamic

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/gpu/nd/internal/fresh"
)

// Empty returns an array whose elements are undefined, on a device or, if that is nil, the current one, and its memory, which has
// elements of that shape in row-major order: the caller sets them before the array is used. Axes may be given, as to Transpose, if those of
// the array are to be in another order.
func Empty(dt nd.DType, shape, axes []int, on *gpu.Device) (a nd.Operand, b *gpu.Buffer[byte], err error) {
	err = nd.Try(func() {
		a = makeEmpty(dt, shape, axes, on)
		b = fresh.Memory(a)
	})
	return a, b, err
}

func makeEmpty(dt nd.DType, shape, axes []int, on *gpu.Device) nd.Operand {
	switch dt {
	case nd.Bool:
		return empty[bool](shape, axes, on)
	case nd.Int8:
		return empty[int8](shape, axes, on)
	case nd.Int16:
		return empty[int16](shape, axes, on)
	case nd.Int32:
		return empty[int32](shape, axes, on)
	case nd.Int64:
		return empty[int64](shape, axes, on)
	case nd.Uint8:
		return empty[uint8](shape, axes, on)
	case nd.Uint16:
		return empty[uint16](shape, axes, on)
	case nd.Uint32:
		return empty[uint32](shape, axes, on)
	case nd.Uint64:
		return empty[uint64](shape, axes, on)
	case nd.F16:
		return empty[nd.Float16](shape, axes, on)
	case nd.BF16:
		return empty[nd.BFloat16](shape, axes, on)
	case nd.F32:
		return empty[float32](shape, axes, on)
	case nd.F64:
		return empty[float64](shape, axes, on)
	case nd.C64:
		return empty[complex64](shape, axes, on)
	case nd.C128:
		return empty[complex128](shape, axes, on)
	}
	panic(&nd.Error{Op: "Empty", Msg: fmt.Sprintf("there are no arrays of %v", dt)})
}

func empty[T nd.Elem](shape, axes []int, on *gpu.Device) nd.Operand {
	a := nd.Empty[T](shape...)
	if on != nil {
		a = a.To(on)
	}
	if axes != nil {
		a = a.Transpose(axes...)
	}
	return a
}
