// Floating-point numbers of 16 bits: half precision and bfloat16. Both are one class here,
// which computes in single precision and rounds every result, as the hardware does.
//
// Functions are friends defined in the class, so that they take what converts to it, as
// CUDA's ordinary functions do.
#pragma once

#include "formats.h"

namespace gwsim {

template <class Format> struct Pair;

template <class Format> struct Small {
    unsigned short x;

    Small() = default;
    Small(float f) : x(Format::bits(f)) {}
    Small(double f) : x(Format::bits(f)) {}
    Small(int v) : Small((double)v) {}
    Small(unsigned v) : Small((double)v) {}
    Small(short v) : Small((float)v) {}
    Small(unsigned short v) : Small((float)v) {}
    Small(long v) : Small((double)v) {}
    Small(unsigned long v) : Small((double)v) {}
    Small(long long v) : Small((double)v) {}
    Small(unsigned long long v) : Small((double)v) {}
    static Small of(unsigned short bits) {
        Small s;
        s.x = bits;
        return s;
    }

    operator float() const { return Format::number(x); }
    explicit operator double() const { return Format::number(x); }
    explicit operator bool() const { return (x & 0x7fff) != 0; }
    explicit operator int() const { return convert<int>(Format::number(x)); }
    explicit operator unsigned() const { return convert<unsigned>(Format::number(x)); }
    explicit operator short() const { return convert<short>(Format::number(x)); }
    explicit operator unsigned short() const { return convert<unsigned short>(Format::number(x)); }
    explicit operator long long() const { return integer<long long>(Format::number(x)); }
    explicit operator unsigned long long() const { return integer<unsigned long long>(Format::number(x)); }

    // A structure of the same bits.
    template <class Raw, class = std::enable_if_t<std::is_same_v<typename Raw::RawOf, Small>>> operator Raw() const { return {x}; }

    float f() const { return Format::number(x); }
    // single is the same with the one bit pattern that conversions have for what is no number.
    float single() const { return Format::isWide || (x & 0x7fff) <= Format::infinity ? f() : __uint_as_float(0x7fffffff); }
    // integer converts to an integer. Of 64 bits it has another value for what is no number.
    template <class T> static T integer(float v) { return sizeof(T) == 8 && v != v ? T(1ull << 63) : convert<T>(v); }

#define GW_SMALL_BINARY(op, name)                                                                                        \
    friend Small operator op(const Small &a, const Small &b) { return Small(a.f() op b.f()); }                          \
    Small &operator op##=(const Small &b) { return *this = *this op b; }                                                 \
    friend Small name(Small a, Small b) { return Small(a.f() op b.f()); }                                                \
    friend Small name##_rn(Small a, Small b) { return Small(a.f() op b.f()); }                                           \
    friend Small name##_sat(Small a, Small b) { return saturate(a.f() op b.f()); }
    GW_SMALL_BINARY(+, __hadd)
    GW_SMALL_BINARY(-, __hsub)
    GW_SMALL_BINARY(*, __hmul)
    GW_SMALL_BINARY(/, __hdiv)
#undef GW_SMALL_BINARY
// Functions give false where a number is none, those with u true.
#define GW_SMALL_COMPARE(op, name)                                                                                       \
    friend bool operator op(const Small &a, const Small &b) { return a.f() op b.f(); }                                  \
    friend bool name(Small a, Small b) { return a.f() op b.f() && !unordered(a, b); }                                    \
    friend bool name##u(Small a, Small b) { return a.f() op b.f() || unordered(a, b); }
    GW_SMALL_COMPARE(==, __heq)
    GW_SMALL_COMPARE(!=, __hne)
    GW_SMALL_COMPARE(<, __hlt)
    GW_SMALL_COMPARE(<=, __hle)
    GW_SMALL_COMPARE(>, __hgt)
    GW_SMALL_COMPARE(>=, __hge)
#undef GW_SMALL_COMPARE
    friend Small operator-(const Small &a) { return __hisnan(a) ? of(0x7fff) : of(a.x ^ 0x8000); }
    friend Small operator+(const Small &a) { return a; }
    Small &operator++() { return *this = *this + Small(1.0f); }
    Small &operator--() { return *this = *this - Small(1.0f); }
    Small operator++(int) {
        Small old = *this;
        ++*this;
        return old;
    }
    Small operator--(int) {
        Small old = *this;
        --*this;
        return old;
    }

    static bool unordered(Small a, Small b) { return a.f() != a.f() || b.f() != b.f(); }
    static Small saturate(float v) { return Small(v > 0 ? v < 1 ? v : 1.0f : 0.0f); }
    // In double precision a product of two is exact. Of a sum that is not, the last bit is made 1, so that rounding it again is right.
    static double sumToOdd(double a, double b) {
        const double sum = a + b, part = sum - a, lost = (a - (sum - part)) + (b - part);
        if (!(lost > 0 || lost < 0)) return sum; // exact, or not finite
        uint64_t bits;
        memcpy(&bits, &sum, sizeof bits);
        if (bits % 2 == 0) bits += (lost > 0) == (sum > 0) ? 1 : -1;
        double odd;
        memcpy(&odd, &bits, sizeof odd);
        return odd;
    }
    friend Small __hfma(Small a, Small b, Small c) { return Small(sumToOdd((double)a.f() * b.f(), c.f())); }
    friend Small __hfma_sat(Small a, Small b, Small c) { return saturate(__hfma(a, b, c).f()); }
    friend Small __hfma_relu(Small a, Small b, Small c) {
        const Small v = __hfma(a, b, c);
        return __hisnan(v) ? of(0x7fff) : __hmax(v, Small(0.0f));
    }
    friend Small __hneg(Small a) { return -a; }
    friend Small __habs(Small a) { return __hisnan(a) ? of(0x7fff) : of(a.x & 0x7fff); }
    // Of two zeros the negative one is less. A number wins over what is none.
    static Small number(Small a, Small b) { return !__hisnan(a) ? a : !__hisnan(b) ? b : of(0x7fff); }
    friend Small __hmax(Small a, Small b) { return a.f() == b.f() ? of(a.x & b.x) : unordered(a, b) ? number(a, b) : a.f() < b.f() ? b : a; }
    friend Small __hmin(Small a, Small b) { return a.f() == b.f() ? of(a.x | b.x) : unordered(a, b) ? number(a, b) : a.f() < b.f() ? a : b; }
    friend Small __hmax_nan(Small a, Small b) { return unordered(a, b) ? of(0x7fff) : __hmax(a, b); }
    friend Small __hmin_nan(Small a, Small b) { return unordered(a, b) ? of(0x7fff) : __hmin(a, b); }
    friend bool __hisnan(Small a) { return (a.x & 0x7fff) > Format::infinity; }
    friend int __hisinf(Small a) { return (a.x & 0x7fff) != Format::infinity ? 0 : a.x >> 15 ? -1 : 1; }
#define GW_SMALL_FUNCTION(name, value)                                                                                   \
    friend Small h##name(Small a) {                                                                                      \
        float v = a.f();                                                                                                 \
        return Small(value);                                                                                             \
    }
    GW_SMALL_FUNCTION(sqrt, sqrtf(v))
    GW_SMALL_FUNCTION(rsqrt, 1 / sqrtf(v))
    GW_SMALL_FUNCTION(rcp, 1 / v)
    GW_SMALL_FUNCTION(exp, expf(v))
    GW_SMALL_FUNCTION(exp2, exp2f(v))
    GW_SMALL_FUNCTION(exp10, exp10f(v))
    GW_SMALL_FUNCTION(log, logf(v))
    GW_SMALL_FUNCTION(log2, log2f(v))
    GW_SMALL_FUNCTION(log10, log10f(v))
    GW_SMALL_FUNCTION(sin, sinf(v))
    GW_SMALL_FUNCTION(cos, cosf(v))
    GW_SMALL_FUNCTION(tanh, tanhf(v))
    GW_SMALL_FUNCTION(tanh_approx, tanhf(v))
    GW_SMALL_FUNCTION(floor, floorf(v))
    GW_SMALL_FUNCTION(ceil, ceilf(v))
    GW_SMALL_FUNCTION(trunc, truncf(v))
    GW_SMALL_FUNCTION(rint, rintf(v))
#undef GW_SMALL_FUNCTION
    friend Small atomicAdd(Small *p, Small v) {
        return update(p, [=](Small old) { return old + v; });
    }
    friend Small atomicExch(Small *p, Small v) {
        return update(p, [=](Small) { return v; });
    }
};

