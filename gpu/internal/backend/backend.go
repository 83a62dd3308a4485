package backend

import (
	"fmt"
	"time"
)

// A Backend has the devices of one kind: those of the CUDA driver, or the simulated one.
type Backend interface {
	// Name returns "cuda" or "sim".
	Name() string
	// Count returns the number of devices, whose ordinals are 0 to Count-1.
	Count() (int, error)
	// Open opens a device, which may take a few hundred milliseconds.
	Open(ordinal int) (Device, error)
}

// A Device is an opened device. Its methods are called from one goroutine, locked to its OS thread, in the order of the session's
// commands.
//
// Handles (modules, functions, streams, events) are numbers that the session chooses, so that it can create objects with the same
// handles in a new process after a fault. Stream 0 is the device's default stream and always exists.
//
// Methods that not every device has are in interfaces of their own: Capturer, Checker, Collector, Counter, Lender, Librarian,
// Marker, Profiler, Signaler, Texturer.
type Device interface {
	Properties() Properties
	Memory
	Programs
	Copier
	Streams
	Events

	// Launch launches a kernel. It keeps neither l nor what l points to. It may return before the kernel has run; an error of the
	// kernel is then returned by a later method.
	Launch(l *Launch) error

	// Await returns a Wait for the work of a stream, for an event, or for all work. It returns nil if the work has completed. The
	// Wait may be used while other methods are called.
	Await(what Awaited, handle uint32) (Wait, error)

	// Sync waits for all work of the device and writes the output of device printf to standard output.
	Sync() error
	Close() error
}

// Memory is a device's memory, and the host memory that it can access.
type Memory interface {
	MemInfo() (free, total uint64, err error)

	// CreateChunk allocates size bytes of device memory, rounded up to the device's granularity. Where the memory can be shared,
	// Chunk.FD is a descriptor with which ImportChunk maps the same bytes at the same address in another process; the caller
	// closes it. Otherwise FD is -1. If addr is not 0, the chunk has that address, which an earlier process's chunk of that size
	// had, or there is an error.
	CreateChunk(size, addr uint64) (Chunk, error)
	// ImportChunk maps a chunk of an earlier process at the same address. The caller closes the descriptor afterwards.
	ImportChunk(c Chunk) error
	// MapPeer maps a chunk of another device for reading and writing, at a different address, until ReleaseChunk. It fails where
	// devices cannot access each other's memory.
	MapPeer(c Chunk) (addr uint64, err error)
	// ReleaseChunk frees the chunk, after work that may use it has completed.
	ReleaseChunk(addr uint64) error

	// RegisterHost registers shared host pages (the staging area, page-locked slices) with the device, so that copies from them
	// are asynchronous and run at the full speed of the link.
	RegisterHost(mem []byte) error
	UnregisterHost(mem []byte) error
}

// Programs compiles programs and loads the results.
type Programs interface {
	// Compile compiles CUDA C++ for this device. An error in the source is a *CompileError.
	Compile(p Program) (Image, error)
	// Load loads an image as the module with the handle mod.
	Load(mod uint32, img Image) error
	Unload(mod uint32) error
	// Function assigns the handle fn to a kernel of a module, by its name in the source.
	Function(fn, mod uint32, name string) (FunctionInfo, error)

	// Symbol returns the address and the size of a __device__ or __constant__ variable of a module, by its name in the source.
	// Copies accept the address like any other.
	Symbol(mod uint32, name string) (addr, size uint64, err error)
	// Occupancy returns the number of blocks of a kernel that can be resident on one multiprocessor at the same time.
	Occupancy(fn uint32, threads int, sharedBytes uint32) (int, error)
}

// A Copier copies memory, in the order of a stream.
type Copier interface {
	// CopyHtoD and CopyDtoH are asynchronous if the host memory is registered; otherwise they have read or written it when they
	// return.
	CopyHtoD(dst uint64, src []byte, stream uint32) error
	CopyDtoH(dst []byte, src uint64, stream uint32) error
	CopyDtoD(dst, src, n uint64, stream uint32) error
	// CopyRect copies rows with gaps between them. It treats host memory as CopyHtoD and CopyDtoH do.
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
	// StreamDone reports whether all work of the stream has completed, without waiting.
	StreamDone(stream uint32) (bool, error)
}

// Events are marks in streams.
type Events interface {
	// EventCreate creates an event; one without timing is cheaper.
	EventCreate(event uint32, noClock bool) error
	EventDestroy(event uint32) error
	EventRecord(event, stream uint32) error
	EventSync(event uint32) error
	// EventDone reports whether all work before the event has completed, without waiting.
	EventDone(event uint32) (bool, error)
	// EventElapsed returns the device time between two recorded events.
	EventElapsed(from, to uint32) (time.Duration, error)
}

// Awaited is the kind of work that a Wait is for.
type Awaited uint8

// The kinds of work.
const (
	AwaitAll Awaited = iota // as Sync does
	AwaitStream
	AwaitEvent
)

// A Wait waits for pending work. Its stream or event must not be destroyed before the work has completed.
type Wait interface {
	// Done reports whether the work has completed. It must be called from the goroutine that calls the device's methods.
	Done() (bool, error)
	// Wait waits until the work has completed. It may be called on any OS thread.
	Wait() error
}

// A Capturer is a Device that can record work as a graph. After Capture, work of the stream is recorded instead of being
// executed. EndCapture makes it the graph with that handle, which replaces an earlier one.
type Capturer interface {
	Capture(stream uint32) error
	EndCapture(stream, graph uint32) error
	GraphLaunch(graph, stream uint32) error
	GraphDestroy(graph uint32) error
}

