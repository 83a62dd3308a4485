// Matrix times vector: a thread a row, a block a row, and with the vector in shared memory.
//
//	a = float[16384] small 34
//	x = float[128] small 35
//	y0 = float[128] zero
//	y1 = float[128] zero
//	y2 = float[128] zero
//	launch by_thread<<<2, 64>>>(a, x, y0, 128, 128)
//	launch by_block<<<128, 64>>>(a, x, y1, 128)
//	launch cached<<<2, 64, 512>>>(a, x, y2, 128, 128)
__global__ void by_thread(const float *a, const float *x, float *y, int rows, int cols) {
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	if (row >= rows) return;
	float sum = 0;
	for (int c = 0; c < cols; c++) sum += a[row * cols + c] * x[c];
	y[row] = sum;
}

__global__ void by_block(const float *a, const float *x, float *y, int cols) {
	__shared__ float part[64];
	float sum = 0;
	for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += a[blockIdx.x * cols + c] * x[c];
	part[threadIdx.x] = sum;
	__syncthreads();
	for (int k = blockDim.x >> 1; k; k >>= 1) {
		if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
		__syncthreads();
	}
	if (!threadIdx.x) y[blockIdx.x] = part[0];
}

__global__ void cached(const float *a, const float *x, float *y, int rows, int cols) {
	extern __shared__ float xs[];
	for (int c = threadIdx.x; c < cols; c += blockDim.x) xs[c] = x[c];
	__syncthreads();
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int c = 0; c < cols; c++) sum += a[row * cols + c] * xs[c];
	y[row] = sum;
}
