package magics

import (
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

const slips = "%%cuda\n__global__ void add(float *a, int n) {\n\tint i = threadidx.x;\n\tif (i < n) a[i] += 1\n}"

// TestCUDAErrors formats the logs of g++ and NVRTC for the same cell.
func TestCUDAErrors(t *testing.T) {
	for name, tc := range map[string]struct {
		log   string
		value string
		lines []string // of the traceback, without colours
	}{
		"g++": {
			"cell[1].cu: In function 'void add(float*, int)':\n" +
				"cell[1].cu:3:10: error: 'threadidx' was not declared in this scope; did you mean 'threadIdx'?\n" +
				"    3 |     int i = threadidx.x;\n      |             ^~~~~~~~~\n      |             threadIdx\n" +
				"cell[1].cu:4:22: error: expected ';' before '}' token\n" +
				"    4 |     if (i < n) a[i] += 1\n      |                         ^\n      |                         ;\n    5 | }\n      | ~\n",
			"cell[1].cu:3:10: 'threadidx' was not declared in this scope; did you mean 'threadIdx'? (and 1 more)",
			[]string{
				"CUDA compile error: cell[1].cu:3:10: 'threadidx' was not declared in this scope; did you mean 'threadIdx'?",
				"   3 \tint i = threadidx.x;",
				"     \t        ^",
				"     CUDA's name is threadIdx: capital letters and underscores count",
				"CUDA compile error: cell[1].cu:4:22: expected ';' before '}' token",
				"   4 \tif (i < n) a[i] += 1",
				"     \t                    ^",
				"     a statement of C++ ends in a semicolon: look here, and at the end of the line before",
			},
		},
		"NVRTC": {
			"cell[1].cu(3): error: identifier \"threadidx\" is undefined\n   int i = threadidx.x;\n           ^\n\n" +
				"cell[1].cu(5): error: expected a \";\"\n  }\n  ^\n\n2 errors detected in the compilation of \"cell[1].cu\".\n",
			"cell[1].cu:3:10: identifier \"threadidx\" is undefined (and 1 more)",
			[]string{
				"CUDA compile error: cell[1].cu:3:10: identifier \"threadidx\" is undefined",
				"   3 \tint i = threadidx.x;",
				"     \t        ^",
				"     CUDA's name is threadIdx: capital letters and underscores count",
				"CUDA compile error: cell[1].cu:5:1: expected a \";\"",
				"   5 }",
				"     ^",
				"     a statement of C++ ends in a semicolon: look here, and at the end of the line before",
			},
		},
		"a hint of the simulator": {
			"cell[1].cu:2:5: error: 'cudaMalloc' was not declared in this scope\ncell[1].cu: note: package gpu does that in Go\n",
			"cell[1].cu:2:5: 'cudaMalloc' was not declared in this scope",
			[]string{
				"CUDA compile error: cell[1].cu:2:5: 'cudaMalloc' was not declared in this scope",
				"   2 __global__ void add(float *a, int n) {",
				"         ^",
				"     note: package gpu does that in Go",
			},
		},
		"no message": {"the compiler did not end", "the compiler did not end", []string{"CUDA compile error: the compiler did not end"}},
	} {
		c := &Call{Engine: &Engine{sources: map[string]string{"cell[1]": slips}}}
		got, ok := c.cudaError(&session.RunError{Kind: cudaErrorName, Message: tc.log}).(*kernel.CellError)
		if !ok {
			t.Fatalf("%s: no error of a cell", name)
		}
		if got.Value != tc.value {
			t.Errorf("%s: the value is %q, want %q", name, got.Value, tc.value)
		}
		plain := strings.NewReplacer(red, "", bold, "", reset, "").Replace(strings.Join(got.Traceback, "\n"))
		if want := strings.Join(tc.lines, "\n"); plain != want {
			t.Errorf("%s: the traceback is\n%s\nwant\n%s", name, plain, want)
		}
	}
}

func TestCUDAWarnings(t *testing.T) {
	log := "cell[3].cu: In function 'void k(float*, int)':\ncell[3].cu:4:6: warning: unused variable 'unused'\n    4 |     int unused = 3;\n      |         ^~~~~~\n" +
		"cell[3].cu(5): warning #177-D: variable \"x\" was declared but never referenced\n    int x;\n        ^\n\n"
	if _, got := cudaWarnings(log); got != "" {
		t.Errorf("got %q, want nothing", got)
	}
	const want = "cell[3].cu:6:2: division by zero"
	if _, got := cudaWarnings(log + "cell[3].cu:6:2: warning: division by zero\n"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestUnlaunched(t *testing.T) {
	for source, want := range map[string]string{
		"void add(float *a) {\n\ta[threadIdx.x] = 1;\n}":            "add is no kernel",
		"__global__ void add(float *a) {\n\ta[threadIdx.x] = 1;\n}": "",
		"__device__ int f() { return threadIdx.x; }":                "",
		"void f() {\n}\n__global__ void g() { threadIdx.x; }":       "",
	} {
		if got := unlaunched(source); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s\ngives %q, want %q", source, got, want)
		}
	}
}
