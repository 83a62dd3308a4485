package cudac

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/include"
)

func TestIncludedFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"first.cuh":     "#define SIZE 4\nstruct point { float x, y; };\n",
		"kernels.cuh":   "#pragma once\n#include \"more/deep.cuh\"\n#ifdef SIZE\n__global__ void sized(point p, real *x) {}\n#endif\nint main() {}\n",
		"more/deep.cuh": "#include \"../kernels.cuh\"\ntypedef double real;\nextern __shared__ float tile[];\n#if 0\n",
		"system.cuh":    "__global__ void library() {}\n",
		"broken.cuh":    "__global__ int result() {}\n",
		"open.cuh":      "/* never closed",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	search := include.Search{Own: dir, Dirs: []string{dir}, First: []string{filepath.Join(dir, "first.cuh")}}
	const own = "__global__ void own(real *x) { __syncthreads(); }\n"
	for _, tt := range []struct{ name, src, want string }{
		{"all", "#include \"kernels.cuh\"\n" + own, "kernels.cuh 4:sized(p struct point:/8, x pointer double:float64/8)\n 2:own(x pointer double:float64/8)"},
		{"a condition", "#undef SIZE\n#include \"kernels.cuh\" // why\n" + own, " 3:own(x pointer double:float64/8)"},
		{"not reached", "#if 0\n#include \"kernels.cuh\"\n#endif\n__global__ void own() {}", " 4:own()"},
		{"a library's", "#include <system.cuh>\n#include \"missing.cuh\"\n__global__ void own() {}", " 3:own()"},
		{"an error", "#include \"broken.cuh\"\n__global__ void own() {}", " 2:own()"},
		{"a comment", "#include \"open.cuh\"\n__global__ void own() {}", " 2:own()"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := ParseFiles(tt.src, search)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, k := range f.Kernels {
				path := k.Path
				if path != "" {
					path = filepath.Base(path)
				}
				got = append(got, path+" "+describe(k, k.Params))
			}
			if got := strings.Join(got, "\n"); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			if f.HasMain {
				t.Error("a main of an included file makes no program")
			}
			for _, b := range f.Bodies() {
				if b.Kernel.Path != "" {
					t.Errorf("%s has a body in the source", b.Kernel.Name)
				}
			}
		})
	}
	f, err := ParseFiles("#include \"kernels.cuh\"\n", search)
	if err != nil || len(f.DynamicShared) != 1 {
		t.Errorf("the dynamic shared memory of an included file: %v, %v", f.DynamicShared, err)
	}
	if _, err := ParseFiles("__global__ int k() {}", search); err == nil {
		t.Error("an error of the source is none")
	}
}
