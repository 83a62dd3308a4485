package gpu

import "github.com/gopherwarp/gopherwarp/gpu/internal/backend"

// Properties are the limits and sizes of a device, with the names of CUDA's cudaDeviceProp.
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
	SharedMemPerBlock           int // bytes, static and dynamic, without opting in
	SharedMemPerBlockOptin      int // bytes, static and dynamic, with opting in
	RegistersPerBlock           int
	L2CacheSize                 int    // bytes
	ClockRate                   int    // kHz
	MemoryClockRate             int    // kHz
	MemoryBusWidth              int    // bits
	TotalMemory                 uint64 // bytes
	DriverVersion               int    // e.g. 13000 for CUDA 13.0; 0 on the simulator

	// MaxBlocksPerMultiProcessor is the maximum number of blocks that can be resident on a multiprocessor.
	MaxBlocksPerMultiProcessor  int
	RegsPerMultiprocessor       int
	SharedMemPerMultiprocessor  int // bytes
	ReservedSharedMemPerBlock   int // bytes that each block needs in addition to its own
	StreamPrioritiesSupported   int // 1 if streams can have priorities, else 0
	LeastPriority, MostPriority int // of streams; lower numbers are more urgent
	CooperativeLaunch           int // 1 if the blocks of a grid can synchronize, else 0
	ClusterLaunch               int // 1 if blocks can form clusters, else 0
	// CanUseHostPointerForRegisteredMem is 1 if kernels can access page-locked host memory at its host address, else 0.
	CanUseHostPointerForRegisteredMem int
}

// Arch returns the device's architecture by its name for compilers, e.g. "sm_90".
func (p *Properties) Arch() string { return (*backend.Properties)(p).Arch() }

// Fit returns the occupancy of a kernel, computed as the driver does, for blocks of that many threads with that many bytes of dynamic
// shared memory. Registers that are Unknown do not limit it.
func (p *Properties) Fit(r Resources, threads, dynamicShared int) Fit {
	return Fit((*backend.Properties)(p).Fit(backend.Resources(r), threads, dynamicShared))
}
