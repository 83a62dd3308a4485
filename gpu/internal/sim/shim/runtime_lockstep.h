// Lanes in lockstep, as on devices of compute capability below 7.0: programs for them are compiled so that they call the
// functions below before each access to a volatile variable, and where branches begin and meet (../lockstep.go). A lane waits
// there until no other lane of its warp can run. Then those go on that stand at the same place: of several, the innermost call,
// and in it the first, so that the lanes of a branch wait where it meets others.
#pragma once

namespace gwsim {

namespace {

// releaseSteps lets lanes of a warp go on that wait for the others before an access. It returns false if there are none.
bool releaseSteps(Worker *w, int warpIndex) {
    Warp &warp = w->warps[warpIndex];
    const Fiber *lanes = &w->fibers[warpIndex * 32];
    const Fiber *first = nullptr;
    uint32_t together = 0;
    for (uint32_t rest = warp.stepping; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        const Fiber &f = lanes[lane];
        if (first == nullptr || f.depth > first->depth || (f.depth == first->depth && f.from < first->from)) {
            first = &f;
            together = 0;
        }
        if (f.depth == first->depth && f.from == first->from)
            together |= 1u << lane;
    }
    warp.stepping &= ~together;
    warp.ready |= together;
    return together != 0;
}

// releaseAllSteps does so for the warps whose other lanes wait for something else.
bool releaseAllSteps(Worker *w) {
    bool any = false;
    for (int i = 0; i * 32 < w->threads; i++)
        any = releaseSteps(w, i) || any;
    return any;
}

constexpr int stepsInTurn = 64; // of a warp, before the next one runs

// step waits for the lanes of the warp.
void step(const void *from, const char *frame) {
    if (self == nullptr || self->launch == nullptr)
        return; // host code
    Worker *w = enter();
    int me = w->current, at = me / 32;
    Warp &warp = w->warps[at];
    Fiber &f = w->fibers[me];
    f.from = from;
    f.depth = f.base - frame;
    f.what = "an access to a volatile variable";
    warp.stepping |= 1u << me % 32;
    if (warp.ready == 0) {
        releaseSteps(w, at);
        if (++w->steps % stepsInTurn == 0)
            w->scan = (at + 1) % ((w->threads + 31) / 32);
    }
    yield(w);
}

} // namespace

extern "C" {

#define STEP(name) \
    GW_API void __tsan_##name(void *) { step(__builtin_return_address(0), static_cast<char *>(__builtin_frame_address(0))); }
#define NO_STEP(name) GW_API void __tsan_##name(void *) {}
#define SIZES(f, name) f(name##1) f(name##2) f(name##4) f(name##8) f(name##16)
SIZES(STEP, volatile_read)
SIZES(STEP, volatile_write)
SIZES(STEP, unaligned_volatile_read)
SIZES(STEP, unaligned_volatile_write)
SIZES(NO_STEP, read)
SIZES(NO_STEP, write)
SIZES(NO_STEP, unaligned_read)
SIZES(NO_STEP, unaligned_write)
NO_STEP(func_entry)
NO_STEP(vptr_read)
GW_API void __sanitizer_cov_trace_pc() { step(__builtin_return_address(0), static_cast<char *>(__builtin_frame_address(0))); }
#undef STEP
#undef NO_STEP
#undef SIZES

GW_API void __tsan_init() {}
GW_API void __tsan_func_exit() {}
GW_API void __tsan_read_range(void *, unsigned long) {}
GW_API void __tsan_write_range(void *, unsigned long) {}
GW_API void __tsan_vptr_update(void **, void *) {}
GW_API void *__tsan_memcpy(void *to, const void *from, size_t n) { return memcpy(to, from, n); }
GW_API void *__tsan_memmove(void *to, const void *from, size_t n) { return memmove(to, from, n); }
GW_API void *__tsan_memset(void *to, int v, size_t n) { return memset(to, v, n); }
GW_API void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
GW_API void __tsan_atomic_signal_fence(int) {}

// Atomic operations, which the compiler calls in the place of instructions.
#define ATOMIC(bits, T)                                                                                                  \
    GW_API T __tsan_atomic##bits##_load(const volatile T *p, int) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }       \
    GW_API void __tsan_atomic##bits##_store(volatile T *p, T v, int) { __atomic_store_n(p, v, __ATOMIC_SEQ_CST); }       \
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
        __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                         \
        return expected;                                                                                                 \
    }
#define ATOMIC_OP(bits, T, name, function)                                                                               \
    GW_API T __tsan_atomic##bits##_##name(volatile T *p, T v, int) { return function(p, v, __ATOMIC_SEQ_CST); }
#define ATOMIC_CAS(bits, T, name)                                                                                        \
    GW_API int __tsan_atomic##bits##_##name(volatile T *p, T *expected, T v, int, int) {                                 \
        return __atomic_compare_exchange_n(p, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                   \
    }
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
#undef ATOMIC
#undef ATOMIC_OP
#undef ATOMIC_CAS

} // extern "C"

} // namespace gwsim
