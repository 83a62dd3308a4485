package sim

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// TestSplitSubscripts runs kernels whose subscripts and conditions are counted from thread to thread, or look as if they could be.
// Split, they must have the same results.
func TestSplitSubscripts(t *testing.T) {
	const prelude = `
__device__ int u = 3, k = -2;
__device__ unsigned mix(unsigned v) { return v * 2654435761u >> 7; }
`
	tests := []struct{ name, body string }{
		{"loop around", "for (int i = -2; i <= 2; i++) sum += s[at + 2 + i];"},
		{"unsigned sum with a loop's variable", "for (int i = 0; i < 5; i++) sum += s[threadIdx.x + i];"},
		{"unsigned sum that wraps around twice", "for (unsigned i = n; i < n + 3; i++) sum += s[threadIdx.x - n + i];"},
		{"unsigned sum with a negative variable", "for (int i = -3; i < 0; i++) sum += s[threadIdx.x + 3 + i];"},
		{"two loops with one name", "for (int i = 0; i < 2; i++) sum += s[threadIdx.x + i]; for (int i = 4; i > 1; i--) sum ^= s[threadIdx.x + i];"},
		{"loop whose variable changes", "for (int i = 0; i < 7; i++) { sum += s[threadIdx.x + i]; i += at & 1; }"},
		{"sum with a product", "for (int i = 0; i < 3; i++) sum += s[i * 16 + at % 4 + threadIdx.x % 2] + s[i * n + threadIdx.x];"},
		{"difference", "for (int i = 1; i < 3; i++) sum += s[at + 4 - i] + s[191 - at];"},
		{"every other element", "s2[2 * at] = s[2 * at + 1]; s2[2 * at + 1] = s[at * 2]; __syncthreads(); sum = s2[at];"},
		{"every third element, unsigned", "s2[3 * threadIdx.x + 1] = s[threadIdx.x * 3 % 96] + threadIdx.y; __syncthreads(); sum = s2[at];"},
		{"product that wraps around", "for (unsigned i = 0; i < 2; i++) { unsigned v = (threadIdx.x + 0x7ffffff0u) * 2 + 32; sum += s[v] + s[i + v]; }"},
		{"product of two", "sum = s[threadIdx.x * (threadIdx.x & 3)] + s[at * n % 300] + s[2 * (at + at % 2)];"},
		{"subscript in a subscript", "for (int i = 0; i < 3; i++) sum += s[threadIdx.x + s[at + i] % 8];"},
		{"narrow sum", "for (int i = 0; i < 3; i++) sum += s[(unsigned char)(threadIdx.x + 250 + i) % 64];"},
		{"wide sum", "for (long i = -2; i < 3; i++) sum += s[threadIdx.x + 2ll + i];"},
		{"variable of a loop's body", "for (int i = 0; i < 3; i++) { int q = at + 2, r = q + i; sum += s[q + i] + s[r]; }"},
		{"such a variable that changes", "for (int i = 0; i < 3; i++) { int q = at; q += i; sum += s[q]; }"},
		{"variable that hides one of all blocks", "if (n > 3) { int u = at + 1; sum += s[u]; } sum += s[u];"},
		{"loop's variable that hides one of all blocks", "for (int k = 0; k < 3; k++) sum += s[threadIdx.x + k]; sum += s[threadIdx.x + 2 + k];"},
		{"one thread", "sum = s[at]; if (threadIdx.x == 3) sum += 7; s2[at] = sum; __syncthreads(); sum += s2[at ^ 1];"},
		{"one thread, the other way round", "if (n == threadIdx.x) s2[at] = 5; __syncthreads(); sum = s2[at];"},
		{"one thread of each warp", "if (threadIdx.x % 32 == 31) s2[threadIdx.x / 32] = s[at]; __syncthreads(); sum = s2[threadIdx.x / 32];"},
		{"the lane, masked", "int lane = threadIdx.x & 31, warp = threadIdx.x >> 5; if (lane == 0) s2[warp] = at; __syncthreads(); sum = s2[warp] + (warp > 0 ? s2[warp - 1] : 0);"},
		{"mask that is none of a period", "if ((threadIdx.x & 5) == 1) s2[at] = at; __syncthreads(); sum = s2[at];"},
		{"remainder of a negative number", "int v = int(threadIdx.x) - 5; if (v % 4 == -1) s2[at] = at + 1; __syncthreads(); sum = s2[at];"},
		{"remainder that never is", "if (threadIdx.x % 4 == n) s2[at] = at; __syncthreads(); sum = s2[at];"},
		{"remainder and a limit", "if (threadIdx.x % 4 == 2 && threadIdx.x < 50 && threadIdx.y == 1) s2[at] = at; __syncthreads(); sum = s2[at];"},
		{"return of all but some", "s2[at] = s[at] + 1; __syncthreads(); if (threadIdx.x % 8 != 3) return; sum = s2[at];"},
		{"return of all but one", "if (threadIdx.x != 9) return; sum = s[at];"},
		{"condition that is not equal", "if (threadIdx.x != 9) s2[at] = 4; __syncthreads(); sum = s2[at];"},
		{"condition of the block", "if (n > 5) s2[7] = n; __syncthreads(); if (blockIdx.x == 1) sum += 4; __syncthreads(); sum += s2[at];"},
		{"condition of a row", "if (threadIdx.y > 0) s2[at + 2 * n] = n; __syncthreads(); sum += s2[at];"},
		{"equal floating-point numbers", "if (threadIdx.x == n * 0.5f + 1.5f) s2[at] = 4; __syncthreads(); sum = s2[at];"},
		{"quotient of a shifted index", "int w = (threadIdx.x + 5) / 32; sum = s[w] + s[w + at]; s2[at] = s[w];"},
		{"quotient in a loop", "for (int i = 0; i < 3; i++) { sum += s[threadIdx.x / 32 + i]; s2[at] = sum; }"},
		{"stride of the block", "int d = n; sum = s[d * int(threadIdx.x)] + s[threadIdx.x * n + 1] + s[(at + d) * 2 / 2 * 1];"},
		{"reversed", "sum = s[191 - at] + s[95 - threadIdx.x]; s2[95 - threadIdx.x + 96 * threadIdx.y] = sum; __syncthreads(); sum = s2[at];"},
		{"negative stride", "int d = -2; sum = s[d * at + 400];"},
		{"negative stride, unsigned", "unsigned d = -2u; sum = s[d * threadIdx.x + 400];"},
		{"unsigned line that wraps around", "unsigned d = 0x80000000u; sum = s[2 * threadIdx.x * d + threadIdx.x];"},
		{"narrow part of a line that wraps around", "unsigned d = 0x80000000u; sum = s[2 * threadIdx.x * d + threadIdx.x + 1l] + s[2l + (threadIdx.x * d + d * threadIdx.x)];"},
		{"narrow variable", "unsigned char c = threadIdx.x * n; sum = s[c]; short w = int(threadIdx.x) * 5 - int(n) * 1; if (w >= 0) sum += s[w];"},
		{"variables of a line", "{ int d = n, u = d * at, w = u + 1; if (at < 100) sum += s[u] + s[w]; }"},
		{"lines under a condition", "int d = n; if (threadIdx.x > 20) sum = s[d * (int(threadIdx.x) - 20)]; if (threadIdx.x < n * 9) s2[threadIdx.x * n + threadIdx.y] = 3; __syncthreads(); sum += s2[at];"},
		{"line of a floating-point number", "float f = 0.5f * n; sum = s[int(f * threadIdx.x)];"},
		{"lines that use a part, too", "unsigned t = threadIdx.x + 0xfffffff0u; long w = t; sum = s[(w * 1 - 0xfffffff0l) & 255]; int d = n; s2[at] = sum; __syncthreads(); sum += s2[int(threadIdx.x) * (d - 3)];"},
		{"rounds of a tree", "int d = 1; for (int r = 96; r > 0; r /= 2) { __syncthreads(); if (at < r) { int a = d * (2 * at + 1) - 1, b = d * (2 * at + 2) - 1; s[b] += s[a]; } d *= 2; } __syncthreads(); sum = s[at];"},
		{"tile", "for (int j = threadIdx.y; j < 5; j += blockDim.y) for (int i = threadIdx.x; i < 40; i += blockDim.x) s2[j * 40 + i] = j * 100 + i; __syncthreads(); sum = s2[at];"},
		{"tile by a fixed step", "for (int j = threadIdx.y; j < 5; j += 2) for (int i = threadIdx.x; i < 99; i += 96) { int a = i - 2, b = j + n; s2[j * 99 + i] = a >= 0 && a < 60 ? s[b * 8 + a] : 1; } __syncthreads(); sum = s2[at];"},
		{"tile whose row changes", "for (int j = threadIdx.y; j < 5; j += blockDim.y) for (int i = threadIdx.x; i < 20; i += blockDim.x) { if (i == 3) j += 2; sum += j * i; }"},
		{"tile with continue", "int ty = threadIdx.y; for (int j = ty; j < 5; j++) for (int i = threadIdx.x; i < 150; i += blockDim.x) { if (i % 3 == 0) continue; sum += j * i; }"},
		{"tile that begins at x", "for (int j = threadIdx.x % 3; j < 5; j += 3) for (int i = threadIdx.x; i < 150; i += blockDim.x) sum += j * i;"},
		{"bounds of columns and rows", "unsigned x = threadIdx.x + 1, y = threadIdx.y; if (x >= 3 && x < n * 9 && y >= 1) s2[y * 96 + x] = s[x + y * 40]; __syncthreads(); sum = s2[at];"},
		{"column that wraps around", "unsigned x = threadIdx.x + 0xffffffe0u; int y = threadIdx.y * 3; if (x < n * 4 && y < 2) s2[x + y * 7] = x + 1; s2[x + 200 + y] = 7; __syncthreads(); sum = s2[at] + s2[at + 100];"},
		{"columns that move with the row", "int x = threadIdx.x + 3 * threadIdx.y; if (x < 50 && threadIdx.x > 2) s2[x + 96 * threadIdx.y] = x; __syncthreads(); sum = s2[at];"},
		{"column that a row wraps around", "unsigned x = threadIdx.x + threadIdx.y * 0xffffffe0u; if (x < 60 && threadIdx.x > 5) s2[x] = threadIdx.x; __syncthreads(); sum = s2[at];"},
		{"return beyond the edges", "int x = threadIdx.x, y = threadIdx.y + 1; if (x < 2 || y < 2 || x >= 90 || y >= n) return; sum = s[y * 90 + x] + s[x];"},
		{"columns in a block of statements", "{ int q = threadIdx.x + 2, r = q + threadIdx.y; if (q < 40 && r > 9 && q > n) s2[r * 2 + threadIdx.y * 96] = q; } __syncthreads(); sum = s2[at];"},
		{"bound that differs from row to row", "int y = threadIdx.y; if (threadIdx.x < 40 - 11 * y && threadIdx.x > 1) s2[at + y] = at; __syncthreads(); sum = s2[at];"},
		{"variable that changes after a condition", "int d = 64; for (int r = 0; r < 3; r++) { __syncthreads(); if (at < d) s2[at] = s[at] + d; d /= 2; } __syncthreads(); sum = s2[at] + d;"},
		{"variable that changes before and after", "int d = 64; for (int r = 0; r < 3; r++) { __syncthreads(); d -= 3; if (at < d) s2[at] = s[at] + d; d /= 2; r += 0; } __syncthreads(); sum = s2[at] + d;"},
	}
	source := prelude
	for i, tt := range tests {
		source += fmt.Sprintf(`__global__ void k%d(unsigned *data, unsigned n) {
	__shared__ unsigned s[512], s2[512];
	unsigned sum = 0;
	int at = threadIdx.x + blockDim.x * threadIdx.y;
	s[at] = mix(at), s[at + 192] = mix(at + 77), s2[at] = at * 3, s2[at + 192] = 5;
	if (at < 128)
		s[at + 384] = mix(at + 300);
	__syncthreads();
	%s
	data[blockIdx.x * 192 + at] = sum;
}
`, i, tt.body)
	}
	dev, err := New().Open(0)
	check(t, err)
	d := dev.(*device)
	defer d.Close()
	img, err := d.Compile(backend.Program{Name: "subscripts.cu", Source: source})
	check(t, err)
	check(t, d.Load(1, img))
	c, err := d.CreateChunk(1<<20, 0)
	check(t, err)
	defer closeFD(c.FD)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := d.Function(1, 1, fmt.Sprintf("k%d", i))
			check(t, err)
			if d.funcs[1].entry.split == 0 {
				t.Error("the kernel is not split")
			}
			results := bothWays(t, d, c.Addr, 192, [3]uint32{96, 2, 1}, binary.LittleEndian.AppendUint32(nil, 5))
			if !slices.Equal(results[0], results[1]) {
				t.Error("split, the kernel does something else")
			}
		})
	}
}
