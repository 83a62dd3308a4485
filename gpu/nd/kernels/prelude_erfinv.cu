
#ifdef GOPHERWARP_SIM
// The y at which erf is p and erfc is q, which is 1 - p: an approximation of few digits, then steps of Halley.
static __device__ __forceinline__ double nd_inverse(double p, double q) {
    if (!(p >= 0 && q >= 0))
        return NAN;
    if (q == 0)
        return INFINITY;
    const double l = log(q * (1 + p)), t = 4.330746750799873 + l / 2;
    double y = sqrt(sqrt(t * t - l / 0.147) - t);
    for (int i = 0; i < 4; i++) {
        const double u = (p < 0.5 ? erf(y) - p : q - erfc(y)) / (1.1283791670955126 * exp(-y * y));
        y -= u / (1 + y * u);
    }
    return y;
}
template <class T> __device__ __forceinline__ T nd_erfinv(T a) { return (T)copysign(nd_inverse(fabs((double)a), 1 - fabs((double)a)), (double)a); }
template <class T> __device__ __forceinline__ T nd_erfcinv(T a) { return (T)(a <= 1 ? nd_inverse(1 - (double)a, a) : -nd_inverse((double)a - 1, 2 - (double)a)); }
#else
static __device__ __forceinline__ float nd_erfinv(float a) { return erfinvf(a); }
static __device__ __forceinline__ double nd_erfinv(double a) { return erfinv(a); }
static __device__ __forceinline__ float nd_erfcinv(float a) { return erfcinvf(a); }
static __device__ __forceinline__ double nd_erfcinv(double a) { return erfcinv(a); }
#endif
