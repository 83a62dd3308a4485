// Groups that functions take whatever their kind, tiles of several warps, and shuffles of structures.
//
//	x = int[256] small 61
//	kinds = int[256] zero
//	large = int[256] zero
//	wide = int[256] zero
//	launch by_kind<<<2, 128>>>(x, kinds)
//	launch large_tiles<<<2, 128>>>(x, large)
//	launch wide_shuffles<<<2, 128>>>(x, wide)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__device__ int sum_of(cg::thread_group g, int *s, int v) {
	int rank = g.thread_rank();
	s[rank] = v;
	g.sync();
	for (int k = g.size() / 2; k > 0; k /= 2) {
		if (rank < k) s[rank] += s[rank + k];
		g.sync();
	}
	return s[0];
}

__global__ void by_kind(const int *x, int *out) {
	__shared__ int s[128], t[8][16];
	cg::thread_block block = cg::this_thread_block();
	cg::thread_group part = cg::tiled_partition(block, 16);
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int all = sum_of(block, s, x[i]);
	int some = sum_of(part, t[threadIdx.x / 16], x[i]);
	out[i] = all * 1000 + some;
}

__global__ void large_tiles(const int *x, int *out) {
	__shared__ cg::block_tile_memory<128> memory;
	cg::thread_block block = cg::this_thread_block(memory);
	auto tile = cg::tiled_partition<64>(block);
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int sum = cg::reduce(tile, x[i], cg::plus<int>());
	int sixth = tile.shfl(x[i], 5);
	out[i] = sum * 1000 + sixth * 10 + (tile.any(x[i] == 7) ? 2 : 0) + (tile.all(x[i] > -9) ? 1 : 0) + tile.meta_group_rank() * 1000000;
}

struct Triple {
	int a, b, c;
};

__global__ void wide_shuffles(const int *x, int *out) {
	auto tile = cg::tiled_partition<32>(cg::this_thread_block());
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	Triple next = tile.shfl(Triple{x[i], 10 * x[i], i}, (tile.thread_rank() + 1) % 32);
	double2 last = tile.shfl_down(make_double2(x[i], 0.5 * x[i]), 3);
	out[i] = next.a + next.b + next.c * 100 + int(last.x + 2 * last.y) * 100000;
}
