// A sieve with marks in shared memory, the longest Collatz chain, and sums of digits.
//
//	prime = uchar[4096] zero
//	steps = int[1024] zero
//	best = ulong[1] zero
//	launch sieve<<<8, 128>>>(prime)
//	launch collatz<<<4, 256>>>(steps, best)
__global__ void sieve(unsigned char *prime) {
	__shared__ unsigned char composite[512];
	int base = blockIdx.x * 512;
	for (int i = threadIdx.x; i < 512; i += blockDim.x) composite[i] = base + i < 2;
	__syncthreads();
	for (int p = 2 + threadIdx.x; p * p < base + 512; p += blockDim.x)
		for (int m = max(p * p, (base + p - 1) / p * p); m < base + 512; m += p) composite[m - base] = 1;
	__syncthreads();
	for (int i = threadIdx.x; i < 512; i += blockDim.x) prime[base + i] = !composite[i];
}

__global__ void collatz(int *steps, unsigned long long *best) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, n = 0;
	for (unsigned long long v = i + 1; v != 1; n++) v = v & 1 ? 3 * v + 1 : v / 2;
	steps[i] = n;
	atomicMax(best, (unsigned long long)n << 32 | (unsigned)i);
}
