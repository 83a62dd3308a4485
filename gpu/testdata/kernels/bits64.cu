// Integers of 64 bits: their bits, and the high halves of products. And means and differences that don't overflow.
//
//	a = uint[512] bits 110
//	b = uint[512] bits 111
//	found = int[256] zero
//	reversed = ulong[256] zero
//	high = ulong[256] zero
//	low = int[256] zero
//	means = int[256] zero
//	launch find<<<2, 128>>>(a, found, reversed)
//	launch multiply<<<2, 128>>>(a, b, high, low)
//	launch average<<<2, 128>>>(a, b, means)
__device__ unsigned long long joined(const unsigned *a, int i) { return (unsigned long long)a[2 * i] << 32 | a[2 * i + 1]; }

__global__ void find(const unsigned *a, int *found, unsigned long long *reversed) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned long long v = joined(a, i) >> i % 64;
	found[i] = __clzll(v) * 1000000 + __popcll(v) * 1000 + __ffsll(v) + __clzll(0) + __ffsll(0);
	reversed[i] = __brevll(v);
}

__global__ void multiply(const unsigned *a, const unsigned *b, unsigned long long *high, int *low) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned long long v = joined(a, i), w = joined(b, i);
	high[i] = __umul64hi(v, w) ^ (unsigned long long)__mul64hi(v, w) << 1;
	unsigned r = __umulhi(a[i], b[i]);
	r = r * 31 + __mulhi((int)a[i], (int)b[i]);
	r = r * 31 + __umul24(a[i] & 0xffffff, b[i] & 0xffffff);
	low[i] = r * 31 + __mul24((int)(a[i] << 8) >> 8, (int)(b[i] << 8) >> 8);
}

__global__ void average(const unsigned *a, const unsigned *b, int *means) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, x = a[i], y = b[i];
	unsigned r = __hadd(x, y);
	r = r * 31 + __rhadd(x, y);
	r = r * 31 + __uhadd(a[i], b[i]);
	r = r * 31 + __urhadd(a[i], b[i]);
	r = r * 31 + __sad(x >> 1, y >> 1, 5u);
	means[i] = r * 31 + __usad(a[i], b[i], 7u);
}
