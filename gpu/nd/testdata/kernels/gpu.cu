// scan of an expression, by 512 threads, and its maxima

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

// nd_from returns the accumulator of that lane of the warp.
template <class A> static __device__ __forceinline__ A nd_from(A acc, int lane) {
    struct { unsigned at[(sizeof(A) + 3) / 4]; } words = {};
    memcpy(&words, &acc, sizeof(A));
#pragma unroll
    for (int k = 0; k < (sizeof(A) + 3) / 4; k++)
        words.at[k] = __shfl_sync(0xffffffffu, words.at[k], lane);
    memcpy(&acc, &words, sizeof(A));
    return acc;
}
// nd_joined returns what the accumulators of that many adjacent lanes amount to.
template <class A, int lanes, A join(A, A)> static __device__ __forceinline__ A nd_joined(A acc) {
    const int lane = (threadIdx.y * blockDim.x + threadIdx.x) % 32;
#pragma unroll
    for (int d = lanes / 2; d > 0; d /= 2)
        acc = join(acc, nd_from(acc, lane ^ d));
    return acc;
}
// nd_whole returns what the accumulators of all threads of a row amount to. The room is for one of each warp.
template <class A, int threads, A join(A, A)> static __device__ __forceinline__ A nd_whole(A acc, A *room) {
    const int lane = threadIdx.x % 32, warps = threads / 32;
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        acc = join(acc, nd_from(acc, lane ^ d));
    if (warps > 1) {
        if (lane == 0)
            room[threadIdx.x / 32] = acc;
        __syncthreads();
        acc = room[lane % warps];
#pragma unroll
        for (int d = warps / 2; d > 0; d /= 2)
            acc = join(acc, nd_from(acc, lane ^ d));
    }
    // The accumulators of the lanes may differ in the sign of zero.
    return nd_from(acc, 0);
}

// nd_before returns what the accumulators of the warp's lanes before this one amount to, which is none for the first, and sets all to those of
// all lanes.
template <class A, A join(A, A)> static __device__ __forceinline__ A nd_before(A acc, A none, A &all) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        const A left = nd_from(acc, (lane - d) & 31);
        if (lane >= d)
            acc = join(left, acc);
    }
    all = nd_from(acc, 31);
    const A left = nd_from(acc, (lane - 1) & 31);
    return lane > 0 ? left : none;
}
// nd_parts replaces each of that many accumulators by what those before it amount to, and the one behind them by all of them. One warp calls it.
template <class A, int count, A join(A, A)> static __device__ __forceinline__ void nd_parts(A *parts, A none) {
    const int each = (count + 31) / 32, begin = threadIdx.x % 32 * each;
    A acc = none, all;
#pragma unroll
    for (int k = 0; k < each; k++)
        if (begin + k < count)
            acc = join(acc, parts[begin + k]);
    acc = nd_before<A, join>(acc, none, all);
#pragma unroll
    for (int k = 0; k < each; k++)
        if (begin + k < count) {
            const A own = parts[begin + k];
            parts[begin + k] = acc;
            acc = join(acc, own);
        }
    if (begin == 0)
        parts[count] = all;
}

