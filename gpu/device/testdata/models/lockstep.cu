// Programs from before compute capability 7.0, whose warps exchange values without __syncwarp().
#include <cstdio>

// Six steps of a sum, each of which reads what the one before has written.
__device__ void sumWarp(volatile int *s, int t) {
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}

template <unsigned size> __global__ void sum(const int *in, int *out) {
    extern __shared__ int data[];
    int t = threadIdx.x;
    data[t] = in[blockIdx.x * size + t];
    __syncthreads();
    for (unsigned half = size / 2; half > 32; half /= 2) {
        if (t < half)
            data[t] += data[t + half];
        __syncthreads();
    }
    if (t < 32)
        sumWarp(data, t);
    if (t == 0)
        out[blockIdx.x] = data[0];
}

// Sums of the lanes before: at each step some lanes have nothing to do.
__global__ void scan(int *io) {
    __shared__ volatile int s[128];
    int t = threadIdx.x, lane = t % 32;
    s[t] = io[t];
    if (lane >= 1)
        s[t] += s[t - 1];
    if (lane >= 2)
        s[t] += s[t - 2];
    for (int d = 4; d < 32; d *= 2) {
        if (lane >= d) {
            int before = s[t - d];
            s[t] = s[t] + before;
        }
    }
    io[t] = s[t];
}

// The lanes sort their numbers by exchanging neighbours; two branches that meet again.
__global__ void sort(int *io) {
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = io[t];
    for (int round = 0; round < 32; round++) {
        int lane = t % 32;
        int other = (lane + round) % 2 == 0 ? lane + 1 : lane - 1;
        if (other < 0 || other > 31)
            other = lane;
        int mine = s[t], theirs = s[t - lane + other];
        if (lane < other)
            s[t] = mine < theirs ? mine : theirs;
        else
            s[t] = mine > theirs ? mine : theirs;
    }
    io[t] = s[t];
}

// Warps wait for each other by a flag.
__global__ void relay(int *out) {
    __shared__ volatile int turn;
    if (threadIdx.x == 0)
        turn = 0;
    __syncthreads();
    int warp = threadIdx.x / 32;
    while (turn != 3 - warp)
        ;
    if (threadIdx.x % 32 == 0)
        out[3 - warp] = warp;
    turn = 3 - warp + 1;
}

// The operations of warps that have no masks.
__global__ void shuffle(int *out) {
    int t = threadIdx.x, v = t;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor(v, d);
    out[t] = v + __popc(__ballot(t % 2)) + __shfl(t, 5) + __any(t == 3) + __all(t < 31);
}

int main() {
    int *x;
    cudaMallocManaged(&x, 4096 * sizeof(int));
    int *out = x + 2048;
    for (int i = 0; i < 1024; i++)
        x[i] = i % 7;
    sum<256><<<4, 256, 256 * sizeof(int)>>>(x, out);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
    for (int i = 0; i < 128; i++)
        x[i] = 1;
    scan<<<1, 128>>>(x);
    cudaDeviceSynchronize();
    int right = 0;
    for (int i = 0; i < 128; i++)
        right += x[i] == i % 32 + 1;
    printf("%d\n", right);
    for (int i = 0; i < 64; i++)
        x[i] = i * 37 % 64;
    sort<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    right = 0;
    for (int i = 0; i < 63; i++)
        right += i == 31 || x[i] < x[i + 1];
    printf("%d\n", right);
    relay<<<1, 128>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
    shuffle<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    printf("%d %d\n", out[0], out[31]);
}

// Devices: sim:gtx1080 sim:gtx1080,reverse sim:gtx1080,random=5
// Output:
// 762 771 766 768
// 128
// 63
// 3 2 1 0
// 518 518
