// Defect: wrong result
// The index forgets the block, so all blocks do the work of the first one.
// Launch: 4, 64, 0
// Args: x float[256] ramp; out float[256] zeros
__global__ void k(const float *x, float *out) {
    int i = threadIdx.x;
    out[i] = 2 * x[i]; // wrong
}
__global__ void right(const float *x, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * x[i];
}
