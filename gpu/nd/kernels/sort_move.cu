extern "C" __global__ void __launch_bounds__({{threads}}, 2) {{name}}(const {{Lead}} *lead, const {{Other}} *other, const unsigned *counts, {{Lead}} *to_lead, {{Other}} *to_other, {{word}} *state, const nd_args a) {
    const int threads = {{threads}}, items = {{items}}, tile = threads * items, warps = threads / 32;
    __shared__ union {
        unsigned count[warps][256];
        {{Lead}} lead[tile];
        {{Other}} other[tile];
    } room;
    __shared__ unsigned first[256];
    __shared__ unsigned sums[8];
    __shared__ unsigned ticket;
    if (threadIdx.x == 0)
        ticket = (unsigned)atomicAdd(state, ({{word}})1);
    for (int i = threadIdx.x; i < warps * 256; i += threads)
        room.count[i / 256][i % 256] = 0;
    __syncthreads();
    const unsigned row = (unsigned)a.v[1];
    const int shift = (int)a.v[2], mode = (int)a.v[3];
    const long long base = (long long)ticket * tile;
    const int count = (int)min(a.v[0] - base, (long long)tile);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    {{Lead}} key[items];
    unsigned rank[items];
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = (warp * items + j) * 32 + lane;
        key[j] = ~({{Lead}})0;
        if (i < count)
            key[j] = {{read}};
    }
    unsigned *const mine = room.count[warp];
#ifdef GOPHERWARP_SIM
    if (warp * items * 32 < count) // a GPU loses more by the branch than it saves
#endif
    {
#pragma unroll
        for (int j = 0; j < items; j++) {
            // What lies behind the end counts as the last digit and is the last there.
            const {{Lead}} k = key[j];
            const unsigned digit = (warp * items + j) * 32 + lane < count ? {{digit}} & 255 : 255;
            const unsigned same = nd_same(digit);
            const int leader = 31 - __clz(same);
            unsigned before = 0;
            if (lane == leader) {
                before = mine[digit];
                mine[digit] = before + __popc(same);
            }
            rank[j] = __shfl_sync(0xffffffffu, before, leader) + __popc(same & ((1u << lane) - 1));
            __syncwarp();
        }
    }
    __syncthreads();
    // Of each tile and digit: the count, and above it 1 for the tile alone and 2 for all up to it.
    volatile {{word}} *const told = state + 1 + (size_t)ticket * 256 + threadIdx.x;
    const {{word}} one = ({{word}})1 << {{bits}};
    unsigned sum = 0, begin = 0;
    if (threadIdx.x < 256) {
        for (int w = 0; w < warps; w++) {
            const unsigned c = room.count[w][threadIdx.x];
            room.count[w][threadIdx.x] = sum;
            sum += c;
        }
        *told = (ticket == 0 ? 2 * one : one) | sum;
        begin = sum;
        for (int d = 1; d < 32; d *= 2) {
            const unsigned left = __shfl_up_sync(0xffffffffu, begin, d);
            if (lane >= d)
                begin += left;
        }
        if (lane == 31)
            sums[warp] = begin;
        begin -= sum;
    }
    __syncthreads();
    if (threadIdx.x < 256) {
        for (int w = 0; w < warp; w++)
            begin += sums[w];
        first[threadIdx.x] = begin; // in the tile
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++) {
        const {{Lead}} k = key[j];
        if ((warp * items + j) * 32 + lane < count)
            rank[j] += first[{{digit}} & 255] + mine[{{digit}} & 255];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++)
        if ((warp * items + j) * 32 + lane < count)
            room.lead[rank[j]] = key[j];
    if (threadIdx.x < 256) {
        unsigned before = 0;
        if (ticket > 0) {
            {{word}} theirs = 0;
            for (volatile {{word}} *at = told - 256; theirs < 2 * one; at -= 256) {
                do
                    theirs = *at;
                while (theirs == 0);
                before += (unsigned)(theirs & (one - 1));
            }
            *told = 2 * one | (before + sum);
        }
        first[threadIdx.x] = counts[threadIdx.x] + before - begin; // from a place in the tile to where it goes
    }
    __syncthreads();
    unsigned to[items];
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = j * threads + threadIdx.x;
        if (i < count) {
            const {{Lead}} k = room.lead[i];
            to[j] = first[{{digit}} & 255] + i;
            {{store}};
        }
    }
{{follow}}}
