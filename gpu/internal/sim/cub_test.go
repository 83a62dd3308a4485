package sim

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// TestCUBInCells compiles a kernel that includes CUB, which programs without host code may, too.
func TestCUBInCells(t *testing.T) {
	tools, err := findToolchain()
	check(t, err)
	const source = `#include <cub/cub.cuh>
__global__ void sum(const float *x, float *y) {
    using Reduce = cub::BlockReduce<float, 128>;
    __shared__ typename Reduce::TempStorage room;
    float s = Reduce(room).Sum(x[threadIdx.x]);
    if (threadIdx.x == 0)
        *y = s;
}
`
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
