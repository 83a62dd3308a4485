// vectors

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[8]; };

static __device__ __forceinline__ float nd_f(float x0, float x1, const nd_args &a) {
    const float v0 = x0;
    const float v1 = x1;
    const float v2 = v0 + v1;
    const float v3 = __int_as_float((int)a.v[7]);
    const float v4 = v2 * v3;
    return v4;
}

extern "C" __global__ void __launch_bounds__(256) map_mul_add(float *out, const float *p0, const float *p1, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 4;
    if (j >= n)
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2], o1 = (int)a.v[3];
    if (j + 4 <= n) {
        const nd_vector<float, 4> q0 = *(const nd_vector<float, 4> *)(p0 + o0 + j);
        const nd_vector<float, 4> q1 = *(const nd_vector<float, 4> *)(p1 + o1 + j);
        nd_vector<float, 4> r0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            r0.at[k] = nd_f(q0.at[k], q1.at[k], a);
        }
        *(nd_vector<float, 4> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f(p0[o0 + j + k], p1[o1 + j + k], a);
    }
}

// vectors of two types

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[8]; };

static __device__ __forceinline__ double nd_f(bool x0, double x1, const nd_args &a) {
    const bool v0 = x0;
    const double v1 = x1;
    const double v2 = __longlong_as_double(a.v[7]);
    const double v3 = v0 ? v1 : v2;
    return v3;
}

extern "C" __global__ void __launch_bounds__(256) map_where(double *out, const bool *p0, const double *p1, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 2;
    if (j >= n)
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2], o1 = (int)a.v[3];
    if (j + 2 <= n) {
        const nd_vector<bool, 2> q0 = *(const nd_vector<bool, 2> *)(p0 + o0 + j);
        const nd_vector<double, 2> q1 = *(const nd_vector<double, 2> *)(p1 + o1 + j);
        nd_vector<double, 2> r0;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            r0.at[k] = nd_f(q0.at[k], q1.at[k], a);
        }
        *(nd_vector<double, 2> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f(p0[o0 + j + k], p1[o1 + j + k], a);
    }
}

// numbers of 16 bits

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

struct nd_args { long long v[7]; };

static __device__ __forceinline__ float nd_f(float x0, float x1, const nd_args &a) {
    const float v0 = x0;
    const float v1 = nd_round_f16(sqrtf(v0));
    const float v2 = x1;
    const float v3 = nd_round_f16(v1 + v2);
    return v3;
}

extern "C" __global__ void __launch_bounds__(256) map_add_sqrt(f16 *out, const f16 *p0, const f16 *p1, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 8;
    if (j >= n)
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2], o1 = (int)a.v[3];
    if (j + 8 <= n) {
        const nd_vector<f16, 8> q0 = *(const nd_vector<f16, 8> *)(p0 + o0 + j);
        const nd_vector<f16, 8> q1 = *(const nd_vector<f16, 8> *)(p1 + o1 + j);
        nd_vector<f16, 8> r0;
#pragma unroll
        for (int k = 0; k < 8; k++) {
            r0.at[k] = nd_store_f16(nd_f(nd_load(q0.at[k]), nd_load(q1.at[k]), a));
        }
        *(nd_vector<f16, 8> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_store_f16(nd_f(nd_load(p0[o0 + j + k]), nd_load(p1[o1 + j + k]), a));
    }
}

// bfloat16

struct bf16 { unsigned short bits; };
static __device__ __forceinline__ float nd_load(bf16 h) { return __uint_as_float((unsigned)h.bits << 16); }
static __device__ __forceinline__ bf16 nd_store_bf16(float x) {
    unsigned u = __float_as_uint(x);
    bf16 h;
    h.bits = (unsigned short)((u & 0x7fffffff) > 0x7f800000 ? u >> 16 | 0x40 : (u + 0x7fff + (u >> 16 & 1)) >> 16);
    return h;
}
static __device__ __forceinline__ float nd_round_bf16(float x) { return nd_load(nd_store_bf16(x)); }

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[5]; };

