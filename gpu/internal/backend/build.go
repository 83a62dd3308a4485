package backend

// A Build is the result of compiling a program with NVIDIA's compiler, which needs no GPU.
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
