// Barriers that also count and ask.
//
//	x = int[256] below 10 50
//	counts = int[256] zero
//	flags = int[256] zero
//	rounds = int[4] zero
//	launch count<<<4, 64>>>(x, counts)
//	launch ask<<<4, 64>>>(x, flags)
//	launch until_done<<<4, 64>>>(x, rounds)
__global__ void count(const int *x, int *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = __syncthreads_count(x[i] > 4) * 100 + x[i];
}

__global__ void ask(const int *x, int *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int all = __syncthreads_and(x[i] < 10), any = __syncthreads_or(x[i] == 9), none = __syncthreads_or(x[i] > 9);
	out[i] = (all != 0) + 2 * (any != 0) + 4 * (none != 0);
}

// Every thread counts its number down; the block goes on while anybody has something left.
__global__ void until_done(const int *x, int *rounds) {
	int left = x[blockIdx.x * blockDim.x + threadIdx.x], n = 0;
	while (__syncthreads_or(left > 0)) {
		left--;
		n++;
	}
	if (threadIdx.x == 0) rounds[blockIdx.x] = n;
}
