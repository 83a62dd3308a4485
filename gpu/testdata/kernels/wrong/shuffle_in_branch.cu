// Defect: deadlock
// The mask names all lanes, but only half of them come.
// Launch: 1, 32, 0
// Args: out int[32] new
__global__ void k(int *out) {
    int v = threadIdx.x;
    if (threadIdx.x < 16)
        v = __shfl_down_sync(0xffffffff, v, 1); // wrong
    else
        __syncthreads();
    out[threadIdx.x] = v;
}
