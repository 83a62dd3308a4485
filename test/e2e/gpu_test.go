package e2e

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

const saxpy = `%%cuda
__global__ void saxpy(float a, const float *x, float *y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) y[i] = a * x[i] + y[i];
}
`

func TestKernels(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run(saxpy)
	n.run("host := make([]float32, 1000)\nfor i := range host { host[i] = float32(i) }\nx, y := gpu.ToDevice(host), gpu.ToDevice(host)")
	n.run("saxpy.Launch(gpu.For(len(host), 256), 2, x, y, len(host))")
	n.gives("y.ToHost()[999]", "2997")
	n.run("func twice() error { return saxpy.Launch(gpu.For(y.Len(), 256), 1, y, y, y.Len()) }")
	n.run("twice()")
	n.gives("y.ToHost()[2]", "12")

	// Functions of earlier cells launch the changed kernel.
	n.run(strings.Replace(saxpy, "a * x[i] + y[i]", "a", 1))
	n.run("twice()")
	n.gives("y.ToHost()[2]", "1")

	// These are host slices as arguments.
	n.run("in, out := []float32{1, 2, 3}, []float32{10, 20, 30}")
	n.run(saxpy)
	n.run("saxpy.Launch(gpu.For(3, 32), 2, gpu.In(in), gpu.InOut(out), 3)")
	n.gives("out", "[12 24 36]")
}

func TestPrintf(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("%%cuda\n#include <cstdio>\n__global__ void hello() { printf(\"hello from %d of %d\\n\", threadIdx.x, blockDim.x); }")
	o := n.run("hello.Launch(gpu.For(3, 3))")
	for _, want := range []string{"hello from 0 of 3\n", "hello from 1 of 3\n", "hello from 2 of 3\n"} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("printed %q, want %q in it", o.stdout, want)
		}
	}
}

func TestMagics(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run(saxpy)
	n.run("x, y := gpu.Zeros[float32](1<<16), gpu.Zeros[float32](1<<16)")
	o := n.run("%timeit_gpu saxpy.Launch(gpu.For(x.Len(), 256), 2, x, y, x.Len())")
	for _, want := range []string{"median", "GB/s"} {
		if !strings.Contains(o.shown, want) {
			t.Errorf("%%timeit_gpu shows %q, want %q in it", o.shown, want)
		}
	}
	n.run("%%timeit_gpu --runs 3\nfor range 2 {\n\tsaxpy.Launch(gpu.For(x.Len(), 256), 2, x, y, x.Len())\n}")
	n.fails("%timeit_gpu saxpy.Launch(gpu.For(x.Len(), 2000), 2, x, y, x.Len())", "2000")
	n.fails("%timeit_gpu --bites 3 f()", "--bytes")
	if got := n.run("%gpu").shown; !strings.Contains(got, "compute capability") {
		t.Errorf("%%gpu shows %q", got)
	}
	if got := n.run("%help").shown; !strings.Contains(got, "%%cuda") || !strings.Contains(got, "%timeit_gpu") {
		t.Errorf("%%help shows %q", got)
	}
	if got := n.run("%help %timeit_gpu").shown; strings.Contains(got, "%%cuda") || !strings.Contains(got, "--runs") {
		t.Errorf("%%help %%timeit_gpu shows %q", got)
	}
	n.fails("%help timit_gpu", "Did you mean %timeit_gpu?")
	n.fails("%gpu abacus", "abacus")
}

func TestBadKernels(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run(saxpy)
	n.run("n := 1000\nx, y := gpu.Zeros[float32](n), gpu.Zeros[float32](n)\nkept := gpu.ToDevice([]int32{1, 2, 3})")
	intact := func() {
		t.Helper()
		n.gives("kept.ToHost()", "[1 2 3]")
		n.run("saxpy.Launch(gpu.For(n, 256), 2, x, y, n)\ny.ToHost();")
		n.gives("n", "1000")
	}
	for _, tc := range []struct{ name, cell, want string }{
		{"CUDA that does not compile", "%%cuda\n__global__ void bad(int *p) {\n\tp[0] = nowhere;\n}", "nowhere"},
		{"its line is the cell's", "%%cuda\n__global__ void bad(int *p) {\n\tp[0] = nowhere;\n}", "3"},
		{"a block of 2000 threads", "saxpy.Launch(gpu.For(n, 2000), 2, x, y, n)", "1024"},
		{"an argument too few", "saxpy.Launch(gpu.For(n, 256), 2, x, y)", "not enough arguments in call to saxpy.Launch"},
		{"an argument of a wrong type", "saxpy.Launch(gpu.For(n, 256), 2, x, kept, n)", "parameter y"},
		{"a slice for a buffer", "saxpy.Launch(gpu.For(n, 256), 2, []float32{1}, y, n)", "parameter x"},
		{"an int that C can't hold", "saxpy.Launch(gpu.For(n, 256), 2, x, y, n<<32)", "n"},
		{"a nil buffer", "saxpy.Launch(gpu.For(n, 256), 2, nil, y, n)", "x"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := &notebook{t, n.Process}
			n.fails(tc.cell, tc.want)
			intact()
		})
	}

	t.Run("an illegal access", func(t *testing.T) {
		n := &notebook{t, n.Process}
		n.run("%%cuda\n__global__ void wild(int *p) { p[1ull << 36] = 1; }")
		o := n.fails("wild.Launch(gpu.For(1, 1), kept)", "CUDA_ERROR_ILLEGAL_ADDRESS")
		if !strings.Contains(o.reply.Value, "wild") {
			t.Errorf("%q does not name the kernel", o.reply.Value)
		}
		intact()
	})
}

