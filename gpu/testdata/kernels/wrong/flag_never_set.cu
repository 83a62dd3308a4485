// Defect: deadlock
// Everybody waits for a flag that nobody sets.
// Launch: 1, 32, 0
// Args: flag int[1] zeros; out int[32] new
__global__ void k(volatile int *flag, int *out) {
    while (*flag == 0) // wrong
        ;
    out[threadIdx.x] = 1;
}
