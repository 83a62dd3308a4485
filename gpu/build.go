package gpu

import (
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// Build is what NVIDIA's compiler has made of a program: the resources that its kernels take, their
// PTX, and their machine code (SASS) with the lines of the source.
type Build = backend.Build

// BuiltKernel is one kernel of a Build.
type BuiltKernel = backend.BuiltKernel

// Resources are what a kernel takes of a multiprocessor.
type Resources = backend.Resources

// Instruction is one line of PTX or SASS.
type Instruction = backend.Instruction

// Unknown stands for a count in Resources that is not known.
const Unknown = backend.Unknown

// BuildOption changes what Module.Build looks at.
type BuildOption func(*buildRequest)

type buildRequest struct {
	arch string
	sass bool
}

// Arch names another architecture than the device's, as NVRTC does: "sm_80".
func Arch(name string) BuildOption { return func(b *buildRequest) { b.arch = name } }

// SASS has nvdisasm read the machine code. If it is missing, Build.SASSProblem says how to get it.
func SASS() BuildOption { return func(b *buildRequest) { b.sass = true } }

// Build compiles the module's program for a GPU and says what came of it. It needs NVRTC, also on
// the simulator, and no GPU.
func (m *Module) Build(opts ...BuildOption) (*Build, error) {
	op := "looking at what was made of " + m.program.Name
	if m.sourceless {
		return nil, misuse(op, "the program was loaded without its source")
	}
	var o buildRequest
	for _, opt := range opts {
		opt(&o)
	}
	req := &wire.Build{Program: m.program, SASS: o.sass}
	req.Program.Check = false
	if o.arch != "" {
		req.Program.Options = append(slices.Clone(m.program.Options), "--gpu-architecture="+o.arch)
	}
	if err := m.dev.link.Ask(req); err != nil {
		return nil, wrap(op, err)
	}
	b := &req.Build
	order := m.Kernels()
	slices.SortFunc(b.Kernels, func(x, y BuiltKernel) int {
		return slices.Index(order, x.Name) - slices.Index(order, y.Name)
	})
	return b, nil
}
