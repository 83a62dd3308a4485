// Reductions that the hardware has from compute capability 8.0 on, with loops for older ones.
//
//	x = int[64] small 32
//	out = int[64] zero
//	bits = uint[64] zero
//	launch reduce<<<1, 64>>>(x, out, bits)
__device__ int sum_of(int v) {
#if __CUDA_ARCH__ >= 800
	return __reduce_add_sync(0xffffffff, v);
#else
	for (int k = 16; k > 0; k /= 2) v += __shfl_xor_sync(0xffffffff, v, k);
	return v;
#endif
}

__device__ unsigned or_of(unsigned v) {
#if __CUDA_ARCH__ >= 800
	return __reduce_or_sync(0xffffffff, v) + (__reduce_and_sync(0xffffffff, v | 64) & 64);
#else
	for (int k = 16; k > 0; k /= 2) v |= __shfl_xor_sync(0xffffffff, v, k);
	return v + 64;
#endif
}

__global__ void reduce(const int *x, int *out, unsigned *bits) {
	int v = x[threadIdx.x];
	out[threadIdx.x] = sum_of(v);
	bits[threadIdx.x] = or_of(v & 15);
}
