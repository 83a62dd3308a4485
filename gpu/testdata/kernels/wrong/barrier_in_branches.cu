// Defect: divergent barrier
// Half of the block waits at one barrier, half at another.
// Launch: 1, 64, 0
// Args: out int[64] new
__global__ void k(int *out) {
    if (threadIdx.x < 32) {
        out[threadIdx.x] = 1;
        __syncthreads();
    } else {
        out[threadIdx.x] = 2;
        __syncthreads(); // wrong
    }
}
