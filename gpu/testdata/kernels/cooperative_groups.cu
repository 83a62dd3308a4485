// Groups of threads with names: the block, tiles of a warp, and those that came together.
//
//	x = int[256] small 45
//	tiles = int[256] zero
//	blocks = int[2] zero
//	some = int[256] zero
//	count = int[1] zero
//	launch tile_sums<<<2, 128>>>(x, tiles)
//	launch block_sums<<<2, 128>>>(x, blocks)
//	launch coalesced<<<2, 128>>>(x, some)
//	launch aggregate<<<2, 128>>>(x, count)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void tile_sums(const int *x, int *out) {
	cg::thread_block block = cg::this_thread_block();
	cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
	int i = blockIdx.x * blockDim.x + block.thread_rank();
	int v = x[i];
	int sum = cg::reduce(tile, v, cg::plus<int>());
	int most = cg::reduce(tile, v, cg::greater<int>());
	int next = tile.shfl(v, (tile.thread_rank() + 1) % tile.size());
	int up = tile.shfl_up(v, 1);
	out[i] = sum * 1000 + most * 100 + next + (tile.thread_rank() > 0 ? up : 0) + tile.meta_group_rank() * 100000 + tile.any(v == 7);
}

__device__ int sum_of(cg::thread_block block, int *s, int v) {
	s[block.thread_rank()] = v;
	block.sync();
	for (int k = block.size() / 2; k > 0; k /= 2) {
		if (block.thread_rank() < k) s[block.thread_rank()] += s[block.thread_rank() + k];
		cg::sync(block);
	}
	return s[0];
}

__global__ void block_sums(const int *x, int *out) {
	__shared__ int s[128];
	cg::thread_block block = cg::this_thread_block();
	int sum = sum_of(block, s, x[blockIdx.x * blockDim.x + threadIdx.x]);
	if (block.thread_rank() == 0) out[block.group_index().x] = sum;
}

__global__ void coalesced(const int *x, int *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (x[i] > 0) {
		auto active = cg::coalesced_threads();
		out[i] = active.size() * 100 + active.thread_rank();
	}
}

// One atomic a warp, whichever of its threads take part.
__global__ void aggregate(const int *x, int *count) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (x[i] % 2 == 0) {
		cg::coalesced_group active = cg::coalesced_threads();
		if (active.thread_rank() == 0) atomicAdd(count, (int)active.size());
	}
}
