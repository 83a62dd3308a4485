package gpu

import (
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// Param is a parameter of a kernel: its name and C type, how it is passed, its size and
// alignment in bytes, and the Go type of its elements if it is a pointer.
type Param = wire.Param

// Info is what the device knows of a kernel: registers, memory, and how many threads a block
// of it may have.
type Info = backend.FunctionInfo

// Kernel is a __global__ function, ready to be launched.
type Kernel struct {
	name    string
	fn      uint32
	mod     *Module
	params  []Param
	offsets []int // of the parameters in the argument buffer
	size    int   // of the argument buffer
	info    Info
}

func newKernel(m *Module, w wire.Kernel) *Kernel {
	k := &Kernel{name: w.Name, fn: w.Func, mod: m, params: w.Params, info: w.Info}
	for _, p := range k.params {
		if p.Align > 0 {
			k.size = (k.size + p.Align - 1) / p.Align * p.Align
		}
		k.offsets = append(k.offsets, k.size)
		k.size += p.Size
	}
	return k
}

// Name is the kernel's name in the source.
func (k *Kernel) Name() string { return k.name }

// Params are the kernel's parameters in order.
func (k *Kernel) Params() []Param { return append([]Param(nil), k.params...) }

// Info is what the device knows of the kernel.
func (k *Kernel) Info() Info { return k.info }

// Module is the program that the kernel is part of.
func (k *Kernel) Module() *Module { return k.mod }

// String is the kernel's signature.
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

// describe names a parameter in messages.
func describe(p *Param) string {
	if p.Name == "" {
		return "(" + p.CType + ")"
	}
	return p.Name + " (" + p.CType + ")"
}
