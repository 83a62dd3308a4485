package e2e

import (
	"strings"
	"testing"
)

// TestWholePrograms checks that a %%cuda cell with a main is a separate program, which
// can't end the session.
func TestWholePrograms(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("%gpu sim:t4\nkept := 1")
	const kernel = `
#include <cstdio>
#include <iostream>

__global__ void add(const int *x, const int *y, int *sum, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		sum[i] = x[i] + y[i];
	}
}
`
	o := n.run(`%%cuda -DSIZE=100` + kernel + `
int main() {
	int x[SIZE], y[SIZE], sum[SIZE], *dev;
	for (int i = 0; i < SIZE; i++) {
		x[i] = i;
		y[i] = 10 * i;
	}
	cudaMalloc(&dev, 3 * sizeof x);
	cudaMemcpy(dev, x, sizeof x, cudaMemcpyHostToDevice);
	cudaMemcpy(dev + SIZE, y, sizeof y, cudaMemcpyHostToDevice);
	add<<<(SIZE + 31) / 32, 32>>>(dev, dev + SIZE, dev + 2 * SIZE, SIZE);
	cudaMemcpy(sum, dev + 2 * SIZE, sizeof sum, cudaMemcpyDeviceToHost);
	printf("%d\n", sum[99]);
	cudaDeviceProp p;
	cudaGetDeviceProperties(&p, 0);
	std::cout << p.major << "." << p.minor << std::endl;
}
`)
	if o.stdout != "1089\n7.5\n" {
		t.Errorf("standard output %q", o.stdout)
	}

	n.fails("%%cuda"+kernel+"int main() {\n\tadd<<<1, 32>>>(nope);\n}", ".cu:12:")
	n.fails("%%cuda --ptx\nint main() {}", "without a main")
	o = n.fails("%%cuda\n#include <cstdio>\nint main() { puts(\"before\"); fputs(\"problem\\n\", stderr); return 4; }", "exit status 4")
	if o.stdout != "before\n" || o.stderr != "problem\n" {
		t.Errorf("standard output %q, standard error %q", o.stdout, o.stderr)
	}
	n.fails("%%cuda\nint main() { return *(volatile int *)8; }", "segmentation fault")

	o = n.fails("%%cuda --check"+kernel+`int main() {
	int *dev;
	cudaMalloc(&dev, 96 * sizeof(int));
	cudaMemset(dev, 0, 96 * sizeof(int));
	add<<<2, 32>>>(dev, dev + 32, dev + 64, 33);
}
`, ".cu:8: out of bounds in add: thread (0,0,0) of block (1,0,0)")
	if o.reply.Name != "CUDA check" || !strings.Contains(o.shown, "sectors/request") {
		t.Errorf("%s: %s\nshown:\n%s", o.reply.Name, o.reply.Value, o.shown)
	}

	o = n.interrupted("%%cuda\n#include <cstdio>\nint main() {\n\tputs(\"go\");\n\tfor (volatile int i = 0;; i = 0) {}\n}")
	if o.reply.Status != "error" {
		t.Errorf("an endless program ends with %s", o.reply.Status)
	}
	n.gives("kept", "1")
}

