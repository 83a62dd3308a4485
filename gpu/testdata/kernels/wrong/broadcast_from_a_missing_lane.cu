// Defect: inactive lane
// The second warp has 16 threads, so its lane 31 is no thread.
// Launch: 2, 48, 0
// Args: out int[96] zeros
__global__ void k(int *out) {
    int last = __shfl_sync(0xffffffff, (int)threadIdx.x, 31); // wrong
    out[blockIdx.x * blockDim.x + threadIdx.x] = last;
}
