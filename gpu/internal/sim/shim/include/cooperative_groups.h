// Cooperative groups: the thread block, tiles of a warp, the threads that happen to be
// together, clusters of blocks, and the grid.
#pragma once
#include "cuda_runtime.h"

namespace cooperative_groups {

class thread_block {
    unsigned index() const { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

public:
    struct arrival_token {};
    static void sync(int line = __builtin_LINE()) { __syncthreads(line); }
    // Between the two a thread may do other things, or nothing, as here.
    static arrival_token barrier_arrive() { return {}; }
    static void barrier_wait(arrival_token && = {}, int line = __builtin_LINE()) { __syncthreads(line); }
    unsigned thread_rank() const { return index(); }
    unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
    unsigned num_threads() const { return size(); }
    dim3 group_index() const { return blockIdx; }
    dim3 thread_index() const { return threadIdx; }
    dim3 group_dim() const { return blockDim; }
    dim3 dim_threads() const { return blockDim; }
    void *memory = nullptr; // not CUDA's: of this_thread_block(memory)
};

inline thread_block this_thread_block() { return {}; }

// What tiles of more than 32 threads share: barriers, and a place for a value of each warp.
template <unsigned Threads = 1024> struct block_tile_memory {
    gwsim::Phases phases[32]; // of tiles of 64 threads, 128, …: see phasesOf
    uint64_t values[32][4];
};
inline block_tile_memory<> *tileMemory(const thread_block &b) { return static_cast<block_tile_memory<> *>(b.memory); }
template <unsigned Threads> thread_block this_thread_block(block_tile_memory<Threads> &memory, int line = __builtin_LINE()) {
    thread_block b;
    b.memory = &memory;
    const unsigned threads = b.size();
    if (b.thread_rank() == 0)
        for (unsigned size = 64, first = 0; size <= 1024; first += 1024 / size, size *= 2)
            for (unsigned i = 0; i * size < threads; i++)
                gwsim::phasesInit(&memory.phases[first + i], threads - i * size < size ? threads - i * size : size);
    b.sync(line);
    return b;
}

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
    // Values of more than 8 bytes go word by word.
    template <class T> T shfl(T v, unsigned rank, int line = __builtin_LINE()) const {
        static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 32, "shuffles take values that can be copied byte by byte, of up to 32 bytes");
        unsigned from = laneOf(rank % size());
        if constexpr (sizeof(T) <= 8) {
            return __shfl_sync(mask, v, from, 32, line);
        } else {
            uint64_t words[(sizeof(T) + 7) / 8] = {};
            __builtin_memcpy(words, &v, sizeof(T));
            for (uint64_t &w : words)
                w = __shfl_sync(mask, w, from, 32, line);
            __builtin_memcpy(&v, words, sizeof(T));
            return v;
        }
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
#if __CUDA_ARCH__ >= 700
    template <class T> unsigned match_any(T v, int line = __builtin_LINE()) const { return ranks(__match_any_sync(mask, v, line)); }
    template <class T> unsigned match_all(T v, int &same, int line = __builtin_LINE()) const { return ranks(__match_all_sync(mask, v, &same, line)); }
#endif
    unsigned lanes() const { return mask; } // not CUDA's: for what makes groups of groups
};

} // namespace detail

