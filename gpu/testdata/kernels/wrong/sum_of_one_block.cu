// Defect: wrong result
// Each block sums its part, and only the first block's sum gets into the result.
// Launch: 4, 64, 0
// Args: x int[256] ramp; out int[1] zeros
__global__ void k(const int *x, int *out) {
    __shared__ int part[64];
    part[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
    for (int d = 32; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
    }
    if (threadIdx.x == 0 && blockIdx.x == 0) *out = part[0]; // wrong
}
__global__ void right(const int *x, int *out) {
    __shared__ int part[64];
    part[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
    for (int d = 32; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
    }
    if (threadIdx.x == 0) atomicAdd(out, part[0]);
}
