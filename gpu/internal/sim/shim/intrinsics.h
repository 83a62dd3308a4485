// Math that CUDA has and C++ has not, or not under that name. Fast intrinsics (__sinf) are
// as exact as the ordinary functions here: a device may give fewer digits.
#pragma once

// Integers.
GW_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
GW_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
GW_DEVICE int __clz(int x) { return x ? __builtin_clz(x) : 32; }
GW_DEVICE int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
GW_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
GW_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
GW_DEVICE unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(x);
}
GW_DEVICE unsigned long long __brevll(unsigned long long x) { return (unsigned long long)__brev(x) << 32 | __brev(x >> 32); }
// The multiplications of 24 bits ignore the upper 8 bits of both factors.
GW_DEVICE int __mul24(int a, int b) { return (int)((unsigned)((a << 8) >> 8) * (unsigned)((b << 8) >> 8)); }
GW_DEVICE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
GW_DEVICE int __mulhi(int a, int b) { return (long long)a * b >> 32; }
GW_DEVICE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned long long)a * b >> 32; }
GW_DEVICE long long __mul64hi(long long a, long long b) { return (__int128)a * b >> 64; }
GW_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned __int128)a * b >> 64; }
GW_DEVICE unsigned __sad(int a, int b, unsigned c) { return (a > b ? a - b : b - a) + c; }
GW_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
GW_DEVICE int __hadd(int a, int b) { return ((long long)a + b) >> 1; }
GW_DEVICE int __rhadd(int a, int b) { return ((long long)a + b + 1) >> 1; }
GW_DEVICE unsigned __uhadd(unsigned a, unsigned b) { return ((unsigned long long)a + b) >> 1; }
GW_DEVICE unsigned __urhadd(unsigned a, unsigned b) { return ((unsigned long long)a + b + 1) >> 1; }
GW_DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
    unsigned long long bytes = (unsigned long long)b << 32 | a;
    unsigned r = 0;
    for (int i = 0; i < 4; i++)
        r |= (unsigned)(bytes >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
    return r;
}
GW_DEVICE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n) { return ((unsigned long long)hi << 32 | lo) << (n & 31) >> 32; }
GW_DEVICE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n) { return ((unsigned long long)hi << 32 | lo) >> (n & 31); }
// These two shift by 32 at most, where the others take the lower 5 bits.
GW_DEVICE unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned n) { return n >= 32 ? lo : __funnelshift_l(lo, hi, n); }
GW_DEVICE unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned n) { return n >= 32 ? hi : __funnelshift_r(lo, hi, n); }
GW_DEVICE unsigned __fns(unsigned mask, unsigned base, int offset) {
    int step = offset < 0 ? -1 : 1;
    for (int at = base, left = offset < 0 ? -offset : offset; at >= 0 && at < 32; at += step) {
        if (!(mask >> at & 1))
            continue;
        if (left <= 1) // 0 wants the base itself
            return offset == 0 && at != (int)base ? ~0u : at;
        left--;
    }
    return ~0u;
}

// min and max of every pair of numbers, with C's conversions. For floating point the one
// that is a number wins over one that is not.
#define GW_MINMAX(type, least, most)                                                                                     \
    GW_DEVICE type min(type a, type b) { return least; }                                                                 \
    GW_DEVICE type max(type a, type b) { return most; }
GW_MINMAX(int, b < a ? b : a, a < b ? b : a)
GW_MINMAX(unsigned int, b < a ? b : a, a < b ? b : a)
GW_MINMAX(long, b < a ? b : a, a < b ? b : a)
GW_MINMAX(unsigned long, b < a ? b : a, a < b ? b : a)
GW_MINMAX(long long, b < a ? b : a, a < b ? b : a)
GW_MINMAX(unsigned long long, b < a ? b : a, a < b ? b : a)
GW_MINMAX(float, fminf(a, b), fmaxf(a, b))
GW_MINMAX(double, fmin(a, b), fmax(a, b))
#undef GW_MINMAX
template <class A, class B> constexpr typename std::common_type<A, B>::type min(A a, B b) {
    using T = typename std::common_type<A, B>::type;
    return T(b) < T(a) ? T(b) : T(a);
}
template <class A, class B> constexpr typename std::common_type<A, B>::type max(A a, B b) {
    using T = typename std::common_type<A, B>::type;
    return T(a) < T(b) ? T(b) : T(a);
}
// Templates, so that a host program may have functions of these names: nvcc hides CUDA's from it.
template <class = void> inline unsigned umin(unsigned a, unsigned b) { return min(a, b); }
template <class = void> inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }
template <class = void> inline long long llmin(long long a, long long b) { return min(a, b); }
template <class = void> inline long long llmax(long long a, long long b) { return max(a, b); }
template <class = void> inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
template <class = void> inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