struct nd_args { long long v[6]; };
static __device__ __forceinline__ void nd_f0(const nd_args &a, float &y0, float x0) {
    const float v0 = x0;
    const float v1 = expf(v0);
    y0 = v1;
}
struct nd_acc0 { double value; };
static __device__ __forceinline__ nd_acc0 nd_join0(nd_acc0 a, nd_acc0 b) {
    a.value = a.value + b.value;
    return a;
}
static __device__ __forceinline__ float nd_scan0(nd_acc0 &c, float x) {
    c = nd_join0(c, nd_acc0{(double)x});
    return (float)c.value;
}
static __device__ __forceinline__ void nd_f1(const nd_args &a, float &y0, float x0, nd_acc0 &c0) {
    const float v0 = x0;
    const float v1 = expf(v0);
    const float v2 = nd_scan0(c0, v1);
    y0 = v2;
}
struct nd_acc1 { float value; bool some; };
static __device__ __forceinline__ nd_acc1 nd_join1(nd_acc1 a, nd_acc1 b) {
    if (b.some && (!a.some || (a.value == a.value && (a.value < b.value || b.value != b.value))))
        return b;
    return a;
}
extern "C" __global__ void __launch_bounds__(512, 2) rows_cumsum_max(float *__restrict__ to0, const float *p0, const nd_args a) {
    const int rows = (int)a.v[0], row = (int)blockIdx.x * 1 + threadIdx.y, n = row < rows ? (int)a.v[1] : 0;
    int k = min(row, rows - 1), o0 = (int)a.v[2];
    const int whole = n / 4 * 4;
    {
        const int r = k;
        o0 += r * (int)a.v[4];
    }
    nd_vector<float, 4> h0[8];
#pragma unroll
    for (int v = 0; v < 8; v++) {
        const int j = ((int)threadIdx.x + v * 512) * 4;
        if (j < whole) {
            h0[v] = *(const nd_vector<float, 4> *)(p0 + o0 + j);
        }
    }
    const nd_acc0 none0 = {-0.0};
    __shared__ nd_acc0 before0[4096];
    __shared__ nd_acc0 parts0[129];
    {
#pragma unroll
        for (int v = 0; v < 8; v++) {
            const int j = ((int)threadIdx.x + v * 512) * 4;
            nd_acc0 sum0 = none0;
            if (j < whole) {
            const nd_vector<float, 4> &q0 = h0[v];
#pragma unroll
            for (int k = 0; k < 4; k++) {
                float y0;
                nd_f0(a, y0, q0.at[k]);
                sum0 = nd_join0(sum0, nd_acc0{(double)y0});
            }
            }
            nd_acc0 whole0;
            sum0 = nd_before<nd_acc0, nd_join0>(sum0, none0, whole0);
            before0[(v * 1 + (int)threadIdx.y) * 512 + (int)threadIdx.x] = sum0;
            if (threadIdx.x % 32 == 0)
                parts0[v * 16 + (int)threadIdx.x / 32] = whole0;
        }
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        nd_parts<nd_acc0, 128, nd_join0>(parts0, none0);
    }
    __syncthreads();
    nd_acc1 acc1 = {0, false};
    {
        nd_acc1 part1[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            part1[k] = acc1;
#pragma unroll
        for (int v = 0; v < 8; v++) {
            const int j = ((int)threadIdx.x + v * 512) * 4;
            if (j >= whole)
                continue;
            const nd_vector<float, 4> &q0 = h0[v];
            nd_acc0 c0 = nd_join0(parts0[v * 16 + (int)threadIdx.x / 32], before0[(v * 1 + (int)threadIdx.y) * 512 + (int)threadIdx.x]);
#pragma unroll
            for (int k = 0; k < 4; k++) {
                float y0;
                nd_f1(a, y0, q0.at[k], c0);
                part1[k] = nd_join1(part1[k], nd_acc1{(float)y0, true});
            }
        }
#pragma unroll
        for (int k = 0; k < 4; k++)
            acc1 = nd_join1(acc1, part1[k]);
        nd_acc0 c0 = parts0[128];
#pragma unroll 1
        for (int j = threadIdx.x == 0 ? whole : n; j < n; j++) {
            float y0;
            nd_f1(a, y0, p0[o0 + j], c0);
            acc1 = nd_join1(acc1, nd_acc1{(float)y0, true});
        }
    }
    __shared__ nd_acc1 room1[16];
    acc1 = nd_whole<nd_acc1, 512, nd_join1>(acc1, room1);
    const float r0 = (float)acc1.value;
    if (threadIdx.x == 0 && n > 0)
        to0[row] = r0;
}

// reduced product

// nd_from returns the accumulator of that lane of the warp.
template <class A> static __device__ __forceinline__ A nd_from(A acc, int lane) {
    struct { unsigned at[(sizeof(A) + 3) / 4]; } words = {};
    memcpy(&words, &acc, sizeof(A));
#pragma unroll
    for (int k = 0; k < (sizeof(A) + 3) / 4; k++)
        words.at[k] = __shfl_sync(0xffffffffu, words.at[k], lane);
    memcpy(&acc, &words, sizeof(A));
    return acc;
}
// nd_joined returns what the accumulators of that many adjacent lanes amount to.
template <class A, int lanes, A join(A, A)> static __device__ __forceinline__ A nd_joined(A acc) {
    const int lane = (threadIdx.y * blockDim.x + threadIdx.x) % 32;
#pragma unroll
    for (int d = lanes / 2; d > 0; d /= 2)
        acc = join(acc, nd_from(acc, lane ^ d));
    return acc;
}
// nd_whole returns what the accumulators of all threads of a row amount to. The room is for one of each warp.
template <class A, int threads, A join(A, A)> static __device__ __forceinline__ A nd_whole(A acc, A *room) {
    const int lane = threadIdx.x % 32, warps = threads / 32;
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        acc = join(acc, nd_from(acc, lane ^ d));
    if (warps > 1) {
        if (lane == 0)
            room[threadIdx.x / 32] = acc;
        __syncthreads();
        acc = room[lane % warps];
#pragma unroll
        for (int d = warps / 2; d > 0; d /= 2)
            acc = join(acc, nd_from(acc, lane ^ d));
    }
    // The accumulators of the lanes may differ in the sign of zero.
    return nd_from(acc, 0);
}

struct nd_args { long long v[15]; };
struct nd_acc { float value; long long at; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    if (b.at >= 0 && (a.at < 0 || (a.value == a.value && (a.value > b.value || b.value != b.value)) || ((a.value == b.value || (a.value != a.value && b.value != b.value)) && b.at < a.at)))
        return b;
    return a;
}
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, float x, long long at) {
    if (a.at < 0 || (a.value == a.value && (a.value > x || x != x)))
        a = nd_acc{x, at};
    return a;
}
static __device__ __forceinline__ nd_acc nd_chosen(const nd_acc &a, float x, long long at) {
    const bool is = (a.at < 0) | (a.value == a.value & (a.value > x | x != x));
    return nd_acc{is ? x : a.value, is ? at : a.at};
}
static __device__ __forceinline__ float nd_f(float x0, float x1, const nd_args &a) {
    const float v0 = x0;
    const float v1 = x1;
    const float v2 = __int_as_float((int)a.v[14]);
    const float v3 = v1 * v2;
    const float v4 = v0 - v3;
    return v4;
}

// A block has 128 rows of the product. It computes their elements in squares, a part of the depth at a time, of which its threads have 8 by 8
// each, and folds or stores them.
extern "C" __global__ void __launch_bounds__(256, 2) product_argmin_sub_mul(long long *out, const float *x, const float *y, const float *p0, const nd_args a) {
    const int depth = 8, part = 8, tile = 128, pitch = tile + 4, half = tile / 2;
    __shared__ __align__(16) float xs[part * pitch], ys[part * pitch];
    const long long rows = a.v[0], first = (long long)blockIdx.x * tile;
    const int columns = (int)a.v[1], right = threadIdx.x % 16 * 4, down = threadIdx.x / 16 * 4;
    long long at[8]; // rows
#pragma unroll
    for (int i = 0; i < 8; i++)
        at[i] = min(first + i / 4 * half + down + i % 4, rows - 1);
    nd_acc acc[8];
#pragma unroll
    for (int i = 0; i < 8; i++)
        acc[i] = nd_acc{0, -1};
    for (int begin = 0; begin < columns; begin += tile) {
        float sum[8][8] = {};
#pragma unroll 1
        for (int from = 0; from < depth; from += part) {
            __syncthreads();
            if (begin == 0 || depth > part) {
#pragma unroll
            for (int e = threadIdx.x; e < part / 4 * tile; e += 256) {
                const int k = e % tile, d = e / tile * 4;
                const bool inside = first + k < rows;
                const long long i = a.v[2] + (first + k) * a.v[2 + 1] + (from + d) * a.v[2 + 2];
                const float4 v = inside ? *(const float4 *)(x + i) : make_float4(0, 0, 0, 0);
                xs[(d + 0) * pitch + k] = v.x;
                xs[(d + 1) * pitch + k] = v.y;
                xs[(d + 2) * pitch + k] = v.z;
                xs[(d + 3) * pitch + k] = v.w;
            }
            }
#pragma unroll
            for (int e = threadIdx.x; e < part / 4 * tile; e += 256) {
                const int k = e % tile, d = e / tile * 4;
                const bool inside = begin + k < columns;
                const long long i = a.v[5] + (begin + k) * a.v[5 + 1] + (from + d) * a.v[5 + 2];
                const float4 v = inside ? *(const float4 *)(y + i) : make_float4(0, 0, 0, 0);
                ys[(d + 0) * pitch + k] = v.x;
                ys[(d + 1) * pitch + k] = v.y;
                ys[(d + 2) * pitch + k] = v.z;
                ys[(d + 3) * pitch + k] = v.w;
            }
            __syncthreads();
#pragma unroll
            for (int d = 0; d < part; d++) {
                const float4 u[2] = {*(const float4 *)(xs + d * pitch + down), *(const float4 *)(xs + d * pitch + half + down)};
                const float4 v[2] = {*(const float4 *)(ys + d * pitch + right), *(const float4 *)(ys + d * pitch + half + right)};
                const float p[8] = {u[0].x, u[0].y, u[0].z, u[0].w, u[1].x, u[1].y, u[1].z, u[1].w};
                const float q[8] = {v[0].x, v[0].y, v[0].z, v[0].w, v[1].x, v[1].y, v[1].z, v[1].w};
#pragma unroll
                for (int i = 0; i < 8; i++)
#pragma unroll
                    for (int j = 0; j < 8; j++)
                        sum[i][j] = fmaf(p[i], q[j], sum[i][j]);
            }
        }
#pragma unroll
        for (int j = 0; j < 8; j++) {
            const int column = begin + j / 4 * half + right + j % 4;
            if (column >= columns)
                continue;
            const float q0 = p0[a.v[8] + column * a.v[10]];
#pragma unroll
            for (int i = 0; i < 8; i++)
                acc[i] = nd_chosen(acc[i], (float)nd_f(q0, sum[i][j], a), column);
        }
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
        acc[i] = nd_joined<nd_acc, 16, nd_join>(acc[i]);
        if (right == 0 && first + i / 4 * half + down + i % 4 < rows)
            out[at[i]] = acc[i].at;
    }
}

