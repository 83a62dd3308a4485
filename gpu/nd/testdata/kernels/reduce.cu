// all

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[9]; };
struct nd_acc { double value; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    a.value = a.value + b.value;
    return a;
}
static __device__ __forceinline__ float nd_f(float x0, const nd_args &a) {
    const float v0 = x0;
    return v0;
}
extern "C" __global__ void __launch_bounds__(256, 8) reduce_sum(float *out, const float *p0, const nd_args a) {
    const int segments = (int)a.v[3];
    const int segment = blockIdx.x % segments, group = blockIdx.x / segments;
    __shared__ nd_acc shared[256];
    const int row = (group * blockDim.y + threadIdx.y) * 1, begin = segment * (int)a.v[2], end = min((int)a.v[1], begin + (int)a.v[2]);
    nd_acc acc = {0};
    if (row < (int)a.v[0]) {
    int k = row, o0 = (int)a.v[4];
    {
        const int r = k;
        o0 += r * (int)a.v[7];
    }
        nd_acc part[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            part[k] = acc;
        const int whole = begin + (end - begin) / 4 * 4;
#pragma unroll 4
        for (int j = begin + threadIdx.x * 4; j < whole; j += 1024) {
            const nd_vector<float, 4> q0 = *(const nd_vector<float, 4> *)(p0 + o0 + j);
#pragma unroll
            for (int k = 0; k < 4; k++) {
                const float x = nd_f(q0.at[k], a);
                part[k] = nd_join(part[k], nd_acc{(double)x});
            }
        }
#pragma unroll
        for (int k = 0; k < 4; k++)
            acc = nd_join(acc, part[k]);
        for (int j = whole + threadIdx.x; j < end; j += 256) {
            const float x = nd_f(p0[o0 + (j) * (int)a.v[8]], a);
            acc = nd_join(acc, nd_acc{(double)x});
        }
    }
    const int me = threadIdx.y * blockDim.x + threadIdx.x;
    shared[me] = acc;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            shared[me] = nd_join(shared[me], shared[me + half]);
        }
        __syncthreads();
    }
    acc = shared[me];
    if (threadIdx.x != 0 || row >= (int)a.v[0])
        return;
        out[row] = (float)acc.value;
}

// in two kernels

struct nd_args { long long v[5]; };
struct nd_acc { double value; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    a.value = a.value + b.value;
    return a;
}
extern "C" __global__ void __launch_bounds__(256) join_sum_float64(float *out, const nd_acc *p, const nd_args a) {
    const int segments = (int)a.v[3];
    const int segment = blockIdx.x % segments, group = blockIdx.x / segments;
    __shared__ nd_acc shared[256];
    const int row = (group * blockDim.y + threadIdx.y) * 1, begin = segment * (int)a.v[2], end = min((int)a.v[1], begin + (int)a.v[2]);
    nd_acc acc = {0};
    if (row < (int)a.v[0]) {
#pragma unroll 8
        for (int j = begin + threadIdx.x; j < end; j += 256)
            acc = nd_join(acc, p[row * end + j]);
    }
    const int me = threadIdx.y * blockDim.x + threadIdx.x;
    shared[me] = acc;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            shared[me] = nd_join(shared[me], shared[me + half]);
        }
        __syncthreads();
    }
    acc = shared[me];
    if (threadIdx.x != 0 || row >= (int)a.v[0])
        return;
        out[row] = (float)acc.value;
}

