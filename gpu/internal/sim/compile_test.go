package sim

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/internal/diskcache"
)

const scaleSource = "__global__ void scale(float *x, float a) { x[threadIdx.x] *= a; }\n"

func TestCache(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	tools, err := findToolchain()
	check(t, err)
	compile := func(p backend.Program, wantCached bool) backend.Image {
		t.Helper()
		img, err := tools.compile(p)
		check(t, err)
		if img.Cached != wantCached {
			t.Errorf("%+v: cached is %v", p, img.Cached)
		}
		return img
	}
	p := backend.Program{Name: "a.cu", Source: scaleSource + "__global__ void warns() { int unused; }\n"}
	first := compile(p, false)
	if again := compile(p, true); again.Log != first.Log || again.Log == "" || again.Lowered["scale"] != first.Lowered["scale"] || string(again.Data) != string(first.Data) {
		t.Errorf("the cached image differs: log %q, was %q", again.Log, first.Log)
	}
	other := p
	other.Name = "b.cu" // which messages contain
	compile(other, false)
	other.Options = []string{"-DN=1"}
	compile(other, false)
	header := filepath.Join(t.TempDir(), "header.h")
	writeHeader := func(text string) { check(t, os.WriteFile(header, []byte(text), 0o644)) }
	writeHeader("#define N 1\n")
	for _, options := range [][]string{nil, {"-I" + filepath.Dir(header)}, {"-include", header}} {
		included := backend.Program{Name: "a.cu", Options: options, Source: "#include \"" + header + "\"\n" + scaleSource}
		if options != nil {
			included.Source = "#include <header.h>\n" + scaleSource
		}
		if len(options) == 2 {
			included.Source = scaleSource
		}
		writeHeader("#define N 1\n")
		compile(included, false)
		compile(included, true)
		writeHeader("#define N 2\n")
		compile(included, false)
	}

	// Damage is detected.
	damaged := 0
	check(t, filepath.WalkDir(filepath.Dir(tools.kernels.Path("a")), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		data[len(data)/2] ^= 1
		damaged++
		return os.WriteFile(path, data, 0o644)
	}))
	if damaged != 9 {
		t.Errorf("the cache holds %d programs, want 9", damaged)
	}
	compile(p, false)
	compile(p, true)
}

// TestOtherCompilers checks that the cached files of unused compilers are removed.
func TestOtherCompilers(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	tools, err := findToolchain()
	check(t, err)
	old, recent, used := filepath.Join(tools.cache, "old"), filepath.Join(tools.cache, "recent"), filepath.Dir(tools.shim)
	for _, dir := range []string{old, recent} {
		check(t, os.MkdirAll(filepath.Join(dir, "shim"), 0o755))
	}
	long := time.Now().Add(-2 * diskcache.Keep)
	check(t, os.Chtimes(old, long, long))
	check(t, os.Chtimes(used, long, long))
	_, err = findToolchain()
	check(t, err)
	for dir, want := range map[string]bool{old: false, recent: true, used: true} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", dir, err == nil, want)
		}
	}
}

func TestNoCompiler(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("CXX", "")
	_, err := New().Open(0)
	var e *backend.Error
	if !errors.As(err, &e) || !strings.Contains(e.Message, "apt install g++") {
		t.Errorf("got %v", err)
	}
}

