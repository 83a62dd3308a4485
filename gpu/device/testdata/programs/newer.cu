// Functions that newer devices and their headers have: sums of vectors, blocks of a cluster by function.
#include <cstdio>

__global__ void extremes(long long *q) {
    q[0] = llmin(-3, 4);
    q[1] = llmax(-3, 4);
    q[2] = ullmin(3, 1ull << 63) + ullmax(3, 4);
    __prof_trigger(1);
}

__global__ void sums(float2 *two, float4 *four) {
    float x = threadIdx.x;
    float2 before = atomicAdd(two, make_float2(1, x));
    atomicAdd(four, make_float4(1, x, before.x >= 0, before.x < 0));
    atomicAdd_block(four + 1, make_float4(0, 0, 0, 2));
}

__global__ void __cluster_dims__(2, 1, 1) clusters(unsigned *out) {
    unsigned at = 6 * blockIdx.x;
    out[at] = __clusterIdx().x;
    out[at + 1] = __clusterRelativeBlockRank();
    out[at + 2] = __clusterSizeInBlocks();
    out[at + 3] = __clusterGridDimInClusters().x;
    out[at + 4] = __clusterRelativeBlockIdx().x;
    out[at + 5] = __clusterDim().x;
    __threadfence_cluster();
}

int main() {
    long long *q;
    float2 *two;
    float4 *four;
    unsigned *out;
    cudaMallocManaged(&q, 3 * sizeof *q);
    cudaMallocManaged(&two, sizeof *two);
    cudaMallocManaged(&four, 2 * sizeof *four);
    cudaMallocManaged(&out, 24 * sizeof *out);
    *two = make_float2(0, 0);
    four[0] = four[1] = make_float4(0, 0, 0, 0);
    extremes<<<1, 1>>>(q);
    sums<<<1, 64>>>(two, four);
    clusters<<<4, 1>>>(out);
    cudaDeviceSynchronize();
    printf("%lld %lld %lld\n", q[0], q[1], q[2]);
    printf("%g %g, %g %g %g %g, %g\n", two->x, two->y, four->x, four->y, four->z, four->w, four[1].w);
    for (int i = 0; i < 24; i++)
        printf("%u%c", out[i], i % 6 == 5 ? '\n' : ' ');
}

// Flags: -arch=sm_90
// Output:
// -3 4 7
// 64 2016, 64 2016 64 0, 128
// 0 0 2 2 0 2
// 0 1 2 2 1 2
// 1 0 2 2 0 2
// 1 1 2 2 1 2
