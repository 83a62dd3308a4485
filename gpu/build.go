package gpu

import (
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// A Build is the result of compiling a program with NVIDIA's compiler: the resources that its kernels need, their PTX, and their machine
// code (SASS) with the lines of the source.
type Build struct {
	Arch     string // the target architecture, e.g. "sm_90"
	Compiler string // e.g. "NVRTC 13.0"
	Kernels  []BuiltKernel
	// SASSProblem says why the kernels have no SASS; "" if they have.
	SASSProblem string
}

// A BuiltKernel is one kernel of a Build.
type BuiltKernel struct {
	Name, Symbol string // in the source, and in the compiled code
	Resources    Resources
	PTX, SASS    []Instruction
}

// Resources are the resources of a multiprocessor that a kernel needs. A count may be Unknown.
type Resources struct {
	Registers   int // per thread
	Shared      int // static, bytes per block
	Stack       int // bytes of local memory per thread
	SpillStores int // bytes that a thread writes to local memory, for lack of registers
	SpillLoads  int // bytes that it reads back
	Constant    int // bytes
	Barriers    int // per block
	MaxThreads  int // per block, as set by __launch_bounds__; 0 without it
}

// Unknown is the value of a count in Resources that is not known.
const Unknown = -1

// An Instruction is one line of PTX or SASS: an instruction or a label.
type Instruction struct {
	Address int // bytes from the kernel's first instruction; -1 in PTX, which has no addresses
	Text    string
	File    string // e.g. "cell[3].cu"; "" if unknown
	Line    int
}

// newBuild converts the result of the compiler's reader to the public type.
func newBuild(b *backend.Build) *Build {
	public := &Build{Arch: b.Arch, Compiler: b.Compiler, SASSProblem: b.SASSProblem}
	line := func(i backend.Instruction) Instruction { return Instruction(i) }
	for _, k := range b.Kernels {
		public.Kernels = append(public.Kernels, BuiltKernel{
			Name: k.Name, Symbol: k.Symbol, Resources: Resources(k.Resources), PTX: each(k.PTX, line), SASS: each(k.SASS, line),
		})
	}
	return public
}

// A BuildOption changes what Module.Build returns.
type BuildOption func(*buildRequest)

type buildRequest struct {
	arch string
	sass bool
}

// WithArch sets an architecture other than the device's, by NVRTC's name for it, e.g. "sm_80".
func WithArch(name string) BuildOption { return func(b *buildRequest) { b.arch = name } }

// WithSASS adds the machine code, disassembled by nvdisasm. If that is missing, Build.SASSProblem says how to install it.
func WithSASS() BuildOption { return func(b *buildRequest) { b.sass = true } }

// Build compiles the module's program for a GPU and returns the result. It needs NVRTC, also on the simulator, but no GPU. It is an error
// for a module of LoadImage, which has no source.
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
	b := newBuild(&req.Build)
	order := m.Kernels()
	slices.SortFunc(b.Kernels, func(x, y BuiltKernel) int {
		return slices.Index(order, x.Name) - slices.Index(order, y.Name)
	})
	return b, nil
}