// in two kernels

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[9]; };
struct nd_acc { double value; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    a.value = a.value + b.value;
    return a;
}
static __device__ __forceinline__ float nd_f(float x0, const nd_args &a) {
    const float v0 = x0;
    return v0;
}
extern "C" __global__ void __launch_bounds__(256, 8) reduce_sum(nd_acc *out, const float *p0, const nd_args a) {
    const int segments = (int)a.v[3];
    const int segment = blockIdx.x % segments, group = blockIdx.x / segments;
    __shared__ nd_acc shared[256];
    const int row = (group * blockDim.y + threadIdx.y) * 1, begin = segment * (int)a.v[2], end = min((int)a.v[1], begin + (int)a.v[2]);
    nd_acc acc = {0};
    if (row < (int)a.v[0]) {
    int k = row, o0 = (int)a.v[4];
    {
        const int r = k;
        o0 += r * (int)a.v[7];
    }
        nd_acc part[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            part[k] = acc;
        const int whole = begin + (end - begin) / 4 * 4;
#pragma unroll 4
        for (int j = begin + threadIdx.x * 4; j < whole; j += 1024) {
            const nd_vector<float, 4> q0 = *(const nd_vector<float, 4> *)(p0 + o0 + j);
#pragma unroll
            for (int k = 0; k < 4; k++) {
                const float x = nd_f(q0.at[k], a);
                part[k] = nd_join(part[k], nd_acc{(double)x});
            }
        }
#pragma unroll
        for (int k = 0; k < 4; k++)
            acc = nd_join(acc, part[k]);
        for (int j = whole + threadIdx.x; j < end; j += 256) {
            const float x = nd_f(p0[o0 + (j) * (int)a.v[8]], a);
            acc = nd_join(acc, nd_acc{(double)x});
        }
    }
    const int me = threadIdx.y * blockDim.x + threadIdx.x;
    shared[me] = acc;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            shared[me] = nd_join(shared[me], shared[me + half]);
        }
        __syncthreads();
    }
    acc = shared[me];
    if (threadIdx.x != 0 || row >= (int)a.v[0])
        return;
        out[(row) * segments + segment] = acc;
}

// rows

struct nd_args { long long v[9]; };
struct nd_acc { int value; bool some; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    if (b.some && (!a.some || (a.value < b.value)))
        return b;
    return a;
}
static __device__ __forceinline__ int nd_f(int x0, const nd_args &a) {
    const int v0 = x0;
    return v0;
}
extern "C" __global__ void __launch_bounds__(256) reduce_max(int *out, const int *p0, const nd_args a) {
    const int segments = (int)a.v[3];
    const int segment = blockIdx.x % segments, group = blockIdx.x / segments;
    __shared__ nd_acc shared[256];
    const int row = (group * blockDim.y + threadIdx.y) * 1, begin = segment * (int)a.v[2], end = min((int)a.v[1], begin + (int)a.v[2]);
    nd_acc acc = {0, false};
    if (row < (int)a.v[0]) {
    int k = row, o0 = (int)a.v[4];
    {
        const int r = k;
        o0 += r * (int)a.v[7];
    }
#pragma unroll 8
        for (int j = begin + threadIdx.x; j < end; j += blockDim.x) {
            const int x = nd_f(p0[o0 + j * (int)a.v[8]], a);
            acc = nd_join(acc, nd_acc{(int)x, true});
        }
    }
    const int me = threadIdx.y * blockDim.x + threadIdx.x;
    shared[me] = acc;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            shared[me] = nd_join(shared[me], shared[me + half]);
        }
        __syncthreads();
    }
    acc = shared[me];
    if (threadIdx.x != 0 || row >= (int)a.v[0])
        return;
        out[row] = (int)acc.value;
}

// short rows of vectors

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

struct nd_args { long long v[9]; };
struct nd_acc { float value; long long at; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    if (b.at >= 0 && (a.at < 0 || (a.value == a.value && (a.value < b.value || b.value != b.value)) || ((a.value == b.value || (a.value != a.value && b.value != b.value)) && b.at < a.at)))
        return b;
    return a;
}
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, float x, long long at) {
    if (a.at < 0 || (a.value == a.value && (a.value < x || x != x)))
        a = nd_acc{x, at};
    return a;
}
static __device__ __forceinline__ float nd_f(float x0, const nd_args &a) {
    const float v0 = x0;
    return v0;
}
extern "C" __global__ void __launch_bounds__(256) reduce_argmax(long long *out, const float *p0, const nd_args a) {
    const int row = (int)blockIdx.x * 32 + threadIdx.y, end = (int)a.v[1];
    nd_acc acc = {0, -1};
    if (row < (int)a.v[0]) {
    int k = row, o0 = (int)a.v[4];
    {
        const int r = k;
        o0 += r * (int)a.v[7];
    }
        nd_acc part[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            part[k] = acc;
#pragma unroll
        for (int turn = 0; turn < 2; turn++) {
            const int j = (turn * 8 + threadIdx.x) * 4;
            if (j >= end)
                break;
            const nd_vector<float, 4> q0 = *(const nd_vector<float, 4> *)(p0 + o0 + j);
#pragma unroll
            for (int k = 0; k < 4; k++) {
                const float x = nd_f(q0.at[k], a);
                part[k] = nd_join(part[k], (float)x, j + k);
            }
        }
#pragma unroll
        for (int k = 0; k < 4; k++)
            acc = nd_join(acc, part[k]);
    }
    acc = nd_joined<nd_acc, 8, nd_join>(acc);
    if (threadIdx.x != 0 || row >= (int)a.v[0])
        return;
        out[row] = acc.at;
}

// columns

struct f16 { unsigned short bits; };
#ifdef GOPHERWARP_SIM
static __device__ __forceinline__ float nd_load(f16 h) { _Float16 n; memcpy(&n, &h, 2); return (float)n; }
static __device__ __forceinline__ f16 nd_store_f16(float x) { _Float16 n = (_Float16)x; f16 h; memcpy(&h, &n, 2); return h; }
#else
static __device__ __forceinline__ float nd_load(f16 h) { float x; asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h.bits)); return x; }
static __device__ __forceinline__ f16 nd_store_f16(float x) { f16 h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h.bits) : "f"(x)); return h; }
#endif
static __device__ __forceinline__ float nd_round_f16(float x) { return nd_load(nd_store_f16(x)); }

