extern "C" __global__ void __launch_bounds__({{threads}}) select_count(unsigned long long *counts, const nd_key *all, const unsigned long long *found, const unsigned long long *plan, const nd_key *some_keys, const nd_args a) {
    const int threads = {{threads}}, bins = {{bins}}, kept = {{kept}}, width = 16 / sizeof(nd_key), turns = {{turns}}, items = width * turns;
    typedef nd_vector<nd_key, width> elements;
    __shared__ unsigned count_of[bins * kept];
    __shared__ nd_key prefixes[32];
    __shared__ int distinct;
    // With a plan, the keys may be those that a sample has led to.
    const bool planned = a.v[5] != 0;
    const long long n = planned ? (long long)plan[1] : a.v[0];
    const nd_key *const keys = planned && plan[0] != 0 ? some_keys : all;
    const int shift = (int)a.v[1], high = (int)a.v[2], mode = (int)a.v[4];
    const bool first = high == 8 * sizeof(nd_key);
    const long long tile = (long long)threads * items;
    if (blockIdx.x * tile >= n || keys != all && first) // the first digits of kept keys have been counted
        return;
    const unsigned digits = (1u << (high - shift)) - 1;
    // The prefixes of the statistics, each once. No key has that of a place without one.
    if (threadIdx.x < 32) {
        const int lane = threadIdx.x, some = first ? 1 : (int)a.v[3];
        prefixes[lane] = ~(nd_key)0;
        const nd_key mine = first || lane >= some ? (nd_key)0 : (nd_key)found[lane];
        bool fresh = lane < some;
        for (int s = 0; s < some; s++) {
            const unsigned low = __shfl_sync(0xffffffffu, (unsigned)mine, s), up = __shfl_sync(0xffffffffu, (unsigned)((unsigned long long)mine >> 32), s);
            if (s < lane && (nd_key)((unsigned long long)up << 32 | low) == mine)
                fresh = false;
        }
        const unsigned all = __ballot_sync(0xffffffffu, fresh);
        if (fresh)
            prefixes[__popc(all & ((1u << lane) - 1))] = mine;
        if (lane == 0)
            distinct = __popc(all);
    }
    for (int b = threadIdx.x; b < bins * kept; b += threads)
        count_of[b] = 0;
    __syncthreads();
    nd_key own[kept];
#pragma unroll
    for (int s = 0; s < kept; s++)
        own[s] = prefixes[s];
    // Threads of a warp count in copies, if there is room, so that equal digits wait less for each other.
    const int slots = distinct, copies = slots == 1 ? 4 : slots == 2 ? 2 : 1, copy = threadIdx.x % copies;
    const bool aligned = (size_t)keys % 16 == 0;
    for (long long base = blockIdx.x * tile; base < n; base += gridDim.x * tile) {
        nd_key x[items];
        const bool whole = aligned && base + tile <= n;
        if (whole) {
#pragma unroll
            for (int k = 0; k < turns; k++) {
                const elements v = *(const elements *)(keys + base + (k * threads + threadIdx.x) * width);
#pragma unroll
                for (int e = 0; e < width; e++)
                    x[k * width + e] = v.at[e];
            }
        } else {
#pragma unroll
            for (int k = 0; k < items; k++) {
                const long long i = base + k * threads + threadIdx.x;
                x[k] = i < n ? keys[i] : (nd_key)0;
            }
        }
#pragma unroll
        for (int k = 0; k < items; k++) {
            if (!whole && base + k * threads + threadIdx.x >= n)
                continue;
            const nd_key key = nd_encode(x[k], mode), top = first ? (nd_key)0 : (nd_key)(key >> high);
            const unsigned digit = (unsigned)(key >> shift) & digits;
            int slot = -1;
#pragma unroll
            for (int s = 0; s < kept; s++)
                if (top == own[s])
                    slot = s;
            if (slot >= 0) {
                atomicAdd(&count_of[(slot * bins + digit) * copies + copy], 1u);
                continue;
            }
            for (int s = kept; s < slots; s++)
                if (top == prefixes[s])
                    atomicAdd(counts + s * bins + digit, 1ull);
        }
    }
    __syncthreads();
    for (int b = threadIdx.x; b < bins * min(slots, kept); b += threads) {
        unsigned sum = 0;
        for (int c = 0; c < copies; c++)
            sum += count_of[b * copies + c];
        if (sum != 0)
            atomicAdd(counts + b, (unsigned long long)sum);
    }
}
