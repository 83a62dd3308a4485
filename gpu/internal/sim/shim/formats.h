// Formats of floating-point numbers of 16 bits: half precision and bfloat16.
#pragma once

namespace gwsim {

// A format turns numbers into bits.
struct HalfFormat {
#if defined(__aarch64__)
    using Native = __fp16;
#else
    using Native = _Float16;
#endif
    template <class From> static unsigned short bits(From f) {
        Native n = (Native)f;
        unsigned short b;
        memcpy(&b, &n, 2);
        return f != f ? 0x7fff : b;
    }
    static float number(unsigned short b) {
        Native n;
        memcpy(&n, &b, 2);
        return (float)n;
    }
    static constexpr unsigned short infinity = 0x7c00;
    static constexpr bool isWide = false; // its bits are the upper ones of a float
};

struct BrainFormat {
    static unsigned short bits(float f) {
        uint32_t b;
        memcpy(&b, &f, 4);
        return f != f ? 0x7fff : (b + 0x7fff + (b >> 16 & 1)) >> 16;
    }
    static unsigned short bits(double d) {
        // To odd in single precision, so that the second rounding does not see a tie that is none.
        float f = (float)d;
        uint32_t b;
        memcpy(&b, &f, 4);
        if ((double)f != d && f - f == 0) {
            if ((f > d) == (d > 0))
                b--; // towards zero
            b |= 1;
            memcpy(&f, &b, 4);
        }
        return bits(f);
    }
    static float number(unsigned short b) {
        uint32_t wide = (uint32_t)b << 16;
        float f;
        memcpy(&f, &wide, 4);
        return f;
    }
    static constexpr unsigned short infinity = 0x7f80;
    static constexpr bool isWide = true;
};

} // namespace gwsim
