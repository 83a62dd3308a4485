// Defect: deadlock
// The thread that is to set the flag waits at a barrier for those that wait for the flag.
// Launch: 1, 64, 0
// Args: flag int[1] zeros; out int[64] new
__global__ void k(volatile int *flag, int *out) {
    if (threadIdx.x != 0)
        while (*flag == 0) // wrong
            ;
    __syncthreads();
    if (threadIdx.x == 0)
        *flag = 1;
    out[threadIdx.x] = 1;
}
