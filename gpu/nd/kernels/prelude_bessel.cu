
// CUDA's functions are NaN for negative orders, and that of the first kind is near 0, where the first term of its series is enough.
static __device__ __forceinline__ float nd_jn(int n, float x) {
    if (n < 0) {
        n = -n;
        x = -x;
    }
    return fabsf(x) < 1e-4f ? powf(x / 2, (float)n) / tgammaf((float)n + 1) : jnf(n, x);
}
static __device__ __forceinline__ double nd_jn(int n, double x) {
    if (n < 0) {
        n = -n;
        x = -x;
    }
    return fabs(x) < 1e-8 ? pow(x / 2, (double)n) / tgamma((double)n + 1) : jn(n, x);
}
static __device__ __forceinline__ float nd_yn(int n, float x) { return n < 0 && n % 2 != 0 ? -ynf(-n, x) : ynf(abs(n), x); }
static __device__ __forceinline__ double nd_yn(int n, double x) { return n < 0 && n % 2 != 0 ? -yn(-n, x) : yn(abs(n), x); }
