package verify_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/verify"
)

// reversers reverse each block of 256 elements, with the reason for which each must be refused. Their
// results are right in the simulator's usual order, and most of them in any.
var reversers = []struct {
	name, body string
	reason     verify.Reason
}{
	{"right", `__shared__ int tile[256];
	tile[threadIdx.x] = i < n ? x[i] : 0;
	__syncthreads();
	if (i < n) out[i] = tile[last - threadIdx.x];`, ""},
	{"readsBeyond", `__shared__ int tile[256];
	tile[threadIdx.x] = x[i];
	__syncthreads();
	if (i < n) out[i] = tile[last - threadIdx.x];`, verify.OutOfBounds},
	{"unset", `__shared__ int tile[256];
	volatile int unused = tile[255 - threadIdx.x];
	__syncthreads();
	if (i < n) tile[threadIdx.x] = x[i];
	__syncthreads();
	if (i < n) out[i] = tile[last - threadIdx.x];`, verify.Uninitialised},
	{"barrierInBranch", `__shared__ int tile[256];
	if (i < n) {
		tile[threadIdx.x] = x[i];
		__syncthreads();
	} else {
		__syncthreads();
	}
	if (i < n) out[i] = tile[last - threadIdx.x];`, verify.Barrier},
	{"counts", `if (i < n) { out[i] = x[n - 1 - i] + (atomicAdd(&ticket, 1) % 256 != threadIdx.x); }`, verify.Unsteady},
	{"forever", `if (i == 300) while (*(volatile const int *)x == *(volatile const int *)x) { }
	if (i < n) out[i] = x[n - 1 - i];`, verify.Hangs},
}

func TestDefectsOnDevice(t *testing.T) {
	source := "__device__ int ticket;\n"
	for _, r := range reversers {
		source += "__global__ void " + r.name + `(const int* x, int* out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int last = min(256, n - (int)(blockIdx.x * blockDim.x)) - 1;
	` + r.body + "\n}\n"
	}
	m := compile(t, source)
	d, err := gpu.Current()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range reversers {
		t.Run(r.name, func(t *testing.T) {
			if r.reason == verify.Unsteady && !d.Properties().Simulated {
				t.Skip("SKIPPED: only the simulator has an order of threads that can be chosen")
			}
			k, err := m.Kernel(r.name)
			if err != nil {
				t.Fatal(err)
			}
			opts := []verify.RunOption{verify.Sizes(256, 100)}
			if r.reason == verify.Unsteady {
				opts = []verify.RunOption{verify.Sizes(256)}
			}
			if r.reason == verify.Hangs {
				opts = []verify.RunOption{verify.Sizes(301), verify.Patience(2 * time.Second)}
			}
			err = verify.Run(r.name, block, func(c *verify.Case) error {
				x := make([]int32, c.N)
				for i := range x {
					x[i] = int32(i)
				}
				out := verify.Output[int32](c, c.N, func(i int) int { return c.N - 1 - i })
				return k.Launch(roundUp(c.N), verify.Input(c, x), out, c.N)
			}, opts...)
			expect(t, err, r.reason)
			if r.reason != "" {
				t.Log(err)
			}
		})
	}
}