static __device__ __forceinline__ float nd_f(float x0, const nd_args &a) {
    const float v0 = x0;
    const float v1 = nd_round_bf16(expf(v0));
    return v1;
}

extern "C" __global__ void __launch_bounds__(256) map_exp(bf16 *out, const bf16 *p0, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 8;
    if (j >= n)
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2];
    if (j + 8 <= n) {
        const nd_vector<bf16, 8> q0 = *(const nd_vector<bf16, 8> *)(p0 + o0 + j);
        nd_vector<bf16, 8> r0;
#pragma unroll
        for (int k = 0; k < 8; k++) {
            r0.at[k] = nd_store_bf16(nd_f(nd_load(q0.at[k]), a));
        }
        *(nd_vector<bf16, 8> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_store_bf16(nd_f(nd_load(p0[o0 + j + k]), a));
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

struct nd_args { long long v[9]; };

static __device__ __forceinline__ complex<float> nd_f(complex<float> x0, complex<float> x1, const nd_args &a) {
    const complex<float> v0 = x0;
    const complex<float> v1 = nd_sqrt(v0);
    const complex<float> v2 = x1;
    const complex<float> v3 = v1 / v2;
    const complex<float> v4 = complex<float>((float)__longlong_as_double(a.v[7]), (float)__longlong_as_double(a.v[8]));
    const complex<float> v5 = v3 + v4;
    return v5;
}

extern "C" __global__ void __launch_bounds__(256) map_add_div_sqrt(complex<float> *out, const complex<float> *p0, const complex<float> *p1, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 2;
    if (j >= n)
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2], o1 = (int)a.v[3];
    if (j + 2 <= n) {
        const nd_vector<complex<float>, 2> q0 = *(const nd_vector<complex<float>, 2> *)(p0 + o0 + j);
        const nd_vector<complex<float>, 2> q1 = *(const nd_vector<complex<float>, 2> *)(p1 + o1 + j);
        nd_vector<complex<float>, 2> r0;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            r0.at[k] = nd_f(q0.at[k], q1.at[k], a);
        }
        *(nd_vector<complex<float>, 2> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f(p0[o0 + j + k], p1[o1 + j + k], a);
    }
}

// integers

template <class T> __device__ __forceinline__ bool nd_least(T a) { return (T)-1 < (T)0 && a == (T)((T)1 << (sizeof(T) * 8 - 1)); }
template <class T> __device__ __forceinline__ T nd_quotient(T a, T b) {
    return b == 0 ? (T)0 : nd_least(a) && b == (T)-1 ? a : (T)(a / b);
}
template <class T> __device__ __forceinline__ T nd_rest(T a, T b) { return b == 0 || (nd_least(a) && b == (T)-1) ? (T)0 : (T)(a % b); }
template <class T> __device__ __forceinline__ T nd_intfloordiv(T a, T b) {
    T q = nd_quotient(a, b);
    return nd_rest(a, b) != 0 && (a < 0) != (b < 0) ? (T)(q - 1) : q;
}
template <class T> __device__ __forceinline__ T nd_intmod(T a, T b) {
    T r = nd_rest(a, b);
    return r != 0 && (r < 0) != (b < 0) ? (T)(r + b) : r;
}
template <class T, class U> __device__ __forceinline__ T nd_ipow(T a, T b) {
    if (b < 0)
        return a == 1 ? (T)1 : a == (T)-1 ? (T)(b & 1 ? -1 : 1) : (T)0;
    U r = 1, x = (U)a;
    for (; b > 0; b >>= 1, x *= x)
        if (b & 1)
            r *= x;
    return (T)r;
}
template <class T, class U> __device__ __forceinline__ T nd_shl(T a, T b) { return b < 0 || b >= (T)(sizeof(T) * 8) ? (T)0 : (T)((U)a << b); }
template <class T> __device__ __forceinline__ T nd_shr(T a, T b) {
    return b < 0 || b >= (T)(sizeof(T) * 8) ? (T)(a < 0 ? -1 : 0) : (T)(a >> b);
}

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[9]; };

