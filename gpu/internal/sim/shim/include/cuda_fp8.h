// Numbers of 8 bits: with 4 bits of exponent and 3 of fraction, or 5 and 2.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

using __nv_fp8_storage_t = unsigned char;
using __nv_fp8x2_storage_t = unsigned short;
using __nv_fp8x4_storage_t = unsigned int;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace gwsim {

// Both kinds as what differs: bits of the fraction, the largest number, what is beyond it.
struct Tiny {
    int fraction, bias;
    unsigned largest, beyond;
};
constexpr Tiny tiny(__nv_fp8_interpretation_t kind) { return kind == __NV_E4M3 ? Tiny{3, 7, 0x7e, 0x7f} : Tiny{2, 15, 0x7b, 0x7c}; }

inline unsigned char toTiny(double v, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
    const Tiny t = tiny(kind);
    if (v != v)
        return 0x7f;
    unsigned sign = std::signbit(v) ? 0x80 : 0, bits = t.largest + 1;
    double size = fabs(v);
    if (size == 0)
        return sign;
    if (size < 1e6) {
        int exponent = ilogb(size) < 1 - t.bias ? 1 - t.bias : ilogb(size);
        bits = ((exponent + t.bias - 1) << t.fraction) + (unsigned)nearbyint(ldexp(size, t.fraction - exponent));
    }
    if (bits > t.largest)
        bits = saturate == __NV_SATFINITE ? t.largest : t.beyond;
    return sign | bits;
}

// A double that is no number keeps its sign and its upper bits, unlike a float.
inline unsigned char toTinyFromDouble(double v, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
    if (v == v)
        return toTiny(v, saturate, kind);
    const uint64_t bits = __double_as_longlong(v);
    return bits >> 63 << 7 | (kind == __NV_E4M3 ? 0x7f : 0x7e | (bits >> 50 & 3));
}

inline float fromTiny(unsigned char bits, __nv_fp8_interpretation_t kind) {
    const Tiny t = tiny(kind);
    unsigned size = bits & 0x7f;
    int exponent = size >> t.fraction, fraction = size & ((1 << t.fraction) - 1);
    float v = exponent == 0 ? ldexpf(fraction, 1 - t.bias - t.fraction) : ldexpf(fraction + (1 << t.fraction), exponent - t.bias - t.fraction);
    if (size > t.largest)
        v = kind == __NV_E5M2 && size == 0x7c ? __builtin_inff() : __builtin_nanf("");
    return bits & 0x80 ? -v : v;
}

template <__nv_fp8_interpretation_t kind> struct Fp8 {
    __nv_fp8_storage_t __x;
    Fp8() = default;
    template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type> explicit Fp8(T v) : __x(std::is_same_v<T, double> ? toTinyFromDouble((double)v, __NV_SATFINITE, kind) : toTiny((double)v, __NV_SATFINITE, kind)) {}
    explicit Fp8(__half v) : Fp8(v.f()) {}
    explicit Fp8(__nv_bfloat16 v) : Fp8(v.f()) {}
    explicit operator float() const { return fromTiny(__x, kind); }
    explicit operator double() const { return fromTiny(__x, kind); }
    explicit operator __half() const { return __half(fromTiny(__x, kind)); }
    explicit operator __nv_bfloat16() const { return __nv_bfloat16(fromTiny(__x, kind)); }
    explicit operator bool() const { return (__x & 0x7f) != 0; }
    explicit operator int() const { return convert<int>(fromTiny(__x, kind)); }
    explicit operator unsigned() const { return convert<unsigned>(fromTiny(__x, kind)); }
    explicit operator char() const { return convert<char>(fromTiny(__x, kind)); }
    explicit operator signed char() const { return convert<signed char>(fromTiny(__x, kind)); }
    explicit operator unsigned char() const { return convert<unsigned char>(fromTiny(__x, kind)); }
    explicit operator short() const { return convert<short>(fromTiny(__x, kind)); }
    explicit operator unsigned short() const { return convert<unsigned short>(fromTiny(__x, kind)); }
    explicit operator long() const { return convert<long>(fromTiny(__x, kind)); }
    explicit operator unsigned long() const { return convert<unsigned long>(fromTiny(__x, kind)); }
    explicit operator long long() const { return convert<long long>(fromTiny(__x, kind)); }
    explicit operator unsigned long long() const { return convert<unsigned long long>(fromTiny(__x, kind)); }
};

// Several in one word, the first in the lowest bits.
template <__nv_fp8_interpretation_t kind> struct Fp8x2 {
    __nv_fp8x2_storage_t __x;
    Fp8x2() = default;
    explicit Fp8x2(float2 v) : __x(toTiny(v.x, __NV_SATFINITE, kind) | toTiny(v.y, __NV_SATFINITE, kind) << 8) {}
    explicit Fp8x2(double2 v) : __x(toTinyFromDouble(v.x, __NV_SATFINITE, kind) | toTinyFromDouble(v.y, __NV_SATFINITE, kind) << 8) {}
    explicit Fp8x2(__half2 v) : Fp8x2(float2{v.x.f(), v.y.f()}) {}
    explicit Fp8x2(__nv_bfloat162 v) : Fp8x2(float2{v.x.f(), v.y.f()}) {}
    explicit operator float2() const { return {fromTiny(__x & 0xff, kind), fromTiny(__x >> 8, kind)}; }
    explicit operator __half2() const { return {__half(fromTiny(__x & 0xff, kind)), __half(fromTiny(__x >> 8, kind))}; }
    explicit operator __nv_bfloat162() const { return {__nv_bfloat16(fromTiny(__x & 0xff, kind)), __nv_bfloat16(fromTiny(__x >> 8, kind))}; }
};
template <__nv_fp8_interpretation_t kind> struct Fp8x4 {
    __nv_fp8x4_storage_t __x;
    template <class T> static __nv_fp8x4_storage_t pack(T x, T y, T z, T w) {
        auto bits = [](T v) { return unsigned(std::is_same_v<T, double> ? toTinyFromDouble(v, __NV_SATFINITE, kind) : toTiny(v, __NV_SATFINITE, kind)); };
        return bits(x) | bits(y) << 8 | bits(z) << 16 | bits(w) << 24;
    }
    Fp8x4() = default;
    explicit Fp8x4(float4 v) : __x(pack(v.x, v.y, v.z, v.w)) {}
    explicit Fp8x4(double4 v) : __x(pack(v.x, v.y, v.z, v.w)) {}
    Fp8x4(__half2 low, __half2 high) : __x(pack(low.x.f(), low.y.f(), high.x.f(), high.y.f())) {}
    Fp8x4(__nv_bfloat162 low, __nv_bfloat162 high) : __x(pack(low.x.f(), low.y.f(), high.x.f(), high.y.f())) {}
    explicit operator float4() const {
        return {fromTiny(__x & 0xff, kind), fromTiny(__x >> 8 & 0xff, kind), fromTiny(__x >> 16 & 0xff, kind), fromTiny(__x >> 24, kind)};
    }
};

} // namespace gwsim