// Functions of real numbers. Newer C libraries declare some of them, with C linkage, as C23 has them: glibc 2.41 sinpi and
// cospi, 2.42 rsqrt.
#define GW_C23 extern "C" inline __attribute__((always_inline, unused))
#define GW_REAL(type, f)                                                                                                 \
    GW_C23 type rsqrt##f(type x) noexcept { return 1 / sqrt##f(x); }                                                     \
    GW_C23 type sinpi##f(type x) noexcept { return (type)gwsim::sinPi(x); }                                              \
    GW_C23 type cospi##f(type x) noexcept { return (type)gwsim::cosPi(x); }                                              \
    GW_DEVICE type rcbrt##f(type x) { return 1 / cbrt##f(x); }                                                           \
    GW_DEVICE void sincospi##f(type x, type *s, type *c) { *s = sinpi##f(x), *c = cospi##f(x); }                         \
    GW_DEVICE type rhypot##f(type x, type y) { return 1 / hypot##f(x, y); }                                              \
    GW_DEVICE type norm##f(int n, const type *x) { return gwsim::length(n, x); }                                          \
    GW_DEVICE type rnorm##f(int n, const type *x) { return 1 / gwsim::length(n, x); }                                    \
    GW_DEVICE type norm3d##f(type x, type y, type z) {                                                                   \
        const type v[] = {x, y, z};                                                                                      \
        return norm##f(3, v);                                                                                            \
    }                                                                                                                    \
    GW_DEVICE type rnorm3d##f(type x, type y, type z) { return 1 / norm3d##f(x, y, z); }                                 \
    GW_DEVICE type norm4d##f(type x, type y, type z, type w) {                                                           \
        const type v[] = {x, y, z, w};                                                                                   \
        return norm##f(4, v);                                                                                            \
    }                                                                                                                    \
    GW_DEVICE type rnorm4d##f(type x, type y, type z, type w) { return 1 / norm4d##f(x, y, z, w); }                      \
    GW_DEVICE type normcdf##f(type x) { return erfc##f(-x * (type)0.70710678118654752440) / 2; }                         \
    GW_DEVICE type normcdfinv##f(type p) { return (type)(-1.41421356237309504880168872420969808L * gwsim::erfcInverse(2 * (long double)p)); }\
    GW_DEVICE type erfinv##f(type x) { return (type)gwsim::erfInverse(x); }                                              \
    GW_DEVICE type erfcinv##f(type p) { return (type)gwsim::erfcInverse(p); }                                            \
    GW_DEVICE type cyl_bessel_i0##f(type x) { return (type)gwsim::besselI(0, x); }                                       \
    GW_DEVICE type cyl_bessel_i1##f(type x) { return (type)gwsim::besselI(1, x); }                                       \
    GW_DEVICE type erfcx##f(type x) { return (type)gwsim::erfcX(x); }
GW_REAL(float, f)
GW_REAL(double, )
#undef GW_REAL
#undef GW_C23
GW_DEVICE float rsqrt(float x) { return rsqrtf(x); }

GW_DEVICE float __saturatef(float x) { return x > 0 ? x < 1 ? x : 1 : 0; }
GW_DEVICE float __fdividef(float a, float b) { return a / b; }
GW_DEVICE float fdividef(float a, float b) { return a / b; }
// glibc has these names for its own use, so they can only be macros.
#define __sinf(x) ::sinf(x)
#define __cosf(x) ::cosf(x)
#define __tanf(x) ::tanf(x)
#define __sincosf(x, s, c) ::sincosf(x, s, c)
#define __expf(x) ::expf(x)
#define __exp10f(x) ::exp10f(x)
#define __logf(x) ::logf(x)
#define __log2f(x) ::log2f(x)
#define __log10f(x) ::log10f(x)
#define __powf(x, y) ::powf(x, y)
#define __tanhf(x) ::tanhf(x)

