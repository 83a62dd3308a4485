// Defect: fault
// The number of elements per thread is 0 if there are more threads than elements.
// Launch: 1, 64, 0
// Args: out int[64] new; n int 32
__global__ void k(int *out, int n) {
    int each = n / blockDim.x;
    out[threadIdx.x] = threadIdx.x % each; // wrong
}
