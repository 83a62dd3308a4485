// What split kernels are made of: functions that run a whole block, with loops over its
// threads between the barriers.
#pragma once

// The dimensions are copied, because the compiler knows of a local constant that nothing
// in a loop changes it.
#define GW_SPLIT_BEGIN                                                                                                   \
    [[maybe_unused]] const dim3 blockDim = ::blockDim, gridDim = ::gridDim;                                              \
    [[maybe_unused]] const uint3 blockIdx = ::blockIdx;                                                                 \
    [[maybe_unused]] const unsigned gw_threads = blockDim.x * blockDim.y * blockDim.z;                                   \
    if (blockDim.x - 1 >= 1024 || blockDim.y - 1 >= 1024 || blockDim.z - 1 >= 64 || gw_threads > 1024)                   \
        __builtin_unreachable();
// Indices have the width of addresses: of a sum of narrower ones the compiler must assume that it wraps around, and then knows
// nothing about the elements that consecutive threads touch.
#define GW_EACH_THREAD                                                                                                   \
    for (size_t gw_z = 0, gw_row = 0; gw_z < blockDim.z; gw_z++)                                                         \
        for (size_t gw_y = 0; gw_y < blockDim.y; gw_y++, gw_row += blockDim.x)                                           \
            if (unsigned gw_thread = 0; true)                                                                            \
                for (size_t gw_x = 0; gw_x < blockDim.x; gw_x++, gw_thread++)
#define GW_THREAD_BEGIN [[maybe_unused]] const uint3 threadIdx = {gw_thread, unsigned(gw_y), unsigned(gw_z)};

// The same by pieces of rows, within which gw_step counts.
#define GW_EACH_PIECE                                                                                                    \
    for (size_t gw_z = 0, gw_row = 0; gw_z < blockDim.z; gw_z++)                                                         \
        for (size_t gw_y = 0; gw_y < blockDim.y; gw_y++, gw_row += blockDim.x)                                           \
            for (size_t gw_from = 0, gw_end; gw_from < blockDim.x; gw_from = gw_end)
#define GW_EACH_PIECE_OF_ROW for (size_t gw_from = 0, gw_end; gw_from < blockDim.x; gw_from = gw_end)
// A loop over the rows.
#define GW_EACH_ROW                                                                                                      \
    for (size_t gw_z = 0, gw_row = 0; gw_z < blockDim.z; gw_z++)                                                         \
        for (size_t gw_y = 0; gw_y < blockDim.y; gw_y++, gw_row += blockDim.x)
#define GW_ROW_BEGIN [[maybe_unused]] const uint3 threadIdx = {0, unsigned(gw_y), unsigned(gw_z)};
#define GW_PIECE_BEGIN                                                                                                   \
    [[maybe_unused]] const uint3 threadIdx = {unsigned(gw_from), unsigned(gw_y), unsigned(gw_z)};                        \
    size_t gw_count = blockDim.x - gw_from;
#define GW_SOME_OF_PIECE(by)                                                                                             \
    gw_end = gw_next;                                                                                                    \
    unsigned gw_thread = unsigned(gw_from + gw_first);                                                                   \
    for (size_t gw_step = gw_first; gw_step < gw_count; gw_step += (by), gw_thread += unsigned(by))
#define GW_EACH_OF_PIECE GW_SOME_OF_PIECE(1)
#define GW_THREAD_OF_PIECE                                                                                               \
    [[maybe_unused]] const size_t gw_x = gw_from + gw_step;                                                              \
    [[maybe_unused]] const uint3 threadIdx = {gw_thread, unsigned(gw_y), unsigned(gw_z)};

