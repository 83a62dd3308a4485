// Defect: out of bounds
// The tile has room for the block, but not for the halo.
// Launch: 1, 64, 0
// Args: x float[64] ramp; out float[64] new
__global__ void k(const float *x, float *out) {
    __shared__ float tile[64];
    int t = threadIdx.x;
    tile[t + 1] = x[t]; // wrong
    __syncthreads();
    out[t] = tile[t > 0 ? t : 1];
}
