// A radix sort of one block: a stable split for every bit.
//
//	x = uint[512] below 65536 58
//	launch sort<<<2, 256>>>(x, 16)
__global__ void sort(unsigned *data, int bits) {
	__shared__ unsigned v[256];
	__shared__ unsigned zeros[256];
	unsigned t = threadIdx.x;
	unsigned *x = data + blockIdx.x * blockDim.x;
	v[t] = x[t];
	__syncthreads();
	for (int b = 0; b < bits; b++) {
		unsigned mine = v[t], bit = mine >> b & 1;
		zeros[t] = 1 - bit;
		__syncthreads();
		for (int k = 1; k < 256; k *= 2) {
			unsigned add = t >= k ? zeros[t - k] : 0;
			__syncthreads();
			zeros[t] += add;
			__syncthreads();
		}
		unsigned total = zeros[255];
		unsigned to = bit ? total + t - zeros[t] : zeros[t] - 1;
		__syncthreads();
		v[to] = mine;
		__syncthreads();
	}
	x[t] = v[t];
}
