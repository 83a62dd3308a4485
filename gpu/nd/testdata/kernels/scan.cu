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
extern "C" __global__ void __launch_bounds__(32, 1) scan_sum(float *out, const float *in, unsigned long long *state, const nd_args a) {
    const int threads = 32, warps = threads / 32, width = 4, turns = 4, tile = threads * width * turns, words = 2;
    typedef nd_vector<float, width> elements;
    __shared__ elements room[threads * turns];
    __shared__ nd_acc of_warp[warps];
    __shared__ unsigned ticket;
    const nd_acc none = {-0.0};
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        ticket = blockIdx.x;
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
            nd_acc acc = nd_acc{(double)x.at[0]};
#pragma unroll
            for (int e = 1; e < width; e++)
                acc = nd_join(acc, nd_acc{(double)x.at[e]});
            sum[k] = acc;
        }
    } else {
#pragma unroll
        for (int k = 0; k < turns; k++) {
            nd_acc acc = none;
#pragma unroll 1
            for (int e = 0; e < width && k * 32 * width + e < rest; e++) {
                room[k * threads + threadIdx.x].at[e] = in[at + k * 32 * width + e];
                acc = nd_join(acc, nd_acc{(double)room[k * threads + threadIdx.x].at[e]});
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
        if (lane < warps)
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
                acc = nd_join(acc, nd_acc{(double)x.at[e]});
                x.at[e] = (float)acc.value;
            }
            *(elements *)(out + at + k * 32 * width) = x;
            continue;
        }
#pragma unroll 1
        for (int e = 0; e < width && k * 32 * width + e < rest; e++) {
            acc = nd_join(acc, nd_acc{(double)room[k * threads + threadIdx.x].at[e]});
            out[at + k * 32 * width + e] = (float)acc.value;
        }
    }
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
extern "C" __global__ void __launch_bounds__(512, 2) scan_prod(complex<float> *out, const complex<float> *in, unsigned long long *state, const nd_args a) {
    const int threads = 512, warps = threads / 32, width = 2, turns = 4, tile = threads * width * turns, words = 4;
    typedef nd_vector<complex<float>, width> elements;
    __shared__ elements room[threads * turns];
    __shared__ nd_acc of_warp[warps];
    __shared__ unsigned ticket;
    const nd_acc none = {complex<double>(1, 0)};
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        ticket = (unsigned)atomicAdd(state, 1ull);
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
            nd_acc acc = nd_acc{complex<double>(x.at[0].re, x.at[0].im)};
#pragma unroll
            for (int e = 1; e < width; e++)
                acc = nd_join(acc, nd_acc{complex<double>(x.at[e].re, x.at[e].im)});
            sum[k] = acc;
        }
    } else {
#pragma unroll
        for (int k = 0; k < turns; k++) {
            nd_acc acc = none;
#pragma unroll 1
            for (int e = 0; e < width && k * 32 * width + e < rest; e++) {
                room[k * threads + threadIdx.x].at[e] = in[at + k * 32 * width + e];
                acc = nd_join(acc, nd_acc{complex<double>(room[k * threads + threadIdx.x].at[e].re, room[k * threads + threadIdx.x].at[e].im)});
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
        // The state of a tile: its words, above each 1 for the tile alone and 2 for all up to it.
        volatile unsigned long long *const mine = state + 1 + (size_t)ticket * words;
        const unsigned perRow = (unsigned)a.v[1], t = ticket < perRow ? ticket : ticket % perRow;
        if (t > 0) {
            const nd_words told = nd_pack(total);
            if (lane < words)
                mine[lane] = 1ull << 32 | told.at[lane];
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
                if (done != 0 && lane >= __ffs(done))
                    v = none;
                for (int d = 1; d < 32; d *= 2) {
                    nd_words w = nd_pack(v);
                    for (int k = 0; k < words; k++)
                        w.at[k] = __shfl_down_sync(0xffffffffu, w.at[k], d);
                    if (lane + d < 32)
                        v = nd_join(nd_unpack(w), v);
                }
                all = nd_join(v, all); // the first lane's counts
                if (done != 0)
                    break;
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
    const nd_acc before = of_warp[warp];
#pragma unroll
    for (int k = 0; k < turns; k++) {
        elements x = room[k * threads + threadIdx.x];
        nd_acc acc = nd_join(before, sum[k]);
        if (whole) {
#pragma unroll
            for (int e = 0; e < width; e++) {
                acc = nd_join(acc, nd_acc{complex<double>(x.at[e].re, x.at[e].im)});
                x.at[e] = complex<float>(acc.value.re, acc.value.im);
            }
            *(elements *)(out + at + k * 32 * width) = x;
            continue;
        }
#pragma unroll 1
        for (int e = 0; e < width && k * 32 * width + e < rest; e++) {
            acc = nd_join(acc, nd_acc{complex<double>(room[k * threads + threadIdx.x].at[e].re, room[k * threads + threadIdx.x].at[e].im)});
            out[at + k * 32 * width + e] = complex<float>(acc.value.re, acc.value.im);
        }
    }
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
extern "C" __global__ void __launch_bounds__(128, 1) scan_max(f16 *out, const f16 *in, unsigned long long *state, const nd_args a) {
    const int threads = 128, warps = threads / 32, width = 8, turns = 2, tile = threads * width * turns, words = 2;
    typedef nd_vector<f16, width> elements;
    __shared__ elements room[threads * turns];
    __shared__ nd_acc of_warp[warps];
    __shared__ unsigned ticket;
    const nd_acc none = {0, false};
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        ticket = blockIdx.x;
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
            nd_acc acc = nd_acc{(float)nd_load(x.at[0]), true};
#pragma unroll
            for (int e = 1; e < width; e++)
                acc = nd_join(acc, nd_acc{(float)nd_load(x.at[e]), true});
            sum[k] = acc;
        }
    } else {
#pragma unroll
        for (int k = 0; k < turns; k++) {
            nd_acc acc = none;
#pragma unroll 1
            for (int e = 0; e < width && k * 32 * width + e < rest; e++) {
                room[k * threads + threadIdx.x].at[e] = in[at + k * 32 * width + e];
                acc = nd_join(acc, nd_acc{(float)nd_load(room[k * threads + threadIdx.x].at[e]), true});
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
        if (lane < warps)
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
                acc = nd_join(acc, nd_acc{(float)nd_load(x.at[e]), true});
                x.at[e] = nd_store_f16(nd_round_f16(acc.value));
            }
            *(elements *)(out + at + k * 32 * width) = x;
            continue;
        }
#pragma unroll 1
        for (int e = 0; e < width && k * 32 * width + e < rest; e++) {
            acc = nd_join(acc, nd_acc{(float)nd_load(room[k * threads + threadIdx.x].at[e]), true});
            out[at + k * 32 * width + e] = nd_store_f16(nd_round_f16(acc.value));
        }
    }
}

