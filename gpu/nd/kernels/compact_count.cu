struct nd_args { long long v[1]; };
extern "C" __global__ void __launch_bounds__({{threads}}) compact_count(long long *counts, const bool *mask, const nd_args a) {
    __shared__ int of_warp[{{threads}} / 32];
    const long long base = (long long)blockIdx.x * ({{threads}} * {{items}}) + threadIdx.x;
    int found = 0;
#pragma unroll
    for (int k = 0; k < {{items}}; k++) {
        const long long i = base + k * {{threads}};
        found += __popc(__ballot_sync(0xffffffffu, i < a.v[0] && mask[i]));
    }
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = found;
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int w = 0; w < {{threads}} / 32; w++)
            sum += of_warp[w];
        counts[blockIdx.x] = sum;
    }
}
