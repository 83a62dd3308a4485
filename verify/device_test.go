package verify_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/device/devicetest"
	"github.com/gopherwarp/gopherwarp/verify"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

const block = 256

// adders are the bodies of kernels that add vectors, where i is the index, with the reason
// for which each must be refused.
var adders = []struct {
	name, body string
	cover      func(n int) gpu.Launch
	reason     verify.Reason
}{
	{"right", "if (i < n) sum[i] = a[i] + b[i];", roundUp, ""},
	{"noGuard", "sum[i] = a[i] + b[i];", roundUp, verify.GuardAfter},
	{"oneBlock", "i = threadIdx.x; if (i < n) sum[i] = a[i] + b[i];", roundUp, verify.FirstBlockOnly},
	{"early", "if (i < n - 1) sum[i] = a[i] + b[i];", roundUp, verify.LastMissing},
	{"next", "int j = (i + 1) % max(n, 1); if (i < n) sum[i] = a[j] + b[j];", roundUp, verify.OffByOne},
	{"toInput", "if (i < n) const_cast<float*>(a)[i] = sum[i] + b[i];", roundUp, verify.InputChanged},
	{"nothing", "", roundUp, verify.NotWritten},
	{"minus", "if (i < n) sum[i] = a[i] - b[i];", roundUp, verify.WrongValues},
	{"tooFew", "if (i < n) sum[i] = a[i] + b[i];", roundDown, verify.TailMissing},
	{"wild", "if (i == 256) sum[1LL << 40] = 1;", roundUp, verify.OutOfBounds},
}

func roundUp(n int) gpu.Launch { return gpu.For(n, block) }

func roundDown(n int) gpu.Launch {
	return gpu.Launch{Grid: gpu.Dim(n / block), Block: gpu.Dim(block)}
}

// compile is gpu.Compile, or skips the test where there can be no device.
func compile(t *testing.T, source string) *gpu.Module {
	t.Helper()
	if _, err := exec.LookPath("g++"); err != nil && os.Getenv("GOPHERWARP_DEVICE") == "sim" {
		t.Skip("SKIPPED: the simulator needs g++ (apt install g++)")
	}
	m, err := gpu.Compile(source, gpu.WithName("verify.cu"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestAddersOnDevice(t *testing.T) {
	var source strings.Builder
	for _, a := range adders {
		fmt.Fprintf(&source, `__global__ void %s(const float* a, const float* b, float* sum, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	%s
}
`, a.name, a.body)
	}
	m := compile(t, source.String())
	for _, a := range adders {
		t.Run(a.name, func(t *testing.T) {
			k, err := m.Kernel(a.name)
			if err != nil {
				t.Fatal(err)
			}
			err = verify.Run(a.name, block, func(c *verify.Case) error {
				x, y := c.Float32s(c.N), c.Float32s(c.N)
				sum := verify.Output[float32](c, c.N, func(i int) float64 { return float64(x[i]) + float64(y[i]) })
				return k.Launch(a.cover(c.N), verify.Input(c, x), verify.Input(c, y), sum, c.N)
			})
			expect(t, err, a.reason)
		})
	}
}

func TestCountOnDevice(t *testing.T) {
	k, err := compile(t, `__global__ void count(const unsigned char* data, unsigned int* bins, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) atomicAdd(&bins[data[i]], 1u);
}`).Kernel("count")
	if err != nil {
		t.Fatal(err)
	}
	check := func(zero bool) error {
		return verify.Run("count", block, func(c *verify.Case) error {
			data := c.Bytes(c.N)
			var want [256]int
			for _, v := range data {
				want[v]++
			}
			bins := verify.Output[uint32](c, 256, func(bin int) int { return want[bin] }, verify.Shared("bin"))
			if zero {
				bins.Fill(0)
			}
			return k.Launch(roundUp(c.N), verify.Input(c, data), bins, c.N)
		})
	}
	expect(t, check(true), "")
	expect(t, check(false), verify.Accumulated)
}

// That a kernel writes one output does not mean that it adds to the other.
func TestOneOfTwoOutputs(t *testing.T) {
	k, err := compile(t, `__global__ void twice(const float* x, float* once, float* twice, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) once[i] = x[i];
}`).Kernel("twice")
	if err != nil {
		t.Fatal(err)
	}
	expect(t, verify.Run("twice", block, func(c *verify.Case) error {
		x := c.Float32s(c.N)
		once := verify.Output[float32](c, c.N, func(i int) float32 { return x[i] })
		twice := verify.Output[float32](c, c.N, func(i int) float32 { return 2 * x[i] })
		return k.Launch(roundUp(c.N), verify.Input(c, x), once, twice, c.N)
	}), verify.NotWritten)
}

func TestBlockSize(t *testing.T) {
	for _, size := range []int{-1, 0, 4096} {
		err := verify.Run("add", size, func(*verify.Case) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "allows 1 to 1024") {
			t.Errorf("blocks of %d threads: %v", size, err)
		}
	}
}

// expect compares a check's error with the reason it must have, "" being none.
func expect(t *testing.T, err error, reason verify.Reason) {
	t.Helper()
	var f *verify.Failure
	switch {
	case reason == "" && err != nil:
		t.Errorf("refused:\n%v", err)
	case reason != "" && !errors.As(err, &f):
		t.Errorf("got %v, want a failure for %q", err, reason)
	case reason != "" && f.Reason != reason:
		t.Errorf("refused because %q, want %q:\n%v", f.Reason, reason, err)
	}
}
