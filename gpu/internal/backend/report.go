package backend

import (
	"cmp"
	"slices"
)

// A Checker is a Device with a check mode, in which kernels run slowly and each memory access is checked. Programs with Check set
// are compiled for it.
type Checker interface {
	// Allocated records a buffer of size bytes at addr. If fresh is set, its contents count as uninitialized. Before the first
	// call, kernels may access all chunks.
	Allocated(addr, size uint64, fresh bool) error
	// Freed records that the buffer was freed. Its memory may be released or kept.
	Freed(addr uint64) error
	// Views sets the memory that the next launch may use. Of a buffer that has views, only these may be accessed. If blocks are
	// given, the launch is recorded, for a program with Record set.
	Views(views []View, recorded Blocks) error
	// Report returns the findings and counts since the last Report.
	Report() (Report, error)
}

// A View is memory that is the argument of a launch.
type View struct {
	Addr, Size uint64 // bytes
	Elem       int    // bytes per element
	Type       string // of the elements, in Go, e.g. "float32"; may be ""
	Name       string // of the parameter
	Arg        int    // offset of the address in the launch's arguments, in bytes
	Host       bool   // host memory, which is not part of a buffer
}

// A Report has the findings and counts of check mode for some launches.
type Report struct {
	Launches int
	Findings []Finding // defects, in the order in which they were found, at most one of each kind per line
	Accesses []Access  // ordered by program, kernel and line
	// Operations are ordered by program, kernel and line.
	Operations []Operations
	Efforts    []Effort // ordered by program, kernel and space
	Note       string   // how the launches were checked; may be ""
	Traces     []Trace  // of recorded launches
}

// Blocks are N blocks of a launch, from the linear index First, that are recorded.
type Blocks struct {
	First, N uint64
	Locals   bool // with the variables of the threads' functions
}

// A Trace is a recorded launch, encoded by package trace.
type Trace struct {
	Program, Kernel string
	Data            []byte
}

// Operations counts the floating-point operations of one line of a kernel, by precision. A fused multiply-add counts as two, a
// division or square root as one; operations within functions such as expf are not counted. Half precision, which the simulator
// computes in single precision, counts as single precision.
type Operations struct {
	Program, Kernel string
	Line            int
	FP32, FP64      uint64
}

// Compare compares by program, kernel and line.
func (o *Operations) Compare(b *Operations) int {
	return cmp.Or(cmp.Compare(o.Program, b.Program), cmp.Compare(o.Kernel, b.Kernel), cmp.Compare(o.Line, b.Line))
}

// JoinOperations adds counts to those of the same line in an ordered list, and returns the list.
func JoinOperations(list []Operations, o *Operations) []Operations {
	i, found := slices.BinarySearchFunc(list, o, func(x Operations, o *Operations) int { return x.Compare(o) })
	if found {
		list[i].FP32 += o.FP32
		list[i].FP64 += o.FP64
		return list
	}
	return slices.Insert(list, i, *o)
}

// An Effort counts the accesses of a kernel's threads to global memory, including __constant__ and __device__ variables, or to
// shared memory: each load, store and atomic operation of a thread is one.
type Effort struct {
	Program, Kernel string
	Space           string // "global" or "shared"
	Threads         uint64 // of all launches
	Accesses        uint64 // of all threads
	Most            uint64 // of the thread with the most accesses in one launch
	Block, Thread   [3]int // that thread
}

// JoinEfforts adds an effort to that of the same kernel and space in an ordered list, and returns the list.
func JoinEfforts(list []Effort, e *Effort) []Effort {
	i, found := slices.BinarySearchFunc(list, e, func(x Effort, e *Effort) int {
		return cmp.Or(cmp.Compare(x.Program, e.Program), cmp.Compare(x.Kernel, e.Kernel), cmp.Compare(x.Space, e.Space))
	})
	if !found {
		return slices.Insert(list, i, *e)
	}
	x := &list[i]
	x.Threads += e.Threads
	x.Accesses += e.Accesses
	if e.Most > x.Most {
		x.Most, x.Block, x.Thread = e.Most, e.Block, e.Thread
	}
	return list
}

// ProgramChecks has functions that are called with check mode's results for a whole program.
type ProgramChecks struct {
	Found func(Finding) // after the launch that has shown it
	Ended func(Report)
}

