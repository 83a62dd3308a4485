// kept by 32 threads

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

struct nd_args { long long v[6]; };
static __device__ __forceinline__ void nd_f0(const nd_args &a, float &y0, float x0) {
    const float v0 = x0;
    y0 = v0;
}
struct nd_acc0 { double value; };
static __device__ __forceinline__ nd_acc0 nd_join0(nd_acc0 a, nd_acc0 b) {
    a.value = a.value + b.value;
    return a;
}
static __device__ __forceinline__ void nd_f1(const nd_args &a, float &y0, float x0, float r0) {
    const float v0 = x0;
    const float v1 = r0;
    const float v2 = v0 - v1;
    y0 = v2;
}
extern "C" __global__ void __launch_bounds__(256, 4) rows_sum_sub(float *__restrict__ to0, float *__restrict__ out, const float *p0, const nd_args a) {
    const int rows = (int)a.v[0], row = (int)blockIdx.x * 8 + threadIdx.y, n = row < rows ? (int)a.v[1] : 0;
    int k = min(row, rows - 1), o0 = (int)a.v[2];
    const int at = row * n;
    const int whole = n / 4 * 4;
    {
        const int r = k;
        o0 += r * (int)a.v[4];
    }
    nd_vector<float, 4> h0[5];
#pragma unroll
    for (int v = 0; v < 5; v++) {
        const int j = ((int)threadIdx.x + v * 32) * 4;
        if (j < whole) {
            h0[v] = *(const nd_vector<float, 4> *)(p0 + o0 + j);
        }
    }
    nd_acc0 acc0 = {0};
    {
        nd_acc0 part0[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            part0[k] = acc0;
#pragma unroll
        for (int v = 0; v < 5; v++) {
            const int j = ((int)threadIdx.x + v * 32) * 4;
            if (j >= whole)
                continue;
            const nd_vector<float, 4> &q0 = h0[v];
#pragma unroll
            for (int k = 0; k < 4; k++) {
                float y0;
                nd_f0(a, y0, q0.at[k]);
                part0[k] = nd_join0(part0[k], nd_acc0{(double)y0});
            }
        }
#pragma unroll
        for (int k = 0; k < 4; k++)
            acc0 = nd_join0(acc0, part0[k]);
#pragma unroll 4
        for (int j = whole + threadIdx.x; j < n; j += 32) {
            float y0;
            nd_f0(a, y0, p0[o0 + j]);
            acc0 = nd_join0(acc0, nd_acc0{(double)y0});
        }
    }
    acc0 = nd_whole<nd_acc0, 32, nd_join0>(acc0, nullptr);
    const float r0 = (float)(acc0.value / (double)((int)a.v[1]));
    if (threadIdx.x == 0 && n > 0)
        to0[row] = r0;
    {
#pragma unroll
        for (int v = 0; v < 5; v++) {
            const int j = ((int)threadIdx.x + v * 32) * 4;
            if (j >= whole)
                continue;
            const nd_vector<float, 4> &q0 = h0[v];
            nd_vector<float, 4> y;
#pragma unroll
            for (int k = 0; k < 4; k++) {
                float y0;
                nd_f1(a, y0, q0.at[k], r0);
                y.at[k] = y0;
            }
            *(nd_vector<float, 4> *)(out + at + j) = y;
        }
#pragma unroll 4
        for (int j = whole + threadIdx.x; j < n; j += 32) {
            float y0;
            nd_f1(a, y0, p0[o0 + j], r0);
            out[at + j] = y0;
        }
    }
}

// kept by 512 threads

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

struct nd_args { long long v[6]; };
static __device__ __forceinline__ void nd_f0(const nd_args &a, float &y0, float x0) {
    const float v0 = x0;
    y0 = v0;
}
struct nd_acc0 { double value; };
static __device__ __forceinline__ nd_acc0 nd_join0(nd_acc0 a, nd_acc0 b) {
    a.value = a.value + b.value;
    return a;
}
static __device__ __forceinline__ void nd_f1(const nd_args &a, float &y0, float x0, float r0) {
    const float v0 = x0;
    const float v1 = r0;
    const float v2 = v0 - v1;
    y0 = v2;
}
extern "C" __global__ void __launch_bounds__(512, 2) rows_sum_sub(float *__restrict__ to0, float *__restrict__ out, const float *p0, const nd_args a) {
    const int rows = (int)a.v[0], row = (int)blockIdx.x * 1 + threadIdx.y, n = row < rows ? (int)a.v[1] : 0;
    int k = min(row, rows - 1), o0 = (int)a.v[2];
    const int at = row * n;
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
    nd_acc0 acc0 = {0};
    {
        nd_acc0 part0[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            part0[k] = acc0;
#pragma unroll
        for (int v = 0; v < 8; v++) {
            const int j = ((int)threadIdx.x + v * 512) * 4;
            if (j >= whole)
                continue;
            const nd_vector<float, 4> &q0 = h0[v];
#pragma unroll
            for (int k = 0; k < 4; k++) {
                float y0;
                nd_f0(a, y0, q0.at[k]);
                part0[k] = nd_join0(part0[k], nd_acc0{(double)y0});
            }
        }
#pragma unroll
        for (int k = 0; k < 4; k++)
            acc0 = nd_join0(acc0, part0[k]);
#pragma unroll 4
        for (int j = whole + threadIdx.x; j < n; j += 512) {
            float y0;
            nd_f0(a, y0, p0[o0 + j]);
            acc0 = nd_join0(acc0, nd_acc0{(double)y0});
        }
    }
    __shared__ nd_acc0 room0[16];
    acc0 = nd_whole<nd_acc0, 512, nd_join0>(acc0, room0);
    const float r0 = (float)(acc0.value / (double)((int)a.v[1]));
    if (threadIdx.x == 0 && n > 0)
        to0[row] = r0;
    {
#pragma unroll
        for (int v = 0; v < 8; v++) {
            const int j = ((int)threadIdx.x + v * 512) * 4;
            if (j >= whole)
                continue;
            const nd_vector<float, 4> &q0 = h0[v];
            nd_vector<float, 4> y;
#pragma unroll
            for (int k = 0; k < 4; k++) {
                float y0;
                nd_f1(a, y0, q0.at[k], r0);
                y.at[k] = y0;
            }
            *(nd_vector<float, 4> *)(out + at + j) = y;
        }
#pragma unroll 4
        for (int j = whole + threadIdx.x; j < n; j += 512) {
            float y0;
            nd_f1(a, y0, p0[o0 + j], r0);
            out[at + j] = y0;
        }
    }
}

// too long to be kept

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

struct nd_args { long long v[6]; };
static __device__ __forceinline__ void nd_f0(const nd_args &a, double &y0, double x0) {
    const double v0 = x0;
    y0 = v0;
}
struct nd_acc0 { double value; };
static __device__ __forceinline__ nd_acc0 nd_join0(nd_acc0 a, nd_acc0 b) {
    a.value = a.value + b.value;
    return a;
}
static __device__ __forceinline__ void nd_f1(const nd_args &a, double &y0, double x0, double r0) {
    const double v0 = x0;
    const double v1 = r0;
    const double v2 = v0 - v1;
    y0 = v2;
}
extern "C" __global__ void __launch_bounds__(1024) rows_sum_sub(double *__restrict__ to0, double *__restrict__ out, const double *p0, const nd_args a) {
    const int rows = (int)a.v[0], row = (int)blockIdx.x * 1 + threadIdx.y, n = row < rows ? (int)a.v[1] : 0;
    int k = min(row, rows - 1), o0 = (int)a.v[2];
    const int at = row * n;
    const int whole = n / 2 * 2;
    {
        const int r = k;
        o0 += r * (int)a.v[4];
    }
    nd_acc0 acc0 = {0};
    {
        nd_acc0 part0[2];
#pragma unroll
        for (int k = 0; k < 2; k++)
            part0[k] = acc0;
#pragma unroll 4
        for (int j = threadIdx.x * 2; j < whole; j += 2048) {
            const nd_vector<double, 2> q0 = *(const nd_vector<double, 2> *)(p0 + o0 + j);
#pragma unroll
            for (int k = 0; k < 2; k++) {
                double y0;
                nd_f0(a, y0, q0.at[k]);
                part0[k] = nd_join0(part0[k], nd_acc0{(double)y0});
            }
        }
#pragma unroll
        for (int k = 0; k < 2; k++)
            acc0 = nd_join0(acc0, part0[k]);
#pragma unroll 4
        for (int j = whole + threadIdx.x; j < n; j += 1024) {
            double y0;
            nd_f0(a, y0, p0[o0 + j]);
            acc0 = nd_join0(acc0, nd_acc0{(double)y0});
        }
    }
    __shared__ nd_acc0 room0[32];
    acc0 = nd_whole<nd_acc0, 1024, nd_join0>(acc0, room0);
    const double r0 = (double)(acc0.value / (double)((int)a.v[1]));
    if (threadIdx.x == 0 && n > 0)
        to0[row] = r0;
    {
#pragma unroll 4
        for (int j = threadIdx.x * 2; j < whole; j += 2048) {
            const nd_vector<double, 2> q0 = *(const nd_vector<double, 2> *)(p0 + o0 + j);
            nd_vector<double, 2> y;
#pragma unroll
            for (int k = 0; k < 2; k++) {
                double y0;
                nd_f1(a, y0, q0.at[k], r0);
                y.at[k] = y0;
            }
            *(nd_vector<double, 2> *)(out + at + j) = y;
        }
#pragma unroll 4
        for (int j = whole + threadIdx.x; j < n; j += 1024) {
            double y0;
            nd_f1(a, y0, p0[o0 + j], r0);
            out[at + j] = y0;
        }
    }
}

