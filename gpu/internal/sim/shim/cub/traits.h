// What CUB knows of the types of numbers: their kind, their bits in an order of unsigned integers, and small computations with types.
#pragma once
#include "common.h"
#include <limits>

namespace cub {

enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };

namespace detail {

template <class T> struct Half : std::false_type {};
template <> struct Half<__half> : std::true_type {
    static constexpr uint16_t largest = 0x7bff;
};
template <> struct Half<__nv_bfloat16> : std::true_type {
    static constexpr uint16_t largest = 0x7f7f;
};

template <class T> constexpr Category categoryOf() {
    if (std::is_floating_point_v<T> || Half<T>::value)
        return FLOATING_POINT;
    if (!std::is_integral_v<T>)
        return NOT_A_NUMBER;
    return std::is_signed_v<T> ? SIGNED_INTEGER : UNSIGNED_INTEGER;
}

template <class T, Category c> struct NumberTraits {
    static constexpr Category CATEGORY = c;
    static constexpr bool PRIMITIVE = true, NULL_TYPE = false;
    using UnsignedBits = typename KeyBits<T>::Bits;
    static constexpr UnsignedBits HIGH_BIT = UnsignedBits(UnsignedBits(1) << (sizeof(T) * 8 - 1));
    static constexpr UnsignedBits LOWEST_KEY = c == UNSIGNED_INTEGER ? UnsignedBits(0) : c == SIGNED_INTEGER ? HIGH_BIT : UnsignedBits(-1);
    static constexpr UnsignedBits MAX_KEY = c == UNSIGNED_INTEGER ? UnsignedBits(-1) : UnsignedBits(~HIGH_BIT);
    // TwiddleIn makes bits that are in the order of the numbers, TwiddleOut the number's again.
    static UnsignedBits TwiddleIn(UnsignedBits b) {
        if (c == FLOATING_POINT)
            return UnsignedBits(b ^ (b & HIGH_BIT ? UnsignedBits(-1) : HIGH_BIT));
        return c == SIGNED_INTEGER ? UnsignedBits(b ^ HIGH_BIT) : b;
    }
    static UnsignedBits TwiddleOut(UnsignedBits b) {
        if (c == FLOATING_POINT)
            return UnsignedBits(b ^ (b & HIGH_BIT ? HIGH_BIT : UnsignedBits(-1)));
        return c == SIGNED_INTEGER ? UnsignedBits(b ^ HIGH_BIT) : b;
    }
    static T Max() { return limit(false); }
    static T Lowest() { return limit(true); }

private:
    static T limit(bool lowest) {
        if constexpr (Half<T>::value) {
            const uint16_t bits = uint16_t(Half<T>::largest | (lowest ? 0x8000 : 0));
            T t;
            __builtin_memcpy(&t, &bits, sizeof t);
            return t;
        } else {
            return lowest ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
        }
    }
};
template <class T> struct NumberTraits<T, NOT_A_NUMBER> {
    static constexpr Category CATEGORY = NOT_A_NUMBER;
    static constexpr bool PRIMITIVE = false, NULL_TYPE = std::is_same_v<T, NullType>;
};

} // namespace detail

template <class T> struct NumericTraits : detail::NumberTraits<T, detail::categoryOf<T>()> {};
template <class T> struct Traits : NumericTraits<std::remove_cv_t<T>> {};

template <int n, int current = n, int count = 0> struct Log2 {
    enum { VALUE = Log2<n, (current >> 1), count + 1>::VALUE }; // rounded up
};
template <int n, int count> struct Log2<n, 0, count> {
    enum { VALUE = (1 << (count - 1)) < n ? count : count - 1 };
};
template <int n> struct PowerOfTwo {
    enum { VALUE = (n & (n - 1)) == 0 };
};

} // namespace cub
