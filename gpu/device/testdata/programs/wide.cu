// Atomic functions of 128 bits, barriers by their numbers, barriers of clusters in two parts, and in which memory an address is.
#include <cstdio>

struct alignas(16) Pair {
    long long sum, count;
};

// push adds to both numbers at once.
__device__ void push(Pair *p, long long v) {
    Pair seen = {0, 0}, before;
    do {
        before = seen;
        seen = atomicCAS(p, before, Pair{before.sum + v, before.count + 1});
    } while (seen.sum != before.sum || seen.count != before.count);
}

__global__ void pairs(Pair *all, unsigned __int128 *last, int *odd) {
    __shared__ Pair mine;
    __shared__ unsigned __int128 token;
    if (threadIdx.x == 0)
        mine = {0, 0}, token = 7;
    __barrier_sync(0);
    push(&mine, threadIdx.x);
    push(all, blockIdx.x * blockDim.x + threadIdx.x);
    unsigned __int128 me = threadIdx.x + 1, old = atomicExch(&token, me << 64 | me);
    if (old != 7 && (unsigned long long)(old >> 64) != (unsigned long long)old)
        atomicAdd(odd, 1);
    atomicExch(last, me << 64 | me);
    __barrier_sync_count(1, blockDim.x);
    if (threadIdx.x == 0)
        atomicAdd(odd, mine.sum != blockDim.x * (blockDim.x - 1) / 2 || mine.count != blockDim.x);
}

__device__ int global;
__global__ void __cluster_dims__(2, 1, 1) spaces(int *out) {
    __shared__ int mine;
    mine = 10 + blockIdx.x;
    int local = 1;
    __cluster_barrier_arrive();
    int before = __isCtaShared(&mine) + 2 * __isCtaShared(&global) + 4 * __isCtaShared(&local);
    __cluster_barrier_wait();
    int *other = static_cast<int *>(__cluster_map_shared_rank(&mine, 1 - __clusterRelativeBlockRank()));
    out[3 * blockIdx.x] = before;
    out[3 * blockIdx.x + 1] = *other;
    out[3 * blockIdx.x + 2] = __isClusterShared(other) + 2 * __isCtaShared(other) + 4 * __isClusterShared(out);
    __cluster_barrier_arrive_relaxed();
    __cluster_barrier_wait();
}

int main() {
    Pair *all;
    unsigned __int128 *last;
    int *odd, *out;
    cudaMallocManaged(&all, sizeof *all);
    cudaMallocManaged(&last, sizeof *last);
    cudaMallocManaged(&odd, sizeof *odd);
    cudaMallocManaged(&out, 12 * sizeof *out);
    *all = {0, 0}, *last = 0, *odd = 0;
    pairs<<<8, 64>>>(all, last, odd);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    printf("%lld %lld, %d, %d\n", all->sum, all->count, *odd, (unsigned long long)(*last >> 64) == (unsigned long long)*last);
    spaces<<<4, 1>>>(out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int i = 0; i < 12; i++)
        printf("%d%c", out[i], i % 3 == 2 ? '\n' : ' ');
}

// Flags: -arch=sm_90
// Output:
// no error
// 130816 512, 0, 1
// no error
// 1 11 1
// 1 10 1
// 1 13 1
// 1 12 1
