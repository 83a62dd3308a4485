package nd

import "strings"

// sections are the parts of the prelude that a kernel needs. Kernels get no others, since most
// of the time that a small kernel takes to compile goes into what it does not use.
type sections uint16

const (
	needF16 sections = 1 << iota
	needBF16
	needComplex
	needInteger
	needDivmod
	needNext
	needLogadd
	needOdd
	needPhilox
	needErfinv
	needBessel
	needVector
)

var preludes = []struct {
	need sections
	text string
}{
	{needF16, `
struct f16 { unsigned short bits; };
#ifdef GOPHERWARP_SIM
static __device__ __forceinline__ float nd_load(f16 h) { _Float16 n; memcpy(&n, &h, 2); return (float)n; }
static __device__ __forceinline__ f16 nd_store_f16(float x) { _Float16 n = (_Float16)x; f16 h; memcpy(&h, &n, 2); return h; }
#else
static __device__ __forceinline__ float nd_load(f16 h) { float x; asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h.bits)); return x; }
static __device__ __forceinline__ f16 nd_store_f16(float x) { f16 h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h.bits) : "f"(x)); return h; }
#endif
static __device__ __forceinline__ float nd_round_f16(float x) { return nd_load(nd_store_f16(x)); }
`},
	{needBF16, `
struct bf16 { unsigned short bits; };
static __device__ __forceinline__ float nd_load(bf16 h) { return __uint_as_float((unsigned)h.bits << 16); }
static __device__ __forceinline__ bf16 nd_store_bf16(float x) {
    unsigned u = __float_as_uint(x);
    bf16 h;
    h.bits = (unsigned short)((u & 0x7fffffff) > 0x7f800000 ? u >> 16 | 0x40 : (u + 0x7fff + (u >> 16 & 1)) >> 16);
    return h;
}
static __device__ __forceinline__ float nd_round_bf16(float x) { return nd_load(nd_store_bf16(x)); }
`},
	{needOdd, `
// Rounds so that rounding once more, to 16 bits, gives what rounding x at once would.
static __device__ __forceinline__ float nd_odd(double x) {
    float f = (float)x;
    if ((double)f == x || !(f - f == 0))
        return f;
    unsigned u = __float_as_uint(f);
    if (((double)f > x) == (x > 0))
        u--;
    return __uint_as_float(u | 1);
}
`},
	{needComplex, `
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
`},
	{needInteger, `
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
`},
	{needDivmod, `
template <class T> __device__ __forceinline__ T nd_mod(T a, T b) {
    T m = fmod(a, b);
    if (m != 0)
        return (b < 0) != (m < 0) ? m + b : m;
    return copysign((T)0, b);
}
template <class T> __device__ __forceinline__ T nd_floordiv(T a, T b) {
    if (b == 0)
        return a / b;
    T m = fmod(a, b), d = (a - m) / b;
    if (m != 0 && (b < 0) != (m < 0))
        d -= 1;
    if (d == 0)
        return copysign((T)0, a / b);
    T f = floor(d);
    return d - f > (T)0.5 ? f + 1 : f;
}
`},
	{needNext, `
static __device__ __forceinline__ float nd_nextafter(float a, float b) { return nextafterf(a, b); }
static __device__ __forceinline__ double nd_nextafter(double a, double b) { return nextafter(a, b); }
`},
	{needLogadd, `
template <class T> __device__ __forceinline__ T nd_logaddexp(T a, T b) {
    if (a == b)
        return a + (T)0.693147180559945309417232121458;
    T d = a - b;
    return d > 0 ? a + log1p(exp(-d)) : d <= 0 ? b + log1p(exp(d)) : d;
}
`},
	{needErfinv, `
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
`},
	{needBessel, `
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
`},
	{needVector, `
template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };
`},
}

// prelude is the text of the sections.
func prelude(need sections) string {
	if need&needOdd != 0 && need&(needF16|needBF16) == 0 {
		need |= needF16
	}
	var b strings.Builder
	for _, p := range preludes {
		if need&p.need != 0 {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// needs are the sections that a type is part of.
func (d DType) needs() sections {
	switch d {
	case F16:
		return needF16
	case BF16:
		return needBF16
	case C64, C128:
		return needComplex
	}
	return 0
}

// load is the number in memory as it is held in registers.
func (d DType) load(x string) string {
	if d.half() {
		return "nd_load(" + x + ")"
	}
	return x
}

// store is the opposite.
func (d DType) store(x string) string {
	if d.half() {
		return "nd_store_" + d.info().stored + "(" + x + ")"
	}
	return x
}