using __nv_fp8_e4m3 = gwsim::Fp8<__NV_E4M3>;
using __nv_fp8_e5m2 = gwsim::Fp8<__NV_E5M2>;
using __nv_fp8x2_e4m3 = gwsim::Fp8x2<__NV_E4M3>;
using __nv_fp8x2_e5m2 = gwsim::Fp8x2<__NV_E5M2>;
using __nv_fp8x4_e4m3 = gwsim::Fp8x4<__NV_E4M3>;
using __nv_fp8x4_e5m2 = gwsim::Fp8x4<__NV_E5M2>;

GW_DEVICE __nv_fp8_storage_t __nv_cvt_float_to_fp8(float v, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
    return gwsim::toTiny(v, saturate, kind);
}
GW_DEVICE __nv_fp8_storage_t __nv_cvt_double_to_fp8(double v, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
    return gwsim::toTinyFromDouble(v, saturate, kind);
}
GW_DEVICE __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw v, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
    return gwsim::toTiny(__half(v).f(), saturate, kind);
}
GW_DEVICE __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 v, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
    return gwsim::toTiny(v.x, saturate, kind) | gwsim::toTiny(v.y, saturate, kind) << 8;
}
GW_DEVICE __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t v, __nv_fp8_interpretation_t kind) {
    return {__half(gwsim::fromTiny(v, kind)).x};
}
GW_DEVICE __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t v, __nv_fp8_interpretation_t kind) {
    return {__half(gwsim::fromTiny(v & 0xff, kind)).x, __half(gwsim::fromTiny(v >> 8, kind)).x};
}
GW_DEVICE __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 v, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
    return gwsim::toTinyFromDouble(v.x, saturate, kind) | gwsim::toTinyFromDouble(v.y, saturate, kind) << 8;
}
GW_DEVICE __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw v, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float2_to_fp8x2({__half2(v).x.f(), __half2(v).y.f()}, saturate, kind);
}
GW_DEVICE __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw v, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
    return gwsim::toTiny(__nv_bfloat16(v).f(), saturate, kind);
}
GW_DEVICE __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw v, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float2_to_fp8x2({__nv_bfloat162(v).x.f(), __nv_bfloat162(v).y.f()}, saturate, kind);
}
GW_DEVICE __nv_bfloat16_raw __nv_cvt_fp8_to_bf16raw(__nv_fp8_storage_t v, __nv_fp8_interpretation_t kind) {
    return {__nv_bfloat16(gwsim::fromTiny(v, kind)).x};
}
GW_DEVICE __nv_bfloat162_raw __nv_cvt_fp8x2_to_bf162raw(__nv_fp8x2_storage_t v, __nv_fp8_interpretation_t kind) {
    return {__nv_bfloat16(gwsim::fromTiny(v & 0xff, kind)).x, __nv_bfloat16(gwsim::fromTiny(v >> 8, kind)).x};
}

