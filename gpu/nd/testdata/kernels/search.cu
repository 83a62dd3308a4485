// mask

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

// nd_element returns element k of a vector that is kept as words.
template <class T, int N> static __device__ __forceinline__ T nd_element(const nd_vector<unsigned, N> &words, int k) {
    const unsigned word = words.at[k * (int)sizeof(T) / 4] >> k * (int)sizeof(T) % 4 * 8;
    T element;
    memcpy(&element, &word, sizeof(T));
    return element;
}

struct nd_args { long long v[8]; };

static __device__ __forceinline__ void nd_f(bool x0, unsigned short x1, bool &y0, unsigned short &y1, const nd_args &a) {
    const bool v0 = x0;
    const unsigned short v1 = x1;
    y0 = v0;
    y1 = v1;
}

extern "C" __global__ void __launch_bounds__(512, 2) compact(unsigned short *out, unsigned long long *state, const bool *p0, const unsigned short *p1, const nd_args a) {
    const int threads = 512, warps = threads / 32, width = 8, turns = 4, tile = threads * width * turns;
    __shared__ unsigned short stage[tile];
    __shared__ int of_warp[warps], ticket;
    __shared__ long long start;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long n = (long long)a.v[0], room = (long long)a.v[7];
    const int tiles = (int)((n + tile - 1) / tile);
    // Either each block takes one tile, in the order in which they begin, or all blocks run at once and take tiles in turn.
    const bool dealt = (int)gridDim.x < tiles;
    if (!dealt) {
        if (threadIdx.x == 0)
            ticket = (int)atomicAdd(state, 1ull);
        __syncthreads();
    }
    const long long o0 = (long long)a.v[2];
    const long long o1 = (long long)a.v[3];
    // A warp has a part of the tile, of which its threads have adjacent elements in each turn. The first ones of the thread:
    const int own = (warp * turns * 32 + lane) * width;
    nd_vector<unsigned, 2> q0[turns];
    nd_vector<unsigned, 4> q1[turns];
    int at = dealt ? (int)blockIdx.x : ticket;
    long long coming = (long long)at * tile; // the first element of the tile that is read next
    if (coming < n) {
        const bool whole = coming + tile <= n;
#pragma unroll
        for (int turn = 0; turn < turns; turn++) {
            const long long j = coming + own + turn * 32 * width;
            if (whole) {
                q0[turn] = *(const nd_vector<unsigned, 2> *)(p0 + o0 + j);
            } else {
                nd_vector<bool, 8> some = {};
            #pragma unroll
                for (int k = 0; k < width; k++)
                    if (j + k < n)
                        some.at[k] = (p0 + o0 + j)[k];
                memcpy(&q0[turn], &some, sizeof(some));
            }
            if (whole) {
                q1[turn] = *(const nd_vector<unsigned, 4> *)(p1 + o1 + j);
            } else {
                nd_vector<unsigned short, 8> some = {};
            #pragma unroll
                for (int k = 0; k < width; k++)
                    if (j + k < n)
                        some.at[k] = (p1 + o1 + j)[k];
                memcpy(&q1[turn], &some, sizeof(some));
            }
        }
    }
    while (true) {
        const long long base = coming;
        const bool whole = base + tile <= n;
        unsigned flags = 0; // which of the thread's elements are chosen
        // How many there are in each turn: a number of 16 bits for each.
        unsigned long long counts = 0;
#pragma unroll
        for (int turn = 0; turn < turns; turn++) {
            const long long j = base + own + turn * 32 * width;
            unsigned flag = 0;
#pragma unroll
            for (int k = 0; k < width; k++) {
                if (!whole && j + k >= n)
                    continue;
                bool y0;
                unsigned short y1;
                nd_f(nd_element<bool>(q0[turn], k), nd_element<unsigned short>(q1[turn], k), y0, y1, a);
                if (y0)
                    flag |= 1u << k;
            }
            flags |= (unsigned)flag << width * turn;
            counts |= (unsigned long long)__popc(flag) << 16 * turn;
        }
        unsigned long long sums = counts;
        for (int d = 1; d < 32; d *= 2) {
            const unsigned long long other = __shfl_up_sync(0xffffffffu, sums, d);
            if (lane >= d)
                sums += other;
        }
        // Where the thread's belong among the warp's, for each turn.
        const unsigned long long total = __shfl_sync(0xffffffffu, sums, 31), earlier = (total << 16) + (total << 32) + (total << 48);
        const unsigned long long places = earlier + sums - counts;
        if (lane == 0)
            of_warp[warp] = (int)(earlier + total >> 48);
        __syncthreads();
        int first = 0, chosen = 0; // chosen by the warps before, and by all
#pragma unroll
        for (int w = 0; w < warps; w++) {
            first += w < warp ? of_warp[w] : 0;
            chosen += of_warp[w];
        }
        // The tile's word has the number, and above it 1 for the tile alone and 2 for all up to it.
        volatile unsigned long long *const mine = state + 2 + at;
        if (threadIdx.x == 0)
            *mine = (at > 0 ? 1ull : 2ull) << 62 | (unsigned)chosen;
        __syncwarp(); // so that it is not stored later: others may wait for it
#pragma unroll
        for (int turn = 0; turn < turns; turn++) {
            int to = first + (int)(places >> 16 * turn & 0xffff);
#pragma unroll
            for (int k = 0; k < width; k++)
                if (flags >> (width * turn + k) & 1) {
                    const long long j = base + own + turn * 32 * width;
                    bool y0;
                    unsigned short y1;
                    nd_f(nd_element<bool>(q0[turn], k), nd_element<unsigned short>(q1[turn], k), y0, y1, a);
                    stage[to++] = y1;
                }
        }
        // The next tile is on its way while this one waits for those before.
        const int next = dealt ? at + (int)gridDim.x : tiles;
        coming = (long long)next * tile;
    if (coming < n) {
        const bool whole = coming + tile <= n;
#pragma unroll
        for (int turn = 0; turn < turns; turn++) {
            const long long j = coming + own + turn * 32 * width;
            if (whole) {
                q0[turn] = *(const nd_vector<unsigned, 2> *)(p0 + o0 + j);
            } else {
                nd_vector<bool, 8> some = {};
            #pragma unroll
                for (int k = 0; k < width; k++)
                    if (j + k < n)
                        some.at[k] = (p0 + o0 + j)[k];
                memcpy(&q0[turn], &some, sizeof(some));
            }
            if (whole) {
                q1[turn] = *(const nd_vector<unsigned, 4> *)(p1 + o1 + j);
            } else {
                nd_vector<unsigned short, 8> some = {};
            #pragma unroll
                for (int k = 0; k < width; k++)
                    if (j + k < n)
                        some.at[k] = (p1 + o1 + j)[k];
                memcpy(&q1[turn], &some, sizeof(some));
            }
        }
    }
        if (warp == 0) {
            // How many the tiles before have: see scans.
            long long behind = 0;
            unsigned done = at == 0;
            for (int before = at - 1 - lane; done == 0; before -= 32) {
                unsigned long long word = 2ull << 62;
                if (before >= 0)
                    do
                        word = *(mine - at + before);
                    while (word >> 62 == 0);
                done = __ballot_sync(0xffffffffu, word >> 62 == 2);
                if (done == 0 || lane < __ffs(done))
                    behind += (long long)(word & (1ull << 62) - 1);
            }
            for (int d = 16; d > 0; d /= 2)
                behind += __shfl_xor_sync(0xffffffffu, behind, d);
            if (lane == 0) {
                if (at > 0)
                    *mine = 2ull << 62 | (unsigned long long)(behind + chosen);
                start = behind;
                if (base + tile >= n)
                    state[1] = (unsigned long long)(behind + chosen);
            }
        }
        __syncthreads();
        const int stored = (int)max(min((long long)chosen, room - start), 0ll);
        for (int k = threadIdx.x; k < stored; k += threads)
            out[start + k] = stage[k];
        if (next >= tiles)
            break;
        at = next;
    }
}

