package nd

import (
	"fmt"
	"sync"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// RawKernel is a whole kernel in CUDA C that works on arrays, as CuPy's. In a notebook a %%cuda cell declares kernels whose arguments the
// compiler checks; this type is for kernels that a program writes.
//
//	add := nd.NewRawKernel(`extern "C" __global__ void add(const float *x, float *y, int n) { … }`, "add")
//	err := add.Launch(gpu.For(n, 256), x, y, n)
type RawKernel struct {
	source, name string
	flags        []string
	mu           sync.Mutex
	compiled     map[*gpu.Device]*gpu.Kernel
}

// NewRawKernel returns the kernel of that name in a source, which is compiled at its first launch, with flags as for NVRTC.
func NewRawKernel(source, name string, flags ...string) *RawKernel {
	return &RawKernel{source: source, name: name, flags: flags, compiled: map[*gpu.Device]*gpu.Kernel{}}
}

// Kernel returns the kernel compiled for a device.
func (k *RawKernel) Kernel(d *gpu.Device) (*gpu.Kernel, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if known := k.compiled[d]; known != nil {
		return known, nil
	}
	mod, err := d.Compile(k.source, gpu.WithName(k.name+".cu"), gpu.WithFlags(k.flags...))
	if err != nil {
		return nil, fmt.Errorf("compiling the kernel %s: %w", k.name, err)
	}
	kernel, err := mod.Kernel(k.name)
	if err != nil {
		return nil, err
	}
	k.compiled[d] = kernel
	return kernel, nil
}

// Launch launches the kernel on the device of the arrays among the arguments, and does not wait for it. Arrays are passed by the address
// of their first element and must be contiguous (use Copy if they are not); the other arguments are those of gpu.Kernel.Launch.
// Expressions that were made from an array before keep the old values. Arrays that are split over devices, and views of them, are copied to
// the first device for the kernel to read; what it writes there is lost.
func (k *RawKernel) Launch(cfg gpu.Launch, args ...any) error {
	var d *gpu.Device
	list := make([]any, len(args))
	for i, a := range args {
		list[i] = a
		o, ok := a.(Operand)
		if !ok {
			continue
		}
		if err := Try(func() { list[i] = nodeIn(o).check(k.name).typed() }); err != nil {
			return fmt.Errorf("argument %d of %s: %w", i+1, k.name, err)
		}
		on := nodeIn(o).eng.dev
		if d != nil && on != d {
			return &Error{k.name, fmt.Sprintf("one array is on %s, another on %s: bring them together with To", d.Name(), on.Name())}
		}
		d = on
	}
	if d == nil {
		current, err := gpu.Current()
		if err != nil {
			return err
		}
		d = current
	}
	kernel, err := k.Kernel(d)
	if err != nil {
		return err
	}
	return kernel.Launch(cfg, list...)
}

// typed returns the array's memory as a buffer of its dtype.
func (n *node) typed() any {
	if n.ready(); !n.writable() {
		n = n.copied()
	}
	b := bufferOf(n.written())
	switch n.dt {
	case Bool:
		return gpu.Reinterpret[bool](b)
	case Int8:
		return gpu.Reinterpret[int8](b)
	case Int16:
		return gpu.Reinterpret[int16](b)
	case Int32:
		return gpu.Reinterpret[int32](b)
	case Int64:
		return gpu.Reinterpret[int64](b)
	case Uint8:
		return b
	case Uint16:
		return gpu.Reinterpret[uint16](b)
	case Uint32:
		return gpu.Reinterpret[uint32](b)
	case Uint64:
		return gpu.Reinterpret[uint64](b)
	case F16:
		return gpu.Reinterpret[Float16](b)
	case BF16:
		return gpu.Reinterpret[BFloat16](b)
	case F32:
		return gpu.Reinterpret[float32](b)
	case F64:
		return gpu.Reinterpret[float64](b)
	case C64:
		return gpu.Reinterpret[complex64](b)
	}
	return gpu.Reinterpret[complex128](b)
}
