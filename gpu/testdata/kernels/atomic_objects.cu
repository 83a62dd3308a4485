// Atomic objects of the C++ library: counters in global and in shared memory, the largest
// number, a lock, and a flag that says that data are there.
//
//	x = int[1024] small 75
//	count = int[4] zero
//	most = int[1] zero
//	total = int[1] zero
//	got = int[64] zero
//	launch counts<<<4, 256>>>(x, count, most)
//	launch locked<<<4, 64>>>(total)
//	launch flag<<<1, 64>>>(got)
#include <cuda/atomic>

__global__ void counts(int *x, int *count, int *most) {
	__shared__ cuda::atomic<int, cuda::thread_scope_block> mine;
	if (threadIdx.x == 0) mine.store(0, cuda::std::memory_order_relaxed);
	__syncthreads();
	int v = x[blockIdx.x * blockDim.x + threadIdx.x];
	if (v > 3) mine.fetch_add(1, cuda::std::memory_order_relaxed);
	cuda::atomic_ref<int, cuda::thread_scope_device> largest(*most);
	largest.fetch_max(v, cuda::std::memory_order_relaxed);
	__syncthreads();
	if (threadIdx.x == 0) count[blockIdx.x] = mine.load();
}

__device__ cuda::atomic<int, cuda::thread_scope_device> taken;

// Blocks take turns, each with one thread.
__global__ void locked(int *total) {
	if (threadIdx.x != 0) return;
	int no = 0;
	while (!taken.compare_exchange_weak(no, 1, cuda::std::memory_order_acquire)) no = 0;
	*(volatile int *)total = *(volatile int *)total + 1;
	taken.store(0, cuda::std::memory_order_release);
}

__global__ void flag(int *got) {
	__shared__ int data;
	__shared__ cuda::atomic<int, cuda::thread_scope_block> ready;
	if (threadIdx.x == 0) ready.store(0);
	__syncthreads();
	if (threadIdx.x == 32) {
		data = 42;
		ready.store(1, cuda::std::memory_order_release);
	} else if (threadIdx.x < 32) {
		while (ready.load(cuda::std::memory_order_acquire) == 0) __nanosleep(20);
		got[threadIdx.x] = data;
	}
}
