package sim

import (
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// TestRandomNumbersInCells compiles a kernel that includes cuRAND's headers, which programs without host code may, too.
func TestRandomNumbersInCells(t *testing.T) {
	tools, err := findToolchain()
	check(t, err)
	const source = `#include <curand.h>
#include <curand_kernel.h>
#include <curand_normal.h>
__global__ void fill(float *x, int n, unsigned long long seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curandStatePhilox4_32_10_t s;
    curand_init(seed, i, 0, &s);
    if (i < n)
        x[i] = curand_normal(&s);
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
