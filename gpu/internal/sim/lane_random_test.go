package sim

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/loopsplit"
	"github.com/gopherwarp/gopherwarp/internal/cudac"
)

// TestLaneNumbersRandom runs random kernels whose threads ask for the numbers of their lanes and warps, split and with a stack for every
// thread. Where whole warps are gone through one by one, other numbers stand for those, of the same type and value.
func TestLaneNumbersRandom(t *testing.T) {
	const kernels = 24
	random := rand.New(rand.NewPCG(7, 1))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	var src strings.Builder
	src.WriteString("#define LANE (threadIdx.x % 32)\n")
	for i := range kernels {
		numbers := []string{
			"threadIdx.x % 32", "threadIdx.x & 31", "threadIdx.x / 32", "threadIdx.x >> 5", "tid % warpSize", "tid / warpSize", "tid % 32 / 3",
			"(tid) % 32u", "tid % 16", "(tid + 1) % 32", "(tid - 40) / 32", "LANE", "tid & 0x1f", "3 * (threadIdx.x & 31) - tid / 32",
		}
		number := func() string { return "(" + pick(numbers...) + ")" }
		fmt.Fprintf(&src, `__global__ void k%d(unsigned *data, unsigned n) {
	__shared__ unsigned s[128], mine[128];
	unsigned linear = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
	%s tid = threadIdx.x;
	%s lane = %s;
	%s warp = %s;
	unsigned v = linear * linear %% 97 + blockIdx.x, w = 0, all = blockDim.x * blockDim.y * blockDim.z - linear / 32 * 32, mask = all < 32 ? (1u << all) - 1 : ~0u;
	s[linear] = v * 3;
	mine[linear] = 5;
	__syncthreads();
	for (int d = 1; d < 32; d *= 2) {
		unsigned other = __shfl_up_sync(mask, v, d);
		if (lane >= d) v += other + s[unsigned(%s) %% 80];
		w ^= (lane - 7 < 0) + %s;
	}
	if (%s) {
		w += s[lane & 31] + (warp - 3) / 2;
		w += __shfl_xor_sync(__activemask(), w, %d) + %s;
		v ^= s[unsigned(%s) %% 80] + (%s > 2 ? 9 : 4);
	}
	__syncthreads();
	if (linear / 32 == 0) {
		w += __popc(__ballot_sync(mask, v & 1));
		mine[(threadIdx.x %% 32 + 32 * threadIdx.y) & 127] = w + %s;
	}
	__syncthreads();
	data[blockIdx.x * 128 + linear] = w + 7 * v + mine[linear];
}
`, i, pick("unsigned", "int", "const int", "long long", "unsigned char", "short"), pick("int", "unsigned", "const int", "long long", "unsigned char"), number(),
			pick("int", "unsigned", "signed char"), number(), number(), number(),
			pick("linear / 32 != 1", "linear / 32 == 0", "linear / 32 > 1", "n == 3", "v % 5 > 1"), 1+random.IntN(8), number(), number(), number(), number())
	}
	source := src.String()
	file, err := cudac.Parse(source)
	check(t, err)
	alone := 0
	for _, s := range loopsplit.Splits(file, "", "lanes.cu", nil) {
		if s.Reason != "" {
			t.Errorf("%s: %s", s.Kernel.Name, s.Reason)
		}
		alone += strings.Count(s.Text, ")(gw_x)") + strings.Count(s.Text, ")(gw_from / 32)")
	}
	if alone < 2*kernels {
		t.Errorf("only %d numbers of lanes and warps are counted", alone)
	}
	compareBothWays(t, source, kernels, everyKernel, 128, 3, [][3]uint32{{32, 3, 1}, {64, 2, 1}, {96, 1, 1}, {8, 4, 4}, {128, 1, 1}, {40, 2, 1}})
}