func TestMessages(t *testing.T) {
	tools, err := findToolchain()
	check(t, err)
	tests := []struct {
		name, source string
		kernels      []string
		want         []string // in the log
		never        []string
	}{
		{"excerpt", "__global__ void k(float *x) {\n\tx[0] = y;\n}", nil, []string{"cell[1].cu:2:9: error: 'y' was not declared", "2 |     x[0] = y;", "^"}, nil},
		{
			"candidates of the headers", "__global__ void k(short *x) { atomicAdd(x, 1); }", nil,
			[]string{"cell[1].cu:1:40: error: no matching function for call to 'atomicAdd(short int*&, int)'", "CUDA: note: candidate: 'int atomicAdd(int*, int)'"},
			nil,
		},
		{"overloaded kernel", "__global__ void k(int *x) {}\n__global__ void k(float *x) {}", []string{"k"}, nil, nil},
		{"undefined function", "__device__ int f(int);\n__global__ void k(int *x) { *x = f(1); }", nil, []string{"undefined reference to `f(int)'"}, []string{"collect2"}},
		{"undefined kernel", "__global__ void k(int *x);", []string{"k"}, []string{"cell[1].cu: error: line 1 declares kernel k, but nothing defines it"}, nil},
		{"unknown kernel", scaleSource, []string{"skale"}, []string{`there is no kernel "skale"; the source has scale`}, nil},
		{"template without arguments", "template <class T> __global__ void k(T *x) {}", []string{"k"}, []string{"as in k<float>"}, nil},
		{
			"too much shared memory", "__global__ void k(float *x) { __shared__ float s[13000]; s[threadIdx.x] = *x; __syncthreads(); *x = s[3]; }", nil,
			[]string{"kernel k uses too much shared memory: 52000 bytes, of 49152"},
			nil,
		},
		{
			"assembly for a GPU", "__global__ void k(int *x) { asm volatile(\"mov.u32 r1, %%laneid;\"); }", nil,
			[]string{"cell[1].cu:1", `error: the simulator cannot run assembly for a GPU (PTX) of this kind: "r1" is no register`},
			[]string{"/tmp", "Assembler"},
		},
		{
			"instruction of a GPU", "__global__ void k(long long *x) {\n\tlong long v;\n\tasm(\"createpolicy.fractional.L2::evict_last.b64 %0, 1.0;\" : \"=l\"(v));\n\t*x = v;\n}", nil,
			[]string{"cell[1].cu:3", "the simulator cannot run assembly for a GPU (PTX)", "createpolicy"},
			nil,
		},
		{
			"register of a GPU", "__global__ void k(int *x) {\n\tint v;\n\tasm(\"mov.u32 %0, %%laneids;\" : \"=r\"(v));\n\t*x = v;\n}", nil,
			[]string{"cell[1].cu:3", "the simulator cannot run assembly for a GPU (PTX)", "it has no register %%laneids"},
			nil,
		},
		{
			"launch in a kernel", "__global__ void child() {}\n__global__ void k() { child<<<1, 2>>>(); }", nil,
			[]string{"cell[1].cu:2:", "kernels cannot launch others"},
			nil,
		},
		{
			"texture reference", "texture<float, 2> t;\n__global__ void k(float *x) { *x = tex2D(t, 1, 2); }", nil,
			[]string{"cell[1].cu:1:", "textures and surfaces are objects"},
			nil,
		},
		{
			"runtime functions in a kernel", "__global__ void k(float *x) { cudaMalloc(&x, 4); }", nil,
			[]string{"cell[1].cu:1:", "package gpu does that in Go"},
			[]string{"<<<"},
		},
		{
			"no tensor cores for it", "#include <mma.h>\nusing namespace nvcuda;\n__global__ void k(int *x) {\n\twmma::fragment<wmma::matrix_a, 16, 16, 8, half, wmma::row_major> f;\n\twmma::fill_fragment(f, 0);\n}", nil,
			[]string{"tensor cores of this architecture have no fragment of this shape and type"},
			nil,
		},
		{"launch in C++", "__global__ void k() {}\nvoid f() { k<<<1, 2>>>(); }", nil, []string{"cell[1].cu:2:", "launch kernels from Go"}, nil},
		{"open comment", "/* \n", nil, []string{"cell[1].cu:1:1: error: unterminated comment"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := &device{tools: tools}
			_, err := d.Compile(backend.Program{Name: "cell[1].cu", Source: tt.source, Kernels: tt.kernels})
			var e *backend.CompileError
			if tt.name == "overloaded kernel" {
				check(t, err) // the first one is used
				return
			}
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want a compile error", err)
			}
			for _, part := range tt.want {
				if !strings.Contains(e.Log, part) {
					t.Errorf("%q is missing in\n%s", part, e.Log)
				}
			}
			for _, part := range append(tt.never, "GW_", "gwsim", "prelude.h", tools.cache, "<command-line>") {
				if strings.Contains(e.Log, part) {
					t.Errorf("%q stands in\n%s", part, e.Log)
				}
			}
		})
	}
}

