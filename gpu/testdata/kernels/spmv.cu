// A sparse matrix in rows (CSR) times a vector: a thread a row, and a warp a row.
//
//	start = int[257] made
//	col = int[4096] made
//	val = float[4096] small 29
//	x = float[256] small 30
//	y0 = float[256] zero
//	y1 = float[256] zero
//	launch by_thread<<<2, 128>>>(start, col, val, x, y0, 256)
//	launch by_warp<<<64, 128>>>(start, col, val, x, y1, 256)
__global__ void by_thread(const int *start, const int *col, const float *val, const float *x, float *y, int rows) {
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	if (row >= rows) return;
	float sum = 0;
	for (int k = start[row]; k < start[row + 1]; k++) sum += val[k] * x[col[k]];
	y[row] = sum;
}

__global__ void by_warp(const int *start, const int *col, const float *val, const float *x, float *y, int rows) {
	int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	if (row >= rows) return;
	float sum = 0;
	for (int k = start[row] + lane; k < start[row + 1]; k += 32) sum += val[k] * x[col[k]];
	for (int k = 16; k > 0; k /= 2) sum += __shfl_down_sync(0xffffffff, sum, k);
	if (lane == 0) y[row] = sum;
}
