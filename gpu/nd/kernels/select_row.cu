extern "C" __global__ void __launch_bounds__({{threads}}) select_row(nd_key *out, const nd_key *keys, const nd_args a) {
    const int threads = {{threads}}, bins = {{bins}}, each = bins / threads, copies = 4;
    __shared__ unsigned count_of[bins * copies], sums[2][threads], picked[2];
    const int some = (int)a.v[1], mode = (int)a.v[2];
    const nd_key *const row = keys + blockIdx.x / some * a.v[0];
    unsigned rank = (unsigned)a.v[3 + blockIdx.x % some];
    nd_key prefix = 0;
    for (int high = 8 * sizeof(nd_key), shift; high > 0; high = shift) {
        shift = max(high - {{digit}}, 0);
        for (int b = threadIdx.x; b < bins * copies; b += threads)
            count_of[b] = 0;
        __syncthreads();
#pragma unroll 4
        for (long long i = threadIdx.x; i < a.v[0]; i += threads) {
            const nd_key key = nd_encode(row[i], mode);
            if (high == 8 * sizeof(nd_key) || (nd_key)(key >> high) == prefix)
                atomicAdd(&count_of[((unsigned)(key >> shift) & (1u << (high - shift)) - 1) * copies + threadIdx.x % copies], 1u);
        }
        __syncthreads();
        unsigned own = 0;
        for (int b = 0; b < each * copies; b++)
            own += count_of[threadIdx.x * each * copies + b];
        sums[0][threadIdx.x] = own;
        __syncthreads();
        int from = 0;
        for (int d = 1; d < threads; d *= 2, from = 1 - from) {
            sums[1 - from][threadIdx.x] = sums[from][threadIdx.x] + (threadIdx.x >= d ? sums[from][threadIdx.x - d] : 0);
            __syncthreads();
        }
        unsigned rest = rank - (sums[from][threadIdx.x] - own);
        if (rank >= sums[from][threadIdx.x] - own && rest < own) {
            int digit = threadIdx.x * each;
            for (;; digit++) {
                unsigned count = 0;
                for (int c = 0; c < copies; c++)
                    count += count_of[digit * copies + c];
                if (rest < count)
                    break;
                rest -= count;
            }
            picked[0] = (unsigned)digit;
            picked[1] = rest;
        }
        __syncthreads();
        prefix = (nd_key)((unsigned long long)prefix << (high - shift) | picked[0]);
        rank = picked[1];
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = nd_decode(prefix);
}
