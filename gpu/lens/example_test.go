package lens_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/device"
	"github.com/gopherwarp/gopherwarp/gpu/lens"
)

const source = `
__global__ void sum(const float *x, float *out) {
    __shared__ float part[64];
    int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    for (int n = 32; n > 0; n /= 2) {
        if (t < n)
            part[t] += part[t + n];
        __syncthreads();
    }
    if (t == 0)
        out[0] = part[0];
}`

func ExampleRun() {
	m, err := gpu.Compile(source, gpu.WithName("sum.cu"))
	if err != nil {
		fmt.Println(err)
		return
	}
	sum, err := m.Kernel("sum")
	if err != nil {
		fmt.Println(err)
		return
	}
	x, out := gpu.Zeros[float32](64), gpu.Zeros[float32](1)
	r, err := lens.Run(func() error { return sum.Launch(gpu.For(64, 64), x, out) })
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(r) // in a notebook, a picture that can be stepped through
	// Output:
	// sum<<<1, 64>>>
	// block (0,0,0): 2 warps, 24 steps, 7 barriers
	// sum.cu  warps  threads  active
	//      4      2       64   100 %      int t = threadIdx.x;
	//      5      2       64   100 %      part[t] = x[t];
	//      7     14      448   100 %      for (int n = 32; n > 0; n /= 2) {
	//      8     12      384   100 %          if (t < n)
	//      9      6       63    33 %              part[t] += part[t + n];
	//     12      2       64   100 %      if (t == 0)
	//     13      1        1     3 %          out[0] = part[0];
	//     14      2       64   100 %  }
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
