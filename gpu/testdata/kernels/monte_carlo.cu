// Pi by darts, with Philox 4x32-10: a counter makes the numbers, so every thread has its
// own and the result is the same everywhere.
//
//	hits = uint[1] zero
//	stream = uint[256] zero
//	launch darts<<<16, 128>>>(hits, 32, 7)
//	launch numbers<<<1, 64>>>(stream, 42)
__device__ uint4 philox(uint4 c, uint2 key) {
	for (int i = 0; i < 10; i++) {
		unsigned hi0 = __umulhi(0xD2511F53u, c.x), lo0 = 0xD2511F53u * c.x;
		unsigned hi1 = __umulhi(0xCD9E8D57u, c.z), lo1 = 0xCD9E8D57u * c.z;
		c = make_uint4(hi1 ^ c.y ^ key.x, lo1, hi0 ^ c.w ^ key.y, lo0);
		key.x += 0x9E3779B9u;
		key.y += 0xBB67AE85u;
	}
	return c;
}

__global__ void darts(unsigned *hits, int rounds, unsigned seed) {
	unsigned id = blockIdx.x * blockDim.x + threadIdx.x, in = 0;
	for (int i = 0; i < rounds; i++) {
		uint4 r = philox(make_uint4(i, id, 0, 0), make_uint2(seed, 0));
		// Whole numbers, so that no rounding decides about a dart at the edge.
		unsigned long long x = r.x >> 8, y = r.y >> 8;
		in += x * x + y * y < (1ull << 48);
	}
	atomicAdd(hits, in);
}

__global__ void numbers(uint4 *out, unsigned seed) {
	out[threadIdx.x] = philox(make_uint4(threadIdx.x, 0, 0, 0), make_uint2(seed, 0));
}
