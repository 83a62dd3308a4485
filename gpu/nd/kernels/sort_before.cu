struct nd_args { long long v[4]; };
extern "C" __global__ void __launch_bounds__(256) {{name}}(unsigned *counts, const nd_args a) {
    __shared__ unsigned sums[2][256];
    const unsigned own = counts[blockIdx.x * 256 + threadIdx.x];
    sums[0][threadIdx.x] = own;
    __syncthreads();
    for (int d = 1, from = 0; d < 256; d *= 2, from = 1 - from) {
        sums[1 - from][threadIdx.x] = sums[from][threadIdx.x] + (threadIdx.x >= d ? sums[from][threadIdx.x - d] : 0);
        __syncthreads();
    }
    counts[blockIdx.x * 256 + threadIdx.x] = sums[0][threadIdx.x] - own;
}