// Powers of two from 2^-127 to 2^127, by which blocks of numbers are scaled: an exponent of 8 bits without a sign.
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

namespace gwsim {

inline unsigned char toScale(double v, __nv_saturation_t saturate, cudaRoundMode way) {
    const double size = fabs(v);
    if (v != v)
        return 0xff;
    if (size == 0)
        return 0;
    int exponent = 0x400;
    if (size <= DBL_MAX) {
        const double part = frexp(size, &exponent); // from 1/2 to 1
        exponent--;
        // Half way between two powers, by their distance, is rounded up.
        if (way == cudaRoundNearest ? part >= 0.75 : way != cudaRoundZero && way != cudaRoundMinInf && part > 0.5)
            exponent++;
    }
    if (exponent > 127)
        return saturate == __NV_SATFINITE ? 0xfe : 0xff;
    return exponent < -127 ? 0 : exponent + 127;
}
// Of a double that is rounded down what is left is a float first.
inline unsigned char toScaleFromDouble(double v, __nv_saturation_t saturate, cudaRoundMode way) {
    const bool down = way == cudaRoundZero || way == cudaRoundMinInf;
    return toScale(down && fabs(v) <= DBL_MAX && fabs(v) > FLT_MAX ? FLT_MAX : v, saturate, way);
}
inline double fromScale(unsigned char bits) { return bits == 0xff ? __builtin_nan("") : ldexp(1.0, bits - 127); }

} // namespace gwsim

GW_DEVICE __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double v, __nv_saturation_t saturate, cudaRoundMode way) {
    return gwsim::toScaleFromDouble(v, saturate, way);
}
GW_DEVICE __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float v, __nv_saturation_t saturate, cudaRoundMode way) { return gwsim::toScale(v, saturate, way); }
GW_DEVICE __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw v, __nv_saturation_t saturate, cudaRoundMode way) {
    return gwsim::toScale(__nv_bfloat16(v).f(), saturate, way);
}
GW_DEVICE __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(double2 v, __nv_saturation_t saturate, cudaRoundMode way) {
    return gwsim::toScaleFromDouble(v.x, saturate, way) | gwsim::toScaleFromDouble(v.y, saturate, way) << 8;
}
GW_DEVICE __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2 v, __nv_saturation_t saturate, cudaRoundMode way) {
    return gwsim::toScale(v.x, saturate, way) | gwsim::toScale(v.y, saturate, way) << 8;
}
GW_DEVICE __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw v, __nv_saturation_t saturate, cudaRoundMode way) {
    return __nv_cvt_float2_to_e8m0x2({__nv_bfloat162(v).x.f(), __nv_bfloat162(v).y.f()}, saturate, way);
}
GW_DEVICE __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t v) { return {__nv_bfloat16(gwsim::fromScale(v)).x}; }
GW_DEVICE __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t v) {
    return {__nv_bfloat16(gwsim::fromScale(v & 0xff)).x, __nv_bfloat16(gwsim::fromScale(v >> 8)).x};
}

