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
// Where vector i of a warp is in shared memory: there, loads of adjacent vectors by adjacent threads and loads of a thread's own ones take turns
// no longer than they must.
static __device__ __forceinline__ int nd_at(int i) { return i ^ (i >> 3 & {{turns}} - 1); }
extern "C" __global__ void __launch_bounds__({{threads}}, {{blocks}}) {{name}}({{T}} *out, const {{T}} *in, unsigned long long *state, const nd_args a) {
    const int threads = {{threads}}, warps = threads / 32, width = {{width}}, turns = {{turns}}, items = width * turns, tile = threads * items, words = {{words}};
    typedef nd_vector<{{T}}, width> elements;
    __shared__ elements rooms[threads * turns];
    __shared__ nd_acc of_warp[warps];
    __shared__ unsigned ticket;
    const nd_acc none = {{none}};
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    elements *const room = rooms + warp * 32 * turns; // of the warp
    if (threadIdx.x == 0)
        ticket = {{ticket}};
    __syncthreads();
    // Where the warp's first element is, and how many the tile has from there on. What else it takes to know that is forgotten: registers are scarce.
    long long at;
    int rest;
    bool whole; // tiles that can be read as vectors
    {
        const unsigned perRow = (unsigned)a.v[1], row = ticket < perRow ? 0 : ticket / perRow;
        const long long begin = (long long)(ticket - row * perRow) * tile;
        at = (long long)row * a.v[0] + begin;
        whole = a.v[0] - begin >= tile && ((size_t)(in + at) | (size_t)(out + at)) % sizeof(elements) == 0;
        rest = (int)min(a.v[0] - begin, (long long)tile) - warp * 32 * items;
        at += warp * 32 * items;
    }
    if (whole) {
        elements x[turns];
#pragma unroll
        for (int k = 0; k < turns; k++)
            x[k] = *(const elements *)(in + at + (k * 32 + lane) * width);
#pragma unroll
        for (int k = 0; k < turns; k++)
            room[nd_at(k * 32 + lane)] = x[k];
    } else {
        {{T}} x[items];
#pragma unroll
        for (int k = 0; k < items; k++)
            if (k * 32 + lane < rest)
                x[k] = in[at + k * 32 + lane];
#pragma unroll
        for (int k = 0; k < items; k++)
            if (k * 32 + lane < rest)
                room[nd_at((k * 32 + lane) / width)].at[lane % width] = x[k];
    }
    __syncwarp();
    // A thread scans adjacent elements. This is what they amount to, and then what those of the warp's threads up to this one do.
    nd_acc sum = none;
    if (whole) {
#pragma unroll
        for (int k = 0; k < turns; k++) {
            const elements x = room[nd_at(lane * turns + k)];
            sum = k == 0 ? {{first}} : nd_join(sum, {{first}});
#pragma unroll
            for (int e = 1; e < width; e++)
                sum = nd_join(sum, {{next}});
        }
    } else {
#pragma unroll 1
        for (int k = 0; k < items && lane * items + k < rest; k++)
            sum = nd_join(sum, {{edge}});
    }
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        const nd_acc left = nd_up(sum, d);
        if (lane >= d)
            sum = nd_join(left, sum);
    }
    if (lane == 31)
        of_warp[warp] = sum;
    sum = nd_up(sum, 1);
    if (lane == 0)
        sum = none;
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
    nd_acc acc = nd_join(of_warp[warp], sum);
    if (whole) {
#pragma unroll
        for (int k = 0; k < turns; k++) {
            elements x = room[nd_at(lane * turns + k)];
#pragma unroll
            for (int e = 0; e < width; e++) {
                acc = nd_join(acc, {{next}});
                x.at[e] = {{result}};
            }
            room[nd_at(lane * turns + k)] = x;
        }
        __syncwarp();
#pragma unroll
        for (int k = 0; k < turns; k++)
            *(elements *)(out + at + (k * 32 + lane) * width) = room[nd_at(k * 32 + lane)];
        return;
    }
#pragma unroll 1
    for (int k = 0; k < items && lane * items + k < rest; k++) {
        acc = nd_join(acc, {{edge}});
        room[nd_at(lane * turns + k / width)].at[k % width] = {{result}};
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < items; k++)
        if (k * 32 + lane < rest)
            out[at + k * 32 + lane] = room[nd_at((k * 32 + lane) / width)].at[lane % width];
}
