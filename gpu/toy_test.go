package gpu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/internal/memfd"
)

// toySource has the kernels of toy devices, whose bodies in Go are in toyKernels. It is real CUDA C++, too, for the tests that run
// everywhere.
const toySource = `
__global__ void saxpy(float a, const float *x, float *y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) y[i] += a * x[i];
}
__global__ void addone(int *x, int n) {
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i]++;
}
__global__ void mixed(bool b, double d, signed char c, unsigned long long u, unsigned short s, float *out) {
	out[0] = b; out[1] = d; out[2] = c; out[3] = u; out[4] = s;
}
__global__ void empty(float *x, float a, int n) {}
__global__ void hello(int n) { printf("hello from the device: %d\n", n); }
__global__ void refuse(int n) {}
__global__ void fault(float *x) { x[1ll << 40] = 1; }
__global__ void die(float *x) {}
__global__ void gate(int *x) { while (*(volatile int *)x == 0) {} }
__global__ void open(int *x) { *(volatile int *)x = 1; }
__global__ void hang(float *x) { while (*(volatile float *)x >= 0) {} }
`

// toy is a backend without any hardware: a few kernels in Go on memory that other
// processes can map. Like a GPU it reports faults late, at the next wait.
type toy struct{}

// toyVariables is where the variable coef of each module is, 16 bytes long.
const toyVariables = 0x6000_0000_0000

func (d *toyDevice) Symbol(mod uint32, name string) (addr, size uint64, err error) {
	if name != "coef" {
		return 0, 0, &backend.Error{Code: 500, Name: "CUDA_ERROR_NOT_FOUND", Message: "no variable " + name}
	}
	addr = toyVariables + uint64(mod)<<12
	if d.chunks[addr] == nil {
		d.chunks[addr] = make([]byte, 16)
	}
	return addr, 16, d.sticky
}

func (d *toyDevice) Occupancy(fn uint32, threads int, sharedBytes uint32) (int, error) {
	if threads > 768 { // as if for want of registers
		return 0, nil
	}
	return 2048 / threads, nil
}

// Mark is late by nothing, as the kernels are.
func (d *toyDevice) Mark(stream uint32, word *uint32, value uint32) error {
	if d.sticky == nil {
		*word = value
	}
	return d.sticky
}

func (toy) Name() string        { return "toy" }
func (toy) Count() (int, error) { return 2, nil }

func (toy) Open(ordinal int) (backend.Device, error) {
	if ordinal >= 2 {
		return nil, &backend.Error{Code: 101, Name: "CUDA_ERROR_INVALID_DEVICE", Message: fmt.Sprintf("there is no toy %d", ordinal)}
	}
	return &toyDevice{
		ordinal: ordinal, next: toyBase, chunks: map[uint64][]byte{}, modules: map[uint32]bool{}, functions: map[uint32]string{},
		streams: map[uint32]bool{0: true}, events: map[uint32]time.Time{},
		gates: map[uint32]chan struct{}{},
	}, nil
}

const (
	toyBase  = 0x7000_0000_0000
	toyTotal = 256 << 20
)

type toyDevice struct {
	ordinal   int
	next      uint64
	used      uint64
	chunks    map[uint64][]byte
	modules   map[uint32]bool
	functions map[uint32]string
	streams   map[uint32]bool
	events    map[uint32]time.Time
	gates     map[uint32]chan struct{} // by stream: its work ends when this is closed
	printf    strings.Builder
	sticky    error

	signalling sync.WaitGroup // words that are still to be written
	signals    int
}

func (d *toyDevice) Properties() backend.Properties {
	return backend.Properties{
		Name: "Toy", Ordinal: d.ordinal, WarpSize: 32, MaxThreadsPerBlock: 1024,
		MaxBlockDim: [3]int{1024, 1024, 64}, MaxGridDim: [3]int{1<<31 - 1, 65535, 65535},
		SharedMemPerBlock: 48 << 10, TotalMemory: toyTotal, MaxThreadsPerMultiProcessor: 2048, L2CacheSize: 64 << 10,
		ClockRate: 1_000_000, MultiProcessorCount: 2, CooperativeLaunch: 1, ClusterLaunch: 1, LeastPriority: 0, MostPriority: -2, CanUseHostPointerForRegisteredMem: 1,
	}
}

func (d *toyDevice) MemInfo() (free, total uint64, err error) {
	return toyTotal - d.used, toyTotal, d.sticky
}