template <unsigned Size, class Parent = thread_block, bool Large = (Size > 32)> class thread_block_tile : public detail::lane_group {
    static_assert(Size >= 1 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, … or 1024 threads");

public:
    thread_block_tile() : lane_group((Size == 32 ? ~0u : (1u << Size % 32) - 1) << (gwsim::lane() & ~(Size - 1))) {}
    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    unsigned meta_group_rank() const { return this_thread_block().thread_rank() / Size; }
    unsigned meta_group_size() const { return (this_thread_block().size() + Size - 1) / Size; }
};

// A tile of several warps. Its threads meet at a barrier of their own, and exchange a value of each warp through shared memory.
template <unsigned Size, class Parent> class thread_block_tile<Size, Parent, true> {
    static_assert(Size <= 1024 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, … or 1024 threads");
    block_tile_memory<> *memory;

    unsigned inBlock() const { return this_thread_block().thread_rank(); }
    // first is the index of the first barrier of tiles of this size.
    static constexpr unsigned first() {
        unsigned n = 0;
        for (unsigned size = 64; size < Size; size *= 2)
            n += 1024 / size;
        return n;
    }

public:
    explicit thread_block_tile(block_tile_memory<> *memory, int line = __builtin_LINE()) : memory(memory) {
        if (memory == nullptr)
            gwsim::assertFailed("a tile of more than 32 threads needs a block made by this_thread_block(memory), with block_tile_memory in shared memory", "", line,
                                "tiled_partition");
    }
    void sync(int line = __builtin_LINE()) const {
        gwsim::Phases *p = &memory->phases[first() + meta_group_rank()];
        gwsim::phasesWait(p, gwsim::phasesArrive(p, 1, false, line) + 1, line);
    }
    unsigned thread_rank() const { return inBlock() % Size; }
    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    unsigned meta_group_rank() const { return inBlock() / Size; }
    unsigned meta_group_size() const { return (this_thread_block().size() + Size - 1) / Size; }

    template <class T> T shfl(T v, unsigned rank, int line = __builtin_LINE()) const {
        static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 32, "shuffles take values that can be copied byte by byte, of up to 32 bytes");
        uint64_t *at = memory->values[meta_group_rank() * (Size / 32)];
        if (thread_rank() == rank)
            __builtin_memcpy(at, &v, sizeof(T));
        sync(line);
        __builtin_memcpy(&v, at, sizeof(T));
        sync(line);
        return v;
    }
    // all combines the values of the tile's warps, each of which has combined those of its lanes.
    template <class T, class F> T combine(T ofWarp, F f, int line = __builtin_LINE()) const {
        unsigned warp = inBlock() / 32, begin = meta_group_rank() * (Size / 32), threads = this_thread_block().size();
        if (inBlock() % 32 == 0)
            __builtin_memcpy(memory->values[warp], &ofWarp, sizeof(T));
        sync(line);
        T sum;
        __builtin_memcpy(&sum, memory->values[begin], sizeof(T));
        for (unsigned w = begin + 1; w < begin + Size / 32 && w * 32 < threads; w++) {
            T next;
            __builtin_memcpy(&next, memory->values[w], sizeof(T));
            sum = f(sum, next);
        }
        sync(line);
        return sum;
    }
    int any(int predicate, int line = __builtin_LINE()) const {
        return combine(__any_sync(__activemask(line), predicate, line), [](int a, int b) { return a | b; }, line);
    }
    int all(int predicate, int line = __builtin_LINE()) const {
        return combine(__all_sync(__activemask(line), predicate, line), [](int a, int b) { return a & b; }, line);
    }
};

template <unsigned Size> thread_block_tile<Size> tiled_partition(const thread_block &b, [[maybe_unused]] int line = __builtin_LINE()) {
    if constexpr (Size > 32)
        return thread_block_tile<Size>(tileMemory(b), line);
    else
        return {};
}
template <unsigned Size, unsigned Outer, class Parent> thread_block_tile<Size, thread_block_tile<Outer, Parent>> tiled_partition(const thread_block_tile<Outer, Parent> &) {
    static_assert(Size <= Outer, "a tile cannot be cut into larger ones");
    static_assert(Size <= 32, "tiles of more than 32 threads are made of blocks");
    return {};
}

class coalesced_group : public detail::lane_group {
    unsigned rank = 0, groups = 1;

public:
    explicit coalesced_group(unsigned lanes, unsigned rank = 0, unsigned groups = 1) : lane_group(lanes), rank(rank), groups(groups) {}
    unsigned meta_group_rank() const { return rank; }
    unsigned meta_group_size() const { return groups; }
};

inline coalesced_group coalesced_threads(int line = __builtin_LINE()) { return coalesced_group(__activemask(line)); }

// Tiles of a size that is known when the kernel runs only.
inline coalesced_group tiled_partition(const coalesced_group &g, unsigned size) {
    unsigned first = g.thread_rank() / size * size, rank = 0, lanes = 0;
    for (unsigned rest = g.lanes(); rest; rest &= rest - 1, rank++)
        if (rank >= first && rank < first + size)
            lanes |= rest & -rest;
    return coalesced_group(lanes, first / size, (g.size() + size - 1) / size);
}

#if __CUDA_ARCH__ >= 700
// The threads that give the same label.
template <class Group, class Label> coalesced_group labeled_partition(const Group &g, Label label, int line = __builtin_LINE()) {
    unsigned mine = __match_any_sync(g.lanes(), label, line), before = 0, groups = 0;
    // A group is counted at its first lane.
    unsigned firsts = __ballot_sync(g.lanes(), __ffs(mine) - 1 == gwsim::lane(), line);
    groups = __popc(firsts);
    before = __popc(firsts & ((1u << (__ffs(mine) - 1)) - 1));
    return coalesced_group(mine, before, groups);
}
#endif
template <class Group> coalesced_group binary_partition(const Group &g, bool side, int line = __builtin_LINE()) {
    unsigned yes = __ballot_sync(g.lanes(), side, line);
    return coalesced_group(side ? yes : g.lanes() & ~yes, side, 2);
}

class grid_group;

// A thread_group is a group of any kind that functions take without being templates.
class thread_group {
    enum Kind { Block, Lanes, Grid } kind;
    unsigned lanes = 0;

public:
    thread_group(const thread_block &) : kind(Block) {}
    thread_group(const detail::lane_group &g) : kind(Lanes), lanes(g.lanes()) {}
    thread_group(const grid_group &) : kind(Grid) {}
    void sync(int line = __builtin_LINE()) const {
        switch (kind) {
        case Block: return __syncthreads(line);
        case Lanes: return __syncwarp(lanes, line);
        case Grid: return gwsim::gridBarrier(line);
        }
    }
    unsigned long long size() const {
        unsigned long long block = blockDim.x * blockDim.y * blockDim.z;
        return kind == Lanes ? __popc(lanes) : kind == Block ? block : block * gridDim.x * gridDim.y * gridDim.z;
    }
    unsigned long long num_threads() const { return size(); }
    unsigned long long thread_rank() const {
        if (kind == Lanes)
            return __popc(lanes & ((1u << gwsim::lane()) - 1));
        unsigned long long block = blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
        return (kind == Grid ? block * (blockDim.x * blockDim.y * blockDim.z) : 0) + this_thread_block().thread_rank();
    }
    bool is_valid() const { return true; }
    // Tiles of a block or of a tile, of a size that is known when the kernel runs only.
    friend thread_group tiled_partition(const thread_group &g, unsigned size, int line = __builtin_LINE()) {
        if (g.kind == Lanes)
            return tiled_partition(coalesced_group(g.lanes), size);
        if (g.kind == Grid || size == 0 || size > 32 || (size & (size - 1)) != 0)
            gwsim::assertFailed("tiled_partition cuts blocks and tiles into tiles of 1, 2, 4, 8, 16 or 32 threads", "", line, "tiled_partition");
        unsigned all = size == 32 ? ~0u : (1u << size) - 1;
        unsigned there = this_thread_block().size() - (this_thread_block().thread_rank() & ~31u); // of the warp
        return coalesced_group(all << (gwsim::lane() & ~(size - 1)) & (there >= 32 ? ~0u : (1u << there) - 1));
    }
};
inline thread_group tiled_partition(const thread_block &b, unsigned size, int line = __builtin_LINE()) { return tiled_partition(thread_group(b), size, line); }
template <class Group> auto thread_rank(const Group &g) { return g.thread_rank(); }
template <class Group> auto group_size(const Group &g) { return g.size(); }

// One thread of the group runs f.
template <class Group, class F, class... P> void invoke_one(const Group &g, F &&f, P &&...p) {
    if (g.thread_rank() == 0)
        std::forward<F>(f)(std::forward<P>(p)...);
}

// The blocks of a cooperative launch.
class grid_group {
public:
    void sync(int line = __builtin_LINE()) const { gwsim::gridBarrier(line); }
    bool is_valid() const { return true; }
    unsigned long long size() const { return num_blocks() * blockDim.x * blockDim.y * blockDim.z; }
    unsigned long long num_threads() const { return size(); }
    unsigned long long num_blocks() const { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    unsigned long long block_rank() const { return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z); }
    unsigned long long thread_rank() const {
        return block_rank() * (blockDim.x * blockDim.y * blockDim.z) + this_thread_block().thread_rank();
    }
    dim3 dim_blocks() const { return gridDim; }
    dim3 group_dim() const { return gridDim; }
    dim3 block_index() const { return blockIdx; }
    dim3 thread_index() const { return threadIdx; }
};

inline grid_group this_grid() { return {}; }

#if __CUDA_ARCH__ >= 900
// The blocks of a cluster, which can reach each other's shared memory.
class cluster_group {
public:
    static void sync(int line = __builtin_LINE()) { gwsim::clusterBarrier(line); }
    // Between the two a thread may do other things, or nothing, as here.
    static void barrier_arrive() {}
    static void barrier_wait(int line = __builtin_LINE()) { gwsim::clusterBarrier(line); }
    static dim3 dim_blocks() { return gwsim::clusterDim(); }
    static unsigned num_blocks() {
        uint3 n = gwsim::clusterDim();
        return n.x * n.y * n.z;
    }
    static dim3 block_index() {
        uint3 n = gwsim::clusterDim();
        return {blockIdx.x % n.x, blockIdx.y % n.y, blockIdx.z % n.z};
    }
    static unsigned block_rank() {
        uint3 n = gwsim::clusterDim();
        dim3 at = block_index();
        return at.x + n.x * (at.y + n.y * at.z);
    }
    static unsigned num_threads() { return num_blocks() * this_thread_block().size(); }
    static unsigned size() { return num_threads(); }
    static unsigned thread_rank() { return block_rank() * this_thread_block().size() + this_thread_block().thread_rank(); }
    template <class T> static T *map_shared_rank(T *mine, unsigned rank) {
        return reinterpret_cast<T *>(gwsim::sharedOf(reinterpret_cast<char *>(mine), rank));
    }
    // query_shared_rank is the block whose shared memory a pointer is into.
    static unsigned query_shared_rank(const void *p) { return gwsim::rankOf(static_cast<const char *>(p)); }
    static dim3 dim_threads() {
        uint3 n = gwsim::clusterDim();
        return {n.x * blockDim.x, n.y * blockDim.y, n.z * blockDim.z};
    }
};

inline cluster_group this_cluster() { return {}; }
#endif

template <class Group> void sync(const Group &g, int line = __builtin_LINE()) { g.sync(line); }

} // namespace cooperative_groups
