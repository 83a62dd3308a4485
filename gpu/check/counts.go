package check

import "github.com/gopherwarp/gopherwarp/gpu/internal/backend"

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
func (a Access) SectorsPerRequest() float64 { return backend.Access(a).SectorsPerRequest() }

// BestSectorsPerRequest is what SectorsPerRequest would be if the lanes accessed memory side
// by side.
func (a Access) BestSectorsPerRequest() float64 { return backend.Access(a).BestSectorsPerRequest() }

// ConflictsPerRequest is how many turns a warp's request has to wait for because several
// lanes want different words of one bank of shared memory: 0 at best.
func (a Access) ConflictsPerRequest() float64 { return backend.Access(a).ConflictsPerRequest() }

// ActiveLanes is the number of lanes that take part in a request, of 32.
func (a Access) ActiveLanes() float64 { return backend.Access(a).ActiveLanes() }

// LanesPerAddress is how many lanes of an atomic request want the same address and so wait
// for each other: 1 at best.
func (a Access) LanesPerAddress() float64 { return backend.Access(a).LanesPerAddress() }

// Operations counts the floating-point operations of one line of a kernel, by precision. A fused
// multiply-add is two, a division or square root one; the inside of functions such as expf is
// not counted. Half precision, which the simulator computes in single precision, counts as that.
type Operations struct {
	Program, Kernel string
	Line            int
	FP32, FP64      uint64
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
