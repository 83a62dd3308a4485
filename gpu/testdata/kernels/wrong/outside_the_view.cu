// Defect: out of bounds
// The kernel is given the middle of a buffer and writes before it.
// Launch: 1, 64, 0
// Args: out float[64] view; n int 64
__global__ void k(float *out, int n) {
    int i = threadIdx.x;
    out[i - 1] = i; // wrong
}
