// Warp operations of split kernels: each is a loop over the warps of a block, and has the operands of all lanes before it.
#pragma once

// The place of a thread among the lanes of its warp, and of a tile of so many threads.
GW_DEVICE unsigned gw_linear(uint3 t, dim3 n) { return t.x + n.x * (t.y + n.y * t.z); }
GW_DEVICE unsigned gw_tile_rank(unsigned size, uint3 t, dim3 n) { return gw_linear(t, n) % size; }
GW_DEVICE unsigned gw_tile_index(unsigned size, uint3 t, dim3 n) { return gw_linear(t, n) / size; }
GW_DEVICE unsigned gw_tile_count(unsigned size, dim3 n) { return (n.x * n.y * n.z + size - 1) / size; }
GW_DEVICE unsigned gw_tile_mask(unsigned size, uint3 t, dim3 n) {
    return (size == 32 ? ~0u : (1u << size % 32) - 1) << (gw_linear(t, n) % 32 & ~(size - 1));
}
GW_DEVICE unsigned gw_tile_bits(unsigned bits, unsigned size, uint3 t, dim3 n) {
    return (bits >> (gw_linear(t, n) % 32 & ~(size - 1))) & (size == 32 ? ~0u : (1u << size % 32) - 1);
}

// The same for lanes that came together, by their mask.
GW_DEVICE unsigned gw_lane_rank(unsigned mask, uint3 t, dim3 n) { return __builtin_popcount(mask & ((1u << gw_linear(t, n) % 32) - 1)); }
GW_DEVICE unsigned gw_lane_of(unsigned mask, unsigned rank) {
    for (rank %= __builtin_popcount(mask); rank > 0; rank--)
        mask &= mask - 1;
    return __builtin_ctz(mask);
}
GW_DEVICE unsigned gw_lane_bits(unsigned bits, unsigned mask) {
    unsigned out = 0, rank = 0;
    for (; mask; mask &= mask - 1, rank++)
        out |= (bits >> __builtin_ctz(mask) & 1) << rank;
    return out;
}

// A loop over the lanes of a mask, which has 32 for each warp: over the warps, the runs of lanes in a warp, and the lanes of a run.
#define GW_EACH_LANE(on)                                                                                                 \
    for (size_t gw_w = 0; gw_w * 32 < gw_threads; gw_w++)                                                                \
        for (uint32_t gw_left = (on)[gw_w], gw_run; gw_left != 0; gw_left &= ~gw_run)                                    \
            if (const size_t gw_row = gw_w * 32 + __builtin_ctz(gw_left), gw_length = gwsim::lanes::run(gw_left, gw_run); true) \
                for (size_t gw_x = 0; gw_x < gw_length; gw_x++)
#define GW_LANE_BEGIN [[maybe_unused]] const uint3 threadIdx = gwsim::lanes::place(gw_row + gw_x, blockDim);

// A loop over the warps of a block, all of which are whole and have their lanes in a row of threads; the same over those that have lanes in a
// branch; and the loop over the lanes of one. gw_from is a multiple of 32.
#define GW_EACH_WARP                                                                                                     \
    for (size_t gw_z = 0, gw_row = 0; gw_z < blockDim.z; gw_z++)                                                         \
        for (size_t gw_y = 0; gw_y < blockDim.y; gw_y++)                                                                 \
            for (size_t gw_from = 0; gw_from < blockDim.x; gw_from += 32, gw_row += 32)
#define GW_EACH_WARP_OF(chosen)                                                                                          \
    for (uint32_t gw_left = (chosen).some; gw_left != 0; gw_left &= gw_left - 1)                                         \
        if (const size_t gw_row = size_t(__builtin_ctz(gw_left)) * 32; true)                                             \
            if (const uint3 gw_first = gwsim::lanes::place(gw_row, blockDim); true)                                      \
                if ([[maybe_unused]] const size_t gw_from = gw_first.x, gw_y = gw_first.y, gw_z = gw_first.z; true)
