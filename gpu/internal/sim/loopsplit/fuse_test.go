package loopsplit

import (
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/cudac"
)

// TestFusion checks which operations of warps are done with the code behind them, for one warp after the other.
func TestFusion(t *testing.T) {
	const kernel = "__global__ void k(int *x, int n) { int v = x[threadIdx.x]; "
	const keep = " __syncthreads(); x[threadIdx.x] = v; }"
	tests := []struct {
		name, source string
		fused        bool
		has          string // in the text, white space aside
	}{
		{"sum", kernel + "for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);" + keep, true, "[32];gwsim::lanes::shuffle<gwsim::lanes::Down>("},
		{"two operations", kernel + "int u = __shfl_xor_sync(~0u, v, 1) + __shfl_xor_sync(~0u, v, 2); v += u;" + keep, true, "gwsim::lanes::ofWarp(gw_2_v,gw_row)"},
		{"variable between them", kernel + "int u = __shfl_sync(~0u, v, 1); if (v) { auto f = 4 * n; v += u + f; }" + keep, true, ""},
		{"two masks", kernel + "int u = __shfl_sync(~0u, v, 1), o = __shfl_sync(~0u, v, 2); v += u + o;" + keep, true, "autogw_a4=(~0u);alignas(64)intgw_5_u[1024];if(gwsim::lanes::whole("},
		{"in a branch", kernel + "if (threadIdx.x < 32) v += __shfl_down_sync(~0u, v, 4);" + keep, true, "gwsim::lanes::whole(blockDim,gw_on_1_chosen)"},
		{"vote", kernel + "v = __ballot_sync(~0u, v > 3);" + keep, true, ""},
		{"stores to memory", kernel + "x[threadIdx.x] = __shfl_sync(~0u, v, 3); }", false, ""},
		{"count of the block", kernel + "v += __syncthreads_count(v);" + keep, false, ""},
		{"some threads have returned", kernel + "if (v == 9) return; v += __shfl_down_sync(~0u, v, 4);" + keep, false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := cudac.Parse(tt.source)
			if err != nil {
				t.Fatal(err)
			}
			got := Splits(f, "", "k.cu", nil)
			if len(got) != 1 || got[0].Reason != "" {
				t.Fatalf("not split: %+v", got)
			}
			text := strings.Join(strings.Fields(got[0].Text), "")
			if fused := strings.Contains(text, "GW_EACH_WARP"); fused != tt.fused {
				t.Errorf("fused is %v, want %v: %s", fused, tt.fused, got[0].Text)
			}
			if !strings.Contains(text, tt.has) {
				t.Errorf("%q is missing in %s", tt.has, got[0].Text)
			}
		})
	}
}