// Numbers without a sign, with 5 bits of exponent and 3 of fraction; the last pattern is none.
namespace gwsim {

inline unsigned char toUnsigned(double v, __nv_saturation_t saturate, cudaRoundMode way) {
    const double size = fabs(v);
    if (v != v)
        return 0xff;
    unsigned bits = 0x100;
    if (size < 1e6) {
        const int exponent = size == 0 || ilogb(size) < -14 ? -14 : ilogb(size);
        const double steps = ldexp(size, 3 - exponent);
        bits = ((exponent + 14) << 3) + (unsigned)(way == cudaRoundNearest ? nearbyint(steps) : way == cudaRoundPosInf ? ceil(steps) : floor(steps));
    }
    const bool down = way == cudaRoundZero || way == cudaRoundMinInf; // then the largest number comes before infinity
    return bits <= 0xfe ? bits : saturate == __NV_SATFINITE || (down && size <= DBL_MAX) ? 0xfe : 0xff;
}
inline float fromUnsigned(unsigned char bits) {
    const int exponent = bits >> 3, fraction = bits & 7;
    if (bits == 0xff)
        return __builtin_nanf("");
    return exponent == 0 ? ldexpf(fraction, -17) : ldexpf(fraction + 8, exponent - 18);
}

} // namespace gwsim

GW_DEVICE __nv_fp8_storage_t __nv_cvt_double_to_ue5m3(double v, __nv_saturation_t saturate, cudaRoundMode way) { return gwsim::toUnsigned(v, saturate, way); }
GW_DEVICE __nv_fp8_storage_t __nv_cvt_float_to_ue5m3(float v, __nv_saturation_t saturate, cudaRoundMode way) { return gwsim::toUnsigned(v, saturate, way); }
GW_DEVICE __nv_fp8_storage_t __nv_cvt_halfraw_to_ue5m3(__half_raw v, __nv_saturation_t saturate, cudaRoundMode way) {
    return gwsim::toUnsigned(__half(v).f(), saturate, way);
}
GW_DEVICE __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_ue5m3(__nv_bfloat16_raw v, __nv_saturation_t saturate, cudaRoundMode way) {
    return gwsim::toUnsigned(__nv_bfloat16(v).f(), saturate, way);
}
GW_DEVICE __nv_fp8x2_storage_t __nv_cvt_double2_to_ue5m3x2(double2 v, __nv_saturation_t saturate, cudaRoundMode way) {
    return gwsim::toUnsigned(v.x, saturate, way) | gwsim::toUnsigned(v.y, saturate, way) << 8;
}
GW_DEVICE __nv_fp8x2_storage_t __nv_cvt_float2_to_ue5m3x2(float2 v, __nv_saturation_t saturate, cudaRoundMode way) {
    return gwsim::toUnsigned(v.x, saturate, way) | gwsim::toUnsigned(v.y, saturate, way) << 8;
}
GW_DEVICE __nv_fp8x2_storage_t __nv_cvt_half2raw_to_ue5m3x2(__half2_raw v, __nv_saturation_t saturate, cudaRoundMode way) {
    return __nv_cvt_float2_to_ue5m3x2({__half2(v).x.f(), __half2(v).y.f()}, saturate, way);
}
GW_DEVICE __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_ue5m3x2(__nv_bfloat162_raw v, __nv_saturation_t saturate, cudaRoundMode way) {
    return __nv_cvt_float2_to_ue5m3x2({__nv_bfloat162(v).x.f(), __nv_bfloat162(v).y.f()}, saturate, way);
}
GW_DEVICE __half_raw __nv_cvt_ue5m3_to_halfraw(__nv_fp8_storage_t v) { return {__half(gwsim::fromUnsigned(v)).x}; }
GW_DEVICE __half2_raw __nv_cvt_ue5m3x2_to_halfraw2(__nv_fp8x2_storage_t v) {
    return {__half(gwsim::fromUnsigned(v & 0xff)).x, __half(gwsim::fromUnsigned(v >> 8)).x};
}
GW_DEVICE __nv_bfloat16_raw __nv_cvt_ue5m3_to_bf16raw(__nv_fp8_storage_t v) { return {__nv_bfloat16(gwsim::fromUnsigned(v)).x}; }
GW_DEVICE __nv_bfloat162_raw __nv_cvt_ue5m3x2_to_bf162raw(__nv_fp8x2_storage_t v) {
    return {__nv_bfloat16(gwsim::fromUnsigned(v & 0xff)).x, __nv_bfloat16(gwsim::fromUnsigned(v >> 8)).x};
}