// searchsorted

struct nd_args { long long v[3]; };
extern "C" __global__ void __launch_bounds__(256) searchsorted(long long *out, const float *sorted, const float *values, const nd_args a) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i >= a.v[0])
        return;
    const float x = values[i];
    long long low = 0, high = a.v[1];
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        const float at = sorted[middle];
        if (a.v[2] ? !(x < at || (at != at && x == x)) : at < x || (x != x && at == at))
            low = middle + 1;
        else
            high = middle;
    }
    out[i] = low;
}

// bins in global memory

struct nd_args { long long v[3]; };
extern "C" __global__ void __launch_bounds__(256) count(unsigned long long *out, const long long *numbers, const long long *weights, const nd_args a) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i >= a.v[0])
        return;
    const long long x = (long long)numbers[i] - a.v[2];
    if (x >= 0 && x < a.v[1])
        atomicAdd(out + x, (unsigned long long)1);
}

// bins in global memory

struct nd_args { long long v[3]; };
extern "C" __global__ void __launch_bounds__(256) searchsorted(long long *out, const double *sorted, const double *values, const nd_args a) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i >= a.v[0])
        return;
    const double x = values[i];
    long long low = 0, high = a.v[1];
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        const double at = sorted[middle];
        if (a.v[2] ? !(x < at || (at != at && x == x)) : at < x || (x != x && at == at))
            low = middle + 1;
        else
            high = middle;
    }
    out[i] = low;
}

