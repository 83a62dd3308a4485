package random

// prelude is package gpu/internal/philox in CUDA C++.
const prelude = `
typedef unsigned long long u64;
struct words { unsigned w[4]; };

struct params {
    u64 n;
    u64 low, range, least;
    double p[7];
    unsigned key[20], call;
};

static __device__ __forceinline__ words philox(unsigned c0, unsigned c1, unsigned c2, unsigned c3, const params &a) {
#pragma unroll
    for (int i = 0; i < 10; i++) {
        u64 p = (u64)0xD2511F53u * c0, q = (u64)0xCD9E8D57u * c2;
        c0 = (unsigned)(q >> 32) ^ c1 ^ a.key[2 * i];
        c1 = (unsigned)q;
        c2 = (unsigned)(p >> 32) ^ c3 ^ a.key[2 * i + 1];
        c3 = (unsigned)p;
    }
    return words{{c0, c1, c2, c3}};
}
static __device__ __forceinline__ words block(u64 b, unsigned attempt, const params &a) {
    return philox((unsigned)b, (unsigned)(b >> 32), a.call, attempt, a);
}
static __device__ __forceinline__ u64 pair(const words &w, int i) { return w.w[2 * i] | (u64)w.w[2 * i + 1] << 32; }

static __device__ __forceinline__ double open64(u64 w) { return (double)((w >> 11) + 1) * 0x1p-53; }

static __device__ __forceinline__ float minusTwoLog32(unsigned w) {
#ifdef GOPHERWARP_SIM
    float n = (float)(w | 1);
    if ((double)n > (double)(w | 1))
        n = __uint_as_float(__float_as_uint(n) - 1);
#else
    const float n = __uint2float_rz(w | 1);
#endif
    const unsigned x = __float_as_uint(n) - (32u << 23), e = (x - 0x3f3504f3u) & 0xff800000u;
    const float f = __uint_as_float(x - e) - 1;
    const float fit[7] = {-2 * 0.3333390951156616f, -2 * -0.2500133812427521f, -2 * 0.19963063299655914f, -2 * -0.1657758355140686f,
                          -2 * 0.14914768934249878f, -2 * -0.14267492294311523f, -2 * 0.08700438588857651f};
    float p = fit[6];
#pragma unroll
    for (int k = 5; k >= 0; k--)
        p = fmaf(p, f, fit[k]);
    p = fmaf(fmaf(p, f, 1), f, -2);
    return fmaf(p, f, (float)(int)e * (float)(-2 * 0.6931471805599453 * 0x1p-23));
}
// The square root of a normal number, rounded as sqrtf rounds it; only that looks for numbers of other kinds.
static __device__ __forceinline__ float root(float x) {
#ifdef GOPHERWARP_SIM
    return sqrtf(x);
#else
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    const float g = x * y;
    return fmaf(fmaf(-g, g, x), 0.5f * y, g);
#endif
}
static __device__ __forceinline__ double log64(double x) {
    const u64 root = 0x3fe6a09e667f3bcdull, b = (u64)__double_as_longlong(x) - root;
    const double e = (double)((long long)b >> 52), m = __longlong_as_double((long long)((b & 0xfffffffffffffull) + root));
    const double s = (m - 1) / (m + 1), z = s * s;
    double p = 1.0 / 23;
#pragma unroll
    for (int k = 21; k >= 1; k -= 2)
        p = fma(p, z, 1.0 / k);
    return fma(2 * s, p, e * 0.6931471805599453);
}
static __device__ __forceinline__ void normals(unsigned a, unsigned b, float *out) {
    const float v = __uint_as_float((b & 0x7fffffu) | 0x3f800001u) - 1.5f, z = v * v, r = root(minusTwoLog32(a));
    float s = fmaf(-0.004602177068591118f, z, 0.07968022674322128f), c = fmaf(-0.020426249131560326f, z, 0.2536063492298126f);
    s = fmaf(s, z, -0.6459634900093079f);
    c = fmaf(c, z, -1.2336980104446411f);
    s = fmaf(s, z, 1.5707963705062866f);
    c = fmaf(c, z, 1);
    s = s * v;
    c = __uint_as_float(__float_as_uint(c) ^ (b & 0x80000000u));
    const bool exchange = b & 0x40000000u;
    out[0] = r * (exchange ? s : c);
    out[1] = r * (exchange ? c : s);
}
static __device__ __forceinline__ void normals(u64 a, u64 b, double *out) {
    const double t = ((double)((long long)(b << 2 >> 11) - (1LL << 52)) + 0.5) * (1.5707963267948966 * 0x1p-53);
    const double z = -(t * t), r = sqrt(-2 * log64(open64(a)));
    double s = 1, c = 1;
#pragma unroll
    for (int k = 18; k >= 2; k -= 2) {
        s = fma(s, z * (1 / (double)(k * (k + 1))), 1);
        c = fma(c, z * (1 / (double)(k * (k - 1))), 1);
    }
    s = s * t;
    const unsigned q = (unsigned)(b >> 62);
    out[0] = r * (q == 0 ? c : q == 1 ? -s : q == 2 ? -c : s);
    out[1] = r * (q == 0 ? s : q == 1 ? c : q == 2 ? -s : -c);
}

static __device__ __forceinline__ float fused(float a, float b, float c) { return fmaf(a, b, c); }
static __device__ __forceinline__ double fused(double a, double b, double c) { return fma(a, b, c); }
template <class T, int N> struct alignas(sizeof(T) * N) group { T at[N]; };
`