// A Finding is a defect of a kernel.
type Finding struct {
	Kind    string // "out of bounds", "race", …: one of the Kind constants
	Program string // e.g. "cell[3].cu"
	Kernel  string
	Line    int    // of the program; 0 if unknown
	Block   [3]int // of the first thread with the defect
	Thread  [3]int // of the first thread with the defect; -1 if unknown
	Message string // what happens and why it is wrong, for learners
	Warning bool   // it may be intended
	Count   int    // how often it was found
	Space   string `json:",omitempty"` // "global" or "shared"; "" if it does not concern memory
	Tool    string `json:",omitempty"` // the tool of compute-sanitizer that found it; "" for check mode
}

// The kinds of findings.
const (
	KindOutOfBounds      = "out of bounds"
	KindUseAfterFree     = "use after free"
	KindNullPointer      = "null pointer"
	KindMisaligned       = "misaligned access"
	KindUninitialised    = "uninitialised read"
	KindRace             = "race"
	KindDivergentBarrier = "divergent barrier"
	KindEarlyExit        = "exit before a barrier"
	KindDeadlock         = "deadlock"
	KindWarpMask         = "wrong warp mask"
	KindFault            = "fault"
	KindInactiveLane     = "inactive lane"
	KindLeak             = "leaked buffer"
)

// An Access counts the accesses of one line of a kernel to one kind of memory. A request is the access of all lanes of a warp to
// memory in one instruction.
type Access struct {
	Program, Kernel string
	Line            int
	Space           string // "global", including __constant__ and __device__ variables, or "shared"
	Op              string // "load", "store" or "atomic"
	Size            int    // bytes that a thread accesses at once, the maximum if there are several
	Lanes           uint64 // accesses by single threads
	Bytes           uint64 // accessed by those
	Requests        uint64 // counted requests: the first 4096 of an instruction between barriers
	Active          uint64 // active lanes in the counted requests
	Sectors         uint64 // aligned 32-byte sectors of global memory that the requests access
	Wavefronts      uint64 // cycles that the banks of shared memory need
	BestWavefronts  uint64 // minimum of Wavefronts
	Addresses       uint64 // different addresses in the requests of atomic operations
}

// SectorsPerRequest returns the mean number of 32-byte sectors that a request accesses: 4 for coalesced accesses of 32 lanes to 4
// bytes each, 32 if each lane accesses a sector of its own.
func (a Access) SectorsPerRequest() float64 { return ratio(a.Sectors, a.Requests) }

// BestSectorsPerRequest returns what SectorsPerRequest would be for coalesced accesses.
func (a Access) BestSectorsPerRequest() float64 {
	return ratio(a.Active*uint64(a.Size), 32*a.Requests)
}

// ConflictsPerRequest returns the mean number of additional cycles of a request because several lanes access different words of
// one bank of shared memory: 0 without bank conflicts.
func (a Access) ConflictsPerRequest() float64 {
	return ratio(a.Wavefronts-min(a.Wavefronts, a.BestWavefronts), a.Requests)
}

// ActiveLanes returns the mean number of active lanes of a request, at most 32.
func (a Access) ActiveLanes() float64 { return ratio(a.Active, a.Requests) }

// LanesPerAddress returns the mean number of lanes of an atomic request that access the same address, and so are serialized: 1 at
// best.
func (a Access) LanesPerAddress() float64 { return ratio(a.Active, a.Addresses) }

func ratio(a, b uint64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Add adds the counts of another access on the same line.
func (a *Access) Add(b *Access) {
	a.Size = max(a.Size, b.Size)
	a.Lanes += b.Lanes
	a.Bytes += b.Bytes
	a.Requests += b.Requests
	a.Active += b.Active
	a.Sectors += b.Sectors
	a.Wavefronts += b.Wavefronts
	a.BestWavefronts += b.BestWavefronts
	a.Addresses += b.Addresses
}

// Compare compares by program, kernel, line, space and op.
func (a *Access) Compare(b *Access) int {
	return cmp.Or(
		cmp.Compare(a.Program, b.Program), cmp.Compare(a.Kernel, b.Kernel), cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Space, b.Space), cmp.Compare(a.Op, b.Op),
	)
}