// scan of an expression, by 32 threads

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

// nd_from returns the accumulator of that lane of the warp.
template <class A> static __device__ __forceinline__ A nd_from(A acc, int lane) {
    struct { unsigned at[(sizeof(A) + 3) / 4]; } words = {};
    memcpy(&words, &acc, sizeof(A));
#pragma unroll
    for (int k = 0; k < (sizeof(A) + 3) / 4; k++)
        words.at[k] = __shfl_sync(0xffffffffu, words.at[k], lane);
    memcpy(&acc, &words, sizeof(A));
    return acc;
}
// nd_joined returns what the accumulators of that many adjacent lanes amount to.
template <class A, int lanes, A join(A, A)> static __device__ __forceinline__ A nd_joined(A acc) {
    const int lane = (threadIdx.y * blockDim.x + threadIdx.x) % 32;
#pragma unroll
    for (int d = lanes / 2; d > 0; d /= 2)
        acc = join(acc, nd_from(acc, lane ^ d));
    return acc;
}
// nd_whole returns what the accumulators of all threads of a row amount to. The room is for one of each warp.
template <class A, int threads, A join(A, A)> static __device__ __forceinline__ A nd_whole(A acc, A *room) {
    const int lane = threadIdx.x % 32, warps = threads / 32;
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        acc = join(acc, nd_from(acc, lane ^ d));
    if (warps > 1) {
        if (lane == 0)
            room[threadIdx.x / 32] = acc;
        __syncthreads();
        acc = room[lane % warps];
#pragma unroll
        for (int d = warps / 2; d > 0; d /= 2)
            acc = join(acc, nd_from(acc, lane ^ d));
    }
    // The accumulators of the lanes may differ in the sign of zero.
    return nd_from(acc, 0);
}

// nd_before returns what the accumulators of the warp's lanes before this one amount to, which is none for the first, and sets all to those of
// all lanes.
template <class A, A join(A, A)> static __device__ __forceinline__ A nd_before(A acc, A none, A &all) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        const A left = nd_from(acc, (lane - d) & 31);
        if (lane >= d)
            acc = join(left, acc);
    }
    all = nd_from(acc, 31);
    const A left = nd_from(acc, (lane - 1) & 31);
    return lane > 0 ? left : none;
}
// nd_parts replaces each of that many accumulators by what those before it amount to, and the one behind them by all of them. One warp calls it.
template <class A, int count, A join(A, A)> static __device__ __forceinline__ void nd_parts(A *parts, A none) {
    const int each = (count + 31) / 32, begin = threadIdx.x % 32 * each;
    A acc = none, all;
#pragma unroll
    for (int k = 0; k < each; k++)
        if (begin + k < count)
            acc = join(acc, parts[begin + k]);
    acc = nd_before<A, join>(acc, none, all);
#pragma unroll
    for (int k = 0; k < each; k++)
        if (begin + k < count) {
            const A own = parts[begin + k];
            parts[begin + k] = acc;
            acc = join(acc, own);
        }
    if (begin == 0)
        parts[count] = all;
}

struct nd_args { long long v[6]; };
static __device__ __forceinline__ void nd_f0(const nd_args &a, float &y0, float x0) {
    const float v0 = x0;
    const float v1 = nd_round_f16(sqrtf(v0));
    y0 = v1;
}
struct nd_acc0 { float value; bool some; };
static __device__ __forceinline__ nd_acc0 nd_join0(nd_acc0 a, nd_acc0 b) {
    if (b.some && (!a.some || (a.value == a.value && (a.value < b.value || b.value != b.value))))
        return b;
    return a;
}
static __device__ __forceinline__ float nd_scan0(nd_acc0 &c, float x) {
    c = nd_join0(c, nd_acc0{(float)x, true});
    return nd_round_f16(c.value);
}
static __device__ __forceinline__ void nd_f1(const nd_args &a, float &y0, float x0, nd_acc0 &c0) {
    const float v0 = x0;
    const float v1 = nd_round_f16(sqrtf(v0));
    const float v2 = nd_scan0(c0, v1);
    const float v3 = -v2;
    y0 = v3;
}
extern "C" __global__ void __launch_bounds__(256, 4) rows_cummax_neg_sqrt(f16 *__restrict__ out, const f16 *p0, const nd_args a) {
    const int rows = (int)a.v[0], row = (int)blockIdx.x * 8 + threadIdx.y, n = row < rows ? (int)a.v[1] : 0;
    int k = min(row, rows - 1), o0 = (int)a.v[2];
    const int at = row * n;
    const int whole = n / 8 * 8;
    {
        const int r = k;
        o0 += r * (int)a.v[4];
    }
    nd_vector<f16, 8> h0[2];
#pragma unroll
    for (int v = 0; v < 2; v++) {
        const int j = ((int)threadIdx.x + v * 32) * 8;
        if (j < whole) {
            h0[v] = *(const nd_vector<f16, 8> *)(p0 + o0 + j);
        }
    }
    const nd_acc0 none0 = {0, false};
    __shared__ nd_acc0 before0[512];
    nd_acc0 all0 = none0;
    {
#pragma unroll
        for (int v = 0; v < 2; v++) {
            const int j = ((int)threadIdx.x + v * 32) * 8;
            nd_acc0 sum0 = none0;
            if (j < whole) {
            const nd_vector<f16, 8> &q0 = h0[v];
#pragma unroll
            for (int k = 0; k < 8; k++) {
                float y0;
                nd_f0(a, y0, nd_load(q0.at[k]));
                sum0 = nd_join0(sum0, nd_acc0{(float)y0, true});
            }
            }
            nd_acc0 whole0;
            sum0 = nd_before<nd_acc0, nd_join0>(sum0, none0, whole0);
            before0[(v * 8 + (int)threadIdx.y) * 32 + (int)threadIdx.x] = nd_join0(all0, sum0);
            all0 = nd_join0(all0, whole0);
        }
    }
    {
#pragma unroll
        for (int v = 0; v < 2; v++) {
            const int j = ((int)threadIdx.x + v * 32) * 8;
            if (j >= whole)
                continue;
            const nd_vector<f16, 8> &q0 = h0[v];
            nd_vector<f16, 8> y;
            nd_acc0 c0 = before0[(v * 8 + (int)threadIdx.y) * 32 + (int)threadIdx.x];
#pragma unroll
            for (int k = 0; k < 8; k++) {
                float y0;
                nd_f1(a, y0, nd_load(q0.at[k]), c0);
                y.at[k] = nd_store_f16(y0);
            }
            *(nd_vector<f16, 8> *)(out + at + j) = y;
        }
        nd_acc0 c0 = all0;
#pragma unroll 1
        for (int j = threadIdx.x == 0 ? whole : n; j < n; j++) {
            float y0;
            nd_f1(a, y0, nd_load(p0[o0 + j]), c0);
            out[at + j] = nd_store_f16(y0);
        }
    }
}

