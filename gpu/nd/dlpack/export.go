package dlpack

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/gpu/nd/internal/mapped"
)

// export is a tensor that has not been deleted. C reads it, so all of it is pinned until the deleter is called.
type export struct {
	versioned      *ManagedTensorVersioned
	plain          *ManagedTensor
	shape, strides []int64
	pins           runtime.Pinner
	array          nd.Operand     // the exported array, unless it was copied
	memory         *mapped.Memory // of the array
}

// exports are the tensors that have not been deleted, by their address. There is one table, as C has one deleter.
var exports struct {
	sync.Mutex
	table map[uintptr]*export
}

// deleter returns the function that C calls.
var deleter = sync.OnceValue(func() uintptr {
	return purego.NewCallback(func(self uintptr) uintptr {
		_ = remove(self) // C's deleters return nothing
		return 0
	})
})

// remove deletes the tensor at an address. Other addresses are ignored.
func remove(self uintptr) error {
	exports.Lock()
	e := exports.table[self]
	delete(exports.table, self)
	exports.Unlock()
	if e == nil {
		return nil
	}
	e.pins.Unpin()
	if e.memory == nil {
		return nil
	}
	return e.memory.Release()
}

// exported returns the tensor at an address, or nil if none was exported there.
func exported(self uintptr) *export {
	exports.Lock()
	defer exports.Unlock()
	return exports.table[self]
}

// Export computes an array, waits for it, and returns a description of its memory, which is shared. Views are exported with their
// strides.
func Export(a nd.Operand) (*ManagedTensorVersioned, error) {
	e := &export{}
	t, err := e.shared(a)
	if err != nil {
		return nil, err
	}
	return e.publish(t, 0), nil
}

// ExportUnversioned is like Export but for consumers without support for versions (a capsule named "dltensor").
func ExportUnversioned(a nd.Operand) (*ManagedTensor, error) {
	e := &export{}
	t, err := e.shared(a)
	if err != nil {
		return nil, err
	}
	return e.publishPlain(t), nil
}

// ExportCopy returns a copy of the array in host memory, for consumers that cannot use the device's.
func ExportCopy(a nd.Operand) (*ManagedTensorVersioned, error) {
	e := &export{}
	var host []byte
	var raw nd.Raw
	err := nd.Try(func() {
		b := nd.Packed(a)
		raw = nd.RawOf(a)
		host = make([]byte, b.Len())
		if err := b.CopyTo(host); err != nil {
			panic(err)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("exporting a copy of an array: %w", err)
	}
	t := e.describe(raw.DType, raw.Shape, nil)
	t.Device = Device{Type: CPU}
	if len(host) > 0 {
		e.pins.Pin(&host[0])
		t.Data = uintptr(unsafe.Pointer(&host[0]))
	}
	return e.publish(t, FlagCopied), nil
}

// ExportSlice returns a description of a slice, whose memory is shared. The elements are in row-major order; no shape means one axis. A
// slice from gpu.Pinned must not be passed to gpu.Unpin before the tensor is deleted.
func ExportSlice[T nd.Elem](s []T, shape ...int) (*ManagedTensorVersioned, error) {
	if len(shape) == 0 {
		shape = []int{len(s)}
	}
	n := 1
	for _, k := range shape {
		if k < 0 {
			return nil, fmt.Errorf("exporting a slice: shape %v: a length is negative", shape)
		}
		n *= k
	}
	if n != len(s) {
		return nil, fmt.Errorf("exporting a slice: %d elements have not the shape %v", len(s), shape)
	}
	e := &export{}
	t := e.describe(nd.DTypeOf[T](), shape, nil)
	t.Device = Device{Type: CPU}
	if len(s) > 0 {
		e.pins.Pin(&s[0])
		t.Data = uintptr(unsafe.Pointer(&s[0]))
	}
	return e.publish(t, 0), nil
}

// shared maps an array's memory.
func (e *export) shared(a nd.Operand) (Tensor, error) {
	var raw nd.Raw
	if err := nd.Try(func() { raw = nd.RawOf(a) }); err != nil {
		return Tensor{}, fmt.Errorf("exporting an array: %w", err)
	}
	m, err := mapped.Map(raw.Memory)
	if err != nil {
		return Tensor{}, fmt.Errorf("exporting an array: %w; dlpack.ExportCopy exports a copy", err)
	}
	e.array, e.memory = a, m
	t := e.describe(raw.DType, raw.Shape, raw.Strides)
	t.Device = Device{Type: CPU}
	if m.Device >= 0 {
		t.Device = Device{CUDA, int32(m.Device)}
	}
	if size(raw.Shape) > 0 {
		t.Data = m.Address
		t.ByteOffset = uint64(raw.Offset * raw.DType.Size())
		// Several consumers ignore the offset.
		t.Data, t.ByteOffset = t.Data+uintptr(t.ByteOffset), 0
	}
	return t, nil
}

func size(shape []int) int {
	n := 1
	for _, k := range shape {
		n *= k
	}
	return n
}

// describe sets everything except the address of the elements. Without strides they are in row-major order.
func (e *export) describe(dt nd.DType, shape, strides []int) Tensor {
	t := Tensor{NDim: int32(len(shape)), DType: dataTypes[dt]}
	if len(shape) == 0 {
		return t
	}
	e.shape, e.strides = make([]int64, len(shape)), make([]int64, len(shape))
	step := 1
	for i := len(shape) - 1; i >= 0; i-- {
		e.shape[i], e.strides[i] = int64(shape[i]), int64(step)
		if strides != nil {
			e.strides[i] = int64(strides[i])
		}
		step *= max(shape[i], 1)
	}
	e.pins.Pin(&e.shape[0])
	e.pins.Pin(&e.strides[0])
	t.Shape, t.Strides = &e.shape[0], &e.strides[0]
	return t
}

func (e *export) publish(t Tensor, flags uint64) *ManagedTensorVersioned {
	e.versioned = &ManagedTensorVersioned{Major: major, Minor: minor, Deleter: deleter(), Flags: flags, Tensor: t}
	e.pins.Pin(e.versioned)
	e.list(uintptr(unsafe.Pointer(e.versioned)))
	return e.versioned
}

func (e *export) publishPlain(t Tensor) *ManagedTensor {
	e.plain = &ManagedTensor{Deleter: deleter(), Tensor: t}
	e.pins.Pin(e.plain)
	e.list(uintptr(unsafe.Pointer(e.plain)))
	return e.plain
}

func (e *export) list(self uintptr) {
	exports.Lock()
	defer exports.Unlock()
	if exports.table == nil {
		exports.table = map[uintptr]*export{}
	}
	exports.table[self] = e
}

// Delete deletes the tensor, as its consumer does by calling the deleter. The tensor must not be used afterwards.
func (t *ManagedTensorVersioned) Delete() error {
	return discard(uintptr(unsafe.Pointer(t)), t.Deleter)
}

// Delete deletes the tensor, as its consumer does by calling the deleter. The tensor must not be used afterwards.
func (t *ManagedTensor) Delete() error { return discard(uintptr(unsafe.Pointer(t)), t.Deleter) }

// discard calls the deleter, or does the same.
func discard(self, f uintptr) error {
	switch {
	case exported(self) != nil:
		return remove(self)
	case f != 0:
		purego.SyscallN(f, self)
	}
	return nil
}
