// Defect: leaked buffer
// Each thread takes memory from the heap and returns without giving it back.
// Launch: 2, 32, 0
// Args: out int[64] zeros
__global__ void k(int *out) {
    int *a = (int *)malloc(8 * sizeof(int)); // wrong
    if (a == nullptr) return;
    for (int i = 0; i < 8; i++) a[i] = i;
    out[blockIdx.x * blockDim.x + threadIdx.x] = a[7];
}
