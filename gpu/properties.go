package gpu

import "github.com/gopherwarp/gopherwarp/gpu/internal/backend"

// Properties are the limits and sizes of a device, by the names of CUDA's cudaDeviceProp.
type Properties struct {
	Name                        string
	Ordinal                     int
	Simulated                   bool
	ComputeMajor, ComputeMinor  int
	MultiProcessorCount         int
	WarpSize                    int
	MaxThreadsPerBlock          int
	MaxThreadsPerMultiProcessor int
	MaxBlockDim, MaxGridDim     [3]int
	SharedMemPerBlock           int // bytes, static plus dynamic, without opting in
	SharedMemPerBlockOptin      int // bytes
	RegistersPerBlock           int
	L2CacheSize                 int // bytes
	ClockRate                   int // kHz
	MemoryClockRate             int // kHz
	MemoryBusWidth              int // bits
	TotalMemory                 uint64
	DriverVersion               int // e.g. 13000 for CUDA 13.0; 0 on the simulator

	// MaxBlocksPerMultiProcessor is how many blocks can be on one at the same time.
	MaxBlocksPerMultiProcessor  int
	RegsPerMultiprocessor       int
	SharedMemPerMultiprocessor  int // bytes
	ReservedSharedMemPerBlock   int // bytes of it that each block costs beside its own
	StreamPrioritiesSupported   int // 1 if there are several
	LeastPriority, MostPriority int // of streams: numbers, the lower the more urgent
	CooperativeLaunch           int // 1 if a grid can wait for all of its blocks
	ClusterLaunch               int // 1 if blocks can form clusters
	// CanUseHostPointerForRegisteredMem is 1 if kernels can use pinned host memory at the
	// address that it has on the host.
	CanUseHostPointerForRegisteredMem int
}

// Arch returns the architecture of the device, as compilers name it: "sm_90".
func (p *Properties) Arch() string { return (*backend.Properties)(p).Arch() }

// Fit computes the occupancy of a kernel as the driver does, for blocks of that many threads with
// that many bytes of dynamic shared memory. Registers that are Unknown count as none.
func (p *Properties) Fit(r Resources, threads, dynamicShared int) Fit {
	return Fit((*backend.Properties)(p).Fit(backend.Resources(r), threads, dynamicShared))
}
