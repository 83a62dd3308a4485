// Defect: use after free
// Two threads of a pair share memory, and both free it.
// Launch: 1, 32, 0
// Args: out int[32] zeros
__global__ void k(int *out) {
    __shared__ int *shared[16];
    if (threadIdx.x % 2 == 0) shared[threadIdx.x / 2] = new int(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = *shared[threadIdx.x / 2];
    __syncthreads();
    delete shared[threadIdx.x / 2]; // wrong
}
