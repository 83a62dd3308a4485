// Copies to shared memory that go on while threads do other things: by the thread, by a
// group, with a barrier that is an object, and in a pipeline of two stages.
//
//	x = float[4096] small 73
//	single = float[4096] zero
//	group = float[4096] zero
//	barrier = float[4096] zero
//	sums = float[16] zero
//	handed = float[256] zero
//	launch by_thread<<<16, 256>>>(x, single)
//	launch by_group<<<16, 256>>>(x, group)
//	launch by_barrier<<<16, 256>>>(x, barrier)
//	launch staged<<<2, 64>>>(x, sums)
//	launch hand_over<<<1, 64>>>(x, handed)
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;

// Every block reverses its 256 numbers.
__global__ void by_thread(const float *x, float *out) {
	__shared__ float tile[256];
	int from = blockIdx.x * 256;
	if (threadIdx.x < 64) __pipeline_memcpy_async(&tile[4 * threadIdx.x], &x[from + 4 * threadIdx.x], 16);
	__pipeline_commit();
	__pipeline_wait_prior(0);
	__syncthreads();
	out[from + threadIdx.x] = tile[255 - threadIdx.x];
}

__global__ void by_group(const float *x, float *out) {
	__shared__ float tile[256];
	auto block = cg::this_thread_block();
	int from = blockIdx.x * 256;
	cg::memcpy_async(block, tile, x + from, sizeof(float) * 256);
	cg::wait(block);
	out[from + threadIdx.x] = tile[255 - threadIdx.x];
}

__global__ void by_barrier(const float *x, float *out) {
	__shared__ float tile[256];
	__shared__ cuda::barrier<cuda::thread_scope_block> full;
	auto block = cg::this_thread_block();
	if (block.thread_rank() == 0) init(&full, block.size());
	block.sync();
	int from = blockIdx.x * 256;
	for (int round = 0; round < 2; round++) {
		cuda::memcpy_async(block, tile, x + from, cuda::aligned_size_t<16>(sizeof(float) * 256), full);
		auto token = full.arrive();
		float mine = round; // work that needs none of it
		full.wait(std::move(token));
		mine += tile[255 - threadIdx.x];
		full.arrive_and_wait(); // before the next copy
		out[from + threadIdx.x] = mine;
	}
}

// A block adds 2048 numbers, 128 at a time.
__global__ void staged(const float *x, float *sums) {
	constexpr int stages = 2, size = 128;
	__shared__ float tile[stages][size];
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
	__shared__ float part[64];
	auto block = cg::this_thread_block();
	auto pipe = cuda::make_pipeline(block, &state);
	const float *from = x + blockIdx.x * 2048;
	float sum = 0;
	for (int use = 0, fill = 0; use < 16; use++) {
		for (; fill < 16 && fill < use + stages; fill++) {
			pipe.producer_acquire();
			cuda::memcpy_async(block, tile[fill % stages], from + fill * size, sizeof(float) * size, pipe);
			pipe.producer_commit();
		}
		pipe.consumer_wait();
		for (int i = threadIdx.x; i < size; i += 64) sum += tile[use % stages][i];
		pipe.consumer_release();
	}
	part[threadIdx.x] = sum;
	block.sync();
	for (int k = 32; k > 0; k /= 2) {
		if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
		block.sync();
	}
	if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

// One warp squares numbers, the other writes them out.
__global__ void hand_over(const float *x, float *out) {
	__shared__ float box[32];
	__shared__ cuda::barrier<cuda::thread_scope_block> full, empty;
	if (threadIdx.x == 0) {
		init(&full, 64);
		init(&empty, 64);
	}
	__syncthreads();
	int lane = threadIdx.x % 32;
	for (int i = lane; i < 256; i += 32) {
		if (threadIdx.x < 32) {
			box[lane] = x[i] * x[i];
			full.arrive();
			empty.arrive_and_wait();
		} else {
			full.arrive_and_wait();
			out[i] = box[31 - lane];
			empty.arrive();
		}
	}
}
