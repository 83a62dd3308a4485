// Defect: uninitialised read
// Memory from malloc is taken for zeros.
// Launch: 1, 32, 0
// Args: out int[32] zeros
__global__ void k(int *out) {
    int *sum = (int *)malloc(sizeof(int));
    for (int i = 0; i < 4; i++) *sum += i; // wrong
    out[threadIdx.x] = *sum;
    free(sum);
}
