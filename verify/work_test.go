package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/verify"
)

// squarers are the bodies of kernels that square numbers, all with the right result, and the reason for which each
// must be refused.
var squarers = []struct {
	name, body string
	reason     verify.Reason
}{
	{"right", "if (i < n) out[i] = x[i] * x[i];", ""},
	{"strides", "for (; i < n; i += gridDim.x * blockDim.x) out[i] = x[i] * x[i];", ""},
	{"oneThread", "if (i == 0) for (int j = 0; j < n; j++) out[j] = x[j] * x[j];", verify.OneThread},
	{"allThreads", "for (int j = 0; j < n; j++) out[j] = x[j] * x[j];", verify.EachDoesAll},
	{"allRead", "float y = 0; for (int j = 0; j < n; j++) if (j == i) y = x[j]; else y += 0 * x[j]; if (i < n) out[i] = y * y;", verify.EachDoesAll},
	{"atomics", "if (i < n) atomicExch(&out[i], x[i] * x[i]);", verify.NeedlessAtom},
	{"product", "i = blockIdx.x * threadIdx.x; if (i < n) out[i] = x[i] * x[i];", verify.IndexProduct},
	{"gridStep", "i = blockIdx.x * gridDim.x + threadIdx.x; if (i < n) out[i] = x[i] * x[i];", verify.WrongStep},
	{"fixedStep", "i = blockIdx.x * 128 + threadIdx.x; if (i < n) out[i] = x[i] * x[i];", verify.WrongStep},
	{"wideStep", "i = blockIdx.x * 512 + threadIdx.x; if (i < n) out[i] = x[i] * x[i];", verify.WrongStep},
	{"firstThreads", "i = blockIdx.x * blockDim.x; if (i < n) out[i] = x[i] * x[i];", verify.FirstThreads},
	{"adds", "if (i < n) out[i] += x[i] * x[i];", verify.Accumulated},
	{"writesZero", "if (i < n) out[i] = 0;", verify.AllTheSame},
	{"copies", "if (i < n) out[i] = x[i];", verify.Copied},
	{"constant", "if (i < n) out[i] = 0.5f;", verify.AllTheSame},
	{"whole", "if (i < n) out[i] = (int)(2 * x[i] * x[i]);", verify.CutToWhole},
	{"odd", "if (i < n && i % 2) out[i] = x[i] * x[i];", verify.SomeUnwritten},
}

