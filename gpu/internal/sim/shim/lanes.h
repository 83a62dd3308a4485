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

// A loop over the lanes of a mask, which has 32 for each warp.
#define GW_EACH_LANE(on)                                                                                                 \
    for (unsigned gw_w = 0; gw_w * 32 < gw_threads; gw_w++)                                                              \
        for (unsigned gw_left = (on)[gw_w]; gw_left; gw_left &= gw_left - 1)
#define GW_LANE_BEGIN                                                                                                    \
    [[maybe_unused]] const unsigned gw_row = gw_w * 32 + __builtin_ctz(gw_left), gw_x = 0;                               \
    [[maybe_unused]] const uint3 threadIdx = gwsim::lanes::place(gw_row, blockDim);

namespace gwsim {
namespace lanes {

GW_DEVICE uint3 place(unsigned i, dim3 n) {
    if (n.y * n.z == 1)
        return {i, 0, 0};
    return {i % n.x, i / n.x % n.y, i / (n.x * n.y)};
}

// Here is where an operation stands: the threads of the block, those of them that have returned, and the lanes that come.
struct Here {
    unsigned threads;
    const bool *ended;  // null if none has
    const uint32_t *on; // null if all that live come

    // live is the lanes of a warp that have not returned, active those that come.
    uint32_t live(unsigned w) const {
        unsigned n = threads - w * 32;
        uint32_t all = n >= 32 ? ~0u : (1u << n) - 1;
        if (ended == nullptr)
            return all;
        uint32_t gone = 0;
        for (unsigned l = 0; l < 32; l++)
            gone |= uint32_t(ended[w * 32 + l]) << l;
        return all & ~gone;
    }
    uint32_t active(unsigned w) const { return on == nullptr ? live(w) : on[w] & live(w); }
};

// An operand is one value for each thread, or one for all.
template <class T> struct Each {
    static constexpr bool same = false;
    const T *at;
    T operator[](unsigned i) const { return at[i]; }
};
template <class T> struct Same {
    static constexpr bool same = true;
    T value;
    T operator[](unsigned) const { return value; }
};
template <class T> GW_DEVICE Each<T> each(const T *at) { return {at}; }
template <class T> GW_DEVICE Same<T> same(T value) { return {value}; }

// Names checks the masks of the lanes of a warp.
struct Names {
    const char *name;
    int line;
    uint32_t live, active, checked;

