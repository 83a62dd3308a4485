package sim

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// TestCheckInactiveLanes runs kernels with shuffles from lanes that take no part. Those that ignore the value, or use only
// what CUDA defines, must have no findings. All have 40 threads and a buffer of 64 ints that begins with 1, 2, 3…
func TestCheckInactiveLanes(t *testing.T) {
	const heading = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__device__ int total, *kept;\n"
	const kernel = "__global__ void k(int *x) {\n\tint i = threadIdx.x, v = x[i], lane = i % 32; __syncthreads();\n"
	tests := []struct {
		name    string
		body    string // of the kernel; its lines begin with 6
		line    int    // of the finding, or 0
		thread  int    // of the finding
		message string
		after   int32 // x[0], if it is not 0
	}{
		{"sum of 8 lanes", `
			for (int step = 4; step > 0; step /= 2)
				v += __shfl_down_sync(~0u, v, step);
			if (i == 32)
				x[0] = v;`, 0, 0, "", 33 + 34 + 35 + 36 + 37 + 38 + 39 + 40},
		{"sum of 16 lanes, of which there are 8", `
			for (int step = 8; step > 0; step /= 2)
				v += __shfl_down_sync(~0u, v, step); // 8
			if (i == 32)
				x[0] = v;`, 8, 32, "lane 8 of the warp, which no thread has, as the block has 40 threads", 0},
		{"next element, if there is one", `
			int next = __shfl_down_sync(~0u, v, 1);
			x[i] = i + 1 < 40 && lane < 31 ? next : 0;`, 0, 0, "", 2},
		{"next element", `
			int next = __shfl_down_sync(~0u, v, 1);
			x[i] = next; // the shuffle is on line 7`, 7, 39, "lane 8 of the warp, which no thread has", 0},
		{"only one read matters", `
			int next = __shfl_sync(~0u, v, 20 + lane); // 7
			if (i == 37)
				x[0] = next;`, 7, 37, "lane 25 of the warp, which no thread has", 0},
		{"loop that lanes leave", `
			for (int r = lane; r < 4; r += 4) {
				v += __shfl_down_sync(~0u, v, 1, 4); // 8
				v += __shfl_down_sync(~0u, v, 2, 4);
			}
			if (lane == 0)
				x[i] = v;`, 0, 0, "", 1 + 2 + 3 + 4},
		{"loop that one lane takes", `
			for (int r = lane; r < 1; r += 4) {
				v += __shfl_down_sync(~0u, v, 1, 4); // 8
			}
			if (lane == 0)
				x[i] = v;`, 8, 0, "lane 1 of the warp, whose thread (1,0,0) has returned before", 0},
		{"lane that the mask does not name", `
			if (lane < 4)
				x[i] = __shfl_xor_sync(0xf, v, 4); // 8`, 8, 0, "lane 4 of the warp, thread (4,0,0), which the mask 0x0000000f does not name", 0},
		{"own value at the edge", `
			if (lane < 4)
				x[i] = __shfl_up_sync(0xf, v, 2) + __shfl_down_sync(0xf, v, 2, 4);`, 0, 0, "", 4},
		{
			"votes and reductions of those that are there", `
			if (i == 35)
				return;
			x[i] = __ballot_sync(~0u, 1) + __any_sync(~0u, v == 4) + __popc(__match_any_sync(~0u, v)) + __reduce_add_sync(~0u, 1) + __all_sync(~0u, 1);`,
			0, 0, "", -1 + 1 + 1 + 32 + 1,
		},
		{"index", `
			int at = __shfl_down_sync(~0u, i, 8); // 7
			if (lane < 8)
				x[at % 64] = 5;`, 7, 32, "lane 8 of the warp", 0},
		{"index out of bounds", `
			int at = __shfl_down_sync(~0u, i, 8); // 7
			if (lane < 8)
				x[at] = 5;`, 7, 32, "lane 8 of the warp", 1},
		{"bound of a loop", `
			int n = __shfl_down_sync(~0u, 0, 8); // 7
			for (int k = 0; i == 32 && k < n; k++)
				atomicAdd(x, 1);`, 7, 32, "lane 8 of the warp", 1},
		{"variable", `
			int n = __shfl_down_sync(~0u, v, 8); // 7
			if (i == 32)
				total += n;
			atomicAdd(x, 1);`, 7, 32, "lane 8 of the warp", 41},
		{"shared memory that nobody reads", `
			__shared__ int s[40];
			s[i] = __shfl_down_sync(~0u, v, 8);
			__syncthreads();
			if (lane < 8 && i < 32)
				x[i] = s[i];`, 0, 0, "", 9},
		{"updates are made once", `
			int n = __shfl_down_sync(~0u, v, 8);
			atomicAdd(x, 1);
			x[i + 1 < 40 ? 41 : 42] = n & 0;`, 0, 0, "", 41},
		{"maximum of those that are there and others", `
			v = max(v, __shfl_xor_sync(~0u, v, 8)); // 7
			x[i] = v;`, 7, 32, "lane 8 of the warp", 0},
		{"tile", `
			auto tile = cg::tiled_partition<16>(cg::this_thread_block());
			x[i] = tile.shfl_down(v, 8); // 8`, 8, 32, "lane 8 of the warp", 0},
		{"threads that came together", `
			if (lane % 2 == 0) {
				auto group = cg::coalesced_threads();
				x[i] = group.shfl_down(v, 1);
			}`, 0, 0, "", 3},
		{"assembly", `
			int n;
			asm volatile("shfl.sync.down.b32 %0, %1, 8, 31, -1;" : "=r"(n) : "r"(v)); // 8
			x[i] = n;`, 8, 32, "lane 8 of the warp", 0},
		{"clock", `
			int n = __shfl_down_sync(~0u, v, 8);
			x[i] = n & 0;
			if (i == 0)
				x[63] = int(clock64());`, 0, 0, "", 0},
		{"memory of the heap", `
			int n = __shfl_down_sync(~0u, v, 8);
			if (i == 32)
				kept = new int(n), delete kept;`, 0, 0, "", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newCheckRig(t)
			r.load("cell[1].cu", heading+kernel+strings.TrimLeft(test.body, "\n")+"\n}\n")
			x := r.alloc(256)
			data := make([]byte, 0, 256)
			for i := range 64 {
				data = binary.LittleEndian.AppendUint32(data, uint32(i+1))
			}
			r.write(x, data)
			report := r.launch("k", [3]uint32{1, 1, 1}, [3]uint32{40, 1, 1}, 0, binary.LittleEndian.AppendUint64(nil, x),
				backend.View{Addr: x, Size: 256, Elem: 4, Name: "x"})
			check(t, r.d.CopyDtoH(data, x, 0))
			if got := int32(binary.LittleEndian.Uint32(data)); test.after != 0 && got != test.after {
				t.Errorf("x[0] is %d, want %d", got, test.after)
			}
			if test.line == 0 {
				if len(report.Findings) > 0 {
					t.Errorf("it is accused: %+v", report.Findings)
				}
				return
			}
			if len(report.Findings) != 1 {
				t.Fatalf("got %+v, want one finding", report.Findings)
			}
			f := report.Findings[0]
			if f.Kind != backend.KindInactiveLane || f.Line != test.line-1 || f.Thread[0] != test.thread || !strings.Contains(f.Message, test.message) {
				t.Errorf("got %s, want line %d, thread %d: %s", f.String(), test.line-1, test.thread, test.message)
			}
		})
	}
}
