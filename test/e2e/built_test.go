package e2e

import (
	"os"
	"strings"
	"testing"
)

// TestWhatWasBuilt checks that the output of NVIDIA's compiler for a cell is displayed if
// NVRTC is installed, with or without a GPU.
func TestWhatWasBuilt(t *testing.T) {
	t.Parallel()
	n := open(t)
	n.run("%gpu sim:h200")
	const body = `
__global__ void reverse(const float *x, float *y) {
	__shared__ float s[128];
	s[threadIdx.x] = x[threadIdx.x];
	__syncthreads();
	y[threadIdx.x] = s[127 - threadIdx.x];
}
`
	o := n.run("%%cuda --info --shared 99000" + body)
	for _, want := range []string{"registers", "512 B", "Occupancy of reverse on gopherwarp simulator of an H200", "99000 B of dynamic", "2 of 64", "shared memory  best"} {
		if !strings.Contains(o.shown, want) {
			t.Errorf("%q is missing in\n%s", want, o.shown)
		}
	}
	n.run("x, y := gpu.Zeros[float32](128), gpu.Zeros[float32](128)\nreverse.Launch(gpu.For(128, 128), x, y)")
	missing := strings.Contains(o.shown, "NVRTC, the library that compiles CUDA C++, was not found")
	if missing && os.Getenv("GOPHERWARP_NEED_NVRTC") != "" {
		t.Error(o.shown)
	}
	o = n.run("%%cuda --ptx --sass --arch=sm_80" + body)
	if missing {
		if !strings.Contains(o.shown, "was not found. Install it with") {
			t.Errorf("without NVRTC it shows\n%s", o.shown)
		}
		t.Skip("SKIPPED in part: there is no NVRTC")
	}
	for _, want := range []string{"reverse: PTX (sm_80, NVRTC ", "   5  \t__syncthreads();\n        bar.sync \t0;"} {
		if !strings.Contains(o.shown, want) {
			t.Errorf("%q is missing in\n%s", want, o.shown)
		}
	}
	if !strings.Contains(o.shown, "No SASS: nvdisasm") && !strings.Contains(o.shown, "BAR.SYNC") {
		t.Errorf("neither SASS nor a reason in\n%s", o.shown)
	}
	o = n.run("%%cuda --info -arch=sm_80" + body)
	if !strings.Contains(o.shown, "The occupancy is left out") {
		t.Errorf("for a GPU that is not this one it shows\n%s", o.shown)
	}
	n.fails("%%cuda --info --arch=sm_1"+body, "invalid value for --gpu-architecture")
	n.fails("%%cuda --arch=sm_80"+body, "give one of them")
	n.fails("%%cuda --info --shared=lots"+body, "--shared=4096")
}
