// Defect: out of bounds
// The first thread has no left neighbour.
// Launch: 2, 64, 0
// Args: x float[128] ramp; out float[128] new; n int 128
__global__ void k(const float *x, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = x[i] - x[i - 1]; // wrong
}
