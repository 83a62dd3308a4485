// Atomic functions. Blocks run on different cores, so these are the processor's own.
// They are relaxed, as CUDA's are.
#pragma once

namespace gwsim {

// update replaces *p by f(*p) and returns the old value, for what the processor has no
// instruction for.
template <class T, class F> inline T update(T *p, F f) {
    using Bits = typename std::conditional<sizeof(T) == 8, uint64_t, typename std::conditional<sizeof(T) == 4, uint32_t, uint16_t>::type>::type;
    auto bits = reinterpret_cast<Bits __attribute__((may_alias)) *>(p);
    Bits seen = __atomic_load_n(bits, __ATOMIC_RELAXED);
    for (;;) {
        T old;
        memcpy(&old, &seen, sizeof old);
        T now = f(old);
        Bits wanted;
        memcpy(&wanted, &now, sizeof wanted);
        if (__atomic_compare_exchange_n(bits, &seen, wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return old;
    }
}

} // namespace gwsim

// Every function exists in three widths of scope, which are the same thing here.
#define GW_ATOMIC(name, type, params, body)                                                                              \
    GW_DEVICE type name params body GW_DEVICE type name##_block params body GW_DEVICE type name##_system params body
#define GW_ATOMIC_FETCH(name, type, fetch)                                                                               \
    GW_ATOMIC(name, type, (type * p, type v), { return fetch(p, v, __ATOMIC_RELAXED); })
#define GW_ATOMIC_UPDATE(name, type, expression)                                                                         \
    GW_ATOMIC(name, type, (type * p, type v), { return gwsim::update(p, [=](type old) -> type { return expression; }); })
#define GW_ATOMIC_INTEGER(type)                                                                                          \
    GW_ATOMIC_FETCH(atomicAdd, type, __atomic_fetch_add)                                                                 \
    GW_ATOMIC_FETCH(atomicAnd, type, __atomic_fetch_and)                                                                 \
    GW_ATOMIC_FETCH(atomicOr, type, __atomic_fetch_or)                                                                   \
    GW_ATOMIC_FETCH(atomicXor, type, __atomic_fetch_xor)                                                                 \
    GW_ATOMIC_FETCH(atomicExch, type, __atomic_exchange_n)                                                               \
    GW_ATOMIC_UPDATE(atomicMin, type, v < old ? v : old)                                                                 \
    GW_ATOMIC_UPDATE(atomicMax, type, v > old ? v : old)                                                                 \
    GW_ATOMIC_CAS(type)
#define GW_ATOMIC_CAS(type)                                                                                              \
    GW_ATOMIC(atomicCAS, type, (type * p, type compare, type v), {                                                       \
        __atomic_compare_exchange_n(p, &compare, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                          \
        return compare;                                                                                                  \
    })

GW_ATOMIC_INTEGER(int)
GW_ATOMIC_INTEGER(unsigned int)
GW_ATOMIC_INTEGER(unsigned long long)
GW_ATOMIC_UPDATE(atomicMin, long long, v < old ? v : old)
GW_ATOMIC_UPDATE(atomicMax, long long, v > old ? v : old)
GW_ATOMIC_FETCH(atomicAnd, long long, __atomic_fetch_and)
GW_ATOMIC_FETCH(atomicOr, long long, __atomic_fetch_or)
GW_ATOMIC_FETCH(atomicXor, long long, __atomic_fetch_xor)
GW_ATOMIC_FETCH(atomicSub, int, __atomic_fetch_sub)
GW_ATOMIC_FETCH(atomicSub, unsigned int, __atomic_fetch_sub)
GW_ATOMIC_UPDATE(atomicInc, unsigned int, old >= v ? 0 : old + 1)
GW_ATOMIC_UPDATE(atomicDec, unsigned int, old == 0 || old > v ? v : old - 1)
GW_ATOMIC_UPDATE(atomicAdd, float, old + v)
GW_ATOMIC_UPDATE(atomicAdd, double, old + v)
GW_ATOMIC_UPDATE(atomicExch, float, ((void)old, v))
GW_ATOMIC_CAS(unsigned short)

#undef GW_ATOMIC
#undef GW_ATOMIC_FETCH
#undef GW_ATOMIC_UPDATE
#undef GW_ATOMIC_INTEGER
#undef GW_ATOMIC_CAS

// ---- of 128 bits ----

#if __CUDA_ARCH__ >= 900
namespace gwsim {
// Wide is what 128-bit atomic functions are done with.
typedef unsigned __int128 Wide;
template <class T> using IfWide = typename std::enable_if<sizeof(T) == 16 && alignof(T) == 16 && std::is_trivially_copyable<T>::value, T>::type;

#ifndef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16
inline bool wideLock; // for processors that have no instruction for it
#endif
// swapWide replaces what is at p by v if that is expected, and returns it.
GW_UNWATCHED inline Wide swapWide(Wide *p, Wide expected, Wide v) {
#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16
    return __sync_val_compare_and_swap(p, expected, v);
#else
    while (__atomic_test_and_set(&wideLock, __ATOMIC_ACQUIRE)) {
    }
    Wide old = *p;
    if (old == expected)
        *p = v;
    __atomic_clear(&wideLock, __ATOMIC_RELEASE);
    return old;
#endif
}
template <class T> GW_UNWATCHED Wide wide(const T &v) {
    Wide bits;
    __builtin_memcpy(&bits, &v, 16);
    return bits;
}
template <class T> GW_UNWATCHED T narrow(Wide bits) {
    T v;
    __builtin_memcpy(&v, &bits, 16);
    return v;
}
// watched shows check mode the two halves.
inline Wide *watched(void *p) {
#ifdef GW_CHECK
    auto half = static_cast<uint64_t *>(p);
    __atomic_fetch_or(half, 0, __ATOMIC_RELAXED);
    __atomic_fetch_or(half + 1, 0, __ATOMIC_RELAXED);
#endif
    return static_cast<Wide *>(p);
}
} // namespace gwsim

#define GW_WIDE(scope)                                                                                                   \
    template <class T> GW_DEVICE gwsim::IfWide<T> atomicCAS##scope(T *p, T compare, T v) {                               \
        return gwsim::narrow<T>(gwsim::swapWide(gwsim::watched(p), gwsim::wide(compare), gwsim::wide(v)));               \
    }                                                                                                                    \
    template <class T> GW_DEVICE gwsim::IfWide<T> atomicExch##scope(T *p, T v) {                                         \
        gwsim::Wide *at = gwsim::watched(p), seen = 0, old;                                                              \
        while ((old = gwsim::swapWide(at, seen, gwsim::wide(v))) != seen)                                                \
            seen = old;                                                                                                  \
        return gwsim::narrow<T>(old);                                                                                    \
    }
GW_WIDE()
GW_WIDE(_block)
GW_WIDE(_system)
#undef GW_WIDE
#endif
