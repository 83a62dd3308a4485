package driver

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/internal/diskcache"
)

// testCompiler returns a compiler with a cache of its own. NVRTC needs no GPU, so these tests run wherever the library is
// installed.
func testCompiler(t testing.TB) *compiler {
	t.Helper()
	c, err := newCompiler(13000, &cache{diskcache.Open(t.TempDir())})
	if err != nil && os.Getenv("GOPHERWARP_NEED_NVRTC") != "" {
		t.Fatal(err) // make test installs NVRTC, so that this test is never skipped
	}
	if err != nil {
		t.Skipf("SKIPPED: NVRTC is not installed, so compilation is not tested here: %v", err)
	}
	return c
}

const scaleSource = `#include <stdio.h>
template <typename T> __global__ void scale(T *x, T a, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) x[i] *= a;
}
__global__ void shout(int n) { printf("n = %d\n", n); }
extern "C" __global__ void plain(int *x) { *x = 1; }
`

func TestCompile(t *testing.T) {
	c := testCompiler(t)
	p := backend.Program{Name: "cell[3].cu", Source: scaleSource, Kernels: []string{"shout", "scale<float>", "scale<double>", "plain"}}
	img, err := c.compile(p, 75)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(img.Data, []byte("\x7fELF")) {
		t.Errorf("the image begins with %q, want a cubin", img.Data[:4])
	}
	want := map[string]string{"shout": "_Z5shouti", "scale<float>": "_Z5scaleIfEvPT_S0_i", "scale<double>": "_Z5scaleIdEvPT_S0_i", "plain": "plain"}
	for k, symbol := range want {
		if img.Lowered[k] != symbol {
			t.Errorf("kernel %q became %q, want %q", k, img.Lowered[k], symbol)
		}
	}
	if img.Cached {
		t.Error("the first compilation came from the cache")
	}

	p.Name = "cell[4].cu"
	again, err := c.compile(p, 75)
	if err != nil {
		t.Fatal(err)
	}
	if !again.Cached || !bytes.Equal(again.Data, img.Data) || len(again.Lowered) != len(img.Lowered) {
		t.Errorf("the same source under another cell's name: cached %v, same code %v, kernels %v", again.Cached, bytes.Equal(again.Data, img.Data), again.Lowered)
	}
}

func TestCompileFindsKernels(t *testing.T) {
	c := testCompiler(t)
	img, err := c.compile(backend.Program{Source: scaleSource + `
namespace a { namespace b { __global__ void deep(float *x) {} } }
__global__ void declared(int n);
// __global__ void commented() {}
#ifdef MORE
__global__ void more(int n) {}
#endif
`, Options: []string{"-DMORE=1"}}, 75)
	if err != nil {
		t.Fatal(err)
	}
	got := slices.Sorted(maps.Keys(img.Lowered))
	if want := []string{"a::b::deep", "more", "plain", "shout"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Kernels may have the names of NVRTC's device functions.
func TestCompileKernelNamedAsBuiltin(t *testing.T) {
	c := testCompiler(t)
	img, err := c.compile(backend.Program{Source: `
typedef unsigned int word;
struct point { float x, y; };
template <typename T> __global__ void tpl(T *x) {}
__global__ void all(int *out, const double *__restrict__ wide, word n, point p, float list[4]) {}
extern "C" __global__ void any(unsigned char c) {}
__global__ void other() {}
`, Kernels: []string{"all", "any", "tpl<int>", "other"}}, 75)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"all": "_Z3allPiPKdj5pointPf", "any": "any", "tpl<int>": "_Z3tplIiEvPT_", "other": "_Z5otherv"}
	if !maps.Equal(img.Lowered, want) {
		t.Errorf("got %v, want %v", img.Lowered, want)
	}
}

func TestCompileErrors(t *testing.T) {
	c := testCompiler(t)
	for _, tt := range []struct {
		name string
		p    backend.Program
		want string // in the log
	}{
		{"undefined name", backend.Program{Source: "__global__ void k(int *x) {\n\t*x = y;\n}\n"}, "cell[3].cu(2): error"},
		{"unknown option", backend.Program{Source: "", Options: []string{"--no-such-option"}}, "--no-such-option"},
		{"unknown kernel", backend.Program{Source: "__global__ void k() {}", Kernels: []string{"nope"}}, "nope"},
		{"NUL byte", backend.Program{Source: "int x;\x00"}, "NUL"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.p.Name = "cell[3].cu"
			_, err := c.compile(tt.p, 75)
			var failed *backend.CompileError
			if !errors.As(err, &failed) {
				t.Fatalf("got %v, want a CompileError", err)
			}
			if failed.Program != "cell[3].cu" || !strings.Contains(failed.Log, tt.want) {
				t.Errorf("program %q, log %q: want it to mention %q", failed.Program, failed.Log, tt.want)
			}
		})
	}
}

func TestCompileWarning(t *testing.T) {
	c := testCompiler(t)
	p := backend.Program{Name: "cell[3].cu", Source: "__global__ void k() {\n\tint unused;\n}\n", Kernels: []string{"k"}}
	for _, name := range []string{"cell[3].cu", "cell[5].cu"} { // compiled first, then from the cache
		p.Name = name
		img, err := c.compile(p, 75)
		if err != nil {
			t.Fatal(err)
		}
		if want := name + "(2): warning"; !strings.Contains(img.Log, want) {
			t.Errorf("log %q does not have %q", img.Log, want)
		}
	}
}

