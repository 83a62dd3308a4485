package cuda_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gopherwarp/gopherwarp/internal/completion/cuda"
)

const earlier = "// twice doubles each element.\n__global__ void twice(float *x, int n)\n{\n\tif (threadIdx.x < n) x[threadIdx.x] *= 2;\n}\n"

func TestComplete(t *testing.T) {
	for _, tc := range []struct {
		cell      string
		want, not string
	}{
		{"int i = thr‸", "threadIdx", "blockIdx"},
		{"int i = threadIdx.‸", "x y z", "w threadIdx"},
		{"float4 v; v.‸", "x y z w", "threadIdx"},
		{"__global__ void k(const float2 *__restrict__ p) { p[3].‸", "x y", "z"},
		{"__sync‸", "__syncthreads __syncwarp", "atomicAdd"},
		{"atomica‸", "atomicAdd atomicAnd", "atomicSub"},
		{"__shared__ float tile[32]; ti‸", "tile", "ti"},
		{"tw‸", "twice", ""},
		{"__device__ float helper(float x) { return x; }\n__global__ void k() { hel‸ }", "helper", "hel"},
		{"cooperative_groups::this_‸", "this_thread_block this_grid", "tiled_partition"},
		{"namespace cg = cooperative_groups;\nauto b = cg::tiled‸", "tiled_partition", "this_grid"},
		{"using namespace cooperative_groups;\ncoal‸", "coalesced_threads", ""},
		{"unknown::‸", "", "threadIdx"},
		{"// thr‸", "", "threadIdx"},
		{"/* a */ thr‸", "threadIdx", ""},
		{"/* thr‸", "", "threadIdx"},
		{"printf(\"thr‸\")", "", "threadIdx"},
		{"printf(\"%d\", thr‸", "threadIdx", ""},
	} {
		before, after, _ := strings.Cut(tc.cell, "‸")
		items, start := cuda.Complete(before+after, len(before), []string{earlier})
		var names []string
		for _, i := range items {
			names = append(names, i.Text)
		}
		for _, want := range strings.Fields(tc.want) {
			if !slices.Contains(names, want) {
				t.Errorf("%q: no %s in %q", tc.cell, want, names)
			}
		}
		for _, not := range strings.Fields(tc.not) {
			if slices.Contains(names, not) {
				t.Errorf("%q: %s in %q", tc.cell, not, names)
			}
		}
		if start > len(before) || strings.ContainsAny(before[start:], " .:(") {
			t.Errorf("%q: begins at %d", tc.cell, start)
		}
	}
}

func TestDescribe(t *testing.T) {
	for _, tc := range []struct{ cell, signature, doc string }{
		{"__syncthr‸eads();", "void __syncthreads()", "Programming Guide: Synchronization Functions."},
		{"threadIdx‸.x", "const uint3 threadIdx", "Built-in Variables"},
		{"__shfl_down_sync‸", "T __shfl_down_sync(", "Warp Shuffle Functions"},
		{"cg::‸this_grid()", "grid_group this_grid()", "Cooperative Groups"},
		{"twi‸ce", "__global__ void twice(float *x, int n)", "twice doubles each element."},
		{"/* f is\n * a function. */\n__device__ int f(int a,\n\tint b) { return a; }\nint x = f‸(1, 2);", "__device__ int f(int a, int b)", "f is\na function."},
		{"#define N 3\ntemplate<int M> __global__ void t() {}\nt‸", "template<int M> __global__ void t()", ""},
		{"nothing‸", "", ""},
		{"  ‸", "", ""},
	} {
		before, after, _ := strings.Cut(tc.cell, "‸")
		d, ok := cuda.Describe(before+after, len(before), []string{earlier})
		if ok != (tc.signature != "") || !strings.HasPrefix(d.Signature, tc.signature) || !strings.Contains(d.Doc, tc.doc) {
			t.Errorf("%q: %+v, want %+v", tc.cell, d, tc)
		}
	}
}

// TestWholeSource checks that a definition ends with its own brace.
func TestWholeSource(t *testing.T) {
	f, ok := cuda.Find(earlier+"void g() {}\n", "twice")
	if want := strings.TrimSpace(earlier[strings.Index(earlier, "__global__"):]); !ok || f.Source != want {
		t.Errorf("%q, want %q", f.Source, want)
	}
}

// FuzzComplete completes and describes at any offset of any text.
func FuzzComplete(f *testing.F) {
	f.Add(earlier, 10)
	f.Add("a[3].", 5)
	f.Add("/* x", 4)
	f.Add("#define A \\\n\"", 12)
	f.Add("f(){'\\", 6)
	f.Fuzz(func(t *testing.T, text string, offset int) {
		if offset < 0 || offset > len(text) || offset < len(text) && !utf8.RuneStart(text[offset]) {
			t.Skip()
		}
		if _, start := cuda.Complete(text, offset, []string{text}); start < 0 || start > offset {
			t.Errorf("%q at %d: begins at %d", text, offset, start)
		}
		cuda.Describe(text, offset, nil)
	})
}
