// Translated assembly (../ptx) for numbers of 16 bits, of which a register has one or two.
#pragma once

#include "formats.h"

namespace gwptx {

using F16 = gwsim::HalfFormat;
using BF16 = gwsim::BrainFormat;

template <class Format> GW_DEVICE double half(uint64_t bits, int i) { return Format::number((unsigned short)(bits >> 16 * i)); }

// What instructions do to numbers. In double precision a product is exact, and a result is rounded once.
struct Sum { double operator()(double a, double b) const { return a + b; } };
struct Difference { double operator()(double a, double b) const { return a - b; } };
struct Product { double operator()(double a, double b) const { return a * b; } };
struct FusedProduct { double operator()(double a, double b, double c) const { return a * b + c; } };
struct Exponential { double operator()(double a) const { return std::exp2(a); } };
struct Tangent { double operator()(double a) const { return std::tanh(a); } };
struct Same { double operator()(double a) const { return a; } };
// Of two zeros the negative one is less. A number wins over what is none.
struct Smaller {
    double operator()(double a, double b) const { return a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b); }
};
struct Larger {
    double operator()(double a, double b) const { return a == b ? (std::signbit(a) ? b : a) : std::fmax(a, b); }
};
template <class F> struct OrNaN {
    double operator()(double a, double b) const { return a != a || b != b ? __builtin_nan("") : F()(a, b); }
};
template <class F> struct Saturated {
    template <class... A> double operator()(A... a) const {
        double v = F()(a...);
        return v > 0 ? v < 1 ? v : 1 : 0;
    }
};
template <class F> struct Relu {
    template <class... A> double operator()(A... a) const {
        double v = F()(a...);
        return v < 0 ? 0 : v;
    }
};

// halves does so to each of the n numbers of some registers.
template <class Format, int n, class F, class... R> GW_DEVICE uint32_t halves(R... registers) {
    uint32_t out = 0;
    for (int i = 0; i < n; i++)
        out |= uint32_t(Format::bits(F()(half<Format>(registers, i)...))) << 16 * i;
    return out;
}
// toHalf rounds a number, and fromHalf is the lower one of a register.
template <class Format, class F> GW_DEVICE uint32_t toHalf(double v) { return Format::bits(F()(v)); }

// toTF32 rounds to the 10 bits of a fraction that tensor cores take of a float, halves away from zero or to even.
template <bool even> GW_DEVICE uint32_t toTF32(uint32_t bits) {
    if ((bits & 0x7f800000) == 0x7f800000)
        return bits & 0x7fffff ? 0x7fffffff : bits;
    return (bits + (even ? 0xfff + (bits >> 13 & 1) : 0x1000)) & ~0x1fffu;
}

} // namespace gwptx
