package arrowio

import (
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/arrow/tensor"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/gpu/nd/internal/dynamic"
)

// ToTensor waits for an array and returns it as an Arrow tensor, in row-major order. The caller must release it. Arrow-go has tensors of
// integers, float32 and float64. Names are those of the axes; there may be none.
func ToTensor(a nd.Operand, names ...string) (tensor.Interface, error) {
	const doing = "making a tensor of Arrow"
	var dt nd.DType
	var shape []int
	if err := nd.Try(func() { dt, shape, _ = nd.Describe(a) }); err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	t, err := typeOf(dt)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", doing, err)
	case dt == nd.Bool || dt == nd.F16:
		return nil, fmt.Errorf("%s: arrow-go has none of %v: convert the array by nd.AsType", doing, dt)
	case len(names) > 0 && len(names) != len(shape):
		return nil, fmt.Errorf("%s: %d names for %d axes", doing, len(names), len(shape))
	}
	host, err := fetch(a)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	n := 1
	lens := make([]int64, len(shape))
	for i, k := range shape {
		n *= k
		lens[i] = int64(k)
	}
	data := array.NewData(t, n, []*memory.Buffer{nil, memory.NewBufferBytes(host)}, nil, 0, 0)
	defer data.Release()
	return tensor.New(data, lens, nil, names), nil
}

// FromTensor copies an Arrow tensor of any strides to the current device.
func FromTensor(t tensor.Interface) (nd.Operand, error) {
	const doing = "reading a tensor of Arrow"
	if t == nil {
		return nil, errors.New(doing + ": it is nil")
	}
	dt, err := dtypeOf(t.DataType())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	shape := make([]int, t.NumDims())
	for i, n := range t.Shape() {
		shape[i] = int(n)
	}
	a, b, err := dynamic.Empty(dt, shape, nil, nil)
	if err != nil || b.Len() == 0 {
		return a, err
	}
	bytes := t.Data().Buffers()[1].Bytes()[t.Data().Offset()*dt.Size():]
	if !t.IsRowMajor() {
		bytes = gather(make([]byte, 0, b.Len()), bytes, t.Shape(), t.Strides(), dt.Size())
	}
	if len(bytes) < b.Len() {
		return nil, fmt.Errorf("%s: it is damaged: %d bytes of %d are there", doing, len(bytes), b.Len())
	}
	if err := b.CopyFrom(bytes[:b.Len()]); err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	return a, nil
}

// gather appends elements in row-major order. Strides are in bytes.
func gather(to, from []byte, shape, strides []int64, size int) []byte {
	if len(shape) == 0 {
		return append(to, from[:size]...)
	}
	for i := range shape[0] {
		to = gather(to, from[i*strides[0]:], shape[1:], strides[1:], size)
	}
	return to
}
