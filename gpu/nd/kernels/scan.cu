struct nd_args { long long v[2]; };
{{join}}struct nd_words { unsigned at[{{words}}]; };
static __device__ __forceinline__ nd_words nd_pack(nd_acc a) {
    nd_words w = {};
    memcpy(&w, &a, sizeof(a));
    return w;
}
static __device__ __forceinline__ nd_acc nd_unpack(nd_words w) {
    nd_acc a;
    memcpy(&a, &w, sizeof(a));
    return a;
}
// The value of the thread d before this one in the warp, and that of thread at.
static __device__ __forceinline__ nd_acc nd_up(nd_acc a, int d) {
    nd_words w = nd_pack(a);
#pragma unroll
    for (int k = 0; k < {{words}}; k++)
        w.at[k] = __shfl_up_sync(0xffffffffu, w.at[k], d);
    return nd_unpack(w);
}
static __device__ __forceinline__ nd_acc nd_of(nd_acc a, int at) {
    nd_words w = nd_pack(a);
#pragma unroll
    for (int k = 0; k < {{words}}; k++)
        w.at[k] = __shfl_sync(0xffffffffu, w.at[k], at);
    return nd_unpack(w);
}
extern "C" __global__ void __launch_bounds__({{threads}}, {{blocks}}) {{name}}({{T}} *out, const {{T}} *in, unsigned long long *state, const nd_args a) {
    const int threads = {{threads}}, warps = threads / 32, width = {{width}}, turns = {{turns}}, tile = threads * width * turns, words = {{words}};
    typedef nd_vector<{{T}}, width> elements;
    __shared__ elements room[threads * turns];
    __shared__ nd_acc of_warp[warps];
    __shared__ unsigned ticket;
    const nd_acc none = {{none}};
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        ticket = {{ticket}};
    __syncthreads();
    // Where the thread's first element is, and how many the tile has from there on. What else it takes to know that is forgotten: registers are scarce.
    long long at;
    int rest;
    bool whole; // tiles that can be read as vectors
    {
        const unsigned perRow = (unsigned)a.v[1], row = ticket < perRow ? 0 : ticket / perRow;
        const long long begin = (long long)(ticket - row * perRow) * tile;
        const int own = (warp * turns * 32 + lane) * width;
        at = (long long)row * a.v[0] + begin;
        whole = a.v[0] - begin >= tile && ((size_t)(in + at) | (size_t)(out + at)) % sizeof(elements) == 0;
        rest = (int)min(a.v[0] - begin, (long long)tile) - own;
        at += own;
    }
    // What the warp's threads before this one amount to, for each turn.
    nd_acc sum[turns];
    if (whole) {
        elements x[turns];
#pragma unroll
        for (int k = 0; k < turns; k++)
            x[k] = *(const elements *)(in + at + k * 32 * width);
#pragma unroll
        for (int k = 0; k < turns; k++)
            room[k * threads + threadIdx.x] = x[k];
#pragma unroll
        for (int k = 0; k < turns; k++) {
            const elements x = room[k * threads + threadIdx.x];
            nd_acc acc = {{first}};
#pragma unroll
            for (int e = 1; e < width; e++)
                acc = nd_join(acc, {{next}});
            sum[k] = acc;
        }
    } else {
#pragma unroll
        for (int k = 0; k < turns; k++) {
            nd_acc acc = none;
#pragma unroll 1
            for (int e = 0; e < width && k * 32 * width + e < rest; e++) {
                room[k * threads + threadIdx.x].at[e] = in[at + k * 32 * width + e];
                acc = nd_join(acc, {{edge}});
            }
            sum[k] = acc;
        }
    }
#pragma unroll
    for (int d = 1; d < 32; d *= 2)
#pragma unroll
        for (int k = 0; k < turns; k++) {
            const nd_acc left = nd_up(sum[k], d);
            if (lane >= d)
                sum[k] = nd_join(left, sum[k]);
        }
    nd_acc carry = none;
#pragma unroll
    for (int k = 0; k < turns; k++) {
        const nd_acc whole = nd_of(sum[k], 31), left = nd_up(sum[k], 1);
        sum[k] = lane > 0 ? nd_join(carry, left) : carry;
        carry = nd_join(carry, whole);
    }
    if (lane == 0)
        of_warp[warp] = carry;
    __syncthreads();
    if (warp == 0) {
        nd_acc part = lane < warps ? of_warp[lane] : none;
        for (int d = 1; d < warps; d *= 2) {
            const nd_acc left = nd_up(part, d);
            if (lane >= d)
                part = nd_join(left, part);
        }
        const nd_acc total = nd_of(part, warps - 1), left = nd_up(part, 1);
        nd_acc all = none; // before the tile
{{chain}}        if (lane < warps)
            of_warp[lane] = lane > 0 ? nd_join(all, left) : all;
    }
    __syncthreads();
    const nd_acc before = of_warp[warp];
#pragma unroll
    for (int k = 0; k < turns; k++) {
        elements x = room[k * threads + threadIdx.x];
        nd_acc acc = nd_join(before, sum[k]);
        if (whole) {
#pragma unroll
            for (int e = 0; e < width; e++) {
                acc = nd_join(acc, {{next}});
                x.at[e] = {{result}};
            }
            *(elements *)(out + at + k * 32 * width) = x;
            continue;
        }
#pragma unroll 1
        for (int e = 0; e < width && k * 32 * width + e < rest; e++) {
            acc = nd_join(acc, {{edge}});
            out[at + k * 32 * width + e] = {{result}};
        }
    }
}
