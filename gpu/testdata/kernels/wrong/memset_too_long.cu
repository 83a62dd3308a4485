// Defect: out of bounds
// The number of elements is taken for one of a larger type.
// Launch: 1, 1, 0
// Args: out int[64] new; n int 64
__global__ void k(int *out, int n) {
    memset(out, 0, n * sizeof(double)); // wrong
}