// Arithmetic of a stated rounding.
namespace gwsim {
// apart keeps the compiler from fusing a product into a sum, which is what these are for.
template <class T> inline __attribute__((always_inline)) T apart(T x) {
    asm("" : "+g"(x));
    return x;
}

// inMode is what f returns while the processor rounds in another way than to nearest. The compiler sees neither where the operands
// come from nor what becomes of the result, so that it computes between the two changes.
template <int mode, class F, class... T> __attribute__((noinline)) auto inMode(F f, T... v) {
    int before = fegetround();
    fesetround(mode);
    (([](T &x) { asm volatile("" : "+m"(x)); })(v), ...);
    auto r = f(v...);
    asm volatile("" : "+m"(r));
    fesetround(before);
    return r;
}
} // namespace gwsim
#define GW_NEAREST(T, name, fused, root)                                                                                 \
    GW_DEVICE T __##name##add_rn(T a, T b) { return gwsim::apart(a + b); }                                               \
    GW_DEVICE T __##name##sub_rn(T a, T b) { return gwsim::apart(a - b); }                                               \
    GW_DEVICE T __##name##mul_rn(T a, T b) { return gwsim::apart(a * b); }                                               \
    GW_DEVICE T __##name##div_rn(T a, T b) { return a / b; }                                                             \
    GW_DEVICE T __##fused##_rn(T a, T b, T c) { return fused(a, b, c); }                                                 \
    GW_DEVICE T __##name##rcp_rn(T a) { return 1 / a; }                                                                  \
    GW_DEVICE T __##name##sqrt_rn(T a) { return root(a); }
// Templates, which cost nothing where they are not called.
#define GW_DIRECTED(T, name, fused, root, suffix, mode)                                                                  \
    template <class = void> inline T __##name##add_##suffix(T a, T b) { return gwsim::inMode<mode>([](T a, T b) { return a + b; }, a, b); } \
    template <class = void> inline T __##name##sub_##suffix(T a, T b) { return gwsim::inMode<mode>([](T a, T b) { return a - b; }, a, b); } \
    template <class = void> inline T __##name##mul_##suffix(T a, T b) { return gwsim::inMode<mode>([](T a, T b) { return a * b; }, a, b); } \
    template <class = void> inline T __##name##div_##suffix(T a, T b) { return gwsim::inMode<mode>([](T a, T b) { return a / b; }, a, b); } \
    template <class = void> inline T __##fused##_##suffix(T a, T b, T c) { return gwsim::inMode<mode>([](T a, T b, T c) { return fused(a, b, c); }, a, b, c); } \
    template <class = void> inline T __##name##rcp_##suffix(T a) { return gwsim::inMode<mode>([](T a) { return 1 / a; }, a); } \
    template <class = void> inline T __##name##sqrt_##suffix(T a) { return gwsim::inMode<mode>([](T a) { return root(a); }, a); }
#define GW_CONVERTED(name, to, from, suffix, mode)                                                                       \
    template <class = void> inline to __##name##_##suffix(from x) { return gwsim::inMode<mode>([](from x) { return (to)x; }, x); }
#define GW_MODE(suffix, mode)                                                                                            \
    GW_DIRECTED(float, f, fmaf, sqrtf, suffix, mode)                                                                     \
    GW_DIRECTED(double, d, fma, sqrt, suffix, mode)                                                                      \
    GW_CONVERTED(int2float, float, int, suffix, mode)                                                                    \
    GW_CONVERTED(uint2float, float, unsigned, suffix, mode)                                                              \
    GW_CONVERTED(ll2float, float, long long, suffix, mode)                                                               \
    GW_CONVERTED(ull2float, float, unsigned long long, suffix, mode)                                                     \
    GW_CONVERTED(ll2double, double, long long, suffix, mode)                                                             \
    GW_CONVERTED(ull2double, double, unsigned long long, suffix, mode)                                                   \
    GW_CONVERTED(double2float, float, double, suffix, mode)
GW_NEAREST(float, f, fmaf, sqrtf)
GW_NEAREST(double, d, fma, sqrt)
GW_MODE(rz, FE_TOWARDZERO)
GW_MODE(ru, FE_UPWARD)
GW_MODE(rd, FE_DOWNWARD)
#undef GW_NEAREST
#undef GW_DIRECTED
#undef GW_CONVERTED
#undef GW_MODE
GW_DEVICE float __frsqrt_rn(float a) { return rsqrtf(a); }

