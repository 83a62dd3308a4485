// The rest of the instructions for dynamic programming (DPX): those on pairs of 16 bits, and those that tell which operand it was.
#pragma once

namespace gwsim {

// pairwise applies f to the halves of three words. Sums wrap around in 16 bits.
template <class T, class F> GW_DEVICE unsigned pairwise(unsigned a, unsigned b, unsigned c, F f) {
    unsigned low = uint16_t(f(T(a), T(b), T(c))), high = uint16_t(f(T(a >> 16), T(b >> 16), T(c >> 16)));
    return high << 16 | low;
}

} // namespace gwsim

#define GW_DPX3(name, T, expression)                                                                                     \
    GW_DEVICE unsigned name(unsigned x, unsigned y, unsigned z) {                                                        \
        return gwsim::pairwise<T>(x, y, z, [](T a, T b, T c) -> T { return expression; });                               \
    }
#define GW_DPX2(name, T, expression)                                                                                     \
    GW_DEVICE unsigned name(unsigned x, unsigned y) {                                                                    \
        return gwsim::pairwise<T>(x, y, 0, [](T a, T b, T) -> T { return expression; });                                 \
    }
#define GW_DPX_TYPE(suffix, T)                                                                                           \
    GW_DPX3(__vimax3_##suffix, T, max(max(int(a), int(b)), int(c)))                                                      \
    GW_DPX3(__vimin3_##suffix, T, min(min(int(a), int(b)), int(c)))                                                      \
    GW_DPX3(__viaddmax_##suffix, T, max(int((T)(a + b)), int(c)))                                                          \
    GW_DPX3(__viaddmin_##suffix, T, min(int((T)(a + b)), int(c)))
GW_DPX_TYPE(s16x2, short)
GW_DPX_TYPE(u16x2, unsigned short)
GW_DPX3(__vimax3_s16x2_relu, short, max(max(max(int(a), int(b)), int(c)), 0))
GW_DPX3(__vimin3_s16x2_relu, short, max(min(min(int(a), int(b)), int(c)), 0))
GW_DPX3(__viaddmax_s16x2_relu, short, max(max(int(short(a + b)), int(c)), 0))
GW_DPX3(__viaddmin_s16x2_relu, short, max(min(int(short(a + b)), int(c)), 0))
GW_DPX2(__vimax_s16x2_relu, short, max(max(int(a), int(b)), 0))
GW_DPX2(__vimin_s16x2_relu, short, max(min(int(a), int(b)), 0))
#undef GW_DPX3
#undef GW_DPX2
#undef GW_DPX_TYPE

GW_DEVICE int __vimax3_s32_relu(int a, int b, int c) { return max(max(max(a, b), c), 0); }
GW_DEVICE int __vimin3_s32_relu(int a, int b, int c) { return max(min(min(a, b), c), 0); }

// Whether the first operand is the result.
#define GW_WHICH(type, suffix)                                                                                           \
    GW_DEVICE type __vibmax_##suffix(type a, type b, bool *first) { return *first = a >= b, a >= b ? a : b; }            \
    GW_DEVICE type __vibmin_##suffix(type a, type b, bool *first) { return *first = a <= b, a <= b ? a : b; }
GW_WHICH(int, s32)
GW_WHICH(unsigned, u32)
#undef GW_WHICH
#define GW_WHICH(T, suffix)                                                                                              \
    GW_DEVICE unsigned __vibmax_##suffix(unsigned a, unsigned b, bool *high, bool *low) {                                \
        *high = (T)(a >> 16) >= (T)(b >> 16), *low = (T)a >= (T)b;                                                           \
        return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);                                             \
    }                                                                                                                    \
    GW_DEVICE unsigned __vibmin_##suffix(unsigned a, unsigned b, bool *high, bool *low) {                                \
        *high = (T)(a >> 16) <= (T)(b >> 16), *low = (T)a <= (T)b;                                                           \
        return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);                                             \
    }
GW_WHICH(short, s16x2)
GW_WHICH(unsigned short, u16x2)
#undef GW_WHICH