// bins in global memory

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

// bins in global memory

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[10]; };

static __device__ __forceinline__ long long nd_f(double x0, long long x1, const nd_args &a) {
    const double v0 = x0;
    const double v1 = __longlong_as_double(a.v[7]);
    const bool v2 = v0 == v1;
    const long long v3 = (long long)a.v[8];
    const long long v4 = x1;
    const long long v5 = (long long)a.v[9];
    const long long v6 = (long long)((unsigned long long)v4 - (unsigned long long)v5);
    const long long v7 = v2 ? v3 : v6;
    return v7;
}

extern "C" __global__ void __launch_bounds__(256) map_where_sub_equal(long long *out, const double *p0, const long long *p1, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 2;
    if (j >= n)
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2], o1 = (int)a.v[3];
    if (j + 2 <= n) {
        const nd_vector<double, 2> q0 = *(const nd_vector<double, 2> *)(p0 + o0 + j);
        const nd_vector<long long, 2> q1 = *(const nd_vector<long long, 2> *)(p1 + o1 + j);
        nd_vector<long long, 2> r0;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            r0.at[k] = nd_f(q0.at[k], q1.at[k], a);
        }
        *(nd_vector<long long, 2> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f(p0[o0 + j + k], p1[o1 + j + k], a);
    }
}

// bins in global memory

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[4]; };

static __device__ __forceinline__ long long nd_f(const nd_args &a) {
    const long long v0 = (long long)a.v[3];
    const long long v1 = v0;
    return v1;
}

extern "C" __global__ void __launch_bounds__(256) map_copy(long long *out, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 2;
    if (j >= n)
        return;
    int at = (int)a.v[1];
    if (j + 2 <= n) {
        nd_vector<long long, 2> r0;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            r0.at[k] = nd_f(a);
        }
        *(nd_vector<long long, 2> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f(a);
    }
}

// columns of weights

