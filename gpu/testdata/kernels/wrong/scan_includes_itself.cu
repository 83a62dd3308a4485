// Defect: wrong result
// An exclusive scan is wanted, and each element's own value is in its sum: all are off by one.
// Launch: 1, 32, 0
// Args: x int[32] ramp; out int[32] zeros
__global__ void k(const int *x, int *out) {
    int sum = 0;
    for (int i = 0; i <= threadIdx.x; i++) sum += x[i]; // wrong
    out[threadIdx.x] = sum;
}
__global__ void right(const int *x, int *out) {
    int sum = 0;
    for (int i = 0; i < threadIdx.x; i++) sum += x[i];
    out[threadIdx.x] = sum;
}
