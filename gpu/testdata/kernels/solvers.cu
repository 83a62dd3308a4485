// Linear systems: elimination without pivots in a block, and Jacobi's iteration.
//
//	a = double[1024] made
//	b = double[32] made
//	x = double[32] zero
//	m = float[4096] made
//	y = float[64] zero
//	near x 1e-9
//	near a 1e-9
//	near b 1e-9
//	near y 1e-4
//	launch eliminate<<<1, 32>>>(a, b, x)
//	launch jacobi<<<1, 64, 512>>>(m, y, 60)
__global__ void eliminate(double *a, double *b, double *x) {
	const int n = 32;
	int row = threadIdx.x;
	for (int k = 0; k < n - 1; k++) {
		if (row > k) {
			double f = a[row * n + k] / a[k * n + k];
			for (int c = k; c < n; c++) a[row * n + c] -= f * a[k * n + c];
			b[row] -= f * b[k];
		}
		__syncthreads();
	}
	for (int k = n - 1; k >= 0; k--) {
		if (row == k) x[k] = b[k] / a[k * n + k];
		__syncthreads();
		if (row < k) b[row] -= a[row * n + k] * x[k];
		__syncthreads();
	}
}

__global__ void jacobi(const float *m, float *y, int rounds) {
	extern __shared__ float v[];
	float *from = v, *to = v + 64;
	int i = threadIdx.x;
	from[i] = 0;
	__syncthreads();
	for (int r = 0; r < rounds; r++) {
		float sum = 0;
		for (int k = 0; k < 64; k++)
			if (k != i) sum += m[i * 64 + k] * from[k];
		to[i] = (i + 1 - sum) / m[i * 64 + i];
		__syncthreads();
		float *t = from;
		from = to;
		to = t;
	}
	y[i] = from[i];
}