// A Marker is a Device that executes further work before it reports a fault. Mark makes it write a value to shared host memory,
// registered with RegisterHost, when the present work of the stream has completed. So the host can tell after a fault which work
// was completed.
type Marker interface {
	Mark(stream uint32, word *uint32, value uint32) error
}

// A Signaler is a Device that can signal the end of work without the process that uses it. Signal makes it write a value to
// shared host memory, registered with RegisterHost, when the work that Await would wait for has completed. It returns false, and
// does nothing, where that is not possible, or where the process has other tasks than waiting.
type Signaler interface {
	Signal(what Awaited, handle uint32, word *uint32, value uint32) bool
}

// A Sharer is a Device that computes on processors that the process which uses it needs, too. Awaited tells it before each command whether
// that process sleeps until the work is done, so that one of the processors is idle.
type Sharer interface {
	Awaited(bool)
}

// A Chunk is a range of device memory that outlives the process that allocated it.
type Chunk struct {
	Addr uint64 // device address
	Size uint64 // bytes
	FD   int    // shareable handle, or -1
}

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
	SharedMemPerBlock           int // bytes, static plus dynamic, without opting in
	SharedMemPerBlockOptin      int // bytes
	RegistersPerBlock           int
	L2CacheSize                 int // bytes
	ClockRate                   int // kHz
	MemoryClockRate             int // kHz
	MemoryBusWidth              int // bits
	TotalMemory                 uint64
	DriverVersion               int // e.g. 13000 for CUDA 13.0; 0 on the simulator

	// MaxBlocksPerMultiProcessor is the maximum number of resident blocks.
	MaxBlocksPerMultiProcessor  int
	RegsPerMultiprocessor       int
	SharedMemPerMultiprocessor  int // bytes
	ReservedSharedMemPerBlock   int // bytes that the system reserves for each block
	StreamPrioritiesSupported   int // 1 if streams can have priorities
	LeastPriority, MostPriority int // of streams; lower numbers are more urgent
	CooperativeLaunch           int // 1 if all blocks of a grid can synchronize
	ClusterLaunch               int // 1 if blocks can form clusters
	// CanUseHostPointerForRegisteredMem is 1 if kernels can access page-locked host memory at its address on the host.
	CanUseHostPointerForRegisteredMem int
}

// A Program is CUDA C++ source to compile.
type Program struct {
	Name    string // shown in errors, e.g. "cell[3].cu"
	Source  string
	Shown   string   // the text that the program was made from, to which #line refers; "" if the source is the text
	Beside  []Source // texts of the other files that #line names, which devices do not need
	Options []string // NVRTC's options, e.g. "--use_fast_math", "-DN=3"
	Kernels []string // names of kernels in the source ("saxpy", "scale<float>")
	Check   bool     // compile for check mode, which the device must have (Checker)
	Record  bool     // with Check: compile so that launches can be recorded line by line
	// Expression describes what the program's only kernel computes (package expression), for devices that need not compile it then.
	Expression []byte
	// Of a whole program, which may have several files:
	Dir  string   // directory of the source, where #include "name" looks first; "" for the current one
	More []Source // its other files
}

// Source is a file of a whole program.
type Source struct{ Name, Text string } // the name is a path

// An Image is a compiled program: it can be stored, and loaded again without compiling.
type Image struct {
	Data    []byte            // cubin, or the simulator's shared object
	PTX     []byte            // from which a cubin was made, for counting operations; nil if not available
	Lowered map[string]string // symbols by name in the source
	Log     string            // the compiler's warnings
	Cached  bool              // it was read from the disk cache
}

// FunctionInfo is the device's information about a loaded kernel.
type FunctionInfo struct {
	MaxThreadsPerBlock int
	NumRegs            int
	SharedSizeBytes    int // static
	LocalSizeBytes     int
	ConstSizeBytes     int
}

// A Launch is one kernel launch.
type Launch struct {
	Func        uint32
	Grid, Block [3]uint32
	SharedBytes uint32
	Stream      uint32
	// Cooperative launches all blocks at the same time, so that they can synchronize.
	Cooperative bool
	Cluster     [3]uint32 // size of the thread block clusters, in blocks; 0 without clusters
	// Shuffle, if it is not 0, is the seed of a random order of blocks and threads, for devices that otherwise execute them in
	// the same order every time. Others ignore it.
	Shuffle uint32
	// Args is the parameter buffer: the values one after the other, each at its natural alignment, as for
	// CU_LAUNCH_PARAM_BUFFER_POINTER.
	Args []byte
}

// A Rect is a copy of rows. At most one of the host slices is set; it replaces the device address.
type Rect struct {
	Dst, Src           uint64 // device addresses of the first rows
	DstHost, SrcHost   []byte
	DstPitch, SrcPitch uint64 // bytes between the starts of consecutive rows
	Width, Rows        uint64 // bytes per row, and number of rows
	Stream             uint32
}

// Span returns the number of bytes from the start of the first row to the end of the last one, with that pitch.
func (r *Rect) Span(pitch uint64) uint64 {
	if r.Rows == 0 {
		return 0
	}
	return (r.Rows-1)*pitch + r.Width
}

// An Error is an error of the device, with the code and the name of the CUDA driver API.
type Error struct {
	Code    int    // CUresult, e.g. 700
	Name    string // e.g. "CUDA_ERROR_ILLEGAL_ADDRESS"
	Message string // cause, for the user
	// Fatal errors destroy the context: the process must be replaced.
	Fatal bool
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d): %s", e.Name, e.Code, e.Message) }

// A CompileError is an error in CUDA source. Its log has the lines of the program.
type CompileError struct {
	Program string
	Log     string
}

func (e *CompileError) Error() string { return e.Program + " does not compile:\n" + e.Log }