struct nd_args { long long v[5]; };
struct nd_acc { float value; bool some; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    if (b.some && (!a.some || (a.value == a.value && (a.value < b.value || b.value != b.value))))
        return b;
    return a;
}
extern "C" __global__ void __launch_bounds__(256) join_max_float32(f16 *out, const nd_acc *p, const nd_args a) {
    const int segments = (int)a.v[3];
    const int groups = gridDim.x / segments, segment = blockIdx.x / groups, group = blockIdx.x % groups;
    __shared__ nd_acc shared[256];
    const int row = (group * blockDim.x + threadIdx.x) * 1, begin = segment * (int)a.v[2], end = min((int)a.v[1], begin + (int)a.v[2]);
    nd_acc acc = {0, false};
    if (row < (int)a.v[0]) {
#pragma unroll 8
        for (int j = begin + threadIdx.y; j < end; j += 8)
            acc = nd_join(acc, p[j * ((int)a.v[0]) + row]);
    }
    const int me = threadIdx.y * blockDim.x + threadIdx.x;
    shared[me] = acc;
    __syncthreads();
    for (int half = blockDim.y / 2; half > 0; half /= 2) {
        if (threadIdx.y < half) {
            shared[me] = nd_join(shared[me], shared[me + half * blockDim.x]);
        }
        __syncthreads();
    }
    acc = shared[me];
    if (threadIdx.y != 0 || row >= (int)a.v[0])
        return;
        out[row] = nd_store_f16(nd_round_f16(acc.value));
}

// columns

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

