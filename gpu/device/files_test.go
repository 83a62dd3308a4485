package device

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A layout is a program of several files with the command that runs it.
type layout struct {
	name    string
	files   map[string]string
	command []string // after `gopherwarp program`
	status  int
	want    string // on standard output, or if the status is not 0 words on standard error in this order
}

const sevenKernel = "#include <cstdio>\n__global__ void seven(int *x) { x[threadIdx.x] = 7; }\n"

// launchSeven is a main that prints what the kernel seven has written.
const launchSeven = `int main() {
    int *x, host = 0;
    cudaMalloc(&x, sizeof *x);
    seven<<<1, 1>>>(x);
    cudaMemcpy(&host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d\n", host);
}
`

var layouts = []layout{
	{"kernel in a directory of -I", map[string]string{"main.cu": "#include <seven.cuh>\n" + launchSeven, "inc/seven.cuh": sevenKernel}, []string{"-Iinc", "main.cu"}, 0, "7\n"},
	{"-I with --flag", map[string]string{"main.cu": "#include \"seven.cuh\"\n" + launchSeven, "inc/seven.cuh": sevenKernel}, []string{"--flag=-Iinc", "main.cu"}, 0, "7\n"},
	{
		"launch in a header that another one includes",
		map[string]string{
			"main.cu": "#include \"run.h\"\nint main() { run(); }\n", "lib/include/run.h": "#include \"../detail/body.inl\"\n",
			"lib/detail/body.inl": sevenKernel + strings.ReplaceAll(launchSeven, "int main()", "inline void run()"),
		},
		[]string{"-I", "lib/include", "main.cu"},
		0, "7\n",
	},
	{"beside the including file", map[string]string{"sub/main.cu": "#include \"n.h\"\n#include <cstdio>\nint main() { printf(\"%d\\n\", N); }\n", "sub/n.h": "#define N 1\n", "n.h": "#define N 2\n"}, []string{"sub/main.cu"}, 0, "1\n"},
	{
		"two files that share a kernel and have a constant each",
		map[string]string{
			"main.cu": "#include <cstdio>\n#include \"scale.h\"\n__constant__ int factor = 2;\n__device__ int by(int x) { return x * factor; }\n__global__ void own(int *x) { *x = by(*x); }\n" +
				"int main() {\n    int *x;\n    cudaMallocManaged(&x, sizeof *x);\n    *x = 1;\n    own<<<1, 1>>>(x);\n    scale<<<1, 1>>>(x);\n    launchScale(x);\n    cudaDeviceSynchronize();\n    printf(\"%d\\n\", *x);\n}\n",
			"scale.h":  "__global__ void scale(int *x);\nvoid launchScale(int *x);\n",
			"scale.cu": "#include \"scale.h\"\n__constant__ int factor = 5;\n__device__ int by(int x) { return x * factor; }\n__global__ void scale(int *x) { *x = by(*x); }\nvoid launchScale(int *x) { scale<<<1, 1>>>(x); }\n",
		},
		[]string{"main.cu", "scale.cu"},
		0, "50\n",
	},
	{
		"dynamic shared memory, a C++ and a C file",
		map[string]string{
			"main.cpp": "#include <cstdio>\n#ifdef __CUDACC__\n#error \"this is no CUDA C++\"\n#endif\n#include <cuda_runtime.h>\nint reversed(int n);\nextern \"C\" int twice(int x);\nint main(int n, char **args) { printf(\"%d %s\\n\", twice(reversed(4)), args[n - 1]); }\n",
			"kernel.cu": "__global__ void reverse(int *x) {\n    extern __shared__ int s[];\n    s[threadIdx.x] = threadIdx.x;\n    __syncthreads();\n    x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];\n}\n" +
				"int reversed(int n) {\n    int *x, host;\n    cudaMalloc(&x, n * sizeof(int));\n    reverse<<<1, n, n * sizeof(int)>>>(x);\n    cudaMemcpy(&host, x, sizeof host, cudaMemcpyDeviceToHost);\n    return host;\n}\n",
			"twice.c": "int twice(int class) { return 2 * class; }\n",
		},
		[]string{"main.cpp", "kernel.cu", "twice.c", "-O2", "-std=c++17", "--", "last"},
		0, "6 last\n",
	},
	{
		"main in a C file",
		map[string]string{
			"main.c":    "#include <stdio.h>\nint value(void);\nint main(int argc, char *class[]) {\n    int new = value();\n    printf(\"%d %s\\n\", new, class[argc - 1]);\n    if (new != 7) return 1;\n}\n",
			"kernel.cu": sevenKernel + "extern \"C\" int value() { int *x, host; cudaMalloc(&x, 4); seven<<<1, 1>>>(x); cudaMemcpy(&host, x, 4, cudaMemcpyDefault); return host; }\n",
		},
		[]string{"main.c", "kernel.cu", "--", "last"},
		0, "7 last\n",
	},
	{
		"8 bits without a sign",
		map[string]string{"main.cu": `#include <cuda_fp8.h>
#include <cstdio>
__global__ void k() {
    for (float v : {0.f, 1.f, -1.0625f, 3e-6f, 114688.f, 120000.f, 1.f / 0.f, 0.f / 0.f})
        printf("%x %x %x, ", __nv_cvt_float_to_ue5m3(v, __NV_NOSAT, cudaRoundNearest), __nv_cvt_float_to_ue5m3(v, __NV_NOSAT, cudaRoundZero),
               __nv_cvt_double2_to_ue5m3x2({v, 1}, __NV_SATFINITE, cudaRoundPosInf));
    printf("%x %x %x\n", __nv_cvt_ue5m3_to_halfraw(0x79).x, __nv_cvt_ue5m3_to_halfraw(0xff).x & 0x7c00, __nv_cvt_ue5m3x2_to_bf162raw(0xfe01).y);
}
int main() {
    k<<<1, 1>>>();
    return cudaDeviceSynchronize();
}
`},
		[]string{"main.cu"},
		0, "0 0 7800, 78 78 7878, 78 78 7879, 0 0 7801, fe fe 78fe, ff fe 78fe, ff ff 78fe, ff ff 78ff, 3c80 7c00 47e0\n",
	},
	{
		"the range of an address",
		map[string]string{"main.cu": `#include <cuda.h>
#include <cstdio>
int main() {
    int *x, outside;
    cudaMalloc(&x, 400);
    CUdeviceptr base;
    size_t size;
    CUresult e = cuMemGetAddressRange(&base, &size, (CUdeviceptr)(x + 50)), only = cuMemGetAddressRange(nullptr, &size, (CUdeviceptr)x);
    CUresult none = cuMemGetAddressRange(&base, &size, (CUdeviceptr)(x + 100)), host = cuMemGetAddressRange(&base, nullptr, (CUdeviceptr)&outside);
    printf("%d %d %zu %d %d %d\n", e, base == (CUdeviceptr)x, size, only, none == CUDA_SUCCESS, host == CUDA_SUCCESS);
}
`},
		[]string{"main.cu"},
		0, "0 1 400 0 0 0\n",
	},
	{
		"callbacks of cuFFT",
		map[string]string{"main.cu": `#include <cstdio>
#include <cufftXt.h>
__device__ cufftComplex twice(void *in, size_t i, void *, void *) {
    cufftComplex x = ((cufftComplex *)in)[i];
    return {2 * x.x, 2 * x.y};
}
__device__ cufftCallbackLoadC load = twice;
int main() {
    cufftHandle plan;
    cufftPlan1d(&plan, 8, CUFFT_C2C, 1);
    cufftCallbackLoadC f;
    cudaMemcpyFromSymbol(&f, load, sizeof f);
    printf("%d\n", cufftXtSetCallback(plan, (void **)&f, CUFFT_CB_LD_COMPLEX, nullptr) == CUFFT_NOT_SUPPORTED);
}
`},
		[]string{"main.cu", "-lcufft"},
		0, "1\n",
	},
	{
		"parameters with the names of their kernels",
		map[string]string{"main.cu": `#include <cstdio>
__global__ void one(int *one) { *one = 1; }
template <class T> __global__ void two(T *two) { *two += T(2); }
namespace a {
namespace b {
__global__ void four(int *four) { *four += 4; }
template <int N> __global__ void more(int *more) { *more += N; }
} // namespace b
} // namespace a
int main() {
    int *x;
    cudaMallocManaged(&x, sizeof *x);
    one<<<1, 1>>>(x);
    two<<<1, 1>>>(x);
    a::b::four<<<1, 1>>>(x);
    a::b::more<8><<<1, 1>>>(x);
    cudaDeviceSynchronize();
    printf("%d\n", *x);
}
`},
		[]string{"main.cu"},
		0, "15\n",
	},
	{
		"a routine that a library lacks, in a template",
		map[string]string{"main.cu": "#include <cublas_v2.h>\ntemplate <class T> int solve(T h) { return cublasCgelsBatched(0, h); }\nint main() { return solve(1); }\n"},
		[]string{"main.cu"},
		3, "cublasCgelsBatched is not among what the simulator has of this library",
	},
	{
		"arguments that main cannot change",
		map[string]string{"main.cu": "#include <cstdio>\nint main(int n, const char *const args[]) { puts(args[n - 1]); }\n"},
		[]string{"main.cu", "last"},
		0, "last\n",
	},
	{
		"byte order marks, and C++11's register",
		map[string]string{
			"main.cu":   "\ufeff#include \"seven.cuh\"\n" + strings.Replace(launchSeven, "int main() {", "int main() {\n    register int unused = 0;\n    (void)unused;", 1),
			"seven.cuh": "\ufeff" + sevenKernel,
		},
		[]string{"-std=c++11", "main.cu"},
		0, "7\n",
	},
	{
		"a literal of a kernel",
		map[string]string{"main.cu": `#include <cuda.h>
#include <cstdio>
__device__ const char *text;
__global__ void k() { text = "where it was"; }
int main() {
    k<<<1, 1>>>();
    const char *at;
    cudaMemcpyFromSymbol(&at, text, sizeof at);
    CUdeviceptr base;
    size_t size;
    CUresult e = cuMemGetAddressRange(&base, &size, (CUdeviceptr)at);
    char here[13] = "", *there;
    cudaMalloc(&there, 13);
    int copied = cudaMemcpy(here, at, 13, cudaMemcpyDeviceToHost) | cudaMemcpy(there, at + 6, 7, cudaMemcpyDeviceToDevice);
    printf("%d %d %zu %d %s\n", e, base == (CUdeviceptr)at, size, copied, here);
    cudaMemcpy(here, there, 7, cudaMemcpyDefault);
    puts(here);
}
`},
		[]string{"main.cu"},
		0, "0 1 13 0 where it was\nit was\n",
	},
	{
		"host code with names of CUDA's",
		map[string]string{
			"main.cu":  sevenKernel + "unsigned most(unsigned, unsigned);\n" + strings.Replace(launchSeven, "printf(\"%d\\n\", host)", "printf(\"%d %u\\n\", host, most(3, 5))", 1),
			"host.cpp": "#include <cassert>\nstruct uchar4 { int all; };\nstatic unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }\nunsigned most(unsigned a, unsigned b) { uchar4 m = {1}; assert(m.all); return umax(a, b); }\n",
		},
		[]string{"main.cu", "host.cpp"},
		0, "7 5\n",
	},
	{
		"a header whose brackets depend on conditions",
		map[string]string{
			"open.h":   "#if FIRST + 0 > 1 || defined(SECOND) && SECOND\nnamespace a {\n#else\nnamespace b {\n#endif\n}\n",
			"main.cpp": "#include \"open.h\"\n#include \"run.h\"\nint main() { run(); }\n", "run.h": "void run();\n",
			"run.cu": strings.ReplaceAll(sevenKernel+launchSeven, "int main()", "void run()"),
		},
		[]string{"run.cu", "main.cpp"},
		0, "7\n",
	},
	{"options of the host's compiler", map[string]string{"main.cu": "#include <cstdio>\n#include <omp.h>\nint main() {\n    int n = 0;\n    omp_set_num_threads(2);\n#pragma omp parallel reduction(+ : n)\n    n++;\n    printf(\"%d %d\\n\", n, N);\n}\n"}, []string{"-Xcompiler", "-fopenmp,-DN=4", "-gencode", "arch=compute_80,code=sm_80", "-lm", "-lcudart", "main.cu"}, 0, "2 4\n"},
	{
		"cuRAND's host API by the header for kernels",
		map[string]string{"main.cu": "#include <cstdio>\n#include <curand_kernel.h>\nint main() {\n    curandGenerator_t g;\n    printf(\"%d\\n\", curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT) | curandDestroyGenerator(g));\n}\n"},
		[]string{"main.cu", "-lcurand"},
		0, "0\n",
	},
	{"arguments", map[string]string{"main.cu": "#include <cstdio>\nint main(int n, char **args) { for (int i = 1; i < n; i++) puts(args[i]); }\n"}, []string{"main.cu", "-n", "3", "missing.cu", "--check"}, 0, "-n\n3\nmissing.cu\n--check\n"},

	{"no main", map[string]string{"main.cu": "// main stands elsewhere\n__global__ void k() {}\n"}, []string{"main.cu"}, exitSource, "main.cu error no main function"},
	{"main as another word", map[string]string{"main.cu": "struct S { int main; };\n__global__ void k() {}\n"}, []string{"main.cu"}, exitSource, "main.cu error no main function"},
	{"a value in an argument of its own", map[string]string{
		"main.cu":  "#include <cstdio>\n__device__ int twice(int);\n__global__ void k(int *x) { *x = twice(21); }\nint main() {\n    int *x;\n    cudaMallocManaged(&x, sizeof *x);\n    k<<<1, 1>>>(x);\n    cudaDeviceSynchronize();\n    printf(\"%d\\n\", *x);\n}\n",
		"twice.cu": "__device__ int twice(int x) { return 2 * x; }\n",
	}, []string{"-rdc", "true", "main.cu", "twice.cu"}, 0, "42\n"},
	{"long options", map[string]string{"main.cu": "#include <cstdio>\nint main() { printf(\"%d\\n\", N); }\n"}, []string{"--default-stream", "per-thread", "--gpu-architecture", "sm_80", "--std", "c++17", "--undefine-macro", "M", "--define-macro", "N=4", "--maxrregcount", "64", "main.cu"}, 0, "4\n"},
	{"a name for the program", map[string]string{"main.cu": "int main() {}\n"}, []string{"-o", "main", "main.cu"}, exitUsage, "-o gopherwarp program runs it leave -o out"},
	{"an option behind the files", map[string]string{"main.cu": "int main() { return N; }\n"}, []string{"main.cu", "-DN=0"}, exitSource, "N -DN=0 stands behind the files add -- at the end"},
	{
		"device functions of other files that wait and ask which thread it is",
		map[string]string{
			"main.cu": `#include "turn.h"
#include <cstdio>
__global__ void k(int *x) {
    __shared__ int s[96];
    s[threadIdx.x] = 2 * mine();
    __syncthreads();
    x[threadIdx.x] = turned(s) + Bent{}.by();
}
__global__ void sum(int *x) {
    int all = total(mine());
    if (threadIdx.x % 32 == 0)
        x[threadIdx.x] = all;
}
int main() {
    int *x;
    cudaMallocManaged(&x, 96 * sizeof *x);
    k<<<1, 96>>>(x);
    cudaDeviceSynchronize();
    printf("%d %d, ", x[1], x[90]);
    sum<<<1, 96>>>(x);
    cudaDeviceSynchronize();
    printf("%d %d\n", x[0], x[64]);
}
`,
			"turn.h":  "__device__ int mine();\n__device__ int turned(int *s);\n__device__ int total(int v);\nstruct Bent {\n    __device__ int by();\n};\n",
			"turn.cu": "#include \"turn.h\"\n__device__ int turned(int *s) {\n    int other = s[95 - mine()];\n    __syncthreads();\n    return other;\n}\n__device__ int Bent::by() { return 1000 * threadIdx.x; }\n",
			"more.cu": "#include \"turn.h\"\n__device__ int mine() { return threadIdx.x; }\n__device__ int total(int v) { return __reduce_add_sync(0xffffffff, v); }\n",
		},
		[]string{"-rdc=true", "main.cu", "turn.cu", "more.cu"},
		0, "1188 90010, 496 2544\n",
	},
	{"ranges for a profiler by types of C++", map[string]string{"main.cu": `#include <cstdio>
#include <nvtx3/nvtx3.hpp>
struct ours { static constexpr const char *name = "ours"; };
struct greeting { static constexpr const char *message = "hello"; };
struct loading { static constexpr const char *name = "loading"; static constexpr nvtx3::category::id_type id = 3; };
__global__ void k() { printf("ran\n"); }
void run() {
    NVTX3_FUNC_RANGE();
    nvtx3::scoped_range_in<ours> all("all", nvtx3::rgb{127, 255, 0}, nvtx3::payload{7}, nvtx3::named_category_in<ours>::get<loading>());
    nvtx3::event_attributes about{nvtx3::payload{1.5}, nvtx3::category{2}, std::string("loop")};
    nvtx3::scoped_range again(about), plain;
    auto started = nvtx3::start_range("start");
    nvtx3::unique_range one("one"), other(std::move(one));
    nvtx3::mark_in<ours>(nvtx3::registered_string_in<ours>::get<greeting>());
    nvtxRangePushA("push");
    k<<<1, 1>>>();
    cudaDeviceSynchronize();
    nvtxRangePop();
    nvtx3::end_range(started);
}
int main() { run(); }
`}, []string{"main.cu"}, 0, "ran\n"},
	{"CUB by a template parameter", map[string]string{"main.cu": `#include <cstdio>
#include <cub/cub.cuh>
template <class Sum> __global__ void k(int *x) {
    __shared__ typename Sum::TempStorage room;
    int all = Sum(room).Sum(threadIdx.x);
    if (threadIdx.x == 0)
        *x = all;
}
int main() {
    int *x;
    cudaMallocManaged(&x, sizeof *x);
    k<cub::BlockReduce<int, 96>><<<1, 96>>>(x);
    cudaDeviceSynchronize();
    printf("%d\n", *x);
}
`}, []string{"main.cu"}, 0, "4560\n"},
	{"OpenMP without its option", map[string]string{"main.cu": "#include <omp.h>\nint main() { omp_set_num_threads(2); }\n"}, []string{"main.cu"}, exitSource, "omp_set_num_threads -Xcompiler -fopenmp"},
	{"a library's header", map[string]string{"main.cu": "#include <cusolverDn.h>\nint main() {}\n"}, []string{"main.cu"}, exitSource, "cusolverDn.h No such file cuSOLVER is not on the simulator kernel"},
	{"a library's other header", map[string]string{"main.cu": "#include <cublasXt.h>\nint main() {}\n"}, []string{"main.cu"}, exitSource, "cublasXt.h No such file cuBLASXt is not on the simulator cublas_v2.h"},
	{"a library's routine", map[string]string{"main.cu": "#include <cublas_v2.h>\nint main() { cublasSgbmv(nullptr); }\n"}, []string{"main.cu"}, exitSource, "cublasSgbmv is not among what the simulator has of this library"},
	{"a library's constant", map[string]string{"main.cu": "#include <cusparse_v2.h>\nint main() { return CUSPARSE_DIRECTION_ROW; }\n"}, []string{"main.cu"}, exitSource, "CUSPARSE_DIRECTION_ROW note: CUSPARSE_DIRECTION_ROW is not among what the simulator has of this library"},
	{"a part of CUB", map[string]string{"main.cu": "#include <cub/cub.cuh>\nusing T = cub::BlockTopK<int, 32>;\nint main() {}\n"}, []string{"main.cu"}, exitSource, "cub::BlockTopK is not among what the simulator has of CUB"},
	{"a library's option", map[string]string{"main.cu": "int main() {}\n"}, []string{"-lcusolver", "main.cu"}, exitSource, "-lcusolver cuSOLVER is not on the simulator"},
	{"a shuffle without a mask", map[string]string{"main.cu": "__global__ void k(int *x) { *x = __shfl_xor(*x, 1); }\nint main() {}\n"}, []string{"main.cu"}, exitSource, "main.cu:1 __shfl_xor() is not valid on compute capability 7.0 __shfl_xor_sync()"},
	{"a mistake in a header of -I", map[string]string{"main.cu": "#include <k.cuh>\nint main() {}\n", "inc/k.cuh": "\n__global__ void k(int *x) {\n    *x = missing;\n}\n"}, []string{"-Iinc", "main.cu"}, exitSource, "inc/k.cuh:3 missing *x = missing;"},
	{"a fault in a header", map[string]string{
		"main.cu":   "#include <k.cuh>\nint main() {\n    k<<<1, 1>>>(nullptr);\n    return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 4 : 0;\n}\n",
		"inc/k.cuh": "\n__global__ void k(int *x) {\n    *x = 1;\n}\n",
	}, []string{"-Iinc", "main.cu"}, 4, "where there is no memory at k.cuh:3"},
	{"modules", map[string]string{"main.cu": "#include <cuda.h>\nint main() {\n    CUmodule m;\n    return cuModuleLoad(&m, \"k.ptx\") == CUDA_ERROR_NOT_SUPPORTED ? 4 : 0;\n}\n"}, []string{"main.cu"}, 4, "cuModuleLoad compile the kernels with the program"},
}

// TestFilesOfPrograms runs programs as their authors lay them out: in several files, with directories and options of nvcc.
func TestFilesOfPrograms(t *testing.T) {
	for _, l := range layouts {
		t.Run(l.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range l.files {
				path := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			t.Chdir(dir)
			status, stdout, stderr := runProgramOn(t, "sim", nil, l.command...)
			if status != l.status {
				t.Fatalf("status %d, want %d; standard error:\n%s", status, l.status, stderr)
			}
			if status == 0 && stdout != l.want {
				t.Errorf("printed %q, want %q; standard error:\n%s", stdout, l.want, stderr)
			}
			rest := stderr
			for word := range strings.FieldsSeq(l.want) {
				i := strings.Index(rest, word)
				if status != 0 && i < 0 {
					t.Fatalf("standard error should have %q in the order of %q:\n%s", word, l.want, stderr)
				}
				rest = rest[max(i, 0):]
			}
		})
	}
}