func TestCostOnDevice(t *testing.T) {
	m := compile(t, `__global__ void rows(const float* x, float* out) {
	out[blockIdx.x * 32 + threadIdx.x] = x[blockIdx.x * 32 + threadIdx.x];
}
__global__ void columns(const float* x, float* out) {
	out[threadIdx.x * 32 + blockIdx.x] = x[blockIdx.x * 32 + threadIdx.x];
}
__global__ void tile(const float* x, float* out) {
	__shared__ float t[32][32];
	for (int row = 0; row < 32; row++) t[row][threadIdx.x] = x[row * 32 + threadIdx.x];
	__syncthreads();
	for (int row = 0; row < 32; row++) out[row * 32 + threadIdx.x] = t[threadIdx.x][row];
}`)
	kernel := func(name string) *gpu.Kernel {
		k, err := m.Kernel(name)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	x, out := gpu.Zeros[float32](1024), gpu.Zeros[float32](1024)
	cost := func(name string, blocks int, limits ...verify.Limit) error {
		k := kernel(name)
		return verify.Cost(name, func() error {
			return k.Launch(gpu.Launch{Grid: gpu.Dim(blocks), Block: gpu.Dim(32)}, x, out)
		}, limits...)
	}
	expect(t, cost("rows", 32, verify.Launches(1)), verify.NotGraded)
	for name, blocks := range map[string]int{"rows": 32, "columns": 32, "tile": 1} {
		k := kernel(name)
		expect(t, verify.Run(name, 32, func(c *verify.Case) error {
			in := c.Float32s(1024)
			want := func(i int) float32 {
				if name == "rows" {
					return in[i]
				}
				return in[i%32*32+i/32]
			}
			out := verify.Output[float32](c, 1024, want, verify.Exact())
			return k.Launch(gpu.Launch{Grid: gpu.Dim(blocks), Block: gpu.Dim(32)}, verify.Input(c, in), out)
		}, verify.Sizes(1)), "")
	}
	expect(t, cost("rows", 32, verify.SectorsPerRequest(4), verify.Launches(1), verify.GlobalBytes(8192)), "")
	expect(t, cost("rows", 32, verify.GlobalBytes(8191)), verify.TooManyBytes)
	expect(t, cost("columns", 32, verify.SectorsPerRequest(4)), verify.Uncoalesced)
	expect(t, cost("tile", 1, verify.SectorsPerRequest(4), verify.ConflictsPerRequest(0)), verify.BankConflicts)
	expect(t, verify.Cost("rows", func() error { return nil }, verify.Launches(1)), verify.NotGraded)
	lost := errors.New("lost")
	if err := verify.Cost("rows", func() error { return lost }, verify.Launches(1)); !errors.Is(err, lost) {
		t.Errorf("got %v", err)
	}
	// The kernel of another program has not passed, also if it has the same name.
	other, err := compile(t, `__global__ void rows(const float* x, float* out) {}`).Kernel("rows")
	if err != nil {
		t.Fatal(err)
	}
	expect(t, verify.Cost("rows", func() error { return other.Launch(gpu.For(1024, 32), x, out) }, verify.Launches(1)), verify.NotGraded)
	expect(t, verify.Speed("rows", 1, nil, func() error { return other.Launch(gpu.For(1024, 32), x, out) }), verify.NotGraded)
	// A check that fails takes back what an earlier one has shown.
	expect(t, verify.Run("rows", 32, func(c *verify.Case) error {
		verify.Output[float32](c, 1, func(int) int { return 1 })
		return nil
	}, verify.Sizes(1)), verify.NotWritten)
	expect(t, cost("rows", 32, verify.Launches(1)), verify.NotGraded)
}

// Copies are counted on every device.
func TestTransfersOnDevice(t *testing.T) {
	k, err := compile(t, `__global__ void twice(float* x) { x[threadIdx.x] *= 2; }`).Kernel("twice")
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float32, 100)
	expect(t, verify.Transfers("twice", 800, func() error { return k.Launch(gpu.For(100, 100), gpu.ToDevice(x)) }), verify.NotGraded)
	expect(t, verify.Function("twice", func(c *verify.Case) (got, want []float32, err error) {
		x := c.Float32s(c.N)
		b := gpu.ToDevice(x)
		err = k.Launch(gpu.For(c.N, 100), b)
		for _, v := range x {
			want = append(want, 2*v)
		}
		return b.ToHost(), want, err
	}, verify.Sizes(100)), "")
	run := func(times int) func() error {
		return func() error {
			for range times {
				b := gpu.ToDevice(x)
				if err := k.Launch(gpu.For(100, 100), b); err != nil {
					return err
				}
				x = b.ToHost()
			}
			return nil
		}
	}
	expect(t, verify.Transfers("twice", 800, run(1)), "")
	expect(t, verify.Transfers("twice", 799, run(1)), verify.TooManyCopies)
	expect(t, verify.Transfers("twice", 800, run(2)), verify.TooManyCopies)
	expect(t, verify.Transfers("twice", 800, func() error { return nil }), verify.NotGraded)
	expect(t, verify.Transfers("twice", 800, func() error {
		b := gpu.ToDevice(slices.Repeat([]float32{1}, 100))
		err := k.Launch(gpu.For(100, 100), b)
		if b.ToHost()[0] != 2 {
			panic("without kernels it is 1")
		}
		return err
	}), "")
}

// The threads of one warp give the right result here, and still they race.
func TestRaceInFunctionOnDevice(t *testing.T) {
	k, err := compile(t, `__global__ void shift(float* x, int n) {
	if (threadIdx.x < n - 1) x[threadIdx.x] = x[threadIdx.x + 1];
}`).Kernel("shift")
	if err != nil {
		t.Fatal(err)
	}
	err = verify.Function("shift", func(c *verify.Case) (got, want []float32, err error) {
		x := c.Float32s(c.N)
		b := gpu.ToDevice(x)
		err = k.Launch(gpu.For(32, 32), b, c.N)
		return b.ToHost(), append(x[1:], x[c.N-1]), err
	}, verify.Sizes(5, 31))
	expect(t, err, verify.Race)
}