struct nd_args { long long v[9]; };
struct nd_acc { float value; bool some; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    if (b.some && (!a.some || (a.value == a.value && (a.value < b.value || b.value != b.value))))
        return b;
    return a;
}
static __device__ __forceinline__ float nd_f(float x0, const nd_args &a) {
    const float v0 = x0;
    return v0;
}
extern "C" __global__ void __launch_bounds__(256, 8) reduce_max(nd_acc *out, const f16 *p0, const nd_args a) {
    const int segments = (int)a.v[3];
    const int groups = gridDim.x / segments, segment = blockIdx.x / groups, group = blockIdx.x % groups;
    __shared__ nd_acc shared[1024];
    const int row = (group * blockDim.x + threadIdx.x) * 4, begin = segment * (int)a.v[2], end = min((int)a.v[1], begin + (int)a.v[2]);
    nd_acc acc[4];
#pragma unroll
    for (int lane = 0; lane < 4; lane++)
        acc[lane] = {0, false};
    if (row < (int)a.v[0]) {
    int k = row, o0 = (int)a.v[4];
    {
        const int r = k;
        o0 += r * (int)a.v[7];
    }
#pragma unroll 8
        for (int j = begin + threadIdx.y; j < end; j += 8) {
            const nd_vector<f16, 4> t0 = *(const nd_vector<f16, 4> *)(p0 + o0 + j * (int)a.v[8]);
#pragma unroll
            for (int lane = 0; lane < 4; lane++) {
                const float x = nd_f(nd_load(t0.at[lane]), a);
                acc[lane] = nd_join(acc[lane], nd_acc{(float)x, true});
            }
        }
    }
    const int me = threadIdx.y * blockDim.x + threadIdx.x;
#pragma unroll
    for (int lane = 0; lane < 4; lane++)
        shared[lane * 256 + me] = acc[lane];
    __syncthreads();
    for (int half = blockDim.y / 2; half > 0; half /= 2) {
        if (threadIdx.y < half) {
#pragma unroll
    for (int lane = 0; lane < 4; lane++)
                shared[lane * 256 + me] = nd_join(shared[lane * 256 + me], shared[lane * 256 + me + half * blockDim.x]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int lane = 0; lane < 4; lane++)
        acc[lane] = shared[lane * 256 + me];
    if (threadIdx.y != 0 || row >= (int)a.v[0])
        return;
#pragma unroll
    for (int lane = 0; lane < 4; lane++)
            out[segment * (int)a.v[0] + row + lane] = acc[lane];
}

// columns of vectors

struct nd_args { long long v[5]; };
struct nd_acc { double value; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    a.value = a.value + b.value;
    return a;
}
extern "C" __global__ void __launch_bounds__(256) join_sum_float64(float *out, const nd_acc *p, const nd_args a) {
    const int segments = (int)a.v[3];
    const int groups = gridDim.x / segments, segment = blockIdx.x / groups, group = blockIdx.x % groups;
    __shared__ nd_acc shared[256];
    const int row = (group * blockDim.x + threadIdx.x) * 1, begin = segment * (int)a.v[2], end = min((int)a.v[1], begin + (int)a.v[2]);
    nd_acc acc = {0};
    if (row < (int)a.v[0]) {
#pragma unroll 8
        for (int j = begin + threadIdx.y; j < end; j += 8)
            acc = nd_join(acc, p[j * ((int)a.v[0]) + row]);
    }
    const int me = threadIdx.y * blockDim.x + threadIdx.x;
    shared[me] = acc;
    __syncthreads();
    for (int half = blockDim.y / 2; half > 0; half /= 2) {
        if (threadIdx.y < half) {
            shared[me] = nd_join(shared[me], shared[me + half * blockDim.x]);
        }
        __syncthreads();
    }
    acc = shared[me];
    if (threadIdx.y != 0 || row >= (int)a.v[0])
        return;
        out[row] = (float)acc.value;
}

// columns of vectors

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[12]; };
struct nd_acc { double value; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    a.value = a.value + b.value;
    return a;
}
static __device__ __forceinline__ float nd_f(float x0, float x1, const nd_args &a) {
    const float v0 = x0;
    const float v1 = x1;
    const float v2 = v0 + v1;
    return v2;
}
extern "C" __global__ void __launch_bounds__(256, 8) reduce_sum_add(nd_acc *out, const float *p0, const float *p1, const nd_args a) {
    const int segments = (int)a.v[3];
    const int groups = gridDim.x / segments, segment = blockIdx.x / groups, group = blockIdx.x % groups;
    __shared__ nd_acc shared[1024];
    const int row = (group * blockDim.x + threadIdx.x) * 4, begin = segment * (int)a.v[2], end = min((int)a.v[1], begin + (int)a.v[2]);
    nd_acc acc[4];
#pragma unroll
    for (int lane = 0; lane < 4; lane++)
        acc[lane] = {0};
    if (row < (int)a.v[0]) {
    int k = row, o0 = (int)a.v[4], o1 = (int)a.v[5];
    {
        const int r = k;
        o0 += r * (int)a.v[8];
        o1 += r * (int)a.v[10];
    }
#pragma unroll 8
        for (int j = begin + threadIdx.y; j < end; j += 8) {
            const nd_vector<float, 4> t0 = *(const nd_vector<float, 4> *)(p0 + o0 + j * (int)a.v[9]);
            const nd_vector<float, 4> t1 = *(const nd_vector<float, 4> *)(p1 + o1 + j * (int)a.v[11]);
#pragma unroll
            for (int lane = 0; lane < 4; lane++) {
                const float x = nd_f(t0.at[lane], t1.at[lane], a);
                acc[lane] = nd_join(acc[lane], nd_acc{(double)x});
            }
        }
    }
    const int me = threadIdx.y * blockDim.x + threadIdx.x;
#pragma unroll
    for (int lane = 0; lane < 4; lane++)
        shared[lane * 256 + me] = acc[lane];
    __syncthreads();
    for (int half = blockDim.y / 2; half > 0; half /= 2) {
        if (threadIdx.y < half) {
#pragma unroll
    for (int lane = 0; lane < 4; lane++)
                shared[lane * 256 + me] = nd_join(shared[lane * 256 + me], shared[lane * 256 + me + half * blockDim.x]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int lane = 0; lane < 4; lane++)
        acc[lane] = shared[lane * 256 + me];
    if (threadIdx.y != 0 || row >= (int)a.v[0])
        return;
#pragma unroll
    for (int lane = 0; lane < 4; lane++)
            out[segment * (int)a.v[0] + row + lane] = acc[lane];
}

// rows of vectors, not aligned and repeated

struct nd_args { long long v[15]; };
struct nd_acc { double value; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    a.value = a.value * b.value;
    return a;
}
static __device__ __forceinline__ float nd_f(float x0, float x1, float x2, const nd_args &a) {
    const float v0 = x0;
    const float v1 = x1;
    const float v2 = v0 * v1;
    const float v3 = x2;
    const float v4 = v2 + v3;
    return v4;
}
extern "C" __global__ void __launch_bounds__(256) reduce_prod_add_mul(float *out, const float *p0, const float *p1, const float *p2, const nd_args a) {
    const int segments = (int)a.v[3];
    const int segment = blockIdx.x % segments, group = blockIdx.x / segments;
    __shared__ nd_acc shared[256];
    const int row = (group * blockDim.y + threadIdx.y) * 1, begin = segment * (int)a.v[2], end = min((int)a.v[1], begin + (int)a.v[2]);
    nd_acc acc = {1};
    if (row < (int)a.v[0]) {
    int k = row, o0 = (int)a.v[4], o1 = (int)a.v[5], o2 = (int)a.v[6];
    {
        const int r = k;
        o0 += r * (int)a.v[9];
        o1 += r * (int)a.v[11];
        o2 += r * (int)a.v[13];
    }
#pragma unroll 8
        for (int j = begin + threadIdx.x; j < end; j += 256) {
            const float x = nd_f(p0[o0 + j * (int)a.v[10]], p1[o1 + j * (int)a.v[12]], p2[o2 + j * (int)a.v[14]], a);
            acc = nd_join(acc, nd_acc{(double)x});
        }
    }
    const int me = threadIdx.y * blockDim.x + threadIdx.x;
    shared[me] = acc;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            shared[me] = nd_join(shared[me], shared[me + half]);
        }
        __syncthreads();
    }
    acc = shared[me];
    if (threadIdx.x != 0 || row >= (int)a.v[0])
        return;
        out[row] = (float)acc.value;
}

// middle axis

struct nd_args { long long v[11]; };
struct nd_acc { double value; long long at; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    if (b.at >= 0 && (a.at < 0 || (a.value == a.value && (a.value > b.value || b.value != b.value)) || ((a.value == b.value || (a.value != a.value && b.value != b.value)) && b.at < a.at)))
        return b;
    return a;
}
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, double x, long long at) {
    if (a.at < 0 || (a.value == a.value && (a.value > x || x != x)))
        a = nd_acc{x, at};
    return a;
}
static __device__ __forceinline__ double nd_f(double x0, const nd_args &a) {
    const double v0 = x0;
    return v0;
}
extern "C" __global__ void __launch_bounds__(256) reduce_argmin(long long *out, const double *p0, const nd_args a) {
    const int segments = (int)a.v[3];
    const int groups = gridDim.x / segments, segment = blockIdx.x / groups, group = blockIdx.x % groups;
    __shared__ nd_acc shared[256];
    const int row = (group * blockDim.x + threadIdx.x) * 1, begin = segment * (int)a.v[2], end = min((int)a.v[1], begin + (int)a.v[2]);
    nd_acc acc = {0, -1};
    if (row < (int)a.v[0]) {
    int k = row, o0 = (int)a.v[4];
    {
        const int q = k / (int)a.v[6], r = k - q * (int)a.v[6];
        k = q;
        o0 += r * (int)a.v[9];
    }
    {
        const int r = k;
        o0 += r * (int)a.v[8];
    }
#pragma unroll 8
        for (int j = begin + threadIdx.y; j < end; j += blockDim.y) {
            const double x = nd_f(p0[o0 + j * (int)a.v[10]], a);
            acc = nd_join(acc, (double)x, j);
        }
    }
    const int me = threadIdx.y * blockDim.x + threadIdx.x;
    shared[me] = acc;
    __syncthreads();
    for (int half = blockDim.y / 2; half > 0; half /= 2) {
        if (threadIdx.y < half) {
            shared[me] = nd_join(shared[me], shared[me + half * blockDim.x]);
        }
        __syncthreads();
    }
    acc = shared[me];
    if (threadIdx.y != 0 || row >= (int)a.v[0])
        return;
        out[row] = acc.at;
}