// Whole programs have nvcc's options, too, and those of the linker apart.
func TestTranslateProgram(t *testing.T) {
	tests := []struct{ in, compiler, linker []string }{
		{[]string{"-O2", "-std=c++17", "-Xcompiler", "-fopenmp,-Wall", "-lm"}, []string{"-std=c++17", "-Wall", "-fopenmp"}, []string{"-fopenmp", "-lm"}},
		{[]string{"-gencode", "arch=compute_80,code=sm_80", "-m64", "-expt-relaxed-constexpr"}, []string{"-UGW_ARCH", "-DGW_ARCH=800"}, nil},
		{[]string{"-lcudart", "-lcuda", "-lcurand", "-lcublas", "-lcufft", "-lcusparse", "-L/opt/lib", "-lfft"}, nil, []string{"-L/opt/lib", "-lfft"}},
		{[]string{"-Xcompiler=-O1", "-maxrregcount=32", "-use_fast_math"}, []string{"-O1", "-freciprocal-math", "-fno-signed-zeros"}, nil},
	}
	for _, tt := range tests {
		compiler, linker, err := translateProgram(tt.in)
		slices.Sort(compiler)
		slices.Sort(tt.compiler)
		if err != nil || !slices.Equal(compiler, tt.compiler) || !slices.Equal(linker, tt.linker) {
			t.Errorf("%q: got %q and %q, %v, want %q and %q", tt.in, compiler, linker, err, tt.compiler, tt.linker)
		}
	}
	for bad, want := range map[string]string{"-lcusolver": "cuSOLVER", "-lcudnn": "cuDNN", "--no-such": "nvcc", "-lnccl": "NCCL"} {
		if _, _, err := translateProgram([]string{bad}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want an error with %s", bad, err, want)
		}
	}
}

func TestTranslate(t *testing.T) {
	here, err := os.Getwd()
	check(t, err)
	tests := []struct{ in, want []string }{
		{nil, nil},
		{[]string{"-DN=3", "-D", "M", "--define-macro=K=1", "-Iinc", "--undefine-macro", "X"}, []string{"-DN=3", "-DM", "-DK=1", "-I" + filepath.Join(here, "inc"), "-UX"}},
		{[]string{"--use_fast_math", "-arch=sm_90", "--gpu-architecture", "sm_80", "-lineinfo"}, []string{"-freciprocal-math", "-fno-signed-zeros", "-UGW_ARCH", "-DGW_ARCH=900", "-UGW_ARCH", "-DGW_ARCH=800"}},
		{[]string{"-arch=sm_35", "-arch=compute_20"}, []string{"-UGW_ARCH", "-DGW_ARCH=500", "-UGW_ARCH", "-DGW_ARCH=500"}},
		{[]string{"-std=c++11"}, []string{"-std=c++17", "-Wno-register"}},
		{[]string{"--std=c++20", "-fmad=false", "-G"}, []string{"-std=c++20", "-ffp-contract=off", "-g", "-O0"}},
	}
	for _, tt := range tests {
		if got, err := translate(tt.in); err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %q, %v, want %q", tt.in, got, err, tt.want)
		}
	}
	for _, bad := range [][]string{{"-O9x"}, {"--no-such"}, {"-D"}, {"-o", "/etc/passwd"}, {"-fplugin=x"}, {"-lineinfo=3"}} {
		if got, err := translate(bad); err == nil {
			t.Errorf("%q became %q", bad, got)
		}
	}
}

