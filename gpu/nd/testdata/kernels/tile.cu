// transposed

struct nd_args { long long v[13]; };

static __device__ __forceinline__ float nd_f(float x0, float x1, const nd_args &a) {
    const float v0 = x0;
    const float v1 = x1;
    const float v2 = v0 + v1;
    return v2;
}

extern "C" __global__ void __launch_bounds__(256) tile_add(float *out, const float *p0, const float *p1, const nd_args a) {
    __shared__ float t0[64][65];
    int block = blockIdx.x / ((int)a.v[2]);
    const int j = (blockIdx.x % ((int)a.v[2])) * 64, i = block % ((int)a.v[3]) * 64;
    block /= (int)a.v[3];
    const int width = min((int)a.v[0] - j, (int)64), height = min((int)a.v[1] - i, (int)64);
    int at = (int)a.v[4], o0 = (int)a.v[5], o1 = (int)a.v[6];
    {
        float load[16];
#pragma unroll
        for (int k = 0; k < 16; k++) {
            const int y = min((int)(threadIdx.x % 64), height - 1), x = min((int)(threadIdx.x / 64 + k * 4), width - 1);
            load[k] = *(const float *)(p0 + o0 + (i + y) * (int)a.v[9] + (j + x) * (int)a.v[10]);
        }
#pragma unroll
        for (int k = 0; k < 16; k++) {
            const int y = threadIdx.x % 64, x = threadIdx.x / 64 + k * 4;
            t0[x][y] = load[k];
        }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; k++) {
        const int x = threadIdx.x % 64, y = threadIdx.x / 64 + k * 4;
        if (x < width && y < height)
            out[at + (i + y) * (int)a.v[7] + (j + x) * (int)a.v[8]] = nd_f(t0[x][y], p1[o1 + (i + y) * (int)a.v[11] + (j + x) * (int)a.v[12]], a);
    }
}

// transposed bytes

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[13]; };

static __device__ __forceinline__ signed char nd_f(signed char x0, signed char x1, const nd_args &a) {
    const signed char v0 = x0;
    const signed char v1 = x1;
    const signed char v2 = (signed char)((unsigned)v0 + (unsigned)v1);
    return v2;
}

extern "C" __global__ void __launch_bounds__(256) tile_add(signed char *out, const signed char *p0, const signed char *p1, const nd_args a) {
    __shared__ nd_vector<signed char, 4> t0[4096];
    int block = blockIdx.x / ((int)a.v[2]);
    const int j = (blockIdx.x % ((int)a.v[2])) * 128, i = block % ((int)a.v[3]) * 128;
    block /= (int)a.v[3];
    const int width = min((int)a.v[0] - j, (int)128), height = min((int)a.v[1] - i, (int)128);
    int at = (int)a.v[4], o0 = (int)a.v[5], o1 = (int)a.v[6];
    {
        nd_vector<signed char, 4> load[16];
#pragma unroll
        for (int k = 0; k < 16; k++) {
            const int y = min((int)(threadIdx.x % 32 * 4), height - 4), x = min((int)(threadIdx.x / 32 + k * 8), width - 1);
            load[k] = *(const nd_vector<signed char, 4> *)(p0 + o0 + (i + y) * (int)a.v[9] + (j + x) * (int)a.v[10]);
        }
#pragma unroll
        for (int k = 0; k < 16; k++) {
            const int y = threadIdx.x % 32 * 4, x = threadIdx.x / 32 + k * 8;
            t0[x * 32 + (y / 4 + x / 4) % 32] = load[k];
        }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int left = threadIdx.x % 32 * 4, top = (threadIdx.x / 32 + k * 8) * 4;
        if (top >= height || left >= width)
            continue;
        nd_vector<signed char, 4> q0[4];
        nd_vector<signed char, 4> q1[4];
#pragma unroll
        for (int s = 0; s < 4; s++) {
            const int x = left + s, y = top;
            q0[s] = t0[x * 32 + (y / 4 + x / 4) % 32];
        }
#pragma unroll
        for (int r = 0; r < 4; r++) {
            const int x = left, y = top + r;
            q1[r] = *(const nd_vector<signed char, 4> *)(p1 + o1 + (i + y) * (int)a.v[11] + (j + x) * (int)a.v[12]);
        }
#pragma unroll
        for (int r = 0; r < 4; r++) {
            nd_vector<signed char, 4> to;
#pragma unroll
            for (int s = 0; s < 4; s++) {
                const int x = left + s, y = top + r;
                to.at[s] = nd_f(q0[s].at[r], q1[r].at[s], a);
            }
            const int x = left, y = top + r;
            *(nd_vector<signed char, 4> *)(out + at + (i + y) * (int)a.v[7] + (j + x) * (int)a.v[8]) = to;
        }
    }
}

// transposed, three axes

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

struct nd_args { long long v[13]; };

static __device__ __forceinline__ complex<double> nd_f(complex<double> x0, const nd_args &a) {
    const complex<double> v0 = x0;
    const complex<double> v1 = v0;
    return v1;
}

extern "C" __global__ void __launch_bounds__(256) tile_copy(complex<double> *out, const complex<double> *p0, const nd_args a) {
    __shared__ complex<double> t0[32][33];
    int block = blockIdx.x / ((int)a.v[2]);
    const int j = (blockIdx.x % ((int)a.v[2])) * 32, i = block % ((int)a.v[3]) * 32;
    block /= (int)a.v[3];
    const int width = min((int)a.v[0] - j, (int)32), height = min((int)a.v[1] - i, (int)32);
    int at = (int)a.v[4], o0 = (int)a.v[5];
    {
        const int r = block;
        at += r * (int)a.v[7];
        o0 += r * (int)a.v[10];
    }
    {
        complex<double> load[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const int y = min((int)(threadIdx.x % 32), height - 1), x = min((int)(threadIdx.x / 32 + k * 8), width - 1);
            load[k] = *(const complex<double> *)(p0 + o0 + (i + y) * (int)a.v[11] + (j + x) * (int)a.v[12]);
        }
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const int y = threadIdx.x % 32, x = threadIdx.x / 32 + k * 8;
            t0[x][y] = load[k];
        }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int x = threadIdx.x % 32, y = threadIdx.x / 32 + k * 8;
        if (x < width && y < height)
            out[at + (i + y) * (int)a.v[8] + (j + x) * (int)a.v[9]] = nd_f(t0[x][y], a);
    }
}