    // of returns the lanes that live of the mask of a lane. All of them must have come with the same mask, and the lane must be
    // among them.
    template <class M> __attribute__((always_inline)) uint32_t of(M mask, unsigned first, unsigned lane) {
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
    T room[96];
    for (int l = 0; l < 32; l++)
        room[l] = room[32 + l] = room[64 + l] = value[l];
    const T *above = room + 32 + by, *below = room + 32 - by;
    for (int l = 0; l < 32; l++) {
        T a = above[l], b = below[l], own = value[l];
        int in = l & (width - 1);
        if (kind == Down)
            out[l] = in + by < width ? a : own;
        else if (kind == Up)
            out[l] = in >= by ? b : own;
        else
            out[l] = l & by ? b : a;
    }
}

template <Kind kind, class R, class M, class T, class A>
GW_DEVICE void shuffle(R *out, M mask, Each<T> value, A arg, int width, const Here &h, const char *name, int line) {
    static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 8, "warp operations take values of up to 8 bytes");
    for (unsigned w = 0, first = 0; first < h.threads; w++, first += 32) {
        uint32_t active = h.active(w);
        if (M::same && active == ~0u && uint32_t(mask[0]) == ~0u) {
            int by = int(arg[0]);
            if (kind == Index && A::same && width == 32) {
                T v = value[first + (unsigned(by) & 31)];
                for (unsigned l = 0; l < 32; l++)
                    out[first + l] = v;
            } else if (kind != Index && A::same && by > 0 && by < 32 && (kind != Xor || ((by & (by - 1)) == 0 && by < width))) {
                moved<kind>(out + first, value.at + first, by, width);
            } else {
                for (unsigned l = 0; l < 32; l++)
                    out[first + l] = value[first + source<kind>(l, int(arg[first + l]), width)];
            }
            continue;
        }
        if (active == 0)
            continue;
        Names names{name, line, h.live(w), active, 0};
        eachLane(active, [&](int l) {
            uint32_t part = names.of(mask, first, l);
            unsigned from = source<kind>(l, int(arg[first + l]), width);
            out[first + l] = value[first + (part >> from & 1 ? from : l)];
        });
    }
}
template <Kind kind, class R, class M, class T, class A>
GW_DEVICE void shuffle(R *out, M mask, Same<T> value, A, int, const Here &h, const char *name, int line) {
    for (unsigned w = 0, first = 0; first < h.threads; w++, first += 32) {
        uint32_t active = h.active(w);
        Names names{name, line, h.live(w), active, 0};
        eachLane(active, [&](int l) {
            names.of(mask, first, l);
            out[first + l] = value.value;
        });
    }
}

// bits is the lanes of a warp whose value is not 0.
template <class P> GW_DEVICE uint32_t bits(P value, unsigned first, uint32_t active) {
    uint32_t set = 0;
    if (active == ~0u)
        for (unsigned l = 0; l < 32; l++)
            set |= uint32_t(int(value[first + l]) != 0) << l;
    else
        eachLane(active, [&](int l) { set |= uint32_t(int(value[first + l]) != 0) << l; });
    return set;
}

// vote gives each lane f of the lanes that voted for it, and of those that voted.
template <class R, class M, class P, class F> GW_DEVICE void vote(R *out, M mask, P value, const Here &h, const char *name, int line, F f) {
    for (unsigned w = 0, first = 0; first < h.threads; w++, first += 32) {
        uint32_t active = h.active(w);
        if (active == 0)
            continue;
        uint32_t set = bits(value, first, active);
        if (M::same && active == ~0u && uint32_t(mask[0]) == ~0u) {
            R r = R(f(set, ~0u));
            for (unsigned l = 0; l < 32; l++)
                out[first + l] = r;
            continue;
        }
        Names names{name, line, h.live(w), active, 0};
        eachLane(active, [&](int l) {
            uint32_t part = names.of(mask, first, l);
            out[first + l] = R(f(set & part, part));
        });
    }
}

template <class R, class M, class V> GW_DEVICE void match(R *out, M mask, V value, const Here &h, const char *name, int line) {
    for (unsigned w = 0, first = 0; first < h.threads; w++, first += 32) {
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
template <class R, class M, class V, class F> GW_DEVICE void reduce(R *out, M mask, V value, const Here &h, const char *name, int line, F f) {
    for (unsigned w = 0, first = 0; first < h.threads; w++, first += 32) {
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
template <class T, class V, class F> GW_DEVICE void fold(T *out, unsigned size, V value, const Here &h, const char *name, int line, F f) {
    for (unsigned w = 0, first = 0; first < h.threads; w++, first += 32) {
        uint32_t active = h.active(w), live = h.live(w);
        if (active == 0)
            continue;
        T room[32];
        for (unsigned at = 0; at < 32; at += size) {
            uint32_t tile = (size == 32 ? ~0u : (1u << size % 32) - 1) << at;
            if ((tile & active) == 0)
                continue;
            Names names{name, line, live | 1u << at, active, 0};
            names.of(same(tile), first, at);
            eachLane(tile & active, [&](int l) { room[l] = value[first + l]; });
            for (unsigned step = 1; step < size; step *= 2)
                for (unsigned l = at; l + step < at + size; l++)
                    if (active >> l & 1)
                        room[l] = f(room[l], room[active >> (l + step) & 1 ? l + step : l]);
            T sum = room[at];
            eachLane(tile & active, [&](int l) { out[first + l] = sum; });
        }
    }
}

template <class R> GW_DEVICE void active(R *out, const Here &h) {
    for (unsigned w = 0, first = 0; first < h.threads; w++, first += 32) {
        uint32_t there = h.active(w);
        eachLane(there, [&](int l) { out[first + l] = there; });
    }
}

template <class M> GW_DEVICE void sync(M mask, const Here &h, const char *name, int line) {
    for (unsigned w = 0, first = 0; first < h.threads; w++, first += 32) {
        uint32_t active = h.active(w), live = h.live(w);
        if (M::same && active == live && uint32_t(mask[0]) == ~0u)
            continue;
        Names names{name, line, live, active, 0};
        eachLane(active, [&](int l) { names.of(mask, first, l); });
    }
}

// count is the number of threads of the block whose value is not 0, and of those that live.
struct Count {
    int set, live;
};
template <class P> GW_DEVICE Count count(P value, const Here &h) {
    Count c{};
    for (unsigned w = 0, first = 0; first < h.threads; w++, first += 32) {
        uint32_t live = h.live(w);
        c.set += __builtin_popcount(bits(value, first, live));
        c.live += __builtin_popcount(live);
    }
    return c;
}

// choose sets the mask of a branch: those that come, and for which the condition holds as wanted. It reports whether there are any.
template <class P> GW_DEVICE bool choose(uint32_t *on, P condition, bool wanted, const Here &h) {
    uint32_t any = 0;
    for (unsigned w = 0, first = 0; first < h.threads; w++, first += 32) {
        uint32_t active = h.active(w), set = bits(condition, first, active);
        on[w] = (wanted ? set : ~set) & active;
        any |= on[w];
    }
    return any != 0;
}

} // namespace lanes
} // namespace gwsim

