// Barriers, fences and warp operations.
#pragma once

GW_DEVICE void __syncthreads(int line = __builtin_LINE()) { gwsim::barrier("__syncthreads", false, line); }
GW_DEVICE int __syncthreads_count(int predicate, int line = __builtin_LINE()) {
    return gwsim::barrier("__syncthreads_count", predicate != 0, line);
}
GW_DEVICE int __syncthreads_or(int predicate, int line = __builtin_LINE()) {
    return gwsim::barrier("__syncthreads_or", predicate != 0, line) != 0;
}
GW_DEVICE int __syncthreads_and(int predicate, int line = __builtin_LINE()) {
    return gwsim::barrier("__syncthreads_and", predicate == 0, line) == 0;
}

GW_DEVICE void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
GW_DEVICE void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
GW_DEVICE void __threadfence_cluster() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
GW_DEVICE void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

GW_DEVICE void __prof_trigger(int) {} // counts for profilers

GW_DEVICE long long clock64() {
#ifdef GW_CHECK
    if (gwsim::inKernel())
        gwsim::clockRead();
#endif
#if defined(__x86_64__)
    return (long long)__builtin_ia32_rdtsc();
#else
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
#endif
}
// A template, because CUDA has no function of this name and programs make one of assembly.
template <class = void> inline unsigned long long __globaltimer() {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec * 1000000000ULL + t.tv_nsec;
}
GW_DEVICE void __nanosleep(unsigned) { gwsim::pause(); }