// two axes

struct nd_args { long long v[11]; };
struct nd_acc { bool value; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    a.value = a.value || b.value;
    return a;
}
static __device__ __forceinline__ unsigned short nd_f(unsigned short x0, const nd_args &a) {
    const unsigned short v0 = x0;
    return v0;
}
extern "C" __global__ void __launch_bounds__(256) reduce_any(bool *out, const unsigned short *p0, const nd_args a) {
    const int segments = (int)a.v[3];
    const int segment = blockIdx.x % segments, group = blockIdx.x / segments;
    __shared__ nd_acc shared[256];
    const int row = (group * blockDim.y + threadIdx.y) * 1, begin = segment * (int)a.v[2], end = min((int)a.v[1], begin + (int)a.v[2]);
    nd_acc acc = {0};
    if (row < (int)a.v[0]) {
    int k = row, o0 = (int)a.v[4];
    {
        const int r = k;
        o0 += r * (int)a.v[8];
    }
        for (int j = begin + threadIdx.x; j < end; j += blockDim.x) {
            int left = j;
            int q0 = o0;
    {
        const int q = left / (int)a.v[7], r = left - q * (int)a.v[7];
        left = q;
        q0 += r * (int)a.v[10];
    }
    {
        const int r = left;
        q0 += r * (int)a.v[9];
    }
            const unsigned short x = nd_f(p0[q0], a);
            acc = nd_join(acc, nd_acc{x != 0});
        }
    }
    const int me = threadIdx.y * blockDim.x + threadIdx.x;
    shared[me] = acc;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            shared[me] = nd_join(shared[me], shared[me + half]);
        }
        __syncthreads();
    }
    acc = shared[me];
    if (threadIdx.x != 0 || row >= (int)a.v[0])
        return;
        out[row] = acc.value != 0;
}