namespace gwsim {
namespace lanes {

// shorten shortens a piece so that an index, of which the first is given, can be counted up in it.
template <unsigned by = 1, class T> inline __attribute__((always_inline)) void shorten(size_t &count, T first) {
    if constexpr (std::is_integral<T>::value) {
        auto room = ((unsigned long long)(std::numeric_limits<T>::max()) - (unsigned long long)(first)) / by; // modulo 2^64, which is right
        if (__builtin_expect(room < count - 1, 0))
            count = size_t(room) + 1;
    } else {
        (void)first;
        count = 1;
    }
}
template <class T, class U> inline __attribute__((always_inline)) void shortenBoth(size_t &count, T first, U limit) {
    shorten(count, decltype(first + limit)(first));
}
template <class C> constexpr bool counts() { return std::is_integral<C>::value; }
// These leave the threads from first to count whose index, which is given for the first of all, compares with a limit as C++ does it.
template <class T, class U> inline __attribute__((always_inline)) unsigned long long away(T index, U limit, bool &less) {
    using C = decltype(index + limit);
    C a = C(index), b = C(limit);
    less = a < b;
    return less ? (unsigned long long)(b) - (unsigned long long)(a) : 0;
}
template <class T, class U> inline __attribute__((always_inline)) void below(size_t &, size_t &count, T index, U limit) {
    if constexpr (counts<decltype(index + limit)>()) {
        bool less;
        unsigned long long n = away(index, limit, less);
        count = n < count ? size_t(n) : count;
    }
}
template <class T, class U> inline __attribute__((always_inline)) void upTo(size_t &, size_t &count, T index, U limit) {
    if constexpr (counts<decltype(index + limit)>()) {
        using C = decltype(index + limit);
        bool less;
        unsigned long long n = away(index, limit, less);
        if (!less && C(index) != C(limit))
            count = 0;
        else if (n < count) // so that the sum does not wrap around
            count = size_t(n) + 1 < count ? size_t(n) + 1 : count;
    }
}
template <class T, class U> inline __attribute__((always_inline)) void from(size_t &first, size_t &count, T index, U limit) {
    if constexpr (counts<decltype(index + limit)>()) {
        bool less;
        unsigned long long n = away(index, limit, less);
        first = n > first ? (n < count ? size_t(n) : count) : first;
    }
}
template <class T, class U> inline __attribute__((always_inline)) void above(size_t &first, size_t &count, T index, U limit) {
    if constexpr (counts<decltype(index + limit)>()) {
        using C = decltype(index + limit);
        bool less;
        unsigned long long n = away(index, limit, less);
        if (less || C(index) == C(limit))
            n = n < count ? n + 1 : count;
        first = n > first ? (n < count ? size_t(n) : count) : first;
    }
}
// within shortens a piece so that a quotient is the same in it, if that leaves long pieces.
template <char op, class T, class U> inline __attribute__((always_inline)) void within(size_t &count, T first, U by) {
    if constexpr (std::is_integral<T>::value && std::is_integral<U>::value) {
        auto n = (unsigned long long)(by);
        if (op == '>')
            n = n < 63 ? 1ull << n : 0;
        auto room = n > 0 && (long long)(first) >= 0 ? n - (unsigned long long)(first) % n : 1;
        count = room < count ? size_t(room) : count;
    }
}
// every leaves those of a piece's threads for which a remainder is the wanted one, if there is such a period; the others are told from
// them by their condition.
template <char op, class T, class U, class V> inline __attribute__((always_inline)) void every(size_t &first, size_t &step, T index, U by, V wanted) {
    if constexpr (std::is_integral<T>::value && std::is_integral<U>::value && std::is_integral<V>::value) {
        unsigned long long n = (unsigned long long)(by) + (op == '&'), rest = (unsigned long long)(wanted);
        if (step != 1 || n == 0 || n > 1024 || (op == '&' && (n & (n - 1)) != 0) || (long long)(index) < 0 || rest >= n)
            return;
        first += (rest + n - ((unsigned long long)(index) + first) % n) % n;
        step = n;
    }
}
// part is a term of a subscript, as a number of 64 bits unless the sum might wrap around: one of ints does not, in C++.
template <class Sum, bool positive, class T> inline __attribute__((always_inline)) auto part(size_t at, T plain) {
    if constexpr (std::is_same<Sum, int>::value || (std::is_integral<T>::value && (sizeof(T) == 8 || (positive && sizeof(Sum) == 4))))
        return (long long)(at);
    else
        return plain;
}
// fit shortens a piece to one thread if a line, whose parts are integers, leaves the range of its type in it. A part with as many bits may
// wrap around, since it is the same modulo the number of all values.
template <class... Parts> constexpr bool integers() { return (std::is_integral<Parts>::value && ...); }
template <class... Parts, class T> inline __attribute__((always_inline)) void fit(size_t &count, T first, long long slope) {
    if constexpr (integers<Parts...>()) {
        long long last;
        bool fits = !__builtin_mul_overflow((long long)(count) - 1, slope, &last);
        if constexpr (sizeof(T) < 8)
            fits = fits && !__builtin_add_overflow(last, (long long)(first), &last) && last >= (long long)(std::numeric_limits<T>::min()) && last <= (long long)(std::numeric_limits<T>::max());
        else
            fits = fits && !__builtin_add_overflow(last, first, &first);
        if (__builtin_expect(!fits, 0))
            count = 1;
    }
}
template <class Whole, class... Parts, class T> inline __attribute__((always_inline)) void fitPart(size_t &count, T first, long long slope) {
    if constexpr (sizeof(T) < sizeof(Whole))
        fit<Whole, Parts...>(count, first, slope);
}
// line is a subscript as a number of 64 bits. A negative one, too: added to an address it is the same, and g++ counts addresses up by unsigned ones.
template <class... Parts, class T> inline __attribute__((always_inline)) auto line(size_t at, T plain) {
    if constexpr (integers<Parts...>())
        return at;
    else
        return plain;
}
// limit is what a loop's variable, which is not negative, must be less than, as C++ compares.
template <class T, class U> inline __attribute__((always_inline)) long long limit(T, U u) {
    using C = decltype(T() + u);
    static_assert(counts<C>(), "the limit of a loop is not an integer");
    auto c = C(u);
    return c > C(0) && (unsigned long long)(c) > 0x7fffffffffffffffu ? 0x7fffffffffffffff : (long long)(c);
}
// found returns x, in such a way that the compiler does not ask for its address again, which for a thread_local variable is a call.
template <class T> inline __attribute__((always_inline)) T &found(T &x) {
    T *p = &x;
    asm("" : "+r"(p));
    return *p;
}
// Alike is what is the same for all rows of a block: how long a piece is, and the threads of it that run.
struct Alike {
    size_t whole, first, count;
};
// ahead fetches as many elements as a row has behind it, for writing. They need not be there.
template <class T> inline __attribute__((always_inline)) void ahead(T *p, long long first, size_t count) {
    const size_t from = reinterpret_cast<size_t>(p) + (size_t(first) + count) * sizeof(T);
    for (size_t at = 0; at < count * sizeof(T); at += 64)
        __builtin_prefetch(reinterpret_cast<const void *>(from + at), 1);
}
// Room is where a block's shared array is that no other function names. What a kernel writes behind the array's ends, as far as the array is
// long, or 16 KiB, spoils nothing else.
template <class T> struct Room {
    static constexpr size_t edge = (sizeof(T) < 16384 ? sizeof(T) + 63 : 16384) / 64 * 64;
    alignas(64) char before[edge];
    alignas(64) char at[sizeof(T)];
    char after[edge];
};
// inside returns the array. To the compiler it has values, which nobody knows.
template <class T> inline __attribute__((always_inline)) T &inside(Room<T> &r) {
    asm("" : "=m"(r.at));
    return reinterpret_cast<T &>(r.at);
}
// many returns the array of dynamic shared memory that begins at an element. No array there is longer.
template <class T> inline __attribute__((always_inline)) T (&many(T *first))[1 << 18] {
    return reinterpret_cast<T(&)[1 << 18]>(*first);
}
inline __attribute__((always_inline)) void atMost(size_t &count, long long there) {
    size_t n = there > 0 ? size_t(there) : 0;
    count = n < count ? n : count;
}

} // namespace lanes


// keep gives a thread's variable its first value.
template <class T> inline __attribute__((always_inline)) void keep(T &to, const T &from) { to = from; }
template <class T, size_t count> inline __attribute__((always_inline)) void keep(T (&to)[count], const T (&from)[count]) {
    for (size_t i = 0; i < count; i++)
        keep(to[i], from[i]);
}

} // namespace gwsim
