// Every kind of atomic operation, of every type.
//
//	x = int[1024] below 10000 33
//	i = int[10] zero
//	u = uint[4] zero
//	l = ulong[6] zero
//	f = float[2] zero
//	d = double[2] zero
//	cas = int[2] zero
//	max = float[1] zero
//	launch integers<<<4, 256>>>(x, i, u)
//	launch wide<<<4, 256>>>(x, l)
//	launch reals<<<4, 256>>>(x, f, d)
//	launch by_cas<<<4, 256>>>(x, cas, max)
__global__ void integers(const int *x, int *i, unsigned *u) {
	int v = x[blockIdx.x * blockDim.x + threadIdx.x];
	atomicAdd(&i[0], v);
	atomicSub(&i[1], v);
	atomicMax(&i[2], v);
	atomicMin(&i[3], -v);
	atomicAnd(&i[4], ~v);
	atomicOr(&i[5], v);
	atomicXor(&i[6], v);
	atomicExch(&i[7], 77);
	atomicAdd_block(&i[8], 0);
	atomicCAS(&i[9], 0, 5);
	atomicInc(&u[0], 999);
	atomicDec(&u[1], 10);
	atomicAdd(&u[2], 3u);
	atomicMax(&u[3], (unsigned)v);
}

__global__ void wide(const int *x, unsigned long long *l) {
	unsigned long long v = (unsigned long long)x[blockIdx.x * blockDim.x + threadIdx.x] << 32;
	atomicAdd(&l[0], v);
	atomicMax(&l[1], v);
	atomicOr(&l[2], v);
	atomicXor(&l[3], v);
	atomicExch(&l[4], 1ull << 40);
	atomicCAS(&l[5], 0ull, 9ull);
}

__global__ void reals(const int *x, float *f, double *d) {
	int v = x[blockIdx.x * blockDim.x + threadIdx.x];
	atomicAdd(&f[0], (float)(v % 16));
	atomicExch(&f[1], 2.5f);
	atomicAdd(&d[0], (double)v);
	atomicAdd_system(&d[1], 0.5);
}

__global__ void by_cas(const int *x, int *cas, float *largest) {
	int v = x[blockIdx.x * blockDim.x + threadIdx.x];
	int old = cas[0], seen;
	do {
		seen = old;
		old = atomicCAS(&cas[0], seen, seen + v);
	} while (old != seen);
	// The largest of positive floats is the largest of their bits.
	atomicMax((int *)largest, __float_as_int((float)v));
	if (v == 123456) cas[1] = 1;
}