// quantiles of a long row

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

// quantiles of a long row

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[6]; };
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
extern "C" __global__ void __launch_bounds__(512) select_count(unsigned long long *counts, const nd_key *all, const unsigned long long *found, const unsigned long long *plan, const nd_key *some_keys, const nd_args a) {
    const int threads = 512, bins = 2048, kept = 4, width = 16 / sizeof(nd_key), turns = 4, items = width * turns;
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

// quantiles of a long row

struct nd_args { long long v[21]; };
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
extern "C" __global__ void __launch_bounds__(256) select_pick(nd_key *out, unsigned long long *found, const unsigned long long *counts, const unsigned long long *before, const unsigned long long *plan, const nd_args a) {
    const int threads = 256, bins = 2048, each = bins / threads, me = blockIdx.x;
    __shared__ unsigned long long sums[2][threads];
    const int some = (int)a.v[0], shift = (int)a.v[1], high = (int)a.v[2];
    const bool first = high == 8 * sizeof(nd_key);
    const unsigned long long prefix = first ? 0 : before[me], rank = !first ? before[some + me] : a.v[3] != 0 ? plan[2 + me] : a.v[4 + me];
    // The place of the prefix among those of all statistics, each taken once, is where its keys have been counted.
    int slot = 0;
    for (int s = 0; !first && before[s] != prefix; s++) {
        bool fresh = true;
        for (int r = 0; r < s; r++)
            fresh &= before[r] != before[s];
        slot += fresh;
    }
    const unsigned long long *const mine = counts + slot * bins + threadIdx.x * each;
    unsigned long long own = 0;
    for (int k = 0; k < each; k++)
        own += mine[k];
    sums[0][threadIdx.x] = own;
    __syncthreads();
    int from = 0;
    for (int d = 1; d < threads; d *= 2, from = 1 - from) {
        sums[1 - from][threadIdx.x] = sums[from][threadIdx.x] + (threadIdx.x >= d ? sums[from][threadIdx.x - d] : 0);
        __syncthreads();
    }
    const unsigned long long end = sums[from][threadIdx.x];
    unsigned long long start = end - own;
    if (rank < start || rank >= end)
        return;
    int k = 0;
    while (rank - start >= mine[k])
        start += mine[k++];
    const unsigned long long all = prefix << (high - shift) | (unsigned)(threadIdx.x * each + k);
    found[me] = all;
    found[some + me] = rank - start;
    if (shift == 0)
        out[me] = nd_decode((nd_key)all);
}

// quantiles of a row of which a sample is taken

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

// quantiles of a row of which a sample is taken

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[6]; };
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
extern "C" __global__ void __launch_bounds__(512) select_count(unsigned long long *counts, const nd_key *all, const unsigned long long *found, const unsigned long long *plan, const nd_key *some_keys, const nd_args a) {
    const int threads = 512, bins = 2048, kept = 4, width = 16 / sizeof(nd_key), turns = 4, items = width * turns;
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

// quantiles of a row of which a sample is taken

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[21]; };
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
extern "C" __global__ void __launch_bounds__(1024) select_edges(unsigned long long *state, const nd_key *sample, const nd_args a) {
    const int threads = 1024, bins = 2048, each = bins / threads, copies = 4, width = 16 / sizeof(nd_key), turns = 4;
    typedef nd_vector<nd_key, width> elements;
    __shared__ unsigned count_of[bins * copies], of_warp[threads / 32], picked[3];
    const nd_key nd_sign = (nd_key)1 << 31, least = (nd_key)~(nd_key)(0x7f800000u | (nd_key)1 << 31);
    const int size = (int)a.v[0], mode = (int)a.v[1], edges = (int)a.v[2], lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long place = a.v[3 + blockIdx.x];
    // An edge beyond the sample is the least or the largest key.
    nd_key key = place < 0 ? least : (nd_key)~(nd_key)0;
    bool ties = place < 0;
    if (place >= 0 && place < size) {
        unsigned rank = (unsigned)place;
        key = 0;
        for (int high = 8 * sizeof(nd_key), shift; high > 0; high = shift) {
            shift = max(high - 11, 0);
            for (int b = threadIdx.x; b < bins * copies; b += threads)
                count_of[b] = 0;
            __syncthreads();
            for (int base = threadIdx.x; base < size / width; base += turns * threads) {
                elements x[turns];
#pragma unroll
                for (int t = 0; t < turns; t++)
                    if (base + t * threads < size / width)
                        x[t] = *(const elements *)(sample + (base + t * threads) * width);
#pragma unroll
                for (int t = 0; t < turns; t++) {
                    if (base + t * threads >= size / width)
                        continue;
#pragma unroll
                    for (int e = 0; e < width; e++) {
                        const nd_key k = nd_encode(x[t].at[e], mode);
                        if (high == 8 * sizeof(nd_key) || (nd_key)(k >> high) == key)
                            atomicAdd(&count_of[((unsigned)(k >> shift) & (1u << (high - shift)) - 1) * copies + threadIdx.x % copies], 1u);
                    }
                }
            }
            __syncthreads();
            unsigned own = 0;
            for (int b = 0; b < each * copies; b++)
                own += count_of[threadIdx.x * each * copies + b];
            unsigned end = own;
            for (int d = 1; d < 32; d *= 2) {
                const unsigned left = __shfl_up_sync(0xffffffffu, end, d);
                if (lane >= d)
                    end += left;
            }
            if (lane == 31)
                of_warp[warp] = end;
            __syncthreads();
            for (int w = 0; w < warp; w++)
                end += of_warp[w];
            unsigned rest = rank - (end - own);
            if (rank >= end - own && rest < own) {
                int digit = threadIdx.x * each;
                unsigned count;
                for (;; digit++) {
                    count = 0;
                    for (int c = 0; c < copies; c++)
                        count += count_of[digit * copies + c];
                    if (rest < count)
                        break;
                    rest -= count;
                }
                picked[0] = (unsigned)digit;
                picked[1] = rest;
                picked[2] = count;
            }
            __syncthreads();
            key = (nd_key)((unsigned long long)key << (high - shift) | picked[0]);
            rank = picked[1];
        }
        ties = picked[2] > 1;
    }
    if (threadIdx.x > 0)
        return;
    // The first and the last place in the order of what is the same as the key.
    nd_key low = key - least, high = low;
    if (key == (nd_key)~(nd_key)0) {
        low = (nd_key)((nd_key)(0x7f800000u | nd_sign) - least + 1);
        high = key;
    } else if (mode & 4 && key == nd_sign) {
        low--;
    }
    unsigned long long *const mine = state + 59 + blockIdx.x;
    mine[0] = low;
    mine[edges] = high;
    mine[2 * edges] = key;
    if (ties)
        atomicOr(state + 2, 1ull);
}

