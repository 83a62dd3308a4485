// Operations of warps without masks, which devices before compute capability 7.0 have.
#include <cstdio>

__global__ void exchange(int *x) {
    int v = x[threadIdx.x];
    v = __shfl(v, threadIdx.x + 1, 32);
    x[threadIdx.x] = v + 100 * __any(threadIdx.x == 3) + 1000 * __popc(__ballot(v > 30)) + 10000 * __all(v >= 0);
}
__global__ void moved(int *x) {
    int v = x[threadIdx.x];
    x[threadIdx.x] = __shfl_up(v, 1) * 10000 + __shfl_down(v, 1, 8) * 100 + __shfl_xor(v, 3);
}

int main() {
    int *x;
    cudaMallocManaged(&x, 32 * sizeof(int));
    for (int i = 0; i < 32; i++)
        x[i] = i;
    exchange<<<1, 32>>>(x);
    int status = cudaDeviceSynchronize();
    printf("%d %d %d\n", status, x[0], x[31]);
    for (int i = 0; i < 32; i++)
        x[i] = i;
    moved<<<1, 32>>>(x);
    status = cudaDeviceSynchronize();
    printf("%d %d %d %d\n", status, x[0], x[7], x[31]);
}

// Devices: sim:gtx1080 sim:gtx1080,reverse
// Output:
// 0 11101 11100
// 0 103 60704 303128