#define GW_LANES_OF_WARP for (size_t gw_x = 0; gw_x < 32; gw_x++)
#define GW_LANE_OF_WARP_BEGIN                                                                                            \
    [[maybe_unused]] const uint3 threadIdx = {unsigned(gw_from + gw_x), unsigned(gw_y), unsigned(gw_z)};

// What is rarely needed is not inlined, so that kernels compile quickly.
#define GW_RARE static __attribute__((noinline, unused))

namespace gwsim {
namespace lanes {

GW_DEVICE uint3 place(size_t at, dim3 n) {
    unsigned i = unsigned(at);
    if (n.y * n.z == 1)
        return {i, 0, 0};
    return {i % n.x, i / n.x % n.y, i / (n.x * n.y)};
}

// run returns the length of the first run of lanes, and sets its bits.
GW_DEVICE size_t run(uint32_t left, uint32_t &bits) {
    uint32_t after = left + (left & -left); // the carry stops behind the run
    bits = left & ~after;
    return __builtin_popcount(bits);
}

// A Chosen is the warps of a block that have lanes in a branch, and those that have all of their lanes there, as bits.
struct Chosen {
    uint32_t some, all;
    explicit operator bool() const { return some != 0; }
};
// whole reports whether the warps of a block are pieces of rows, and of each warp all lanes come or none.
GW_DEVICE bool whole(dim3 n) { return n.x % 32 == 0; }
GW_DEVICE bool whole(dim3 n, Chosen c) { return n.x % 32 == 0 && c.some == c.all; }
// ofWarp returns the elements of a warp.
template <class T, size_t size> GW_DEVICE T (&ofWarp(T (&all)[size], size_t first))[32] { return *reinterpret_cast<T(*)[32]>(all + first); }

// Here is where an operation stands: the threads of the block, those of them that have returned, and the lanes that come.
struct Here {
    unsigned threads;
    const bool *ended;  // null if none has
    const uint32_t *on; // null if all that live come

    // live is the lanes of a warp that have not returned, active those that come.
    uint32_t live(size_t w) const {
        size_t n = threads - w * 32;
        uint32_t all = n >= 32 ? ~0u : (1u << n) - 1;
        return ended == nullptr ? all : all & ~gone(w);
    }
    __attribute__((noinline)) uint32_t gone(size_t w) const {
        uint32_t set = 0;
        for (size_t l = 0; l < 32 && w * 32 + l < threads; l++)
            set |= uint32_t(ended[w * 32 + l]) << l;
        return set;
    }
    uint32_t active(size_t w) const { return on == nullptr ? live(w) : on[w] & live(w); }
};

// An operand is one value for each thread, or one for all.
template <class T> struct Each {
    static constexpr bool same = false;
    const T *at;
    size_t size;
    T operator[](size_t i) const { return at[i]; }
};
template <class T> struct Same {
    static constexpr bool same = true;
    T value;
    T operator[](size_t) const { return value; }
};
template <class T, size_t size> GW_DEVICE Each<T> each(const T (&at)[size]) { return {at, size}; }
template <class T> GW_DEVICE Same<T> same(T value) { return {value}; }

// Names checks the masks of the lanes of a warp.
struct Names {
    const char *name;
    int line;
    uint32_t live, active, checked;

