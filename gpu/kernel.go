package gpu

import (
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// A Param is a parameter of a kernel.
type Param struct {
	Name, CType string
	Kind        string // "bool", "int", "uint", "float", "pointer", "struct", "texture", "surface", or "" if Go cannot pass it
	Size, Align int    // bytes
	Elem        string // Go type of the value, or of the pointer's elements; "" if Go has none
	Const       bool   // for a pointer: the kernel only reads through it
	Problem     string // why Go cannot pass it; "" if it can
}

// paramKinds has the names of the kinds.
var paramKinds = [...]string{
	wire.ParamUnsupported: "", wire.ParamBool: "bool", wire.ParamInt: "int", wire.ParamUint: "uint", wire.ParamFloat: "float",
	wire.ParamPointer: "pointer", wire.ParamStruct: "struct", wire.ParamTexture: "texture", wire.ParamSurface: "surface",
}

func newParam(p wire.Param) Param {
	return Param{Name: p.Name, CType: p.CType, Kind: paramKinds[p.Kind], Size: p.Size, Align: p.Align, Elem: p.Elem, Const: p.Const, Problem: p.Problem}
}

// An Info has the attributes of a compiled kernel, by the names of CUDA's cudaFuncAttributes. Sizes are in bytes.
type Info struct {
	MaxThreadsPerBlock int
	NumRegs            int // per thread
	SharedSizeBytes    int // static, per block
	LocalSizeBytes     int // per thread
	ConstSizeBytes     int
}

// A Kernel is a __global__ function, ready to be launched.
type Kernel struct {
	name     string
	fn       uint32
	mod      *Module
	params   []wire.Param
	offsets  []int // of the parameters in the argument buffer
	size     int   // of the argument buffer
	info     Info
	resident residents
}

// residents caches how many blocks fit on the device, by resources.
type residents struct {
	mu     sync.Mutex
	blocks map[resources]int
}

// resources are what a block of a launch needs: threads and bytes of dynamic shared memory.
type resources struct{ threads, shared int }

func newKernel(m *Module, w wire.Kernel) *Kernel {
	k := &Kernel{name: w.Name, fn: w.Func, mod: m, params: w.Params, info: Info(w.Info)}
	for _, p := range k.params {
		if p.Align > 0 {
			k.size = (k.size + p.Align - 1) / p.Align * p.Align
		}
		k.offsets = append(k.offsets, k.size)
		k.size += p.Size
	}
	return k
}

// Name returns the kernel's name in the source.
func (k *Kernel) Name() string { return k.name }

// Params returns the kernel's parameters in order.
func (k *Kernel) Params() []Param { return each(k.params, newParam) }

// Info returns the attributes of the compiled kernel.
func (k *Kernel) Info() Info { return k.info }

// Module returns the program that the kernel is part of.
func (k *Kernel) Module() *Module { return k.mod }

// String returns the kernel's signature.
func (k *Kernel) String() string {
	var list []string
	for _, p := range k.params {
		gap := " "
		if p.Name == "" || strings.HasSuffix(p.CType, "*") {
			gap = ""
		}
		list = append(list, p.CType+gap+p.Name)
	}
	return k.name + "(" + strings.Join(list, ", ") + ")"
}

// describe returns a parameter's name and type, for messages.
func describe(p *wire.Param) string {
	if p.Name == "" {
		return "(" + p.CType + ")"
	}
	return p.Name + " (" + p.CType + ")"
}

// An Occupancy is the share of a multiprocessor's warps that a kernel can use.
type Occupancy struct {
	Threads  int     // per block
	Blocks   int     // resident on a multiprocessor
	Warps    int     // resident on a multiprocessor
	Fraction float64 // Warps / the multiprocessor's maximum of warps
}

func (o Occupancy) String() string {
	return fmt.Sprintf("%d blocks of %d threads on a multiprocessor: %d warps, %.0f %%", o.Blocks, o.Threads, o.Warps, 100*o.Fraction)
}

// Occupancy returns how many blocks of that many threads, with that many bytes of dynamic shared memory, can be resident on a
// multiprocessor. On the simulator registers do not limit it. It is an error if threads is not positive or sharedBytes is negative.
func (k *Kernel) Occupancy(threads, sharedBytes int) (Occupancy, error) {
	op := "computing the occupancy of " + k.name
	if threads <= 0 || sharedBytes < 0 {
		return Occupancy{}, misuse(op, "a block of %d threads and %d bytes of shared memory cannot be", threads, sharedBytes)
	}
	return k.occupancy(op, threads, sharedBytes)
}

// SuggestBlock returns the occupancy for the number of threads per block that gives a multiprocessor the most resident threads; of
// several such numbers it takes the largest. Blocks have that many bytes of dynamic shared memory.
func (k *Kernel) SuggestBlock(sharedBytes int) (Occupancy, error) {
	op := "looking for a good block of " + k.name
	if sharedBytes < 0 {
		return Occupancy{}, misuse(op, "%d bytes of shared memory cannot be", sharedBytes)
	}
	return k.occupancy(op, 0, sharedBytes)
}

func (k *Kernel) occupancy(op string, threads, sharedBytes int) (o Occupancy, err error) {
	l := k.mod.dev.link
	defer runtime.KeepAlive(k.mod)
	req := &wire.Occupancy{Func: k.fn, SharedBytes: uint32(sharedBytes), Threads: threads}
	if err := l.Ask(req); err != nil {
		return Occupancy{}, wrap(op, err)
	}
	o.Threads, o.Blocks = req.Threads, req.Blocks
	if props := l.Properties(); props.WarpSize > 0 {
		o.Warps = o.Blocks * ((o.Threads + props.WarpSize - 1) / props.WarpSize)
		if limit := props.MaxThreadsPerMultiProcessor / props.WarpSize; limit > 0 {
			o.Fraction = float64(o.Warps) / float64(limit)
		}
	}
	return o, nil
}
