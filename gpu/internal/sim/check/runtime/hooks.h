// What the compiler calls before loads and stores, and in place of atomic operations.
#pragma once

namespace gwsim {

namespace {

// exchange puts v where expected is, and returns what was there.
template <class T> T exchange(volatile T *p, T expected, T v, void *from) {
    using namespace check;
    Site *site = access<sizeof(T), Atomic>(reinterpret_cast<uint64_t>(p), from);
    compares(site, reinterpret_cast<uint64_t>(p));
    T before = expected;
    __atomic_compare_exchange_n(p, &before, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    changed(site, p, before);
    return before;
}

} // namespace

extern "C" {

#define FROM __builtin_return_address(0)

#define HOOK(name, op, size)                                                                                             \
    GW_API void __tsan_##name##size(void *p) { access<size, op>(reinterpret_cast<uint64_t>(p), FROM); }
#define HOOKS(name, op) HOOK(name, op, 1) HOOK(name, op, 2) HOOK(name, op, 4) HOOK(name, op, 8) HOOK(name, op, 16)
HOOKS(read, Read)
HOOKS(write, Write)
HOOKS(volatile_read, VolatileRead)
HOOKS(volatile_write, VolatileWrite)
// check/loops.go puts these in the place of volatile_read in loops that only wait, and of both outside loops.
#define STANDS(name, op, stands, size)                                                                                   \
    GW_API void gw_##name##size(void *p) { access<size, op, false, stands>(reinterpret_cast<uint64_t>(p), FROM); }
#define ALL_STAND(name, op, stands)                                                                                      \
    STANDS(name, op, stands, 1) STANDS(name, op, stands, 2) STANDS(name, op, stands, 4) STANDS(name, op, stands, 8) STANDS(name, op, stands, 16)
ALL_STAND(waiting_read, VolatileRead, InWaitingLoop)
ALL_STAND(straight_read, VolatileRead, OutsideLoops)
ALL_STAND(straight_write, VolatileWrite, OutsideLoops)
#undef ALL_STAND
#undef STANDS

#define UNALIGNED(name, op, size)                                                                                        \
    GW_API void __tsan_unaligned_##name##size(void *p) { pieces<op>(reinterpret_cast<uint64_t>(p), size, FROM); }
#define UNALIGNEDS(name, op) UNALIGNED(name, op, 2) UNALIGNED(name, op, 4) UNALIGNED(name, op, 8) UNALIGNED(name, op, 16)
UNALIGNEDS(read, Read)
UNALIGNEDS(write, Write)
UNALIGNEDS(volatile_read, VolatileRead)
UNALIGNEDS(volatile_write, VolatileWrite)

GW_API void __tsan_read_range(void *p, unsigned long n) { pieces<Read>(reinterpret_cast<uint64_t>(p), n, FROM); }
GW_API void __tsan_write_range(void *p, unsigned long n) { pieces<Write>(reinterpret_cast<uint64_t>(p), n, FROM); }

// Functions of C that access memory for the kernel: check/assembly.go puts their names in the
// place of the ordinary ones.
GW_API void *gw_memcpy(void *to, const void *from, size_t n) {
    pieces<Read>(reinterpret_cast<uint64_t>(from), n, FROM);
    pieces<Write>(reinterpret_cast<uint64_t>(to), n, FROM);
    return memcpy(to, from, n);
}
GW_API void *gw_memmove(void *to, const void *from, size_t n) {
    pieces<Read>(reinterpret_cast<uint64_t>(from), n, FROM);
    pieces<Write>(reinterpret_cast<uint64_t>(to), n, FROM);
    return memmove(to, from, n);
}
GW_API void *gw_memset(void *to, int v, size_t n) {
    pieces<Write>(reinterpret_cast<uint64_t>(to), n, FROM);
    return memset(to, v, n);
}

// Functions of mathematics with more than one result.
#define SECOND_RESULT(name, T, R, params, at, args)                                                                      \
    GW_API T gw_##name params {                                                                                          \
        pieces<Write>(reinterpret_cast<uint64_t>(at), sizeof(R), FROM);                                                  \
        return name args;                                                                                                \
    }
SECOND_RESULT(modf, double, double, (double x, double *whole), whole, (x, whole))
SECOND_RESULT(modff, float, float, (float x, float *whole), whole, (x, whole))
SECOND_RESULT(frexp, double, int, (double x, int *exponent), exponent, (x, exponent))
SECOND_RESULT(frexpf, float, int, (float x, int *exponent), exponent, (x, exponent))
SECOND_RESULT(remquo, double, int, (double x, double y, int *quotient), quotient, (x, y, quotient))
SECOND_RESULT(remquof, float, int, (float x, float y, int *quotient), quotient, (x, y, quotient))
#undef SECOND_RESULT
#define SINE_AND_COSINE(name, T)                                                                                         \
    GW_API void gw_##name(T x, T *sine, T *cosine) {                                                                     \
        pieces<Write>(reinterpret_cast<uint64_t>(sine), sizeof(T), FROM);                                                \
        pieces<Write>(reinterpret_cast<uint64_t>(cosine), sizeof(T), FROM);                                              \
        name(x, sine, cosine);                                                                                           \
    }
SINE_AND_COSINE(sincos, double)
SINE_AND_COSINE(sincosf, float)
#undef SINE_AND_COSINE

// clang's copies of values that are larger than a register.
GW_API void *__tsan_memcpy(void *to, const void *from, size_t n) {
    pieces<Read>(reinterpret_cast<uint64_t>(from), n, FROM);
    pieces<Write>(reinterpret_cast<uint64_t>(to), n, FROM);
    return memcpy(to, from, n);
}
GW_API void *__tsan_memmove(void *to, const void *from, size_t n) {
    pieces<Read>(reinterpret_cast<uint64_t>(from), n, FROM);
    pieces<Write>(reinterpret_cast<uint64_t>(to), n, FROM);
    return memmove(to, from, n);
}
GW_API void *__tsan_memset(void *to, int v, size_t n) {
    pieces<Write>(reinterpret_cast<uint64_t>(to), n, FROM);
    return memset(to, v, n);
}

#if defined(__aarch64__)
// A division by zero is no fault on this processor. The compiler asks this instead (check/files.go).
GW_API void __ubsan_handle_divrem_overflow(void *, uint64_t, uint64_t divisor) {
    if (divisor != 0)
        return;
    s.pc = reinterpret_cast<uint64_t>(FROM) - 1 - s.base;
    s.about = Fault;
    fail(self, cudaErrorLaunchFailed, "integer division by zero");
}
#endif

GW_API void __tsan_init() {}
GW_API void __tsan_func_entry(void *) {}
GW_API void __tsan_func_exit() {}

// Pointers to tables of virtual functions.
GW_API void __tsan_vptr_update(void **p, void *) { access<sizeof *p, Write>(reinterpret_cast<uint64_t>(p), FROM); }
GW_API void __tsan_vptr_read(void **p) { access<sizeof *p, Read>(reinterpret_cast<uint64_t>(p), FROM); }

// Loads that are atomic are part of atomic functions, which count as a whole. All of these are atomic, as
// the host code of a whole program may have several threads.
#define ATOMIC(bits, T)                                                                                                  \
    GW_API T __tsan_atomic##bits##_load(const volatile T *p, int) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }       \
    GW_API void __tsan_atomic##bits##_store(volatile T *p, T v, int) {                                                   \
        Site *site = access<bits / 8, Atomic>(reinterpret_cast<uint64_t>(p), FROM);                                      \
        T before = __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                                          \
        changed(site, p, before);                                                                                        \
    }                                                                                                                    \
    ATOMIC_OP(bits, T, exchange, __atomic_exchange_n)                                                                    \
    ATOMIC_OP(bits, T, fetch_add, __atomic_fetch_add)                                                                    \
    ATOMIC_OP(bits, T, fetch_sub, __atomic_fetch_sub)                                                                    \
    ATOMIC_OP(bits, T, fetch_and, __atomic_fetch_and)                                                                    \
    ATOMIC_OP(bits, T, fetch_or, __atomic_fetch_or)                                                                      \
    ATOMIC_OP(bits, T, fetch_xor, __atomic_fetch_xor)                                                                    \
    ATOMIC_OP(bits, T, fetch_nand, __atomic_fetch_nand)                                                                  \
    ATOMIC_CAS(bits, T, compare_exchange_strong)                                                                         \
    ATOMIC_CAS(bits, T, compare_exchange_weak)                                                                           \
    GW_API T __tsan_atomic##bits##_compare_exchange_val(volatile T *p, T expected, T v, int, int) { /* clang's form */   \
        return exchange(p, expected, v, FROM);                                                                           \
    }
#define ATOMIC_OP(bits, T, name, function)                                                                               \
    GW_API T __tsan_atomic##bits##_##name(volatile T *p, T v, int) {                                                     \
        Site *site = access<bits / 8, Atomic>(reinterpret_cast<uint64_t>(p), FROM);                                      \
        T before = function(p, v, __ATOMIC_SEQ_CST);                                                                     \
        changed(site, p, before);                                                                                        \
        return before;                                                                                                   \
    }
#define ATOMIC_CAS(bits, T, name)                                                                                        \
    GW_API int __tsan_atomic##bits##_##name(volatile T *p, T *expected, T v, int, int) {                                 \
        T before = exchange(p, *expected, v, FROM);                                                                      \
        bool equal = before == *expected;                                                                                \
        if (!equal)                                                                                                      \
            *expected = before;                                                                                          \
        return equal;                                                                                                    \
    }
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

GW_API void __tsan_atomic_thread_fence(int) {
    if (s.active && self != nullptr)
        s.fenced[s.me] = s.clock;
    else
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
GW_API void __tsan_atomic_signal_fence(int) {}

} // extern "C"

} // namespace gwsim
