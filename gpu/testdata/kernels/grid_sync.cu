// One cooperative launch in place of many: the blocks of a grid wait for each other
// between the steps of a relaxation, and for a sum over all of them.
//
//	cooperative
//	a = float[256] small 44
//	b = float[256] zero
//	part = float[8] zero
//	sum = float[1] zero
//	launch relax<<<8, 32>>>(a, b, 4)
//	launch reduce<<<8, 32>>>(a, part, sum)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void relax(float *a, float *b, int rounds) {
	cg::grid_group grid = cg::this_grid();
	int i = grid.thread_rank(), n = grid.size();
	for (int r = 0; r < rounds; r++) {
		b[i] = 0.5f * a[i] + 0.25f * a[(i + 1) % n] + 0.25f * a[(i + n - 1) % n];
		grid.sync();
		float *t = a;
		a = b;
		b = t;
	}
}

__global__ void reduce(const float *a, float *part, float *sum) {
	auto grid = cg::this_grid();
	auto block = cg::this_thread_block();
	__shared__ float s[32];
	s[block.thread_rank()] = a[blockIdx.x * blockDim.x + threadIdx.x];
	block.sync();
	if (block.thread_rank() == 0) {
		float v = 0;
		for (int k = 0; k < 32; k++) v += s[k];
		part[blockIdx.x] = v;
	}
	grid.sync();
	if (grid.thread_rank() == 0) {
		float v = 0;
		for (int k = 0; k < gridDim.x; k++) v += part[k];
		*sum = v;
	}
}
