// short rows

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[2]; };
struct nd_acc { double value; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    a.value = a.value + b.value;
    return a;
}
struct nd_words { unsigned at[2]; };
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
    for (int k = 0; k < 2; k++)
        w.at[k] = __shfl_up_sync(0xffffffffu, w.at[k], d);
    return nd_unpack(w);
}
static __device__ __forceinline__ nd_acc nd_of(nd_acc a, int at) {
    nd_words w = nd_pack(a);
#pragma unroll
    for (int k = 0; k < 2; k++)
        w.at[k] = __shfl_sync(0xffffffffu, w.at[k], at);
    return nd_unpack(w);
}
// Where vector i of a warp is in shared memory: there, loads of adjacent vectors by adjacent threads and loads of a thread's own ones take turns
// no longer than they must.
static __device__ __forceinline__ int nd_at(int i) { return i ^ (i >> 3 & 4 - 1); }
extern "C" __global__ void __launch_bounds__(32, 1) scan_sum(float *out, const float *in, unsigned long long *state, const nd_args a) {
    const int threads = 32, warps = threads / 32, width = 4, turns = 4, items = width * turns, tile = threads * items, words = 2;
    typedef nd_vector<float, width> elements;
    __shared__ elements rooms[threads * turns];
    __shared__ nd_acc of_warp[warps];
    __shared__ unsigned ticket;
    const nd_acc none = {-0.0};
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    elements *const room = rooms + warp * 32 * turns; // of the warp
    if (threadIdx.x == 0)
        ticket = blockIdx.x;
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
        float x[items];
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
            sum = k == 0 ? nd_acc{(double)x.at[0]} : nd_join(sum, nd_acc{(double)x.at[0]});
#pragma unroll
            for (int e = 1; e < width; e++)
                sum = nd_join(sum, nd_acc{(double)x.at[e]});
        }
    } else {
#pragma unroll 1
        for (int k = 0; k < items && lane * items + k < rest; k++)
            sum = nd_join(sum, nd_acc{(double)room[nd_at(lane * turns + k / width)].at[k % width]});
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
        if (lane < warps)
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
                acc = nd_join(acc, nd_acc{(double)x.at[e]});
                x.at[e] = (float)acc.value;
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
        acc = nd_join(acc, nd_acc{(double)room[nd_at(lane * turns + k / width)].at[k % width]});
        room[nd_at(lane * turns + k / width)].at[k % width] = (float)acc.value;
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < items; k++)
        if (k * 32 + lane < rest)
            out[at + k * 32 + lane] = room[nd_at((k * 32 + lane) / width)].at[lane % width];
}

// long rows

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

