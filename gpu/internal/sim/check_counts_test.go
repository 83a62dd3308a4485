package sim

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// TestCounts compares counts with those that follow from CUDA's rules: sectors of 32 bytes, and 32
// banks of 4 bytes.
func TestCounts(t *testing.T) {
	tests := []struct {
		name  string
		block [3]uint32
		body  string // of k(float *x, float *out, int n, unsigned char *bytes, double *d, float4 *v)
		want  string // the accesses of its lines
	}{
		{"coalesced", one(64), "out[t] = x[t];", `
			2 global load: 64 lanes, 2 requests, 4 sectors, 0 conflicts, 32 active
			2 global store: 64 lanes, 2 requests, 4 sectors, 0 conflicts, 32 active`},
		{"stride 2", one(32), "out[t] = x[2 * t];", `
			2 global load: 32 lanes, 1 requests, 8 sectors, 0 conflicts, 32 active
			2 global store: 32 lanes, 1 requests, 4 sectors, 0 conflicts, 32 active`},
		{"stride 32", one(32), "out[32 * t] = x[8 * t];", `
			2 global load: 32 lanes, 1 requests, 32 sectors, 0 conflicts, 32 active
			2 global store: 32 lanes, 1 requests, 32 sectors, 0 conflicts, 32 active`},
		{"shifted by one", one(32), "out[t + 1] = t;", `
			2 global store: 32 lanes, 1 requests, 5 sectors, 0 conflicts, 32 active`},
		{"broadcast", one(32), "out[t] = x[5];", `
			2 global load: 32 lanes, 1 requests, 1 sectors, 0 conflicts, 32 active
			2 global store: 32 lanes, 1 requests, 4 sectors, 0 conflicts, 32 active`},
		{"backwards", one(32), "out[31 - t] = t;", `
			2 global store: 32 lanes, 1 requests, 4 sectors, 0 conflicts, 32 active`},
		{"bytes", one(32), "bytes[t] = t;", `
			2 global store: 32 lanes, 1 requests, 1 sectors, 0 conflicts, 32 active`},
		{"doubles", one(32), "d[t] = t;", `
			2 global store: 32 lanes, 1 requests, 8 sectors, 0 conflicts, 32 active`},
		{"float4", one(32), "float4 a = v[t]; a.x += 1; v[t] = a;", `
			2 global load: 32 lanes, 1 requests, 16 sectors, 0 conflicts, 32 active
			2 global store: 32 lanes, 1 requests, 16 sectors, 0 conflicts, 32 active`},
		{"array of structures", one(32), "out[t] = ((struct P *)x)[t].y;", `
			2 global load: 32 lanes, 1 requests, 12 sectors, 0 conflicts, 32 active
			2 global store: 32 lanes, 1 requests, 4 sectors, 0 conflicts, 32 active`},
		{"structure of arrays", one(32), "out[t] = x[32 + t];", `
			2 global load: 32 lanes, 1 requests, 4 sectors, 0 conflicts, 32 active
			2 global store: 32 lanes, 1 requests, 4 sectors, 0 conflicts, 32 active`},
		{"half of a warp", one(32), "if (t % 2) out[t] = 1;", `
			2 global store: 16 lanes, 1 requests, 4 sectors, 0 conflicts, 16 active`},
		{"divergent loop", one(32), "for (int i = 0; i <= t; i++) out[t + 32 * i] = 1;", `
			2 global store: 528 lanes, 32 requests, 2.5 sectors, 0 conflicts, 16.5 active`},
		{"rows of a tile", [3]uint32{32, 2, 1}, "__shared__ float s[32][32];\ns[threadIdx.y][threadIdx.x] = 1;", `
			3 shared store: 64 lanes, 2 requests, 0 sectors, 0 conflicts, 32 active`},
		{"columns of a tile", [3]uint32{32, 2, 1}, "__shared__ float s[32][32];\ns[threadIdx.x][threadIdx.y] = 1;", `
			3 shared store: 64 lanes, 2 requests, 0 sectors, 31 conflicts, 32 active`},
		{"columns of a padded tile", [3]uint32{32, 2, 1}, "__shared__ float s[32][33];\ns[threadIdx.x][threadIdx.y] = 1;", `
			3 shared store: 64 lanes, 2 requests, 0 sectors, 0 conflicts, 32 active`},
		{"stride 2 in shared memory", one(32), "__shared__ float s[64];\ns[2 * t] = 1;", `
			3 shared store: 32 lanes, 1 requests, 0 sectors, 1 conflicts, 32 active`},
		{"stride 3 in shared memory", one(32), "__shared__ float s[96];\ns[3 * t] = 1;", `
			3 shared store: 32 lanes, 1 requests, 0 sectors, 0 conflicts, 32 active`},
		{"shared broadcast", one(32), "__shared__ float s[64];\ns[t] = s[t + 32] = 1;\n__syncthreads();\nout[t] = s[t / 16 * 32];", `
			3 shared store: 64 lanes, 2 requests, 0 sectors, 0 conflicts, 32 active
			5 global store: 32 lanes, 1 requests, 4 sectors, 0 conflicts, 32 active
			5 shared load: 32 lanes, 1 requests, 0 sectors, 1 conflicts, 32 active`},
		{"shared doubles", one(32), "__shared__ double s[32];\ns[t] = 1;", `
			3 shared store: 32 lanes, 1 requests, 0 sectors, 0 conflicts, 32 active`},
		{"strided shared doubles", one(32), "__shared__ double s[64];\ns[2 * t] = 1;", `
			3 shared store: 32 lanes, 1 requests, 0 sectors, 2 conflicts, 32 active`},
		{"shared float4", one(32), "__shared__ float4 s[32];\ns[t] = v[t];", `
			3 global load: 32 lanes, 1 requests, 16 sectors, 0 conflicts, 32 active
			3 shared store: 32 lanes, 1 requests, 0 sectors, 0 conflicts, 32 active`},
		{"shared bytes", one(32), "__shared__ unsigned char s[32];\ns[t] = 1;", `
			3 shared store: 32 lanes, 1 requests, 0 sectors, 0 conflicts, 32 active`},
		{"reduction, interleaved", one(32), "__shared__ float s[32];\ns[t] = t;\n__syncthreads();\nfor (int k = 1; k < 32; k *= 2) {\nif (t % (2 * k) == 0) s[t] += s[t + k];\n__syncthreads();\n}", `
			3 shared store: 32 lanes, 1 requests, 0 sectors, 0 conflicts, 32 active
			6 shared load: 62 lanes, 10 requests, 0 sectors, 0 conflicts, 6.2 active
			6 shared store: 31 lanes, 5 requests, 0 sectors, 0 conflicts, 6.2 active`},
		{"atomics on one address", one(32), "atomicAdd(&out[0], 1.0f);", `
			2 global atomic: 32 lanes, 1 requests, 1 sectors, 0 conflicts, 32 active, 32 to an address`},
		{"atomics on eight addresses", one(32), "atomicAdd((int *)&out[t % 8], 1);", `
			2 global atomic: 32 lanes, 1 requests, 1 sectors, 0 conflicts, 32 active, 4 to an address`},
		{"atomics without an instruction", one(32), "atomicMax((int *)&out[t], 1);", `
			2 global atomic: 32 lanes, 1 requests, 4 sectors, 0 conflicts, 32 active, 1 to an address`},
		{"through a function of CUDA", one(32), "out[t] = __ldg(&x[2 * t]);", `
			2 global load: 32 lanes, 1 requests, 8 sectors, 0 conflicts, 32 active
			2 global store: 32 lanes, 1 requests, 4 sectors, 0 conflicts, 32 active`},
		{"after a shuffle", one(32), "int u = __shfl_xor_sync(0xffffffff, t, 1);\nout[u] = u;", `
			3 global store: 32 lanes, 1 requests, 4 sectors, 0 conflicts, 32 active`},
	}
	p := program{params: "float *x, float *out, int n, unsigned char *bytes, double *d, float4 *v"}
	p.text.WriteString("struct P { float x, y, z; };")
	for _, tt := range tests {
		p.add(tt.body)
	}
	r := newCheckRig(t)
	r.load("count.cu", p.text.String())
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r.t = t
			var args []byte
			for range 2 {
				args = r.zeros(args, 8192)
			}
			args = binary.LittleEndian.AppendUint64(args, 32) // n, and padding before the next argument
			for _, size := range []uint64{64, 1024, 1024} {
				args = r.zeros(args, size)
			}
			report := r.launch(p.kernel(i), one(1), tt.block, 0, args)
			for _, f := range report.Findings {
				t.Errorf("accused: %+v", f)
			}
			var got []string
			for _, a := range report.Accesses {
				s := fmt.Sprintf("%d %s %s: %d lanes, %d requests, %v sectors, %v conflicts, %v active",
					a.Line-p.lines[i], a.Space, a.Op, a.Lanes, a.Requests, tenths(a.SectorsPerRequest()), tenths(a.ConflictsPerRequest()), tenths(a.ActiveLanes()))
				if a.Op == "atomic" {
					s += fmt.Sprintf(", %v to an address", a.LanesPerAddress())
				}
				if a.Bytes != a.Lanes*uint64(a.Size) || a.Kernel != p.kernel(i) || a.Program != "count.cu" {
					t.Errorf("%+v", a)
				}
				got = append(got, s)
			}
			if want := strings.ReplaceAll(strings.TrimSpace(tt.want), "\t", ""); strings.Join(got, "\n") != want {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
			}
		})
	}
}

