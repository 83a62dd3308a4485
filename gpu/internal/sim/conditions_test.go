package sim

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

func TestReadLines(t *testing.T) {
	const output = `# 0 "<stdin>"
# 0 "<command-line>"
# 1 "/usr/include/first.h" 1 3 4
int a;
# 0 "<command-line>" 2
# 1 "<stdin>"


#define A 1
# 1 "rows.h" 1

int row;
# 5 "<stdin>" 2
int b = 
# 6 "<stdin>" 3 4
 7;
# 20 "<stdin>"
# 1 "rows.h" 1
int row;
# 21 "<stdin>" 2

# 1 "/lib/made.h" 1
int c;
# 100 "grammar.y"
int d;
# 23 "<stdin>" 2
# 1 "/lib/other.h" 1
int e;
# 24 "<stdin>" 2
int f;
`
	got := readLines(output, "/home", map[string]bool{"/home/rows.h": true, "/lib/made.h": true, "/lib/absent.h": true})
	lines := func(n ...int) map[int]bool {
		m := map[int]bool{}
		for _, n := range n {
			m[n] = true
		}
		return m
	}
	want := linesSeen{"": lines(3, 4, 5, 6, 20, 22, 23, 24), "/home/rows.h": lines(2)}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the lines are %v, want %v", got, want)
	}
	for _, tt := range []struct {
		file        string
		first, last int
		seen, known bool
	}{{"", 1, 3, false, true}, {"", 1, 4, true, true}, {"", 7, 20, false, true}, {"/lib/made.h", 1, 2, false, false}} {
		if seen, known := got.any(tt.file, tt.first, tt.last); seen != tt.seen || known != tt.known {
			t.Errorf("lines %d to %d of %q are seen: %v, known: %v", tt.first, tt.last, tt.file, seen, known)
		}
	}
}

// TestConditionsDecided has kernels run as loops although they depend on what only the compiler knows.
func TestConditionsDecided(t *testing.T) {
	dir := t.TempDir()
	const header = `#ifndef HEADER
#define HEADER
#if CUDART_VERSION > 9000
template <class T> __global__ void included(T *x) { __syncthreads(); *x = 1; }
#else
template <class T> __global__ void other(T *x) { __syncthreads(); *x = 2; }
#endif
#endif`
	const source = `
#include "header.cuh"
#include <climits>
__global__ void family(int *x) {
	__syncthreads();
#if defined(__GNUC__) && !defined(_WIN32)
	*x = 1;
#endif
}
#ifndef INT_MAX
__global__ void missing(int *x) { __syncthreads(); *x = 1; }
#endif
__global__ void generation(int *x) {
	__syncthreads();
#if __CUDA_ARCH__ >= 700
	*x = 1;
#endif
}
int main() {}`
	check(t, os.WriteFile(filepath.Join(dir, "header.cuh"), []byte(header), 0o644))
	tools, err := findToolchain()
	check(t, err)
	for range 2 { // and from the cache
		u, err := tools.newProgramUnit(backend.Program{Name: "main.cu", Dir: dir, Source: source}, true)
		check(t, err)
		var names []string
		for k := range maps.Keys(u.splits) {
			names = append(names, k.Name)
		}
		slices.Sort(names)
		if want := []string{"family", "generation", "included"}; !slices.Equal(names, want) {
			t.Errorf("split are %q, want %q", names, want)
		}
	}
	hidden, err := tools.newProgramUnit(backend.Program{Name: "main.cu", Dir: dir, Source: "#ifdef __GNUC__\n__global__ void k(int *x) { *x = 1; }\n#endif\nint main() {}"}, true)
	check(t, err)
	if kernels := hidden.file.Kernels; len(kernels) != 1 || kernels[0].Name != "k" {
		t.Errorf("the kernels are %v, want k", kernels)
	}
	u, err := tools.newUnit(backend.Program{Name: "cell.cu", Source: strings.Replace(source, "#include \"header.cuh\"", "", 1)})
	check(t, err)
	if len(u.splits) != 2 {
		t.Errorf("of a cell's kernels %d are split, want 2", len(u.splits))
	}
}

// A kernel that changes a macro with parameters does not run as loops, as its split form stands where the macro is another. It leaves
// others alone.
func TestMacrosInKernels(t *testing.T) {
	const source = `#define TWICE(a) (2 * (a))
#define BOTH(a) (TWICE(a) + 1)
template <class T> __global__ void own(T *x) {
#define SQUARE(a) ((a) * (a))
	__syncthreads();
	*x = SQUARE(*x);
#undef SQUARE
}
__global__ void indirect(int *x) {
#undef TWICE
#define TWICE(a) (4 * (a))
	__syncthreads();
	*x = BOTH(*x);
#undef TWICE
#define TWICE(a) (2 * (a))
}
template <class T> __global__ void outer(T *x) {
#define OTHER(a) (a)
	__syncthreads();
	*x = BOTH(*x);
}
int main() {
	int *x;
	cudaMallocManaged(&x, sizeof *x);
	own<<<1, 1>>>(x), outer<<<1, 1>>>(x), indirect<<<1, 1>>>(x);
	return cudaDeviceSynchronize();
}`
	tools, err := findToolchain()
	check(t, err)
	u, err := tools.newProgramUnit(backend.Program{Name: "main.cu", Source: source}, true)
	check(t, err)
	var names []string
	for k := range maps.Keys(u.splits) {
		names = append(names, k.Name)
	}
	if !slices.Equal(names, []string{"outer"}) {
		t.Errorf("split are %q, want outer alone", names)
	}
	_, err = tools.build(u)
	check(t, err)
}