namespace gwsim {

inline int lane() { return int(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32; }
inline int warp() { return int(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32; }

// toBits and fromBits carry a value of up to 8 bytes through a warp operation.
template <class T> uint64_t toBits(T v) {
    static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 8, "warp operations take values of up to 8 bytes");
    uint64_t bits = 0;
    memcpy(&bits, &v, sizeof v);
    return bits;
}
template <class T> T fromBits(uint64_t bits) {
    T v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

template <class F> inline void eachLane(uint32_t lanes, F f) {
    for (; lanes; lanes &= lanes - 1)
        f(__builtin_ctz(lanes));
}

// exchange gives every lane the value of the lane in its arg. From a lane that takes no
// part CUDA promises nothing; here it is the lane's own value.
inline void exchange(Group &g) {
    eachLane(g.lanes, [&](int i) { g.result[i] = g.value[g.lanes >> g.arg[i] & 1 ? g.arg[i] : i]; });
}
inline void vote(Group &g) {
    uint32_t set = 0;
    eachLane(g.lanes, [&](int i) { set |= uint32_t(g.value[i] != 0) << i; });
    // The upper half tells who took part: __all_sync wants to know.
    eachLane(g.lanes, [&](int i) { g.result[i] = uint64_t(g.lanes) << 32 | set; });
}
inline void match(Group &g) {
    eachLane(g.lanes, [&](int i) {
        g.result[i] = 0;
        eachLane(g.lanes, [&](int k) { g.result[i] |= uint64_t(g.value[k] == g.value[i]) << k; });
    });
}
template <class F, class T> inline void reduce(Group &g) {
    bool first = true;
    T sum{};
    eachLane(g.lanes, [&](int i) {
        T v = fromBits<T>(g.value[i]);
        sum = first ? v : F()(sum, v);
        first = false;
    });
    eachLane(g.lanes, [&](int i) { g.result[i] = toBits(sum); });
}

inline constexpr Op opSync{"__syncwarp", nullptr};
inline constexpr Op opShfl{"__shfl_sync", exchange, true}, opUp{"__shfl_up_sync", exchange, true}, opDown{"__shfl_down_sync", exchange, true},
    opXor{"__shfl_xor_sync", exchange, true};
inline constexpr Op opBallot{"__ballot_sync", vote}, opAny{"__any_sync", vote}, opAll{"__all_sync", vote}, opUni{"__uni_sync", vote};
inline constexpr Op opMatchAny{"__match_any_sync", match}, opMatchAll{"__match_all_sync", match};

struct Plus { template <class T> T operator()(T a, T b) const { return a + b; } };
struct Least { template <class T> T operator()(T a, T b) const { return b < a ? b : a; } };
struct Most { template <class T> T operator()(T a, T b) const { return a < b ? b : a; } };
struct BitAnd { template <class T> T operator()(T a, T b) const { return a & b; } };
struct BitOr { template <class T> T operator()(T a, T b) const { return a | b; } };
struct BitXor { template <class T> T operator()(T a, T b) const { return a ^ b; } };
template <class F, class T> inline constexpr Op opReduce{"__reduce_sync", reduce<F, T>};

template <class F, class T> T warpReduce(unsigned mask, T v, int line) {
    return fromBits<T>(collective(opReduce<F, T>, mask, toBits(v), 0, line));
}

// source lanes of the four shuffles: width cuts the warp into segments.
inline unsigned inSegment(int wanted, int width) {
    int first = lane() & ~(width - 1);
    return wanted < first || wanted >= first + width ? lane() : wanted;
}

} // namespace gwsim

GW_DEVICE void __syncwarp(unsigned mask = 0xffffffff, int line = __builtin_LINE()) { gwsim::collective(gwsim::opSync, mask, 0, 0, line); }
GW_DEVICE unsigned __activemask(int line = __builtin_LINE()) { return gwsim::activeLanes(line); }

template <class T> inline T __shfl_sync(unsigned mask, T v, int from, int width = 32, int line = __builtin_LINE()) {
    unsigned src = (gwsim::lane() & ~(width - 1)) + (from & (width - 1));
    return gwsim::fromBits<T>(gwsim::collective(gwsim::opShfl, mask, gwsim::toBits(v), src, line));
}
template <class T> inline T __shfl_up_sync(unsigned mask, T v, unsigned delta, int width = 32, int line = __builtin_LINE()) {
    unsigned src = gwsim::inSegment(gwsim::lane() - int(delta), width);
    return gwsim::fromBits<T>(gwsim::collective(gwsim::opUp, mask, gwsim::toBits(v), src, line));
}
template <class T> inline T __shfl_down_sync(unsigned mask, T v, unsigned delta, int width = 32, int line = __builtin_LINE()) {
    unsigned src = gwsim::inSegment(gwsim::lane() + int(delta), width);
    return gwsim::fromBits<T>(gwsim::collective(gwsim::opDown, mask, gwsim::toBits(v), src, line));
}
template <class T> inline T __shfl_xor_sync(unsigned mask, T v, int lanes, int width = 32, int line = __builtin_LINE()) {
    // A lane may read from earlier segments, not from later ones.
    int wanted = gwsim::lane() ^ lanes;
    unsigned src = wanted >= (gwsim::lane() & ~(width - 1)) + width ? gwsim::lane() : wanted;
    return gwsim::fromBits<T>(gwsim::collective(gwsim::opXor, mask, gwsim::toBits(v), src & 31, line));
}

GW_DEVICE unsigned __ballot_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
    return unsigned(gwsim::collective(gwsim::opBallot, mask, predicate != 0, 0, line));
}
GW_DEVICE int __any_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
    return unsigned(gwsim::collective(gwsim::opAny, mask, predicate != 0, 0, line)) != 0;
}
GW_DEVICE int __all_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
    uint64_t votes = gwsim::collective(gwsim::opAll, mask, predicate != 0, 0, line);
    return unsigned(votes) == unsigned(votes >> 32);
}
GW_DEVICE int __uni_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
    uint64_t votes = gwsim::collective(gwsim::opUni, mask, predicate != 0, 0, line);
    return unsigned(votes) == 0 || unsigned(votes) == unsigned(votes >> 32);
}
#if __CUDA_ARCH__ < 700
// Without a mask they are operations of the lanes that are there.
template <class T> inline T __shfl(T v, int from, int width = 32, int line = __builtin_LINE()) {
    return __shfl_sync(__activemask(line), v, from, width, line);
}
template <class T> inline T __shfl_up(T v, unsigned delta, int width = 32, int line = __builtin_LINE()) {
    return __shfl_up_sync(__activemask(line), v, delta, width, line);
}
template <class T> inline T __shfl_down(T v, unsigned delta, int width = 32, int line = __builtin_LINE()) {
    return __shfl_down_sync(__activemask(line), v, delta, width, line);
}
template <class T> inline T __shfl_xor(T v, int lanes, int width = 32, int line = __builtin_LINE()) {
    return __shfl_xor_sync(__activemask(line), v, lanes, width, line);
}
GW_DEVICE unsigned __ballot(int predicate, int line = __builtin_LINE()) { return __ballot_sync(__activemask(line), predicate, line); }
GW_DEVICE int __any(int predicate, int line = __builtin_LINE()) { return __any_sync(__activemask(line), predicate, line); }
GW_DEVICE int __all(int predicate, int line = __builtin_LINE()) { return __all_sync(__activemask(line), predicate, line); }
#endif
#if __CUDA_ARCH__ >= 700
template <class T> inline unsigned __match_any_sync(unsigned mask, T v, int line = __builtin_LINE()) {
    return unsigned(gwsim::collective(gwsim::opMatchAny, mask, gwsim::toBits(v), 0, line));
}
template <class T> inline unsigned __match_all_sync(unsigned mask, T v, int *pred, int line = __builtin_LINE()) {
    unsigned same = unsigned(gwsim::collective(gwsim::opMatchAll, mask, gwsim::toBits(v), 0, line));
    *pred = same == mask;
    return *pred ? mask : 0;
}
#endif

#if __CUDA_ARCH__ >= 800
#define GW_REDUCE(name, op, type)                                                                                        \
    GW_DEVICE type __reduce_##name##_sync(unsigned mask, type v, int line = __builtin_LINE()) {                          \
        return gwsim::warpReduce<gwsim::op>(mask, v, line);                                                              \
    }
GW_REDUCE(add, Plus, int)
GW_REDUCE(add, Plus, unsigned)
GW_REDUCE(min, Least, int)
GW_REDUCE(min, Least, unsigned)
GW_REDUCE(max, Most, int)
GW_REDUCE(max, Most, unsigned)
GW_REDUCE(and, BitAnd, unsigned)
GW_REDUCE(or, BitOr, unsigned)
GW_REDUCE(xor, BitXor, unsigned)
#undef GW_REDUCE
#endif