// A program consists of many kernels, since compiling takes most of the time.
type program struct {
	text   strings.Builder
	params string
	lines  []int // number of lines before each kernel
}

func (p *program) add(body string) {
	p.text.WriteString("\n")
	p.lines = append(p.lines, strings.Count(p.text.String(), "\n"))
	fmt.Fprintf(&p.text, "__global__ void %s(%s) { int t = threadIdx.x, b = blockIdx.x; (void)t; (void)b;\n%s\n}", p.kernel(len(p.lines)-1), p.params, body)
}

func (p *program) kernel(i int) string { return fmt.Sprintf("k%d", i) }

func one(x uint32) [3]uint32 { return [3]uint32{x, 1, 1} }

func tenths(v float64) float64 { return math.Round(10*v) / 10 }

// zeros allocates a buffer of zeros and appends its address.
func (r *checkRig) zeros(args []byte, size uint64) []byte {
	r.t.Helper()
	addr := r.alloc(size)
	r.write(addr, make([]byte, size))
	return binary.LittleEndian.AppendUint64(args, addr)
}

// TestInnocent checks kernels without errors that are similar to wrong ones.
func TestInnocent(t *testing.T) {
	tests := []struct {
		name        string
		grid, block uint32
		body        string // of k(int *x, int *out, int *sync, unsigned char *bytes); x and bytes have 256 elements, out is new
	}{
		{"last block with a fence", 4, 32, `
			out[b * 32 + t] = x[b * 32 + t];
			__threadfence();
			__shared__ bool last;
			__syncthreads();
			if (t == 0) last = atomicAdd(sync, 1) == gridDim.x - 1;
			__syncthreads();
			if (last) { int sum = 0; for (int i = 0; i < 128; i++) sum += out[i]; x[t] = sum; }`},
		{"a lock with fences", 4, 32, `
			for (bool done = false; !done;) {
				if (atomicCAS(sync, 0, 1) == 0) {
					__threadfence();
					x[0] += 1;
					__threadfence();
					atomicExch(sync, 0);
					done = true;
				}
			}`},
		{"a flag between blocks", 2, 1, `
			volatile int *flag = sync;
			if (b == 0) { out[5] = 7; __threadfence(); *flag = 1; }
			else { while (*flag == 0) {} __threadfence(); out[6] = out[5]; }`},
		{"a flag within a block", 1, 64, `
			volatile int *flag = sync;
			if (t == 63) { out[5] = 7; __threadfence(); *flag = 1; }
			if (t == 0) { while (*flag == 0) {} __threadfence(); out[6] = out[5]; }`},
		{"the same value from everybody", 4, 32, "*sync = 1; if (x[t] == 0) out[0] = 5;"},
		{"bytes side by side", 1, 64, "bytes[t] = bytes[t] + 1; bytes[t + 64] = bytes[t];"},
		{"shared bytes side by side", 1, 64, "__shared__ unsigned char s[64]; s[t] = t; s[t] += 1; out[t] = s[t];"},
		{"warp synchronous with __syncwarp", 1, 32, `
			__shared__ int s[32];
			s[t] = x[t]; __syncwarp();
			for (int k = 16; k > 0; k /= 2) { int v = t < k ? s[t + k] : 0; __syncwarp(); if (t < k) s[t] += v; __syncwarp(); }
			if (t == 0) out[0] = s[0];`},
		{"shuffles order lanes", 1, 32, "__shared__ int s[32]; s[t] = t; int v = __shfl_sync(0xffffffff, t, 3); out[t] = s[31 - t] + v;"},
		{"a barrier in a loop that all take", 2, 64, "__shared__ int s[64]; for (int i = 0; i < 3; i++) { s[t] = i + t; __syncthreads(); out[b * 64 + t] = s[63 - t]; __syncthreads(); }"},
		{"shared memory of one block after another", 4, 32, "__shared__ int s[32]; s[31 - t] = t; __syncthreads(); out[b * 32 + t] = s[t];"},
		{"structures with gaps", 1, 32, `
			struct P { double d; int i; };
			__shared__ P s[32];
			s[t].d = t; s[t].i = t;
			__syncthreads();
			P p = s[31 - t];
			((P *)x)[t % 16] = s[t % 16]; out[t] = p.i + p.d;`},
		{"structures of 12 bytes", 1, 16, "struct P { int a, b, c; }; P p = ((P *)x)[t]; p.a += p.b; ((P *)out)[t] = p;"},
		{"all sizes", 1, 32, "((long long *)out)[t] = ((long long *)x)[t]; ((short *)bytes)[t] += 1;"},
		{"a device function that reads both kinds", 1, 32, "__shared__ int s[32]; s[t] = t; __syncthreads(); out[t] = pick(s, t) + pick(x, t);"},
		{"functions of C", 1, 32, "__shared__ int s[32], u[32]; if (t == 0) { memset(s, 0, sizeof s); memcpy(u, x, 4 * blockDim.x); memmove(u, u + 1, 4 * (blockDim.x - 1)); } __syncthreads(); out[t] = s[t] + u[t];"},
		{"a loop with atomicCAS", 2, 64, "int old = *sync, seen; do { seen = old; old = atomicCAS(sync, seen, seen + t); } while (old != seen);"},
		{"a largest with atomicCAS", 2, 64, "int old = *sync; while (50 - t > old && t > 3) { int seen = atomicCAS(sync, old, 50 - t); if (seen == old) break; old = seen; }"},
		{"atomics beside other elements", 2, 64, "atomicAdd(&x[t % 32], 1); x[32 + b * 64 + t] = t;"},
		{"a table of constants", 1, 32, "const int table[4] = {1, 2, 4, 8}; out[t] = table[t % 4] + lookup[t % 4];"},
		{"local arrays", 1, 32, "int a[8]; for (int i = 0; i < 8; i++) a[i] = x[i] + t; int sum = 0; for (int i = 0; i < 8; i++) sum += a[(i + t) % 8]; out[t] = sum;"},
		{"device variables", 1, 32, "atomicAdd(&counter, t); __syncthreads(); out[t] = counter;"},
		{"votes and counts", 1, 64, "int n = __syncthreads_count(t % 2); unsigned m = __ballot_sync(0xffffffff, t % 3); out[t] = n + m + __activemask() % 2;"},
		{"the next launch reads what this one wrote", 2, 32, "x[b * 32 + t] = x[(b * 32 + t + 64) % 128]; "},
	}
	p := program{params: "int *x, int *out, int *sync, unsigned char *bytes"}
	p.text.WriteString(`__constant__ int lookup[4] = {1, 2, 3, 4};
		__device__ int counter;
		__device__ __noinline__ int pick(const int *p, int i) { return p[i]; }`)
	for _, tt := range tests {
		p.add(tt.body)
	}
	r := newCheckRig(t)
	r.load("right.cu", p.text.String())
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r.t = t
			args := r.zeros(nil, 1024)
			args = binary.LittleEndian.AppendUint64(args, r.alloc(1024))
			args = r.zeros(r.zeros(args, 4), 256)
			for range 2 {
				for _, f := range r.launch(p.kernel(i), one(tt.grid), one(tt.block), 0, args).Findings {
					t.Errorf("accused: %+v", f)
				}
				check(t, r.d.CopyHtoD(binary.LittleEndian.Uint64(args[16:]), make([]byte, 4), 0))
			}
		})
	}
}

