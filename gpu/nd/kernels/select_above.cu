extern "C" __global__ void __launch_bounds__({{threads}}, 2) select_above(nd_key *kept, unsigned *places, unsigned long long *state, const nd_key *keys, const nd_args a) {
    const int threads = {{threads}}, warps = threads / 32, width = 16 / sizeof(nd_key), turns = {{turns}}, items = width * turns;
    typedef nd_vector<nd_key, width> elements;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long n = a.v[0], room = a.v[1];
    const bool aligned = (size_t)keys % 16 == 0;
    const nd_key limit = (nd_key)state[{{edges}}], least = {{least}};
    const long long units = (n + 32 * items - 1) / (32 * items), step = (long long)gridDim.x * warps;
    for (long long unit = (long long)blockIdx.x * warps + warp; unit < units; unit += step) {
{{load}}        unsigned flags = 0;
#pragma unroll
        for (int k = 0; k < items; k++)
            flags |= (unsigned)((nd_key)(nd_order(x[k]) - least) >= limit) << k;
        flags &= valid;
        if (!__any_sync(0xffffffffu, flags != 0))
            continue;
        const int count = __popc(flags);
        int to = count;
        for (int d = 1; d < 32; d *= 2) {
            const int left = __shfl_up_sync(0xffffffffu, to, d);
            if (lane >= d)
                to += left;
        }
        // If there are too many, nothing more is to be done.
        const int total = __shfl_sync(0xffffffffu, to, 31);
        long long start = 0;
        if (lane == 0) {
            start = *(volatile long long *)state;
            if (start <= room)
                start = (long long)atomicAdd(state, (unsigned long long)total);
        }
        start = __shfl_sync(0xffffffffu, start, 0);
        if (start > room)
            break;
        for (start += to - count; flags != 0; flags &= flags - 1, start++) {
            const unsigned k = __ffs(flags) - 1, at = k / width * (32 * width) + k % width;
            if (start < room) {
                kept[start] = here[at];
                places[start] = (unsigned)(base + lane * width + at);
            }
        }
    }
}
