// What the lanes of a warp can do together: votes, shuffles in segments, matches,
// reductions of the hardware, and who is active.
//
//	x = int[128] below 6 31
//	votes = uint[128] zero
//	shuffles = int[128] zero
//	matches = uint[128] zero
//	active = uint[128] zero
//	packed = int[128] zero
//	count = int[1] zero
//	launch vote<<<1, 128>>>(x, votes)
//	launch shuffle<<<1, 128>>>(x, shuffles)
//	launch match<<<1, 128>>>(x, matches)
//	launch who<<<1, 128>>>(active)
//	launch compact<<<1, 128>>>(x, packed, count)
__global__ void vote(const int *x, unsigned *out) {
	int v = x[threadIdx.x];
	unsigned b = __ballot_sync(0xffffffff, v & 1);
	if (__all_sync(0xffffffff, v < 6)) b ^= 0x80000000u;
	if (__any_sync(0xffffffff, v > 5)) b = 0;
	out[threadIdx.x] = b;
}

__global__ void shuffle(const int *x, int *out) {
	int v = x[threadIdx.x];
	int a = __shfl_sync(0xffffffff, v, threadIdx.x + 3, 8);
	int b = __shfl_up_sync(0xffffffff, v, 2, 16);
	int c = __shfl_down_sync(0xffffffff, v, 5);
	int d = __shfl_xor_sync(0xffffffff, v, 9);
	out[threadIdx.x] = a + 10 * b + 100 * c + 1000 * d;
}

__global__ void match(const int *x, unsigned *out) {
	int v = x[threadIdx.x], same;
	unsigned peers = __match_any_sync(0xffffffff, v);
	unsigned all = __match_all_sync(0xffffffff, v > 100, &same);
	out[threadIdx.x] = peers + (same && all == 0xffffffff);
}

__global__ void who(unsigned *out) {
	unsigned m = 0;
	if (threadIdx.x % 4 == 1)
		m = __activemask();
	else
		m = ~__activemask();
	out[threadIdx.x] = m;
}

// Kept elements keep their order: one atomic a warp.
__global__ void compact(const int *x, int *out, int *count) {
	__shared__ int bases[4];
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32, v = x[threadIdx.x];
	unsigned kept = __ballot_sync(0xffffffff, v >= 3);
	if (lane == 0) bases[warp] = __popc(kept);
	__syncthreads();
	int base = 0;
	for (int w = 0; w < warp; w++) base += bases[w];
	if (v >= 3) out[base + __popc(kept & ((1u << lane) - 1))] = v;
	if (threadIdx.x == 0) *count = bases[0] + bases[1] + bases[2] + bases[3];
}
