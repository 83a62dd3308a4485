// Groups cut in other ways than into tiles: by label, by yes and no, by a size known late;
// prefix sums over them, and one thread for all.
//
//	x = int[128] small 74
//	scans = int[128] zero
//	labels = int[128] zero
//	sides = int[128] zero
//	parts = int[128] zero
//	launch scan<<<2, 64>>>(x, scans)
//	launch by_label<<<2, 64>>>(x, labels)
//	launch by_side<<<2, 64>>>(x, sides)
//	launch late<<<2, 64>>>(x, parts, 8)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__global__ void scan(const int *x, int *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	auto tile = cg::tiled_partition<16>(cg::this_thread_block());
	out[i] = cg::inclusive_scan(tile, x[i]) * 1000 + cg::exclusive_scan(tile, x[i], cg::plus<int>());
}

__global__ void by_label(const int *x, int *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	auto warp = cg::tiled_partition<32>(cg::this_thread_block());
	auto same = cg::labeled_partition(warp, x[i]);
	out[i] = same.size() * 100 + same.thread_rank() + 10000 * cg::reduce(same, 1, cg::plus<int>());
}

__global__ void by_side(const int *x, int *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	auto warp = cg::tiled_partition<32>(cg::this_thread_block());
	auto side = cg::binary_partition(warp, x[i] > 0);
	out[i] = side.size() * 100 + side.thread_rank() + 10000 * side.shfl(x[i], 0);
}

__global__ void late(const int *x, int *out, int size) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	auto block = cg::this_thread_block();
	auto some = cg::tiled_partition(cg::coalesced_threads(), size);
	int first = some.shfl(x[i], 0);
	out[i] = first * 1000 + some.thread_rank() * 10 + some.meta_group_rank() + 1000000 * (int)block.dim_threads().x;
}
