// Several small integers in one word: dot products, and arithmetic by byte and by half.
#pragma once

namespace gwsim {

// lanewise applies f to the parts of two words. T is the type of a part.
template <class T, class F> inline unsigned lanewise(unsigned a, unsigned b, F f) {
    constexpr int bits = sizeof(T) * 8;
    unsigned out = 0;
    for (int at = 0; at < 32; at += bits)
        out |= (f((T)(a >> at), (T)(b >> at)) & (unsigned)((1ull << bits) - 1)) << at;
    return out;
}

template <class T> inline unsigned clamped(int v) {
    return v < std::numeric_limits<T>::min() ? std::numeric_limits<T>::min() : v > std::numeric_limits<T>::max() ? std::numeric_limits<T>::max() : v;
}

template <class A, class B> inline int dot4(int a, int b) {
    int sum = 0;
    for (int at = 0; at < 32; at += 8)
        sum += (int)(A)(a >> at) * (int)(B)(b >> at);
    return sum;
}
template <class A, class B> inline int dot2(int a, int b, int half) {
    return (int)(A)a * (int)(B)(b >> 16 * half) + (int)(A)(a >> 16) * (int)(B)(b >> (16 * half + 8));
}

template <class V> inline int word(V v) {
    int w;
    memcpy(&w, &v, sizeof w);
    return w;
}

} // namespace gwsim

GW_DEVICE int __dp4a(int a, int b, int c) { return (unsigned)gwsim::dot4<signed char, signed char>(a, b) + c; }
GW_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c) { return gwsim::dot4<unsigned char, unsigned char>(a, b) + c; }
GW_DEVICE int __dp4a(char4 a, char4 b, int c) { return __dp4a(gwsim::word(a), gwsim::word(b), c); }
GW_DEVICE unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) { return __dp4a((unsigned)gwsim::word(a), (unsigned)gwsim::word(b), c); }
#define GW_DP2A(name, half)                                                                                              \
    GW_DEVICE int name(int a, int b, int c) { return (unsigned)gwsim::dot2<short, signed char>(a, b, half) + c; }        \
    GW_DEVICE unsigned name(unsigned a, unsigned b, unsigned c) { return gwsim::dot2<unsigned short, unsigned char>(a, b, half) + c; } \
    GW_DEVICE int name(short2 a, char4 b, int c) { return name(gwsim::word(a), gwsim::word(b), c); }                     \
    GW_DEVICE unsigned name(ushort2 a, uchar4 b, unsigned c) { return name((unsigned)gwsim::word(a), (unsigned)gwsim::word(b), c); }
GW_DP2A(__dp2a_lo, 0)
GW_DP2A(__dp2a_hi, 1)
#undef GW_DP2A

// The names end in the number of parts, signed and unsigned ones before that. A comparison
// gives all bits of the part, or with set the number 1.
#define GW_LANEWISE(name, type, expression)                                                                              \
    GW_DEVICE unsigned name(unsigned x, unsigned y) {                                                                    \
        return gwsim::lanewise<type>(x, y, [](int a, int b) -> unsigned { return expression; });                         \
    }
#define GW_LANEWISE1(name, type, expression)                                                                             \
    GW_DEVICE unsigned name(unsigned x) {                                                                                \
        return gwsim::lanewise<type>(x, 0, [](int a, int) -> unsigned { return expression; });                           \
    }
