// The prefix sums of an array that is larger than a block, in three launches.
//
//	x = int[65536] small 7
//	out = int[65536] zero
//	sums = int[128] zero
//	launch blocks<<<128, 512>>>(x, out, sums)
//	launch one_block<<<1, 128>>>(sums)
//	launch add_sums<<<128, 512>>>(out, sums)
__global__ void blocks(const int *x, int *out, int *sums) {
	__shared__ int s[2][512];
	int t = threadIdx.x, cur = 0;
	s[0][t] = x[blockIdx.x * 512 + t];
	__syncthreads();
	for (int k = 1; k < 512; k <<= 1) {
		s[1 - cur][t] = t < k ? s[cur][t] : s[cur][t] + s[cur][t - k];
		cur = 1 - cur;
		__syncthreads();
	}
	out[blockIdx.x * 512 + t] = s[cur][t];
	if (t == 511) sums[blockIdx.x] = s[cur][t];
}

__global__ void one_block(int *sums) {
	__shared__ int s[128];
	int t = threadIdx.x;
	s[t] = sums[t];
	__syncthreads();
	for (int k = 1; k < 128; k <<= 1) {
		int v = t >= k ? s[t - k] : 0;
		__syncthreads();
		s[t] += v;
		__syncthreads();
	}
	sums[t] = s[t];
}

__global__ void add_sums(int *out, const int *sums) {
	if (blockIdx.x == 0) return;
	out[blockIdx.x * blockDim.x + threadIdx.x] += sums[blockIdx.x - 1];
}
