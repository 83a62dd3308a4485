package backend

import (
	"fmt"
	"time"
)

// A Backend offers the devices of one kind: the CUDA driver's, or the simulated one.
type Backend interface {
	// Name is "cuda" or "sim".
	Name() string
	// Count is the number of devices; opening is by ordinal.
	Count() (int, error)
	// Open makes the device ready to run kernels. It may take a few hundred milliseconds.
	Open(ordinal int) (Device, error)
}

// A Device is one opened device. Its methods are called from one goroutine, locked to
// its OS thread, in the order in which the session asked for them.
//
// Handles (modules, functions, streams, events) are numbers that the session chooses, so
// that it can make the same ones again in a new process after a fault. Stream 0 is the
// device's default stream and always exists.
//
// What not every device can do are interfaces of their own: Capturer, Checker, Collector, Counter,
// Librarian, Marker, Profiler, Signaler, Texturer.
type Device interface {
	Properties() Properties
	Memory
	Programs
	Copier
	Streams
	Events

	// Launch does not keep l or what it points to. It may return before the kernel has
	// run; an error of the kernel is then returned by a later method.
	Launch(l *Launch) error

	// Await returns what waits for a stream, an event, or everything, on any OS thread
	// and while others of these methods are called. It is nil if the work has ended by now.
	Await(what Awaited, handle uint32) (Wait, error)

	// Sync waits for all work of the device and makes device printf visible on
	// standard output.
	Sync() error
	Close() error
}

// Memory is a device's memory, and host memory that the device knows.
type Memory interface {
	MemInfo() (free, total uint64, err error)

	// CreateChunk reserves size bytes of device memory, rounded up to the device's
	// granularity. Where the memory can be shared, Chunk.FD is a descriptor from which
	// ImportChunk makes the same bytes appear at the same address in another process;
	// the caller owns it. Otherwise FD is -1.
	CreateChunk(size uint64) (Chunk, error)
	// ImportChunk maps a chunk of an earlier process at its old address. The caller closes
	// the descriptor afterwards.
	ImportChunk(c Chunk) error
	// MapPeer makes a chunk of another device readable and writable for this one, at an address of
	// its own, until ReleaseChunk. It fails where devices cannot reach each other's memory.
	MapPeer(c Chunk) (addr uint64, err error)
	// ReleaseChunk frees the chunk, after work that may use it has ended.
	ReleaseChunk(addr uint64) error

	// RegisterHost makes shared host pages (the staging area, page-locked slices) known to the device,
	// so that copies from them are asynchronous and run at the link's speed.
	RegisterHost(mem []byte) error
	UnregisterHost(mem []byte) error
}

// Programs compiles programs and loads what was compiled.
type Programs interface {
	// Compile translates CUDA C++ for this very device. A failure in the source is a
	// *CompileError.
	Compile(p Program) (Image, error)
	// Load makes an image's kernels available under the handle mod.
	Load(mod uint32, img Image) error
	Unload(mod uint32) error
	// Function binds the handle fn to a kernel of a module by its source name.
	Function(fn, mod uint32, name string) (FunctionInfo, error)

	// Symbol finds a __device__ or __constant__ variable of a module by its source name. The
	// copies take its address like any other.
	Symbol(mod uint32, name string) (addr, size uint64, err error)
	// Occupancy returns how many blocks of a kernel can be on one multiprocessor at the same time.
	Occupancy(fn uint32, threads int, sharedBytes uint32) (int, error)
}

// A Copier copies memory, in order with the other work of a stream.
type Copier interface {
	// CopyHtoD and CopyDtoH return at once if the host memory is registered, and are done
	// with it on return if it is not.
	CopyHtoD(dst uint64, src []byte, stream uint32) error
	CopyDtoH(dst []byte, src uint64, stream uint32) error
	CopyDtoD(dst, src, n uint64, stream uint32) error
	// CopyRect copies rows that do not follow one another without gaps. What CopyHtoD and
	// CopyDtoH say of host memory holds for it.
	CopyRect(r *Rect) error
	// Fill writes n bytes, repeating pattern, which is 1, 2 or 4 bytes long.
	Fill(dst uint64, pattern []byte, n uint64, stream uint32) error
}

// Streams are queues of work.
type Streams interface {
	StreamCreate(stream uint32, priority int32) error
	StreamDestroy(stream uint32) error
	StreamSync(stream uint32) error
	// StreamWait makes later work of the stream wait for the event.
	StreamWait(stream, event uint32) error
	// StreamDone reports whether all work of the stream has ended, without waiting.
	StreamDone(stream uint32) (bool, error)
}

// Events are marks in streams.
type Events interface {
	// EventCreate makes an event; one without a clock is cheaper.
	EventCreate(event uint32, noClock bool) error
	EventDestroy(event uint32) error
	EventRecord(event, stream uint32) error
	EventSync(event uint32) error
	// EventDone reports whether all work before the event has ended, without waiting.
	EventDone(event uint32) (bool, error)
	// EventElapsed returns the device time between two recorded events.
	EventElapsed(from, to uint32) (time.Duration, error)
}

