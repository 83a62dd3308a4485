// The basics of cooperative groups: the thread block, tiles of a warp, and the threads
// that happen to be together. Grid-wide groups are missing: blocks run one after another.
#pragma once

namespace cooperative_groups {

class thread_block {
    unsigned index() const { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

public:
    static void sync(int line = __builtin_LINE()) { __syncthreads(line); }
    unsigned thread_rank() const { return index(); }
    unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
    unsigned num_threads() const { return size(); }
    dim3 group_index() const { return blockIdx; }
    dim3 thread_index() const { return threadIdx; }
    dim3 group_dim() const { return blockDim; }
    dim3 dim_threads() const { return blockDim; }
};

inline thread_block this_thread_block() { return {}; }

namespace detail {

// A lane_group is some lanes of a warp, given by their mask, with a rank for each.
class lane_group {
protected:
    unsigned mask;

    unsigned laneOf(unsigned rank) const {
        unsigned rest = mask;
        while (rank-- > 0 && (rest & (rest - 1)))
            rest &= rest - 1;
        return __ffs(rest) - 1;
    }

    // ranks packs a ballot of lanes into one bit a rank.
    unsigned ranks(unsigned lanes) const {
        unsigned out = 0, rank = 0;
        for (unsigned rest = mask; rest; rest &= rest - 1, rank++)
            out |= (lanes >> (__ffs(rest) - 1) & 1) << rank;
        return out;
    }

public:
    explicit lane_group(unsigned lanes) : mask(lanes) {}
    void sync(int line = __builtin_LINE()) const { __syncwarp(mask, line); }
    unsigned size() const { return __popc(mask); }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const { return __popc(mask & ((1u << gwsim::lane()) - 1)); }
    template <class T> T shfl(T v, unsigned rank, int line = __builtin_LINE()) const {
        return __shfl_sync(mask, v, laneOf(rank % size()), 32, line);
    }
    template <class T> T shfl_up(T v, unsigned delta, int line = __builtin_LINE()) const {
        unsigned rank = thread_rank();
        return shfl(v, rank < delta ? rank : rank - delta, line);
    }
    template <class T> T shfl_down(T v, unsigned delta, int line = __builtin_LINE()) const {
        unsigned rank = thread_rank();
        return shfl(v, rank + delta < size() ? rank + delta : rank, line);
    }
    template <class T> T shfl_xor(T v, unsigned bits, int line = __builtin_LINE()) const {
        unsigned rank = thread_rank() ^ bits;
        return shfl(v, rank < size() ? rank : thread_rank(), line);
    }
    unsigned ballot(int predicate, int line = __builtin_LINE()) const { return ranks(__ballot_sync(mask, predicate, line)); }
    int any(int predicate, int line = __builtin_LINE()) const { return __any_sync(mask, predicate, line); }
    int all(int predicate, int line = __builtin_LINE()) const { return __all_sync(mask, predicate, line); }
};

} // namespace detail

template <unsigned Size, class Parent = thread_block> class thread_block_tile : public detail::lane_group {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

public:
    thread_block_tile() : lane_group((Size == 32 ? ~0u : (1u << Size % 32) - 1) << (gwsim::lane() & ~(Size - 1))) {}
    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    unsigned meta_group_rank() const { return this_thread_block().thread_rank() / Size; }
    unsigned meta_group_size() const { return (this_thread_block().size() + Size - 1) / Size; }
};

template <unsigned Size> thread_block_tile<Size> tiled_partition(const thread_block &) { return {}; }
template <unsigned Size, unsigned Outer> thread_block_tile<Size> tiled_partition(const thread_block_tile<Outer> &) {
    static_assert(Size <= Outer, "a tile cannot be cut into larger ones");
    return {};
}

class coalesced_group : public detail::lane_group {
public:
    using lane_group::lane_group;
};

inline coalesced_group coalesced_threads(int line = __builtin_LINE()) { return coalesced_group(__activemask(line)); }

template <class Group> void sync(const Group &g, int line = __builtin_LINE()) { g.sync(line); }

} // namespace cooperative_groups
