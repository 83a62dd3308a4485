// Command gokernels measures kernels that are written in Go, with and without checks of indices, beside the same kernels in CUDA C, in one
// run. It prints the device time of a launch. kernels_numba.py measures some of them in Numba.
//
//	go generate ./bench/gokernels && go run ./bench/gokernels
package main

import (
	_ "embed"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/gopherwarp/gopherwarp/bench/gokernels/single"
	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/device"
	"github.com/gopherwarp/gopherwarp/gpu/prof"
)

//go:embed kernels.cu
var cuda string

func main() {
	device.Serve()
	if err := measure(); err != nil {
		fmt.Fprintln(os.Stderr, "gokernels:", err)
		os.Exit(1)
	}
}

// A contest is one kernel in its three forms, which compute the same results.
type contest struct {
	name                string
	cuda, checked, free func() error
	results             func() []float32
	reset               func() // sets to 0 what the kernel adds to; nil if it only overwrites
}

// once runs one form of the kernel and returns its results.
func (c *contest) once(form func() error) ([]float32, error) {
	if c.reset != nil {
		c.reset()
	}
	if err := form(); err != nil {
		return nil, err
	}
	return c.results(), nil
}

func measure() error {
	d, err := gpu.Current()
	if err != nil {
		return err
	}
	fmt.Printf("%s, %s, device time of a launch, median; each beside CUDA C in the same run\n\n", time.Now().Format(time.DateOnly), d)
	if err := compileTimes(); err != nil {
		return err
	}
	m, err := gpu.Compile(cuda, gpu.WithName("kernels.cu"))
	if err != nil {
		return err
	}
	all, err := contests(m, d.Properties().Simulated)
	if err != nil {
		return err
	}
	fmt.Println("| kernel | CUDA C | Go, nobounds | | Go, checked | | largest difference |\n|---|--:|--:|--:|--:|--:|--:|")
	for _, c := range all {
		var times [3]time.Duration
		var results [3][]float32
		for round := range 3 { // in turns, so that the clock is the same for all
			for i, f := range []func() error{c.cuda, c.free, c.checked} {
				t, err := prof.Time(f)
				if err != nil {
					return fmt.Errorf("%s: %w", c.name, err)
				}
				if round == 0 || t.Median < times[i] {
					times[i] = t.Median
				}
				if results[i], err = c.once(f); err != nil {
					return fmt.Errorf("%s: %w", c.name, err)
				}
			}
		}
		fmt.Printf("| %s | %v | %v | %.3f | %v | %.3f | %.1e |\n", c.name, times[0], times[1], float64(times[1])/float64(times[0]), times[2],
			float64(times[2])/float64(times[0]), max(difference(results[0], results[1]), difference(results[0], results[2])))
	}
	return nil
}

// oneInCUDA is the kernel of package single.
const oneInCUDA = `extern "C" __global__ void scale(float *x, float by, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) x[i] *= by;
}`

// compileTimes prints how long the first use of a new program takes.
func compileTimes() error {
	for _, c := range []struct{ what, text string }{
		{"one kernel in CUDA C", oneInCUDA}, {"one kernel in Go", single.Text()}, {"20 kernels in Go", kernelSource.Text()}, {"10 kernels in CUDA C", cuda},
	} {
		var times []time.Duration
		for range 15 {
			now := time.Now()
			if _, err := gpu.Compile(c.text + fmt.Sprintf("\n__device__ int unused%d;\n", now.UnixNano())); err != nil { // new text is in no cache
				return err
			}
			times = append(times, time.Since(now).Round(time.Millisecond))
		}
		slices.Sort(times)
		fmt.Printf("%s: %v to compile, median\n", c.what, times[len(times)/2])
	}
	fmt.Println()
	return nil
}

// difference returns the largest relative difference.
func difference(a, b []float32) float64 {
	var most float64
	for i := range a {
		if d := math.Abs(float64(a[i]-b[i])) / max(math.Abs(float64(a[i])), 1e-3); d > most {
			most = d
		}
	}
	return most
}

func random(n int, low, high float32) *gpu.Buffer[float32] {
	host := make([]float32, n)
	state := uint64(n)
	for i := range host {
		state = state*6364136223846793005 + 1442695040888963407
		host[i] = low + (high-low)*float32(state>>40)/(1<<24)
	}
	return gpu.ToDevice(host)
}

