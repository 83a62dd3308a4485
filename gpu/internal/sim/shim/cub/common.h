// CUB: the interface of NVIDIA's library of block, warp and device algorithms, whose own code is in large part assembly for GPUs.
// What a block shares is used in the plainest way: each thread leaves its values, and one thread or each computes from all of them.
#pragma once
#include "../include/cuda_bf16.h"
#include "../include/cuda_fp16.h"
#include "../include/cuda_runtime.h"
#include <iterator>
#include <type_traits>
#include <utility>

#define CUB_VERSION 300000

namespace cub {

struct NullType {};

template <class T> struct Uninitialized {
    alignas(T) char bytes[sizeof(T)];
    T &Alias() { return reinterpret_cast<T &>(bytes); }
};

template <class K, class V> struct KeyValuePair {
    typedef K Key;
    typedef V Value;
    K key;
    V value;
    bool operator!=(const KeyValuePair &o) const { return value != o.value || key != o.key; }
    bool operator==(const KeyValuePair &o) const { return !(*this != o); }
};

struct Sum {
    template <class A, class B> auto operator()(const A &a, const B &b) const { return a + b; }
};
struct Difference {
    template <class A, class B> auto operator()(const A &a, const B &b) const { return a - b; }
};
struct Division {
    template <class A, class B> auto operator()(const A &a, const B &b) const { return a / b; }
};
struct Max {
    template <class A, class B> std::common_type_t<A, B> operator()(const A &a, const B &b) const { return a < b ? b : a; }
};
struct Min {
    template <class A, class B> std::common_type_t<A, B> operator()(const A &a, const B &b) const { return b < a ? b : a; }
};
struct Equality {
    template <class A, class B> bool operator()(const A &a, const B &b) const { return a == b; }
};
struct Inequality {
    template <class A, class B> bool operator()(const A &a, const B &b) const { return a != b; }
};
// The first of equal ones.
struct ArgMax {
    template <class P> P operator()(const P &a, const P &b) const { return a.value < b.value || (!(b.value < a.value) && b.key < a.key) ? b : a; }
};
struct ArgMin {
    template <class P> P operator()(const P &a, const P &b) const { return b.value < a.value || (!(a.value < b.value) && b.key < a.key) ? b : a; }
};

template <class T> struct CastOp {
    template <class A> T operator()(A &&a) const { return static_cast<T>(std::forward<A>(a)); }
};

// Values is room for values that are not constructed.
template <class T, int N> struct Values {
    alignas(T) char bytes[sizeof(T) * N];
    T &operator[](int i) { return reinterpret_cast<T *>(bytes)[i]; }
};

inline unsigned LaneId() { return gwsim::lane(); }
inline unsigned WarpId() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32; }
inline int RowMajorTid(int x, int y, int) { return threadIdx.x + x * (threadIdx.y + y * threadIdx.z); }

namespace detail {

// KeyBits orders keys as CUB's radix sorts do: by their bits from begin to end, those of numbers below zero first.
template <class K> struct KeyBits {
    static_assert(std::is_arithmetic_v<K> || sizeof(K) <= 8, "keys are numbers");
    using Bits = std::conditional_t<sizeof(K) == 1, uint8_t, std::conditional_t<sizeof(K) == 2, uint16_t, std::conditional_t<sizeof(K) == 4, uint32_t, uint64_t>>>;
    static Bits of(const K &k, int begin, int end) {
        constexpr Bits top = Bits(1) << (sizeof(K) * 8 - 1);
        Bits b;
        __builtin_memcpy(&b, &k, sizeof b);
        if constexpr (std::is_floating_point_v<K> || !std::is_arithmetic_v<K>) {
            if (b == top)
                b = 0; // -0
            b = b & top ? Bits(~b) : Bits(b | top);
        } else if constexpr (std::is_signed_v<K>) {
            b ^= top;
        }
        const int width = end - begin;
        b >>= begin;
        return width >= int(sizeof(K) * 8) ? b : Bits(b & ((Bits(1) << width) - 1));
    }
};

// mergeSort sorts n indices stably; room has as many again.
template <class Index, class Before> void mergeSort(Index *order, Index *room, size_t n, Before before) {
    Index *from = order, *to = room;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t begin = 0; begin < n; begin += 2 * width) {
            const size_t middle = begin + width < n ? begin + width : n, end = begin + 2 * width < n ? begin + 2 * width : n;
            size_t a = begin, b = middle;
            for (size_t i = begin; i < end; i++)
                to[i] = b == end || (a < middle && !before(from[b], from[a])) ? from[a++] : from[b++];
        }
        std::swap(from, to);
    }
    if (from != order)
        for (size_t i = 0; i < n; i++)
            order[i] = from[i];
}

} // namespace detail
} // namespace cub