// granularity is that of CUDA's.
const toyGranularity = 2 << 20

func (d *toyDevice) CreateChunk(size, addr uint64) (backend.Chunk, error) {
	size = (size + toyGranularity - 1) / toyGranularity * toyGranularity
	taken, _ := strconv.ParseUint(os.Getenv("TOY_TAKEN"), 10, 64) // by others, MiB
	if d.used+size+taken<<20 > toyTotal {
		return backend.Chunk{}, &backend.Error{Code: 2, Name: "CUDA_ERROR_OUT_OF_MEMORY", Message: "no memory left"}
	}
	if addr == 0 {
		addr = d.next
	}
	c := backend.Chunk{Addr: addr, Size: size, FD: -1}
	if os.Getenv("TOY_UNSHARED") != "" {
		d.chunks[c.Addr] = make([]byte, size)
	} else {
		fd, err := memfd.Create("toy", int(size))
		if err != nil {
			return backend.Chunk{}, err
		}
		c.FD = fd
		if err := d.ImportChunk(c); err != nil {
			return backend.Chunk{}, err
		}
	}
	d.next += size + toyGranularity
	d.used += size
	return c, nil
}

func (d *toyDevice) ImportChunk(c backend.Chunk) error {
	mem, err := ring.MapMemory(c.FD)
	if err != nil {
		return err
	}
	d.chunks[c.Addr] = mem
	d.next = max(d.next, c.Addr+c.Size+toyGranularity)
	return nil
}

func (d *toyDevice) MapPeer(c backend.Chunk) (uint64, error) {
	if os.Getenv("TOY_LONELY") != "" {
		return 0, errors.New("no way to the other device")
	}
	mem, err := ring.MapMemory(c.FD)
	if err != nil {
		return 0, err
	}
	addr := d.next
	d.next += c.Size + toyGranularity
	d.chunks[addr] = mem
	d.used += c.Size
	return addr, nil
}

func (d *toyDevice) ReleaseChunk(addr uint64) error {
	mem, ok := d.chunks[addr]
	if !ok {
		return errors.New("no such chunk")
	}
	delete(d.chunks, addr)
	d.used -= uint64(len(mem))
	if os.Getenv("TOY_UNSHARED") != "" {
		return nil
	}
	return ring.UnmapMemory(mem)
}

func (d *toyDevice) RegisterHost(mem []byte) error {
	d.chunks[uint64(uintptr(unsafe.Pointer(&mem[0])))] = mem
	return d.sticky
}

func (d *toyDevice) UnregisterHost(mem []byte) error {
	delete(d.chunks, uint64(uintptr(unsafe.Pointer(&mem[0]))))
	return d.sticky
}

func (d *toyDevice) Compile(p backend.Program) (backend.Image, error) {
	for i, line := range strings.Split(p.Source, "\n") {
		if strings.Contains(line, "crash the compiler") {
			os.Exit(9)
		}
		if strings.Contains(line, "error") {
			return backend.Image{}, &backend.CompileError{Program: p.Name, Log: fmt.Sprintf("%s(%d): error: no", p.Name, i+1)}
		}
	}
	return backend.Image{Data: []byte(p.Source), Log: "looks fine", Lowered: map[string]string{"saxpy": "_saxpy"}}, nil
}

func (d *toyDevice) Load(mod uint32, img backend.Image) error { d.modules[mod] = true; return nil }
func (d *toyDevice) Unload(mod uint32) error                  { delete(d.modules, mod); return nil }

func (d *toyDevice) Function(fn, mod uint32, name string) (backend.FunctionInfo, error) {
	if !d.modules[mod] {
		return backend.FunctionInfo{}, errors.New("no such module")
	}
	d.functions[fn] = name
	return backend.FunctionInfo{MaxThreadsPerBlock: 1024, NumRegs: 8}, nil
}

func (d *toyDevice) at(addr, n uint64) ([]byte, error) {
	for base, mem := range d.chunks {
		if addr >= base && addr-base <= uint64(len(mem)) && n <= uint64(len(mem))-(addr-base) {
			return mem[addr-base : addr-base+n], nil
		}
	}
	return nil, d.ruin("CUDA_ERROR_ILLEGAL_ADDRESS", 700, "an address is out of bounds")
}

func (d *toyDevice) ruin(name string, code int, msg string) error {
	d.sticky = &backend.Error{Code: code, Name: name, Message: msg, Fatal: true}
	return d.sticky
}

