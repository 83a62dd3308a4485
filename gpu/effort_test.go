package gpu_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	. "github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/check"
	"github.com/gopherwarp/gopherwarp/internal/gpuhooks"
)

const effortSource = `__global__ void each(const float *x, float *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = x[i] + 1;
}
__global__ void one(const float *x, float *out, int n) {
	if (blockIdx.x == 1 && threadIdx.x == 3)
		for (int i = 0; i < n; i++)
			out[i] = x[i] + 1;
}
__global__ void inBranch(float *out) {
	__shared__ float part[64];
	int t = threadIdx.x;
	part[t] = t;
	__syncthreads();
	for (int half = 32; half > 0; half /= 2) {
		if (t < half) {
			part[t] += part[t + half];
			__syncthreads(); // no thread may return before it
		}
	}
	if (t == 0)
		*out = part[0];
}
__global__ void returns(float *out, int n) {
	__shared__ float part[64];
	if (threadIdx.x >= n)
		return;
	part[threadIdx.x] = 1;
	__syncthreads();
	if (threadIdx.x == 0)
		*out = part[n - 1];
}
`

// effortRig compiles the kernels above for the simulator.
func effortRig(t *testing.T) func(kernel string, cfg Launch, args ...any) error {
	t.Helper()
	needDevice(t, "sim")
	freshDevice(t, "sim")
	m, err := Compile(effortSource, WithName("cell[1].cu"))
	if err != nil {
		t.Fatal(err)
	}
	return func(kernel string, cfg Launch, args ...any) error {
		k, err := m.Kernel(kernel)
		if err != nil {
			return err
		}
		return k.Launch(cfg, args...)
	}
}

func TestEffort(t *testing.T) {
	launch := effortRig(t)
	const n = 300
	x, out := Zeros[float32](n), Zeros[float32](n)
	for _, c := range []struct{ kernel, want string }{
		{"each", "512 threads, 600 accesses, 2 by thread [0 0 0] of block [0 0 0]"},
		{"one", "512 threads, 600 accesses, 600 by thread [3 0 0] of block [1 0 0]"},
	} {
		r, err := check.Run(func() error { return launch(c.kernel, For(n, 256), x, out, n) }, check.WithSimulator())
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Efforts) != 2 || r.Efforts[1].Space != "shared" || r.Efforts[1].Accesses != 0 {
			t.Fatalf("%s: got efforts %v", c.kernel, r.Efforts)
		}
		e := r.Efforts[0]
		got := fmt.Sprintf("%d threads, %d accesses, %d by thread %v of block %v", e.Threads, e.Accesses, e.Most, e.Thread, e.Block)
		if got != c.want || e.Kernel != c.kernel || e.Program != "cell[1].cu" {
			t.Errorf("%s of %s: got %s, want %s", e.Kernel, e.Program, got, c.want)
		}
	}
}

func TestIdle(t *testing.T) {
	launch := effortRig(t)
	out := Zeros[float32](4)
	x := ToDevice([]float32{1, 2, 3, 4})
	add := func() error { return launch("each", For(4, 4), x, out, 4) }
	left, err := gpuhooks.SkipLaunches(add)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 1 {
		t.Fatalf("left out %d launches, want 1", len(left))
	}
	if name, source := left[0].Name, left[0].Source; name != "cell[1].cu" || source != effortSource {
		t.Errorf("left out a kernel of %s", name)
	}
	if got := out.ToHost(); !slices.Equal(got, []float32{0, 0, 0, 0}) {
		t.Errorf("a launch was carried out: %v", got)
	}
	if _, err := gpuhooks.SkipLaunches(func() error { return launch("each", For(4, 4), x, out) }); err == nil {
		t.Error("a launch without an argument is accepted")
	}
	if err := add(); err != nil {
		t.Fatal(err)
	}
	if got := out.ToHost(); !slices.Equal(got, []float32{2, 3, 4, 5}) {
		t.Errorf("launches are left out behind Idle: %v", got)
	}
}

// compute-sanitizer's synccheck calls the first an error, and says nothing of the second.
func TestSkippedBarrier(t *testing.T) {
	launch := effortRig(t)
	out := Zeros[float32](1)
	r, err := check.Run(func() error { return launch("inBranch", For(64, 64), out) })
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), "cell[1].cu:19: divergent barrier in inBranch") {
		t.Errorf("a barrier in a branch: %v", r)
	}
	r, err = check.Run(func() error { return launch("returns", For(64, 64), out, 40) })
	if err != nil {
		t.Fatal(err)
	}
	if r.Err() != nil || len(r.Findings) != 1 || r.Findings[0].Kind != check.EarlyExit {
		t.Errorf("threads that have returned: %v", r)
	}
}