static __device__ __forceinline__ int nd_f(int x0, int x1, int x2, const nd_args &a) {
    const int v0 = x0;
    const int v1 = x1;
    const int v2 = nd_intfloordiv<int>(v0, v1);
    const int v3 = x2;
    const int v4 = nd_ipow<int, unsigned>(v2, v3);
    return v4;
}

extern "C" __global__ void __launch_bounds__(256) map_pow_floordiv(int *out, const int *p0, const int *p1, const int *p2, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 4;
    if (j >= n)
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2], o1 = (int)a.v[3], o2 = (int)a.v[4];
    if (j + 4 <= n) {
        const nd_vector<int, 4> q0 = *(const nd_vector<int, 4> *)(p0 + o0 + j);
        const nd_vector<int, 4> q1 = *(const nd_vector<int, 4> *)(p1 + o1 + j);
        const nd_vector<int, 4> q2 = *(const nd_vector<int, 4> *)(p2 + o2 + j);
        nd_vector<int, 4> r0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            r0.at[k] = nd_f(q0.at[k], q1.at[k], q2.at[k], a);
        }
        *(nd_vector<int, 4> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f(p0[o0 + j + k], p1[o1 + j + k], p2[o2 + j + k], a);
    }
}

// not aligned

struct nd_args { long long v[5]; };

static __device__ __forceinline__ float nd_f(float x0, const nd_args &a) {
    const float v0 = x0;
    const float v1 = -v0;
    return v1;
}

extern "C" __global__ void __launch_bounds__(256) map_neg(float *out, const float *p0, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 1;
    if (j >= n)
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2];
    out[at + j] = nd_f(p0[o0 + j + 0], a);
}

// strided

struct nd_args { long long v[10]; };

static __device__ __forceinline__ short nd_f(short x0, const nd_args &a) {
    const short v0 = x0;
    const short v1 = (short)(0 - (unsigned)v0);
    return v1;
}

extern "C" __global__ void __launch_bounds__(256) map_neg(short *out, const short *p0, const nd_args a) {
    const int n = (int)a.v[0], perRow = (int)a.v[4], j = ((int)(blockIdx.x % perRow) * blockDim.x + threadIdx.x) * 1;
    int row = (int)(blockIdx.x / perRow) * blockDim.y + threadIdx.y;
    if (j >= n || row >= (int)a.v[3])
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2];
    {
        const int r = row;
        at += r * (int)a.v[6];
        o0 += r * (int)a.v[8];
    }
    out[at + j] = nd_f(p0[o0 + (j + 0) * (int)a.v[9]], a);
}

// broadcast

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[21]; };

static __device__ __forceinline__ float nd_f(float x0, float x1, float x2, const nd_args &a) {
    const float v0 = x0;
    const float v1 = x1;
    const float v2 = v0 - v1;
    const float v3 = x2;
    const float v4 = v2 * v3;
    return v4;
}

extern "C" __global__ void __launch_bounds__(256) map_mul_sub(float *out, const float *p0, const float *p1, const float *p2, const nd_args a) {
    const int n = (int)a.v[0], perRow = (int)a.v[6], j = ((int)(blockIdx.x % perRow) * blockDim.x + threadIdx.x) * 4;
    int row = (int)(blockIdx.x / perRow) * blockDim.y + threadIdx.y;
    if (j >= n || row >= (int)a.v[5])
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2], o1 = (int)a.v[3], o2 = (int)a.v[4];
    {
        const int q = row / (int)a.v[8], r = row - q * (int)a.v[8];
        row = q;
        at += r * (int)a.v[10];
        o0 += r * (int)a.v[13];
        o1 += r * (int)a.v[16];
        o2 += r * (int)a.v[19];
    }
    {
        const int r = row;
        at += r * (int)a.v[9];
        o0 += r * (int)a.v[12];
        o1 += r * (int)a.v[15];
        o2 += r * (int)a.v[18];
    }
    const float s1 = p1[o1];
    if (j + 4 <= n) {
        const nd_vector<float, 4> q0 = *(const nd_vector<float, 4> *)(p0 + o0 + j);
        const nd_vector<float, 4> q2 = *(const nd_vector<float, 4> *)(p2 + o2 + j);
        nd_vector<float, 4> r0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            r0.at[k] = nd_f(q0.at[k], s1, q2.at[k], a);
        }
        *(nd_vector<float, 4> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f(p0[o0 + j + k], s1, p2[o2 + j + k], a);
    }
}

