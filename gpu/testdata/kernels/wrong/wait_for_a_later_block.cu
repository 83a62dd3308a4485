// Defect: deadlock
// The first block waits for the second, which need not run at the same time.
// Launch: 2, 1, 0
// Args: flag int[1] zeros
__global__ void k(int *flag) {
    if (blockIdx.x == 1)
        atomicExch(flag, 1);
    else
        while (atomicAdd(flag, 0) == 0) // wrong
            ;
}
