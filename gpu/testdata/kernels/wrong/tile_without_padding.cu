// Defect: bank conflicts
// A column of the tile lies in one bank of shared memory, and a warp reads it in 32 turns.
// Launch: 1, 32x8, 0
// Args: x float[1024] ramp; out float[1024] zeros
__global__ void k(const float *x, float *out) {
    __shared__ float tile[32][32];
    for (int y = threadIdx.y; y < 32; y += 8) tile[y][threadIdx.x] = x[y * 32 + threadIdx.x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8) out[y * 32 + threadIdx.x] = tile[threadIdx.x][y]; // wrong
}
__global__ void right(const float *x, float *out) {
    __shared__ float tile[32][33];
    for (int y = threadIdx.y; y < 32; y += 8) tile[y][threadIdx.x] = x[y * 32 + threadIdx.x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8) out[y * 32 + threadIdx.x] = tile[threadIdx.x][y];
}