struct nd_args { long long v[2]; };
struct nd_acc { complex<double> value; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    a.value = a.value * b.value;
    return a;
}
struct nd_words { unsigned at[4]; };
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
    for (int k = 0; k < 4; k++)
        w.at[k] = __shfl_up_sync(0xffffffffu, w.at[k], d);
    return nd_unpack(w);
}
static __device__ __forceinline__ nd_acc nd_of(nd_acc a, int at) {
    nd_words w = nd_pack(a);
#pragma unroll
    for (int k = 0; k < 4; k++)
        w.at[k] = __shfl_sync(0xffffffffu, w.at[k], at);
    return nd_unpack(w);
}
// Where vector i of a warp is in shared memory: there, loads of adjacent vectors by adjacent threads and loads of a thread's own ones take turns
// no longer than they must.
static __device__ __forceinline__ int nd_at(int i) { return i ^ (i >> 3 & 4 - 1); }
extern "C" __global__ void __launch_bounds__(512, 2) scan_prod(complex<float> *out, const complex<float> *in, unsigned long long *state, const nd_args a) {
    const int threads = 512, warps = threads / 32, width = 2, turns = 4, items = width * turns, tile = threads * items, words = 4;
    typedef nd_vector<complex<float>, width> elements;
    __shared__ elements rooms[threads * turns];
    __shared__ nd_acc of_warp[warps];
    __shared__ unsigned ticket;
    const nd_acc none = {complex<double>(1, 0)};
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    elements *const room = rooms + warp * 32 * turns; // of the warp
    if (threadIdx.x == 0)
        ticket = (unsigned)atomicAdd(state, 1ull);
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
        complex<float> x[items];
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
            sum = k == 0 ? nd_acc{complex<double>(x.at[0].re, x.at[0].im)} : nd_join(sum, nd_acc{complex<double>(x.at[0].re, x.at[0].im)});
#pragma unroll
            for (int e = 1; e < width; e++)
                sum = nd_join(sum, nd_acc{complex<double>(x.at[e].re, x.at[e].im)});
        }
    } else {
#pragma unroll 1
        for (int k = 0; k < items && lane * items + k < rest; k++)
            sum = nd_join(sum, nd_acc{complex<double>(room[nd_at(lane * turns + k / width)].at[k % width].re, room[nd_at(lane * turns + k / width)].at[k % width].im)});
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
        // The state of a tile: its words, above each 1 for the tile alone and 2 for all up to it.
        volatile unsigned long long *const mine = state + 1 + (size_t)ticket * words;
        const unsigned perRow = (unsigned)a.v[1], t = ticket < perRow ? ticket : ticket % perRow;
        if (t > 0) {
            const nd_words told = nd_pack(total);
            if (lane < words)
                mine[lane] = 1ull << 32 | told.at[lane];
            nd_acc part = none; // of the tiles before, those that the thread has asked for
            for (int last = (int)t - 1;; last -= 32) {
                unsigned known = 2;
                nd_acc v = none;
                if (last >= lane) {
                    volatile unsigned long long *const theirs = mine - (size_t)(t - last + lane) * words;
                    nd_words found;
                    do {
                        unsigned least = 2, most = 0;
                        for (int k = 0; k < words; k++) {
                            const unsigned long long word = theirs[k];
                            found.at[k] = (unsigned)word;
                            least = min(least, (unsigned)(word >> 32));
                            most = max(most, (unsigned)(word >> 32));
                        }
                        known = least == most ? least : 0;
                    } while (known == 0);
                    v = nd_unpack(found);
                }
                const unsigned done = __ballot_sync(0xffffffffu, known == 2);
                if (done == 0 || lane < __ffs(done))
                    part = nd_join(v, part);
                if (true && done == 0)
                    continue;
                for (int d = 1; d < 32; d *= 2) {
                    nd_words w = nd_pack(part);
                    for (int k = 0; k < words; k++)
                        w.at[k] = __shfl_down_sync(0xffffffffu, w.at[k], d);
                    if (lane + d < 32)
                        part = nd_join(nd_unpack(w), part);
                }
                all = nd_join(part, all); // the first lane's counts
                if (done != 0)
                    break;
                part = none;
            }
            all = nd_of(all, 0);
        }
        if (lane == 0) {
            const nd_words w = nd_pack(nd_join(all, total));
            for (int k = 0; k < words; k++)
                mine[k] = 2ull << 32 | w.at[k];
        }
        if (lane < warps)
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
                acc = nd_join(acc, nd_acc{complex<double>(x.at[e].re, x.at[e].im)});
                x.at[e] = complex<float>(acc.value.re, acc.value.im);
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
        acc = nd_join(acc, nd_acc{complex<double>(room[nd_at(lane * turns + k / width)].at[k % width].re, room[nd_at(lane * turns + k / width)].at[k % width].im)});
        room[nd_at(lane * turns + k / width)].at[k % width] = complex<float>(acc.value.re, acc.value.im);
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < items; k++)
        if (k * 32 + lane < rest)
            out[at + k * 32 + lane] = room[nd_at((k * 32 + lane) / width)].at[lane % width];
}

