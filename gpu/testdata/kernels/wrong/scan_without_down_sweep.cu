// Defect: wrong result
// The up-sweep of a scan sums only at positions that are powers of two; nothing carries that to the others.
// Launch: 1, 64, 0
// Args: x int[64] ramp
__global__ void k(int *x) {
    int t = threadIdx.x;
    for (int d = 1; d < 64; d *= 2) {
        __syncthreads();
        if (t % (2 * d) == 2 * d - 1) x[t] += x[t - d]; // wrong
    }
}
__global__ void right(int *x) {
    int t = threadIdx.x;
    for (int d = 1; d < 64; d *= 2) {
        __syncthreads();
        if (t % (2 * d) == 2 * d - 1) x[t] += x[t - d];
    }
    for (int d = 16; d > 0; d /= 2) {
        __syncthreads();
        if (t % (2 * d) == d - 1 && t >= d) x[t] += x[t - d];
    }
}
