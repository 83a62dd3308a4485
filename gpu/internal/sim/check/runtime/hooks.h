// What the compiler calls before loads and stores, and in place of atomic operations.
#pragma once

namespace gwsim {

namespace {

// exchange puts v where expected is, and returns what was there.
template <class T> T exchange(volatile T *p, T expected, T v, void *from) {
    using namespace check;
    Site *site = access<sizeof(T), Atomic>(reinterpret_cast<uint64_t>(p), from);
    T before = *p;
    compares(site, reinterpret_cast<uint64_t>(p));
    if (before == expected)
        *p = v;
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
GW_API void __tsan_vptr_update(void **, void *) {}
GW_API void __tsan_vptr_read(void **) {}

// Loads that are atomic are part of atomic functions, which count as a whole.
#define ATOMIC(bits, T)                                                                                                  \
    GW_API T __tsan_atomic##bits##_load(const volatile T *p, int) { return *p; }                                         \
    GW_API void __tsan_atomic##bits##_store(volatile T *p, T v, int) {                                                   \
        T before = *p;                                                                                                   \
        Site *site = access<bits / 8, Atomic>(reinterpret_cast<uint64_t>(p), FROM);                                      \
        *p = v;                                                                                                          \
        changed(site, p, before);                                                                                        \
    }                                                                                                                    \
    ATOMIC_OP(bits, T, exchange, v)                                                                                      \
    ATOMIC_OP(bits, T, fetch_add, before + v)                                                                            \
    ATOMIC_OP(bits, T, fetch_sub, before - v)                                                                            \
    ATOMIC_OP(bits, T, fetch_and, before &v)                                                                             \
    ATOMIC_OP(bits, T, fetch_or, before | v)                                                                             \
    ATOMIC_OP(bits, T, fetch_xor, before ^ v)                                                                            \
    ATOMIC_OP(bits, T, fetch_nand, ~(before & v))                                                                        \
    ATOMIC_CAS(bits, T, compare_exchange_strong)                                                                         \
    ATOMIC_CAS(bits, T, compare_exchange_weak)                                                                           \
    GW_API T __tsan_atomic##bits##_compare_exchange_val(volatile T *p, T expected, T v, int, int) { /* clang's form */   \
        return exchange(p, expected, v, FROM);                                                                           \
    }
#define ATOMIC_OP(bits, T, name, result)                                                                                 \
    GW_API T __tsan_atomic##bits##_##name(volatile T *p, T v, int) {                                                     \
        Site *site = access<bits / 8, Atomic>(reinterpret_cast<uint64_t>(p), FROM);                                      \
        T before = *p;                                                                                                   \
        *p = T(result);                                                                                                  \
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
    if (s.active)
        s.fenced[s.me] = s.clock;
}
GW_API void __tsan_atomic_signal_fence(int) {}

} // extern "C"

} // namespace gwsim
