// Prefix sums of a block: Hillis and Steele with two buffers, Blelloch's work-efficient
// one, and by warps.
//
//	x = int[1024] small 6
//	inclusive = int[1024] zero
//	exclusive = int[1024] zero
//	warps = int[1024] zero
//	launch hillis<<<2, 512, 4096>>>(x, inclusive)
//	launch blelloch<<<2, 256, 2048>>>(x, exclusive, 512)
//	launch by_warps<<<2, 512>>>(x, warps)
__global__ void hillis(const int *x, int *out) {
	extern __shared__ int s[];
	int n = blockDim.x, t = threadIdx.x, to = 0, from = 1;
	s[t] = x[blockIdx.x * n + t];
	__syncthreads();
	for (int k = 1; k < n; k *= 2) {
		to = 1 - to;
		from = 1 - to;
		s[to * n + t] = s[from * n + t] + (t >= k ? s[from * n + t - k] : 0);
		__syncthreads();
	}
	out[blockIdx.x * n + t] = s[to * n + t];
}

__global__ void blelloch(const int *x, int *out, int n) {
	extern __shared__ int s[];
	int t = threadIdx.x, step = 1;
	s[2 * t] = x[blockIdx.x * n + 2 * t];
	s[2 * t + 1] = x[blockIdx.x * n + 2 * t + 1];
	for (int d = n / 2; d > 0; d /= 2) {
		__syncthreads();
		if (t < d) s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1];
		step *= 2;
	}
	if (t == 0) s[n - 1] = 0;
	for (int d = 1; d < n; d *= 2) {
		step /= 2;
		__syncthreads();
		if (t < d) {
			int a = step * (2 * t + 1) - 1, b = step * (2 * t + 2) - 1;
			int old = s[a];
			s[a] = s[b];
			s[b] += old;
		}
	}
	__syncthreads();
	out[blockIdx.x * n + 2 * t] = s[2 * t];
	out[blockIdx.x * n + 2 * t + 1] = s[2 * t + 1];
}

__global__ void by_warps(const int *x, int *out) {
	__shared__ int sums[32];
	int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	int v = x[i];
	for (int k = 1; k < 32; k *= 2) {
		int other = __shfl_up_sync(0xffffffff, v, k);
		if (lane >= k) v += other;
	}
	if (lane == 31) sums[warp] = v;
	__syncthreads();
	if (warp == 0) {
		int s = lane < blockDim.x / 32 ? sums[lane] : 0;
		for (int k = 1; k < 32; k *= 2) {
			int other = __shfl_up_sync(0xffffffff, s, k);
			if (lane >= k) s += other;
		}
		sums[lane] = s;
	}
	__syncthreads();
	out[i] = v + (warp > 0 ? sums[warp - 1] : 0);
}