// quantiles of a row of which a sample is taken

struct nd_args { long long v[21]; };
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
extern "C" __global__ void __launch_bounds__(256) select_pick(nd_key *out, unsigned long long *found, const unsigned long long *counts, const unsigned long long *before, const unsigned long long *plan, const nd_args a) {
    const int threads = 256, bins = 2048, each = bins / threads, me = blockIdx.x;
    __shared__ unsigned long long sums[2][threads];
    const int some = (int)a.v[0], shift = (int)a.v[1], high = (int)a.v[2];
    const bool first = high == 8 * sizeof(nd_key);
    const unsigned long long prefix = first ? 0 : before[me], rank = !first ? before[some + me] : a.v[3] != 0 ? plan[2 + me] : a.v[4 + me];
    // The place of the prefix among those of all statistics, each taken once, is where its keys have been counted.
    int slot = 0;
    for (int s = 0; !first && before[s] != prefix; s++) {
        bool fresh = true;
        for (int r = 0; r < s; r++)
            fresh &= before[r] != before[s];
        slot += fresh;
    }
    const unsigned long long *const mine = counts + slot * bins + threadIdx.x * each;
    unsigned long long own = 0;
    for (int k = 0; k < each; k++)
        own += mine[k];
    sums[0][threadIdx.x] = own;
    __syncthreads();
    int from = 0;
    for (int d = 1; d < threads; d *= 2, from = 1 - from) {
        sums[1 - from][threadIdx.x] = sums[from][threadIdx.x] + (threadIdx.x >= d ? sums[from][threadIdx.x - d] : 0);
        __syncthreads();
    }
    const unsigned long long end = sums[from][threadIdx.x];
    unsigned long long start = end - own;
    if (rank < start || rank >= end)
        return;
    int k = 0;
    while (rank - start >= mine[k])
        start += mine[k++];
    const unsigned long long all = prefix << (high - shift) | (unsigned)(threadIdx.x * each + k);
    found[me] = all;
    found[some + me] = rank - start;
    if (shift == 0)
        out[me] = nd_decode((nd_key)all);
}

// quantiles of a row of which a sample is taken

struct nd_args { long long v[6]; };
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
extern "C" __global__ void __launch_bounds__(128) select_sample(nd_key *sample, const nd_key *keys, const nd_args a) {
    // One element of each of equal parts, at a place in it that a hash gives, or the largest one of those of a group of parts, which are far from
    // each other, as the largest elements may be adjacent, and at no equal distances. There are 1 << power parts, and a group has some lanes of a warp.
    const long long n = a.v[0], size = a.v[1], each = a.v[2], thread = (long long)blockIdx.x * 128 + threadIdx.x;
    const int power = (int)a.v[3], mode = (int)a.v[4], lanes = (int)a.v[5], lane = (int)(thread % lanes);
    const long long group = thread / lanes;
    nd_key best = 0, raw = 0; // the encoded key, and as it is in memory
    if (group < size) {
#pragma unroll 8
        for (long long k = lane; k < each; k += lanes) {
            const long long part = k * size + (group + k * 2654435769 & size - 1), from = part * n >> power, to = (part + 1) * n >> power;
            unsigned long long hash = (unsigned long long)(part + 1) * 0x9e3779b97f4a7c15ull;
            hash = (hash ^ hash >> 31) * 0x9e3779b97f4a7c15ull;
            const nd_key x = keys[from + (long long)((hash >> 32) * (unsigned long long)(to - from) >> 32)], key = nd_encode(x, mode);
            if (k == lane || key > best) {
                best = key;
                raw = x;
            }
        }
    }
    for (int d = 1; d < lanes; d *= 2) {
        const nd_key x = (nd_key)__shfl_xor_sync(0xffffffffu, (unsigned long long)raw, d), key = nd_encode(x, mode);
        if (key > best) {
            best = key;
            raw = x;
        }
    }
    if (lane == 0 && group < size)
        sample[group] = raw;
}