#define GW_COMPARE(name, n, type, op)                                                                                    \
    GW_LANEWISE(__vcmp##name##n, type, a op b ? ~0u : 0)                                                                 \
    GW_LANEWISE(__vset##name##n, type, a op b)
#define GW_SUM(name, n, type, expression)                                                                                \
    GW_DEVICE unsigned name##n(unsigned x, unsigned y) {                                                                 \
        unsigned sum = 0;                                                                                                \
        gwsim::lanewise<type>(x, y, [&](int a, int b) -> unsigned { return sum += expression, 0; });                     \
        return sum;                                                                                                      \
    }
#define GW_PARTS(n, S, U)                                                                                                \
    GW_LANEWISE(__vadd##n, U, a + b)                                                                                     \
    GW_LANEWISE(__vsub##n, U, a - b)                                                                                     \
    GW_LANEWISE(__vaddss##n, S, gwsim::clamped<S>(a + b))                                                                \
    GW_LANEWISE(__vaddus##n, U, gwsim::clamped<U>(a + b))                                                                \
    GW_LANEWISE(__vsubss##n, S, gwsim::clamped<S>(a - b))                                                                \
    GW_LANEWISE(__vsubus##n, U, gwsim::clamped<U>(a - b))                                                                \
    GW_LANEWISE(__vavgs##n, S, (a + b + (a + b >= 0)) >> 1)                                                              \
    GW_LANEWISE(__vavgu##n, U, (a + b + 1) >> 1)                                                                         \
    GW_LANEWISE(__vhaddu##n, U, (a + b) >> 1)                                                                            \
    GW_LANEWISE(__vabsdiffs##n, S, a > b ? a - b : b - a)                                                                \
    GW_LANEWISE(__vabsdiffu##n, U, a > b ? a - b : b - a)                                                                \
    GW_LANEWISE(__vmins##n, S, a < b ? a : b)                                                                            \
    GW_LANEWISE(__vminu##n, U, a < b ? a : b)                                                                            \
    GW_LANEWISE(__vmaxs##n, S, a > b ? a : b)                                                                            \
    GW_LANEWISE(__vmaxu##n, U, a > b ? a : b)                                                                            \
    GW_LANEWISE1(__vneg##n, S, -a)                                                                                       \
    GW_LANEWISE1(__vnegss##n, S, gwsim::clamped<S>(-a))                                                                  \
    GW_LANEWISE1(__vabs##n, S, a < 0 ? -a : a)                                                                           \
    GW_LANEWISE1(__vabsss##n, S, gwsim::clamped<S>(a < 0 ? -a : a))                                                      \
    GW_SUM(__vsads, n, S, a > b ? a - b : b - a)                                                                         \
    GW_SUM(__vsadu, n, U, a > b ? a - b : b - a)                                                                         \
    GW_COMPARE(eq, n, U, ==)                                                                                             \
    GW_COMPARE(ne, n, U, !=)                                                                                             \
    GW_COMPARE(lts, n, S, <)                                                                                             \
    GW_COMPARE(ltu, n, U, <)                                                                                             \
    GW_COMPARE(les, n, S, <=)                                                                                            \
    GW_COMPARE(leu, n, U, <=)                                                                                            \
    GW_COMPARE(gts, n, S, >)                                                                                             \
    GW_COMPARE(gtu, n, U, >)                                                                                             \
    GW_COMPARE(ges, n, S, >=)                                                                                            \
    GW_COMPARE(geu, n, U, >=)
GW_PARTS(2, short, unsigned short)
GW_PARTS(4, signed char, unsigned char)
#undef GW_PARTS
#undef GW_SUM
#undef GW_COMPARE
#undef GW_LANEWISE1
#undef GW_LANEWISE

// Sums and the largest or smallest in one step, and no less than 0.
#define GW_VIA(name, type, expression)                                                                                   \
    GW_DEVICE type __vi##name(type a, type b, type c) { return expression; }
GW_VIA(addmax_s32, int, max((int)((unsigned)a + b), c))
GW_VIA(addmin_s32, int, min((int)((unsigned)a + b), c))
GW_VIA(addmax_s32_relu, int, max(max((int)((unsigned)a + b), c), 0))
GW_VIA(addmin_s32_relu, int, max(min((int)((unsigned)a + b), c), 0))
GW_VIA(addmax_u32, unsigned, max(a + b, c))
GW_VIA(addmin_u32, unsigned, min(a + b, c))
GW_VIA(max3_s32, int, max(max(a, b), c))
GW_VIA(min3_s32, int, min(min(a, b), c))
GW_VIA(max3_u32, unsigned, max(max(a, b), c))
GW_VIA(min3_u32, unsigned, min(min(a, b), c))
#undef GW_VIA
GW_DEVICE int __vimax_s32_relu(int a, int b) { return max(max(a, b), 0); }
GW_DEVICE int __vimin_s32_relu(int a, int b) { return max(min(a, b), 0); }