// mean of complex numbers

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

struct nd_args { long long v[9]; };
struct nd_acc { complex<double> value; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    a.value = a.value + b.value;
    return a;
}
static __device__ __forceinline__ complex<float> nd_f(complex<float> x0, const nd_args &a) {
    const complex<float> v0 = x0;
    return v0;
}
extern "C" __global__ void __launch_bounds__(256) reduce_mean(complex<float> *out, const complex<float> *p0, const nd_args a) {
    const int segments = (int)a.v[3];
    const int segment = blockIdx.x % segments, group = blockIdx.x / segments;
    __shared__ nd_acc shared[256];
    const int row = (group * blockDim.y + threadIdx.y) * 1, begin = segment * (int)a.v[2], end = min((int)a.v[1], begin + (int)a.v[2]);
    nd_acc acc = {complex<double>(0, 0)};
    if (row < (int)a.v[0]) {
    int k = row, o0 = (int)a.v[4];
    {
        const int r = k;
        o0 += r * (int)a.v[7];
    }
#pragma unroll 8
        for (int j = begin + threadIdx.x; j < end; j += blockDim.x) {
            const complex<float> x = nd_f(p0[o0 + j * (int)a.v[8]], a);
            acc = nd_join(acc, nd_acc{complex<double>(x.re, x.im)});
        }
    }
    const int me = threadIdx.y * blockDim.x + threadIdx.x;
    shared[me] = acc;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            shared[me] = nd_join(shared[me], shared[me + half]);
        }
        __syncthreads();
    }
    acc = shared[me];
    if (threadIdx.x != 0 || row >= (int)a.v[0])
        return;
    {
        const complex<double> nd_mean = complex<double>(acc.value.re / (double)((int)a.v[1]), acc.value.im / (double)((int)a.v[1]));
        out[row] = complex<float>(nd_mean.re, nd_mean.im);
    }
}

// index

