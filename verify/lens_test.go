package verify_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/verify"
)

// TestLens records the smallest failing case of a check in the block of its first wrong element.
func TestLens(t *testing.T) {
	if d, err := gpu.Current(); err != nil || !d.Properties().Simulated {
		t.Skip("SKIPPED: recordings need the simulator (GOPHERWARP_DEVICE=sim)")
	}
	m := compile(t, `__global__ void late(const float *x, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i == 70 ? -9 : 2 * x[i];
}`)
	k, err := m.Kernel("late")
	if err != nil {
		t.Fatal(err)
	}
	check := func(threads int, factor float64, opts ...verify.RunOption) error {
		return verify.Run("late", 32, func(c *verify.Case) error {
			x := c.Float32s(c.N)
			out := verify.Output[float32](c, c.N, func(i int) float64 {
				if i == 70 && factor == 0 {
					return -9
				}
				return 2 * float64(x[i])
			})
			return k.Launch(gpu.Launch{Grid: gpu.Dim(max((min(c.N, threads)+31)/32, 1)), Block: gpu.Dim(32)}, verify.Input(c, x), out, c.N)
		}, opts...)
	}
	err = check(1<<20, 1, verify.Sizes(40, 100, 200))
	var failure *verify.Failure
	if !errors.As(err, &failure) || !strings.Contains(err.Error(), "verify.Lens() shows what the threads do, step by step, for n = 100.") {
		t.Fatalf("the check gives %v", err)
	}
	recording, err := verify.Lens()
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(recording); !strings.Contains(text, "block (2,0,0): 1 warp") || !strings.Contains(text, "late<<<4, 32>>>") {
		t.Errorf("the recording is\n%s", text)
	}
	// A launch with too few blocks for the element is recorded, too.
	if err = check(32, 0, verify.Sizes(100)); err == nil {
		t.Fatal("no failure")
	}
	if recording, err = verify.Lens(); err != nil || recording.Blocks() != 1 {
		t.Errorf("%v, %v", recording, err)
	}
	// A check that passes has nothing to show.
	if err = check(1<<20, 0, verify.Sizes(100)); err != nil {
		t.Fatal(err)
	}
	if _, err = verify.Lens(); err == nil || !strings.Contains(err.Error(), "has passed since") {
		t.Errorf("after a check that passes: %v", err)
	}
}