func squarerModule(t *testing.T) func(name string) *gpu.Kernel {
	t.Helper()
	var source strings.Builder
	for _, s := range squarers {
		fmt.Fprintf(&source, `__global__ void %s(const float* x, float* out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	%s
}
`, s.name, s.body)
	}
	m := compile(t, source.String())
	return func(name string) *gpu.Kernel {
		k, err := m.Kernel(name)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
}

// runSquares checks something that squares.
func runSquares(name string, launch func(n int, x, out *gpu.Buffer[float32], values []float32) error) error {
	return verify.Run(name, block, func(c *verify.Case) error {
		c.Within(verify.WorkPerThread(8), verify.GlobalAtomics(0))
		x := c.Float32s(c.N)
		factor := 1.0
		if name == "whole" {
			factor = 2
		}
		out := verify.Output[float32](c, c.N, func(i int) float64 { return factor * float64(x[i]) * float64(x[i]) })
		return launch(c.N, verify.Input(c, x), out, x)
	}, verify.Sizes(0, 1, 33, 257, 3000, 5000))
}

func TestSquarers(t *testing.T) {
	kernel := squarerModule(t)
	for _, s := range squarers {
		t.Run(s.name, func(t *testing.T) {
			k := kernel(s.name)
			expect(t, runSquares(s.name, func(n int, x, out *gpu.Buffer[float32], _ []float32) error {
				return k.Launch(gpu.For(n, block), x, out, n)
			}), s.reason)
		})
	}
}

// What Go has computed does not pass for what a kernel has, whatever is launched beside.
func TestWithoutKernel(t *testing.T) {
	kernel := squarerModule(t)
	inGo := func(values []float32) []float32 {
		out := make([]float32, len(values))
		for i, v := range values {
			out[i] = v * v
		}
		return out
	}
	expect(t, runSquares("in Go", func(_ int, _, out *gpu.Buffer[float32], values []float32) error {
		return out.CopyFrom(inGo(values))
	}), verify.NotOnDevice)
	expect(t, runSquares("beside a launch", func(n int, x, out *gpu.Buffer[float32], values []float32) error {
		if err := kernel("right").Launch(gpu.For(n, block), x, out, n); err != nil {
			return err
		}
		return out.CopyFrom(inGo(values))
	}), verify.NotOnDevice)

	launch := func(x []float32, cfg gpu.Launch) (*gpu.Buffer[float32], error) {
		out := gpu.Zeros[float32](len(x))
		return out, kernel("right").Launch(cfg, gpu.ToDevice(x), out, len(x))
	}
	for _, f := range []struct {
		name    string
		squares func(x []float32) ([]float32, error)
		reason  verify.Reason
	}{
		{"right", func(x []float32) ([]float32, error) {
			out, err := launch(x, gpu.For(len(x), 256))
			return out.ToHost(), err
		}, ""},
		{"a panic without kernels", func(x []float32) ([]float32, error) {
			out, err := launch(x, gpu.For(len(x), 256))
			got := out.ToHost()
			for i, v := range x {
				if v != 0 && got[i] == 0 {
					panic("a square of 0")
				}
			}
			return got, err
		}, ""},
		{"in Go", func(x []float32) ([]float32, error) { return inGo(x), nil }, verify.NotOnDevice},
		{"beside a launch", func(x []float32) ([]float32, error) {
			_, err := launch(x, gpu.For(len(x), 256))
			return inGo(x), err
		}, verify.NotOnDevice},
		{"by way of the device", func(x []float32) ([]float32, error) {
			_, err := launch(x, gpu.For(len(x), 256))
			return gpu.ToDevice(inGo(x)).ToHost(), err
		}, verify.NotOnDevice},
		{"half in Go", func(x []float32) ([]float32, error) {
			half := make([]float32, len(x))
			for i, v := range x {
				half[i] = v / 2
			}
			out, err := launch(half, gpu.For(len(x), 256))
			got := out.ToHost()
			for i := range got {
				got[i] *= 4
			}
			return got, err
		}, verify.FinishedInGo},
		{"the input", func(x []float32) ([]float32, error) { return x, nil }, verify.Copied},
		{"one block", func(x []float32) ([]float32, error) {
			out, err := launch(x, gpu.Launch{Grid: gpu.Dim(1), Block: gpu.Dim(1024)})
			return out.ToHost(), err
		}, verify.OnlyFirst},
		{"a fixed grid", func(x []float32) ([]float32, error) {
			out, err := launch(x, gpu.Launch{Grid: gpu.Dim(8), Block: gpu.Dim(256)})
			return out.ToHost(), err
		}, verify.OnlyFirst},
		{"an error that is dropped", func(x []float32) ([]float32, error) {
			out, _ := launch(x, gpu.Launch{Grid: gpu.Dim(1), Block: gpu.Dim(max(1, len(x)))})
			return out.ToHost(), nil
		}, verify.NotWritten},
		{"a buffer that was never written", func(x []float32) ([]float32, error) {
			_, err := launch(x, gpu.For(len(x), 256))
			return gpu.Alloc[float32](len(x)).ToHost(), err
		}, verify.NotWritten},
		{"one block, into memory as it was", func(x []float32) ([]float32, error) {
			out := gpu.Alloc[float32](len(x))
			err := kernel("right").Launch(gpu.For(min(len(x), 256), 256), gpu.ToDevice(x), out, len(x))
			return out.ToHost(), err
		}, verify.SomeUnwritten},
		{"not returned", func([]float32) ([]float32, error) { return nil, nil }, verify.WrongValues},
	} {
		t.Run(f.name, func(t *testing.T) {
			expect(t, verify.Function(f.name, func(c *verify.Case) (got, want []float32, err error) {
				c.Within(verify.WorkPerThread(8))
				x := c.Float32s(c.N)
				got, err = f.squares(x)
				return got, inGo(x), err
			}), f.reason)
		})
	}
}