struct nd_args { long long v[8]; };
extern "C" __global__ void __launch_bounds__(512) bincount(double *out, const long long *numbers, const double *weights, const nd_args a) {
    extern __shared__ unsigned long long nd_room[];
    double *const room = (double *)nd_room;
    const int bins = (int)a.v[1], copies = (int)a.v[2];
    for (int b = threadIdx.x; b < bins * copies; b += 512)
        room[b] = 0;
    __syncthreads();
    double *const mine = room + threadIdx.x / 32 % copies * bins;
    // Several elements are read before the first of them is counted: otherwise each would wait for the one before.
    const int batch = 4;
    const long long step = (long long)gridDim.x * 512;
    long long at = (long long)blockIdx.x * 512 + threadIdx.x;
    for (; at < a.v[0] - (batch - 1) * step; at += batch * step) {
        int bin[batch];
        double each[batch];
#pragma unroll
        for (int k = 0; k < batch; k++) {
            const long long i = at + k * step, x = (long long)numbers[a.v[4] + i * a.v[5]] - a.v[3];
            bin[k] = x >= 0 && x < bins ? (int)x : -1;
            each[k] = (double)weights[a.v[6] + i * a.v[7]];
        }
#pragma unroll
        for (int k = 0; k < batch; k++)
            if (bin[k] >= 0)
                atomicAdd(mine + bin[k], each[k]);
    }
    for (; at < a.v[0]; at += step) {
        const long long i = at, x = (long long)numbers[a.v[4] + i * a.v[5]] - a.v[3];
        if (x >= 0 && x < bins)
            atomicAdd(mine + x, (double)weights[a.v[6] + i * a.v[7]]);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += 512) {
        double sum = 0;
        for (int c = 0; c < copies; c++)
            sum += room[c * bins + b];
        if (sum != 0)
            atomicAdd(out + b, (double)sum);
    }
}

// columns of weights

struct nd_args { long long v[3]; };
extern "C" __global__ void __launch_bounds__(256) searchsorted(long long *out, const double *sorted, const double *values, const nd_args a) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i >= a.v[0])
        return;
    const double x = values[i];
    long long low = 0, high = a.v[1];
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        const double at = sorted[middle];
        if (a.v[2] ? !(x < at || (at != at && x == x)) : at < x || (x != x && at == at))
            low = middle + 1;
        else
            high = middle;
    }
    out[i] = low;
}

// columns of weights

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

// columns of weights

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[10]; };

static __device__ __forceinline__ long long nd_f(double x0, long long x1, const nd_args &a) {
    const double v0 = x0;
    const double v1 = __longlong_as_double(a.v[7]);
    const bool v2 = v0 == v1;
    const long long v3 = (long long)a.v[8];
    const long long v4 = x1;
    const long long v5 = (long long)a.v[9];
    const long long v6 = (long long)((unsigned long long)v4 - (unsigned long long)v5);
    const long long v7 = v2 ? v3 : v6;
    return v7;
}

extern "C" __global__ void __launch_bounds__(256) map_where_sub_equal(long long *out, const double *p0, const long long *p1, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 2;
    if (j >= n)
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2], o1 = (int)a.v[3];
    if (j + 2 <= n) {
        const nd_vector<double, 2> q0 = *(const nd_vector<double, 2> *)(p0 + o0 + j);
        const nd_vector<long long, 2> q1 = *(const nd_vector<long long, 2> *)(p1 + o1 + j);
        nd_vector<long long, 2> r0;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            r0.at[k] = nd_f(q0.at[k], q1.at[k], a);
        }
        *(nd_vector<long long, 2> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f(p0[o0 + j + k], p1[o1 + j + k], a);
    }
}

// columns of weights

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[4]; };

static __device__ __forceinline__ double nd_f(const nd_args &a) {
    const double v0 = __longlong_as_double(a.v[3]);
    const double v1 = v0;
    return v1;
}

extern "C" __global__ void __launch_bounds__(256) map_copy(double *out, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 2;
    if (j >= n)
        return;
    int at = (int)a.v[1];
    if (j + 2 <= n) {
        nd_vector<double, 2> r0;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            r0.at[k] = nd_f(a);
        }
        *(nd_vector<double, 2> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f(a);
    }
}

// histogram