// Conversions. Out of range they give the nearest number there is, and 0 for NaN.
namespace gwsim {
template <class To, class From> inline To convert(From x) {
    if (x != x)
        return 0;
    const From low = (From)std::numeric_limits<To>::min(), high = (From)std::numeric_limits<To>::max();
    return x <= low ? std::numeric_limits<To>::min() : x >= high ? std::numeric_limits<To>::max() : (To)x;
}
} // namespace gwsim
#define GW_CONVERT_MODES(from, prefix, name, to)                                                                         \
    GW_DEVICE to __##prefix##2##name##_rn(from x) { return gwsim::convert<to>(nearbyint(x)); }                           \
    GW_DEVICE to __##prefix##2##name##_rz(from x) { return gwsim::convert<to>(trunc(x)); }                               \
    GW_DEVICE to __##prefix##2##name##_ru(from x) { return gwsim::convert<to>(ceil(x)); }                                \
    GW_DEVICE to __##prefix##2##name##_rd(from x) { return gwsim::convert<to>(floor(x)); }
GW_CONVERT_MODES(float, float, int, int)
GW_CONVERT_MODES(float, float, uint, unsigned)
GW_CONVERT_MODES(float, float, ll, long long)
GW_CONVERT_MODES(float, float, ull, unsigned long long)
GW_CONVERT_MODES(double, double, int, int)
GW_CONVERT_MODES(double, double, uint, unsigned)
GW_CONVERT_MODES(double, double, ll, long long)
GW_CONVERT_MODES(double, double, ull, unsigned long long)
#undef GW_CONVERT_MODES
GW_DEVICE float __int2float_rn(int x) { return x; }
GW_DEVICE float __uint2float_rn(unsigned x) { return x; }
GW_DEVICE float __ll2float_rn(long long x) { return x; }
GW_DEVICE float __ull2float_rn(unsigned long long x) { return x; }
GW_DEVICE double __int2double_rn(int x) { return x; }
GW_DEVICE double __uint2double_rn(unsigned x) { return x; }
GW_DEVICE double __ll2double_rn(long long x) { return x; }
GW_DEVICE double __ull2double_rn(unsigned long long x) { return x; }
GW_DEVICE float __double2float_rn(double x) { return x; }

// The same bits as another type.
#define GW_AS(name, to, from)                                                                                            \
    GW_DEVICE to name(from x) {                                                                                          \
        to r;                                                                                                            \
        memcpy(&r, &x, sizeof r);                                                                                        \
        return r;                                                                                                        \
    }
GW_AS(__float_as_int, int, float)
GW_AS(__float_as_uint, unsigned, float)
GW_AS(__int_as_float, float, int)
GW_AS(__uint_as_float, float, unsigned)
GW_AS(__double_as_longlong, long long, double)
GW_AS(__longlong_as_double, double, long long)
#undef GW_AS
GW_DEVICE int __double2hiint(double x) { return __double_as_longlong(x) >> 32; }
GW_DEVICE int __double2loint(double x) { return (int)__double_as_longlong(x); }
GW_DEVICE double __hiloint2double(int hi, int lo) { return __longlong_as_double((long long)hi << 32 | (unsigned)lo); }

// What is said to the compiler.
#define __builtin_assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#define __assume(condition) __builtin_assume(condition)

// Loads and stores with a cache hint.
template <class T> inline T __ldg(const T *p) { return *p; }
template <class T> inline T __ldca(const T *p) { return *p; }
template <class T> inline T __ldcg(const T *p) { return *p; }
template <class T> inline T __ldcs(const T *p) { return *p; }
template <class T> inline T __ldlu(const T *p) { return *p; }
template <class T> inline T __ldcv(const T *p) {
    if constexpr (std::is_arithmetic_v<T>)
        return *(const volatile T *)p;
    else
        return *p;
}
template <class T> inline void __stcg(T *p, T v) { *p = v; }
template <class T> inline void __stcs(T *p, T v) { *p = v; }
template <class T> inline void __stwb(T *p, T v) { *p = v; }
template <class T> inline void __stwt(T *p, T v) { *p = v; }
