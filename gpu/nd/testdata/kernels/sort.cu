// keys

struct nd_args { long long v[4]; };
extern "C" __global__ void __launch_bounds__(256) sort_before(unsigned *counts, const nd_args a) {
    __shared__ unsigned sums[2][256];
    const unsigned own = counts[blockIdx.x * 256 + threadIdx.x];
    sums[0][threadIdx.x] = own;
    __syncthreads();
    for (int d = 1, from = 0; d < 256; d *= 2, from = 1 - from) {
        sums[1 - from][threadIdx.x] = sums[from][threadIdx.x] + (threadIdx.x >= d ? sums[from][threadIdx.x - d] : 0);
        __syncthreads();
    }
    counts[blockIdx.x * 256 + threadIdx.x] = sums[0][threadIdx.x] - own;
}

// keys

struct nd_args { long long v[4]; };
typedef unsigned nd_key;
static __device__ __forceinline__ nd_key nd_encode(nd_key k, int mode) {
    const nd_key nd_sign = (nd_key)1 << 31;
    return (nd_key)((nd_key)(k & ~nd_sign) > 0x7f800000u ? ~(nd_key)0 : mode & 4 && k == nd_sign ? nd_sign : k & nd_sign ? ~k : k | nd_sign);
}
static __device__ __forceinline__ nd_key nd_decode(nd_key k) {
    const nd_key nd_sign = (nd_key)1 << 31;
    return (nd_key)(k & nd_sign ? k ^ nd_sign : ~k);
}
// Which threads of the warp have the same digit. On a GPU eight votes take less time than one match.
static __device__ __forceinline__ unsigned nd_same(unsigned digit) {
#ifdef GOPHERWARP_SIM
    return __match_any_sync(0xffffffffu, digit);
#else
    unsigned same = 0xffffffffu;
#pragma unroll
    for (int b = 0; b < 8; b++) {
        unsigned like;
        asm("{\n .reg .pred p;\n .reg .b32 t;\n and.b32 t, %1, %2;\n setp.ne.u32 p, t, 0;\n"
                     " vote.ballot.sync.b32 %0, p, 0xffffffff;\n @!p not.b32 %0, %0;\n}" : "=r"(like) : "r"(digit), "r"(1u << b));
        same &= like;
    }
    return same;
#endif
}
extern "C" __global__ void __launch_bounds__(256) sort_count(unsigned *counts, const nd_key *keys, const nd_args a) {
    const int digits = sizeof(nd_key), rows = (int)a.v[2];
    __shared__ unsigned count_of[digits + 4][256];
    for (int d = 0; d < digits + rows; d++)
        count_of[d][threadIdx.x] = 0;
    __syncthreads();
    const int mode = (int)a.v[3];
    for (long long i = (long long)blockIdx.x * 256 + threadIdx.x; i < a.v[0]; i += (long long)gridDim.x * 256) {
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

// keys

struct nd_args { long long v[4]; };
typedef unsigned nd_key;
static __device__ __forceinline__ nd_key nd_encode(nd_key k, int mode) {
    const nd_key nd_sign = (nd_key)1 << 31;
    return (nd_key)((nd_key)(k & ~nd_sign) > 0x7f800000u ? ~(nd_key)0 : mode & 4 && k == nd_sign ? nd_sign : k & nd_sign ? ~k : k | nd_sign);
}
static __device__ __forceinline__ nd_key nd_decode(nd_key k) {
    const nd_key nd_sign = (nd_key)1 << 31;
    return (nd_key)(k & nd_sign ? k ^ nd_sign : ~k);
}
// Which threads of the warp have the same digit. On a GPU eight votes take less time than one match.
static __device__ __forceinline__ unsigned nd_same(unsigned digit) {
#ifdef GOPHERWARP_SIM
    return __match_any_sync(0xffffffffu, digit);
#else
    unsigned same = 0xffffffffu;
#pragma unroll
    for (int b = 0; b < 8; b++) {
        unsigned like;
        asm("{\n .reg .pred p;\n .reg .b32 t;\n and.b32 t, %1, %2;\n setp.ne.u32 p, t, 0;\n"
                     " vote.ballot.sync.b32 %0, p, 0xffffffff;\n @!p not.b32 %0, %0;\n}" : "=r"(like) : "r"(digit), "r"(1u << b));
        same &= like;
    }
    return same;
#endif
}
extern "C" __global__ void __launch_bounds__(512, 2) sort_move(const nd_key *lead, const unsigned *other, const unsigned *counts, nd_key *to_lead, unsigned *to_other, unsigned *state, const nd_args a) {
    const int threads = 512, items = 16, tile = threads * items, warps = threads / 32;
    __shared__ union {
        unsigned count[warps][256];
        nd_key lead[tile];
        unsigned other[tile];
    } room;
    __shared__ unsigned first[256];
    __shared__ unsigned sums[8];
    __shared__ unsigned ticket;
    if (threadIdx.x == 0)
        ticket = (unsigned)atomicAdd(state, (unsigned)1);
    for (int i = threadIdx.x; i < warps * 256; i += threads)
        room.count[i / 256][i % 256] = 0;
    __syncthreads();
    const unsigned row = (unsigned)a.v[1];
    const int shift = (int)a.v[2], mode = (int)a.v[3];
    const long long base = (long long)ticket * tile;
    const int count = (int)min(a.v[0] - base, (long long)tile);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    nd_key key[items];
    unsigned rank[items];
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = (warp * items + j) * 32 + lane;
        key[j] = ~(nd_key)0;
        if (i < count)
            key[j] = (mode & 1 ? nd_encode(lead[base + i], mode) : lead[base + i]);
    }
    unsigned *const mine = room.count[warp];
#ifdef GOPHERWARP_SIM
    if (warp * items * 32 < count) // a GPU loses more by the branch than it saves
#endif
    {
#pragma unroll
        for (int j = 0; j < items; j++) {
            // What lies behind the end counts as the last digit and is the last there.
            const nd_key k = key[j];
            const unsigned digit = (warp * items + j) * 32 + lane < count ? (unsigned)(k >> shift) & 255 : 255;
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
    volatile unsigned *const told = state + 1 + (size_t)ticket * 256 + threadIdx.x;
    const unsigned one = (unsigned)1 << 30;
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
        const nd_key k = key[j];
        if ((warp * items + j) * 32 + lane < count)
            rank[j] += first[(unsigned)(k >> shift) & 255] + mine[(unsigned)(k >> shift) & 255];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++)
        if ((warp * items + j) * 32 + lane < count)
            room.lead[rank[j]] = key[j];
    if (threadIdx.x < 256) {
        unsigned before = 0;
        if (ticket > 0) {
            unsigned theirs = 0;
            for (volatile unsigned *at = told - 256; theirs < 2 * one; at -= 256) {
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
            const nd_key k = room.lead[i];
            to[j] = first[(unsigned)(k >> shift) & 255] + i;
            to_lead[to[j]] = (mode & 2 ? nd_decode(k) : k);
        }
    }
}

// rows

struct nd_args { long long v[4]; };
extern "C" __global__ void __launch_bounds__(256) sort_before(unsigned *counts, const nd_args a) {
    __shared__ unsigned sums[2][256];
    const unsigned own = counts[blockIdx.x * 256 + threadIdx.x];
    sums[0][threadIdx.x] = own;
    __syncthreads();
    for (int d = 1, from = 0; d < 256; d *= 2, from = 1 - from) {
        sums[1 - from][threadIdx.x] = sums[from][threadIdx.x] + (threadIdx.x >= d ? sums[from][threadIdx.x - d] : 0);
        __syncthreads();
    }
    counts[blockIdx.x * 256 + threadIdx.x] = sums[0][threadIdx.x] - own;
}

// rows

struct nd_args { long long v[4]; };
typedef unsigned short nd_key;
static __device__ __forceinline__ nd_key nd_encode(nd_key k, int mode) {
    const nd_key nd_sign = (nd_key)1 << 15;
    return (nd_key)(k ^ nd_sign);
}
static __device__ __forceinline__ nd_key nd_decode(nd_key k) {
    const nd_key nd_sign = (nd_key)1 << 15;
    return (nd_key)(k ^ nd_sign);
}
// Which threads of the warp have the same digit. On a GPU eight votes take less time than one match.
static __device__ __forceinline__ unsigned nd_same(unsigned digit) {
#ifdef GOPHERWARP_SIM
    return __match_any_sync(0xffffffffu, digit);
#else
    unsigned same = 0xffffffffu;
#pragma unroll
    for (int b = 0; b < 8; b++) {
        unsigned like;
        asm("{\n .reg .pred p;\n .reg .b32 t;\n and.b32 t, %1, %2;\n setp.ne.u32 p, t, 0;\n"
                     " vote.ballot.sync.b32 %0, p, 0xffffffff;\n @!p not.b32 %0, %0;\n}" : "=r"(like) : "r"(digit), "r"(1u << b));
        same &= like;
    }
    return same;
#endif
}
extern "C" __global__ void __launch_bounds__(256) sort_count(unsigned *counts, const nd_key *keys, const nd_args a) {
    const int digits = sizeof(nd_key), rows = (int)a.v[2];
    __shared__ unsigned count_of[digits + 4][256];
    for (int d = 0; d < digits + rows; d++)
        count_of[d][threadIdx.x] = 0;
    __syncthreads();
    const int mode = (int)a.v[3];
    for (long long i = (long long)blockIdx.x * 256 + threadIdx.x; i < a.v[0]; i += (long long)gridDim.x * 256) {
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

// rows

struct nd_args { long long v[4]; };
typedef unsigned short nd_key;
static __device__ __forceinline__ nd_key nd_encode(nd_key k, int mode) {
    const nd_key nd_sign = (nd_key)1 << 15;
    return (nd_key)(k ^ nd_sign);
}
static __device__ __forceinline__ nd_key nd_decode(nd_key k) {
    const nd_key nd_sign = (nd_key)1 << 15;
    return (nd_key)(k ^ nd_sign);
}
// Which threads of the warp have the same digit. On a GPU eight votes take less time than one match.
static __device__ __forceinline__ unsigned nd_same(unsigned digit) {
#ifdef GOPHERWARP_SIM
    return __match_any_sync(0xffffffffu, digit);
#else
    unsigned same = 0xffffffffu;
#pragma unroll
    for (int b = 0; b < 8; b++) {
        unsigned like;
        asm("{\n .reg .pred p;\n .reg .b32 t;\n and.b32 t, %1, %2;\n setp.ne.u32 p, t, 0;\n"
                     " vote.ballot.sync.b32 %0, p, 0xffffffff;\n @!p not.b32 %0, %0;\n}" : "=r"(like) : "r"(digit), "r"(1u << b));
        same &= like;
    }
    return same;
#endif
}
extern "C" __global__ void __launch_bounds__(512, 2) sort_move(const nd_key *lead, const unsigned *other, const unsigned *counts, nd_key *to_lead, unsigned *to_other, unsigned *state, const nd_args a) {
    const int threads = 512, items = 16, tile = threads * items, warps = threads / 32;
    __shared__ union {
        unsigned count[warps][256];
        nd_key lead[tile];
        unsigned other[tile];
    } room;
    __shared__ unsigned first[256];
    __shared__ unsigned sums[8];
    __shared__ unsigned ticket;
    if (threadIdx.x == 0)
        ticket = (unsigned)atomicAdd(state, (unsigned)1);
    for (int i = threadIdx.x; i < warps * 256; i += threads)
        room.count[i / 256][i % 256] = 0;
    __syncthreads();
    const unsigned row = (unsigned)a.v[1];
    const int shift = (int)a.v[2], mode = (int)a.v[3];
    const long long base = (long long)ticket * tile;
    const int count = (int)min(a.v[0] - base, (long long)tile);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    nd_key key[items];
    unsigned rank[items];
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = (warp * items + j) * 32 + lane;
        key[j] = ~(nd_key)0;
        if (i < count)
            key[j] = (mode & 1 ? nd_encode(lead[base + i], mode) : lead[base + i]);
    }
    unsigned *const mine = room.count[warp];
#ifdef GOPHERWARP_SIM
    if (warp * items * 32 < count) // a GPU loses more by the branch than it saves
#endif
    {
#pragma unroll
        for (int j = 0; j < items; j++) {
            // What lies behind the end counts as the last digit and is the last there.
            const nd_key k = key[j];
            const unsigned digit = (warp * items + j) * 32 + lane < count ? (unsigned)(k >> shift) & 255 : 255;
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
    volatile unsigned *const told = state + 1 + (size_t)ticket * 256 + threadIdx.x;
    const unsigned one = (unsigned)1 << 30;
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
        const nd_key k = key[j];
        if ((warp * items + j) * 32 + lane < count)
            rank[j] += first[(unsigned)(k >> shift) & 255] + mine[(unsigned)(k >> shift) & 255];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++)
        if ((warp * items + j) * 32 + lane < count)
            room.lead[rank[j]] = key[j];
    if (threadIdx.x < 256) {
        unsigned before = 0;
        if (ticket > 0) {
            unsigned theirs = 0;
            for (volatile unsigned *at = told - 256; theirs < 2 * one; at -= 256) {
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
            const nd_key k = room.lead[i];
            to[j] = first[(unsigned)(k >> shift) & 255] + i;
            to_lead[to[j]] = (mode & 2 ? nd_decode(k) : k);
        }
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = (warp * items + j) * 32 + lane;
        if (i < count)
            room.other[rank[j]] = mode & 1 ? (unsigned)(base + i) : other[base + i];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = j * threads + threadIdx.x;
        if (i < count)
            to_other[to[j]] = room.other[i];
    }
}

// rows

struct nd_args { long long v[4]; };
typedef unsigned short nd_key;
static __device__ __forceinline__ nd_key nd_encode(nd_key k, int mode) {
    const nd_key nd_sign = (nd_key)1 << 15;
    return (nd_key)(k ^ nd_sign);
}
static __device__ __forceinline__ nd_key nd_decode(nd_key k) {
    const nd_key nd_sign = (nd_key)1 << 15;
    return (nd_key)(k ^ nd_sign);
}
// Which threads of the warp have the same digit. On a GPU eight votes take less time than one match.
static __device__ __forceinline__ unsigned nd_same(unsigned digit) {
#ifdef GOPHERWARP_SIM
    return __match_any_sync(0xffffffffu, digit);
#else
    unsigned same = 0xffffffffu;
#pragma unroll
    for (int b = 0; b < 8; b++) {
        unsigned like;
        asm("{\n .reg .pred p;\n .reg .b32 t;\n and.b32 t, %1, %2;\n setp.ne.u32 p, t, 0;\n"
                     " vote.ballot.sync.b32 %0, p, 0xffffffff;\n @!p not.b32 %0, %0;\n}" : "=r"(like) : "r"(digit), "r"(1u << b));
        same &= like;
    }
    return same;
#endif
}
extern "C" __global__ void __launch_bounds__(512, 2) sort_move_rows(const unsigned *lead, const nd_key *other, const unsigned *counts, unsigned *to_lead, nd_key *to_other, unsigned *state, const nd_args a) {
    const int threads = 512, items = 16, tile = threads * items, warps = threads / 32;
    __shared__ union {
        unsigned count[warps][256];
        unsigned lead[tile];
        nd_key other[tile];
    } room;
    __shared__ unsigned first[256];
    __shared__ unsigned sums[8];
    __shared__ unsigned ticket;
    if (threadIdx.x == 0)
        ticket = (unsigned)atomicAdd(state, (unsigned)1);
    for (int i = threadIdx.x; i < warps * 256; i += threads)
        room.count[i / 256][i % 256] = 0;
    __syncthreads();
    const unsigned row = (unsigned)a.v[1];
    const int shift = (int)a.v[2], mode = (int)a.v[3];
    const long long base = (long long)ticket * tile;
    const int count = (int)min(a.v[0] - base, (long long)tile);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned key[items];
    unsigned rank[items];
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = (warp * items + j) * 32 + lane;
        key[j] = ~(unsigned)0;
        if (i < count)
            key[j] = lead[base + i];
    }
    unsigned *const mine = room.count[warp];
#ifdef GOPHERWARP_SIM
    if (warp * items * 32 < count) // a GPU loses more by the branch than it saves
#endif
    {
#pragma unroll
        for (int j = 0; j < items; j++) {
            // What lies behind the end counts as the last digit and is the last there.
            const unsigned k = key[j];
            const unsigned digit = (warp * items + j) * 32 + lane < count ? k / row >> shift & 255 : 255;
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
    volatile unsigned *const told = state + 1 + (size_t)ticket * 256 + threadIdx.x;
    const unsigned one = (unsigned)1 << 30;
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
        const unsigned k = key[j];
        if ((warp * items + j) * 32 + lane < count)
            rank[j] += first[k / row >> shift & 255] + mine[k / row >> shift & 255];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++)
        if ((warp * items + j) * 32 + lane < count)
            room.lead[rank[j]] = key[j];
    if (threadIdx.x < 256) {
        unsigned before = 0;
        if (ticket > 0) {
            unsigned theirs = 0;
            for (volatile unsigned *at = told - 256; theirs < 2 * one; at -= 256) {
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
            const unsigned k = room.lead[i];
            to[j] = first[k / row >> shift & 255] + i;
            to_lead[to[j]] = k;
        }
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = (warp * items + j) * 32 + lane;
        if (i < count)
            room.other[rank[j]] = other[base + i];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = j * threads + threadIdx.x;
        if (i < count)
            to_other[to[j]] = (mode & 2 ? nd_decode(room.other[i]) : room.other[i]);
    }
}

// indices

struct nd_args { long long v[4]; };
extern "C" __global__ void __launch_bounds__(256) sort_before(unsigned *counts, const nd_args a) {
    __shared__ unsigned sums[2][256];
    const unsigned own = counts[blockIdx.x * 256 + threadIdx.x];
    sums[0][threadIdx.x] = own;
    __syncthreads();
    for (int d = 1, from = 0; d < 256; d *= 2, from = 1 - from) {
        sums[1 - from][threadIdx.x] = sums[from][threadIdx.x] + (threadIdx.x >= d ? sums[from][threadIdx.x - d] : 0);
        __syncthreads();
    }
    counts[blockIdx.x * 256 + threadIdx.x] = sums[0][threadIdx.x] - own;
}

// indices

struct nd_args { long long v[4]; };
typedef unsigned long long nd_key;
static __device__ __forceinline__ nd_key nd_encode(nd_key k, int mode) {
    const nd_key nd_sign = (nd_key)1 << 63;
    return (nd_key)((nd_key)(k & ~nd_sign) > 0x7ff0000000000000ull ? ~(nd_key)0 : mode & 4 && k == nd_sign ? nd_sign : k & nd_sign ? ~k : k | nd_sign);
}
static __device__ __forceinline__ nd_key nd_decode(nd_key k) {
    const nd_key nd_sign = (nd_key)1 << 63;
    return (nd_key)(k & nd_sign ? k ^ nd_sign : ~k);
}
// Which threads of the warp have the same digit. On a GPU eight votes take less time than one match.
static __device__ __forceinline__ unsigned nd_same(unsigned digit) {
#ifdef GOPHERWARP_SIM
    return __match_any_sync(0xffffffffu, digit);
#else
    unsigned same = 0xffffffffu;
#pragma unroll
    for (int b = 0; b < 8; b++) {
        unsigned like;
        asm("{\n .reg .pred p;\n .reg .b32 t;\n and.b32 t, %1, %2;\n setp.ne.u32 p, t, 0;\n"
                     " vote.ballot.sync.b32 %0, p, 0xffffffff;\n @!p not.b32 %0, %0;\n}" : "=r"(like) : "r"(digit), "r"(1u << b));
        same &= like;
    }
    return same;
#endif
}
extern "C" __global__ void __launch_bounds__(256) sort_count(unsigned *counts, const nd_key *keys, const nd_args a) {
    const int digits = sizeof(nd_key), rows = (int)a.v[2];
    __shared__ unsigned count_of[digits + 4][256];
    for (int d = 0; d < digits + rows; d++)
        count_of[d][threadIdx.x] = 0;
    __syncthreads();
    const int mode = (int)a.v[3];
    for (long long i = (long long)blockIdx.x * 256 + threadIdx.x; i < a.v[0]; i += (long long)gridDim.x * 256) {
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

// indices

struct nd_args { long long v[4]; };
typedef unsigned long long nd_key;
static __device__ __forceinline__ nd_key nd_encode(nd_key k, int mode) {
    const nd_key nd_sign = (nd_key)1 << 63;
    return (nd_key)((nd_key)(k & ~nd_sign) > 0x7ff0000000000000ull ? ~(nd_key)0 : mode & 4 && k == nd_sign ? nd_sign : k & nd_sign ? ~k : k | nd_sign);
}
static __device__ __forceinline__ nd_key nd_decode(nd_key k) {
    const nd_key nd_sign = (nd_key)1 << 63;
    return (nd_key)(k & nd_sign ? k ^ nd_sign : ~k);
}
// Which threads of the warp have the same digit. On a GPU eight votes take less time than one match.
static __device__ __forceinline__ unsigned nd_same(unsigned digit) {
#ifdef GOPHERWARP_SIM
    return __match_any_sync(0xffffffffu, digit);
#else
    unsigned same = 0xffffffffu;
#pragma unroll
    for (int b = 0; b < 8; b++) {
        unsigned like;
        asm("{\n .reg .pred p;\n .reg .b32 t;\n and.b32 t, %1, %2;\n setp.ne.u32 p, t, 0;\n"
                     " vote.ballot.sync.b32 %0, p, 0xffffffff;\n @!p not.b32 %0, %0;\n}" : "=r"(like) : "r"(digit), "r"(1u << b));
        same &= like;
    }
    return same;
#endif
}
extern "C" __global__ void __launch_bounds__(512, 2) sort_move(const nd_key *lead, const unsigned *other, const unsigned *counts, nd_key *to_lead, unsigned *to_other, unsigned *state, const nd_args a) {
    const int threads = 512, items = 8, tile = threads * items, warps = threads / 32;
    __shared__ union {
        unsigned count[warps][256];
        nd_key lead[tile];
        unsigned other[tile];
    } room;
    __shared__ unsigned first[256];
    __shared__ unsigned sums[8];
    __shared__ unsigned ticket;
    if (threadIdx.x == 0)
        ticket = (unsigned)atomicAdd(state, (unsigned)1);
    for (int i = threadIdx.x; i < warps * 256; i += threads)
        room.count[i / 256][i % 256] = 0;
    __syncthreads();
    const unsigned row = (unsigned)a.v[1];
    const int shift = (int)a.v[2], mode = (int)a.v[3];
    const long long base = (long long)ticket * tile;
    const int count = (int)min(a.v[0] - base, (long long)tile);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    nd_key key[items];
    unsigned rank[items];
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = (warp * items + j) * 32 + lane;
        key[j] = ~(nd_key)0;
        if (i < count)
            key[j] = (mode & 1 ? nd_encode(lead[base + i], mode) : lead[base + i]);
    }
    unsigned *const mine = room.count[warp];
#ifdef GOPHERWARP_SIM
    if (warp * items * 32 < count) // a GPU loses more by the branch than it saves
#endif
    {
#pragma unroll
        for (int j = 0; j < items; j++) {
            // What lies behind the end counts as the last digit and is the last there.
            const nd_key k = key[j];
            const unsigned digit = (warp * items + j) * 32 + lane < count ? (unsigned)(k >> shift) & 255 : 255;
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
    volatile unsigned *const told = state + 1 + (size_t)ticket * 256 + threadIdx.x;
    const unsigned one = (unsigned)1 << 30;
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
        const nd_key k = key[j];
        if ((warp * items + j) * 32 + lane < count)
            rank[j] += first[(unsigned)(k >> shift) & 255] + mine[(unsigned)(k >> shift) & 255];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++)
        if ((warp * items + j) * 32 + lane < count)
            room.lead[rank[j]] = key[j];
    if (threadIdx.x < 256) {
        unsigned before = 0;
        if (ticket > 0) {
            unsigned theirs = 0;
            for (volatile unsigned *at = told - 256; theirs < 2 * one; at -= 256) {
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
            const nd_key k = room.lead[i];
            to[j] = first[(unsigned)(k >> shift) & 255] + i;
            to_lead[to[j]] = (mode & 2 ? nd_decode(k) : k);
        }
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = (warp * items + j) * 32 + lane;
        if (i < count)
            room.other[rank[j]] = mode & 1 ? (unsigned)(base + i) : other[base + i];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = j * threads + threadIdx.x;
        if (i < count)
            to_other[to[j]] = room.other[i];
    }
}

// indices

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[5]; };

static __device__ __forceinline__ long long nd_f(unsigned x0, const nd_args &a) {
    const unsigned v0 = x0;
    const long long v1 = (long long)v0;
    return v1;
}

extern "C" __global__ void __launch_bounds__(256) map_astype(long long *out, const unsigned *p0, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 2;
    if (j >= n)
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2];
    if (j + 2 <= n) {
        const nd_vector<unsigned, 2> q0 = *(const nd_vector<unsigned, 2> *)(p0 + o0 + j);
        nd_vector<long long, 2> r0;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            r0.at[k] = nd_f(q0.at[k], a);
        }
        *(nd_vector<long long, 2> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f(p0[o0 + j + k], a);
    }
}

// values

struct nd_args { long long v[4]; };
extern "C" __global__ void __launch_bounds__(256) sort_before(unsigned *counts, const nd_args a) {
    __shared__ unsigned sums[2][256];
    const unsigned own = counts[blockIdx.x * 256 + threadIdx.x];
    sums[0][threadIdx.x] = own;
    __syncthreads();
    for (int d = 1, from = 0; d < 256; d *= 2, from = 1 - from) {
        sums[1 - from][threadIdx.x] = sums[from][threadIdx.x] + (threadIdx.x >= d ? sums[from][threadIdx.x - d] : 0);
        __syncthreads();
    }
    counts[blockIdx.x * 256 + threadIdx.x] = sums[0][threadIdx.x] - own;
}

// values

struct nd_args { long long v[4]; };
typedef unsigned nd_key;
static __device__ __forceinline__ nd_key nd_encode(nd_key k, int mode) {
    const nd_key nd_sign = (nd_key)1 << 31;
    return (nd_key)((nd_key)(k & ~nd_sign) > 0x7f800000u ? ~(nd_key)0 : mode & 4 && k == nd_sign ? nd_sign : k & nd_sign ? ~k : k | nd_sign);
}
static __device__ __forceinline__ nd_key nd_decode(nd_key k) {
    const nd_key nd_sign = (nd_key)1 << 31;
    return (nd_key)(k & nd_sign ? k ^ nd_sign : ~k);
}
// Which threads of the warp have the same digit. On a GPU eight votes take less time than one match.
static __device__ __forceinline__ unsigned nd_same(unsigned digit) {
#ifdef GOPHERWARP_SIM
    return __match_any_sync(0xffffffffu, digit);
#else
    unsigned same = 0xffffffffu;
#pragma unroll
    for (int b = 0; b < 8; b++) {
        unsigned like;
        asm("{\n .reg .pred p;\n .reg .b32 t;\n and.b32 t, %1, %2;\n setp.ne.u32 p, t, 0;\n"
                     " vote.ballot.sync.b32 %0, p, 0xffffffff;\n @!p not.b32 %0, %0;\n}" : "=r"(like) : "r"(digit), "r"(1u << b));
        same &= like;
    }
    return same;
#endif
}
extern "C" __global__ void __launch_bounds__(256) sort_count(unsigned *counts, const nd_key *keys, const nd_args a) {
    const int digits = sizeof(nd_key), rows = (int)a.v[2];
    __shared__ unsigned count_of[digits + 4][256];
    for (int d = 0; d < digits + rows; d++)
        count_of[d][threadIdx.x] = 0;
    __syncthreads();
    const int mode = (int)a.v[3];
    for (long long i = (long long)blockIdx.x * 256 + threadIdx.x; i < a.v[0]; i += (long long)gridDim.x * 256) {
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

// values

struct nd_args { long long v[4]; };
typedef unsigned nd_key;
static __device__ __forceinline__ nd_key nd_encode(nd_key k, int mode) {
    const nd_key nd_sign = (nd_key)1 << 31;
    return (nd_key)((nd_key)(k & ~nd_sign) > 0x7f800000u ? ~(nd_key)0 : mode & 4 && k == nd_sign ? nd_sign : k & nd_sign ? ~k : k | nd_sign);
}
static __device__ __forceinline__ nd_key nd_decode(nd_key k) {
    const nd_key nd_sign = (nd_key)1 << 31;
    return (nd_key)(k & nd_sign ? k ^ nd_sign : ~k);
}
// Which threads of the warp have the same digit. On a GPU eight votes take less time than one match.
static __device__ __forceinline__ unsigned nd_same(unsigned digit) {
#ifdef GOPHERWARP_SIM
    return __match_any_sync(0xffffffffu, digit);
#else
    unsigned same = 0xffffffffu;
#pragma unroll
    for (int b = 0; b < 8; b++) {
        unsigned like;
        asm("{\n .reg .pred p;\n .reg .b32 t;\n and.b32 t, %1, %2;\n setp.ne.u32 p, t, 0;\n"
                     " vote.ballot.sync.b32 %0, p, 0xffffffff;\n @!p not.b32 %0, %0;\n}" : "=r"(like) : "r"(digit), "r"(1u << b));
        same &= like;
    }
    return same;
#endif
}
extern "C" __global__ void __launch_bounds__(512, 2) sort_move_values(const nd_key *lead, const unsigned long long *other, const unsigned *counts, nd_key *to_lead, unsigned long long *to_other, unsigned *state, const nd_args a) {
    const int threads = 512, items = 8, tile = threads * items, warps = threads / 32;
    __shared__ union {
        unsigned count[warps][256];
        nd_key lead[tile];
        unsigned long long other[tile];
    } room;
    __shared__ unsigned first[256];
    __shared__ unsigned sums[8];
    __shared__ unsigned ticket;
    if (threadIdx.x == 0)
        ticket = (unsigned)atomicAdd(state, (unsigned)1);
    for (int i = threadIdx.x; i < warps * 256; i += threads)
        room.count[i / 256][i % 256] = 0;
    __syncthreads();
    const unsigned row = (unsigned)a.v[1];
    const int shift = (int)a.v[2], mode = (int)a.v[3];
    const long long base = (long long)ticket * tile;
    const int count = (int)min(a.v[0] - base, (long long)tile);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    nd_key key[items];
    unsigned rank[items];
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = (warp * items + j) * 32 + lane;
        key[j] = ~(nd_key)0;
        if (i < count)
            key[j] = (mode & 1 ? nd_encode(lead[base + i], mode) : lead[base + i]);
    }
    unsigned *const mine = room.count[warp];
#ifdef GOPHERWARP_SIM
    if (warp * items * 32 < count) // a GPU loses more by the branch than it saves
#endif
    {
#pragma unroll
        for (int j = 0; j < items; j++) {
            // What lies behind the end counts as the last digit and is the last there.
            const nd_key k = key[j];
            const unsigned digit = (warp * items + j) * 32 + lane < count ? (unsigned)(k >> shift) & 255 : 255;
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
    volatile unsigned *const told = state + 1 + (size_t)ticket * 256 + threadIdx.x;
    const unsigned one = (unsigned)1 << 30;
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
        const nd_key k = key[j];
        if ((warp * items + j) * 32 + lane < count)
            rank[j] += first[(unsigned)(k >> shift) & 255] + mine[(unsigned)(k >> shift) & 255];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++)
        if ((warp * items + j) * 32 + lane < count)
            room.lead[rank[j]] = key[j];
    if (threadIdx.x < 256) {
        unsigned before = 0;
        if (ticket > 0) {
            unsigned theirs = 0;
            for (volatile unsigned *at = told - 256; theirs < 2 * one; at -= 256) {
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
            const nd_key k = room.lead[i];
            to[j] = first[(unsigned)(k >> shift) & 255] + i;
            if (!(mode & 2)) // nobody reads the sorted keys
                to_lead[to[j]] = k;
        }
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = (warp * items + j) * 32 + lane;
        if (i < count)
            room.other[rank[j]] = other[base + i];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = j * threads + threadIdx.x;
        if (i < count)
            to_other[to[j]] = room.other[i];
    }
}

// complex numbers

struct nd_args { long long v[4]; };
extern "C" __global__ void __launch_bounds__(256) sort_before(unsigned *counts, const nd_args a) {
    __shared__ unsigned sums[2][256];
    const unsigned own = counts[blockIdx.x * 256 + threadIdx.x];
    sums[0][threadIdx.x] = own;
    __syncthreads();
    for (int d = 1, from = 0; d < 256; d *= 2, from = 1 - from) {
        sums[1 - from][threadIdx.x] = sums[from][threadIdx.x] + (threadIdx.x >= d ? sums[from][threadIdx.x - d] : 0);
        __syncthreads();
    }
    counts[blockIdx.x * 256 + threadIdx.x] = sums[0][threadIdx.x] - own;
}

// complex numbers

struct nd_args { long long v[4]; };
typedef unsigned char nd_key;
static __device__ __forceinline__ nd_key nd_encode(nd_key k, int mode) {
    const nd_key nd_sign = (nd_key)1 << 7;
    return k;
}
static __device__ __forceinline__ nd_key nd_decode(nd_key k) {
    const nd_key nd_sign = (nd_key)1 << 7;
    return k;
}
// Which threads of the warp have the same digit. On a GPU eight votes take less time than one match.
static __device__ __forceinline__ unsigned nd_same(unsigned digit) {
#ifdef GOPHERWARP_SIM
    return __match_any_sync(0xffffffffu, digit);
#else
    unsigned same = 0xffffffffu;
#pragma unroll
    for (int b = 0; b < 8; b++) {
        unsigned like;
        asm("{\n .reg .pred p;\n .reg .b32 t;\n and.b32 t, %1, %2;\n setp.ne.u32 p, t, 0;\n"
                     " vote.ballot.sync.b32 %0, p, 0xffffffff;\n @!p not.b32 %0, %0;\n}" : "=r"(like) : "r"(digit), "r"(1u << b));
        same &= like;
    }
    return same;
#endif
}
extern "C" __global__ void __launch_bounds__(256) sort_count(unsigned *counts, const nd_key *keys, const nd_args a) {
    const int digits = sizeof(nd_key), rows = (int)a.v[2];
    __shared__ unsigned count_of[digits + 4][256];
    for (int d = 0; d < digits + rows; d++)
        count_of[d][threadIdx.x] = 0;
    __syncthreads();
    const int mode = (int)a.v[3];
    for (long long i = (long long)blockIdx.x * 256 + threadIdx.x; i < a.v[0]; i += (long long)gridDim.x * 256) {
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

// complex numbers

struct nd_args { long long v[4]; };
typedef unsigned nd_key;
static __device__ __forceinline__ nd_key nd_encode(nd_key k, int mode) {
    const nd_key nd_sign = (nd_key)1 << 31;
    return (nd_key)((nd_key)(k & ~nd_sign) > 0x7f800000u ? ~(nd_key)0 : mode & 4 && k == nd_sign ? nd_sign : k & nd_sign ? ~k : k | nd_sign);
}
static __device__ __forceinline__ nd_key nd_decode(nd_key k) {
    const nd_key nd_sign = (nd_key)1 << 31;
    return (nd_key)(k & nd_sign ? k ^ nd_sign : ~k);
}
// Which threads of the warp have the same digit. On a GPU eight votes take less time than one match.
static __device__ __forceinline__ unsigned nd_same(unsigned digit) {
#ifdef GOPHERWARP_SIM
    return __match_any_sync(0xffffffffu, digit);
#else
    unsigned same = 0xffffffffu;
#pragma unroll
    for (int b = 0; b < 8; b++) {
        unsigned like;
        asm("{\n .reg .pred p;\n .reg .b32 t;\n and.b32 t, %1, %2;\n setp.ne.u32 p, t, 0;\n"
                     " vote.ballot.sync.b32 %0, p, 0xffffffff;\n @!p not.b32 %0, %0;\n}" : "=r"(like) : "r"(digit), "r"(1u << b));
        same &= like;
    }
    return same;
#endif
}
extern "C" __global__ void __launch_bounds__(256) sort_count(unsigned *counts, const nd_key *keys, const nd_args a) {
    const int digits = sizeof(nd_key), rows = (int)a.v[2];
    __shared__ unsigned count_of[digits + 4][256];
    for (int d = 0; d < digits + rows; d++)
        count_of[d][threadIdx.x] = 0;
    __syncthreads();
    const int mode = (int)a.v[3];
    for (long long i = (long long)blockIdx.x * 256 + threadIdx.x; i < a.v[0]; i += (long long)gridDim.x * 256) {
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

// complex numbers

struct nd_args { long long v[4]; };
typedef unsigned char nd_key;
static __device__ __forceinline__ nd_key nd_encode(nd_key k, int mode) {
    const nd_key nd_sign = (nd_key)1 << 7;
    return k;
}
static __device__ __forceinline__ nd_key nd_decode(nd_key k) {
    const nd_key nd_sign = (nd_key)1 << 7;
    return k;
}
// Which threads of the warp have the same digit. On a GPU eight votes take less time than one match.
static __device__ __forceinline__ unsigned nd_same(unsigned digit) {
#ifdef GOPHERWARP_SIM
    return __match_any_sync(0xffffffffu, digit);
#else
    unsigned same = 0xffffffffu;
#pragma unroll
    for (int b = 0; b < 8; b++) {
        unsigned like;
        asm("{\n .reg .pred p;\n .reg .b32 t;\n and.b32 t, %1, %2;\n setp.ne.u32 p, t, 0;\n"
                     " vote.ballot.sync.b32 %0, p, 0xffffffff;\n @!p not.b32 %0, %0;\n}" : "=r"(like) : "r"(digit), "r"(1u << b));
        same &= like;
    }
    return same;
#endif
}
extern "C" __global__ void __launch_bounds__(512, 2) sort_move(const nd_key *lead, const unsigned *other, const unsigned *counts, nd_key *to_lead, unsigned *to_other, unsigned *state, const nd_args a) {
    const int threads = 512, items = 16, tile = threads * items, warps = threads / 32;
    __shared__ union {
        unsigned count[warps][256];
        nd_key lead[tile];
        unsigned other[tile];
    } room;
    __shared__ unsigned first[256];
    __shared__ unsigned sums[8];
    __shared__ unsigned ticket;
    if (threadIdx.x == 0)
        ticket = (unsigned)atomicAdd(state, (unsigned)1);
    for (int i = threadIdx.x; i < warps * 256; i += threads)
        room.count[i / 256][i % 256] = 0;
    __syncthreads();
    const unsigned row = (unsigned)a.v[1];
    const int shift = (int)a.v[2], mode = (int)a.v[3];
    const long long base = (long long)ticket * tile;
    const int count = (int)min(a.v[0] - base, (long long)tile);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    nd_key key[items];
    unsigned rank[items];
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = (warp * items + j) * 32 + lane;
        key[j] = ~(nd_key)0;
        if (i < count)
            key[j] = (mode & 1 ? nd_encode(lead[base + i], mode) : lead[base + i]);
    }
    unsigned *const mine = room.count[warp];
#ifdef GOPHERWARP_SIM
    if (warp * items * 32 < count) // a GPU loses more by the branch than it saves
#endif
    {
#pragma unroll
        for (int j = 0; j < items; j++) {
            // What lies behind the end counts as the last digit and is the last there.
            const nd_key k = key[j];
            const unsigned digit = (warp * items + j) * 32 + lane < count ? (unsigned)(k >> shift) & 255 : 255;
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
    volatile unsigned *const told = state + 1 + (size_t)ticket * 256 + threadIdx.x;
    const unsigned one = (unsigned)1 << 30;
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
        const nd_key k = key[j];
        if ((warp * items + j) * 32 + lane < count)
            rank[j] += first[(unsigned)(k >> shift) & 255] + mine[(unsigned)(k >> shift) & 255];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++)
        if ((warp * items + j) * 32 + lane < count)
            room.lead[rank[j]] = key[j];
    if (threadIdx.x < 256) {
        unsigned before = 0;
        if (ticket > 0) {
            unsigned theirs = 0;
            for (volatile unsigned *at = told - 256; theirs < 2 * one; at -= 256) {
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
            const nd_key k = room.lead[i];
            to[j] = first[(unsigned)(k >> shift) & 255] + i;
            to_lead[to[j]] = (mode & 2 ? nd_decode(k) : k);
        }
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = (warp * items + j) * 32 + lane;
        if (i < count)
            room.other[rank[j]] = mode & 1 ? (unsigned)(base + i) : other[base + i];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = j * threads + threadIdx.x;
        if (i < count)
            to_other[to[j]] = room.other[i];
    }
}

// complex numbers

struct nd_args { long long v[4]; };
typedef unsigned nd_key;
static __device__ __forceinline__ nd_key nd_encode(nd_key k, int mode) {
    const nd_key nd_sign = (nd_key)1 << 31;
    return (nd_key)((nd_key)(k & ~nd_sign) > 0x7f800000u ? ~(nd_key)0 : mode & 4 && k == nd_sign ? nd_sign : k & nd_sign ? ~k : k | nd_sign);
}
static __device__ __forceinline__ nd_key nd_decode(nd_key k) {
    const nd_key nd_sign = (nd_key)1 << 31;
    return (nd_key)(k & nd_sign ? k ^ nd_sign : ~k);
}
// Which threads of the warp have the same digit. On a GPU eight votes take less time than one match.
static __device__ __forceinline__ unsigned nd_same(unsigned digit) {
#ifdef GOPHERWARP_SIM
    return __match_any_sync(0xffffffffu, digit);
#else
    unsigned same = 0xffffffffu;
#pragma unroll
    for (int b = 0; b < 8; b++) {
        unsigned like;
        asm("{\n .reg .pred p;\n .reg .b32 t;\n and.b32 t, %1, %2;\n setp.ne.u32 p, t, 0;\n"
                     " vote.ballot.sync.b32 %0, p, 0xffffffff;\n @!p not.b32 %0, %0;\n}" : "=r"(like) : "r"(digit), "r"(1u << b));
        same &= like;
    }
    return same;
#endif
}
extern "C" __global__ void __launch_bounds__(512, 2) sort_move(const nd_key *lead, const unsigned *other, const unsigned *counts, nd_key *to_lead, unsigned *to_other, unsigned *state, const nd_args a) {
    const int threads = 512, items = 16, tile = threads * items, warps = threads / 32;
    __shared__ union {
        unsigned count[warps][256];
        nd_key lead[tile];
        unsigned other[tile];
    } room;
    __shared__ unsigned first[256];
    __shared__ unsigned sums[8];
    __shared__ unsigned ticket;
    if (threadIdx.x == 0)
        ticket = (unsigned)atomicAdd(state, (unsigned)1);
    for (int i = threadIdx.x; i < warps * 256; i += threads)
        room.count[i / 256][i % 256] = 0;
    __syncthreads();
    const unsigned row = (unsigned)a.v[1];
    const int shift = (int)a.v[2], mode = (int)a.v[3];
    const long long base = (long long)ticket * tile;
    const int count = (int)min(a.v[0] - base, (long long)tile);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    nd_key key[items];
    unsigned rank[items];
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = (warp * items + j) * 32 + lane;
        key[j] = ~(nd_key)0;
        if (i < count)
            key[j] = (mode & 1 ? nd_encode(lead[base + i], mode) : lead[base + i]);
    }
    unsigned *const mine = room.count[warp];
#ifdef GOPHERWARP_SIM
    if (warp * items * 32 < count) // a GPU loses more by the branch than it saves
#endif
    {
#pragma unroll
        for (int j = 0; j < items; j++) {
            // What lies behind the end counts as the last digit and is the last there.
            const nd_key k = key[j];
            const unsigned digit = (warp * items + j) * 32 + lane < count ? (unsigned)(k >> shift) & 255 : 255;
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
    volatile unsigned *const told = state + 1 + (size_t)ticket * 256 + threadIdx.x;
    const unsigned one = (unsigned)1 << 30;
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
        const nd_key k = key[j];
        if ((warp * items + j) * 32 + lane < count)
            rank[j] += first[(unsigned)(k >> shift) & 255] + mine[(unsigned)(k >> shift) & 255];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++)
        if ((warp * items + j) * 32 + lane < count)
            room.lead[rank[j]] = key[j];
    if (threadIdx.x < 256) {
        unsigned before = 0;
        if (ticket > 0) {
            unsigned theirs = 0;
            for (volatile unsigned *at = told - 256; theirs < 2 * one; at -= 256) {
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
            const nd_key k = room.lead[i];
            to[j] = first[(unsigned)(k >> shift) & 255] + i;
            to_lead[to[j]] = (mode & 2 ? nd_decode(k) : k);
        }
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = (warp * items + j) * 32 + lane;
        if (i < count)
            room.other[rank[j]] = mode & 1 ? (unsigned)(base + i) : other[base + i];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < items; j++) {
        const int i = j * threads + threadIdx.x;
        if (i < count)
            to_other[to[j]] = room.other[i];
    }
}

// complex numbers

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[5]; };

static __device__ __forceinline__ long long nd_f(unsigned x0, const nd_args &a) {
    const unsigned v0 = x0;
    const long long v1 = (long long)v0;
    return v1;
}

extern "C" __global__ void __launch_bounds__(256) map_astype(long long *out, const unsigned *p0, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 2;
    if (j >= n)
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2];
    if (j + 2 <= n) {
        const nd_vector<unsigned, 2> q0 = *(const nd_vector<unsigned, 2> *)(p0 + o0 + j);
        nd_vector<long long, 2> r0;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            r0.at[k] = nd_f(q0.at[k], a);
        }
        *(nd_vector<long long, 2> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f(p0[o0 + j + k], a);
    }
}

// complex numbers

template <class R> struct alignas(2 * sizeof(R)) complex {
    R re, im;
    complex() = default;
    __device__ __forceinline__ complex(R r, R i) : re(r), im(i) {}
};
template <class R> __device__ __forceinline__ complex<R> operator+(complex<R> a, complex<R> b) { return complex<R>(a.re + b.re, a.im + b.im); }
template <class R> __device__ __forceinline__ complex<R> operator-(complex<R> a, complex<R> b) { return complex<R>(a.re - b.re, a.im - b.im); }
template <class R> __device__ __forceinline__ complex<R> operator-(complex<R> a) { return complex<R>(-a.re, -a.im); }
template <class R> __device__ __forceinline__ complex<R> operator*(complex<R> a, complex<R> b) {
    return complex<R>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
template <class R> __device__ __forceinline__ complex<R> operator/(complex<R> a, complex<R> b) {
    if (fabs(b.re) >= fabs(b.im)) {
        if (b.re == 0 && b.im == 0)
            return complex<R>(a.re / fabs(b.re), a.im / fabs(b.im));
        R r = b.im / b.re, d = 1 / (b.re + b.im * r);
        return complex<R>((a.re + a.im * r) * d, (a.im - a.re * r) * d);
    }
    R r = b.re / b.im, d = 1 / (b.im + b.re * r);
    return complex<R>((a.re * r + a.im) * d, (a.im * r - a.re) * d);
}
template <class R> __device__ __forceinline__ bool operator==(complex<R> a, complex<R> b) { return a.re == b.re && a.im == b.im; }
template <class R> __device__ __forceinline__ bool operator!=(complex<R> a, complex<R> b) { return a.re != b.re || a.im != b.im; }
template <class R> __device__ __forceinline__ bool operator<(complex<R> a, complex<R> b) { return a.re < b.re || (a.re == b.re && a.im < b.im); }
template <class R> __device__ __forceinline__ bool operator<=(complex<R> a, complex<R> b) { return a.re < b.re || (a.re == b.re && a.im <= b.im); }
template <class R> __device__ __forceinline__ bool operator>(complex<R> a, complex<R> b) { return b < a; }
template <class R> __device__ __forceinline__ bool operator>=(complex<R> a, complex<R> b) { return b <= a; }
template <class R> __device__ __forceinline__ complex<R> nd_exp(complex<R> a) {
    R e = exp(a.re);
    return a.im == 0 ? complex<R>(e, a.im) : complex<R>(e * cos(a.im), e * sin(a.im));
}
template <class R> __device__ __forceinline__ complex<R> nd_log(complex<R> a) { return complex<R>(log(hypot(a.re, a.im)), atan2(a.im, a.re)); }
template <class R> __device__ __forceinline__ complex<R> nd_sqrt(complex<R> a) {
    R m = hypot(a.re, a.im);
    if (m == 0)
        return complex<R>(0, a.im);
    R s = sqrt((m + fabs(a.re)) / 2);
    return a.re >= 0 ? complex<R>(s, a.im / (2 * s)) : complex<R>(fabs(a.im) / (2 * s), copysign(s, a.im));
}
template <class R> __device__ __forceinline__ complex<R> nd_sin(complex<R> a) { return complex<R>(sin(a.re) * cosh(a.im), cos(a.re) * sinh(a.im)); }
template <class R> __device__ __forceinline__ complex<R> nd_cos(complex<R> a) { return complex<R>(cos(a.re) * cosh(a.im), -sin(a.re) * sinh(a.im)); }
template <class R> __device__ __forceinline__ complex<R> nd_pow(complex<R> a, complex<R> b) {
    if (b.re == 0 && b.im == 0)
        return complex<R>(1, 0);
    if (a.re == 0 && a.im == 0)
        return complex<R>(0, 0);
    return nd_exp(b * nd_log(a));
}

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[5]; };

static __device__ __forceinline__ float nd_f(complex<float> x0, const nd_args &a) {
    const complex<float> v0 = x0;
    const float v1 = v0.re;
    return v1;
}

extern "C" __global__ void __launch_bounds__(256) map_realpart(float *out, const complex<float> *p0, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 2;
    if (j >= n)
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2];
    if (j + 2 <= n) {
        const nd_vector<complex<float>, 2> q0 = *(const nd_vector<complex<float>, 2> *)(p0 + o0 + j);
        nd_vector<float, 2> r0;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            r0.at[k] = nd_f(q0.at[k], a);
        }
        *(nd_vector<float, 2> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f(p0[o0 + j + k], a);
    }
}

// complex numbers

template <class R> struct alignas(2 * sizeof(R)) complex {
    R re, im;
    complex() = default;
    __device__ __forceinline__ complex(R r, R i) : re(r), im(i) {}
};
template <class R> __device__ __forceinline__ complex<R> operator+(complex<R> a, complex<R> b) { return complex<R>(a.re + b.re, a.im + b.im); }
template <class R> __device__ __forceinline__ complex<R> operator-(complex<R> a, complex<R> b) { return complex<R>(a.re - b.re, a.im - b.im); }
template <class R> __device__ __forceinline__ complex<R> operator-(complex<R> a) { return complex<R>(-a.re, -a.im); }
template <class R> __device__ __forceinline__ complex<R> operator*(complex<R> a, complex<R> b) {
    return complex<R>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
template <class R> __device__ __forceinline__ complex<R> operator/(complex<R> a, complex<R> b) {
    if (fabs(b.re) >= fabs(b.im)) {
        if (b.re == 0 && b.im == 0)
            return complex<R>(a.re / fabs(b.re), a.im / fabs(b.im));
        R r = b.im / b.re, d = 1 / (b.re + b.im * r);
        return complex<R>((a.re + a.im * r) * d, (a.im - a.re * r) * d);
    }
    R r = b.re / b.im, d = 1 / (b.im + b.re * r);
    return complex<R>((a.re * r + a.im) * d, (a.im * r - a.re) * d);
}
template <class R> __device__ __forceinline__ bool operator==(complex<R> a, complex<R> b) { return a.re == b.re && a.im == b.im; }
template <class R> __device__ __forceinline__ bool operator!=(complex<R> a, complex<R> b) { return a.re != b.re || a.im != b.im; }
template <class R> __device__ __forceinline__ bool operator<(complex<R> a, complex<R> b) { return a.re < b.re || (a.re == b.re && a.im < b.im); }
template <class R> __device__ __forceinline__ bool operator<=(complex<R> a, complex<R> b) { return a.re < b.re || (a.re == b.re && a.im <= b.im); }
template <class R> __device__ __forceinline__ bool operator>(complex<R> a, complex<R> b) { return b < a; }
template <class R> __device__ __forceinline__ bool operator>=(complex<R> a, complex<R> b) { return b <= a; }
template <class R> __device__ __forceinline__ complex<R> nd_exp(complex<R> a) {
    R e = exp(a.re);
    return a.im == 0 ? complex<R>(e, a.im) : complex<R>(e * cos(a.im), e * sin(a.im));
}
template <class R> __device__ __forceinline__ complex<R> nd_log(complex<R> a) { return complex<R>(log(hypot(a.re, a.im)), atan2(a.im, a.re)); }
template <class R> __device__ __forceinline__ complex<R> nd_sqrt(complex<R> a) {
    R m = hypot(a.re, a.im);
    if (m == 0)
        return complex<R>(0, a.im);
    R s = sqrt((m + fabs(a.re)) / 2);
    return a.re >= 0 ? complex<R>(s, a.im / (2 * s)) : complex<R>(fabs(a.im) / (2 * s), copysign(s, a.im));
}
template <class R> __device__ __forceinline__ complex<R> nd_sin(complex<R> a) { return complex<R>(sin(a.re) * cosh(a.im), cos(a.re) * sinh(a.im)); }
template <class R> __device__ __forceinline__ complex<R> nd_cos(complex<R> a) { return complex<R>(cos(a.re) * cosh(a.im), -sin(a.re) * sinh(a.im)); }
template <class R> __device__ __forceinline__ complex<R> nd_pow(complex<R> a, complex<R> b) {
    if (b.re == 0 && b.im == 0)
        return complex<R>(1, 0);
    if (a.re == 0 && a.im == 0)
        return complex<R>(0, 0);
    return nd_exp(b * nd_log(a));
}

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[5]; };

static __device__ __forceinline__ float nd_f(complex<float> x0, const nd_args &a) {
    const complex<float> v0 = x0;
    const float v1 = v0.im;
    return v1;
}

extern "C" __global__ void __launch_bounds__(256) map_imagpart(float *out, const complex<float> *p0, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 2;
    if (j >= n)
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2];
    if (j + 2 <= n) {
        const nd_vector<complex<float>, 2> q0 = *(const nd_vector<complex<float>, 2> *)(p0 + o0 + j);
        nd_vector<float, 2> r0;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            r0.at[k] = nd_f(q0.at[k], a);
        }
        *(nd_vector<float, 2> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f(p0[o0 + j + k], a);
    }
}

// complex numbers

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[8]; };

static __device__ __forceinline__ unsigned char nd_f(float x0, float x1, const nd_args &a) {
    const float v0 = x0;
    const bool v1 = v0 != v0;
    const unsigned char v2 = (unsigned char)v1;
    const float v3 = x1;
    const bool v4 = v3 != v3;
    const unsigned char v5 = (unsigned char)v4;
    const unsigned char v6 = (unsigned char)a.v[7];
    const unsigned char v7 = (unsigned char)((unsigned)v5 * (unsigned)v6);
    const unsigned char v8 = (unsigned char)((unsigned)v2 + (unsigned)v7);
    return v8;
}

extern "C" __global__ void __launch_bounds__(256) map_add_mul_astype_isnan(unsigned char *out, const float *p0, const float *p1, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 4;
    if (j >= n)
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2], o1 = (int)a.v[3];
    if (j + 4 <= n) {
        const nd_vector<float, 4> q0 = *(const nd_vector<float, 4> *)(p0 + o0 + j);
        const nd_vector<float, 4> q1 = *(const nd_vector<float, 4> *)(p1 + o1 + j);
        nd_vector<unsigned char, 4> r0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            r0.at[k] = nd_f(q0.at[k], q1.at[k], a);
        }
        *(nd_vector<unsigned char, 4> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f(p0[o0 + j + k], p1[o1 + j + k], a);
    }
}

// complex numbers

struct nd_args { long long v[5]; };
extern "C" __global__ void __launch_bounds__(256) take(unsigned char *out, const unsigned char *in, const long long *index, const nd_args a) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i >= a.v[0])
        return;
    const long long step = (long long)gridDim.x * blockDim.x;
    long long at[4];
    unsigned char x[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * step < a.v[0])
            at[k] = index[i + k * step];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * step < a.v[0])
            x[k] = in[at[k] < 0 ? at[k] + a.v[3] : at[k]];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * step < a.v[0])
            out[i + k * step] = x[k];
}

// complex numbers

struct nd_args { long long v[5]; };
extern "C" __global__ void __launch_bounds__(256) take(unsigned *out, const unsigned *in, const unsigned *index, const nd_args a) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i >= a.v[0])
        return;
    const long long step = (long long)gridDim.x * blockDim.x;
    long long at[4];
    unsigned x[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * step < a.v[0])
            at[k] = index[i + k * step];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * step < a.v[0])
            x[k] = in[at[k] < 0 ? at[k] + a.v[3] : at[k]];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * step < a.v[0])
            out[i + k * step] = x[k];
}

// complex numbers

struct nd_args { long long v[5]; };
extern "C" __global__ void __launch_bounds__(256) take(unsigned long long *out, const unsigned long long *in, const long long *index, const nd_args a) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i >= a.v[0])
        return;
    const long long step = (long long)gridDim.x * blockDim.x;
    long long at[4];
    unsigned long long x[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * step < a.v[0])
            at[k] = index[i + k * step];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * step < a.v[0])
            x[k] = in[at[k] < 0 ? at[k] + a.v[3] : at[k]];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * step < a.v[0])
            out[i + k * step] = x[k];
}