// Each of the replaced headers must compile and declare what its users expect.
func TestStandInHeaders(t *testing.T) {
	c := testCompiler(t)
	_, names := standInHeaders()
	var source strings.Builder
	for _, n := range names {
		source.WriteString("#include <" + n + ">\n")
	}
	source.WriteString(`
__global__ void k(uint8_t *b, std::int64_t *l, float *f) {
	assert(*b < UINT8_MAX);
	*l = INT_MAX + (std::int64_t)LLONG_MIN + UINT64_MAX;
	*f = fminf(FLT_MAX, INFINITY) * sqrtf(M_PI) + DBL_EPSILON;
	if (isnan(NAN)) printf("%d", (int)sizeof(size_t));
	memset(b, 0, 1);
	free(malloc(1));
}`)
	_, err := c.compile(backend.Program{Source: source.String(), Kernels: []string{"k"}}, 75)
	needsLibrary(t, err)
}

// needsLibrary fails the test unless err is nil, or skips it if CUDA's C++ library is not installed and need not be.
func needsLibrary(t *testing.T, err error) {
	t.Helper()
	if err != nil && strings.Contains(err.Error(), "pip install nvidia-cuda-cccl") && os.Getenv("GOPHERWARP_NEED_NVRTC") == "" {
		t.Skip("SKIPPED: CUDA's C++ library is not installed: pip install nvidia-cuda-cccl")
	}
	if err != nil {
		t.Error(err)
	}
}

// The headers of C++ that kernels use, from CUDA's C++ library.
func TestLibraryHeaders(t *testing.T) {
	c := testCompiler(t)
	var source strings.Builder
	for _, name := range libraryHeaders {
		source.WriteString("#include <" + name + ">\n")
	}
	source.WriteString(`#include <cstdint>
template <typename T> __global__ void lowest(T *x, std::int64_t *n) {
	static_assert(std::is_floating_point<T>::value, "not a floating-point type");
	std::array<T, 2> pair = {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::infinity()};
	*x = std::min(pair[0], pair[1]);
	*n = std::get<0>(std::make_tuple(std::numeric_limits<std::int64_t>::max()));
}`)
	_, err := c.compile(backend.Program{Source: source.String(), Kernels: []string{"lowest<float>"}}, 80)
	needsLibrary(t, err)
}

// Sources that nvcc and the simulator accept without any include compile, also those that declare such names themselves.
func TestImpliedHeaders(t *testing.T) {
	c := testCompiler(t)
	for _, tt := range []struct{ name, source string }{
		{"all", `__global__ void k(float *f, uint32_t *u) { *f = fminf(FLT_MAX, INFINITY) * float(M_PI); *u = INT_MAX; assert(*u != UINT32_MAX); }`},
		{"their own", "#define INFINITY 1e30f\ntypedef unsigned long uint64_t;\nusing int32_t = long;\n__global__ void k(float *f, uint64_t *u) { *f = INFINITY; *u = sizeof(int32_t); }"},
		{"included, too", "#include <math.h>\n#include <cfloat>\n__global__ void k(float *f) { *f = INFINITY - FLT_MIN; }"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			img, err := c.compile(backend.Program{Source: tt.source, Kernels: []string{"k"}}, 75)
			if err != nil || img.Log != "" {
				t.Errorf("%v, log %q", err, img.Log)
			}
		})
	}
}

func TestCompileForNewerDevice(t *testing.T) {
	c := testCompiler(t)
	img, err := c.compile(backend.Program{Source: scaleSource, Kernels: []string{"plain"}}, 999)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(img.Data, []byte(".visible .entry plain")) {
		t.Errorf("for a device newer than NVRTC: got %.60q, want PTX", img.Data)
	}
}

func TestOptions(t *testing.T) {
	c := &compiler{archs: []int{75, 80, 90, 120}, includes: []string{"/cuda/include"}}
	for _, tt := range []struct {
		name string
		user []string
		cc   int
		want []string
		arch string
	}{
		{"defaults", nil, 90, []string{"--gpu-architecture=sm_90", "--std=c++17", "--include-path=/cuda/include"}, "sm_90"},
		{"between two", nil, 86, []string{"--gpu-architecture=compute_80", "--std=c++17", "--include-path=/cuda/include"}, "compute_80"},
		{"newer than all", nil, 130, []string{"--gpu-architecture=compute_120", "--std=c++17", "--include-path=/cuda/include"}, "compute_120"},
		{"older than all", nil, 50, []string{"--gpu-architecture=sm_50", "--std=c++17", "--include-path=/cuda/include"}, "sm_50"},
		{"user's arch", []string{"-arch=sm_90a"}, 90, []string{"-arch=sm_90a", "--std=c++17", "--include-path=/cuda/include"}, "sm_90a"},
		{"user's arch apart", []string{"-arch", "compute_80"}, 90, []string{"-arch", "compute_80", "--std=c++17", "--include-path=/cuda/include"}, "compute_80"},
		{"user's standard", []string{"-std=c++20", "-DN=3"}, 90, []string{"-std=c++20", "-DN=3", "--gpu-architecture=sm_90", "--include-path=/cuda/include"}, "sm_90"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, arch := c.options(tt.user, tt.cc)
			if !slices.Equal(got, tt.want) || arch != tt.arch {
				t.Errorf("got %q for %s\nwant %q for %s", got, arch, tt.want, tt.arch)
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	c := testCompiler(b)
	p := backend.Program{Source: scaleSource, Kernels: []string{"plain"}}
	b.Run("cached", func(b *testing.B) {
		if _, err := c.compile(p, 75); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if img, err := c.compile(p, 75); err != nil || !img.Cached {
				b.Fatal(img.Cached, err)
			}
		}
	})
	b.Run("anew", func(b *testing.B) {
		c.cache = nil
		for b.Loop() {
			if _, err := c.compile(p, 75); err != nil {
				b.Fatal(err)
			}
		}
	})
}