func (d *toyDevice) Launch(l *backend.Launch) error {
	if d.sticky != nil {
		return d.sticky
	}
	name, ok := d.functions[l.Func]
	if !ok {
		return errors.New("no such function")
	}
	if !d.streams[l.Stream] {
		return errors.New("no such stream")
	}
	return toyKernels[name](d, l)
}

type toyArgs []byte

func (a toyArgs) f32(at int) float32 { return math.Float32frombits(binary.NativeEndian.Uint32(a[at:])) }
func (a toyArgs) i32(at int) int     { return int(int32(binary.NativeEndian.Uint32(a[at:]))) }
func (a toyArgs) ptr(at int) uint64  { return binary.NativeEndian.Uint64(a[at:]) }

var toyKernels = map[string]func(d *toyDevice, l *backend.Launch) error{
	"saxpy": func(d *toyDevice, l *backend.Launch) error {
		a := toyArgs(l.Args)
		n := a.i32(24)
		x, err := d.at(a.ptr(8), uint64(4*n))
		if err != nil {
			return nil // it shows later
		}
		y, err := d.at(a.ptr(16), uint64(4*n))
		if err != nil {
			return nil
		}
		for i := range n {
			v := a.f32(0)*toyArgs(x).f32(4*i) + toyArgs(y).f32(4*i)
			binary.NativeEndian.PutUint32(y[4*i:], math.Float32bits(v))
		}
		return nil
	},
	"addone": func(d *toyDevice, l *backend.Launch) error {
		a := toyArgs(l.Args)
		n := a.i32(8)
		x, err := d.at(a.ptr(0), uint64(4*n))
		if err != nil {
			return nil
		}
		for i := range n {
			binary.NativeEndian.PutUint32(x[4*i:], uint32(toyArgs(x).i32(4*i)+1))
		}
		return nil
	},
	"mixed": func(d *toyDevice, l *backend.Launch) error {
		a := toyArgs(l.Args)
		out, err := d.at(a.ptr(40), 20)
		if err != nil {
			return nil
		}
		for i, v := range []float64{
			float64(a[0]), math.Float64frombits(binary.NativeEndian.Uint64(a[8:])), float64(int8(a[16])),
			float64(binary.NativeEndian.Uint64(a[24:])), float64(binary.NativeEndian.Uint16(a[32:])),
		} {
			binary.NativeEndian.PutUint32(out[4*i:], math.Float32bits(float32(v)))
		}
		return nil
	},
	"empty": func(*toyDevice, *backend.Launch) error { return nil },
	"hello": func(d *toyDevice, l *backend.Launch) error {
		fmt.Fprintf(&d.printf, "hello from the device: %d\n", toyArgs(l.Args).i32(0))
		return nil
	},
	"refuse": func(d *toyDevice, l *backend.Launch) error {
		return &backend.Error{Code: 701, Name: "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", Message: "too much was asked for"}
	},
	"fault": func(d *toyDevice, l *backend.Launch) error {
		_ = d.ruin("CUDA_ERROR_ILLEGAL_ADDRESS", 700, "an illegal memory access")
		return nil
	},
	"die": func(*toyDevice, *backend.Launch) error {
		syscall.Kill(syscall.Getpid(), syscall.SIGKILL)
		select {}
	},
	"gate": func(d *toyDevice, l *backend.Launch) error { d.gates[l.Stream] = make(chan struct{}); return nil },
	"open": func(d *toyDevice, l *backend.Launch) error {
		for s, c := range d.gates {
			delete(d.gates, s)
			close(c)
		}
		return nil
	},
	"gopherwarp_clock": func(d *toyDevice, l *backend.Launch) error {
		out, err := d.at(toyArgs(l.Args).ptr(0), 16)
		if err != nil {
			return nil
		}
		cycles := uint64(20000)
		if os.Getenv("TOY_SLOW") != "" {
			cycles /= 2
		}
		binary.NativeEndian.PutUint64(out, cycles)
		binary.NativeEndian.PutUint64(out[8:], 20000)
		return nil
	},
	"gopherwarp_flush": func(*toyDevice, *backend.Launch) error { return nil },
	"gopherwarp_copy": func(d *toyDevice, l *backend.Launch) error {
		a := toyArgs(l.Args)
		return d.CopyDtoD(a.ptr(8), a.ptr(0), 16*a.ptr(16), l.Stream)
	},
	"hang": func(*toyDevice, *backend.Launch) error { select {} },
}

