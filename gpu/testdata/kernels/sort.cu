// Sorting: bitonic in shared memory, bitonic in global memory a step a launch, odd-even
// transposition, and ranks.
//
//	shared = int[1024] below 5000 19
//	global = uint[64] below 100000 20
//	odd = float[256] small 21
//	ranks = int[256] below 1000 22
//	sorted = int[256] zero
//	launch bitonic_block<<<2, 256>>>(shared, 512)
//	launch bitonic_all<<<1, 64>>>(global, 64)
//	launch odd_even<<<1, 128>>>(odd, 256)
//	launch rank<<<4, 64>>>(ranks, sorted, 256)
__global__ void bitonic_block(int *x, int n) {
	__shared__ int s[512];
	int base = blockIdx.x * n;
	for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = x[base + i];
	__syncthreads();
	for (int k = 2; k <= n; k *= 2) {
		for (int j = k / 2; j > 0; j /= 2) {
			int i = 2 * threadIdx.x - (threadIdx.x & (j - 1));
			int a = s[i], b = s[i + j];
			bool up = (i & k) == 0;
			if ((a > b) == up) {
				s[i] = b;
				s[i + j] = a;
			}
			__syncthreads();
		}
	}
	for (int i = threadIdx.x; i < n; i += blockDim.x) x[base + i] = s[i];
}

__global__ void bitonic_all(unsigned *x, int n) {
	int i = threadIdx.x;
	for (int k = 2; k <= n; k <<= 1) {
		for (int j = k >> 1; j > 0; j >>= 1) {
			int other = i ^ j;
			if (other > i) {
				unsigned a = x[i], b = x[other];
				if ((i & k) == 0 ? a > b : a < b) {
					x[i] = b;
					x[other] = a;
				}
			}
			__syncthreads();
		}
	}
}

__global__ void odd_even(float *x, int n) {
	int t = threadIdx.x;
	for (int round = 0; round < n; round++) {
		int i = 2 * t + (round & 1);
		if (i + 1 < n && x[i] > x[i + 1]) {
			float v = x[i];
			x[i] = x[i + 1];
			x[i + 1] = v;
		}
		__syncthreads();
	}
}

__global__ void rank(const int *x, int *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int before = 0, v = x[i];
	for (int k = 0; k < n; k++) before += x[k] < v || (x[k] == v && k < i);
	out[before] = v;
}
