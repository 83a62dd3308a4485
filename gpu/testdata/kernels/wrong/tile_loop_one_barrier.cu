// Defect: race
// The next tile is loaded while others still use the last one.
// Launch: 2x2, 8x8, 0
// Args: a float[256] ramp; b float[256] ramp; c float[256] new; n int 16
__global__ void k(const float *a, const float *b, float *c, int n) {
    __shared__ float as[8][8], bs[8][8];
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k += 8) {
        as[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x]; // wrong
        bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x]; // wrong
        __syncthreads();
        for (int i = 0; i < 8; i++)
            sum += as[threadIdx.y][i] * bs[i][threadIdx.x]; // wrong
    }
    c[y * n + x] = sum;
}
