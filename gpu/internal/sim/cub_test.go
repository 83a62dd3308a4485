package sim

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// TestCUBInCells compiles a kernel that includes CUB, which programs without host code may, too.
func TestCUBInCells(t *testing.T) {
	compiles(t, `#include <cub/cub.cuh>
__global__ void sum(const float *x, float *y) {
    using Reduce = cub::BlockReduce<float, 128>;
    __shared__ typename Reduce::TempStorage room;
    float s = Reduce(room).Sum(x[threadIdx.x]);
    if (threadIdx.x == 0)
        *y = s;
}
`)
}

// TestNoinlineInCells compiles a kernel beside headers of the C++ library that have CUDA's word in their attributes.
func TestNoinlineInCells(t *testing.T) {
	compiles(t, `#include <functional>
#include <memory>
#include <string>
__noinline__ __device__ float twice(float x) { return 2 * x; }
__device__ __attribute__((noinline)) float half(float x) { return x / 2; }
__global__ void k(float *x) { x[threadIdx.x] = half(twice(x[threadIdx.x])) + 1; }
`)
}

// compiles compiles a source as that of a cell, for check mode, too.
func compiles(t *testing.T, source string) {
	t.Helper()
	tools, err := findToolchain()
	check(t, err)
	for _, checked := range []bool{false, true} {
		compile := tools.compile
		if checked {
			compile = tools.compileChecked
		}
		image, err := compile(backend.Program{Name: "cell.cu", Source: source, Check: checked})
		if err != nil || image.Log != "" {
			t.Errorf("checked %v: %v\n%s", checked, err, image.Log)
		}
	}
}
