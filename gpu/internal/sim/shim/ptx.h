// What translated assembly (../ptx) is made of.
#pragma once

namespace gwptx {

// A Reg is a register. A value of fewer bits stands in its lower ones.
struct Reg {
    uint64_t bits = 0;
    template <class T> __attribute__((always_inline)) T get() const {
        T v;
        __builtin_memcpy(&v, &bits, sizeof v);
        return v;
    }
    template <class T> __attribute__((always_inline)) void set(T v) {
        bits = 0;
        __builtin_memcpy(&bits, &v, sizeof v);
    }
};
template <class T> GW_DEVICE Reg in(const T &v) {
    static_assert(sizeof(T) <= 8, "an operand of assembly has at most 64 bits");
    Reg r;
    if constexpr (std::is_integral_v<T>)
        r.bits = uint64_t(v);
    else
        __builtin_memcpy(&r.bits, &v, sizeof v);
    return r;
}
template <class T> GW_DEVICE void out(T &to, const Reg &r) {
    if constexpr (std::is_same_v<T, bool>)
        to = r.bits != 0;
    else
        __builtin_memcpy(&to, &r.bits, sizeof to);
}

// Addresses in shared memory count from a place that every block has.
GW_DEVICE uint64_t toShared(uint64_t p) { return uint32_t(p - reinterpret_cast<uint64_t>(gwsim::touch())); }
GW_DEVICE uint64_t fromShared(uint64_t p) { return reinterpret_cast<uint64_t>(gwsim::touch()) + int32_t(p); }
template <class T> GW_DEVICE T *at(uint64_t p, int64_t offset) { return reinterpret_cast<T *>(p + offset); }
template <class T> GW_DEVICE T *atShared(uint64_t p, int64_t offset) { return reinterpret_cast<T *>(fromShared(p) + offset); }
GW_DEVICE void copy(char *to, const char *from, uint32_t n, uint32_t size) {
    for (uint32_t i = 0; i < n; i++)
        to[i] = i < size ? from[i] : 0;
}

GW_DEVICE int warps() { return int(blockDim.x * blockDim.y * blockDim.z + 31) / 32; }

template <class T> GW_DEVICE T magnitude(T v) { return v < 0 ? -v : v; }
template <class T> GW_DEVICE T least(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return std::fmin(a, b);
    else
        return b < a ? b : a;
}
template <class T> GW_DEVICE T most(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
        return std::fmax(a, b);
    else
        return a < b ? b : a;
}
template <class T> GW_DEVICE T fused(T a, T b, T c) { return std::fma(a, b, c); }
template <class T> GW_DEVICE T saturated(T v) { return v > 0 ? v < 1 ? v : T(1) : T(0); }
template <class T, class F> GW_DEVICE T whole(F v) {
    if (v != v)
        return 0;
    if (v <= F(std::numeric_limits<T>::min()))
        return std::numeric_limits<T>::min();
    return v >= F(std::numeric_limits<T>::max()) ? std::numeric_limits<T>::max() : T(v);
}
template <class T, class F> GW_DEVICE T clamped(F v) {
    if (v < 0)
        return std::is_signed_v<T> && (long long)v < (long long)std::numeric_limits<T>::min() ? std::numeric_limits<T>::min() : T(v < 0 && !std::is_signed_v<T> ? 0 : v);
    return uint64_t(v) > uint64_t(std::numeric_limits<T>::max()) ? std::numeric_limits<T>::max() : T(v);
}

// Integers of 32 and 64 bits.
template <class T> constexpr uint32_t width = 8 * sizeof(T);
GW_DEVICE uint32_t ones(uint64_t v) { return __builtin_popcountll(v); }
template <class T> GW_DEVICE uint32_t zeros(T v) { return v == 0 ? width<T> : __builtin_clzll(uint64_t(v)) - (64 - width<T>); }
template <class T> GW_DEVICE T reversed(T v) {
    T r = 0;
    for (uint32_t i = 0; i < width<T>; i++)
        r = r << 1 | (v >> i & 1);
    return r;
}
// highest is the position of the highest bit that is unlike the sign.
template <class T> GW_DEVICE uint32_t highest(T v) {
    using U = std::make_unsigned_t<T>;
    U bits = std::is_signed_v<T> && v < 0 ? U(~v) : U(v);
    return bits == 0 ? ~0u : width<T> - 1 - zeros(bits);
}
template <class T> GW_DEVICE T field(T v, uint32_t from, uint32_t length) {
    from &= 0xff, length &= 0xff;
    if (length == 0)
        return 0;
    T high = from >= width<T> ? (std::is_signed_v<T> && v < 0 ? T(-1) : T(0)) : T(v >> from);
    if (length >= width<T>)
        return high;
    uint32_t top = from + length > width<T> ? width<T> - from : length;
    if (from >= width<T>)
        return high;
    using U = std::make_unsigned_t<T>;
    uint32_t rest = width<T> - top;
    return std::is_signed_v<T> ? T(U(high) << rest) >> rest : T(U(U(high) << rest) >> rest);
}
template <class T> GW_DEVICE T inserted(T bits, T into, uint32_t at, uint32_t length) {
    at &= 0xff, length &= 0xff;
    if (at >= width<T> || length == 0)
        return into;
    T mask = (length >= width<T> ? T(~T(0)) : T((T(1) << length) - 1)) << at;
    return T((into & ~mask) | (bits << at & mask));
}
GW_DEVICE uint32_t logic(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
    uint32_t r = 0;
    for (int i = 0; i < 8; i++)
        if (table >> i & 1)
            r |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return r;
}
template <class T> GW_DEVICE T shl(T v, uint32_t n) { return n >= width<T> ? T(0) : T(std::make_unsigned_t<T>(v) << n); }
template <class T> GW_DEVICE T shr(T v, uint32_t n) { return n >= width<T> ? T(v < 0 ? -1 : 0) : T(v >> n); }
template <class T> GW_DEVICE T high(T a, T b) {
    using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
    return T(Wide(a) * Wide(b) >> width<T>);
}
// Sums and differences with a carry, which stays from one instruction to the next.
template <class T> GW_DEVICE T sum(T a, T b, bool with, bool keep) {
    T r;
    bool over = __builtin_add_overflow(a, b, &r);
    if (with)
        over |= __builtin_add_overflow(r, T(gwsim::carry), &r);
    if (keep)
        gwsim::carry = over;
    return r;
}
template <class T> GW_DEVICE T difference(T a, T b, bool with, bool keep) {
    T r;
    bool under = __builtin_sub_overflow(a, b, &r);
    if (with)
        under |= __builtin_sub_overflow(r, T(gwsim::carry), &r);
    if (keep)
        gwsim::carry = under;
    return r;
}

// shuffle is shfl.sync: c has the first lane that the segment's lanes may read, and the mask of the segments.
struct Shuffled {
    uint32_t value;
    bool inside;
};
template <int mode> inline Shuffled shuffle(uint32_t v, uint32_t b, uint32_t c, uint32_t mask, int line) {
    uint32_t lane = gwsim::lane(), bound = c & 31, segments = c >> 8 & 31;
    uint32_t least = lane & segments, most = least | (bound & ~segments);
    b &= 31;
    int from = mode == 0 ? int(least | (b & ~segments)) : mode == 1 ? int(lane) - int(b) : mode == 2 ? int(lane + b) : int(lane ^ b);
    bool inside = mode == 1 ? from >= int(most) : from <= int(most);
    const gwsim::Op &op = mode == 0 ? gwsim::opShfl : mode == 1 ? gwsim::opUp : mode == 2 ? gwsim::opDown : gwsim::opXor;
    return {uint32_t(gwsim::collective(op, mask, v, inside ? uint32_t(from) : lane, line)), inside};
}

} // namespace gwptx

