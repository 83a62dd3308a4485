package backendtest

import (
	"math"
	"math/bits"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// one returns dimensions with one axis.
func one(x int) [3]uint32 { return [3]uint32{uint32(x), 1, 1} }

// floats returns a sequence of small whole numbers, whose sums are exact in any order.
func floats(n int) []float32 {
	s := make([]float32, n)
	for i, b := range pseudo(n) {
		s[i] = float32(b%16) - 8
	}
	return s
}

// A kernelTest is a program and the values that it must compute.
type kernelTest struct {
	name    string
	source  string
	kernels []string // names of kernels in the source, if not all
	run     func(r *rig, k map[string]uint32)
}

func testKernels(t *testing.T, s *suite) {
	for _, tt := range kernelTests {
		t.Run(tt.name, func(t *testing.T) {
			onThread(func() {
				r := newRig(t, s)
				tt.run(r, r.load(backend.Program{Name: "test.cu", Source: tt.source, Kernels: tt.kernels}))
			})
		})
	}
}

var kernelTests = []kernelTest{
	{
		name: "vector add", source: `
		__global__ void add(const float *a, const float *b, float *c, int n) {
			int i = blockIdx.x * blockDim.x + threadIdx.x;
			if (i < n) c[i] = a[i] + b[i];
		}`,
		run: func(r *rig, k map[string]uint32) {
			const n = 100_003
			a, b := floats(n), floats(n + 7)[7:]
			want := make([]float32, n)
			for i := range want {
				want[i] = a[i] + b[i]
			}
			out := r.alloc(4 * n)
			try(r.t, r.d.Launch(launch(k["add"], one((n+255)/256), one(256), 0, upload(r, a), upload(r, b), out, int32(n))))
			wantSlice(r.t, "sum", download[float32](r, out, n), want)
		},
	},
	{
		name: "three dimensions", source: `
		__global__ void index(int *out, int w, int h) {
			int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
			int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
			out[x + w * (y + h * z)] = block * 1000 + threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z;
		}`,
		run: func(r *rig, k map[string]uint32) {
			grid, block := [3]uint32{3, 2, 4}, [3]uint32{5, 4, 2}
			w, h, d := 15, 8, 8
			out := r.alloc(4 * w * h * d)
			try(r.t, r.d.Launch(launch(k["index"], grid, block, 0, out, int32(w), int32(h))))
			want := make([]int32, w*h*d)
			for i := range want {
				x, y, z := i%w, i/w%h, i/w/h
				want[i] = int32((x/5+3*(y/4+2*(z/2)))*1000 + x%5 + 10*(y%4) + 100*(z%2))
			}
			wantSlice(r.t, "index", download[int32](r, out, w*h*d), want)
		},
	},
	{
		name: "shared memory reduction", source: `
		__global__ void sum(const float *x, float *out, int n) {
			__shared__ float part[256];
			int i = blockIdx.x * blockDim.x + threadIdx.x;
			part[threadIdx.x] = i < n ? x[i] : 0;
			__syncthreads();
			for (int k = blockDim.x / 2; k > 0; k /= 2) {
				if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
				__syncthreads();
			}
			if (threadIdx.x == 0) out[blockIdx.x] = part[0];
		}`,
		run: func(r *rig, k map[string]uint32) {
			const n, blocks = 50_001, 196
			x := floats(n)
			out := r.alloc(4 * blocks)
			try(r.t, r.d.Launch(launch(k["sum"], one(blocks), one(256), 0, upload(r, x), out, int32(n))))
			want := make([]float32, blocks)
			for i, v := range x {
				want[i/256] += v
			}
			wantSlice(r.t, "sums", download[float32](r, out, blocks), want)
		},
	},
	{
		name: "tiled matrix product", source: `
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
		}`,
		run: func(r *rig, k map[string]uint32) {
			const n = 64
			a, b := floats(n*n), floats(n*n + 5)[5:]
			out := r.alloc(4 * n * n)
			try(r.t, r.d.Launch(launch(k["matmul"], [3]uint32{n / 16, n / 16, 1}, [3]uint32{16, 16, 1}, 0, upload(r, a), upload(r, b), out, int32(n))))
			want := make([]float32, n*n)
			for i := range want {
				for j := range n {
					want[i] += a[i/n*n+j] * b[j*n+i%n]
				}
			}
			wantSlice(r.t, "product", download[float32](r, out, n*n), want)
		},
	},
	{
		name: "histogram with atomics", source: `
		__global__ void global(const unsigned char *x, int n, unsigned *bins) {
			int i = blockIdx.x * blockDim.x + threadIdx.x;
			if (i < n) atomicAdd(&bins[x[i]], 1);
		}
		__global__ void shared(const unsigned char *x, int n, unsigned *bins) {
			__shared__ unsigned part[256];
			part[threadIdx.x] = 0;
			__syncthreads();
			for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&part[x[i]], 1u);
			__syncthreads();
			atomicAdd(&bins[threadIdx.x], part[threadIdx.x]);
		}`,
		run: func(r *rig, k map[string]uint32) {
			const n = 300_007
			data := pseudo(n)
			want := make([]uint32, 256)
			for _, b := range data {
				want[b]++
			}
			x := upload(r, data)
			for name, grid := range map[string]int{"global": (n + 255) / 256, "shared": 37} {
				bins := upload(r, make([]uint32, 256))
				try(r.t, r.d.Launch(launch(k[name], one(grid), one(256), 0, x, int32(n), bins)))
				wantSlice(r.t, name, download[uint32](r, bins, 256), want)
			}
		},
	},
	{
		name: "every atomic", source: `
		__global__ void all(int *i, unsigned *u, unsigned long long *l, float *f, double *d) {
			int t = blockIdx.x * blockDim.x + threadIdx.x; // 0..1023
			atomicAdd(&i[0], t); atomicSub(&i[1], t); atomicMin(&i[2], -t); atomicMax(&i[3], t);
			atomicAnd(&i[4], ~(1 << t % 31)); atomicOr(&i[5], 1 << t % 31); atomicXor(&i[6], t);
			atomicInc(&u[0], 99); atomicDec(&u[1], 99); atomicMin(&u[2], 5000u + t); atomicMax(&u[3], t);
			if (atomicCAS(&u[4], 0u, 7u) == 0) atomicAdd(&u[5], 1u);
			atomicExch(&u[6], 42u);
			atomicAdd(&l[0], 1ull << 40); atomicMax(&l[1], (unsigned long long)t << 33); atomicCAS(&l[2], 0ull, 1ull << 50);
			atomicAdd(&f[0], 0.5f); atomicExch(&f[1], 2.5f);
			atomicAdd(&d[0], 0.25); atomicAdd_block(&i[7], 1); atomicAdd_system(&i[8], 1);
		}`,
		run: func(r *rig, k map[string]uint32) {
			i := upload(r, []int32{0, 0, 0, 0, -1, 0, 0, 0, 0})
			u := upload(r, []uint32{0, 0, math.MaxUint32, 0, 0, 0, 0})
			l := upload(r, make([]uint64, 3))
			f := upload(r, make([]float32, 2))
			d := upload(r, make([]float64, 1))
			try(r.t, r.d.Launch(launch(k["all"], one(8), one(128), 0, i, u, l, f, d)))
			wantSlice(r.t, "int", download[int32](r, i, 9), []int32{523776, -523776, -1023, 1023, math.MinInt32, math.MaxInt32, 0, 1024, 1024})
			wantSlice(r.t, "unsigned", download[uint32](r, u, 7), []uint32{24, 76, 5000, 1023, 7, 1, 42})
			wantSlice(r.t, "unsigned long long", download[uint64](r, l, 3), []uint64{1024 << 40, 1023 << 33, 1 << 50})
			wantSlice(r.t, "float", download[float32](r, f, 2), []float32{512, 2.5})
			wantSlice(r.t, "double", download[float64](r, d, 1), []float64{256})
		},
	},
	{
		name: "shuffles", source: `
		__global__ void sum(const float *x, float *out, int n) {
			int i = blockIdx.x * blockDim.x + threadIdx.x;
			float v = i < n ? x[i] : 0;
			for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(0xffffffff, v, k);
			if (threadIdx.x % 32 == 0) atomicAdd(out, v);
		}
		__global__ void all(int *out, double *wide) {
			int t = threadIdx.x;
			out[t] = __shfl_sync(0xffffffff, t, 5);
			out[64 + t] = __shfl_up_sync(0xffffffff, t, 3);
			out[128 + t] = __shfl_down_sync(0xffffffff, t, 2, 8);
			out[192 + t] = __shfl_xor_sync(0xffffffff, t, 9);
			out[256 + t] = __shfl_sync(0xffffffff, t, -1, 16);
			wide[t] = __shfl_xor_sync(0xffffffff, t + 0.5, 1);
			if (t % 32 < 8) out[320 + t] = __shfl_sync(0xff, t * 2, t % 8 ^ 1);
			else out[320 + t] = __shfl_up_sync(0xffffff00, t, 8, 8);
		}`,
		run: func(r *rig, k map[string]uint32) {
			const n = 10_001
			x := floats(n)
			out := upload(r, make([]float32, 1))
			try(r.t, r.d.Launch(launch(k["sum"], one((n+127)/128), one(128), 0, upload(r, x), out, int32(n))))
			var want float32
			for _, v := range x {
				want += v
			}
			wantSlice(r.t, "sum", download[float32](r, out, 1), []float32{want})

			all, wide := r.alloc(4*384), r.alloc(8*64)
			try(r.t, r.d.Launch(launch(k["all"], one(1), one(64), 0, all, wide)))
			ints, doubles := make([]int32, 384), make([]float64, 64)
			for t := range 64 {
				lane, warp := t%32, t/32*32
				up := lane - 3
				if up < 0 {
					up = lane
				}
				down := lane + 2
				if down/8 != lane/8 {
					down = lane
				}
				last := t
				if lane < 8 {
					last = (warp + lane ^ 1) * 2
				}
				for i, v := range []int{warp + 5, warp + up, warp + down, warp + (lane ^ 9), warp + lane/16*16 + 15, last} {
					ints[64*i+t] = int32(v)
				}
				doubles[t] = float64(t^1) + 0.5
			}
			wantSlice(r.t, "int", download[int32](r, all, 384), ints)
			wantSlice(r.t, "double", download[float64](r, wide, 64), doubles)
		},
	},
	{
		name: "votes", source: `
		__global__ void vote(unsigned *out) {
			int t = threadIdx.x, w = t / 32;
			out[11 + t] = __activemask() == 0xffffffff; // first of all, before anything can part them
			unsigned b = __ballot_sync(0xffffffff, t % 3 == 0);
			int any = __any_sync(0xffffffff, t == 40), all = __all_sync(0xffffffff, t < 32);
			__syncwarp();
			unsigned half = t % 32 < 16 ? __ballot_sync(0xffff, t % 2) : 0;
			if (t % 32 == 0) { out[w * 4] = b; out[w * 4 + 1] = any; out[w * 4 + 2] = all; out[w * 4 + 3] = half; }
			int count = __syncthreads_count(t % 5 == 0), or_ = __syncthreads_or(t == 63), and_ = __syncthreads_and(t < 63);
			if (t == 0) { out[8] = count; out[9] = or_; out[10] = and_; }
		}`,
		run: func(r *rig, k map[string]uint32) {
			out := r.alloc(4 * 75)
			try(r.t, r.d.Launch(launch(k["vote"], one(1), one(64), 0, out)))
			want := make([]uint32, 75)
			for t := range 64 {
				if t%3 == 0 {
					want[t/32*4] |= 1 << (t % 32)
				}
				want[11+t] = 1
			}
			want[1], want[5], want[2], want[6], want[3], want[7] = 0, 1, 1, 0, 0xaaaa, 0xaaaa
			want[8], want[9], want[10] = 13, 1, 0
			wantSlice(r.t, "votes", download[uint32](r, out, 75), want)
		},
	},
	{
		name: "constant and device variables", source: `
		__constant__ float weight[3] = {0.25f, 0.5f, 0.25f};
		__device__ int calls = 10;
		__device__ __forceinline__ float blur(const float *x, int i) {
			float s = 0;
			for (int k = -1; k <= 1; k++) s += weight[k + 1] * x[i + k];
			return s;
		}
		extern "C" __global__ void filter(const float *x, float *out, int n) {
			int i = blockIdx.x * blockDim.x + threadIdx.x;
			if (i > 0 && i < n - 1) out[i] = blur(x, i);
			if (i == 0) calls += 1;
		}
		__global__ void read(int *out) { *out = calls; }`,
		run: func(r *rig, k map[string]uint32) {
			const n = 1000
			x := floats(n)
			out, calls := upload(r, make([]float32, n)), r.alloc(4)
			for range 2 {
				try(r.t, r.d.Launch(launch(k["filter"], one(4), one(256), 0, upload(r, x), out, int32(n))))
			}
			want := make([]float32, n)
			for i := 1; i < n-1; i++ {
				want[i] = x[i-1]/4 + x[i]/2 + x[i+1]/4
			}
			wantSlice(r.t, "blurred", download[float32](r, out, n), want)
			try(r.t, r.d.Launch(launch(k["read"], one(1), one(1), 0, calls)))
			wantSlice(r.t, "calls", download[int32](r, calls, 1), []int32{12})
		},
	},
	{
		name: "templates by name", source: `
		namespace lib {
			template <typename T, int N> __device__ T power(T x) { T p = 1; for (int i = 0; i < N; i++) p *= x; return p; }
		}
		template <typename T> __global__ void scale(T *x, T a, int n) {
			int i = blockIdx.x * blockDim.x + threadIdx.x;
			if (i < n) x[i] *= a;
		}
		template <typename T, int N> __global__ void raise(T *x) { x[threadIdx.x] = lib::power<T, N>(x[threadIdx.x]); }
		namespace lib { __global__ void inside(int *x) { x[threadIdx.x]++; } }`,
		kernels: []string{"scale<float>", "scale<unsigned char>", "raise<double, 3>", "lib::inside"},
		run: func(r *rig, k map[string]uint32) {
			f := upload(r, []float32{1, 2, 3})
			try(r.t, r.d.Launch(launch(k["scale<float>"], one(1), one(32), 0, f, float32(2.5), int32(3))))
			wantSlice(r.t, "float", download[float32](r, f, 3), []float32{2.5, 5, 7.5})
			b := upload(r, []byte{1, 2, 100})
			try(r.t, r.d.Launch(launch(k["scale<unsigned char>"], one(1), one(32), 0, b, byte(3), int32(3))))
			wantSlice(r.t, "unsigned char", download[byte](r, b, 3), []byte{3, 6, 44})
			d := upload(r, []float64{1.5, -2})
			try(r.t, r.d.Launch(launch(k["raise<double, 3>"], one(1), one(2), 0, d)))
			wantSlice(r.t, "double", download[float64](r, d, 2), []float64{3.375, -8})
			i := upload(r, []int32{4, 5})
			try(r.t, r.d.Launch(launch(k["lib::inside"], one(1), one(2), 0, i)))
			wantSlice(r.t, "namespace", download[int32](r, i, 2), []int32{5, 6})
		},
	},
	{
		name: "dynamic shared memory", source: `
		extern __shared__ __align__(8) unsigned char raw[];
		__global__ void bytes(unsigned char *x) {
			raw[threadIdx.x] = x[threadIdx.x];
			__syncthreads();
			x[threadIdx.x] = raw[blockDim.x - 1 - threadIdx.x];
		}
		__global__ void doubles(double *x, int n) {
			extern __shared__ double row[];
			for (int i = threadIdx.x; i < n; i += blockDim.x) row[i] = x[i];
			__syncthreads();
			for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = row[n - 1 - i];
		}`,
		run: func(r *rig, k map[string]uint32) {
			data := pseudo(200)
			b := upload(r, data)
			try(r.t, r.d.Launch(launch(k["bytes"], one(1), one(200), 200, b)))
			want := make([]byte, 200)
			for i := range want {
				want[i] = data[199-i]
			}
			wantSlice(r.t, "bytes", download[byte](r, b, 200), want)
			const n = 6000 // 48,000 bytes
			x, back := make([]float64, n), make([]float64, n)
			for i := range x {
				x[i], back[n-1-i] = float64(i), float64(i)
			}
			d := upload(r, x)
			try(r.t, r.d.Launch(launch(k["doubles"], one(1), one(128), 8*n, d, int32(n))))
			wantSlice(r.t, "doubles", download[float64](r, d, n), back)
		},
	},
	{
		name: "early return before a barrier", source: `
		__global__ void k(int *out, int n) {
			__shared__ int s[128];
			if (threadIdx.x >= n) return;
			s[threadIdx.x] = threadIdx.x;
			__syncthreads();
			out[threadIdx.x] = s[n - 1 - threadIdx.x];
		}`,
		run: func(r *rig, k map[string]uint32) {
			for _, n := range []int{1, 31, 32, 77, 128} {
				out := upload(r, make([]int32, 128))
				try(r.t, r.d.Launch(launch(k["k"], one(3), one(128), 0, out, int32(n))))
				want := make([]int32, 128)
				for i := range n {
					want[i] = int32(n - 1 - i)
				}
				wantSlice(r.t, "reversed", download[int32](r, out, 128), want)
			}
		},
	},
	{
		name: "barriers in a full block of odd shape", source: `
		__global__ void scan(int *x) {
			__shared__ int s[1000];
			int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), n = blockDim.x * blockDim.y * blockDim.z;
			s[t] = x[t];
			__syncthreads();
			for (int d = 1; d < n; d *= 2) {
				int v = t >= d ? s[t - d] : 0;
				__syncthreads();
				s[t] += v;
				__syncthreads();
			}
			x[t] = s[t];
		}`,
		run: func(r *rig, k map[string]uint32) {
			want := make([]int32, 1000)
			in := make([]int32, 1000)
			sum := int32(0)
			for i, b := range pseudo(1000) {
				in[i] = int32(b)
				sum += int32(b)
				want[i] = sum
			}
			x := upload(r, in)
			try(r.t, r.d.Launch(launch(k["scan"], one(1), [3]uint32{10, 25, 4}, 0, x)))
			wantSlice(r.t, "prefix sums", download[int32](r, x, 1000), want)
		},
	},
	{
		name: "integer intrinsics", source: `
		__global__ void k(unsigned x, long long y, long long *out) {
			int i = 0;
			out[i++] = __popc(x); out[i++] = __clz(x); out[i++] = __ffs(x); out[i++] = __brev(x);
			out[i++] = __popcll(y); out[i++] = __clzll(y); out[i++] = __ffsll(y);
			out[i++] = __mul24(-3, 5); out[i++] = __umulhi(x, x); out[i++] = __mulhi(-5, 1 << 30);
			out[i++] = min(3, 4) + max(3u, 4u) + min(5ll, 2ll); out[i++] = abs(-7);
			out[i++] = __float_as_int(1.0f); out[i++] = __double_as_longlong(1.0);
			out[i++] = __float2int_rn(2.5f) * 100 + __float2int_rz(2.9f) * 10 + __float2int_ru(2.1f);
			out[i++] = __byte_perm(0x33221100, 0x77665544, 0x7531);
			out[i++] = __funnelshift_l(0x80000001u, 3u, 4);
		}`,
		run: func(r *rig, k map[string]uint32) {
			x, y := uint32(0x00f0_1230), int64(0x0000_0100_0000_8000)
			out := r.alloc(8 * 17)
			try(r.t, r.d.Launch(launch(k["k"], one(1), one(1), 0, x, y, out)))
			wantSlice(r.t, "results", download[int64](r, out, 17), []int64{
				int64(bits.OnesCount32(x)), 8, 5, int64(bits.Reverse32(x)), 2, 23, 16, -15,
				int64(uint64(x) * uint64(x) >> 32), -2, 3 + 4 + 2, 7, 0x3f800000, 0x3ff0000000000000, 200 + 20 + 3, 0x77553311, 0x38,
			})
		},
	},
	{
		name: "mathematical functions", source: `
		__global__ void k(float x, double y, float *f, double *d) {
			f[0] = __sinf(x); f[1] = __expf(x); f[2] = rsqrtf(x); f[3] = __fmaf_rn(x, x, x); f[4] = powf(x, 3.0f);
			f[5] = fmaxf(x, 1.0f); f[6] = __fdividef(1.0f, x); f[7] = sqrtf(x); f[8] = __saturatef(x + 1); f[9] = sin(x); f[10] = __logf(x);
			d[0] = exp(y); d[1] = sqrt(y); d[2] = fma(y, y, y); d[3] = rsqrt(y); d[4] = fabs(-y); d[5] = atan2(y, 2.0);
		}`,
		run: func(r *rig, k map[string]uint32) {
			x, y := 0.75, 1.25
			f, d := r.alloc(4*11), r.alloc(8*6)
			try(r.t, r.d.Launch(launch(k["k"], one(1), one(1), 0, float32(x), y, f, d)))
			fs, ds := download[float32](r, f, 11), download[float64](r, d, 6)
			for i, want := range []float64{math.Sin(x), math.Exp(x), 1 / math.Sqrt(x), x*x + x, x * x * x, 1, 1 / x, math.Sqrt(x), 1, math.Sin(x), math.Log(x)} {
				wantClose(r.t, "float function", float64(fs[i]), want, 2e-6)
			}
			for i, want := range []float64{math.Exp(y), math.Sqrt(y), y*y + y, 1 / math.Sqrt(y), y, math.Atan2(y, 2)} {
				wantClose(r.t, "double function", ds[i], want, 1e-14)
			}
		},
	},
	{
		name: "vector types", source: `
		struct pair { char tag; float4 v; };
		__global__ void k(const float4 *a, float2 *b, int *sizes) {
			int i = threadIdx.x;
			float4 v = a[i];
			b[i] = make_float2(v.x + v.y, v.z + v.w);
			if (i == 0) { sizes[0] = sizeof(float3); sizes[1] = alignof(float4); sizes[2] = sizeof(pair); sizes[3] = sizeof(uchar4); sizes[4] = sizeof(double2); sizes[5] = dim3(2, 3).z; }
		}`,
		run: func(r *rig, k map[string]uint32) {
			a := upload(r, []float32{1, 2, 3, 4, 5, 6, 7, 8})
			b, sizes := r.alloc(16), r.alloc(24)
			try(r.t, r.d.Launch(launch(k["k"], one(1), one(2), 0, a, b, sizes)))
			wantSlice(r.t, "sums", download[float32](r, b, 4), []float32{3, 7, 11, 15})
			wantSlice(r.t, "sizes", download[int32](r, sizes, 6), []int32{12, 16, 32, 4, 16, 1})
		},
	},
	{
		name: "blocks that depend on each other through memory", source: `
		__device__ unsigned done;
		__global__ void last(const int *x, int *part, int *total, int n) {
			__shared__ bool isLast;
			if (threadIdx.x == 0) {
				int s = 0;
				for (int i = 0; i < n; i++) s += x[blockIdx.x * n + i];
				part[blockIdx.x] = s;
				__threadfence();
				isLast = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
			}
			__syncthreads();
			if (isLast && threadIdx.x == 0) {
				int s = 0;
				for (int i = 0; i < gridDim.x; i++) s += ((volatile int *)part)[i];
				*total = s;
			}
		}`,
		run: func(r *rig, k map[string]uint32) {
			const blocks, n = 500, 16
			x := make([]int32, blocks*n)
			want := int32(0)
			for i, b := range pseudo(len(x)) {
				x[i] = int32(b)
				want += int32(b)
			}
			in, part, total := upload(r, x), r.alloc(4*blocks), r.alloc(4)
			for range 3 {
				try(r.t, r.d.Fill(total, []byte{0}, 4, 0))
				try(r.t, r.d.Launch(launch(k["last"], one(blocks), one(32), 0, in, part, total, int32(n))))
				wantSlice(r.t, "total", download[int32](r, total, 1), []int32{want})
			}
		},
	},
}

// testParameters checks the alignment of parameters of every size.
func testParameters(t *testing.T, s *suite) {
	r := newRig(t, s)
	k := r.load(backend.Program{Source: `
		__global__ void k(char a, double b, short c, long long d, unsigned char e, float f, bool g, int h, double *out, signed char i, unsigned long long j) {
			double v[] = {(double)a, b, (double)c, (double)d, (double)e, f, (double)g, (double)h, (double)i, (double)(j >> 32)};
			for (int n = 0; n < 10; n++) out[n] = v[n];
		}
		__global__ void none() {}
		struct S { char c; double d; int n[3]; };
		__global__ void structure(char pad, S s, double *out) { out[0] = s.c; out[1] = s.d; out[2] = s.n[2]; }`})
	out := r.alloc(80)
	try(t, r.d.Launch(launch(k["k"], one(1), one(1), 0, int8(-5), 2.5, int16(-300), int64(-1<<40), uint8(200), float32(0.5), true, int32(-7), out, int8(-1), uint64(9<<32))))
	wantSlice(t, "parameters", download[float64](r, out, 10), []float64{-5, 2.5, -300, -1 << 40, 200, 0.5, 1, -7, -1, 9})
	try(t, r.d.Launch(launch(k["none"], one(3), one(64), 0)))
	type S struct {
		c int8
		_ [7]byte
		d float64
		n [3]int32
		_ [4]byte
	}
	v := S{c: 7, d: 1.5, n: [3]int32{1, 2, 3}}
	args := append(append(make([]byte, 8), bytesOf([]S{v})...), pack(out)...)
	try(t, r.d.Launch(&backend.Launch{Func: k["structure"], Grid: one(1), Block: one(1), Args: args}))
	wantSlice(t, "structure", download[float64](r, out, 3), []float64{7, 1.5, 3})
}
