package driver

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// openGPU opens the first GPU for a test, or skips the test.
func openGPU(t testing.TB) *device {
	t.Helper()
	b := New()
	if _, err := b.Count(); err != nil {
		t.Skipf("SKIPPED, because it needs a GPU: %v", err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	runtime.LockOSThread()
	d, err := b.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		runtime.UnlockOSThread()
	})
	return d.(*device)
}

// kernels compiles source and assigns the handles 1, 2, … to the named kernels.
func kernels(t testing.TB, d *device, source string, names ...string) []backend.FunctionInfo {
	t.Helper()
	img, err := d.Compile(backend.Program{Name: "test.cu", Source: source, Kernels: names})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Load(1, img); err != nil {
		t.Fatal(err)
	}
	infos := make([]backend.FunctionInfo, len(names))
	for i, name := range names {
		if infos[i], err = d.Function(uint32(i+1), 1, name); err != nil {
			t.Fatal(err)
		}
	}
	return infos
}

func newChunk(t testing.TB, d *device, size uint64) backend.Chunk {
	t.Helper()
	c, err := d.CreateChunk(size, 0)
	if err != nil {
		t.Fatal(err)
	}
	if c.FD >= 0 {
		t.Cleanup(func() { os.NewFile(uintptr(c.FD), "chunk").Close() })
	}
	return c
}

// wantCode checks that err is the driver's error with that code.
func wantCode(t *testing.T, err error, code int, words ...string) {
	t.Helper()
	var e *backend.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("got error %v, want code %d", err, code)
		return
	}
	for _, w := range words {
		if !strings.Contains(e.Error(), w) {
			t.Errorf("error %q does not mention %q", e, w)
		}
	}
}

