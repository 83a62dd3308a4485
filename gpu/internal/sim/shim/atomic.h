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