// In which memory an address is. Constants are those that the file has registered (../spaces.go).
GW_DEVICE unsigned __isShared(const void *p) { return gwsim::inSharedMemory(p, gwsim::touch()); }
GW_DEVICE unsigned __isLocal(const void *p) { return gwsim::inLocalMemory(p); }
GW_DEVICE unsigned __isConstant(const void *p) { return gwsim::isConstant(p); }
GW_DEVICE unsigned __isGlobal(const void *p) { return !__isShared(p) && !__isLocal(p) && !__isConstant(p); }

GW_DEVICE size_t __cvta_generic_to_shared(const void *p) { return gwptx::toShared(reinterpret_cast<uint64_t>(p)); }
GW_DEVICE void *__cvta_shared_to_generic(size_t p) { return reinterpret_cast<void *>(gwptx::fromShared(p)); }
#define GW_SAME_ADDRESS(space)                                                                                           \
    GW_DEVICE size_t __cvta_generic_to_##space(const void *p) { return reinterpret_cast<size_t>(p); }                    \
    GW_DEVICE void *__cvta_##space##_to_generic(size_t p) { return reinterpret_cast<void *>(p); }
GW_SAME_ADDRESS(global)
GW_SAME_ADDRESS(constant)
GW_SAME_ADDRESS(local)
GW_SAME_ADDRESS(grid_constant)
#undef GW_SAME_ADDRESS
