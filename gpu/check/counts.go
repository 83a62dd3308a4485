package check

import "github.com/gopherwarp/gopherwarp/gpu/internal/backend"

// An Access counts the accesses of one line of a kernel to one kind of memory. A request is the access of all lanes of a warp to memory
// in one instruction.
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

// SectorsPerRequest returns the mean number of 32-byte sectors that a request accesses: 4 for coalesced accesses of 32 lanes to 4 bytes
// each, 32 if each lane accesses a sector of its own.
func (a Access) SectorsPerRequest() float64 { return backend.Access(a).SectorsPerRequest() }

// BestSectorsPerRequest returns what SectorsPerRequest would be for coalesced accesses.
func (a Access) BestSectorsPerRequest() float64 { return backend.Access(a).BestSectorsPerRequest() }

// ConflictsPerRequest returns the mean number of additional cycles of a request because several lanes access different words of one bank
// of shared memory: 0 without bank conflicts.
func (a Access) ConflictsPerRequest() float64 { return backend.Access(a).ConflictsPerRequest() }

// ActiveLanes returns the mean number of active lanes of a request, at most 32.
func (a Access) ActiveLanes() float64 { return backend.Access(a).ActiveLanes() }

// LanesPerAddress returns the mean number of lanes of an atomic request that access the same address, and so are serialized: 1 at best.
func (a Access) LanesPerAddress() float64 { return backend.Access(a).LanesPerAddress() }

// Operations counts the floating-point operations of one line of a kernel, by precision. A fused multiply-add counts as two, a division
// or square root as one; operations within functions such as expf are not counted. Half precision, which the simulator computes in single
// precision, counts as single precision.
type Operations struct {
	Program, Kernel string
	Line            int
	FP32, FP64      uint64
}

// An Effort counts the accesses of a kernel's threads to global memory, including __constant__ and __device__ variables, or to shared
// memory: each load, store and atomic operation of a thread is one.
type Effort struct {
	Program, Kernel string
	Space           string // "global" or "shared"
	Threads         uint64 // of all launches
	Accesses        uint64 // of all threads
	Most            uint64 // of the thread with the most accesses in one launch
	Block, Thread   [3]int // that thread
}
