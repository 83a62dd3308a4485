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

// bincount

struct nd_args { long long v[2]; };
extern "C" __global__ void __launch_bounds__(256) count(double *out, const long long *numbers, const double *weights, const nd_args a) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i >= a.v[0])
        return;
    const long long x = numbers[i];
    if (x >= 0 && x < a.v[1])
        atomicAdd(out + x, weights[i]);
}

// bincount

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[5]; };

static __device__ __forceinline__ long long nd_f(long long x0, const nd_args &a) {
    const long long v0 = x0;
    const long long v1 = (long long)v0;
    return v1;
}

extern "C" __global__ void __launch_bounds__(256) map_astype(long long *out, const long long *p0, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 2;
    if (j >= n)
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2];
    if (j + 2 <= n) {
        const nd_vector<long long, 2> q0 = *(const nd_vector<long long, 2> *)(p0 + o0 + j);
        nd_vector<long long, 2> r;
#pragma unroll
        for (int k = 0; k < 2; k++)
            r.at[k] = nd_f(q0.at[k], a);
        *(nd_vector<long long, 2> *)(out + at + j) = r;
        return;
    }
    for (int k = 0; j + k < n; k++)
        out[at + j + k] = nd_f(p0[o0 + j + k], a);
}

// bincount

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
        nd_vector<double, 2> r;
#pragma unroll
        for (int k = 0; k < 2; k++)
            r.at[k] = nd_f(a);
        *(nd_vector<double, 2> *)(out + at + j) = r;
        return;
    }
    for (int k = 0; j + k < n; k++)
        out[at + j + k] = nd_f(a);
}

// bincount

struct nd_args { long long v[9]; };
struct nd_acc { long long value; bool some; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    if (b.some && (!a.some || (a.value > b.value)))
        return b;
    return a;
}
static __device__ __forceinline__ long long nd_f(long long x0, const nd_args &a) {
    const long long v0 = x0;
    const long long v1 = (long long)v0;
    return v1;
}
extern "C" __global__ void __launch_bounds__(256) reduce_min_astype(long long *out, const long long *p0, const nd_args a) {
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
            const long long x = nd_f(p0[o0 + j * (int)a.v[8]], a);
            acc = nd_join(acc, nd_acc{(long long)x, true});
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
        out[row] = (long long)acc.value;
}

// bincount

struct nd_args { long long v[9]; };
struct nd_acc { long long value; bool some; };
static __device__ __forceinline__ nd_acc nd_join(nd_acc a, nd_acc b) {
    if (b.some && (!a.some || (a.value < b.value)))
        return b;
    return a;
}
static __device__ __forceinline__ long long nd_f(long long x0, const nd_args &a) {
    const long long v0 = x0;
    const long long v1 = (long long)v0;
    return v1;
}
extern "C" __global__ void __launch_bounds__(256) reduce_max_astype(long long *out, const long long *p0, const nd_args a) {
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
            const long long x = nd_f(p0[o0 + j * (int)a.v[8]], a);
            acc = nd_join(acc, nd_acc{(long long)x, true});
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
        out[row] = (long long)acc.value;
}

