package sim

import (
	"os"
	"path/filepath"
	"testing"
)

// Wheels for CUDA 13 have CCCL in a directory of its own, wheels for CUDA 12 and older toolkits do not.
func TestCCCL(t *testing.T) {
	for _, dir := range []string{"include/cccl", "include"} {
		root := t.TempDir()
		want := filepath.Join(root, dir)
		check(t, os.MkdirAll(filepath.Join(want, "thrust"), 0o755))
		check(t, os.WriteFile(filepath.Join(want, "thrust", "version.h"), nil, 0o644))
		t.Setenv("CUDA_HOME", root)
		if got := cccl(); got != want {
			t.Errorf("found %q, want %q", got, want)
		}
	}
}

func TestIncludesThrust(t *testing.T) {
	for text, want := range map[string]int{
		"#include <thrust/sort.h>\n": 1, "int a;\n# include \"thrust/copy.h\"\n": 2,
		"// #include <thrust/sort.h>\n#include <cub/cub.cuh>\n": 0, "#include \"mythrust/sort.h\"\n": 0,
	} {
		if got := includesThrust(text); got != want {
			t.Errorf("%q: line %d, want %d", text, got, want)
		}
	}
}
