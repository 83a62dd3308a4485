package magics

import (
	"slices"
	"testing"
)

func TestDeclaredIn(t *testing.T) {
	for code, want := range map[string][]string{
		"func squares(x []float32) []float32 {\n\ty := 1\n": {"squares"},
		"var a, b int\nconst c = 1\ntype T struct{}":        {"a", "c", "T"},
		"x := f(\ny, z = 1, 2":                              {"x", "y"},
		"if x == 1 {\n}":                                    nil,
		"func (t T) Method() {}":                            nil,
		"%%cuda\n// __global__ is a word\n__global__ void square(const float* x) {\n    int i = 1;\n}":       {"square"},
		"%%cuda\ntemplate <class T>\n__global__ void __launch_bounds__(256)\nfill(T* x) {}\n__device__ f();": {"fill"},
	} {
		if got := declaredIn(code); !slices.Equal(got, want) {
			t.Errorf("%s\ngot %v, want %v", code, got, want)
		}
	}
}

func TestOwnImports(t *testing.T) {
	got := ownImports("import (\n\t\"fmt\"\n\tverify \"cheat/check\"\n)\nimport \"github.com/gopherwarp/gopherwarp/gpu/nd\"\nx := \"text\"")
	for name, want := range map[string]string{"fmt": "fmt", "verify": "cheat/check", "nd": "github.com/gopherwarp/gopherwarp/gpu/nd", "text": ""} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
}
