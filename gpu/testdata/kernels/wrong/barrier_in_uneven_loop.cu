// Defect: divergent barrier
// Threads go round the loop a different number of times, and meet at different barriers.
// Launch: 1, 64, 0
// Args: out int[64] new
__global__ void k(int *out) {
    for (int i = 0; i < threadIdx.x / 32 + 1; i++)
        __syncthreads(); // wrong
    out[threadIdx.x] = 1;
    __syncthreads(); // wrong
}
