// Defect: out of bounds
// The last block has more threads than elements are left, and nothing checks the index.
// Launch: 2, 64, 0
// Args: x float[100] ramp; out float[128] new
__global__ void k(const float *x, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * x[i]; // wrong
}