// A Pair is two of them in one register.
template <class Format> struct alignas(4) Pair {
    using Number = Small<Format>;
    Number x, y;

    Pair() = default;
    Pair(const Number &x, const Number &y) : x(x), y(y) {}
    template <class Raw, class = std::enable_if_t<std::is_same_v<typename Raw::RawOf, Pair>>> operator Raw() const { return {x.x, y.x}; }

#define GW_PAIR_BINARY(op, name)                                                                                         \
    friend Pair operator op(const Pair &a, const Pair &b) { return {a.x op b.x, a.y op b.y}; }                          \
    Pair &operator op##=(const Pair &b) { return *this = *this op b; }                                                   \
    friend Pair name##2(Pair a, Pair b) { return {name(a.x, b.x), name(a.y, b.y)}; }                                     \
    friend Pair name##2_rn(Pair a, Pair b) { return {name(a.x, b.x), name(a.y, b.y)}; }                                  \
    friend Pair name##2_sat(Pair a, Pair b) { return {name##_sat(a.x, b.x), name##_sat(a.y, b.y)}; }
    GW_PAIR_BINARY(+, __hadd)
    GW_PAIR_BINARY(-, __hsub)
    GW_PAIR_BINARY(*, __hmul)
#undef GW_PAIR_BINARY
    friend Pair operator/(const Pair &a, const Pair &b) { return {a.x / b.x, a.y / b.y}; }
    friend Pair __h2div(Pair a, Pair b) { return a / b; }
    friend Pair operator-(const Pair &a) { return {-a.x, -a.y}; }
// Comparisons give numbers 1 and 0, masks of all bits, and whether they hold for both.
#define GW_PAIR_COMPARED(one, two, mask, both)                                                                           \
    friend Pair two(Pair a, Pair b) { return {Number(one(a.x, b.x) ? 1.0f : 0.0f), Number(one(a.y, b.y) ? 1.0f : 0.0f)}; } \
    friend unsigned mask(Pair a, Pair b) { return (one(a.x, b.x) ? 0xffffu : 0) | (one(a.y, b.y) ? 0xffff0000u : 0); }    \
    friend bool both(Pair a, Pair b) { return one(a.x, b.x) && one(a.y, b.y); }
#define GW_PAIR_COMPARE(op, name, both)                                                                                  \
    friend bool operator op(const Pair &a, const Pair &b) { return a.x op b.x && a.y op b.y; }                          \
    GW_PAIR_COMPARED(name, name##2, name##2_mask, both##2)                                                               \
    GW_PAIR_COMPARED(name##u, name##u2, name##u2_mask, both##u2)
    GW_PAIR_COMPARE(==, __heq, __hbeq)
    GW_PAIR_COMPARE(!=, __hne, __hbne)
    GW_PAIR_COMPARE(<, __hlt, __hblt)
    GW_PAIR_COMPARE(<=, __hle, __hble)
    GW_PAIR_COMPARE(>, __hgt, __hbgt)
    GW_PAIR_COMPARE(>=, __hge, __hbge)
#undef GW_PAIR_COMPARE
#undef GW_PAIR_COMPARED
    friend Pair __hfma2(Pair a, Pair b, Pair c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
    friend Pair __hfma2_sat(Pair a, Pair b, Pair c) { return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)}; }
    friend Pair __hfma2_relu(Pair a, Pair b, Pair c) { return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)}; }
    // A product of complex numbers and a sum, in the order of operations that the hardware has.
    friend Pair __hcmadd(Pair a, Pair b, Pair c) {
        return {__hfma(-a.y, b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
    }
    friend Pair __hneg2(Pair a) { return -a; }
    friend Pair __habs2(Pair a) { return {__habs(a.x), __habs(a.y)}; }
    friend Pair __hmax2(Pair a, Pair b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
    friend Pair __hmin2(Pair a, Pair b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
    friend Pair __hmax2_nan(Pair a, Pair b) { return {__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)}; }
    friend Pair __hmin2_nan(Pair a, Pair b) { return {__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)}; }
    friend Pair __hisnan2(Pair a) { return {Number(__hisnan(a.x) ? 1.0f : 0.0f), Number(__hisnan(a.y) ? 1.0f : 0.0f)}; }
#define GW_PAIR_FUNCTION(name)                                                                                           \
    friend Pair h2##name(Pair a) { return {h##name(a.x), h##name(a.y)}; }
    GW_PAIR_FUNCTION(sqrt)
    GW_PAIR_FUNCTION(rsqrt)
    GW_PAIR_FUNCTION(rcp)
    GW_PAIR_FUNCTION(exp)
    GW_PAIR_FUNCTION(exp2)
    GW_PAIR_FUNCTION(exp10)
    GW_PAIR_FUNCTION(log)
    GW_PAIR_FUNCTION(log2)
    GW_PAIR_FUNCTION(log10)
    GW_PAIR_FUNCTION(sin)
    GW_PAIR_FUNCTION(cos)
    GW_PAIR_FUNCTION(tanh)
    GW_PAIR_FUNCTION(tanh_approx)
    GW_PAIR_FUNCTION(floor)
    GW_PAIR_FUNCTION(ceil)
    GW_PAIR_FUNCTION(trunc)
    GW_PAIR_FUNCTION(rint)
#undef GW_PAIR_FUNCTION
    friend Number __low2half(Pair a) { return a.x; }
    friend Number __high2half(Pair a) { return a.y; }
    friend Number __low2bfloat16(Pair a) { return a.x; }
    friend Number __high2bfloat16(Pair a) { return a.y; }
    friend float __low2float(Pair a) { return a.x.single(); }
    friend float __high2float(Pair a) { return a.y.single(); }
    friend Pair __lowhigh2highlow(Pair a) { return {a.y, a.x}; }
    friend Pair __lows2half2(Pair a, Pair b) { return {a.x, b.x}; }
    friend Pair __highs2half2(Pair a, Pair b) { return {a.y, b.y}; }
    friend Pair __low2half2(Pair a) { return {a.x, a.x}; }
    friend Pair __high2half2(Pair a) { return {a.y, a.y}; }
    friend Pair __lows2bfloat162(Pair a, Pair b) { return {a.x, b.x}; }
    friend Pair __highs2bfloat162(Pair a, Pair b) { return {a.y, b.y}; }
    friend Pair __low2bfloat162(Pair a) { return {a.x, a.x}; }
    friend Pair __high2bfloat162(Pair a) { return {a.y, a.y}; }
    // The two halves are added on their own, as by the hardware.
    friend Pair atomicAdd(Pair *p, Pair v) { return {atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y)}; }
};

} // namespace gwsim

