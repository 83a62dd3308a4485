package backend

import (
	"cmp"
	"slices"
)

// A Checker is a Device that has a check mode, in which kernels run slowly and every access
// to memory is looked at. Programs with Check set are compiled for it.
type Checker interface {
	// Allocated says that size bytes at addr are one buffer from now on. If it is fresh there
	// are no values in it. Until the first call kernels may use all chunks.
	Allocated(addr, size uint64, fresh bool) error
	// Freed says that the buffer is gone. Its memory may be released, or stay.
	Freed(addr uint64) error
	// Views names what the next launch is given to work on. Of a buffer that is named only
	// the named parts may be touched.
	Views(views []View) error
	// Report returns what was seen since the last Report.
	Report() (Report, error)
}

// View is memory that is the argument of a launch.
type View struct {
	Addr, Size uint64 // bytes
	Elem       int    // bytes of an element
	Name       string // of the parameter
	Arg        int    // where the address stands among the launch's arguments, in bytes
	Host       bool   // it is host memory, which is no part of a buffer
}

// Report is what check mode saw of some launches.
type Report struct {
	Launches int
	Findings []Finding // defects, in the order in which they were met, one of a kind for a line
	Accesses []Access  // by program, kernel and line
	// Operations are likewise ordered.
	Operations []Operations
	Efforts    []Effort // by program and kernel
	Note       string   // about how the launches were checked; "" if there is nothing to say
}

// Operations counts the floating-point operations of one line of a kernel, by precision. A fused
// multiply-add is two, a division or square root one; the inside of functions such as expf is
// not counted. Half precision, which the simulator computes in single precision, counts as that.
type Operations struct {
	Program, Kernel string
	Line            int
	FP32, FP64      uint64
}

// Compare orders them by program, kernel and line.
func (o *Operations) Compare(b *Operations) int {
	return cmp.Or(cmp.Compare(o.Program, b.Program), cmp.Compare(o.Kernel, b.Kernel), cmp.Compare(o.Line, b.Line))
}

// JoinOperations adds counts to those of their line in an ordered list.
func JoinOperations(list []Operations, o *Operations) []Operations {
	i, found := slices.BinarySearchFunc(list, o, func(x Operations, o *Operations) int { return x.Compare(o) })
	if found {
		list[i].FP32 += o.FP32
		list[i].FP64 += o.FP64
		return list
	}
	return slices.Insert(list, i, *o)
}

// Effort is how often the threads of a kernel went to global memory, to which __constant__ and __device__
// variables count, or to shared memory: each load, store and atomic operation of a thread is one.
type Effort struct {
	Program, Kernel string
	Space           string // "global" or "shared"
	Threads         uint64 // of all launches
	Accesses        uint64 // of all threads
	Most            uint64 // of the thread that went there most often in one launch
	Block, Thread   [3]int // that thread
}

// JoinEfforts adds a kernel's effort to an ordered list.
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

// Finding is a defect of a kernel.
type Finding struct {
	Kind    string // "out of bounds", "race", …: one of the Kind constants
	Program string // "cell[3].cu"
	Kernel  string
	Line    int    // of the program; 0 if it is not known
	Block   [3]int // the block and the thread that were first seen doing it
	Thread  [3]int // -1 if no thread is known
	Message string // what happens and why it is wrong, for a learner
	Warning bool   // it may be meant
	Count   int    // how often it was seen
	Space   string `json:",omitempty"` // the memory it is about, if it is about "global" or "shared" memory
	Tool    string `json:",omitempty"` // of compute-sanitizer, that has found it; "" for check mode
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
	KindLeak             = "leaked buffer"
)

// Access counts what one line of a kernel did to one kind of memory. A request is what the
// lanes of a warp ask of memory together, in one instruction.
type Access struct {
	Program, Kernel string
	Line            int
	Space           string // "global", to which __constant__ and __device__ variables count, or "shared"
	Op              string // "load", "store" or "atomic"
	Size            int    // bytes that a thread accesses at a time, the most if there are several
	Lanes           uint64 // accesses of single threads
	Bytes           uint64 // of those
	Requests        uint64 // as far as they were counted: the first 4096 of an instruction between barriers
	Active          uint64 // lanes in the counted requests
	Sectors         uint64 // aligned pieces of 32 bytes that the requests touch, in global memory
	Wavefronts      uint64 // turns that the banks of shared memory need
	BestWavefronts  uint64 // the fewest that are possible
	Addresses       uint64 // different addresses in the requests of atomics
}

// SectorsPerRequest is the number of 32-byte sectors that a warp's request touches: 4 if 32
// lanes access 4 bytes each side by side, 32 if each touches a sector of its own.
func (a Access) SectorsPerRequest() float64 { return ratio(a.Sectors, a.Requests) }

// BestSectorsPerRequest is what SectorsPerRequest would be if the lanes accessed memory side
// by side.
func (a Access) BestSectorsPerRequest() float64 {
	return ratio(a.Active*uint64(a.Size), 32*a.Requests)
}

// ConflictsPerRequest is how many turns a warp's request has to wait for because several
// lanes want different words of one bank of shared memory: 0 at best.
func (a Access) ConflictsPerRequest() float64 {
	return ratio(a.Wavefronts-min(a.Wavefronts, a.BestWavefronts), a.Requests)
}

// ActiveLanes is the number of lanes that take part in a request, of 32.
func (a Access) ActiveLanes() float64 { return ratio(a.Active, a.Requests) }

// LanesPerAddress is how many lanes of an atomic request want the same address and so wait
// for each other: 1 at best.
func (a Access) LanesPerAddress() float64 { return ratio(a.Active, a.Addresses) }

func ratio(a, b uint64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Add joins the counts of another access to the same line.
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

// Compare orders accesses by program, kernel, line, space and op.
func (a *Access) Compare(b *Access) int {
	return cmp.Or(
		cmp.Compare(a.Program, b.Program), cmp.Compare(a.Kernel, b.Kernel), cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Space, b.Space), cmp.Compare(a.Op, b.Op),
	)
}