// index

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[15]; };

static __device__ __forceinline__ float nd_f(long long x0, float x1, const nd_args &a) {
    const float v0 = __int_as_float((int)a.v[13]);
    const long long v1 = x0;
    const float v2 = (float)v1;
    const float v3 = __int_as_float((int)a.v[14]);
    const float v4 = v2 * v3;
    const float v5 = v0 + v4;
    const float v6 = x1;
    const float v7 = v5 * v6;
    return v7;
}

extern "C" __global__ void __launch_bounds__(256) map_mul_add_mul_astype(float *out, const float *p1, const nd_args a) {
    const int n = (int)a.v[0], perRow = (int)a.v[5], j = ((int)(blockIdx.x % perRow) * blockDim.x + threadIdx.x) * 4;
    int row = (int)(blockIdx.x / perRow) * blockDim.y + threadIdx.y;
    if (j >= n || row >= (int)a.v[4])
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2], o1 = (int)a.v[3];
    {
        const int r = row;
        at += r * (int)a.v[7];
        o0 += r * (int)a.v[9];
        o1 += r * (int)a.v[11];
    }
    if (j + 4 <= n) {
        const nd_vector<float, 4> q1 = *(const nd_vector<float, 4> *)(p1 + o1 + j);
        nd_vector<float, 4> r0;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            r0.at[k] = nd_f((long long)(o0 + (j + k) * (int)a.v[10]), q1.at[k], a);
        }
        *(nd_vector<float, 4> *)(out + at + j) = r0;
        return;
    }
    for (int k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f((long long)(o0 + (j + k) * (int)a.v[10]), p1[o1 + j + k], a);
    }
}

// into a view

struct nd_args { long long v[5]; };

static __device__ __forceinline__ float nd_f(float x0, const nd_args &a) {
    const float v0 = x0;
    const float v1 = v0;
    return v1;
}

extern "C" __global__ void __launch_bounds__(256) map_copy(float *out, const float *p0, const nd_args a) {
    const int n = (int)a.v[0], j = ((int)blockIdx.x * 256 + threadIdx.x) * 1;
    if (j >= n)
        return;
    int at = (int)a.v[1], o0 = (int)a.v[2];
    out[at + j * (int)a.v[3]] = nd_f(p0[o0 + j + 0], a);
}

// indices of 64 bits

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[5]; };

static __device__ __forceinline__ unsigned char nd_f(unsigned char x0, const nd_args &a) {
    const unsigned char v0 = x0;
    const unsigned char v1 = (unsigned char)(0 - (unsigned)v0);
    return v1;
}

extern "C" __global__ void __launch_bounds__(256) map_neg(unsigned char *out, const unsigned char *p0, const nd_args a) {
    const long long n = (long long)a.v[0], j = ((long long)blockIdx.x * 256 + threadIdx.x) * 16;
    if (j >= n)
        return;
    long long at = (long long)a.v[1], o0 = (long long)a.v[2];
    const unsigned char s0 = p0[o0];
    if (j + 16 <= n) {
        nd_vector<unsigned char, 16> r0;
#pragma unroll
        for (int k = 0; k < 16; k++) {
            r0.at[k] = nd_f(s0, a);
        }
        *(nd_vector<unsigned char, 16> *)(out + at + j) = r0;
        return;
    }
    for (long long k = 0; j + k < n; k++) {
        out[at + j + k] = nd_f(s0, a);
    }
}