// frame is a kernel whose threads make K groups of N elements each. K, N and T are defined before it, and CDF and SUMS, which are empty
// unless it gets a table, and make, which draws a group.
const frame = `
extern "C" __global__ void __launch_bounds__(256) fill(T *out, CDF const params a) {
    const bool whole = (blockIdx.x + 1ull) * (K * 256 * N) <= a.n;
#pragma unroll
    for (int k = 0; k < K; k++) {
        const u64 b = (blockIdx.x * (u64)K + k) * 256 + threadIdx.x, first = b * N;
        if (!whole && first >= a.n)
            return;
        group<T, N> g;
        make(g.at, b, SUMS a);
        if (whole || first + N <= a.n) {
            *(group<T, N> *)(out + first) = g;
            continue;
        }
        for (int i = 0; i < N; i++)
            if (first + i < a.n)
                out[first + i] = g.at[i];
    }
}
`

const makeHead = "static __device__ __forceinline__ void make(T *out, u64 b, CDF const params &a) {\n"

// distributions are the bodies of make. The first four exist for N = 4 with 32 bits an element, and for N = 2 with 64.
var distributions = map[distribution]string{
	uniform: `
    words w = block(b, 0, a);
    for (int i = 0; i < N; i++)
#if N == 4
        out[i] = (T)a.p[0] + (T)a.p[1] * ((float)(w.w[i] >> 8) * 0x1p-24f);
#else
        out[i] = a.p[0] + a.p[1] * ((double)(pair(w, i) >> 11) * 0x1p-53);
#endif
`,
	normal: `
    words w = block(b, 0, a);
#if N == 4
    normals(w.w[0], w.w[1], out);
    normals(w.w[2], w.w[3], out + 2);
#else
    normals(pair(w, 0), pair(w, 1), out);
#endif
    for (int i = 0; i < N; i++)
        out[i] = fused((T)a.p[1], out[i], (T)a.p[0]);
`,
	exponential: `
    words w = block(b, 0, a);
    for (int i = 0; i < N; i++)
#if N == 4
        out[i] = (T)a.p[1] * (0.5f * minusTwoLog32(w.w[i]));
#else
        out[i] = a.p[1] * -log64(open64(pair(w, i)));
#endif
`,
	integers: `
    words w = block(b, 0, a);
    for (int i = 0; i < N; i++) {
        words v = w;
        for (unsigned attempt = 1;; attempt++) {
#if N == 4
            u64 m = (u64)v.w[i] * a.range;
            if ((unsigned)m >= a.least) {
                out[i] = (T)(a.low + (m >> 32));
                break;
            }
#else
            u64 x = pair(v, i);
            if (a.range == 0 || x * a.range >= a.least) {
                out[i] = (T)(a.low + (a.range == 0 ? x : __umul64hi(x, a.range)));
                break;
            }
#endif
            v = block(b, attempt, a);
        }
    }
`,
	chosen: `
    words w = block(b, 0, a);
    for (int i = 0; i < N; i++) {
        double u = (double)(pair(w, i) >> 11) * 0x1p-53;
        u64 from = 0, to = a.range - 1; // the first whose sum is above u
        while (from < to) {
            u64 middle = (from + to) / 2;
            if (cdf[middle] > u)
                to = middle;
            else
                from = middle + 1;
        }
        out[i] = (T)from;
    }
`,
	poissonDistributed: `
    const double mean = a.p[0], A = a.p[3], B = a.p[4];
    if (mean < 10) {
        double product = 1;
        long long n = 0;
        for (unsigned attempt = 0;; attempt++) {
            words w = block(b, attempt, a);
            for (int half = 0; half < 2; half++) {
                product *= open64(pair(w, half));
                if (product <= a.p[1]) {
                    *out = (T)n;
                    return;
                }
                n++;
            }
        }
    }
    for (unsigned attempt = 0;; attempt++) {
        words w = block(b, attempt, a);
        double u = open64(pair(w, 0)) - 0.5, v = open64(pair(w, 1)), us = 0.5 - fabs(u);
        double k = floor((2 * A / us + B) * u + mean + 0.43);
        bool good = us >= 0.07 && v <= a.p[6];
        if (!good) {
            if (!(k >= 0) || (us < 0.013 && v > us))
                continue;
            double x = k + 1, below = 1;
            for (; x < 8; x++)
                below *= x;
            double r = 1 / x, z = r * r, p = 1.0 / 1260 - z * (1.0 / 1680);
            p = 1.0 / 360 - z * p;
            p = 1.0 / 12 - z * p;
            double logFactorial = (x - 0.5) * log64(x) - x + 0.9189385332046727 + r * p - log64(below);
            good = log64(v) + a.p[5] - log64(A / (us * us) + B) <= k * a.p[2] - mean - logFactorial;
        }
        if (good) {
            *out = (T)(long long)k;
            return;
        }
    }
`,
	permuted: `
    const unsigned all = (unsigned)a.low, low = all / 2;
    for (u64 x = b;;) {
        u64 left = x >> low, right = x & ((1ull << low) - 1);
        unsigned wide = all - low, narrow = low;
        for (unsigned round = 0; round < 8; round++) {
            words w = philox((unsigned)right, (unsigned)(right >> 32), a.call, round, a);
            u64 next = (left ^ pair(w, 0)) & ((1ull << wide) - 1);
            left = right;
            right = next;
            unsigned was = wide;
            wide = narrow;
            narrow = was;
        }
        x = left << low | right;
        if (x < a.range) {
            *out = (T)x;
            return;
        }
    }
`,
}