// long rows of integers

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[2]; };
struct nd_acc { unsigned value; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    a.value = a.value + b.value;
    return a;
}
struct nd_words { unsigned at[1]; };
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
    for (int k = 0; k < 1; k++)
        w.at[k] = __shfl_up_sync(0xffffffffu, w.at[k], d);
    return nd_unpack(w);
}
static __device__ __forceinline__ nd_acc nd_of(nd_acc a, int at) {
    nd_words w = nd_pack(a);
#pragma unroll
    for (int k = 0; k < 1; k++)
        w.at[k] = __shfl_sync(0xffffffffu, w.at[k], at);
    return nd_unpack(w);
}
// Where vector i of a warp is in shared memory: there, loads of adjacent vectors by adjacent threads and loads of a thread's own ones take turns
// no longer than they must.
static __device__ __forceinline__ int nd_at(int i) { return i ^ (i >> 3 & 4 - 1); }
extern "C" __global__ void __launch_bounds__(512, 4) scan_sum(int *out, const int *in, unsigned long long *state, const nd_args a) {
    const int threads = 512, warps = threads / 32, width = 4, turns = 4, items = width * turns, tile = threads * items, words = 1;
    typedef nd_vector<int, width> elements;
    __shared__ elements rooms[threads * turns];
    __shared__ nd_acc of_warp[warps];
    __shared__ unsigned ticket;
    const nd_acc none = {0};
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    elements *const room = rooms + warp * 32 * turns; // of the warp
    if (threadIdx.x == 0)
        ticket = (unsigned)atomicAdd(state, 1ull);
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
        int x[items];
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
            sum = k == 0 ? nd_acc{(unsigned)x.at[0]} : nd_join(sum, nd_acc{(unsigned)x.at[0]});
#pragma unroll
            for (int e = 1; e < width; e++)
                sum = nd_join(sum, nd_acc{(unsigned)x.at[e]});
        }
    } else {
#pragma unroll 1
        for (int k = 0; k < items && lane * items + k < rest; k++)
            sum = nd_join(sum, nd_acc{(unsigned)room[nd_at(lane * turns + k / width)].at[k % width]});
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
        // The state of a tile: its words, above each 1 for the tile alone and 2 for all up to it.
        volatile unsigned long long *const mine = state + 1 + (size_t)ticket * words;
        const unsigned perRow = (unsigned)a.v[1], t = ticket < perRow ? ticket : ticket % perRow;
        if (t > 0) {
            const nd_words told = nd_pack(total);
            if (lane < words)
                mine[lane] = 1ull << 32 | told.at[lane];
            nd_acc part = none; // of the tiles before, those that the thread has asked for
            for (int last = (int)t - 1;; last -= 32) {
                unsigned known = 2;
                nd_acc v = none;
                if (last >= lane) {
                    volatile unsigned long long *const theirs = mine - (size_t)(t - last + lane) * words;
                    nd_words found;
                    do {
                        unsigned least = 2, most = 0;
                        for (int k = 0; k < words; k++) {
                            const unsigned long long word = theirs[k];
                            found.at[k] = (unsigned)word;
                            least = min(least, (unsigned)(word >> 32));
                            most = max(most, (unsigned)(word >> 32));
                        }
                        known = least == most ? least : 0;
                    } while (known == 0);
                    v = nd_unpack(found);
                }
                const unsigned done = __ballot_sync(0xffffffffu, known == 2);
                if (done == 0 || lane < __ffs(done))
                    part = nd_join(v, part);
                if (true && done == 0)
                    continue;
                for (int d = 1; d < 32; d *= 2) {
                    nd_words w = nd_pack(part);
                    for (int k = 0; k < words; k++)
                        w.at[k] = __shfl_down_sync(0xffffffffu, w.at[k], d);
                    if (lane + d < 32)
                        part = nd_join(nd_unpack(w), part);
                }
                all = nd_join(part, all); // the first lane's counts
                if (done != 0)
                    break;
                part = none;
            }
            all = nd_of(all, 0);
        }
        if (lane == 0) {
            const nd_words w = nd_pack(nd_join(all, total));
            for (int k = 0; k < words; k++)
                mine[k] = 2ull << 32 | w.at[k];
        }
        if (lane < warps)
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
                acc = nd_join(acc, nd_acc{(unsigned)x.at[e]});
                x.at[e] = (int)acc.value;
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
        acc = nd_join(acc, nd_acc{(unsigned)room[nd_at(lane * turns + k / width)].at[k % width]});
        room[nd_at(lane * turns + k / width)].at[k % width] = (int)acc.value;
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < items; k++)
        if (k * 32 + lane < rest)
            out[at + k * 32 + lane] = room[nd_at((k * 32 + lane) / width)].at[lane % width];
}

