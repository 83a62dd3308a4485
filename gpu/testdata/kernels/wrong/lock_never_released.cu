// Defect: deadlock
// A lock is taken twice and released once.
// Launch: 1, 2, 0
// Args: lock int[1] zeros; sum float[1] zeros
__global__ void k(int *lock, float *sum) {
    while (atomicCAS(lock, 0, 1) != 0) // wrong
        ;
    *sum += 1;
    __threadfence();
    if (threadIdx.x == 1)
        atomicExch(lock, 0);
}