// contests returns all kernels with their memory. They are smaller on the simulator.
func contests(m *gpu.Module, simulated bool) ([]contest, error) {
	n, side, bodies := 1<<26, 4096, 65536
	if simulated {
		n, side, bodies = 1<<20, 256, 1024
	}
	kernels := map[string]*gpu.Kernel{}
	for _, name := range []string{"vecAdd", "reduce", "matMul", "transpose", "histogram", "stencil", "blackScholes", "nBody", "mandelbrot", "softmax"} {
		k, err := m.Kernel(name)
		if err != nil {
			return nil, err
		}
		kernels[name] = k
	}
	x, y, z := random(n, 1, 2), random(n, 0.5, 3), random(n, 0.1, 2)
	out, out2 := gpu.Zeros[float32](n), gpu.Zeros[float32](n)
	bytes := gpu.Zeros[uint8](n)
	host := make([]uint8, n)
	for i := range host {
		host[i] = uint8(i * 7919 >> 3)
	}
	if err := bytes.CopyFrom(host); err != nil {
		return nil, err
	}
	sum, counts, steps := gpu.Zeros[float32](1), gpu.Zeros[uint32](256), gpu.Zeros[int32](side*side)
	small := int32(side)
	square, tiles := side*side, gpu.Launch{Grid: gpu.Dim(side/32, side/32), Block: gpu.Dim(32, 32)}
	turns := gpu.Launch{Grid: gpu.Dim(side/32, side/32), Block: gpu.Dim(32, 8)}
	pixels, wide := gpu.For2D(side, side, 32, 8), gpu.Launch{Grid: gpu.Dim(1056), Block: gpu.Dim(256)}
	rows := gpu.Launch{Grid: gpu.Dim(side), Block: gpu.Dim(256)}
	part := func(b *gpu.Buffer[float32], n int) *gpu.Buffer[float32] { return b.Slice(0, n) }
	floats := func(b *gpu.Buffer[float32], n int) func() []float32 {
		return func() []float32 { return part(b, n).ToHost() }
	}
	launch := func(name string, cfg gpu.Launch, args ...any) func() error {
		return func() error { return kernels[name].Launch(cfg, args...) }
	}
	return []contest{
		{
			"vector add", launch("vecAdd", gpu.For(n, 256), x, y, out, n),
			func() error { return launchVecAdd(gpu.For(n, 256), x, y, out) },
			func() error { return launchVecAddFree(gpu.For(n, 256), x, y, out) }, floats(out, n), nil,
		},
		{
			"reduction", launch("reduce", wide, x, sum, n),
			func() error { return launchReduce(wide, x, sum) },
			func() error { return launchReduceFree(wide, x, sum) }, sum.ToHost, func() { sum.Fill(0) },
		},
		{
			"tiled matrix product", launch("matMul", tiles, x, y, out, side),
			func() error { return launchMatMul(tiles, x, y, out, small) },
			func() error { return launchMatMulFree(tiles, x, y, out, small) }, floats(out, square), nil,
		},
		{
			"transpose", launch("transpose", turns, x, out, side),
			func() error { return launchTranspose(turns, x, out, small) },
			func() error { return launchTransposeFree(turns, x, out, small) }, floats(out, square), nil,
		},
		{
			"histogram", launch("histogram", wide, bytes, counts, n),
			func() error { return launchHistogram(wide, bytes, counts) },
			func() error { return launchHistogramFree(wide, bytes, counts) }, inFloats(counts), func() { counts.Fill(0) },
		},
		{
			"stencil", launch("stencil", pixels, x, out, side),
			func() error { return launchStencil(pixels, x, out, small) },
			func() error { return launchStencilFree(pixels, x, out, small) }, floats(out, square), nil,
		},
		{
			"Black-Scholes", launch("blackScholes", gpu.For(n, 256), x, y, z, out, out2, n),
			func() error { return launchBlackScholes(gpu.For(n, 256), x, y, z, out, out2) },
			func() error { return launchBlackScholesFree(gpu.For(n, 256), x, y, z, out, out2) }, floats(out2, n), nil,
		},
		nBodies(launch, x, y, z, out, out2, bodies),
		{
			"Mandelbrot", launch("mandelbrot", pixels, steps, side, 1000),
			func() error { return launchMandelbrot(pixels, steps, small, 1000) },
			func() error { return launchMandelbrotFree(pixels, steps, small, 1000) }, inFloats(steps), nil,
		},
		{
			"softmax", launch("softmax", rows, x, out, side),
			func() error { return launchSoftmax(rows, x, out, side) },
			func() error { return launchSoftmaxFree(rows, x, out, side) }, floats(out, square), nil,
		},
	}, nil
}

// inFloats returns a function that returns a buffer of integers as floats.
func inFloats[T int32 | uint32](b *gpu.Buffer[T]) func() []float32 {
	return func() []float32 {
		var floats []float32
		for _, v := range b.ToHost() {
			floats = append(floats, float32(v))
		}
		return floats
	}
}

func nBodies(launch func(string, gpu.Launch, ...any) func() error, x, y, z, out, out2 *gpu.Buffer[float32], n int) contest {
	a, b, c, mass := x.Slice(0, n), y.Slice(0, n), z.Slice(0, n), x.Slice(n, 2*n)
	ax, ay, az := out.Slice(0, n), out.Slice(n, 2*n), out2.Slice(0, n)
	cfg := gpu.For(n, 256)
	return contest{
		"N-body", launch("nBody", cfg, a, b, c, mass, ax, ay, az, n),
		func() error { return launchNBody(cfg, a, b, c, mass, ax, ay, az) },
		func() error { return launchNBodyFree(cfg, a, b, c, mass, ax, ay, az) },
		az.ToHost, nil,
	}
}