// The report of a kernel is always the same.
func TestSameEveryTime(t *testing.T) {
	for _, name := range []string{"scan_in_place.cu", "tile_loop_one_barrier.cu", "histogram_without_atomics.cu"} {
		source, err := os.ReadFile(filepath.Join(wrongKernels, name))
		check(t, err)
		first := newCheckRig(t).runWrong(name, string(source), "k", "Launch")
		for range 3 {
			if again := newCheckRig(t).runWrong(name, string(source), "k", "Launch"); !reflect.DeepEqual(again, first) {
				t.Errorf("%s: got\n%+v\nfirst it was\n%+v", name, again, first)
			}
		}
	}
}

// BenchmarkCheck multiplies two 128 by 128 matrices with tiles, with every access checked.
func BenchmarkCheck(b *testing.B) {
	const n = 128
	d, err := New().Open(0)
	check(b, err)
	defer d.Close()
	img, err := d.Compile(backend.Program{Name: "bench.cu", Source: benchSource, Check: true})
	check(b, err)
	check(b, d.Load(1, img))
	_, err = d.Function(1, 1, "matmul")
	check(b, err)
	c, err := d.CreateChunk(3<<20, 0)
	check(b, err)
	defer closeFD(c.FD)
	var args []byte
	for k := range uint64(3) {
		addr := c.Addr + k<<20
		check(b, d.(backend.Checker).Allocated(addr, 4*n*n, true))
		check(b, d.Fill(addr, []byte{0}, 4*n*n, 0))
		args = binary.LittleEndian.AppendUint64(args, addr)
	}
	args = binary.LittleEndian.AppendUint32(args, n)
	used := processorTime(b)
	for b.Loop() {
		check(b, d.Launch(&backend.Launch{Func: 1, Grid: [3]uint32{n / 16, n / 16, 1}, Block: [3]uint32{16, 16, 1}, Args: args}))
	}
	used.report()
}