struct nd_args { long long v[14]; };
struct nd_acc { bool value; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    a.value = a.value && b.value;
    return a;
}
static __device__ __forceinline__ long long nd_f(long long x0, long long x1, const nd_args &a) {
    const long long v0 = (long long)a.v[12];
    const long long v1 = x0;
    const long long v2 = (long long)a.v[13];
    const long long v3 = (long long)((unsigned long long)v1 * (unsigned long long)v2);
    const long long v4 = (long long)((unsigned long long)v0 + (unsigned long long)v3);
    const long long v5 = x1;
    const long long v6 = (long long)((unsigned long long)v4 * (unsigned long long)v5);
    return v6;
}
extern "C" __global__ void __launch_bounds__(256) reduce_all_mul_add_mul(bool *out, const long long *p1, const nd_args a) {
    const int segments = (int)a.v[3];
    const int segment = blockIdx.x % segments, group = blockIdx.x / segments;
    __shared__ nd_acc shared[256];
    const int row = (group * blockDim.y + threadIdx.y) * 1, begin = segment * (int)a.v[2], end = min((int)a.v[1], begin + (int)a.v[2]);
    nd_acc acc = {true};
    if (row < (int)a.v[0]) {
    int k = row, o0 = (int)a.v[4], o1 = (int)a.v[5];
    {
        const int r = k;
        o0 += r * (int)a.v[8];
        o1 += r * (int)a.v[10];
    }
#pragma unroll 8
        for (int j = begin + threadIdx.x; j < end; j += blockDim.x) {
            const long long x = nd_f((long long)(o0 + j * (int)a.v[9]), p1[o1 + j * (int)a.v[11]], a);
            acc = nd_join(acc, nd_acc{x != 0});
        }
    }
    const int me = threadIdx.y * blockDim.x + threadIdx.x;
    shared[me] = acc;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            shared[me] = nd_join(shared[me], shared[me + half]);
        }
        __syncthreads();
    }
    acc = shared[me];
    if (threadIdx.x != 0 || row >= (int)a.v[0])
        return;
        out[row] = acc.value != 0;
}

// index, rows of vectors

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[14]; };
struct nd_acc { float value; long long at; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    if (b.at >= 0 && (a.at < 0 || (a.value == a.value && (a.value < b.value || b.value != b.value)) || ((a.value == b.value || (a.value != a.value && b.value != b.value)) && b.at < a.at)))
        return b;
    return a;
}
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, float x, long long at) {
    if (a.at < 0 || (a.value == a.value && (a.value < x || x != x)))
        a = nd_acc{x, at};
    return a;
}
static __device__ __forceinline__ float nd_f(long long x0, float x1, const nd_args &a) {
    const float v0 = __int_as_float((int)a.v[12]);
    const long long v1 = x0;
    const float v2 = (float)v1;
    const float v3 = __int_as_float((int)a.v[13]);
    const float v4 = v2 * v3;
    const float v5 = v0 + v4;
    const float v6 = x1;
    const float v7 = v5 * v6;
    return v7;
}
extern "C" __global__ void __launch_bounds__(256) reduce_argmax_mul_add_mul_astype(long long *out, const float *p1, const nd_args a) {
    const int segments = (int)a.v[3];
    const int segment = blockIdx.x % segments, group = blockIdx.x / segments;
    __shared__ nd_acc shared[256];
    const int row = (group * blockDim.y + threadIdx.y) * 1, begin = segment * (int)a.v[2], end = min((int)a.v[1], begin + (int)a.v[2]);
    nd_acc acc = {0, -1};
    if (row < (int)a.v[0]) {
    int k = row, o0 = (int)a.v[4], o1 = (int)a.v[5];
    {
        const int r = k;
        o0 += r * (int)a.v[8];
        o1 += r * (int)a.v[10];
    }
        nd_acc part[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            part[k] = acc;
        const int whole = begin + (end - begin) / 4 * 4;
#pragma unroll 4
        for (int j = begin + threadIdx.x * 4; j < whole; j += 1024) {
            const nd_vector<float, 4> q1 = *(const nd_vector<float, 4> *)(p1 + o1 + j);
#pragma unroll
            for (int k = 0; k < 4; k++) {
                const float x = nd_f((long long)(o0 + (j + k) * (int)a.v[9]), q1.at[k], a);
                part[k] = nd_join(part[k], (float)x, j + k);
            }
        }
#pragma unroll
        for (int k = 0; k < 4; k++)
            acc = nd_join(acc, part[k]);
        for (int j = whole + threadIdx.x; j < end; j += 256) {
            const float x = nd_f((long long)(o0 + (j) * (int)a.v[9]), p1[o1 + (j) * (int)a.v[11]], a);
            acc = nd_join(acc, (float)x, j);
        }
    }
    const int me = threadIdx.y * blockDim.x + threadIdx.x;
    shared[me] = acc;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            shared[me] = nd_join(shared[me], shared[me + half]);
        }
        __syncthreads();
    }
    acc = shared[me];
    if (threadIdx.x != 0 || row >= (int)a.v[0])
        return;
        out[row] = acc.at;
}

// index, columns of vectors

