// A matrix transposed four ways: naive, through a tile with bank conflicts, through a
// padded tile, and a tile that takes several rows a thread.
//
//	in = float[16384] index
//	naive = float[16384] zero
//	tiled = float[16384] zero
//	padded = float[16384] zero
//	rows = float[16384] zero
//	launch transpose_naive<<<(4, 4), (32, 32)>>>(in, naive, 128)
//	launch transpose_tiled<<<(4, 4), (32, 32)>>>(in, tiled, 128)
//	launch transpose_padded<<<(4, 4), (32, 32)>>>(in, padded, 128)
//	launch transpose_rows<<<(4, 4), (32, 8)>>>(in, rows, 128)
#define TILE 32

__global__ void transpose_naive(const float *in, float *out, int n) {
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	out[x * n + y] = in[y * n + x];
}

__global__ void transpose_tiled(const float *in, float *out, int n) {
	__shared__ float tile[TILE][TILE];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	tile[threadIdx.y][threadIdx.x] = in[y * n + x];
	__syncthreads();
	x = blockIdx.y * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void transpose_padded(const float *in, float *out, int n) {
	__shared__ float tile[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	tile[threadIdx.y][threadIdx.x] = in[y * n + x];
	__syncthreads();
	int tx = blockIdx.y * TILE + threadIdx.x, ty = blockIdx.x * TILE + threadIdx.y;
	out[ty * n + tx] = tile[threadIdx.x][threadIdx.y];
}

__global__ void transpose_rows(const float *in, float *out, int n) {
	__shared__ float tile[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int k = 0; k < TILE; k += blockDim.y) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
	__syncthreads();
	x = blockIdx.y * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	for (int k = 0; k < TILE; k += blockDim.y) out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}