// greatest

struct f16 { unsigned short bits; };
#ifdef GOPHERWARP_SIM
static __device__ __forceinline__ float nd_load(f16 h) { _Float16 n; memcpy(&n, &h, 2); return (float)n; }
static __device__ __forceinline__ f16 nd_store_f16(float x) { _Float16 n = (_Float16)x; f16 h; memcpy(&h, &n, 2); return h; }
#else
static __device__ __forceinline__ float nd_load(f16 h) { float x; asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h.bits)); return x; }
static __device__ __forceinline__ f16 nd_store_f16(float x) { f16 h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h.bits) : "f"(x)); return h; }
#endif
static __device__ __forceinline__ float nd_round_f16(float x) { return nd_load(nd_store_f16(x)); }

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[2]; };
struct nd_acc { float value; bool some; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    if (b.some && (!a.some || (a.value == a.value && (a.value < b.value || b.value != b.value))))
        return b;
    return a;
}
struct nd_words { unsigned at[2]; };
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
    for (int k = 0; k < 2; k++)
        w.at[k] = __shfl_up_sync(0xffffffffu, w.at[k], d);
    return nd_unpack(w);
}
static __device__ __forceinline__ nd_acc nd_of(nd_acc a, int at) {
    nd_words w = nd_pack(a);
#pragma unroll
    for (int k = 0; k < 2; k++)
        w.at[k] = __shfl_sync(0xffffffffu, w.at[k], at);
    return nd_unpack(w);
}
// Where vector i of a warp is in shared memory: there, loads of adjacent vectors by adjacent threads and loads of a thread's own ones take turns
// no longer than they must.
static __device__ __forceinline__ int nd_at(int i) { return i ^ (i >> 3 & 2 - 1); }
extern "C" __global__ void __launch_bounds__(128, 1) scan_max(f16 *out, const f16 *in, unsigned long long *state, const nd_args a) {
    const int threads = 128, warps = threads / 32, width = 8, turns = 2, items = width * turns, tile = threads * items, words = 2;
    typedef nd_vector<f16, width> elements;
    __shared__ elements rooms[threads * turns];
    __shared__ nd_acc of_warp[warps];
    __shared__ unsigned ticket;
    const nd_acc none = {0, false};
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    elements *const room = rooms + warp * 32 * turns; // of the warp
    if (threadIdx.x == 0)
        ticket = blockIdx.x;
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
        f16 x[items];
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
            sum = k == 0 ? nd_acc{(float)nd_load(x.at[0]), true} : nd_join(sum, nd_acc{(float)nd_load(x.at[0]), true});
#pragma unroll
            for (int e = 1; e < width; e++)
                sum = nd_join(sum, nd_acc{(float)nd_load(x.at[e]), true});
        }
    } else {
#pragma unroll 1
        for (int k = 0; k < items && lane * items + k < rest; k++)
            sum = nd_join(sum, nd_acc{(float)nd_load(room[nd_at(lane * turns + k / width)].at[k % width]), true});
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
        if (lane < warps)
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
                acc = nd_join(acc, nd_acc{(float)nd_load(x.at[e]), true});
                x.at[e] = nd_store_f16(nd_round_f16(acc.value));
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
        acc = nd_join(acc, nd_acc{(float)nd_load(room[nd_at(lane * turns + k / width)].at[k % width]), true});
        room[nd_at(lane * turns + k / width)].at[k % width] = nd_store_f16(nd_round_f16(acc.value));
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < items; k++)
        if (k * 32 + lane < rest)
            out[at + k * 32 + lane] = room[nd_at((k * 32 + lane) / width)].at[lane % width];
}

