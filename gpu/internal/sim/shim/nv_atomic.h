// CUDA's own atomic functions with an order and a scope (CUDA C++ Programming Guide, Atomic Functions). Scopes are the same thing here. What
// must come before or after is a fence.
#pragma once

enum { __NV_ATOMIC_RELAXED, __NV_ATOMIC_CONSUME, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_SEQ_CST };
enum { __NV_THREAD_SCOPE_THREAD, __NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_CLUSTER, __NV_THREAD_SCOPE_DEVICE, __NV_THREAD_SCOPE_SYSTEM };

namespace gwsim {

GW_DEVICE void before(int order) {
    if (order >= __NV_ATOMIC_RELEASE)
        __threadfence();
}
GW_DEVICE void after(int order) {
    if (order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE)
        __threadfence();
}

// Like is a type that is not deduced: what is given converts to it.
template <class T> struct Like {
    using Type = T;
};

// Bits are those of a value of 1 to 8 bytes, as the processor takes them.
template <class T>
using Bits = typename std::conditional<
    sizeof(T) == 8, uint64_t,
    typename std::conditional<sizeof(T) == 4, uint32_t, typename std::conditional<sizeof(T) == 2, uint16_t, uint8_t>::type>::type>::type;
template <class T> GW_DEVICE auto bitsAt(T *p) {
    static_assert(sizeof(T) == sizeof(Bits<T>), "atomic functions take values of 1, 2, 4 or 8 bytes");
    return reinterpret_cast<Bits<T> __attribute__((may_alias)) *>(p);
}
template <class T, class F> inline T updateInOrder(T *p, int order, F f) {
    before(order);
    T old = update(p, f);
    after(order);
    return old;
}

} // namespace gwsim

// A volatile load and store are how check mode knows threads that wait for one another.
template <class T> inline T __nv_atomic_load_n(const T *p, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
    static_assert(std::is_integral_v<T>, "__nv_atomic_load_n loads integers; __nv_atomic_load is for other types");
    T v = *(const volatile T *)p;
    gwsim::after(order);
    return v;
}
template <class T> inline void __nv_atomic_load(const T *p, T *to, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
    gwsim::Bits<T> bits = *(const volatile gwsim::Bits<T> __attribute__((may_alias)) *)gwsim::bitsAt(p);
    memcpy(to, &bits, sizeof bits);
    gwsim::after(order);
}
template <class T> inline void __nv_atomic_store(T *p, T *v, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
    gwsim::Bits<T> bits;
    memcpy(&bits, v, sizeof bits);
    gwsim::before(order);
    *(volatile gwsim::Bits<T> __attribute__((may_alias)) *)gwsim::bitsAt(p) = bits;
}
template <class T> inline void __nv_atomic_store_n(T *p, typename gwsim::Like<T>::Type v, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
    static_assert(std::is_integral_v<T>, "__nv_atomic_store_n stores integers; __nv_atomic_store is for other types");
    __nv_atomic_store(p, &v, order);
}
template <class T> inline void __nv_atomic_exchange(T *p, T *v, T *old, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
    const T now = *v;
    *old = gwsim::updateInOrder(p, order, [=](T) { return now; });
}
template <class T> inline T __nv_atomic_exchange_n(T *p, typename gwsim::Like<T>::Type v, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
    static_assert(std::is_integral_v<T>, "__nv_atomic_exchange_n exchanges integers; __nv_atomic_exchange is for other types");
    return gwsim::updateInOrder(p, order, [=](T) { return v; });
}
template <class T>
inline bool __nv_atomic_compare_exchange(T *p, T *expected, T *v, bool, int success, int failure, int = __NV_THREAD_SCOPE_SYSTEM) {
    gwsim::Bits<T> seen, wanted;
    memcpy(&seen, expected, sizeof seen);
    memcpy(&wanted, v, sizeof wanted);
    gwsim::before(success);
    bool done = __atomic_compare_exchange_n(gwsim::bitsAt(p), &seen, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    if (!done)
        memcpy(expected, &seen, sizeof seen);
    gwsim::after(done ? success : failure);
    return done;
}
template <class T>
inline bool __nv_atomic_compare_exchange_n(T *p, T *expected, typename gwsim::Like<T>::Type v, bool weak, int success, int failure, int = __NV_THREAD_SCOPE_SYSTEM) {
    static_assert(std::is_integral_v<T>, "__nv_atomic_compare_exchange_n compares integers; __nv_atomic_compare_exchange is for other types");
    return __nv_atomic_compare_exchange(p, expected, &v, weak, success, failure);
}
// Each has a form without a result.
#define GW_NV_ATOMIC(name, types, expression)                                                                            \
    template <class T> inline T __nv_atomic_fetch_##name(T *p, typename gwsim::Like<T>::Type v, int order, int = __NV_THREAD_SCOPE_SYSTEM) { \
        static_assert(types, "__nv_atomic_fetch_" #name " has no form for this type");                                   \
        return gwsim::updateInOrder(p, order, [=](T old) { return T(expression); });                                     \
    }                                                                                                                    \
    template <class T> inline void __nv_atomic_##name(T *p, typename gwsim::Like<T>::Type v, int order, int = __NV_THREAD_SCOPE_SYSTEM) { \
        (void)__nv_atomic_fetch_##name(p, v, order);                                                                     \
    }
GW_NV_ATOMIC(add, std::is_arithmetic_v<T>, old + v)
GW_NV_ATOMIC(sub, std::is_arithmetic_v<T>, old - v)
GW_NV_ATOMIC(min, std::is_integral_v<T>, v < old ? v : old)
GW_NV_ATOMIC(max, std::is_integral_v<T>, v > old ? v : old)
GW_NV_ATOMIC(and, std::is_integral_v<T>, old & v)
GW_NV_ATOMIC(or, std::is_integral_v<T>, old | v)
GW_NV_ATOMIC(xor, std::is_integral_v<T>, old ^ v)
#undef GW_NV_ATOMIC
GW_DEVICE void __nv_atomic_thread_fence(int order, int = __NV_THREAD_SCOPE_SYSTEM) {
    if (order != __NV_ATOMIC_RELAXED)
        __threadfence();
}