// TestPrograms runs kernels with features that few programs use.
func TestPrograms(t *testing.T) {
	tests := []struct {
		name, source string
		want         int32 // in x[0]
	}{
		{"cooperative groups", `
			#include <cooperative_groups.h>
			#include <cooperative_groups/reduce.h>
			namespace cg = cooperative_groups;
			__global__ void k(int *x, long n) {
				cg::thread_block block = cg::this_thread_block();
				auto tile = cg::tiled_partition<8>(block);
				int sum = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
				int up = tile.shfl_up(1, 1) + tile.size() + tile.meta_group_rank();
				__shared__ int total;
				if (block.thread_rank() == 0) total = 0;
				block.sync();
				if (tile.thread_rank() == 0) atomicAdd(&total, sum + up);
				cg::sync(block);
				if (threadIdx.x % 3 == 0) {
					auto some = cg::coalesced_threads();
					unsigned odd = some.ballot(some.thread_rank() % 2);
					if (some.thread_rank() == 0) atomicAdd(&total, some.size() * 1000 + __popc(odd) * 100000);
				}
				block.sync();
				if (blockIdx.x == 0 && threadIdx.x == 0) *x = total;
			}`, 2016 + 8*9 + 28 + 22*1000 + 10*100000},
		{"names that the C library has", `
			__device__ int time(float x) { return 3; }
			__global__ void index(int *a, int b) {}
			__global__ void read(int a) {}
			__global__ void k(int *x, long n) { *x = time(1.0f); }`, 3},
		{"active mask in a branch", `
			__global__ void k(int *x, long n) {
				if (threadIdx.x % 4 == 1) {
					unsigned m = __activemask();
					int sum = 0;
					for (int i = 0; i < 32; i++) if (m >> i & 1) sum += __shfl_sync(m, (int)threadIdx.x, i);
					if (threadIdx.x == 1 && blockIdx.x == 0) *x = sum;
				}
			}`, 1 + 5 + 9 + 13 + 17 + 21 + 25 + 29},
		{"lanes that end before a shuffle", `
			__global__ void k(int *x, long n) {
				if (threadIdx.x % 32 > 20) return;
				int v = __shfl_sync(0xffffffff, (int)threadIdx.x, 20) + __popc(__ballot_sync(0xffffffff, 1));
				if (threadIdx.x == 0 && blockIdx.x == 0) *x = v;
			}`, 20 + 21},
		{"reductions of the hardware", `
			__global__ void k(int *x, long n) {
				int v = __reduce_add_sync(0xffffffff, (int)threadIdx.x % 32) + __reduce_max_sync(0xffffffff, threadIdx.x % 32u);
				unsigned same = __match_any_sync(0xffffffff, threadIdx.x / 4);
				int all; unsigned m = __match_all_sync(0xffffffff, 5, &all);
				if (threadIdx.x == 5 && blockIdx.x == 0) *x = v + same + all + (m == 0xffffffff);
			}`, 496 + 31 + 0xf0 + 1 + 1},
		{"standard headers", `
			#include <cstdio>
			#include <cmath>
			#include <algorithm>
			#include <cassert>
			#include <ctime>
			__global__ void k(int *x, long n) {
				long long begin = clock64(); clock_t c = clock();
				assert(clock64() >= begin && c != 0);
				*x = std::max(3, 4) + max(1.5f, 2) + (int)std::floor(2.5f);
			}`, 8},
		{"a lambda and a structure of functions", `
			struct Op { template <class T> __host__ __device__ T operator()(T a) const { return a * 2; } };
			template <class F> __device__ int apply(F f, int v) { return f(v); }
			__global__ void k(int *x, long n) { *x = apply(Op{}, 4) + apply([=](int a) { return a + (int)n; }, 5); }`, 13},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, l := prepare(t, tt.source)
			check(t, d.Launch(l))
			got := make([]byte, 4)
			addr := uint64(0)
			for i := range 8 {
				addr |= uint64(l.Args[i]) << (8 * i)
			}
			check(t, d.CopyDtoH(got, addr, 0))
			if v := int32(got[0]) | int32(got[1])<<8 | int32(got[2])<<16 | int32(got[3])<<24; v != tt.want {
				t.Errorf("got %d, want %d", v, tt.want)
			}
		})
	}
}