// TestRepeatedFault checks that a cell that runs again with the same text is not compiled again, and that its errors name
// the run that failed.
func TestRepeatedFault(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("kept := gpu.ToDevice([]int32{1, 2, 3})")
	program := fmt.Sprintf("cell[%d].cu", n.run("%%cuda\n__global__ void wild(int *p) { p[1ull << 36] = 1; }").reply.Count)
	for range 3 {
		o := n.fails("wild.Launch(gpu.For(1, 1), kept)", "CUDA_ERROR_ILLEGAL_ADDRESS")
		text := o.reply.Value + "\n" + o.traceback
		if want := fmt.Sprintf("cell[%d]:1", o.reply.Count); strings.Count(text, "cell[") == 0 || strings.Count(text, "cell[") != strings.Count(text, want)+strings.Count(text, program) {
			t.Errorf("in cell[%d]: %s", o.reply.Count, text)
		}
	}
}

func TestKilledDevice(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run(saxpy)
	n.run("x := gpu.ToDevice([]float32{1, 2, 3})\nx.ToHost();")
	pid, err := strconv.Atoi(n.run("gpu.Status()[0].Pid").result)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	n.gives("x.ToHost()", "[1 2 3]")
	n.run("saxpy.Launch(gpu.For(3, 32), 2, x, x, 3)")
	n.gives("x.ToHost()", "[3 6 9]")
}

func TestEndlessKernel(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("kept := gpu.ToDevice([]int32{1, 2, 3})")
	n.run("%%cuda\n__global__ void forever(volatile int *p) { while (p[0] == 1) { } }")
	started := filepath.Join(t.TempDir(), "started")
	n.interruptedAfter(started, "forever.Launch(gpu.For(1, 1), kept)\nos.WriteFile("+strconv.Quote(started)+", nil, 0o600)\ngpu.Sync()")
	n.gives("kept.ToHost()", "[1 2 3]")
}

func TestNoCompiler(t *testing.T) {
	t.Parallel()
	n := open(t, "CXX=/nowhere/g++", "GOPHERWARP_DEVICE=sim")
	n.run("kept := 1")
	n.fails(saxpy, "g++")
	n.gives("kept", "1")
}

func TestDeviceMemory(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("x := gpu.Zeros[float32](1<<20)\nlayers := []*gpu.Buffer[int32]{gpu.Alloc[int32](100)}")
	n.run("type net struct{ Weights *gpu.Buffer2D[float64] }\nmodel := &net{gpu.Pitched[float64](3, 3)}\npart := x.Slice(5, 6)")
	shown := n.run("%gpu mem").shown
	for _, want := range []string{"part, x", "4.0 MiB", "float32", "cell[2]:1", "layers[0]", "cell[2]:2", "model.Weights", "3 buffers hold"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%%gpu mem shows\n%s\nwant %q in it", shown, want)
		}
	}
	n.run("x.Free()")
	n.fails("x.Free()", "freeing a buffer: the buffer was freed already")
	o := n.fails("gpu.Alloc[byte](1<<50)", "1.0 PiB were asked for")
	if !strings.Contains(o.reply.Value, "of float64 made at cell[3]:2") {
		t.Errorf("%q does not say who holds memory", o.reply.Value)
	}
	n.run("%%cuda\n__constant__ int step;\n__global__ void up(int *x) { x[threadIdx.x] += step; }")
	n.run("must(gpu.GlobalOf[int32](up.Module(), \"step\")).CopyFrom([]int32{5})\nup.Launch(gpu.For(1, 1), layers[0])\nlayers[0].Slice(0, 1).Fill(1)")
	n.run("g := must(gpu.Capture(func(s *gpu.Stream) error { return up.Launch(gpu.Launch{Grid: gpu.Dim(1), Block: gpu.Dim(1), Stream: s}, layers[0]) }))\ng.Launch(nil)\ng.Launch(nil)")
	n.gives("layers[0].ToHost()[0]", "11")
}

func TestTypedParameters(t *testing.T) {
	t.Parallel()
	n := open(t)
	cell := `%%cuda
#include <cuda_fp16.h>
struct Step { char by; float4 at; int range[2]; };
__global__ void move(Step s, half h, const float4 *in, float4 *out, int n) {
	int i = threadIdx.x;
	if (i < n) out[i] = make_float4(in[i].x + s.at.w, s.range[1], s.by, __half2float(h));
}
`
	n.run(cell)
	n.run("in, out := gpu.ToDevice([]vec.Float4{{X: 1}, {X: 2}}), gpu.Zeros[vec.Float4](2)")
	n.run("step := Step{by: 3, at: vec.Float4{W: 10}, range_: [2]int32{0, 7}}")
	n.run("func once() error { return move.Launch(gpu.For(2, 32), step, gpu.ToFloat16(0.5), in, out, 2) }")
	n.run("once()")
	n.gives("out.ToHost()[1]", "{X:12 Y:7 Z:3 W:0.5}")
	n.run(strings.Replace(cell, "+ s.at.w", "- s.at.w", 1)) // the same type, so step and once fit
	n.run("once()")
	n.gives("out.ToHost()[1]", "{X:-8 Y:7 Z:3 W:0.5}")
	n.fails("move.Launch(gpu.For(2, 32), 3, gpu.ToFloat16(0.5), in, out, 2)", "Step")
	n.fails("move.Launch(gpu.For(2, 32), step, gpu.ToFloat16(0.5), in, gpu.Zeros[float32](2), 2)", "Float4")
}