// Awaited is what a Wait is for.
type Awaited uint8

// What can be waited for.
const (
	AwaitAll Awaited = iota // as Sync does
	AwaitStream
	AwaitEvent
)

// A Wait is for work that is under way. Streams and events must not be destroyed during it.
type Wait interface {
	// Done reports whether the work has ended. It must be called where the device's methods are.
	Done() (bool, error)
	// Wait waits until the work has ended. It may be called on any OS thread.
	Wait() error
}

// A Capturer is a Device that can keep a sequence of work in a form that it launches at once.
// What is given to the stream after Capture is not carried out but kept, until EndCapture makes
// it the graph of that handle, in the place of an earlier one if there is one.
type Capturer interface {
	Capture(stream uint32) error
	EndCapture(stream, graph uint32) error
	GraphLaunch(graph, stream uint32) error
	GraphDestroy(graph uint32) error
}

// A Marker is a Device that carries on while a fault of its work is not noticed yet. Mark has
// it write a value to shared host memory, registered with RegisterHost, when the work that
// the stream has now has ended; so one can tell afterwards how far it came.
type Marker interface {
	Mark(stream uint32, word *uint32, value uint32) error
}

// A Signaler is a Device that can tell whoever waits by itself, without the process that drives it.
// Signal has it write a value to shared host memory, registered with RegisterHost, when all has
// ended that Await would wait for. It returns false, and does nothing, where that can't be done, or
// where the process has more to do than to wait.
type Signaler interface {
	Signal(what Awaited, handle uint32, word *uint32, value uint32) bool
}

// Chunk is a stretch of device memory that outlives the process that made it.
type Chunk struct {
	Addr uint64 // device address
	Size uint64 // bytes
	FD   int    // shareable handle, or -1
}

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

// Program is CUDA C++ source to compile.
type Program struct {
	Name    string   // shown in errors, e.g. "cell[3].cu"
	Source  string   //
	Options []string // NVRTC's options, e.g. "--use_fast_math", "-DN=3"
	Kernels []string // kernels wanted by name, each as in the source ("saxpy", "scale<float>")
	Check   bool     // compile for check mode, which the device must have (Checker)
}

// Image is a compiled program: it can be kept and loaded again without compiling.
type Image struct {
	Data    []byte            // cubin, or the simulator's shared object
	PTX     []byte            // what a cubin was made from, to count what kernels do; nil if it is not known
	Lowered map[string]string // source name to symbol
	Log     string            // the compiler's warnings
	Cached  bool              // came from the disk cache
}

// FunctionInfo says what the device knows of a loaded kernel.
type FunctionInfo struct {
	MaxThreadsPerBlock int
	NumRegs            int
	SharedSizeBytes    int // static
	LocalSizeBytes     int
	ConstSizeBytes     int
}

// Launch is one kernel launch.
type Launch struct {
	Func        uint32
	Grid, Block [3]uint32
	SharedBytes uint32
	Stream      uint32
	// Cooperative grids run all at once, so that their blocks can wait for one another.
	Cooperative bool
	Cluster     [3]uint32 // blocks that run close together; 0 where there are no clusters
	// Shuffle, if it is not 0, is the seed of a random order for blocks and threads, on
	// devices that would have the same order every time. Others ignore it.
	Shuffle uint32
	// Args is the parameter buffer: the values one after the other, each at its
	// natural alignment, as CU_LAUNCH_PARAM_BUFFER_POINTER takes it.
	Args []byte
}

// Rect is a copy of rows between two places. A host slice, if there is one, takes the place of
// the device address; there is at most one.
type Rect struct {
	Dst, Src           uint64 // device addresses of the first rows
	DstHost, SrcHost   []byte
	DstPitch, SrcPitch uint64 // bytes from the start of one row to that of the next
	Width, Rows        uint64 // bytes of a row, and how many rows
	Stream             uint32
}

// Span is how many bytes lie between the start of the first row and the end of the last, at
// that pitch.
func (r *Rect) Span(pitch uint64) uint64 {
	if r.Rows == 0 {
		return 0
	}
	return (r.Rows-1)*pitch + r.Width
}

// Error is a failure of the device, under the CUDA driver API's code and name.
type Error struct {
	Code    int    // CUresult, e.g. 700
	Name    string // e.g. "CUDA_ERROR_ILLEGAL_ADDRESS"
	Message string // what happened, for a person
	// Fatal: the context is lost, so the process must be replaced.
	Fatal bool
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d): %s", e.Name, e.Code, e.Message) }

// CompileError is a failure in CUDA source. Its log names the program's own lines.
type CompileError struct {
	Program string
	Log     string
}

func (e *CompileError) Error() string { return e.Program + " does not compile:\n" + e.Log }
