
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
