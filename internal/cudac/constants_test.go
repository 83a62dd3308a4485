package cudac

import (
	"strings"
	"testing"
)

func TestConstants(t *testing.T) {
	for source, want := range map[string]string{
		"__constant__ float c[3];":                                                      "c",
		"__constant__ __device__ const int a = 3, b[2] = {1, 2};":                       "a b",
		"static __constant__ int a, *b, c;":                                             "a b c",
		"namespace n { __constant__ char x; } __constant__ alignas(16) int y {4};":      "x y",
		"__constant__ std::array<int, 3> a;":                                            "a",
		"__constant__ Pair<int, float> a[2], b;":                                        "a b",
		"__constant__ int n = Size<int, T>::value, m;":                                  "n",
		"__constant__ int (*f)(int);":                                                   "",
		"extern __constant__ int n[];":                                                  "",
		"template <class T> __constant__ T n;":                                          "",
		"struct S { static __constant__ int n; };":                                      "",
		"__device__ int n; __global__ void k() { n = 1; } // __constant__ int c;":       "",
		"__constant__ int a; __global__ void k(int *x) { *x = a; } __constant__ int b;": "a b",
	} {
		var names []string
		for _, e := range Constants(source, " %[2]s") {
			names = append(names, strings.TrimSpace(e.Text))
			if e.Begin != e.End || source[e.Begin-1] != ';' {
				t.Errorf("%s: the edit is at %d", source, e.Begin)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: got %q, want %q", source, got, want)
		}
	}
}