struct nd_args { long long v[4]; };
extern "C" __global__ void __launch_bounds__(512) bincount(double *out, const long long *numbers, const double *weights, const nd_args a) {
    extern __shared__ unsigned long long nd_room[];
    double *const room = (double *)nd_room;
    const int bins = (int)a.v[1], copies = (int)a.v[2];
    for (int b = threadIdx.x; b < bins * copies; b += 512)
        room[b] = 0;
    __syncthreads();
    double *const mine = room + threadIdx.x / 32 % copies * bins;
    // Several elements are read before the first of them is counted: otherwise each would wait for the one before.
    const int batch = 4;
    const long long step = (long long)gridDim.x * 512;
    long long at = (long long)blockIdx.x * 512 + threadIdx.x;
    for (; at < a.v[0] - (batch - 1) * step; at += batch * step) {
        int bin[batch];
        double each[batch];
#pragma unroll
        for (int k = 0; k < batch; k++) {
            const long long i = at + k * step, x = (long long)numbers[i] - a.v[3];
            bin[k] = x >= 0 && x < bins ? (int)x : -1;
            each[k] = (double)weights[i];
        }
#pragma unroll
        for (int k = 0; k < batch; k++)
            if (bin[k] >= 0)
                atomicAdd(mine + bin[k], each[k]);
    }
    for (; at < a.v[0]; at += step) {
        const long long i = at, x = (long long)numbers[i] - a.v[3];
        if (x >= 0 && x < bins)
            atomicAdd(mine + x, (double)weights[i]);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += 512) {
        double sum = 0;
        for (int c = 0; c < copies; c++)
            sum += room[c * bins + b];
        if (sum != 0)
            atomicAdd(out + b, (double)sum);
    }
}

// histogram

struct nd_args { long long v[3]; };
extern "C" __global__ void __launch_bounds__(256) searchsorted(long long *out, const double *sorted, const double *values, const nd_args a) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i >= a.v[0])
        return;
    const double x = values[i];
    long long low = 0, high = a.v[1];
    while (low < high) {
        const long long middle = low + (high - low) / 2;
        const double at = sorted[middle];
        if (a.v[2] ? !(x < at || (at != at && x == x)) : at < x || (x != x && at == at))
            low = middle + 1;
        else
            high = middle;
    }
    out[i] = low;
}

// histogram

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

// histogram

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[10]; };

static __device__ __forceinline__ long long nd_f(double x0, long long x1, const nd_args &a) {
    const double v0 = x0;
    const double v1 = __longlong_as_double(a.v[7]);
    const bool v2 = v0 == v1;
    const long long v3 = (long long)a.v[8];
    const long long v4 = x1;
    const long long v5 = (long long)a.v[9];
    const long long v6 = (long long)((unsigned long long)v4 - (unsigned long long)v5);
    const long long v7 = v2 ? v3 : v6;
    return v7;
}

extern "C" __global__ void __launch_bounds__(256) map_where_sub_equal(long long *out, const double *p0, const long long *p1, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 2;
    if (j >= n)
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2], o1 = (int)a.v[3];
    if (j + 2 <= n) {
        const nd_vector<double, 2> q0 = *(const nd_vector<double, 2> *)(p0 + o0 + j);
        const nd_vector<long long, 2> q1 = *(const nd_vector<long long, 2> *)(p1 + o1 + j);
        nd_vector<long long, 2> r0;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            r0.at[k] = nd_f(q0.at[k], q1.at[k], a);
        }
        *(nd_vector<long long, 2> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f(p0[o0 + j + k], p1[o1 + j + k], a);
    }
}

// histogram

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[4]; };

static __device__ __forceinline__ double nd_f(const nd_args &a) {
    const double v0 = __longlong_as_double(a.v[3]);
    const double v1 = v0;
    return v1;
}

extern "C" __global__ void __launch_bounds__(256) map_copy(double *out, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 2;
    if (j >= n)
        return;
    int at = (int)a.v[1];
    if (j + 2 <= n) {
        nd_vector<double, 2> r0;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            r0.at[k] = nd_f(a);
        }
        *(nd_vector<double, 2> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f(a);
    }
}

