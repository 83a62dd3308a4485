package gpu

import (
	"errors"
	"os"
	"strings"
	"testing"
)

const builtSource = `
__global__ void first(float *x) { x[threadIdx.x] = 1; }
__global__ void __launch_bounds__(96) second(float *x) {
    __shared__ float s[96];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[95 - threadIdx.x];
}
`

// buildOf compiles on the device and says what NVIDIA's compiler makes of it.
func buildOf(t *testing.T, source string, opts ...BuildOption) (*Module, *Build) {
	t.Helper()
	m, err := Compile(source, WithName("cell[1].cu"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Build(opts...)
	var missing *Error
	if errors.As(err, &missing) && missing.Name == "CUDA_ERROR_JIT_COMPILER_NOT_FOUND" && os.Getenv("GOPHERWARP_NEED_NVRTC") == "" {
		t.Skipf("SKIPPED: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m, b
}

// TestBuild looks at what is made of a program, also for another GPU.
func TestBuild(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		m, b := buildOf(t, builtSource)
		if len(b.Kernels) != 2 || b.Kernels[0].Name != "first" || b.Kernels[1].Name != "second" {
			t.Fatalf("kernels %+v", b.Kernels)
		}
		r := b.Kernels[1].Resources
		if r.Shared != 384 || r.MaxThreads != 96 || r.Registers <= 0 || len(b.Kernels[1].PTX) == 0 {
			t.Errorf("second takes %+v", r)
		}
		if props := d.Properties(); !props.Simulated && b.Arch != props.Arch() {
			t.Errorf("it is for %s on a device of %s", b.Arch, props.Arch())
		}
		other, err := m.Build(WithArch("sm_80"))
		if err != nil {
			t.Fatal(err)
		}
		if other.Arch != "sm_80" {
			t.Errorf("for sm_80 it is for %s", other.Arch)
		}
		_, err = m.Build(WithArch("sm_1"))
		if source := new(CompileError); !errors.As(err, &source) || !strings.Contains(err.Error(), "gpu-architecture") {
			t.Errorf("for sm_1: %v", err)
		}
	})
}

// TestOccupancies compares what is computed with what the driver says, for kernels of all kinds.
func TestOccupancies(t *testing.T) {
	needDevice(t, "cuda:0")
	d := freshDevice(t, "cuda:0")
	m, err := Compile(builtSource+`
template <int N> __global__ void wide(float *x) {
    float v[N];
    for (int i = 0; i < N; i++) v[i] = x[i * 32 + threadIdx.x];
    __syncthreads();
    for (int r = 0; r < 9; r++)
#pragma unroll
        for (int i = 0; i < N; i++) v[i] = v[i] * v[(i * 7 + 3) % N] + v[(i * 5) % N];
    for (int i = 0; i < N; i++) x[i * 32 + threadIdx.x] = v[i];
}
`, WithName("cell[2].cu"), WithInstances("wide<8>", "wide<24>", "wide<40>", "wide<72>", "wide<120>", "wide<200>"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, built := range b.Kernels {
		k, err := m.Kernel(built.Name)
		if err != nil {
			t.Fatal(err)
		}
		if info, r := k.Info(), built.Resources; info.NumRegs != r.Registers || info.SharedSizeBytes != r.Shared || info.LocalSizeBytes != r.Stack {
			t.Errorf("%s takes %+v, and %+v says the driver", built.Name, r, info)
		}
		for _, shared := range []int{0, 1000, 20_000, 48_000} {
			for _, row := range d.Occupancies(built.Resources, shared) {
				want, err := k.Occupancy(row.Threads, shared)
				if err != nil {
					t.Fatal(err)
				}
				if row.Blocks != want.Blocks {
					t.Errorf("%s (%d registers) with blocks of %d and %d bytes: %d blocks, and %d says the driver", built.Name, built.Resources.Registers, row.Threads, shared, row.Blocks, want.Blocks)
				}
			}
		}
	}
}

// TestOccupanciesOfModels needs no GPU: a T4 has room for half the threads of an H200.
func TestOccupanciesOfModels(t *testing.T) {
	for _, tc := range []struct {
		device string
		blocks int
	}{{"sim:h200", 8}, {"sim:t4", 4}} {
		needDevice(t, "sim")
		d := freshDevice(t, tc.device)
		found := false
		for _, row := range d.Occupancies(Resources{Registers: 30}, 0) {
			if row.Threads == 256 {
				found = true
				if row.Blocks != tc.blocks || row.Fraction != 1 || !row.Best {
					t.Errorf("%s: %+v", tc.device, row)
				}
			}
		}
		if !found {
			t.Errorf("%s has no row for 256 threads", tc.device)
		}
	}
}
