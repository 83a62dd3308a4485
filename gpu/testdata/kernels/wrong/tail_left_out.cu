// Defect: wrong result
// A grid is n / 64 blocks, and not (n + 63) / 64: nobody does the last 8 elements.
// Launch: 3, 64, 0
// Right launch: 4, 64, 0
// Args: x float[200] ramp; out float[200] zeros; n int 200
__global__ void k(const float *x, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * x[i]; // wrong
}
__global__ void right(const float *x, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * x[i];
}
