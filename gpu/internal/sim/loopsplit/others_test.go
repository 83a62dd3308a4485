package loopsplit

import (
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/cudac"
)

// TestOthers splits kernels that use functions of other files.
func TestOthers(t *testing.T) {
	tests := []struct{ name, kernel, other, third, reason, has string }{
		{"no barrier", "__device__ int f(int); __global__ void k(int *x) { x[0] = f(1); __syncthreads(); x[1] = 2; }", "__device__ int f(int i) { return i; }", "", "", "x[0] = f(1)"},
		{"a barrier", "__device__ int f(int); __global__ void k(int *x) { x[0] = f(1); }", "__device__ int f(int i) { __syncthreads(); return i; }", "", "f stands where", ""},
		{"a barrier in a third file", "__device__ int f(int); __global__ void k(int *x) { x[0] = f(1); }", "__device__ int g(); __device__ int f(int i) { return g(); }", "__device__ int g() { return __shfl_sync(~0, 1, 2); }", "f stands where", ""},
		{"a function of the same name", "__device__ int f(int i) { return i; } __global__ void k(int *x) { x[0] = f(1); }", "static __device__ int f(int i) { __syncthreads(); return i; }", "", "", "f(1)"},
		{"a method", "struct S { __device__ int f(); }; __global__ void k(int *x) { S s; x[0] = s.f(); }", "__device__ int S::f() { __syncthreads(); return 1; }", "", "has a barrier", ""},
		{"host code", "int f(int); int (*p)(int) = f; __global__ void k(int *x) { x[0] = 1; }", "int f(int i) { wait(); return i; }", "", "", "x[0] = 1"},
		{"a pointer", "__device__ int f(); __device__ int (*p)() = f; __global__ void k(int *x) { x[0] = p(); }", "__device__ int f() { __syncthreads(); return 1; }", "", "passed on", ""},
		{"the thread's index", "__device__ int f(int); __global__ void k(int *x) { x[0] = f(1); __syncthreads(); }", "__device__ int f(int i) { return i + threadIdx.x; }", "", "", "::threadIdx = threadIdx"},
		{"the thread's index by a pointer", "__device__ int f(int); __device__ int (*p)(int) = f; __global__ void k(int *x) { x[0] = p(1); __syncthreads(); }", "__device__ int f(int i) { return i + threadIdx.x; }", "", "", "::threadIdx = threadIdx"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var files []*cudac.File
			for _, source := range []string{test.kernel, test.other, test.third} {
				f, err := cudac.Parse(source)
				if err != nil {
					t.Fatal(err)
				}
				files = append(files, f)
			}
			got := Splits(files[0], "", "main.cu", OthersOf(files))[0]
			if test.reason == "" && got.Reason != "" || !strings.Contains(got.Reason, test.reason) {
				t.Errorf("reason %q, want %q", got.Reason, test.reason)
			}
			if text := strings.Join(strings.Fields(got.Text), " "); !strings.Contains(text, test.has) {
				t.Errorf("%q is missing in\n%s", test.has, text)
			}
		})
	}
}
