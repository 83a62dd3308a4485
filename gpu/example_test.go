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
	m, err := gpu.Compile(source, gpu.Name("saxpy.cu"))
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
}

func ExampleCheck() {
	m, err := gpu.Compile(source, gpu.Name("saxpy.cu"))
	if err != nil {
		fmt.Println(err)
		return
	}
	saxpy, err := m.Kernel("saxpy")
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y := gpu.Zeros[float32](1000), gpu.Zeros[float32](1000)
	r, err := gpu.Check(func() error { return saxpy.Launch(gpu.For(1000, 256), 2.0, x, y, 1000) })
	if err != nil {
		fmt.Println(err) // on a GPU: only the simulator has a check mode
		return
	}
	fmt.Print(r) // what was found, and a table of what each line costs
	for _, a := range r.At("saxpy.cu", 4) {
		if a.SectorsPerRequest() > 4.1 {
			fmt.Printf("line %d: the %s is not coalesced\n", a.Line, a.Op)
		}
	}
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
	fmt.Println(out.ToHost()) // from 0 to 1
}

func ExampleTime() {
	x := gpu.Zeros[float32](1 << 24)
	t, err := gpu.Time(func() error { x.Fill(1); return nil }, gpu.CountBytes(int64(x.Bytes())))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v, of it %v to submit: %.0f GB/s\n", t.Median, t.CPU, t.GBs())
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
}
