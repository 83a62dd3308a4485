package gpu_test

import (
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu"
)

const source = `
__global__ void saxpy(float a, const float *x, float *y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) y[i] += a * x[i];
}`

func Example() {
	m, err := gpu.Compile(source, gpu.WithName("saxpy.cu"))
	if err != nil {
		fmt.Println(err)
		return
	}
	saxpy, err := m.Kernel("saxpy")
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y := gpu.ToDevice([]float32{1, 2, 3}), gpu.Zeros[float32](3)
	if err := saxpy.Launch(gpu.For(3, 256), 2.0, x, y, 3); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(y.ToHost())
	// Output: [2 4 6]
}

func ExampleNewTexture() {
	m, err := gpu.Compile(`
__global__ void enlarge(cudaTextureObject_t picture, float *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = tex1D<float>(picture, (i + 0.5f) / n);
}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	enlarge, err := m.Kernel("enlarge")
	if err != nil {
		fmt.Println(err)
		return
	}
	picture, err := gpu.NewTexture([]uint8{0, 255}, gpu.Sampling{Linear: true, Normalized: true, AsFloat: true}, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	out := gpu.Zeros[float32](8)
	if err := enlarge.Launch(gpu.For(8, 256), picture, out, 8); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", out.ToHost()) // the elements' centres are at 1/4 and 3/4
	// Output: [0.000 0.000 0.125 0.375 0.625 0.875 1.000 1.000]
}

func ExampleIn() {
	m, err := gpu.Compile(source)
	if err != nil {
		fmt.Println(err)
		return
	}
	saxpy, err := m.Kernel("saxpy")
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y := []float32{1, 2, 3}, []float32{0, 0, 0}
	if err := saxpy.Launch(gpu.For(3, 256), 2.0, gpu.In(x), gpu.InOut(y), 3); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(y) // it is there: InOut waits
	// Output: [2 4 6]
}
