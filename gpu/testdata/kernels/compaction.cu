// Keep some elements in their order: flags, prefix sums, and a scatter; and a partition.
//
//	x = int[4096] below 100 57
//	kept = int[4096] zero
//	n = int[16] zero
//	even_odd = int[4096] zero
//	launch compact<<<16, 256>>>(x, kept, n, 50)
//	launch partition<<<16, 256>>>(x, even_odd)
__global__ void compact(const int *x, int *out, int *n, int limit) {
	__shared__ int s[256];
	int t = threadIdx.x, base = blockIdx.x * blockDim.x;
	int v = x[base + t];
	int keep = v < limit;
	s[t] = keep;
	__syncthreads();
	for (int k = 1; k < blockDim.x; k *= 2) {
		int before = t >= k ? s[t - k] : 0;
		__syncthreads();
		s[t] += before;
		__syncthreads();
	}
	if (keep) out[base + s[t] - 1] = v;
	if (t == blockDim.x - 1) n[blockIdx.x] = s[t];
}

__global__ void partition(const int *x, int *out) {
	__shared__ int evens[256];
	int t = threadIdx.x, base = blockIdx.x * blockDim.x, v = x[base + t];
	bool even = v % 2 == 0;
	evens[t] = even;
	__syncthreads();
	for (int k = 1; k < 256; k <<= 1) {
		int add = 0;
		if (t >= k) add = evens[t - k];
		__syncthreads();
		evens[t] += add;
		__syncthreads();
	}
	int all = evens[255];
	out[base + (even ? evens[t] - 1 : all + t - evens[t])] = v;
}
