package sim

import (
	"encoding/binary"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

const benchSource = `
__global__ void add(const float *a, const float *b, float *c, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) c[i] = a[i] + b[i];
}
__global__ void reduce(const float *x, float *out, int n) {
	__shared__ float part[256];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	part[threadIdx.x] = i < n ? x[i] : 0;
	__syncthreads();
	for (int k = blockDim.x / 2; k > 0; k /= 2) {
		if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
		__syncthreads();
	}
	if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
__global__ void shuffle(const float *x, float *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = i < n ? x[i] : 0;
	for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(0xffffffff, v, k);
	if (threadIdx.x % 32 == 0) out[i / 32] = v;
}
#define T 16
__global__ void matmul(const float *a, const float *b, float *c, int n) {
	__shared__ float as[T][T], bs[T][T];
	int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < n; k += T) {
		as[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
		bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
		__syncthreads();
		for (int i = 0; i < T; i++) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
		__syncthreads();
	}
	c[y * n + x] = sum;
}
__global__ void naive(const float *a, const float *b, float *c, int n) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
	c[y * n + x] = sum;
}
__global__ void histogram(const unsigned char *x, unsigned *bins, const void *, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) atomicAdd(&bins[x[i]], 1u);
}
__global__ void empty(const void *, const void *, const void *, int) {}
`

// BenchmarkKernels measures the time of a whole launch, and the time per thread, or per thread and
// barrier, where that is relevant.
func BenchmarkKernels(b *testing.B) {
	d, err := New().Open(0)
	check(b, err)
	defer d.Close()
	img, err := d.Compile(backend.Program{Name: "bench.cu", Source: benchSource})
	check(b, err)
	check(b, d.Load(1, img))
	c, err := d.CreateChunk(3<<24, 0)
	check(b, err)
	defer closeFD(c.FD)
	const n = 1 << 22
	for i, bm := range []struct {
		name        string
		grid, block [3]uint32
		n           int
		units       float64 // per launch, for ns/unit
		unit        string
	}{
		{"empty", [3]uint32{1, 1, 1}, [3]uint32{32, 1, 1}, 0, 1, "launch"},
		{"add", [3]uint32{n / 256, 1, 1}, [3]uint32{256, 1, 1}, n, n, "thread"},
		{"reduce", [3]uint32{n / 256, 1, 1}, [3]uint32{256, 1, 1}, n, n * 9, "barrier"},
		{"shuffle", [3]uint32{n / 256, 1, 1}, [3]uint32{256, 1, 1}, n, n * 5, "shuffle"},
		{"matmul", [3]uint32{16, 16, 1}, [3]uint32{16, 16, 1}, 256, 65536 * 32, "barrier"},
		{"naive", [3]uint32{16, 16, 1}, [3]uint32{16, 16, 1}, 256, 65536, "thread"},
		{"histogram", [3]uint32{n / 256, 1, 1}, [3]uint32{256, 1, 1}, n, n, "thread"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			fn := uint32(i + 1)
			_, err := d.Function(fn, 1, bm.name)
			check(b, err)
			var args []byte
			for k := range uint64(3) {
				args = binary.LittleEndian.AppendUint64(args, c.Addr+k<<24)
			}
			args = binary.LittleEndian.AppendUint32(args, uint32(bm.n))
			l := &backend.Launch{Func: fn, Grid: bm.grid, Block: bm.block, Args: args}
			check(b, d.Launch(l))
			b.ReportAllocs()
			used := processorTime(b)
			for b.Loop() {
				if err := d.Launch(l); err != nil {
					b.Fatal(err)
				}
			}
			used.report()
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/bm.units, "ns/"+bm.unit)
		})
	}
}

// A clock measures the processor time of this process, which other processes do not affect.
type clock struct {
	b     *testing.B
	start time.Duration
}

func processorTime(b *testing.B) clock { return clock{b, used(b)} }

// report reports the processor time of an iteration, the sum of all processors.
func (c clock) report() {
	c.b.ReportMetric((used(c.b)-c.start).Seconds()*1e3/float64(c.b.N), "cpu-ms/op")
}

func used(b *testing.B) time.Duration {
	var u syscall.Rusage
	check(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkCompile(b *testing.B) {
	d, err := New().Open(0)
	check(b, err)
	defer d.Close()
	n := 0
	for _, bm := range []struct{ name, source string }{
		{"cold", "__global__ void k%d(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }"},
		{"cached", "__global__ void k(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; } // %.0d"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			b.Setenv("XDG_CACHE_HOME", b.TempDir())
			d, err := New().Open(0)
			check(b, err)
			compile := func() {
				n++
				if bm.name == "cached" {
					n = 0
				}
				_, err := d.Compile(backend.Program{Name: "cell[1].cu", Source: fmt.Sprintf(bm.source, n)})
				check(b, err)
			}
			compile()
			for b.Loop() {
				compile()
			}
		})
	}
}
