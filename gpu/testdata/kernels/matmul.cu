// Matrix products: naive, in tiles, in tiles of any size, with several results a thread,
// and in double precision.
//
//	a = float[4096] small 15
//	b = float[4096] small 16
//	c0 = float[4096] zero
//	c1 = float[4096] zero
//	c2 = float[4096] zero
//	c3 = float[4096] zero
//	a5 = double[2500] small 17
//	b5 = double[2500] small 18
//	c5 = double[2500] zero
//	launch naive<<<(4, 4), (16, 16)>>>(a, b, c0, 64)
//	launch tiled<<<(4, 4), (16, 16)>>>(a, b, c1, 64)
//	launch tiled_template<float, 8><<<(8, 8), (8, 8)>>>(a, b, c2, 64)
//	launch registers<<<(2, 2), (8, 8)>>>(a, b, c3, 64)
//	launch tiled_template<double, 16><<<(4, 4), (16, 16)>>>(a5, b5, c5, 50)
__global__ void naive(const float *a, const float *b, float *c, int n) {
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
	c[y * n + x] = sum;
}

#define TILE 16
__global__ void tiled(const float *a, const float *b, float *c, int n) {
	__shared__ float as[TILE][TILE], bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
	float sum = 0.0f;
	for (int t = 0; t < n / TILE; ++t) {
		as[ty][tx] = a[row * n + t * TILE + tx];
		bs[ty][tx] = b[(t * TILE + ty) * n + col];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < TILE; ++k) sum += as[ty][k] * bs[k][tx];
		__syncthreads();
	}
	c[row * n + col] = sum;
}

// Any n: what lies outside counts as 0.
template <typename T, int size> __global__ void tiled_template(const T *a, const T *b, T *c, int n) {
	__shared__ T as[size][size], bs[size][size];
	const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * size + ty, col = blockIdx.x * size + tx;
	const int tiles = (n + size - 1) / size;
	T sum = 0;
	for (int t = 0; t < tiles; t++) {
		as[ty][tx] = row < n && t * size + tx < n ? a[row * n + t * size + tx] : T(0);
		bs[ty][tx] = col < n && t * size + ty < n ? b[(t * size + ty) * n + col] : T(0);
		__syncthreads();
		for (int k = 0; k < size; k++) sum += as[ty][k] * bs[k][tx];
		__syncthreads();
	}
	if (row < n && col < n) c[row * n + col] = sum;
}

// A block of 8 x 8 threads makes 32 x 32 results, 4 x 4 a thread.
__global__ void registers(const float *a, const float *b, float *c, int n) {
	__shared__ float as[32][8], bs[8][32];
	float acc[4][4] = {};
	int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 32, col = blockIdx.x * 32;
	for (int k0 = 0; k0 < n; k0 += 8) {
		for (int i = 0; i < 4; i++) {
			as[ty + 8 * i][tx] = a[(row + ty + 8 * i) * n + k0 + tx];
			bs[ty][tx + 8 * i] = b[(k0 + ty) * n + col + tx + 8 * i];
		}
		__syncthreads();
		for (int k = 0; k < 8; k++)
			for (int i = 0; i < 4; i++)
				for (int j = 0; j < 4; j++) acc[i][j] += as[ty + 8 * i][k] * bs[k][tx + 8 * j];
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++) c[(row + ty + 8 * i) * n + col + tx + 8 * j] = acc[i][j];
}
