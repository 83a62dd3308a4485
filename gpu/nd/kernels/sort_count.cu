extern "C" __global__ void __launch_bounds__({{threads}}) {{name}}(unsigned *counts, const nd_key *keys, const nd_args a) {
    const int digits = sizeof(nd_key), rows = (int)a.v[2];
    __shared__ unsigned count_of[digits + 4][256];
    for (int d = 0; d < digits + rows; d++)
        count_of[d][threadIdx.x] = 0;
    __syncthreads();
    const int mode = (int)a.v[3];
    for (long long i = (long long)blockIdx.x * {{threads}} + threadIdx.x; i < a.v[0]; i += (long long)gridDim.x * {{threads}}) {
        const nd_key k = nd_encode(keys[i], mode);
#pragma unroll
        for (int d = 0; d < digits; d++)
            atomicAdd(&count_of[d][(unsigned)(k >> 8 * d) & 255], 1u);
        if (rows > 0) {
            const unsigned row = (unsigned)i / (unsigned)a.v[1];
            for (int d = 0; d < rows; d++)
                atomicAdd(&count_of[digits + d][row >> 8 * d & 255], 1u);
        }
    }
    __syncthreads();
    for (int d = 0; d < digits + rows; d++)
        if (count_of[d][threadIdx.x] != 0)
            atomicAdd(counts + d * 256 + threadIdx.x, count_of[d][threadIdx.x]);
}
