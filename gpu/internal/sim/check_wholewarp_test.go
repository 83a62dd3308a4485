package sim

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// TestCheckWholeWarp runs kernels with instructions that all 32 lanes of a warp must execute, in blocks from which some threads
// have returned. The first argument says from which thread on they do: 64 is none.
func TestCheckWholeWarp(t *testing.T) {
	const program = `#include <mma.h>
#include <cstdint>
using namespace nvcuda;
__device__ void product(float *d) {
	uint32_t a = 0x3c003c00, b = a;
	float s[4] = {};
	asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4}, {%5}, {%0, %1, %2, %3};" // 7
		: "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3]) : "r"(a), "r"(b));
	d[threadIdx.x] = s[0];
}
__global__ void mma(int from, float *d) {
	if (threadIdx.x >= from)
		return;
	product(d);
}
__global__ void rows(int from, float *d) {
	__shared__ __align__(16) uint16_t s[8 * 8];
	if (threadIdx.x < 32)
		s[threadIdx.x] = s[threadIdx.x + 32] = 1;
	__syncthreads();
	unsigned at = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x % 8 * 8]), v;
	if (threadIdx.x >= from)
		return;
	asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(v) : "r"(at)); // 24
	d[threadIdx.x] = v;
}
__global__ void fragments(int from, float *d) {
	wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
	wmma::fill_fragment(a, __float2half(1));
	wmma::fill_fragment(b, __float2half(1));
	wmma::fill_fragment(c, 0);
	if (threadIdx.x >= from)
		return;
	wmma::mma_sync(c, a, b, c); // 36
	d[threadIdx.x] = c.x[0];
}
__global__ void stored(int from, float *d) {
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
	wmma::fill_fragment(c, 3);
	if (threadIdx.x >= from)
		return;
	wmma::store_matrix_sync(d, c, 16, wmma::mem_row_major); // 44
}
`
	tests := []struct {
		name, kernel  string
		from, threads uint32
		line, thread  int    // of the finding, or 0
		message       string // a part of it
	}{
		{"assembly", "mma", 64, 64, 0, 0, ""},
		{"assembly, a warp that has ended", "mma", 32, 64, 0, 0, ""},
		{"assembly, lanes that have ended", "mma", 40, 64, 7, 32, "executes mma.sync without lane 8 of the warp, whose thread (40,0,0) has returned before: all 32 lanes must"},
		{"assembly, a short warp", "mma", 64, 40, 7, 39, "mma.sync on line 7: all 32 lanes of the warp must execute it, but the block has 40 threads"},
		{"ldmatrix", "rows", 64, 64, 0, 0, ""},
		{"ldmatrix, lanes that have ended", "rows", 31, 32, 24, 0, "executes ldmatrix without lane 31 of the warp, whose thread (31,0,0) has returned"},
		{"fragments", "fragments", 64, 64, 0, 0, ""},
		{"fragments, lanes that have ended", "fragments", 30, 64, 36, 0, "executes mma_sync without lane 30"},
		{"fragments, a short warp", "fragments", 64, 16, 36, 15, "mma_sync on line 36: all 32 lanes of the warp must execute it, but the block has 16 threads"},
		{"storing", "stored", 32, 64, 0, 0, ""},
		{"storing, lanes that have ended", "stored", 20, 32, 44, 0, "executes store_matrix_sync without lane 20"},
	}
	r := newCheckRig(t)
	r.load("cell[1].cu", program)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := r.alloc(1024)
			args := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(test.from)), d)
			report := r.launch(test.kernel, [3]uint32{1, 1, 1}, [3]uint32{test.threads, 1, 1}, 0, args, backend.View{Addr: d, Size: 1024, Elem: 4, Name: "d"})
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
			if f.Line != test.line || f.Thread[0] != test.thread || !strings.Contains(f.Message, test.message) {
				t.Errorf("got %s, want line %d, thread %d: %s", f.String(), test.line, test.thread, test.message)
			}
			if short := test.threads%32 != 0; short != (f.Kind == backend.KindFault) || !short && f.Kind != backend.KindInactiveLane {
				t.Errorf("it is called %q", f.Kind)
			}
		})
	}
}
