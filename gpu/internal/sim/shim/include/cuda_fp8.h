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
    template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type> explicit Fp8(T v) : __x(toTiny((double)v, __NV_SATFINITE, kind)) {}
    explicit Fp8(__half v) : Fp8(v.f()) {}
    explicit Fp8(__nv_bfloat16 v) : Fp8(v.f()) {}
    explicit operator float() const { return fromTiny(__x, kind); }
    explicit operator double() const { return fromTiny(__x, kind); }
    explicit operator __half() const { return __half(fromTiny(__x, kind)); }
    explicit operator __nv_bfloat16() const { return __nv_bfloat16(fromTiny(__x, kind)); }
    explicit operator bool() const { return (__x & 0x7f) != 0; }
    explicit operator int() const { return convert<int>(fromTiny(__x, kind)); }
    explicit operator unsigned() const { return convert<unsigned>(fromTiny(__x, kind)); }
};

// Several in one word, the first in the lowest bits.
template <__nv_fp8_interpretation_t kind> struct Fp8x2 {
    __nv_fp8x2_storage_t __x;
    Fp8x2() = default;
    explicit Fp8x2(float2 v) : __x(toTiny(v.x, __NV_SATFINITE, kind) | toTiny(v.y, __NV_SATFINITE, kind) << 8) {}
    explicit Fp8x2(double2 v) : __x(toTiny(v.x, __NV_SATFINITE, kind) | toTiny(v.y, __NV_SATFINITE, kind) << 8) {}
    explicit Fp8x2(__half2 v) : Fp8x2(float2{v.x.f(), v.y.f()}) {}
    explicit Fp8x2(__nv_bfloat162 v) : Fp8x2(float2{v.x.f(), v.y.f()}) {}
    explicit operator float2() const { return {fromTiny(__x & 0xff, kind), fromTiny(__x >> 8, kind)}; }
    explicit operator __half2() const { return {__half(fromTiny(__x & 0xff, kind)), __half(fromTiny(__x >> 8, kind))}; }
};
template <__nv_fp8_interpretation_t kind> struct Fp8x4 {
    __nv_fp8x4_storage_t __x;
    Fp8x4() = default;
    explicit Fp8x4(float4 v)
        : __x(toTiny(v.x, __NV_SATFINITE, kind) | toTiny(v.y, __NV_SATFINITE, kind) << 8 | toTiny(v.z, __NV_SATFINITE, kind) << 16 |
              (unsigned)toTiny(v.w, __NV_SATFINITE, kind) << 24) {}
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
    return gwsim::toTiny(v, saturate, kind);
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
