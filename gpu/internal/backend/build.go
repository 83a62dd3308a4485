package backend

// Build is what a compiler for NVIDIA's GPUs made of a program. The GPU need not be there.
type Build struct {
	Arch     string // what it is for, "sm_90"
	Compiler string // "NVRTC 13.0"
	Kernels  []BuiltKernel
	// SASSProblem is why the kernels have no SASS, if they have none.
	SASSProblem string
}

// BuiltKernel is one kernel of a build.
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

// Unknown stands for a count that nobody can tell.
const Unknown = -1

// Instruction is one line of code that the compiler has made: an instruction, or a label.
type Instruction struct {
	Address int // bytes from the kernel's beginning; in PTX, which has no addresses, -1
	Text    string
	File    string // "cell[3].cu"; "" if the compiler does not say
	Line    int
}
