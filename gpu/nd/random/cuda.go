package random

// prelude is philox.go and transform.go in CUDA C++.
const prelude = `
typedef unsigned long long u64;
struct words { unsigned w[4]; };

static __device__ __forceinline__ words philox(unsigned c0, unsigned c1, unsigned c2, unsigned c3, u64 key) {
    unsigned k0 = (unsigned)key, k1 = (unsigned)(key >> 32);
#pragma unroll
    for (int i = 0; i < 10; i++) {
        u64 p = (u64)0xD2511F53u * c0, q = (u64)0xCD9E8D57u * c2;
        c0 = (unsigned)(q >> 32) ^ c1 ^ k0;
        c1 = (unsigned)q;
        c2 = (unsigned)(p >> 32) ^ c3 ^ k1;
        c3 = (unsigned)p;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return words{{c0, c1, c2, c3}};
}
static __device__ __forceinline__ words block(u64 b, unsigned call, unsigned attempt, u64 seed) {
    return philox((unsigned)b, (unsigned)(b >> 32), call, attempt, seed);
}
static __device__ __forceinline__ u64 pair(const words &w, int i) { return w.w[2 * i] | (u64)w.w[2 * i + 1] << 32; }

static __device__ __forceinline__ float open32(unsigned w) { return (float)((w >> 8) + 1) * 0x1p-24f; }
static __device__ __forceinline__ double open64(u64 w) { return (double)((w >> 11) + 1) * 0x1p-53; }

static __device__ __forceinline__ float log32(float x) {
    const unsigned b = __float_as_uint(x) - 0x3f3504f3u;
    const float e = (float)((int)b >> 23), f = __uint_as_float((b & 0x7fffff) + 0x3f3504f3u) - 1;
    const float fit[8] = {0.333333283662796f, -0.2500084638595581f, 0.200014129281044f, -0.1662275195121765f,
                          0.14197877049446106f, -0.13161605596542358f, 0.1278633028268814f, -0.07660818845033646f};
    float p = fit[7];
#pragma unroll
    for (int k = 6; k >= 0; k--)
        p = fmaf(p, f, fit[k]);
    const float r = fmaf(f * f, fmaf(p, f, -0.5f), f);
    return fmaf(e, 0.6931471805599453f, r);
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
    const float t = ((float)((int)(b << 2 >> 8) - (1 << 23)) + 0.5f) * (float)(1.5707963267948966 * 0x1p-24);
    const float z = -(t * t), r = sqrtf(-2 * log32(open32(a)));
    float s = 1, c = 1;
#pragma unroll
    for (int k = 10; k >= 2; k -= 2) {
        s = fmaf(s, z * (1 / (float)(k * (k + 1))), 1);
        c = fmaf(c, z * (1 / (float)(k * (k - 1))), 1);
    }
    s = s * t;
    const unsigned q = b >> 30;
    out[0] = r * (q == 0 ? c : q == 1 ? -s : q == 2 ? -c : s);
    out[1] = r * (q == 0 ? s : q == 1 ? c : q == 2 ? -s : -c);
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

struct params {
    u64 seed, n;
    u64 low, range;
    double p[7];
    unsigned call;
};
template <class T, int N> struct alignas(sizeof(T) * N) group { T at[N]; };
`

// frame is a kernel whose threads make K groups of N elements each. K, N and T are defined before it, and CDF and SUMS, which
// are empty unless it gets a table, and make, which draws a group.
const frame = `
extern "C" __global__ void __launch_bounds__(256) fill(T *out, CDF const params a) {
#pragma unroll
    for (int k = 0; k < K; k++) {
        const u64 b = (blockIdx.x * (u64)K + k) * 256 + threadIdx.x, first = b * N;
        if (first >= a.n)
            return;
        group<T, N> g;
        make(g.at, b, SUMS a);
        if (first + N <= a.n) {
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

// distributions are the bodies of make. The first four are there for N = 4 with 32 bits an element, and for
// N = 2 with 64.
var distributions = map[distribution]string{
	uniform: `
    words w = block(b, a.call, 0, a.seed);
    for (int i = 0; i < N; i++)
#if N == 4
        out[i] = (T)a.p[0] + (T)a.p[1] * ((float)(w.w[i] >> 8) * 0x1p-24f);
#else
        out[i] = a.p[0] + a.p[1] * ((double)(pair(w, i) >> 11) * 0x1p-53);
#endif
`,
	normal: `
    words w = block(b, a.call, 0, a.seed);
#if N == 4
    normals(w.w[0], w.w[1], out);
    normals(w.w[2], w.w[3], out + 2);
#else
    normals(pair(w, 0), pair(w, 1), out);
#endif
    for (int i = 0; i < N; i++)
        out[i] = (T)a.p[0] + (T)a.p[1] * out[i];
`,
	exponential: `
    words w = block(b, a.call, 0, a.seed);
    for (int i = 0; i < N; i++)
#if N == 4
        out[i] = (T)a.p[1] * -log32(open32(w.w[i]));
#else
        out[i] = a.p[1] * -log64(open64(pair(w, i)));
#endif
`,
	integers: `
    words w = block(b, a.call, 0, a.seed);
    for (int i = 0; i < N; i++) {
        words v = w;
        for (unsigned attempt = 1;; attempt++) {
#if N == 4
            u64 m = (u64)v.w[i] * a.range;
            if ((u64)(unsigned)m >= ((1ull << 32) - a.range) % a.range) {
                out[i] = (T)(a.low + (m >> 32));
                break;
            }
#else
            u64 x = pair(v, i);
            if (a.range == 0 || x * a.range >= (0 - a.range) % a.range) {
                out[i] = (T)(a.low + (a.range == 0 ? x : __umul64hi(x, a.range)));
                break;
            }
#endif
            v = block(b, a.call, attempt, a.seed);
        }
    }
`,
	chosen: `
    words w = block(b, a.call, 0, a.seed);
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
            words w = block(b, a.call, attempt, a.seed);
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
        words w = block(b, a.call, attempt, a.seed);
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
            words w = philox((unsigned)right, (unsigned)(right >> 32), a.call, round, a.seed);
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
