package gpu

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// Instances of templates are compiled when they are asked for, each once.
func TestTemplateInstances(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		m, err := d.Compile(`
__global__ void plain(int *x) { x[0] = 7; }
template <typename T, int n = 2> __global__ void scale(T *x) { x[threadIdx.x] *= n; }
`, WithName("cell[7].cu"))
		if err != nil {
			t.Fatal(err)
		}
		scale := m.Template("scale")
		if got, want := scale.String(), "gpu.Template scale of cell[7].cu"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		x := ToDevice([]float32{1, 2, 3}, d)
		y := ToDevice([]float64{1, 2, 3}, d)
		for _, args := range [][]string{{"float"}, {"float", "5"}, {"double", "10"}} {
			k, err := scale.Of(args...)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := scale.Of(args...); err != nil || again != k {
				t.Errorf("%s is compiled twice (%v)", k.Name(), err)
			}
			var v any = x
			if args[0] == "double" {
				v = y
			}
			if err := k.Launch(Launch{Grid: Dim(1), Block: Dim(3)}, v); err != nil {
				t.Fatal(err)
			}
		}
		if got := x.ToHost()[2]; got != 30 {
			t.Errorf("the third element is %v, want 30", got)
		}
		if got := y.ToHost()[2]; got != 30 {
			t.Errorf("the third element is %v, want 30", got)
		}
		k, err := m.Kernel("scale<float, 5>")
		if err != nil {
			t.Fatal(err)
		}
		if err := k.Launch(For(3, 32), y); err == nil || !strings.Contains(err.Error(), "float32") {
			t.Errorf("a buffer of float64 for a float*: %v", err)
		}
		var compile *CompileError
		for want, name := range map[string]string{`there is no kernel "nope"`: "nope<int>", "is no template": "plain<int>", "error": "scale<int, missing>"} {
			if _, err := m.Kernel(name); !errors.As(err, &compile) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %q", name, err, want)
			}
		}
	})
}

// Quoted names are those of files in the folder of the one who compiles, and what was compiled is
// kept until they change.
// TestRefusedIncludes includes files that no compiler would come to the end of.
func TestRefusedIncludes(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		t.Chdir(t.TempDir())
		if err := syscall.Mkfifo("pipe.h", 0o644); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ include, want string }{
			{`"/dev/zero"`, "program.cu:2: error: /dev/zero can't be included: it is a device"},
			{`"pipe.h"`, "pipe.h can't be included: it is a named pipe"},
		} {
			_, err := d.Compile("\n#include " + c.include + "\n__global__ void k(int *x) { *x = 1; }\n")
			if refused := new(CompileError); !errors.As(err, &refused) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("#include %s: error %v, want %q", c.include, err, c.want)
			}
		}
	})
}

func TestIncludedFiles(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		dir := t.TempDir()
		t.Chdir(dir)
		write := func(name, text string) {
			t.Helper()
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		write("double.cuh", "#include <factor.cuh>\n__device__ int doubled(int x) { return factor * x; }\n")
		run := func(want int32, cached bool) {
			t.Helper()
			m, err := d.Compile("#include \"double.cuh\"\n__global__ void k(int *x) { *x = doubled(*x); }\n// "+dir, WithFlags("-I", "inc"))
			if err != nil {
				t.Fatal(err)
			}
			k, err := m.Kernel("k")
			if err != nil {
				t.Fatal(err)
			}
			x := ToDevice([]int32{21}, d)
			if err := k.Launch(For(1, 1), x); err != nil {
				t.Fatal(err)
			}
			if got := x.ToHost()[0]; got != want || m.Cached() != cached {
				t.Errorf("got %d, cached %v; want %d, cached %v", got, m.Cached(), want, cached)
			}
		}
		write("inc/factor.cuh", "constexpr int factor = 2;\n")
		run(42, false)
		run(42, true)
		write("inc/factor.cuh", "constexpr int factor = 3;\n")
		run(63, false)
		run(63, true)

		// Kernels of included files are the program's, but for those that nothing could be passed to.
		write("kernels.cuh", `#pragma once
namespace far { namespace away {
struct pair { float x, y; };
__global__ void sum(pair p, float *out) {
	__shared__ float y;
	y = p.y;
	__syncthreads();
	*out = p.x + y;
}
__global__ void referring(float (&x)[3]) {}
} }
`)
		m, err := d.Compile("#include \"kernels.cuh\"\n__global__ void own() {}\n")
		if err != nil {
			t.Fatal(err)
		}
		if got, want := m.Kernels(), []string{"far::away::sum", "own"}; !slices.Equal(got, want) {
			t.Fatalf("the kernels are %q, want %q", got, want)
		}
		k, err := m.Kernel("far::away::sum")
		if err != nil {
			t.Fatal(err)
		}
		out := make([]float32, 1)
		if err := k.Launch(For(1, 1), struct{ X, Y float32 }{1, 2}, Out(out)); err != nil || out[0] != 3 {
			t.Errorf("got %v, %v", out, err)
		}
	})
}
