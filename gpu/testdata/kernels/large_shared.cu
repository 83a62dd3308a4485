// Dynamic shared memory beyond 48 KB, in one array and cut into several.
//
//	x = int[15000] small 52
//	reversed = int[15000] zero
//	sums = double[256] zero
//	launch reverse<<<1, 256, 60000>>>(x, reversed, 15000)
//	launch two_arrays<<<2, 128, 61440>>>(x, sums, 5120)
__global__ void reverse(const int *x, int *out, int n) {
	extern __shared__ int s[];
	for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = x[i];
	__syncthreads();
	for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = s[n - 1 - i];
}

__global__ void two_arrays(const int *x, double *out, int n) {
	extern __shared__ __align__(16) unsigned char raw[];
	double *d = (double *)raw;
	int *k = (int *)(d + n);
	for (int i = threadIdx.x; i < n; i += blockDim.x) {
		d[i] = x[i] * 0.5;
		k[i] = x[n - 1 - i];
	}
	__syncthreads();
	double sum = 0;
	for (int i = threadIdx.x; i < n; i += blockDim.x) sum += d[n - 1 - i] * k[i];
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
