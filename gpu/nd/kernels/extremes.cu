struct nd_args { long long v[{{words}}]; };
extern "C" __global__ void __launch_bounds__({{threads}}) extremes(long long *out, const {{T}} *in, const nd_args a) {
    const long long least = -0x7fffffffffffffffll - 1;
    __shared__ long long of_warp[2][{{threads}} / 32];
    long long low = least, high = least; // the largest ~x and x
#pragma unroll 8
    for (long long i = (long long)blockIdx.x * {{threads}} + threadIdx.x; i < a.v[0]; i += (long long)gridDim.x * {{threads}}) {
        const long long x = {{x}};
        low = max(low, ~x);
        high = max(high, x);
    }
    for (int d = 16; d > 0; d /= 2) {
        low = max(low, __shfl_xor_sync(0xffffffffu, low, d));
        high = max(high, __shfl_xor_sync(0xffffffffu, high, d));
    }
    if (threadIdx.x % 32 == 0) {
        of_warp[0][threadIdx.x / 32] = low;
        of_warp[1][threadIdx.x / 32] = high;
    }
    __syncthreads();
    if (threadIdx.x < 2) {
        long long all = least;
        for (int w = 0; w < {{threads}} / 32; w++)
            all = max(all, of_warp[threadIdx.x][w]);
        atomicMax(out + threadIdx.x, all);
    }
}
