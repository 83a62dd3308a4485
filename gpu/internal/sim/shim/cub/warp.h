// Reductions and scans of the lanes of a warp, or of a part of it.
#pragma once
#include "common.h"

namespace cub {
namespace detail {

// A WarpPart is the lanes that work together. They leave their values, wait for each other, and wait again when all have read, so
// that the room can be used again at once.
template <class T, int Lanes> struct WarpPart {
    static_assert(Lanes >= 1 && Lanes <= 32, "a warp has 32 lanes");
    struct Room {
        Values<T, Lanes> values;
    };
    Room &room;
    // Parts whose size is no power of two are not aligned to lanes of one number.
    static int lane() { return int(LaneId()) % Lanes; }
    static int valid() {
        const int first = int(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) - lane();
        const int left = int(blockDim.x * blockDim.y * blockDim.z) - first;
        return left < Lanes ? left : Lanes;
    }
    static void sync() {
        const int first = int(LaneId()) - lane(), n = valid() < 32 - first ? valid() : 32 - first;
        __syncwarp((n == 32 ? ~0u : (1u << n) - 1) << first);
    }
    template <class F> auto with(const T &mine, F f) {
        room.values[lane()] = mine;
        sync();
        auto result = f(room.values);
        sync();
        return result;
    }
};

} // namespace detail

template <class T, int LOGICAL_WARP_THREADS = 32, int = 0> class WarpReduce {
    using Part = detail::WarpPart<T, LOGICAL_WARP_THREADS>;
    Part part;

public:
    using TempStorage = typename Part::Room;
    explicit WarpReduce(TempStorage &room) : part{room} {}

    template <class Op> T Reduce(T in, Op op, int valid = LOGICAL_WARP_THREADS) {
        return part.with(in, [&](auto &v) {
            T sum = v[0];
            for (int i = 1; i < valid && i < part.valid(); i++)
                sum = op(sum, v[i]);
            return sum;
        });
    }
    template <class U, int N, class Op> T Reduce(const U (&in)[N], Op op) {
        T sum = in[0];
        for (int i = 1; i < N; i++)
            sum = op(sum, in[i]);
        return Reduce(sum, op);
    }
    T Sum(T in, int valid = LOGICAL_WARP_THREADS) { return Reduce(in, cub::Sum(), valid); }
    T Max(T in, int valid = LOGICAL_WARP_THREADS) { return Reduce(in, cub::Max(), valid); }
    T Min(T in, int valid = LOGICAL_WARP_THREADS) { return Reduce(in, cub::Min(), valid); }
    template <class Flag, class Op> T HeadSegmentedReduce(T in, Flag head, Op op) {
        return segmented(in, bool(head), op, [](unsigned flags, int lane, int i) { return !(flags >> i & 1) || i == lane; });
    }
    template <class Flag, class Op> T TailSegmentedReduce(T in, Flag tail, Op op) {
        return segmented(in, bool(tail), op, [](unsigned flags, int lane, int i) { return i == lane || !(flags >> (i - 1) & 1); });
    }
    template <class Flag> T HeadSegmentedSum(T in, Flag head) { return HeadSegmentedReduce(in, head, cub::Sum()); }
    template <class Flag> T TailSegmentedSum(T in, Flag tail) { return TailSegmentedReduce(in, tail, cub::Sum()); }

private:
    // segmented reduces from the own lane up to the end of its segment, where goesOn is false.
    template <class Op, class F> T segmented(T in, bool flag, Op op, F goesOn) {
        const int lane = part.lane(), first = int(LaneId()) - lane, n = part.valid();
        const unsigned all = (n == 32 ? ~0u : (1u << n) - 1) << first, flags = __ballot_sync(all, flag) >> first;
        return part.with(in, [&](auto &v) {
            T sum = v[lane];
            for (int i = lane + 1; i < n && goesOn(flags, lane, i); i++)
                sum = op(sum, v[i]);
            return sum;
        });
    }
};

template <class T, int LOGICAL_WARP_THREADS = 32, int = 0> class WarpScan {
    using Part = detail::WarpPart<T, LOGICAL_WARP_THREADS>;
    Part part;
    struct Both {
        T inclusive, exclusive, all;
    };
    // scan combines the values up to the own one, up to the one before, and all.
    template <class Op> Both scan(T in, Op op) {
        return part.with(in, [&](auto &v) {
            T sum = v[0];
            Both b = {sum, sum, sum};
            for (int i = 1; i < part.valid(); i++) {
                if (i == part.lane())
                    b.exclusive = sum;
                sum = op(sum, v[i]);
                if (i == part.lane())
                    b.inclusive = sum;
            }
            b.all = sum;
            return b;
        });
    }

public:
    using TempStorage = typename Part::Room;
    explicit WarpScan(TempStorage &room) : part{room} {}

    template <class Op> void InclusiveScan(T in, T &out, Op op) { out = scan(in, op).inclusive; }
    template <class Op> void InclusiveScan(T in, T &out, Op op, T &all) {
        Both b = scan(in, op);
        out = b.inclusive, all = b.all;
    }
    template <class Op> void ExclusiveScan(T in, T &out, Op op) { out = scan(in, op).exclusive; }
    template <class Op> void ExclusiveScan(T in, T &out, T first, Op op) {
        Both b = scan(in, op);
        out = part.lane() == 0 ? first : op(first, b.exclusive);
    }
    template <class Op> void ExclusiveScan(T in, T &out, T first, Op op, T &all) {
        Both b = scan(in, op);
        out = part.lane() == 0 ? first : op(first, b.exclusive), all = b.all;
    }
    template <class Op> void Scan(T in, T &inclusive, T &exclusive, Op op) {
        Both b = scan(in, op);
        inclusive = b.inclusive, exclusive = b.exclusive;
    }
    template <class Op> void Scan(T in, T &inclusive, T &exclusive, T first, Op op) {
        Both b = scan(in, op);
        inclusive = op(first, b.inclusive), exclusive = part.lane() == 0 ? first : op(first, b.exclusive);
    }
    void InclusiveSum(T in, T &out) { InclusiveScan(in, out, cub::Sum()); }
    void InclusiveSum(T in, T &out, T &all) { InclusiveScan(in, out, cub::Sum(), all); }
    void ExclusiveSum(T in, T &out) { ExclusiveScan(in, out, T{}, cub::Sum()); }
    void ExclusiveSum(T in, T &out, T &all) { ExclusiveScan(in, out, T{}, cub::Sum(), all); }
    void Sum(T in, T &inclusive, T &exclusive) { Scan(in, inclusive, exclusive, T{}, cub::Sum()); }
    T Broadcast(T in, unsigned lane) {
        return part.with(in, [&](auto &v) { return v[lane]; });
    }
};

} // namespace cub
