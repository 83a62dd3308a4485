extern "C" __global__ void __launch_bounds__({{threads}}) select_edges(unsigned long long *state, const nd_key *sample, const nd_args a) {
    const int threads = {{threads}}, bins = {{bins}}, each = bins / threads, copies = 4, width = 16 / sizeof(nd_key), turns = {{turns}};
    typedef nd_vector<nd_key, width> elements;
    __shared__ unsigned count_of[bins * copies], of_warp[threads / 32], picked[3];
    const nd_key nd_sign = (nd_key)1 << {{sign}}, least = {{least}};
    const int size = (int)a.v[0], mode = (int)a.v[1], edges = (int)a.v[2], lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long place = a.v[3 + blockIdx.x];
    // An edge beyond the sample is the least or the largest key.
    nd_key key = place < 0 ? least : (nd_key)~(nd_key)0;
    bool ties = place < 0;
    if (place >= 0 && place < size) {
        unsigned rank = (unsigned)place;
        key = 0;
        for (int high = 8 * sizeof(nd_key), shift; high > 0; high = shift) {
            shift = max(high - {{digit}}, 0);
            for (int b = threadIdx.x; b < bins * copies; b += threads)
                count_of[b] = 0;
            __syncthreads();
            for (int base = threadIdx.x; base < size / width; base += turns * threads) {
                elements x[turns];
#pragma unroll
                for (int t = 0; t < turns; t++)
                    if (base + t * threads < size / width)
                        x[t] = *(const elements *)(sample + (base + t * threads) * width);
#pragma unroll
                for (int t = 0; t < turns; t++) {
                    if (base + t * threads >= size / width)
                        continue;
#pragma unroll
                    for (int e = 0; e < width; e++) {
                        const nd_key k = nd_encode(x[t].at[e], mode);
                        if (high == 8 * sizeof(nd_key) || (nd_key)(k >> high) == key)
                            atomicAdd(&count_of[((unsigned)(k >> shift) & (1u << (high - shift)) - 1) * copies + threadIdx.x % copies], 1u);
                    }
                }
            }
            __syncthreads();
            unsigned own = 0;
            for (int b = 0; b < each * copies; b++)
                own += count_of[threadIdx.x * each * copies + b];
            unsigned end = own;
            for (int d = 1; d < 32; d *= 2) {
                const unsigned left = __shfl_up_sync(0xffffffffu, end, d);
                if (lane >= d)
                    end += left;
            }
            if (lane == 31)
                of_warp[warp] = end;
            __syncthreads();
            for (int w = 0; w < warp; w++)
                end += of_warp[w];
            unsigned rest = rank - (end - own);
            if (rank >= end - own && rest < own) {
                int digit = threadIdx.x * each;
                unsigned count;
                for (;; digit++) {
                    count = 0;
                    for (int c = 0; c < copies; c++)
                        count += count_of[digit * copies + c];
                    if (rest < count)
                        break;
                    rest -= count;
                }
                picked[0] = (unsigned)digit;
                picked[1] = rest;
                picked[2] = count;
            }
            __syncthreads();
            key = (nd_key)((unsigned long long)key << (high - shift) | picked[0]);
            rank = picked[1];
        }
        ties = picked[2] > 1;
    }
    if (threadIdx.x > 0)
        return;
    // The first and the last place in the order of what is the same as the key.
    nd_key low = key - least, high = low;
{{same}}    unsigned long long *const mine = state + {{edges}} + blockIdx.x;
    mine[0] = low;
    mine[edges] = high;
    mine[2 * edges] = key;
    if (ties)
        atomicOr(state + 2, 1ull);
}