func try(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestProperties(t *testing.T) {
	d := openGPU(t)
	p := d.Properties()
	t.Logf("%+v", p)
	if p.Name == "" || p.Simulated || p.WarpSize != 32 || p.MaxThreadsPerBlock < 512 || p.MultiProcessorCount < 1 ||
		p.ComputeMajor < 5 || p.MaxGridDim[0] < math.MaxInt32 || p.MaxBlockDim[2] < 64 || p.SharedMemPerBlockOptin < p.SharedMemPerBlock ||
		p.SharedMemPerBlock < 48<<10 || p.L2CacheSize == 0 || p.ClockRate == 0 || p.MemoryClockRate == 0 || p.MemoryBusWidth == 0 ||
		p.DriverVersion < 11000 || p.MaxThreadsPerMultiProcessor < 1024 || p.RegistersPerBlock < 32<<10 {
		t.Errorf("implausible: %+v", p)
	}
	free, total, err := d.MemInfo()
	if err != nil || free == 0 || free > total || total > p.TotalMemory {
		t.Errorf("%d of %d bytes free (device has %d), error %v", free, total, p.TotalMemory, err)
	}
}

func TestCopies(t *testing.T) {
	d := openGPU(t)
	const size = 80 << 20
	c := newChunk(t, d, 2*size)
	src := make([]byte, size)
	for i := range src {
		src[i] = byte(i * 7 >> 3)
	}
	for _, pinned := range []bool{false, true} {
		dst := make([]byte, size)
		if pinned {
			for _, mem := range [][]byte{src, dst} {
				try(t, d.RegisterHost(mem))
				defer func() { try(t, d.UnregisterHost(mem)) }()
			}
		}
		for _, n := range []uint64{0, 1, 3, 64 << 10, size} {
			clear(dst)
			try(t, d.CopyHtoD(c.Addr+(size-n), src[:n], 0))
			try(t, d.CopyDtoD(c.Addr+size, c.Addr+(size-n), n, 0))
			try(t, d.CopyDtoH(dst[:n], c.Addr+size, 0))
			try(t, d.Sync())
			if !bytes.Equal(dst[:n], src[:n]) || (n < size && dst[n] != 0) {
				t.Errorf("pinned %v: %d bytes did not come back as they went", pinned, n)
			}
		}
	}
}

func TestFill(t *testing.T) {
	d := openGPU(t)
	c := newChunk(t, d, 1<<20)
	got := make([]byte, 64)
	for _, pattern := range [][]byte{{0xa5}, {1, 2}, {1, 2, 3, 4}} {
		try(t, d.Fill(c.Addr, []byte{0xff}, 64, 0))
		try(t, d.Fill(c.Addr, pattern, 48, 0))
		try(t, d.CopyDtoH(got, c.Addr, 0))
		want := append(bytes.Repeat(pattern, 48/len(pattern)), bytes.Repeat([]byte{0xff}, 16)...)
		if !bytes.Equal(got, want) {
			t.Errorf("pattern %v gave %v", pattern, got)
		}
	}
	try(t, d.Fill(c.Addr, []byte{1}, 0, 0))
	wantCode(t, d.Fill(c.Addr, []byte{1, 2, 3}, 6, 0), 1, "3 bytes")
	wantCode(t, d.Fill(c.Addr+1, []byte{1, 2}, 6, 0), 1, "multiples")
	wantCode(t, d.Fill(c.Addr, []byte{1, 2, 3, 4}, 6, 0), 1, "multiples")
	wantCode(t, d.Fill(c.Addr, []byte{1}, 6, 5), 400, "stream 5")
}

func TestPlainMemory(t *testing.T) {
	d := openGPU(t)
	d.granularity = 0 // as if the driver could not share memory
	c := newChunk(t, d, 1000)
	if c.FD != -1 || c.Size != 1000 {
		t.Errorf("got %+v", c)
	}
	try(t, d.Fill(c.Addr, []byte{1}, 1000, 0))
	wantCode(t, d.ImportChunk(c), 1, "contents were lost")
	try(t, d.ReleaseChunk(c.Addr))
	wantCode(t, d.ReleaseChunk(c.Addr), 1, "released")
}

func TestChunks(t *testing.T) {
	d := openGPU(t)
	free, _, err := d.MemInfo()
	try(t, err)
	for range 20 { // more memory than the device has, unless it is released
		c, err := d.CreateChunk(free/4, 0)
		try(t, err)
		try(t, d.Fill(c.Addr, []byte{9}, c.Size, 0))
		try(t, d.ReleaseChunk(c.Addr))
		if c.FD >= 0 {
			os.NewFile(uintptr(c.FD), "chunk").Close()
		}
	}
	_, err = d.CreateChunk(1<<50, 0)
	wantCode(t, err, 2, "memory")
	_, err = d.CreateChunk(0, 0)
	wantCode(t, err, 1)
}

func TestFreeAddress(t *testing.T) {
	const base, unit, end = rangeBase, 2 << 20, rangeBase + rangeSize
	for _, tt := range []struct {
		name  string
		taken map[uint64]chunk
		n     uint64
		want  uint64
		ok    bool
	}{
		{"nothing taken", nil, unit, base, true},
		{"after the last", map[uint64]chunk{base: {size: unit}, base + unit: {size: 2 * unit}}, unit, base + 3*unit, true},
		{"in a gap", map[uint64]chunk{base: {size: unit}, base + 3*unit: {size: unit}}, 2 * unit, base + unit, true},
		{"gap too small", map[uint64]chunk{base: {size: unit}, base + 2*unit: {size: unit}}, 2 * unit, base + 3*unit, true},
		{"before the first", map[uint64]chunk{base + unit: {size: unit}}, unit, base, true},
		{"others elsewhere", map[uint64]chunk{base - unit: {size: unit}, end: {size: unit}, 0x3000: {}}, unit, base, true},
		{"all of it", nil, rangeSize, base, true},
		{"full", map[uint64]chunk{base: {size: rangeSize}}, unit, end, false},
		{"no room at the end", map[uint64]chunk{base: {size: rangeSize - unit}}, 2 * unit, end - unit, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := &device{low: base, chunks: tt.taken}
			if got, ok := d.freeAddress(tt.n); got != tt.want || ok != tt.ok {
				t.Errorf("got %#x, %v, want %#x, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

const argumentsSource = `
struct pair { char tag; double value; };
__global__ void gather(signed char a, double b, short c, const float *x, unsigned char d, pair p, long long *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = (long long)(a + b + c + x[i] + d + p.tag + p.value);
}
__global__ void bare() {}
__global__ void shared(int *out, int n) {
	extern __shared__ int s[];
	for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = i;
	__syncthreads();
	if (threadIdx.x == 0) *out = s[n - 1];
}
`

// params are kernel parameters, each at its natural alignment.
type params []byte

func (p *params) add(align int, values ...any) {
	for len(*p)%align != 0 {
		*p = append(*p, 0xee) // padding is not zero in general
	}
	for _, v := range values {
		var err error
		if *p, err = binary.Append(*p, binary.NativeEndian, v); err != nil {
			panic(err)
		}
	}
}

func TestLaunch(t *testing.T) {
	d := openGPU(t)
	infos := kernels(t, d, argumentsSource, "gather", "bare", "shared")
	if infos[0].NumRegs == 0 || infos[0].MaxThreadsPerBlock == 0 || infos[0].ConstSizeBytes < 0 {
		t.Errorf("implausible: %+v", infos[0])
	}
	c := newChunk(t, d, 1<<20)
	const n = 300
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(i)
	}
	in, _ := binary.Append(nil, binary.NativeEndian, x)
	try(t, d.CopyHtoD(c.Addr, in, 0))

	var args params
	args.add(1, int8(-1))
	args.add(8, 1000.0)
	args.add(2, int16(-20))
	args.add(8, c.Addr)
	args.add(1, uint8(200))
	args.add(8, int8(3), [7]byte{}, 0.25)
	args.add(8, c.Addr+4096)
	args.add(4, int32(n))
	try(t, d.Launch(&backend.Launch{Func: 1, Grid: [3]uint32{2, 1, 1}, Block: [3]uint32{256, 1, 1}, Args: args}))
	out := make([]byte, 8*n)
	try(t, d.CopyDtoH(out, c.Addr+4096, 0))
	for i := range n {
		if got, want := int64(binary.NativeEndian.Uint64(out[8*i:])), int64(-1+1000-20+i+200+3); got != want {
			t.Fatalf("element %d is %d, want %d", i, got, want)
		}
	}

	one := [3]uint32{1, 1, 1}
	try(t, d.Launch(&backend.Launch{Func: 2, Grid: one, Block: one}))
	try(t, d.Sync())

	// Less than the default, more, and less again.
	for _, bytes := range []uint32{16 << 10, uint32(d.props.SharedMemPerBlockOptin), 32 << 10} {
		var args params
		args.add(8, c.Addr)
		args.add(4, int32(bytes/4))
		try(t, d.Launch(&backend.Launch{Func: 3, Grid: one, Block: [3]uint32{256, 1, 1}, SharedBytes: bytes, Args: args}))
		got := make([]byte, 4)
		try(t, d.CopyDtoH(got, c.Addr, 0))
		if last := binary.NativeEndian.Uint32(got); last != bytes/4-1 {
			t.Errorf("%d bytes of shared memory: the last word is %d", bytes, last)
		}
	}

	for _, tt := range []struct {
		name   string
		launch backend.Launch
		code   int
	}{
		{"block too large", backend.Launch{Func: 2, Grid: one, Block: [3]uint32{2000, 1, 1}}, 1},
		{"empty grid", backend.Launch{Func: 2, Grid: [3]uint32{0, 1, 1}, Block: one}, 1},
		{"too much shared memory", backend.Launch{Func: 2, Grid: one, Block: one, SharedBytes: 1 << 30}, 1},
		{"too many parameters", backend.Launch{Func: 2, Grid: one, Block: one, Args: make([]byte, maxParams+1)}, 1},
		{"unknown kernel", backend.Launch{Func: 77, Grid: one, Block: one}, 400},
		{"unknown stream", backend.Launch{Func: 2, Grid: one, Block: one, Stream: 9}, 400},
	} {
		t.Log(tt.name) // no subtests, which run on other threads
		err := d.Launch(&tt.launch)
		wantCode(t, err, tt.code)
		if e := new(backend.Error); errors.As(err, &e) && e.Fatal {
			t.Error("it is called fatal")
		}
	}
	try(t, d.Launch(&backend.Launch{Func: 2, Grid: one, Block: one}))
	try(t, d.Sync())
}

func TestModules(t *testing.T) {
	d := openGPU(t)
	kernels(t, d, argumentsSource, "gather")
	_, err := d.Function(9, 1, "gahter")
	wantCode(t, err, 500, `"gahter"`, "the module has gather")
	_, err = d.Function(9, 2, "gather")
	wantCode(t, err, 400, "module 2")
	_, err = d.Function(1, 1, "gather")
	wantCode(t, err, 1, "exists already")
	wantCode(t, d.Load(1, backend.Image{Data: []byte("x")}), 1, "loaded already")
	wantCode(t, d.Load(2, backend.Image{}), 1, "empty")
	if err := d.Load(2, backend.Image{Data: []byte("no code at all")}); err == nil {
		t.Error("nonsense was loaded")
	}
	ptx, err := d.Compile(backend.Program{Source: argumentsSource, Kernels: []string{"bare"}, Options: []string{"-arch=compute_80"}})
	try(t, err)
	try(t, d.Load(2, ptx))
	_, err = d.Function(9, 2, "bare")
	try(t, err)
	try(t, d.Unload(1))
	wantCode(t, d.Launch(&backend.Launch{Func: 1}), 400, "kernel 1")
	wantCode(t, d.Unload(1), 400)
	try(t, d.Launch(&backend.Launch{Func: 9, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}}))
	try(t, d.Sync())
}

// CUDA's own headers must be found next to NVRTC if a toolkit is installed.
func TestCUDAHeaders(t *testing.T) {
	d := openGPU(t)
	_, err := d.Compile(backend.Program{Name: "test.cu", Kernels: []string{"k"}, Source: `
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <cuda/std/cstdint>
#include <stdint.h>
#include <math.h>
#include <cuda_runtime.h>
#include <cuda.h>
__global__ void k(__half *x, uint32_t n) {
	auto b = cooperative_groups::this_thread_block();
	if (b.thread_rank() < n) x[b.thread_rank()] = __hmul(x[b.thread_rank()], __float2half(M_PI));
}`})
	if err != nil && len(d.compiler.includes) == 0 {
		t.Skipf("SKIPPED, because no CUDA headers are installed: %v", err)
	}
	try(t, err)
}

const spinSource = `
__global__ void spin(long long cycles, int *flag, int value) {
	long long start = clock64();
	while (clock64() - start < cycles) {}
	*flag = value;
}
__global__ void copy(const int *from, int *to) { *to = *from; }
`

func TestStreamsAndEvents(t *testing.T) {
	d := openGPU(t)
	kernels(t, d, spinSource, "spin", "copy")
	c := newChunk(t, d, 1<<20)
	try(t, d.Fill(c.Addr, []byte{0}, 64, 0))
	try(t, d.StreamCreate(1, 0))
	try(t, d.StreamCreate(2, -1))
	wantCode(t, d.StreamCreate(1, 0), 1, "exists")
	wantCode(t, d.StreamCreate(0, 0), 1, "exists")
	for e := range uint32(3) {
		try(t, d.EventCreate(e, false))
	}
	wantCode(t, d.EventCreate(0, false), 1, "exists")

	var spin, copying params
	spin.add(8, int64(d.props.ClockRate)*20, c.Addr) // 20 ms at full clock
	spin.add(4, int32(7))
	copying.add(8, c.Addr, c.Addr+4)
	one := [3]uint32{1, 1, 1}
	try(t, d.EventRecord(0, 1))
	try(t, d.Launch(&backend.Launch{Func: 1, Grid: one, Block: one, Stream: 1, Args: spin}))
	try(t, d.EventRecord(1, 1))
	_, err := d.EventElapsed(0, 1)
	wantCode(t, err, 600) // not ready
	try(t, d.StreamWait(2, 1))
	try(t, d.Launch(&backend.Launch{Func: 2, Grid: one, Block: one, Stream: 2, Args: copying}))
	try(t, d.StreamSync(2))
	got := make([]byte, 4)
	try(t, d.CopyDtoH(got, c.Addr+4, 0))
	if got[0] != 7 {
		t.Errorf("the copy in the second stream did not wait: it found %d", got[0])
	}
	try(t, d.EventSync(1))
	took, err := d.EventElapsed(0, 1)
	if err != nil || took < 5*time.Millisecond || took > 5*time.Second {
		t.Errorf("the spinning took %v, error %v", took, err)
	}
	_, err = d.EventElapsed(0, 2)
	wantCode(t, err, 400) // never recorded
	_, err = d.EventElapsed(0, 8)
	wantCode(t, err, 400, "event 8")
	for _, err := range []error{
		d.StreamSync(9), d.StreamDestroy(9), d.StreamDestroy(0), d.StreamWait(9, 0), d.StreamWait(1, 9),
		d.EventRecord(9, 0), d.EventRecord(0, 9), d.EventSync(9), d.EventDestroy(9),
	} {
		wantCode(t, err, 400)
	}
	try(t, d.StreamDestroy(1))
	try(t, d.EventDestroy(1))
	try(t, d.StreamSync(0))
}

// emptyLaunch returns the launch that bench/launch also measures: of an empty kernel with three arguments.
func emptyLaunch(t testing.TB, d *device) *backend.Launch {
	t.Helper()
	kernels(t, d, "__global__ void empty(float a, const float *x, float *y) {}", "empty")
	c := newChunk(t, d, 4096)
	var args params
	args.add(4, float32(2))
	args.add(8, c.Addr, c.Addr)
	return &backend.Launch{Func: 1, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{128, 1, 1}, Args: args}
}

func TestLaunchDoesNotAllocate(t *testing.T) {
	d := openGPU(t)
	l := emptyLaunch(t, d)
	allocs := testing.AllocsPerRun(500, func() { try(t, d.Launch(l)) })
	if allocs > 0 && !raceEnabled {
		t.Errorf("%v allocations a launch", allocs)
	}
	try(t, d.Sync())
}

// BenchmarkLaunch measures batches as bench/launch does in C and CuPy: CPU time of 500 launches with the device idle at the
// start, the median of all batches.
func BenchmarkLaunch(b *testing.B) {
	d := openGPU(b)
	l := emptyLaunch(b, d)
	const batch = 500
	var asynchronous, synchronous []time.Duration
	for b.Loop() {
		start := time.Now()
		for range batch {
			if err := d.Launch(l); err != nil {
				b.Fatal(err)
			}
		}
		asynchronous = append(asynchronous, time.Since(start))
		try(b, d.Sync())
		start = time.Now()
		for range batch {
			if err := d.Launch(l); err != nil {
				b.Fatal(err)
			}
			try(b, d.StreamSync(0))
		}
		synchronous = append(synchronous, time.Since(start))
	}
	median := func(list []time.Duration) float64 {
		slices.Sort(list)
		return float64(list[len(list)/2].Nanoseconds()) / batch
	}
	b.ReportMetric(median(asynchronous), "ns/launch")
	b.ReportMetric(median(synchronous), "ns/launch+sync")
}
