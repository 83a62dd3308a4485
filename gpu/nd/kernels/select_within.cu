extern "C" __global__ void __launch_bounds__({{threads}}, {{blocks}}) select_within(nd_key *kept, unsigned long long *state, unsigned long long *counts, const nd_key *keys, const nd_args a) {
    const int threads = {{threads}}, warps = threads / 32, brackets = {{brackets}}, bins = {{bins}}, shift = max(8 * (int)sizeof(nd_key) - {{digit}}, 0), width = 16 / sizeof(nd_key), turns = {{turns}}, items = width * turns;
    const bool top = {{top}}; // the last bracket has no upper edge
    typedef nd_vector<nd_key, width> elements;
    __shared__ nd_key stage[warps][32 * items];
    __shared__ unsigned sums[4 * brackets], count_of[bins];
    __shared__ bool last, right;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long n = a.v[0], room = a.v[1];
    const int mode = (int)a.v[3];
    const unsigned long long *const first_same = state + {{edges}}, *const last_same = first_same + 2 * brackets;
    const bool ties = state[2] != 0, aligned = (size_t)keys % 16 == 0;
    // An element is in a bracket, whose edges are not, if its place is less than span after the first one, and before the bracket if it is not
    // less than before after that.
    const nd_key most = ~(nd_key)0, least = {{least}};
    nd_key first[brackets], span[brackets], before[brackets];
#pragma unroll
    for (int b = 0; b < brackets; b++) {
        const nd_key edge = (nd_key)last_same[2 * b], end = (nd_key)first_same[2 * b + 1];
        first[b] = edge + 1 + least;
        span[b] = top && b == brackets - 1 ? most - edge : end > edge ? end - edge - 1 : 0;
        before[b] = most - edge;
    }
    for (int c = threadIdx.x; c < 4 * brackets; c += threads)
        sums[c] = 0;
    for (int b = threadIdx.x; b < bins; b += threads)
        count_of[b] = 0;
    __syncthreads();
    // Of each bracket: elements up to the lower edge, and, of elements in brackets, those above it; with ties also those below the lower edge
    // and those up to the upper edge.
    unsigned up_to_low[brackets], above_low[brackets], below_low[brackets], up_to_high[brackets];
#pragma unroll
    for (int b = 0; b < brackets; b++)
        up_to_low[b] = above_low[b] = below_low[b] = up_to_high[b] = 0;
    const long long units = (n + 32 * items - 1) / (32 * items), step = (long long)gridDim.x * warps;
    nd_key *const mine = stage[warp];
    int filled = 0;
    for (long long unit = (long long)blockIdx.x * warps + warp;; unit += step) {
        const bool more = unit < units; // the warp's elements are written after the last unit
{{load}}        unsigned flags = 0;
#pragma unroll
        for (int k = 0; k < items; k++) {
            const nd_key place = nd_order(x[k]);
            bool in = false;
#pragma unroll
            for (int b = 0; b < brackets; b++) {
                const nd_key after = place - first[b];
                if (!(top && b == brackets - 1))
                    up_to_low[b] += after >= before[b];
                in |= after < span[b];
            }
            flags |= (unsigned)in << k;
        }
        flags &= valid;
        if (ties) {
#pragma unroll
            for (int b = 0; b < brackets; b++) {
                const nd_key begin = (nd_key)first_same[2 * b], end = (nd_key)last_same[2 * b + 1];
#pragma unroll
                for (int k = 0; k < items; k++) {
                    const nd_key at = nd_order(x[k]) - least;
                    below_low[b] += at < begin;
                    up_to_high[b] += at <= end;
                }
            }
        }
        const int count = __popc(flags);
        int to = count;
        for (int d = 1; d < 32; d *= 2) {
            const int left = __shfl_up_sync(0xffffffffu, to, d);
            if (lane >= d)
                to += left;
        }
        const int total = __shfl_sync(0xffffffffu, to, 31);
        if (!more || filled + total > 32 * items) {
            __syncwarp();
            unsigned long long start = 0;
            if (lane == 0)
                start = atomicAdd(state, (unsigned long long)filled);
            start = __shfl_sync(0xffffffffu, start, 0);
            if (!more && filled == 0 || start + filled > room)
                break;
            for (int i = lane; i < filled; i += 32) {
                const nd_key one = mine[i];
                kept[2 * brackets + start + i] = one;
                const nd_key at = nd_order(one) - least;
#pragma unroll
                for (int b = 0; b < brackets; b++)
                    above_low[b] += at > (nd_key)(most - before[b]);
                atomicAdd(&count_of[(unsigned)(nd_encode(one, mode) >> shift)], 1u);
            }
            __syncwarp();
            filled = 0;
            if (!more)
                break;
        }
        to += filled - count;
#pragma unroll
        for (int k = 0; k < items; k++)
            if (flags >> k & 1)
                mine[to++] = x[k];
        filled += total;
    }
#pragma unroll
    for (int b = 0; b < brackets; b++) {
        unsigned own[4] = {up_to_low[b], above_low[b], below_low[b], up_to_high[b]};
#pragma unroll
        for (int c = 0; c < 4; c++) {
            for (int d = 16; d > 0; d /= 2)
                own[c] += __shfl_xor_sync(0xffffffffu, own[c], d);
            if (lane == 0 && own[c] != 0)
                atomicAdd(sums + 4 * b + c, own[c]);
        }
    }
    __syncthreads();
    for (int c = threadIdx.x; c < 4 * brackets; c += threads)
        if (sums[c] != 0)
            atomicAdd(state + {{counts}} + c, (unsigned long long)sums[c]);
    for (int b = threadIdx.x; b < bins; b += threads)
        if (count_of[b] != 0)
            atomicAdd(counts + b, (unsigned long long)count_of[b]);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(state + 1, 1ull) == gridDim.x - 1;
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    // The last block has the counts of all. The selection goes on among the kept elements, which are, in their order, those of each bracket
    // between its two edges, or, if one that is wanted is not there, among all.
    const volatile unsigned long long *const told = state;
    if (threadIdx.x < 2 * brackets) {
        const nd_key edge = (nd_key)first_same[4 * brackets + threadIdx.x];
        kept[threadIdx.x] = nd_decode(edge);
        atomicAdd(counts + (edge >> shift), 1ull);
    }
    if (warp == 0) {
        const int some = (int)a.v[2];
        const long long taken = (long long)told[0];
        const unsigned long long rank = lane < some ? (unsigned long long)a.v[4 + lane] : 0;
        unsigned long long place = 0, base = 0;
        bool found = lane >= some;
        for (int b = 0; b < brackets; b++) {
            const volatile unsigned long long *const of = told + {{counts}} + 4 * b;
            const bool open = top && b == brackets - 1;
            const unsigned long long inside = of[1] - (b + 1 < brackets ? of[5] : 0), all = (unsigned long long)n;
            const unsigned long long begin = open ? all - inside : last_same[2 * b] == most ? all : of[0], end = begin + inside;
            if (rank >= begin && rank < end) {
                place = base + 1 + (rank - begin);
                found = true;
            } else if (ties && rank < begin && rank >= of[2]) {
                place = base;
                found = true;
            } else if (ties && !open && rank >= end && rank < min(of[3], all)) {
                place = base + 1 + inside;
                found = true;
            }
            base += inside + 2;
        }
        const bool all_found = __all_sync(0xffffffffu, found) && taken <= room;
        unsigned long long *const plan = state + {{plan}};
        if (lane < some)
            plan[2 + lane] = all_found ? place : rank;
        if (lane == 0) {
            plan[0] = all_found;
            plan[1] = (unsigned long long)(all_found ? taken + 2 * brackets : n);
            right = all_found;
        }
    }
    __syncthreads();
    if (!right) // the first digits of all are counted instead
        for (int b = threadIdx.x; b < bins; b += threads)
            counts[b] = 0;
}
