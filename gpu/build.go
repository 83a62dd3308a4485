package gpu

import (
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// Build is what NVIDIA's compiler has made of a program: the resources that its kernels take, their
// PTX, and their machine code (SASS) with the lines of the source.
type Build struct {
	Arch     string // what it is for, "sm_90"
	Compiler string // "NVRTC 13.0"
	Kernels  []BuiltKernel
	// SASSProblem is why the kernels have no SASS, if they have none.
	SASSProblem string
}

// BuiltKernel is one kernel of a Build.
type BuiltKernel struct {
	Name, Symbol string // in the source, and in the compiled code
	Resources    Resources
	PTX, SASS    []Instruction
}

// Resources are what a kernel takes of a multiprocessor. A count that is not known is Unknown.
type Resources struct {
	Registers   int // of a thread
	Shared      int // static, bytes of a block
	Stack       int // bytes of local memory of a thread
	SpillStores int // bytes that a thread writes to local memory for want of registers
	SpillLoads  int // and reads from it again
	Constant    int // bytes
	Barriers    int // of a block
	MaxThreads  int // of a block, by __launch_bounds__ if it has that; 0 if it has not
}

// Unknown stands for a count in Resources that is not known.
const Unknown = -1

// Instruction is one line of PTX or SASS: an instruction, or a label.
type Instruction struct {
	Address int // bytes from the kernel's beginning; in PTX, which has no addresses, -1
	Text    string
	File    string // "cell[3].cu"; "" if the compiler does not say
	Line    int
}

// newBuild makes the public form of what the compiler's reader returns.
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

// BuildOption changes what Module.Build looks at.
type BuildOption func(*buildRequest)

type buildRequest struct {
	arch string
	sass bool
}

// WithArch sets another architecture than the device's, as NVRTC does: "sm_80".
func WithArch(name string) BuildOption { return func(b *buildRequest) { b.arch = name } }

// WithSASS has nvdisasm read the machine code. If it is missing, Build.SASSProblem says how to get it.
func WithSASS() BuildOption { return func(b *buildRequest) { b.sass = true } }

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
	b := newBuild(&req.Build)
	order := m.Kernels()
	slices.SortFunc(b.Kernels, func(x, y BuiltKernel) int {
		return slices.Index(order, x.Name) - slices.Index(order, y.Name)
	})
	return b, nil
}