// quantiles of a row of which a sample is taken

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[21]; };
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
// A number's place in the order of a sort, in which places are counted as in a circle: NaNs are above infinity, or below the least number.
static __device__ __forceinline__ nd_key nd_order(nd_key k) {
    const nd_key nd_sign = (nd_key)1 << 31;
    return (k ^ (nd_sign | (nd_key)(0 - (nd_key)(k >> 31))));
}
extern "C" __global__ void __launch_bounds__(512, 2) select_within(nd_key *kept, unsigned long long *state, unsigned long long *counts, const nd_key *keys, const nd_args a) {
    const int threads = 512, warps = threads / 32, brackets = 3, bins = 2048, shift = max(8 * (int)sizeof(nd_key) - 11, 0), width = 16 / sizeof(nd_key), turns = 4, items = width * turns;
    const bool top = true; // the last bracket has no upper edge
    typedef nd_vector<nd_key, width> elements;
    __shared__ nd_key stage[warps][32 * items];
    __shared__ unsigned sums[4 * brackets], count_of[bins];
    __shared__ bool last, right;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long n = a.v[0], room = a.v[1];
    const int mode = (int)a.v[3];
    const unsigned long long *const first_same = state + 59, *const last_same = first_same + 2 * brackets;
    const bool ties = state[2] != 0, aligned = (size_t)keys % 16 == 0;
    // An element is in a bracket, whose edges are not, if its place is less than span after the first one, and before the bracket if it is not
    // less than before after that.
    const nd_key most = ~(nd_key)0, least = (nd_key)~(nd_key)(0x7f800000u | (nd_key)1 << 31);
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
        // A warp's unit: in each turn a thread has adjacent elements of 16 bytes.
        nd_key x[items];
        const long long base = unit * (32 * items);
        const nd_key *const here = keys + base + lane * width;
        unsigned valid = 0xffffffffu;
        if (aligned && base + 32 * items <= n) {
#pragma unroll
            for (int t = 0; t < turns; t++) {
                const elements v = *(const elements *)(here + t * 32 * width);
#pragma unroll
                for (int e = 0; e < width; e++)
                    x[t * width + e] = v.at[e];
            }
        } else {
            const long long rest = n - base - lane * width;
            valid = 0;
#pragma unroll
            for (int k = 0; k < items; k++) {
                x[k] = (nd_key)(0 - (nd_key)~(nd_key)(0x7f800000u | (nd_key)1 << 31));
                if (k / width * 32 * width + k % width < rest) {
                    x[k] = here[k / width * 32 * width + k % width];
                    valid |= 1u << k;
                }
            }
        }
        unsigned flags = 0;
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
            atomicAdd(state + 4 + c, (unsigned long long)sums[c]);
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
            const volatile unsigned long long *const of = told + 4 + 4 * b;
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
        unsigned long long *const plan = state + 40;
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

// median of a long row

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

struct nd_args { long long v[5]; };

static __device__ __forceinline__ double nd_f(float x0, const nd_args &a) {
    const float v0 = x0;
    const double v1 = (double)v0;
    return v1;
}

extern "C" __global__ void __launch_bounds__(256) map_astype(double *out, const f16 *p0, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 2;
    if (j >= n)
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2];
    if (j + 2 <= n) {
        const nd_vector<f16, 2> q0 = *(const nd_vector<f16, 2> *)(p0 + o0 + j);
        nd_vector<double, 2> r0;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            r0.at[k] = nd_f(nd_load(q0.at[k]), a);
        }
        *(nd_vector<double, 2> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f(nd_load(p0[o0 + j + k]), a);
    }
}

