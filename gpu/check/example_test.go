package check_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/check"
	"github.com/gopherwarp/gopherwarp/gpu/device"
)

const source = `
__global__ void saxpy(float a, const float *x, float *y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) y[i] += a * x[i];
}`

func ExampleRun() {
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
	x, y := gpu.Zeros[float32](1000), gpu.Zeros[float32](1000)
	r, err := check.Run(func() error { return saxpy.Launch(gpu.For(1000, 256), 2.0, x, y, 1000) })
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(r.Summary()) // r itself is also a table of what each line costs
	for _, a := range r.At("saxpy.cu", 4) {
		fmt.Printf("line %d: a %s takes %.0f sectors a request\n", a.Line, a.Op, a.SectorsPerRequest())
	}
	// Output:
	// no defects found in 1 launch
	// line 4: a load takes 4 sectors a request
	// line 4: a store takes 4 sectors a request
}

// The tests are their own device process: package gpu starts this binary again.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "device" {
		os.Exit(device.Run(os.Args[2:], device.Backends(), os.Stdout, os.Stderr))
	}
	bin, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Setenv("GOPHERWARP_BIN", bin)
	os.Setenv("GOPHERWARP_DEVICE", "sim")
	os.Exit(m.Run())
}
