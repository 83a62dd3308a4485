package dlpack

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/gpu/nd/internal/dynamic"
	"github.com/gopherwarp/gopherwarp/gpu/nd/internal/mapped"
)

// mostAxes is more than the axes of any library: a tensor with more is invalid.
const mostAxes = 64

// Import returns an array with the elements of a tensor, on the current device, and deletes the tensor, also on errors. The elements are
// copied, since the device process cannot access memory of other libraries. For a tensor made by Export it returns the array that was
// exported, without a copy.
func Import(t *ManagedTensorVersioned) (nd.Operand, error) {
	if t == nil {
		return nil, errors.New("importing a tensor: it is nil")
	}
	if t.Major != major {
		err := fmt.Errorf("importing a tensor: it has version %d of DLPack, this is version %d", t.Major, major)
		return nil, errors.Join(err, t.Delete())
	}
	return taken(uintptr(unsafe.Pointer(t)), &t.Tensor, t.Deleter)
}

// ImportUnversioned is like Import but for tensors of older producers.
func ImportUnversioned(t *ManagedTensor) (nd.Operand, error) {
	if t == nil {
		return nil, errors.New("importing a tensor: it is nil")
	}
	return taken(uintptr(unsafe.Pointer(t)), &t.Tensor, t.Deleter)
}

func taken(self uintptr, t *Tensor, f uintptr) (a nd.Operand, err error) {
	if own := exported(self); own != nil && own.array != nil {
		return own.array, discard(self, f)
	}
	a, err = copied(t)
	if err = errors.Join(err, discard(self, f)); err != nil {
		return nil, fmt.Errorf("importing a tensor: %w", err)
	}
	return a, nil
}

// copied returns an array with a copy of a tensor, which still belongs to the caller.
func copied(t *Tensor) (nd.Operand, error) {
	dt, ok := t.DType.dtype()
	switch {
	case !ok:
		return nil, fmt.Errorf("there are no arrays of %v: convert it before", t.DType)
	case t.NDim < 0 || t.NDim > mostAxes || t.NDim > 0 && t.Shape == nil:
		return nil, fmt.Errorf("the tensor is damaged: it has %d axes", t.NDim)
	}
	l := layout{size: dt.Size(), shape: make([]int, t.NDim), strides: make([]int, t.NDim)}
	step, count := 1, 1
	for i := int(t.NDim) - 1; i >= 0; i-- {
		l.shape[i], l.strides[i] = int(unsafe.Slice(t.Shape, t.NDim)[i]), step
		if t.Strides != nil {
			l.strides[i] = int(unsafe.Slice(t.Strides, t.NDim)[i])
		}
		step *= max(l.shape[i], 1)
		count *= l.shape[i]
		if l.shape[i] < 0 || count > 1<<48 || step > 1<<48 {
			return nil, fmt.Errorf("the tensor is damaged: its shape is %v", unsafe.Slice(t.Shape, t.NDim))
		}
	}
	stored, axes := l.sorted()
	if stored.dense() {
		l = stored // an array may have its axes in any order
	} else {
		axes = nil
	}
	a, b, err := dynamic.Empty(dt, l.shape, axes, nil)
	if err != nil {
		return nil, err
	}
	if count > 0 {
		if err := l.fetch(b, t.Device, t.Data+uintptr(t.ByteOffset)); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// layout is the arrangement of a tensor's elements.
type layout struct {
	size           int // of an element, in bytes
	shape, strides []int
}

// sorted returns the layout with its axes in the order of memory, and the index there of each axis of l.
func (l layout) sorted() (stored layout, axes []int) {
	order := make([]int, len(l.shape))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(l.strides[j], l.strides[i]) })
	stored, axes = layout{size: l.size}, make([]int, len(order))
	for place, axis := range order {
		stored.shape, stored.strides = append(stored.shape, l.shape[axis]), append(stored.strides, l.strides[axis])
		axes[axis] = place
	}
	return stored, axes
}

// fetch copies the elements in row-major order.
func (l layout) fetch(b *gpu.Buffer[byte], on Device, at uintptr) error {
	switch on.Type {
	case CPU, CUDAHost, CUDAManaged:
		if l.dense() {
			return b.CopyFrom(mapped.Slice(at, b.Len()))
		}
		return b.CopyFrom(l.gather(make([]byte, 0, b.Len()), at, 0))
	case CUDA:
		return l.fromGPU(b, at, int(on.ID))
	}
	return fmt.Errorf("it lies in memory that cannot be read here (%v): copy it to the host before", on.Type)
}

func (l layout) dense() bool {
	step := 1
	for i := len(l.shape) - 1; i >= 0; i-- {
		if l.shape[i] != 1 && l.strides[i] != step {
			return false
		}
		step *= l.shape[i]
	}
	return true
}

// gather appends the elements in row-major order.
func (l layout) gather(host []byte, at uintptr, axis int) []byte {
	if axis == len(l.shape) {
		return append(host, mapped.Slice(at, l.size)...)
	}
	for i := range l.shape[axis] {
		host = l.gather(host, at+uintptr(i*l.strides[axis]*l.size), axis+1)
	}
	return host
}

// fromGPU copies within the GPU. The array's memory is mapped into this process for that.
func (l layout) fromGPU(b *gpu.Buffer[byte], at uintptr, device int) error {
	if !l.dense() {
		return fmt.Errorf("it lies on a GPU with strides %v: make it contiguous before", l.strides)
	}
	m, err := mapped.Map(b)
	if err != nil {
		return err
	}
	if m.Device < 0 {
		err = errors.New("it lies on a GPU, but arrays are made on the simulator now: copy it to the host before, or choose the GPU by gpu.Use")
	} else if err = mapped.Wait(device); err == nil { // another stream may still write it
		err = mapped.Copy(device, mapped.Transfer{Dst: m.Address, Src: at, Bytes: b.Len()})
	}
	return errors.Join(err, m.Release())
}
