// Defect: out of bounds
// A thread's own array from malloc has one element less than is written.
// Launch: 2, 32, 0
// Args: out int[64] zeros
__global__ void k(int *out) {
    int n = 4, *a = (int *)malloc(n * sizeof(int));
    for (int i = 0; i <= n; i++) a[i] = i; // wrong
    out[blockIdx.x * blockDim.x + threadIdx.x] = a[n - 1];
    free(a);
}
