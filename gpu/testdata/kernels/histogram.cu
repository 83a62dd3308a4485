// Histograms: with global atomics, with a copy in shared memory, and with 64-bit counters.
//
//	x = uchar[65536] below 256 8
//	global = uint[256] zero
//	shared = uint[256] zero
//	wide = ulong[16] zero
//	launch by_global<<<256, 256>>>(x, global, 65536)
//	launch by_shared<<<32, 256>>>(x, shared, 65536)
//	launch by_wide<<<64, 128>>>(x, wide, 65536)
__global__ void by_global(const unsigned char *x, unsigned *bins, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) atomicAdd(&bins[x[i]], 1u);
}

__global__ void by_shared(const unsigned char *x, unsigned *bins, int n) {
	__shared__ unsigned local[256];
	for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[x[i]], 1u);
	__syncthreads();
	for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}

__global__ void by_wide(const unsigned char *x, unsigned long long *bins, int n) {
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[x[i] >> 4], 1ull);
}