struct nd_args { long long v[5]; };
struct nd_acc { float value; bool some; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    if (b.some && (!a.some || (a.value == a.value && (a.value > b.value || b.value != b.value))))
        return b;
    return a;
}
extern "C" __global__ void __launch_bounds__(256) join_min_float32(float *out, const nd_acc *p, const nd_args a) {
    const int segments = (int)a.v[3];
    const int groups = gridDim.x / segments, segment = blockIdx.x / groups, group = blockIdx.x % groups;
    __shared__ nd_acc shared[256];
    const int row = (group * blockDim.x + threadIdx.x) * 1, begin = segment * (int)a.v[2], end = min((int)a.v[1], begin + (int)a.v[2]);
    nd_acc acc = {0, false};
    if (row < (int)a.v[0]) {
#pragma unroll 8
        for (int j = begin + threadIdx.y; j < end; j += 8)
            acc = nd_join(acc, p[j * ((int)a.v[0]) + row]);
    }
    const int me = threadIdx.y * blockDim.x + threadIdx.x;
    shared[me] = acc;
    __syncthreads();
    for (int half = blockDim.y / 2; half > 0; half /= 2) {
        if (threadIdx.y < half) {
            shared[me] = nd_join(shared[me], shared[me + half * blockDim.x]);
        }
        __syncthreads();
    }
    acc = shared[me];
    if (threadIdx.y != 0 || row >= (int)a.v[0])
        return;
        out[row] = (float)acc.value;
}

// index, columns of vectors

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[14]; };
struct nd_acc { float value; bool some; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    if (b.some && (!a.some || (a.value == a.value && (a.value > b.value || b.value != b.value))))
        return b;
    return a;
}
static __device__ __forceinline__ float nd_f(long long x0, float x1, const nd_args &a) {
    const float v0 = __int_as_float((int)a.v[12]);
    const long long v1 = x0;
    const float v2 = (float)v1;
    const float v3 = __int_as_float((int)a.v[13]);
    const float v4 = v2 * v3;
    const float v5 = v0 + v4;
    const float v6 = x1;
    const float v7 = v5 * v6;
    return v7;
}
extern "C" __global__ void __launch_bounds__(256) reduce_min_mul_add_mul_astype(nd_acc *out, const float *p1, const nd_args a) {
    const int segments = (int)a.v[3];
    const int groups = gridDim.x / segments, segment = blockIdx.x / groups, group = blockIdx.x % groups;
    __shared__ nd_acc shared[1024];
    const int row = (group * blockDim.x + threadIdx.x) * 4, begin = segment * (int)a.v[2], end = min((int)a.v[1], begin + (int)a.v[2]);
    nd_acc acc[4];
#pragma unroll
    for (int lane = 0; lane < 4; lane++)
        acc[lane] = {0, false};
    if (row < (int)a.v[0]) {
    int k = row, o0 = (int)a.v[4], o1 = (int)a.v[5];
    {
        const int r = k;
        o0 += r * (int)a.v[8];
        o1 += r * (int)a.v[10];
    }
#pragma unroll 8
        for (int j = begin + threadIdx.y; j < end; j += 8) {
            const nd_vector<float, 4> t1 = *(const nd_vector<float, 4> *)(p1 + o1 + j * (int)a.v[11]);
#pragma unroll
            for (int lane = 0; lane < 4; lane++) {
                const float x = nd_f((long long)(o0 + j * (int)a.v[9] + lane * (int)a.v[8]), t1.at[lane], a);
                acc[lane] = nd_join(acc[lane], nd_acc{(float)x, true});
            }
        }
    }
    const int me = threadIdx.y * blockDim.x + threadIdx.x;
#pragma unroll
    for (int lane = 0; lane < 4; lane++)
        shared[lane * 256 + me] = acc[lane];
    __syncthreads();
    for (int half = blockDim.y / 2; half > 0; half /= 2) {
        if (threadIdx.y < half) {
#pragma unroll
    for (int lane = 0; lane < 4; lane++)
                shared[lane * 256 + me] = nd_join(shared[lane * 256 + me], shared[lane * 256 + me + half * blockDim.x]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int lane = 0; lane < 4; lane++)
        acc[lane] = shared[lane * 256 + me];
    if (threadIdx.y != 0 || row >= (int)a.v[0])
        return;
#pragma unroll
    for (int lane = 0; lane < 4; lane++)
            out[segment * (int)a.v[0] + row + lane] = acc[lane];
}