// TestCUDAInSeveralCells uses CUDA C++ of earlier cells: templates by their arguments,
// and files of device functions.
func TestCUDAInSeveralCells(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("%gpu sim\n%cd " + t.TempDir())
	n.run(`%%cuda
template <typename T, int n> __global__ void scale(T *x) {
	x[threadIdx.x] *= n;
}
`)
	n.run("x := gpu.ToDevice([]float32{1, 2, 3})\nmust(scale.Of(\"float\", \"2\")).Launch(gpu.For(3, 3), x)")
	n.gives("x.ToHost()", "[2 4 6]")
	n.run("i := gpu.ToDevice([]int32{1, 2, 3})\nk := must(scale.Of(\"int\", \"5\"))\nk.Launch(gpu.For(3, 3), i)")
	n.gives("i.ToHost()", "[5 10 15]")
	n.fails("scale.Of(\"float\")", "template")
	n.run("%%cuda\ntemplate <class T> __global__ void copy(T *x) {}\nnamespace a { template <class T> __global__ void one(T *x) {} }\nnamespace b { __global__ void one() {} }")
	n.run("one.Launch(gpu.For(1, 1))\ncopy([]int{1}, []int{2})")

	n.run("%%writefile geometry.cuh\n__device__ float square(float x) { return x * x; }")
	const cell = `
__global__ void squares(float *x) {
	x[threadIdx.x] = square(x[threadIdx.x]);
}
`
	n.run("%%cuda\n#include \"geometry.cuh\"" + cell)
	n.run("squares.Launch(gpu.For(3, 3), x)")
	n.gives("x.ToHost()", "[4 16 36]")
	n.run("%%writefile geometry.cuh\n__device__ float square(float x) { return -x * x; }")
	n.run("%%cuda --include geometry.cuh" + cell)
	n.run("squares.Launch(gpu.For(3, 3), x)")
	n.gives("x.ToHost()", "[-16 -256 -1296]")
	o := n.run("%%cuda\n#include \"geometry.cuh\"\n#include <cstdio>" + cell + `
int main() {
	float *x, y = 3;
	cudaMallocManaged(&x, sizeof *x);
	*x = y;
	squares<<<1, 1>>>(x);
	cudaDeviceSynchronize();
	printf("%g\n", *x);
}
`)
	if o.stdout != "-9\n" {
		t.Errorf("the program prints %q", o.stdout)
	}
	n.fails("%%cuda --include missing"+cell, "no such file")

	n.run(`%%writefile kernels.cuh
#pragma once
struct part { int from, to; };
extern __shared__ float tile[];
template <typename T> __global__ void raise(T *x) { x[threadIdx.x] += 1; }
__global__ void fill(float *x, part r, float value) {
	tile[threadIdx.x] = value;
	__syncthreads();
	int i = r.from + threadIdx.x;
	if (i < r.to) x[i] = tile[blockDim.x - 1 - threadIdx.x];
}
__global__ void clear(float *x) {}
__global__ void odd(float (&x)[3]) {}`)
	o = n.run("%%cuda\n#include \"kernels.cuh\"\n#ifdef HALF\n__global__ void halve(float *x) { x[threadIdx.x] /= 2; }\n#endif")
	for _, word := range []string{"Kernel clear of kernels.cuh is not there in Go", "Kernel odd of kernels.cuh is not there in Go"} {
		if !strings.Contains(o.shown, word) {
			t.Errorf("shown: %s", o.shown)
		}
	}
	n.run("fill.Launch(gpu.Launch{Grid: gpu.Dim(1), Block: gpu.Dim(4), SharedBytes: 16}, x, part{from: 1, to: 3}, 7)\nmust(raise.Of(\"float\")).Launch(gpu.For(3, 3), x)")
	n.gives("x.ToHost()", "[-15 8 8]")
	n.run("%%cuda\n__global__ void sample(cudaTextureObject_t t, float *x) { x[threadIdx.x] = tex1D<float>(t, threadIdx.x + 1); }")
	n.run("wave := must(gpu.NewTexture([]float32{1, 2, 3}, gpu.Sampling{Linear: true}, 3))\nsamples := gpu.Zeros[float32](3)\nsample.Launch(gpu.For(3, 3), wave, samples)")
	n.gives("samples.ToHost()", "[1.5 2.5 3]")
	n.fails("sample.Launch(gpu.For(3, 3), x, samples)", "*gpu.Texture")
	n.run("%%cuda --include kernels.cuh -DHALF\n#ifdef HALF\n__global__ void halve(float *x) { x[threadIdx.x] /= 2; }\n#endif")
	n.run("halve.Launch(gpu.For(3, 3), x)")
	n.gives("x.ToHost()", "[-7.5 4 4]")
}