namespace gwsim {

// directed rounds towards zero, or down (-1) or up (1). A float holds what lies between two neighbours of the format.
template <class Format, class From> Small<Format> directed(From f, int direction) {
    Small<Format> near(f);
    auto got = (From)near.f();
    if (f != f || got == f)
        return near;
    bool grew = got > f, shrink = direction == 0 ? (got < 0 ? !grew : grew) && got != 0 : direction < 0 ? grew : false;
    bool raise = direction == 0 ? false : direction > 0 && !grew;
    if (shrink && direction == 0)
        return Small<Format>::of(near.x - 1); // the bits of both signs count up from zero
    if (shrink || raise) {
        if ((near.x & 0x7fff) == 0)
            return Small<Format>::of(raise ? 0x0001 : 0x8001);
        bool away = (near.x >> 15) == (shrink ? 1 : 0); // from zero
        return Small<Format>::of(away ? near.x + 1 : near.x - 1);
    }
    return near;
}

// rounded is a number as an integer conversion of that name rounds it.
inline float rounded(float v, char way) { return way == 'n' ? rintf(v) : way == 'u' ? ceilf(v) : way == 'd' ? floorf(v) : truncf(v); }

} // namespace gwsim

// Conversions from and to one type of integer. Those of 64 bits pass through double, which rounds only what is beyond both formats' fractions.
#define GW_INTEGER_SMALL(Number, Format, word, name, type)                                                               \
    GW_DEVICE Number __##name##2##word##_rn(type v) { return Number(v); }                                                \
    GW_DEVICE Number __##name##2##word##_rz(type v) { return gwsim::directed<gwsim::Format>((double)v, 0); }             \
    GW_DEVICE Number __##name##2##word##_rd(type v) { return gwsim::directed<gwsim::Format>((double)v, -1); }            \
    GW_DEVICE Number __##name##2##word##_ru(type v) { return gwsim::directed<gwsim::Format>((double)v, 1); }             \
    GW_DEVICE type __##word##2##name##_rn(Number h) { return Number::integer<type>(gwsim::rounded(h.f(), 'n')); }          \
    GW_DEVICE type __##word##2##name##_rz(Number h) { return Number::integer<type>(gwsim::rounded(h.f(), 'z')); }          \
    GW_DEVICE type __##word##2##name##_rd(Number h) { return Number::integer<type>(gwsim::rounded(h.f(), 'd')); }          \
    GW_DEVICE type __##word##2##name##_ru(Number h) { return Number::integer<type>(gwsim::rounded(h.f(), 'u')); } 

