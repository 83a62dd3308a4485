// Defect: out of bounds
// The index is computed from bytes instead of elements.
// Launch: 1, 64, 0
// Args: x int[64] ramp; out int[64] new
__global__ void k(const int *x, int *out) {
    int i = threadIdx.x * sizeof(int);
    out[threadIdx.x] = x[i * 1000]; // wrong
}