// median of a long row

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[6]; };
typedef unsigned short nd_key;
static __device__ __forceinline__ nd_key nd_encode(nd_key k, int mode) {
    const nd_key nd_sign = (nd_key)1 << 15;
    return (nd_key)((nd_key)(k & ~nd_sign) > 0x7c00 ? ~(nd_key)0 : mode & 4 && k == nd_sign ? nd_sign : k & nd_sign ? ~k : k | nd_sign);
}
static __device__ __forceinline__ nd_key nd_decode(nd_key k) {
    const nd_key nd_sign = (nd_key)1 << 15;
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
extern "C" __global__ void __launch_bounds__(512) select_count(unsigned long long *counts, const nd_key *all, const unsigned long long *found, const unsigned long long *plan, const nd_key *some_keys, const nd_args a) {
    const int threads = 512, bins = 2048, kept = 4, width = 16 / sizeof(nd_key), turns = 4, items = width * turns;
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

// median of a long row

struct nd_args { long long v[21]; };
typedef unsigned short nd_key;
static __device__ __forceinline__ nd_key nd_encode(nd_key k, int mode) {
    const nd_key nd_sign = (nd_key)1 << 15;
    return (nd_key)((nd_key)(k & ~nd_sign) > 0x7c00 ? ~(nd_key)0 : mode & 4 && k == nd_sign ? nd_sign : k & nd_sign ? ~k : k | nd_sign);
}
static __device__ __forceinline__ nd_key nd_decode(nd_key k) {
    const nd_key nd_sign = (nd_key)1 << 15;
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
extern "C" __global__ void __launch_bounds__(256) select_pick(nd_key *out, unsigned long long *found, const unsigned long long *counts, const unsigned long long *before, const unsigned long long *plan, const nd_args a) {
    const int threads = 256, bins = 2048, each = bins / threads, me = blockIdx.x;
    __shared__ unsigned long long sums[2][threads];
    const int some = (int)a.v[0], shift = (int)a.v[1], high = (int)a.v[2];
    const bool first = high == 8 * sizeof(nd_key);
    const unsigned long long prefix = first ? 0 : before[me], rank = !first ? before[some + me] : a.v[3] != 0 ? plan[2 + me] : a.v[4 + me];
    // The place of the prefix among those of all statistics, each taken once, is where its keys have been counted.
    int slot = 0;
    for (int s = 0; !first && before[s] != prefix; s++) {
        bool fresh = true;
        for (int r = 0; r < s; r++)
            fresh &= before[r] != before[s];
        slot += fresh;
    }
    const unsigned long long *const mine = counts + slot * bins + threadIdx.x * each;
    unsigned long long own = 0;
    for (int k = 0; k < each; k++)
        own += mine[k];
    sums[0][threadIdx.x] = own;
    __syncthreads();
    int from = 0;
    for (int d = 1; d < threads; d *= 2, from = 1 - from) {
        sums[1 - from][threadIdx.x] = sums[from][threadIdx.x] + (threadIdx.x >= d ? sums[from][threadIdx.x - d] : 0);
        __syncthreads();
    }
    const unsigned long long end = sums[from][threadIdx.x];
    unsigned long long start = end - own;
    if (rank < start || rank >= end)
        return;
    int k = 0;
    while (rank - start >= mine[k])
        start += mine[k++];
    const unsigned long long all = prefix << (high - shift) | (unsigned)(threadIdx.x * each + k);
    found[me] = all;
    found[some + me] = rank - start;
    if (shift == 0)
        out[me] = nd_decode((nd_key)all);
}

// sparse rows, a thread for each

struct nd_args { long long v[2]; };

extern "C" __global__ void __launch_bounds__(256, 6) sparse_rows(float *out, const int *start, const int *column, const float *value, const float *x, const nd_args a) {
    const int threads = 256, lanes = 1, turns = 5, tile = threads * turns, gap = sizeof(float) == 8 ? 4 : 5;
    // The products. After 128 bytes a place is left out, so that threads whose rows begin a power of two apart use different banks.
    __shared__ float room[tile + (tile >> gap)];
    const int first = (int)a.v[1] * blockIdx.x, rows = min((int)a.v[1], (int)a.v[0] - first);
    const int row = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    int from = 0, to = 0;
    if (row < rows) {
        from = start[first + row];
        to = start[first + row + 1];
    }
    const int end = start[first + rows];
    float sum = 0;
    for (int at = start[first];;) {
        const int some = min(end - at, tile);
        // All loads are under way before the first product, which is why those behind the last element are made of zeros, not left out.
        const int *const columns = column + at + threadIdx.x;
        const float *const values = value + at + threadIdx.x;
        int c[turns];
        float v[turns];
#pragma unroll
        for (int k = 0; k < turns; k++) {
            const bool is = k * threads + threadIdx.x < some;
            c[k] = is ? __ldcs(columns + k * threads) : 0;
            v[k] = is ? __ldcs(values + k * threads) : 0;
        }
#pragma unroll
        for (int k = 0; k < turns; k++)
            v[k] *= __ldg(x + c[k]);
#pragma unroll
        for (int k = 0; k < turns; k++) {
            const int i = k * threads + threadIdx.x;
            room[i + (i >> gap)] = v[k];
        }
        __syncthreads();
        const int last = min(to - at, some);
        for (int i = max(from - at, 0) + lane; i < last; i += lanes)
            sum += room[i + (i >> gap)];
        at += some;
        if (at == end)
            break;
        __syncthreads();
    }
#pragma unroll
    for (int d = lanes / 2; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (row < rows && lane == 0)
        out[first + row] = sum;
}

// sparse rows, eight threads for each

struct nd_args { long long v[2]; };

extern "C" __global__ void __launch_bounds__(256, 5) sparse_rows(double *out, const int *start, const int *column, const double *value, const double *x, const nd_args a) {
    const int threads = 256, lanes = 8, turns = 8, tile = threads * turns, gap = sizeof(double) == 8 ? 4 : 5;
    // The products. After 128 bytes a place is left out, so that threads whose rows begin a power of two apart use different banks.
    __shared__ double room[tile + (tile >> gap)];
    const int first = (int)a.v[1] * blockIdx.x, rows = min((int)a.v[1], (int)a.v[0] - first);
    const int row = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    int from = 0, to = 0;
    if (row < rows) {
        from = start[first + row];
        to = start[first + row + 1];
    }
    const int end = start[first + rows];
    double sum = 0;
    for (int at = start[first];;) {
        const int some = min(end - at, tile);
        // All loads are under way before the first product, which is why those behind the last element are made of zeros, not left out.
        const int *const columns = column + at + threadIdx.x;
        const double *const values = value + at + threadIdx.x;
        int c[turns];
        double v[turns];
#pragma unroll
        for (int k = 0; k < turns; k++) {
            const bool is = k * threads + threadIdx.x < some;
            c[k] = is ? __ldcs(columns + k * threads) : 0;
            v[k] = is ? __ldcs(values + k * threads) : 0;
        }
#pragma unroll
        for (int k = 0; k < turns; k++)
            v[k] *= __ldg(x + c[k]);
#pragma unroll
        for (int k = 0; k < turns; k++) {
            const int i = k * threads + threadIdx.x;
            room[i + (i >> gap)] = v[k];
        }
        __syncthreads();
        const int last = min(to - at, some);
        for (int i = max(from - at, 0) + lane; i < last; i += lanes)
            sum += room[i + (i >> gap)];
        at += some;
        if (at == end)
            break;
        __syncthreads();
    }
#pragma unroll
    for (int d = lanes / 2; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (row < rows && lane == 0)
        out[first + row] = sum;
}

// inner product

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

// How many blocks have finished. The last one begins the next count.
static __device__ unsigned nd_ticket;
struct nd_args { long long v[1]; };

// The sum of what the block's threads have, in an order that does not change.
static __device__ __forceinline__ double nd_total(double *of_warp, double sum) {
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
#pragma unroll
    for (int k = 0; k < 256 / 32; k++)
        sum += of_warp[k];
    return sum;
}
extern "C" __global__ void __launch_bounds__(256, 4) inner_product(float *out, double *parts, const float *x, const float *y, const nd_args a) {
    const int width = 16 / sizeof(float), turns = 4;
    typedef nd_vector<float, width> elements;
    __shared__ double of_warp[2][256 / 32];
    __shared__ bool last;
    const long long n = a.v[0], step = (long long)gridDim.x * 256, me = (long long)blockIdx.x * 256 + threadIdx.x;
    double sum = 0;
    long long whole = 0; // vectors
    if (((size_t)x | (size_t)y) % sizeof(elements) == 0) {
        whole = n / width;
        double part[width] = {};
        for (long long i = me; i < whole; i += turns * step) {
            elements p[turns], q[turns];
#pragma unroll
            for (int t = 0; t < turns; t++) {
                const bool is = i + t * step < whole;
                p[t] = is ? ((const elements *)x)[i + t * step] : elements();
                q[t] = is ? ((const elements *)y)[i + t * step] : elements();
            }
#pragma unroll
            for (int t = 0; t < turns; t++)
#pragma unroll
                for (int k = 0; k < width; k++)
                    part[k] = fma((double)p[t].at[k], (double)q[t].at[k], part[k]);
        }
#pragma unroll
        for (int k = 0; k < width; k++)
            sum += part[k];
    }
    for (long long i = whole * width + me; i < n; i += step)
        sum = fma((double)x[i], (double)y[i], sum);
    sum = nd_total(of_warp[0], sum);
    if (gridDim.x > 1) {
        if (threadIdx.x == 0) {
            parts[blockIdx.x] = sum;
            __threadfence();
            last = atomicInc(&nd_ticket, gridDim.x - 1) == gridDim.x - 1;
        }
        __syncthreads();
        if (!last)
            return;
        __threadfence();
        sum = 0;
        for (unsigned i = threadIdx.x; i < gridDim.x; i += 256)
            sum += __ldcg(parts + i);
        sum = nd_total(of_warp[1], sum);
    }
    if (threadIdx.x == 0)
        *out = (float)sum;
}

// mask of an expression

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

// nd_element returns element k of a vector that is kept as words.
template <class T, int N> static __device__ __forceinline__ T nd_element(const nd_vector<unsigned, N> &words, int k) {
    const unsigned word = words.at[k * (int)sizeof(T) / 4] >> k * (int)sizeof(T) % 4 * 8;
    T element;
    memcpy(&element, &word, sizeof(T));
    return element;
}

struct nd_args { long long v[9]; };

static __device__ __forceinline__ void nd_f(float x0, float x1, bool &y0, float &y1, const nd_args &a) {
    const float v0 = x0;
    const float v1 = __int_as_float((int)a.v[7]);
    const bool v2 = v0 > v1;
    const float v3 = x1;
    y0 = v2;
    y1 = v3;
}

extern "C" __global__ void __launch_bounds__(512, 2) compact_greater(float *out, unsigned long long *state, const float *p0, const float *p1, const nd_args a) {
    const int threads = 512, warps = threads / 32, width = 4, turns = 4, tile = threads * width * turns;
    __shared__ float stage[tile];
    __shared__ int of_warp[warps], ticket;
    __shared__ long long start;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long n = (long long)a.v[0], room = (long long)a.v[8];
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
    nd_vector<float, 4> q0[turns];
    nd_vector<float, 4> q1[turns];
    int at = dealt ? (int)blockIdx.x : ticket;
    long long coming = (long long)at * tile; // the first element of the tile that is read next
    if (coming < n) {
        const bool whole = coming + tile <= n;
#pragma unroll
        for (int turn = 0; turn < turns; turn++) {
            const long long j = coming + own + turn * 32 * width;
            if (whole) {
                q0[turn] = *(const nd_vector<float, 4> *)(p0 + o0 + j);
            } else {
                nd_vector<float, 4> some = {};
            #pragma unroll
                for (int k = 0; k < width; k++)
                    if (j + k < n)
                        some.at[k] = (p0 + o0 + j)[k];
                memcpy(&q0[turn], &some, sizeof(some));
            }
            if (whole) {
                q1[turn] = *(const nd_vector<float, 4> *)(p1 + o1 + j);
            } else {
                nd_vector<float, 4> some = {};
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
                float y1;
                nd_f(q0[turn].at[k], q1[turn].at[k], y0, y1, a);
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
                    float y1;
                    nd_f(q0[turn].at[k], q1[turn].at[k], y0, y1, a);
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
                q0[turn] = *(const nd_vector<float, 4> *)(p0 + o0 + j);
            } else {
                nd_vector<float, 4> some = {};
            #pragma unroll
                for (int k = 0; k < width; k++)
                    if (j + k < n)
                        some.at[k] = (p0 + o0 + j)[k];
                memcpy(&q0[turn], &some, sizeof(some));
            }
            if (whole) {
                q1[turn] = *(const nd_vector<float, 4> *)(p1 + o1 + j);
            } else {
                nd_vector<float, 4> some = {};
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

// indices of what is not zero

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

// nd_element returns element k of a vector that is kept as words.
template <class T, int N> static __device__ __forceinline__ T nd_element(const nd_vector<unsigned, N> &words, int k) {
    const unsigned word = words.at[k * (int)sizeof(T) / 4] >> k * (int)sizeof(T) % 4 * 8;
    T element;
    memcpy(&element, &word, sizeof(T));
    return element;
}

struct nd_args { long long v[6]; };

static __device__ __forceinline__ bool nd_f(complex<double> x0, const nd_args &a) {
    const complex<double> v0 = x0;
    const bool v1 = v0.re != 0 || v0.im != 0;
    return v1;
}

extern "C" __global__ void __launch_bounds__(512, 3) compact_astype(long long *out, unsigned long long *state, const complex<double> *p0, const nd_args a) {
    const int threads = 512, warps = threads / 32, width = 1, turns = 4, tile = threads * width * turns;
    __shared__ unsigned short stage[tile];
    __shared__ int of_warp[warps], ticket;
    __shared__ long long start;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long n = (long long)a.v[0], room = (long long)a.v[5];
    const int tiles = (int)((n + tile - 1) / tile);
    // Either each block takes one tile, in the order in which they begin, or all blocks run at once and take tiles in turn.
    const bool dealt = (int)gridDim.x < tiles;
    if (!dealt) {
        if (threadIdx.x == 0)
            ticket = (int)atomicAdd(state, 1ull);
        __syncthreads();
    }
    const long long o0 = (long long)a.v[2];
    // A warp has a part of the tile, of which its threads have adjacent elements in each turn. The first ones of the thread:
    const int own = (warp * turns * 32 + lane) * width;
    nd_vector<complex<double>, 1> q0[turns];
    int at = dealt ? (int)blockIdx.x : ticket;
    long long coming = (long long)at * tile; // the first element of the tile that is read next
    if (coming < n) {
        const bool whole = coming + tile <= n;
#pragma unroll
        for (int turn = 0; turn < turns; turn++) {
            const long long j = coming + own + turn * 32 * width;
            if (whole) {
                q0[turn] = *(const nd_vector<complex<double>, 1> *)(p0 + o0 + j);
            } else {
                nd_vector<complex<double>, 1> some = {};
            #pragma unroll
                for (int k = 0; k < width; k++)
                    if (j + k < n)
                        some.at[k] = (p0 + o0 + j)[k];
                memcpy(&q0[turn], &some, sizeof(some));
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
                if (nd_f(q0[turn].at[k], a))
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
                    stage[to++] = (unsigned short)(own + turn * 32 * width + k);
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
                q0[turn] = *(const nd_vector<complex<double>, 1> *)(p0 + o0 + j);
            } else {
                nd_vector<complex<double>, 1> some = {};
            #pragma unroll
                for (int k = 0; k < width; k++)
                    if (j + k < n)
                        some.at[k] = (p0 + o0 + j)[k];
                memcpy(&q0[turn], &some, sizeof(some));
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
            out[start + k] = base + stage[k];
        if (next >= tiles)
            break;
        at = next;
    }
}

// elements at indices

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[9]; };

static __device__ __forceinline__ int nd_f(int x0, unsigned char x1, const int *from0, const int *from1, const nd_args &a) {
    const int v0 = x0;
    const long long v1 = (long long)a.v[7];
    const int v2 = from0[v0 < 0 ? v0 + v1 : v0];
    const int v3 = (int)((unsigned)v0 - (unsigned)v2);
    const unsigned char v4 = x1;
    const long long v5 = (long long)a.v[8];
    const int v6 = from1[v4];
    const int v7 = (int)((unsigned)v3 * (unsigned)v6);
    return v7;
}

extern "C" __global__ void __launch_bounds__(256) map_mul_take_sub_take(int *out, const int *p0, const unsigned char *p1, const int *from0, const int *from1, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 4;
    if (j >= n)
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2], o1 = (int)a.v[3];
    if (j + 4 <= n) {
        const nd_vector<int, 4> q0 = *(const nd_vector<int, 4> *)(p0 + o0 + j);
        const nd_vector<unsigned char, 4> q1 = *(const nd_vector<unsigned char, 4> *)(p1 + o1 + j);
        nd_vector<int, 4> r0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            r0.at[k] = nd_f(q0.at[k], q1.at[k], from0, from1, a);
        }
        *(nd_vector<int, 4> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f(p0[o0 + j + k], p1[o1 + j + k], from0, from1, a);
    }
}