// complex numbers

struct nd_args { long long v[5]; };
extern "C" __global__ void __launch_bounds__(256) take(unsigned long long *out, const unsigned long long *in, const unsigned *index, const nd_args a) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i >= a.v[0])
        return;
    const long long step = (long long)gridDim.x * blockDim.x;
    long long at[4];
    unsigned long long x[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * step < a.v[0])
            at[k] = index[i + k * step];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * step < a.v[0])
            x[k] = in[at[k] < 0 ? at[k] + a.v[3] : at[k]];
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * step < a.v[0])
            out[i + k * step] = x[k];
}

// quantiles of a short row

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[5]; };

static __device__ __forceinline__ double nd_f(float x0, const nd_args &a) {
    const float v0 = x0;
    const double v1 = (double)v0;
    return v1;
}

extern "C" __global__ void __launch_bounds__(256) map_astype(double *out, const float *p0, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 2;
    if (j >= n)
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2];
    if (j + 2 <= n) {
        const nd_vector<float, 2> q0 = *(const nd_vector<float, 2> *)(p0 + o0 + j);
        nd_vector<double, 2> r0;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            r0.at[k] = nd_f(q0.at[k], a);
        }
        *(nd_vector<double, 2> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f(p0[o0 + j + k], a);
    }
}

// quantiles of a short row

