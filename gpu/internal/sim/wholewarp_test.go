package sim

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/loopsplit"
	"github.com/gopherwarp/gopherwarp/internal/cudac"
)

// TestWholeWarps runs operations of warps, split and with a stack for every thread, in blocks whose warps are rows of threads, parts of rows,
// several rows, and not whole.
func TestWholeWarps(t *testing.T) {
	var src strings.Builder
	src.WriteString("#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\nnamespace cg = cooperative_groups;\n")
	names := 0
	kernel := func(typ, body string) {
		fmt.Fprintf(&src, `__global__ void k%d(unsigned *data, unsigned n) {
	unsigned tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
	unsigned all = blockDim.x * blockDim.y * blockDim.z - tid / 32 * 32, mask = all < 32 ? (1u << all) - 1 : ~0u;
	%s v = tid * tid %% 97 + blockIdx.x, w = 0;
	%s
	data[blockIdx.x * 128 + tid] = unsigned(w) + 7 * unsigned(v);
}
`, names, typ, body)
		names++
	}
	// Lanes of 4 bytes are permuted in registers where the processor can, others are not.
	for _, shuffle := range []struct{ typ, op string }{
		{"int", "__shfl_sync"},
		{"int", "__shfl_up_sync"},
		{"int", "__shfl_down_sync"},
		{"int", "__shfl_xor_sync"},
		{"short", "__shfl_up_sync"},
		{"double", "__shfl_xor_sync"},
	} {
		kernel(shuffle.typ, fmt.Sprintf(`for (int d = 1; d < 40; d += d) { w += %[1]s(mask, v, d); v += w / 3; }
	for (int d = 0; d < 34; d++) { w += %[1]s(~0u, v, d) * (1 + d); }
	w += %[1]s(~0u, v, n, 8) + 2 * %[1]s(~0u, v, 3, 16) + 3 * %[1]s(~0u, v, -1, 4) + 5 * %[1]s(~0u, v, 8, 8);
	v = %[1]s(~0u, v, tid %% 5 + n);`, shuffle.op))
	}
	kernel("double", "for (int d = 1; d < 32; d += d) { w += __shfl_up_sync(~0u, v, d, 32); if (tid % 32 >= d) v += w / 3; }")
	kernel("float", "float u = __shfl_down_sync(~0u, v, 5), o = __shfl_down_sync(~0u, w, 2); if (u < v) { v = u; w = o + 1; }")
	kernel("int", "if (tid / 32 != 1) { for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d); w = v + 1; }")
	kernel("int", "if (tid % 32 < 7) { v += __shfl_down_sync(127, v, 2); w = v + 1; }")
	kernel("int", "w = __ballot_sync(~0u, v & 1); v += __any_sync(~0u, v == 8) + 2 * __all_sync(~0u, v < 90); w ^= __match_any_sync(~0u, v & 3); w += v;")
	kernel("int", "auto u = __shfl_sync(~0u, v, 1) + 1; auto o = __shfl_sync(~0u, u, 2); w = u * o; v += __shfl_down_sync(~0u, u, 2);")
	kernel("unsigned", "w = __reduce_add_sync(~0u, v); v ^= __activemask(); w += __reduce_min_sync(~0u, v + 3); w += v;")
	kernel("int", "auto tile = cg::tiled_partition<8>(cg::this_thread_block()); w = cg::reduce(tile, v, cg::plus<int>()); v += tile.shfl_down(v, 3); w += v;")
	source := src.String()
	file, err := cudac.Parse(source)
	check(t, err)
	fused := 0
	for _, s := range loopsplit.Splits(file, "", "warps.cu", nil) {
		if s.Reason != "" {
			t.Errorf("%s: %s", s.Kernel.Name, s.Reason)
		}
		if strings.Contains(s.Text, "GW_EACH_WARP") {
			fused++
		}
	}
	if fused != names {
		t.Errorf("%d of %d kernels have operations that are done warp by warp", fused, names)
	}
	compareBothWays(t, source, names, everyKernel, 128, 3, [][3]uint32{{32, 3, 1}, {64, 2, 1}, {96, 1, 1}, {8, 4, 4}, {128, 1, 1}})
}
