// Defect: out of bounds
// The check lets one index too many through.
// Launch: 2, 64, 0
// Args: out float[100] new; n int 100
__global__ void k(float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        out[i] = 1; // wrong
}