    // of returns the lanes that live of the mask of a lane. All of them must have come with the same mask, and the lane must be
    // among them.
    template <class M> __attribute__((always_inline)) uint32_t of(M mask, size_t first, unsigned lane) {
        uint32_t m = mask[first + lane];
        if (__builtin_expect(!(m >> lane & 1), 0))
            lanesMissing(name, m, line);
        if (m != checked || m == 0) {
            bool same = !(m & live & ~active);
            if (same && !M::same)
                eachLane(m & live, [&](int l) { same = same && uint32_t(mask[first + l]) == m; });
            if (__builtin_expect(!same, 0))
                lanesMissing(name, m, line);
            checked = m;
        }
        return m & live;
    }
};

enum Kind { Index, Up, Down, Xor };

// source is the lane that a lane reads, as in sync.h.
template <Kind kind> GW_DEVICE unsigned source(int lane, int arg, int width) {
    int first = lane & ~(width - 1);
    if (kind == Index)
        return unsigned(first + (arg & (width - 1))) & 31;
    if (kind == Xor) {
        int wanted = lane ^ arg;
        return (wanted >= first + width ? lane : wanted) & 31;
    }
    int wanted = kind == Up ? int(unsigned(lane) - unsigned(arg)) : int(unsigned(lane) + unsigned(arg));
    return wanted < first || wanted >= first + width ? lane : wanted;
}

// moved is a shuffle of a whole warp by the same distance: all lanes read what stands so many places away, and then choose.
template <Kind kind, class T> GW_DEVICE void moved(T *out, const T *value, int by, int width) {
    const T *above = value + by, *below = value - by;
    for (int l = 0; l < 32; l++) {
        int in = l & (width - 1);
        // Both are read in any case, so that no vector is read by a mask.
        T one = kind == Up ? value[l] : above[l], other = kind == Down ? value[l] : below[l];
        bool first = kind == Down ? in + by < width : kind == Up ? in < by : !(l & by);
        out[l] = first ? one : other;
    }
}
// movedAtEdge is moved for a warp beside which there is nothing to be read.
template <Kind kind, class T> GW_DEVICE void movedAtEdge(T *out, const T *value, int by, int width) {
    const T *above = value + by, *below = value - by;
    for (int l = 0; l < 32; l++) {
        int in = l & (width - 1);
        if (kind == Xor ? !(l & by) : kind == Down && in + by < width)
            out[l] = above[l];
        else if (kind == Xor || (kind == Up && in >= by))
            out[l] = below[l];
        else
            out[l] = value[l];
    }
}
// movedAt is moved for a warp of a block. At the ends of the array there is nothing so many places away.
template <Kind kind, class T> GW_DEVICE void movedAt(T *out, Each<T> value, size_t first, int by, int width) {
    if ((kind == Up || first + 64 <= value.size) && (kind == Down || first >= 32)) {
        moved<kind>(out + first, value.at + first, by, width);
        return;
    }
    movedAtEdge<kind>(out + first, value.at + first, by, width);
}

#if defined(__AVX512F__) && !defined(__clang__)
// Lanes of 4 bytes are permuted in registers: what a loop has just stored is loaded in vectors as it was stored, which a processor does
// without waiting until it is in the cache.
typedef uint32_t Half __attribute__((vector_size(64)));
template <class T, class A> constexpr bool permutes() { return sizeof(T) == 4 && std::is_convertible<A, int>::value; }

// sources is source for half of the lanes, which begins at a lane.
template <Kind kind> GW_DEVICE Half sources(uint32_t begin, Half arg, uint32_t width) {
    const Half lane = Half{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15} + begin, first = lane & ~(width - 1);
    if constexpr (kind == Index)
        return (first + (arg & (width - 1))) & 31;
    typedef int32_t Signed __attribute__((vector_size(64)));
    const auto wanted = Signed(kind == Up ? lane - arg : kind == Down ? lane + arg : lane ^ arg), low = Signed(first), end = Signed(first + width);
    const auto out = kind == Xor ? wanted >= end : (wanted < low) | (wanted >= end);
    return (Half(out) & lane) | (~Half(out) & Half(wanted) & 31);
}
template <class A> GW_DEVICE Half sixteen(Same<A> arg, size_t) { return Half{} + uint32_t(int(arg.value)); }
template <class A> GW_DEVICE Half sixteen(Each<A> arg, size_t first) {
    Half h = {};
    for (int l = 0; l < 16; l++)
        h[l] = uint32_t(int(arg[first + l]));
    return h;
}
// Permutation is a shuffle of whole warps. It is made once if all warps have the same.
template <Kind kind, class A> struct Permutation {
    A arg;
    uint32_t width;
    Half low, high;
    __attribute__((always_inline)) void to(size_t first) {
        low = sources<kind>(0, sixteen(arg, first), width);
        high = sources<kind>(16, sixteen(arg, first + 16), width);
    }
    __attribute__((always_inline)) Permutation(A a, int w) : arg(a), width(uint32_t(w)) { to(0); }
    template <class T> __attribute__((always_inline)) void apply(T *out, const T *value, size_t first) {
        if (!A::same)
            to(first);
        Half a, b;
        __builtin_memcpy(&a, value + first, 64);
        __builtin_memcpy(&b, value + first + 16, 64);
        // g++ loads them again for each use unless it does not know that they are in memory, and a processor loads no more than one in a cycle.
        asm("" : "+v"(a), "+v"(b));
        const Half x = __builtin_shuffle(a, b, low), y = __builtin_shuffle(a, b, high);
        __builtin_memcpy(out + first, &x, 64);
        __builtin_memcpy(out + first + 16, &y, 64);
    }
};
#else
template <class T, class A> constexpr bool permutes() { return false; }
template <Kind kind, class A> struct Permutation {
    Permutation(A, int) {}
    template <class T> void apply(T *, const T *, size_t) {}
};
#endif

template <Kind kind, class R, class M, class T, class A>
GW_RARE void shuffleSome(R *out, M mask, Each<T> value, A arg, int width, size_t first, Names names) {
    eachLane(names.active, [&](int l) {
        uint32_t part = names.of(mask, first, l);
        unsigned from = source<kind>(l, int(arg[first + l]), width);
        out[first + l] = value[first + (part >> from & 1 ? from : l)];
    });
}

template <Kind kind, class R, class M, class T, class A>
GW_DEVICE void shuffle(R *out, M mask, Each<T> value, A arg, int width, const Here &h, const char *name, int line) {
    static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 32, "shuffles of tiles take values of up to 32 bytes");
    [[maybe_unused]] Permutation<kind, A> permutation(arg, width);
    for (size_t w = 0, first = 0; first < h.threads; w++, first += 32) {
        uint32_t active = h.active(w);
        if constexpr (M::same && permutes<T, decltype(arg[0])>() && !(kind == Index && A::same)) {
            if (active == ~0u && uint32_t(mask[0]) == ~0u) {
                permutation.apply(out, value.at, first);
                continue;
            }
        }
        if (M::same && active == ~0u && uint32_t(mask[0]) == ~0u && width == 32) {
            if constexpr (kind == Index && A::same) {
                T v = value[first + (unsigned(arg[0]) & 31)];
                for (int l = 0; l < 32; l++)
                    out[first + l] = v;
                continue;
            } else if constexpr (kind == Index) {
                for (int l = 0; l < 32; l++)
                    out[first + l] = value[first + (unsigned(arg[first + l]) & 31)];
                continue;
            }
        }
        if constexpr (kind != Index && M::same && A::same) {
            int by = int(arg[0]);
            bool near = by > 0 && by < 32 && (kind != Xor || ((by & (by - 1)) == 0 && by < width));
            if (near && active == ~0u && uint32_t(mask[0]) == ~0u) {
                movedAt<kind>(out, value, first, by, width);
                continue;
            }
        }
        if (active != 0)
            shuffleSome<kind>(out, mask, value, arg, width, first, Names{name, line, h.live(w), active, 0});
    }
}
template <Kind kind, class R, class M, class T, class A>
GW_DEVICE void shuffle(R *out, M mask, Same<T> value, A, int, const Here &h, const char *name, int line) {
    for (size_t w = 0, first = 0; first < h.threads; w++, first += 32) {
        uint32_t active = h.active(w);
        Names names{name, line, h.live(w), active, 0};
        eachLane(active, [&](int l) {
            names.of(mask, first, l);
            out[first + l] = value.value;
        });
    }
}

template <class P> GW_RARE uint32_t bitsOfSome(P value, size_t first, uint32_t active) {
    uint32_t set = 0;
    eachLane(active, [&](int l) { set |= uint32_t(int(value[first + l]) != 0) << l; });
    return set;
}
// bits is the lanes of a warp whose value is not 0.
template <class P> GW_DEVICE uint32_t bits(P value, size_t first, uint32_t active) {
    uint32_t set = 0;
    if (active == ~0u) {
        alignas(32) unsigned char truth[32];
        for (int l = 0; l < 32; l++)
            truth[l] = int(value[first + l]) != 0;
#ifdef __AVX2__
        typedef char Bytes __attribute__((vector_size(32)));
        Bytes b;
        __builtin_memcpy(&b, truth, 32);
        set = uint32_t(__builtin_ia32_pmovmskb256(Bytes(b != 0)));
#else
        for (int l = 0; l < 32; l += 8) {
            uint64_t eight;
            __builtin_memcpy(&eight, truth + l, 8);
            set |= uint32_t(eight * 0x0102040810204080u >> 56) << l; // one bit of each byte
        }
#endif
    } else {
        set = bitsOfSome(value, first, active);
    }
    return set;
}

// vote gives each lane f of the lanes that voted for it, and of those that voted.
template <class R, class M, class F> GW_RARE void voteSome(R *out, M mask, uint32_t set, size_t first, Names names, F f) {
    eachLane(names.active, [&](int l) {
        uint32_t part = names.of(mask, first, l);
        out[first + l] = R(f(set & part, part));
    });
}
template <class R, class M, class P, class F> GW_DEVICE void vote(R *out, M mask, P value, const Here &h, const char *name, int line, F f) {
    for (size_t w = 0, first = 0; first < h.threads; w++, first += 32) {
        uint32_t active = h.active(w);
        if (active == 0)
            continue;
        uint32_t set = bits(value, first, active);
        if (M::same && active == ~0u && uint32_t(mask[0]) == ~0u) {
            R r = R(f(set, ~0u));
            for (int l = 0; l < 32; l++)
                out[first + l] = r;
            continue;
        }
        voteSome(out, mask, set, first, Names{name, line, h.live(w), active, 0}, f);
    }
}

template <class R, class M, class V> GW_RARE void match(R *out, M mask, V value, const Here &h, const char *name, int line) {
    for (size_t w = 0, first = 0; first < h.threads; w++, first += 32) {
        uint32_t active = h.active(w);
        Names names{name, line, h.live(w), active, 0};
        uint64_t keys[32] = {};
        eachLane(active, [&](int l) { keys[l] = toBits(value[first + l]); });
        eachLane(active, [&](int l) {
            uint32_t part = names.of(mask, first, l), equal = 0;
            for (unsigned k = 0; k < 32; k++)
                equal |= uint32_t(keys[k] == keys[l]) << k;
            out[first + l] = equal & part;
        });
    }
}

// reduce is __reduce_…_sync, of integers.
template <class R, class M, class V, class F> GW_RARE void reduce(R *out, M mask, V value, const Here &h, const char *name, int line, F f) {
    for (size_t w = 0, first = 0; first < h.threads; w++, first += 32) {
        uint32_t active = h.active(w), done = 0;
        Names names{name, line, h.live(w), active, 0};
        R sum{};
        eachLane(active, [&](int l) {
            uint32_t part = names.of(mask, first, l);
            if (part != done) {
                done = part;
                sum = R(value[first + __builtin_ctz(part)]);
                eachLane(part & (part - 1), [&](int k) { sum = f(sum, R(value[first + k])); });
            }
            out[first + l] = sum;
        });
    }
}

// fold is reduce of cooperative groups, for tiles: by the same steps in the same order.
template <class T, class V, class F> GW_RARE void fold(T *out, unsigned size, V value, const Here &h, const char *name, int line, F f) {
    for (size_t w = 0, first = 0; first < h.threads; w++, first += 32) {
        uint32_t active = h.active(w), live = h.live(w);
        if (active == 0)
            continue;
        T room[32];
        for (unsigned at = 0; at < 32; at += size) {
            uint32_t tile = (size == 32 ? ~0u : (1u << size % 32) - 1) << at;
            if ((tile & active) == 0)
                continue;
            Names names{name, line, live, active, 0};
            names.of(same(tile), first, __builtin_ctz(tile & active));
            eachLane(tile & active, [&](int l) { room[l] = value[first + l]; });
            for (unsigned step = 1; step < size; step *= 2)
                for (unsigned l = at; l + step < at + size; l++)
                    if (active >> l & 1)
                        room[l] = f(room[l], room[active >> (l + step) & 1 ? l + step : l]);
            // Of a first lane that has returned nobody gets the sum: what a shuffle then gives is the lane's own.
            eachLane(tile & active, [&](int l) { out[first + l] = room[active >> at & 1 ? at : l]; });
        }
    }
}

template <class R> GW_RARE void active(R *out, const Here &h) {
    for (size_t w = 0, first = 0; first < h.threads; w++, first += 32) {
        uint32_t there = h.active(w);
        eachLane(there, [&](int l) { out[first + l] = there; });
    }
}

template <class M> GW_RARE void sync(M mask, const Here &h, const char *name, int line) {
    for (size_t w = 0, first = 0; first < h.threads; w++, first += 32) {
        uint32_t active = h.active(w), live = h.live(w);
        if (M::same && active == live && uint32_t(mask[0]) == ~0u)
            continue;
        Names names{name, line, live, active, 0};
        eachLane(active, [&](int l) { names.of(mask, first, l); });
    }
}

// Atomic functions on shared memory of a block that one processor runs by itself.
#define GW_ALONE(name, expression)                                                                                       \
    template <class T, class V> GW_DEVICE T name(T *p, V value) {                                                        \
        if constexpr (std::is_arithmetic<T>::value) {                                                                    \
            T old = *p, v = T(value);                                                                                    \
            *p = expression;                                                                                             \
            return old;                                                                                                  \
        } else {                                                                                                         \
            return ::name(p, value);                                                                                     \
        }                                                                                                                \
    }
GW_ALONE(atomicAdd, T(old + v))
GW_ALONE(atomicSub, T(old - v))
GW_ALONE(atomicMin, v < old ? v : old)
GW_ALONE(atomicMax, v > old ? v : old)
GW_ALONE(atomicAnd, old & v)
GW_ALONE(atomicOr, old | v)
GW_ALONE(atomicXor, old ^ v)
GW_ALONE(atomicExch, v)
GW_ALONE(atomicInc, old >= v ? 0 : old + 1)
GW_ALONE(atomicDec, old == 0 || old > v ? v : old - 1)
#undef GW_ALONE
template <class T, class C, class V> GW_DEVICE T atomicCAS(T *p, C compare, V v) {
    if constexpr (std::is_arithmetic<T>::value) {
        T old = *p;
        if (old == T(compare))
            *p = T(v);
        return old;
    } else {
        return ::atomicCAS(p, compare, v);
    }
}

// count is the number of threads of the block whose value is not 0, and of those that live.
struct Count {
    int set, live;
};
template <class P> GW_DEVICE Count count(P value, const Here &h) {
    Count c{};
    for (size_t w = 0, first = 0; first < h.threads; w++, first += 32) {
        uint32_t live = h.live(w);
        c.set += __builtin_popcount(bits(value, first, live));
        c.live += __builtin_popcount(live);
    }
    return c;
}

// choose sets the mask of a branch: those that come, and for which the condition holds as wanted.
template <class P> GW_DEVICE Chosen choose(uint32_t *on, P condition, bool wanted, const Here &h) {
    Chosen c{};
    for (size_t w = 0, first = 0; first < h.threads; w++, first += 32) {
        uint32_t active = h.active(w), set = bits(condition, first, active);
        on[w] = (wanted ? set : ~set) & active;
        c.some |= uint32_t(on[w] != 0) << w;
        c.all |= uint32_t(on[w] == ~0u) << w;
    }
    return c;
}

} // namespace lanes
} // namespace gwsim

