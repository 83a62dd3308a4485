package sim

import (
	"encoding/binary"
	"reflect"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// TestCheckGang runs blocks that wait for each other in check mode: correct kernels, which must have
// no findings, and wrong ones. All get a buffer of 256 ints of value 0.
func TestCheckGang(t *testing.T) {
	const heading = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void k(int *x) {\n"
	const rank = "\tint i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;\n"
	tests := []struct {
		name    string
		cluster uint32 // blocks of it; 0 is a cooperative launch
		body    string
		want    string // kind of the finding, if there is one
		line    int    // line of the finding
		message string
	}{
		{"steps of the grid", 0, rank + `
			for (int r = 0; r < 3; r++) {
				int v = x[(i + 1) % n];
				cg::this_grid().sync();
				x[i] = v + 1;
				cg::this_grid().sync();
			}`, "", 0, ""},
		{"no barrier of the grid", 0, rank + `
			for (int r = 0; r < 3; r++) {
				int v = x[(i + 1) % n];
				__syncthreads();
				x[i] = v + 1; // 9
				cg::this_grid().sync();
			}`, backend.KindRace, 9, "blocks run in any order"},
		{"blocks that wait for a flag", 0, rank + `
			if (threadIdx.x == 0) {
				if (blockIdx.x == gridDim.x - 1) {
					x[1] = 5;
					__threadfence();
					atomicExch(&x[0], 1);
				} else {
					while (*(volatile int *)&x[0] == 0) ;
					__threadfence();
					atomicAdd(&x[2], x[1]);
				}
			}`, "", 0, ""},
		{"a flag that nobody sets", 0, rank + `
			while (blockIdx.x > 0 && *(volatile int *)&x[0] == 0) ; // 6`, backend.KindDeadlock, 6, "waits in a loop"},
		{"a block that ends", 0, rank + `
			if (blockIdx.x == 1) return;
			cg::this_grid().sync(); // 7`, backend.KindDeadlock, 7, "a block has ended"},
		{"memory of the other block", 2, `
			__shared__ int mine[32];
			auto cluster = cg::this_cluster();
			mine[threadIdx.x] = 10 * blockIdx.x;
			cluster.sync();
			x[blockIdx.x * 32 + threadIdx.x] = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1)[31 - threadIdx.x];
			cluster.sync();`, "", 0, ""},
		{"memory of the other block too early", 2, `
			__shared__ int mine[32];
			auto cluster = cg::this_cluster();
			mine[threadIdx.x] = 10 * blockIdx.x;
			__syncthreads();
			if (cluster.block_rank() == 1) cluster.map_shared_rank(mine, 0)[threadIdx.x]++; // 9
			cluster.sync();`, backend.KindRace, 9, "of block (0,0,0)"},
		{"beyond the memory of the other block", 2, `
			__shared__ int mine[32];
			auto cluster = cg::this_cluster();
			mine[threadIdx.x] = 10 * blockIdx.x;
			cluster.sync();
			x[blockIdx.x * 32 + threadIdx.x] = cluster.map_shared_rank(mine, 1)[threadIdx.x + (cluster.block_rank() == 0)]; // 9
			cluster.sync();`, backend.KindOutOfBounds, 9, "mine[32]"},
		{"clusters know nothing of each other", 2, rank + `
			x[i]++;
			cg::this_cluster().sync();
			x[(i + 64) % n]++; // 8`, backend.KindRace, 8, "blocks run in any order"},
		{"a lock without fences", 1, rank + `
			if (threadIdx.x != 0) return;
			while (atomicCAS(&x[n], 0, 1) != 0) {}
			x[0]++; // 8
			atomicExch(&x[n], 0);`, backend.KindRace, 8, "a lock or a counter of atomic functions also needs __threadfence()"},
	}
	r := newCheckRig(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r.t = t
			r.load(strings.ReplaceAll(tt.name, " ", "_")+".cu", heading+tt.body+"\n}\n")
			_, err := r.d.Function(1, r.mods, "k")
			check(t, err)
			var first backend.Report
			for round := range 3 {
				addr := r.alloc(1024)
				r.write(addr, make([]byte, 1024))
				l := &backend.Launch{Func: 1, Grid: [3]uint32{4, 1, 1}, Block: [3]uint32{32, 1, 1}, Args: binary.LittleEndian.AppendUint64(nil, addr)}
				if l.Cooperative = tt.cluster == 0; !l.Cooperative {
					l.Cluster = [3]uint32{tt.cluster, 1, 1}
				}
				check(t, r.d.Launch(l))
				report, err := r.Report()
				check(t, err)
				if round == 0 {
					first = report
				} else if !reflect.DeepEqual(report, first) {
					t.Fatalf("round %d: %+v\nbefore: %+v", round, report, first)
				}
			}
			found := false
			for _, f := range first.Findings {
				found = found || f.Line == tt.line && strings.Contains(f.Message, tt.message)
				if f.Kind != tt.want {
					t.Errorf("found %q on line %d: %s", f.Kind, f.Line, f.Message)
				}
			}
			if tt.want != "" && !found {
				t.Errorf("want %q on line %d with %q, got %+v", tt.want, tt.line, tt.message, first.Findings)
			}
		})
	}
}
