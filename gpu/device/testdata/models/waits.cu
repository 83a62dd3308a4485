#include <cstdio>
// A later lane writes what earlier ones wait for.
__global__ void lanes(volatile int *flag, int *out) {
    int t = threadIdx.x;
    if (t == 31) { *flag = 7; }
    while (*flag == 0) ;
    out[t] = *flag + t;
}
__global__ void chain(volatile int *turn, int *out) {
    int t = threadIdx.x;
    while (*turn != (int)blockDim.x - 1 - t) ;
    out[t] = *turn;
    __threadfence();
    *turn = *turn + 1;
}
__global__ void atomics(int *turn, int *out) {
    int t = threadIdx.x;
    while (atomicAdd(turn, 0) != 63 - t) ;
    out[t] = 1;
    atomicAdd(turn, 1);
}
// Blocks wait for later ones.
__global__ void blocks(volatile int *turn, int *out) {
    if (threadIdx.x == 0) {
        while (*turn != (int)gridDim.x - 1 - (int)blockIdx.x) ;
        out[blockIdx.x] = *turn;
        __threadfence();
        *turn = *turn + 1;
    }
}
// The same with barriers, so that the kernel could be split.
__global__ void barrier(volatile int *turn, int *out) {
    __shared__ int s;
    if (threadIdx.x == 0) s = 1;
    __syncthreads();
    if (threadIdx.x == 5) { while (*turn == 0) ; s += *turn; }
    if (threadIdx.x == 9) { *turn = 41; }
    __syncthreads();
    out[threadIdx.x] = s;
}
__global__ void gridBarrier(volatile int *arrived, int *out) {
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd((int *)arrived, 1);
        while (*arrived < (int)gridDim.x) ;
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = *arrived;
}
int main() {
    int *m; cudaMallocManaged(&m, 1 << 16);
    int *out = m + 16;
    auto zero = [&] { cudaDeviceSynchronize(); *m = 0; };
    zero(); lanes<<<1, 32>>>(m, out); cudaDeviceSynchronize(); printf("%d %d\n", out[0], out[31]); 
    zero(); chain<<<1, 64>>>(m, out); cudaDeviceSynchronize(); printf("%d %d\n", out[0], out[63]);
    zero(); atomics<<<1, 64>>>(m, out); cudaDeviceSynchronize(); printf("%d %d\n", out[0], *m);
    zero(); blocks<<<40, 64>>>(m, out); cudaDeviceSynchronize(); printf("%d %d\n", out[0], *m);
    zero(); barrier<<<1, 64>>>(m, out); cudaDeviceSynchronize(); printf("%d %d\n", out[0], *m);
    zero(); gridBarrier<<<20, 64>>>(m, out); cudaDeviceSynchronize(); printf("%d %d\n", out[0], out[20*64-1]);
}

// Devices: sim sim:random=3
// Output:
// 7 38
// 63 0
// 1 64
// 39 40
// 42 41
// 20 20
