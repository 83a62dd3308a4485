// Where memory is, and for whom an atomic function counts: pointers to shared, global and local memory, atomic functions of a block
// and of the system, on 16 and 64 bits, and loads and stores with hints.
//
//	x = int[256] small 119
//	where = int[256] zero
//	votes = ushort[64] zero
//	counts = int[64] zero
//	most = long[2] zero
//	hinted = int[256] zero
//	launch ask<<<2, 128>>>(x, where)
//	launch vote<<<2, 128>>>(x, votes, counts)
//	launch extremes<<<2, 128>>>(x, most)
//	launch hints<<<2, 128>>>(x, hinted)
__global__ void ask(const int *x, int *where) {
	__shared__ int s[128];
	int i = blockIdx.x * blockDim.x + threadIdx.x, mine[2] = {x[i], 1};
	s[threadIdx.x] = x[i];
	__syncthreads();
	const int *p = i % 3 == 0 ? s + (threadIdx.x ^ 1) : i % 3 == 1 ? x + i : mine;
	int apart = int(__cvta_generic_to_shared(s + threadIdx.x) - __cvta_generic_to_shared(s));
	where[i] = 100 * (*p + 8) + 10000 * apart;
}

__global__ void vote(const int *x, unsigned short *votes, int *counts) {
	int i = blockIdx.x * blockDim.x + threadIdx.x, at = (x[i] + 8) % 16 + 32 * blockIdx.x;
	unsigned short seen = 0, before;
	while ((before = atomicCAS(&votes[at], seen, (unsigned short)(seen + 1))) != seen)
		seen = before;
	atomicAdd_block(&counts[at], 1);
	atomicMax_block(&counts[at + 16], (int)threadIdx.x);
	atomicAdd_system(&counts[at], 2);
}

__global__ void extremes(const int *x, long long *most) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	long long v = (long long)x[i] * 10000000000ll + i;
	atomicMax(&most[0], v);
	atomicMin(&most[1], v);
}

__global__ void hints(const int *x, int *hinted) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int v = __ldcs(x + i) + 2 * __ldca(x + i) + 3 * __ldcv(x + i) + 4 * __ldlu(x + (i ^ 1)) + 5 * __ldg(x + i);
	if (i % 2)
		__stcs(hinted + i, v);
	else
		__stwt(hinted + i, v + __ldcg(x + i));
}