// A type of a format: its names, and what has the type in its name, which are conversions
// from and to other types and constants.
#define GW_SMALL(Number, Two, Format, word, pairs, floats, halves)                                                       \
    using Number = gwsim::Small<gwsim::Format>;                                                                          \
    using Two = gwsim::Pair<gwsim::Format>;                                                                              \
    struct Number##_raw {                                                                                                \
        using RawOf = Number;                                                                                            \
        unsigned short x;                                                                                                \
        operator Number() const { return Number::of(x); }                                                                \
    };                                                                                                                   \
    struct alignas(4) Two##_raw {                                                                                        \
        using RawOf = Two;                                                                                               \
        unsigned short x, y;                                                                                             \
        operator Two() const { return {Number::of(x), Number::of(y)}; }                                                  \
    };                                                                                                                   \
    GW_DEVICE Two halves(Number a, Number b) { return {a, b}; }                                                          \
    GW_DEVICE Number __float2##word(float f) { return Number(f); }                                                       \
    GW_DEVICE Number __float2##word##_rn(float f) { return Number(f); }                                                  \
    GW_DEVICE Number __float2##word##_rz(float f) { return gwsim::directed<gwsim::Format>(f, 0); }                       \
    GW_DEVICE Number __float2##word##_rd(float f) { return gwsim::directed<gwsim::Format>(f, -1); }                      \
    GW_DEVICE Number __float2##word##_ru(float f) { return gwsim::directed<gwsim::Format>(f, 1); }                       \
    GW_INTEGER_SMALL(Number, Format, word, int, int)                                                                     \
    GW_INTEGER_SMALL(Number, Format, word, uint, unsigned)                                                               \
    GW_INTEGER_SMALL(Number, Format, word, short, short)                                                                 \
    GW_INTEGER_SMALL(Number, Format, word, ushort, unsigned short)                                                       \
    GW_INTEGER_SMALL(Number, Format, word, ll, long long)                                                                \
    GW_INTEGER_SMALL(Number, Format, word, ull, unsigned long long)                                                      \
    GW_DEVICE signed char __##word##2char_rz(Number h) { return gwsim::convert<signed char>(h.f()); }                    \
    GW_DEVICE unsigned char __##word##2uchar_rz(Number h) { return gwsim::convert<unsigned char>(h.f()); }               \
    GW_DEVICE Number __double2##word(double f) { return Number(f); }                                                     \
    GW_DEVICE float __##word##2float(Number h) { return h.single(); }                                                    \
    GW_DEVICE unsigned short __##word##_as_ushort(Number h) { return h.x; }                                              \
    GW_DEVICE short __##word##_as_short(Number h) { return (short)h.x; }                                                 \
    GW_DEVICE Number __ushort_as_##word(unsigned short b) { return Number::of(b); }                                      \
    GW_DEVICE Number __short_as_##word(short b) { return Number::of((unsigned short)b); }                                \
    GW_DEVICE Two __float2##pairs##_rn(float f) { return {Number(f), Number(f)}; }                                       \
    GW_DEVICE Two __floats2##pairs##_rn(float a, float b) { return {Number(a), Number(b)}; }                             \
    GW_DEVICE Two __float22##pairs##_rn(float2 f) { return {Number(f.x), Number(f.y)}; }                                 \
    GW_DEVICE float2 floats(Two h) { return {h.x.single(), h.y.single()}; }                                              \
    GW_DEVICE Two __##word##2##pairs(Number h) { return {h, h}; }                                                        \
    GW_DEVICE Two make_##pairs(Number a, Number b) { return {a, b}; }
