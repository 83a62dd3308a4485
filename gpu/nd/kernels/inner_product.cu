// How many blocks have finished. The last one begins the next count.
static __device__ unsigned nd_ticket;
struct nd_args { long long v[1]; };

// The sum of what the block's threads have, in an order that does not change.
static __device__ __forceinline__ double nd_total(double *of_warp, double sum) {
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
#pragma unroll
    for (int k = 0; k < {{threads}} / 32; k++)
        sum += of_warp[k];
    return sum;
}
extern "C" __global__ void __launch_bounds__({{threads}}, 4) {{name}}({{T}} *out, double *parts, const {{T}} *x, const {{T}} *y, const nd_args a) {
    const int width = 16 / sizeof({{T}}), turns = 4;
    typedef nd_vector<{{T}}, width> elements;
    __shared__ double of_warp[2][{{threads}} / 32];
    __shared__ bool last;
    const long long n = a.v[0], step = (long long)gridDim.x * {{threads}}, me = (long long)blockIdx.x * {{threads}} + threadIdx.x;
    double sum = 0;
    long long whole = 0; // vectors
    if (((size_t)x | (size_t)y) % sizeof(elements) == 0) {
        whole = n / width;
        double part[width] = {};
        for (long long i = me; i < whole; i += turns * step) {
            elements p[turns], q[turns];
#pragma unroll
            for (int t = 0; t < turns; t++) {
                const bool is = i + t * step < whole;
                p[t] = is ? ((const elements *)x)[i + t * step] : elements();
                q[t] = is ? ((const elements *)y)[i + t * step] : elements();
            }
#pragma unroll
            for (int t = 0; t < turns; t++)
#pragma unroll
                for (int k = 0; k < width; k++)
                    part[k] = fma((double)p[t].at[k], (double)q[t].at[k], part[k]);
        }
#pragma unroll
        for (int k = 0; k < width; k++)
            sum += part[k];
    }
    for (long long i = whole * width + me; i < n; i += step)
        sum = fma((double)x[i], (double)y[i], sum);
    sum = nd_total(of_warp[0], sum);
    if (gridDim.x > 1) {
        if (threadIdx.x == 0) {
            parts[blockIdx.x] = sum;
            __threadfence();
            last = atomicInc(&nd_ticket, gridDim.x - 1) == gridDim.x - 1;
        }
        __syncthreads();
        if (!last)
            return;
        __threadfence();
        sum = 0;
        for (unsigned i = threadIdx.x; i < gridDim.x; i += {{threads}})
            sum += __ldcg(parts + i);
        sum = nd_total(of_warp[1], sum);
    }
    if (threadIdx.x == 0)
        *out = ({{T}})sum;
}