func (d *toyDevice) CopyHtoD(dst uint64, src []byte, stream uint32) error {
	mem, err := d.at(dst, uint64(len(src)))
	if err == nil {
		copy(mem, src)
	}
	return d.sticky
}

func (d *toyDevice) CopyDtoH(dst []byte, src uint64, stream uint32) error {
	mem, err := d.at(src, uint64(len(dst)))
	if err == nil {
		copy(dst, mem)
	}
	return d.sticky
}

func (d *toyDevice) CopyDtoD(dst, src, n uint64, stream uint32) error {
	from, err := d.at(src, n)
	if err != nil {
		return err
	}
	return d.CopyHtoD(dst, from, stream)
}

func (d *toyDevice) Fill(dst uint64, pattern []byte, n uint64, stream uint32) error {
	mem, err := d.at(dst, n)
	for done := copy(mem, pattern); err == nil && done < len(mem); done *= 2 {
		copy(mem[done:], mem[:done])
	}
	return d.sticky
}

func (d *toyDevice) StreamCreate(stream uint32, priority int32) error {
	d.streams[stream] = true
	return d.sticky
}

func (d *toyDevice) StreamDestroy(stream uint32) error {
	delete(d.streams, stream)
	return d.sticky
}

func (d *toyDevice) StreamSync(stream uint32) error {
	if !d.streams[stream] {
		return errors.New("no such stream")
	}
	return d.sticky
}

func (d *toyDevice) StreamWait(stream, event uint32) error { return d.sticky }
func (d *toyDevice) EventCreate(event uint32, _ bool) error {
	d.events[event] = time.Time{}
	return d.sticky
}
func (d *toyDevice) EventDestroy(event uint32) error { delete(d.events, event); return d.sticky }
func (d *toyDevice) EventSync(event uint32) error    { return d.sticky }

func (d *toyDevice) EventRecord(event, stream uint32) error {
	if _, ok := d.events[event]; !ok {
		return errors.New("no such event")
	}
	d.events[event] = time.Now()
	return d.sticky
}

func (d *toyDevice) EventElapsed(from, to uint32) (time.Duration, error) {
	return d.events[to].Sub(d.events[from]), d.sticky
}

// Signal is soon enough for who looks, or too late, by turns.
func (d *toyDevice) Signal(what backend.Awaited, handle uint32, word *uint32, value uint32) bool {
	if d.sticky != nil || d.printf.Len() > 0 || len(d.streams) > 1 || what == backend.AwaitEvent {
		return false
	}
	d.signals++
	late := d.signals%8 == 0
	d.signalling.Go(func() {
		if late {
			time.Sleep(200 * time.Microsecond)
		}
		atomic.StoreUint32(word, value)
	})
	return true
}

func (d *toyDevice) Sync() error {
	d.signalling.Wait()
	fmt.Print(d.printf.String())
	d.printf.Reset()
	return d.sticky
}

// toyWait is for a stream that a gate holds up.
type toyWait chan struct{}

func (w toyWait) Wait() error { <-w; return nil }

func (w toyWait) Done() (bool, error) {
	select {
	case <-w:
		return true, nil
	default:
		return false, nil
	}
}

func (d *toyDevice) Await(what backend.Awaited, handle uint32) (backend.Wait, error) {
	switch what {
	case backend.AwaitAll:
		return nil, d.Sync()
	case backend.AwaitStream:
		if c := d.gates[handle]; c != nil {
			return toyWait(c), d.sticky
		}
		return nil, d.StreamSync(handle)
	}
	return nil, d.EventSync(handle)
}

func (d *toyDevice) StreamDone(stream uint32) (bool, error) {
	return d.gates[stream] == nil, d.StreamSync(stream)
}

func (d *toyDevice) EventDone(event uint32) (bool, error) { return true, d.sticky }

func (d *toyDevice) CopyRect(r *backend.Rect) error {
	to, from := r.DstHost, r.SrcHost
	if to == nil {
		to, _ = d.at(r.Dst, r.Span(r.DstPitch))
	}
	if from == nil {
		from, _ = d.at(r.Src, r.Span(r.SrcPitch))
	}
	for i := uint64(0); i < r.Rows && d.sticky == nil; i++ {
		copy(to[i*r.DstPitch:][:r.Width], from[i*r.SrcPitch:])
	}
	return d.sticky
}

func (d *toyDevice) Close() error { return nil }