struct nd_args { long long v[20]; };
typedef unsigned nd_key;
static __device__ __forceinline__ nd_key nd_encode(nd_key k, int mode) {
    const nd_key nd_sign = (nd_key)1 << 31;
    return (nd_key)((nd_key)(k & ~nd_sign) > 0x7f800000u ? ~(nd_key)0 : mode & 4 && k == nd_sign ? nd_sign : k & nd_sign ? ~k : k | nd_sign);
}
static __device__ __forceinline__ nd_key nd_decode(nd_key k) {
    const nd_key nd_sign = (nd_key)1 << 31;
    return (nd_key)(k & nd_sign ? k ^ nd_sign : ~k);
}
// Which threads of the warp have the same digit. On a GPU eight votes take less time than one match.
static __device__ __forceinline__ unsigned nd_same(unsigned digit) {
#ifdef GOPHERWARP_SIM
    return __match_any_sync(0xffffffffu, digit);
#else
    unsigned same = 0xffffffffu;
#pragma unroll
    for (int b = 0; b < 8; b++) {
        unsigned like;
        asm("{\n .reg .pred p;\n .reg .b32 t;\n and.b32 t, %1, %2;\n setp.ne.u32 p, t, 0;\n"
                     " vote.ballot.sync.b32 %0, p, 0xffffffff;\n @!p not.b32 %0, %0;\n}" : "=r"(like) : "r"(digit), "r"(1u << b));
        same &= like;
    }
    return same;
#endif
}
extern "C" __global__ void __launch_bounds__(512) select_row(nd_key *out, const nd_key *keys, const nd_args a) {
    const int threads = 512, bins = 2048, each = bins / threads, copies = 4;
    __shared__ unsigned count_of[bins * copies], sums[2][threads], picked[2];
    const int some = (int)a.v[1], mode = (int)a.v[2];
    const nd_key *const row = keys + blockIdx.x / some * a.v[0];
    unsigned rank = (unsigned)a.v[3 + blockIdx.x % some];
    nd_key prefix = 0;
    for (int high = 8 * sizeof(nd_key), shift; high > 0; high = shift) {
        shift = max(high - 11, 0);
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

