// Algorithms of the threads of a block.
#pragma once
#include "thread.h"
#include "warp.h"

namespace cub {

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS, BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED };
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

namespace detail {

// OwnRoom is the shared memory of collectives that are given none.
template <class Room> Room &ownRoom() {
    __shared__ Room room;
    return room;
}

} // namespace detail

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0> class BlockReduce {
public:
    struct TempStorage {
        Values<T, X * Y * Z> values;
    };
    BlockReduce() : room(detail::ownRoom<TempStorage>()) {}
    explicit BlockReduce(TempStorage &room) : room(room) {}

    // The result is thread 0's.
    template <class Op> T Reduce(T in, Op op, int valid) {
        const int thread = RowMajorTid(X, Y, Z);
        if (thread < valid)
            room.values[thread] = in;
        __syncthreads();
        if (thread == 0)
            for (int i = 1; i < valid && i < X * Y * Z; i++)
                in = op(in, room.values[i]);
        return in;
    }
    template <class Op> T Reduce(T in, Op op) { return Reduce(in, op, X * Y * Z); }
    template <int N, class Op> T Reduce(T (&in)[N], Op op) { return Reduce(T(ThreadReduce(in, op)), op); }
    T Sum(T in) { return Reduce(in, cub::Sum()); }
    T Sum(T in, int valid) { return Reduce(in, cub::Sum(), valid); }
    template <int N> T Sum(T (&in)[N]) { return Reduce(in, cub::Sum()); }

private:
    TempStorage &room;
};

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0> class BlockScan {
    static constexpr int threads = X * Y * Z;

public:
    struct TempStorage {
        Values<T, threads + 2> values; // of the threads, their sum, and what comes before
    };
    BlockScan() : room(detail::ownRoom<TempStorage>()) {}
    explicit BlockScan(TempStorage &room) : room(room) {}

    template <class Op> void InclusiveScan(T in, T &out, Op op) {
        T all;
        InclusiveScan(in, out, op, all);
    }
    template <class Op> void InclusiveScan(T in, T &out, Op op, T &all) {
        Before b = before(in, op);
        out = b.any ? op(b.sum, in) : in, all = b.all;
    }
    template <class Op, class Prefix> void InclusiveScan(T in, T &out, Op op, Prefix &prefix) {
        Before b = before(in, op);
        out = op(withPrefix(b, op, prefix), in);
    }
    template <int N, class Op> void InclusiveScan(T (&in)[N], T (&out)[N], Op op) {
        T all;
        InclusiveScan(in, out, op, all);
    }
    template <int N, class Op> void InclusiveScan(T (&in)[N], T (&out)[N], Op op, T &all) {
        Before b = before(ThreadReduce(in, op), op);
        inclusive(in, out, op, b.any, b.sum), all = b.all;
    }
    template <int N, class Op, class Prefix> void InclusiveScan(T (&in)[N], T (&out)[N], Op op, Prefix &prefix) {
        Before b = before(ThreadReduce(in, op), op);
        inclusive(in, out, op, true, withPrefix(b, op, prefix));
    }

    template <class Op> void ExclusiveScan(T in, T &out, Op op) {
        Before b = before(in, op);
        if (b.any)
            out = b.sum;
    }
    template <class Op> void ExclusiveScan(T in, T &out, T first, Op op) {
        T all;
        ExclusiveScan(in, out, first, op, all);
    }
    template <class Op> void ExclusiveScan(T in, T &out, T first, Op op, T &all) {
        Before b = before(in, op);
        out = b.any ? op(first, b.sum) : first, all = b.all;
    }
    template <class Op, class Prefix> void ExclusiveScan(T in, T &out, Op op, Prefix &prefix) {
        Before b = before(in, op);
        out = withPrefix(b, op, prefix);
    }
    template <int N, class Op> void ExclusiveScan(T (&in)[N], T (&out)[N], T first, Op op) {
        T all;
        ExclusiveScan(in, out, first, op, all);
    }
    template <int N, class Op> void ExclusiveScan(T (&in)[N], T (&out)[N], T first, Op op, T &all) {
        Before b = before(ThreadReduce(in, op), op);
        exclusive(in, out, op, b.any ? T(op(first, b.sum)) : first), all = b.all;
    }
    template <int N, class Op, class Prefix> void ExclusiveScan(T (&in)[N], T (&out)[N], Op op, Prefix &prefix) {
        Before b = before(ThreadReduce(in, op), op);
        exclusive(in, out, op, withPrefix(b, op, prefix));
    }

    // A last argument is the sum of all, or is called with it for what comes before the block.
    template <class In, class Out> void InclusiveSum(In &&in, Out &out) { InclusiveScan(std::forward<In>(in), out, cub::Sum()); }
    template <class In, class Out, class Last> void InclusiveSum(In &&in, Out &out, Last &last) { InclusiveScan(std::forward<In>(in), out, cub::Sum(), last); }
    template <class In, class Out> void ExclusiveSum(In &&in, Out &out) { ExclusiveScan(std::forward<In>(in), out, T{}, cub::Sum()); }
    template <class In, class Out, class Last> void ExclusiveSum(In &&in, Out &out, Last &last) {
        if constexpr (std::is_same_v<Last, T>)
            ExclusiveScan(std::forward<In>(in), out, T{}, cub::Sum(), last);
        else
            ExclusiveScan(std::forward<In>(in), out, cub::Sum(), last);
    }

private:
    TempStorage &room;

    struct Before {
        bool any; // this is not thread 0
        T sum, all;
    };
    template <class Op> Before before(T mine, Op op) {
        const int thread = RowMajorTid(X, Y, Z);
        room.values[thread] = mine;
        __syncthreads();
        if (thread == 0) {
            T sum = room.values[0];
            for (int i = 1; i < threads; i++) {
                T next = op(sum, room.values[i]);
                room.values[i] = sum;
                sum = next;
            }
            room.values[threads] = sum;
        }
        __syncthreads();
        return {thread > 0, room.values[thread], room.values[threads]};
    }
    // The first warp calls prefix, and what it returns to thread 0 counts.
    template <class Op, class Prefix> T withPrefix(const Before &b, Op op, Prefix &prefix) {
        const int thread = RowMajorTid(X, Y, Z);
        if (thread < 32) {
            T first = prefix(b.all);
            if (thread == 0)
                room.values[threads + 1] = first;
        }
        __syncthreads();
        return b.any ? T(op(room.values[threads + 1], b.sum)) : room.values[threads + 1];
    }
    template <int N, class Op> static void inclusive(T (&in)[N], T (&out)[N], Op op, bool any, T sum) {
        for (int i = 0; i < N; i++)
            out[i] = sum = any || i > 0 ? T(op(sum, in[i])) : in[i];
    }
    template <int N, class Op> static void exclusive(T (&in)[N], T (&out)[N], Op op, T sum) {
        for (int i = 0; i < N; i++) {
            T next = op(sum, in[i]);
            out[i] = sum;
            sum = next;
        }
    }
};

template <class T, int X, int N, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0> struct BlockLoad {
    struct TempStorage {};
    BlockLoad() = default;
    explicit BlockLoad(TempStorage &) {}
    // After the items may come how many are valid, and what the others get.
    template <class It, class... More> void Load(It from, T (&items)[N], More... more) {
        if constexpr (Algorithm == BLOCK_LOAD_STRIPED)
            LoadDirectStriped<X * Y * Z>(RowMajorTid(X, Y, Z), from, items, more...);
        else
            LoadDirectBlocked(RowMajorTid(X, Y, Z), from, items, more...);
    }
};

template <class T, int X, int N, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int = 0> struct BlockStore {
    struct TempStorage {};
    BlockStore() = default;
    explicit BlockStore(TempStorage &) {}
    template <class It, class... More> void Store(It to, T (&items)[N], More... valid) {
        if constexpr (Algorithm == BLOCK_STORE_STRIPED)
            StoreDirectStriped<X * Y * Z>(RowMajorTid(X, Y, Z), to, items, valid...);
        else
            StoreDirectBlocked(RowMajorTid(X, Y, Z), to, items, valid...);
    }
};

template <class T, int X, int N, bool = false, int Y = 1, int Z = 1, int = 0> class BlockExchange {
public:
    struct TempStorage {
        Values<T, X * Y * Z * N> values;
    };
    BlockExchange() : room(detail::ownRoom<TempStorage>()) {}
    explicit BlockExchange(TempStorage &room) : room(room) {}

    template <class U> void StripedToBlocked(const T (&in)[N], U (&out)[N]) { exchange(in, out, striped, blocked); }
    template <class U> void BlockedToStriped(const T (&in)[N], U (&out)[N]) { exchange(in, out, blocked, striped); }
    template <class U> void WarpStripedToBlocked(const T (&in)[N], U (&out)[N]) { exchange(in, out, warpStriped, blocked); }
    template <class U> void BlockedToWarpStriped(const T (&in)[N], U (&out)[N]) { exchange(in, out, blocked, warpStriped); }
    template <class U, class Rank> void ScatterToBlocked(const T (&in)[N], U (&out)[N], Rank (&ranks)[N]) {
        exchange(in, out, [&](int i) { return int(ranks[i]); }, blocked);
    }
    template <class U, class Rank> void ScatterToStriped(const T (&in)[N], U (&out)[N], Rank (&ranks)[N]) {
        exchange(in, out, [&](int i) { return int(ranks[i]); }, striped);
    }
    void StripedToBlocked(T (&items)[N]) { StripedToBlocked(items, items); }
    void BlockedToStriped(T (&items)[N]) { BlockedToStriped(items, items); }
    void WarpStripedToBlocked(T (&items)[N]) { WarpStripedToBlocked(items, items); }
    void BlockedToWarpStriped(T (&items)[N]) { BlockedToWarpStriped(items, items); }
    template <class Rank> void ScatterToBlocked(T (&items)[N], Rank (&ranks)[N]) { ScatterToBlocked(items, items, ranks); }
    template <class Rank> void ScatterToStriped(T (&items)[N], Rank (&ranks)[N]) { ScatterToStriped(items, items, ranks); }

private:
    TempStorage &room;

    static int blocked(int i) { return RowMajorTid(X, Y, Z) * N + i; }
    static int striped(int i) { return i * X * Y * Z + RowMajorTid(X, Y, Z); }
    static int warpStriped(int i) { return RowMajorTid(X, Y, Z) / 32 * 32 * N + i * 32 + RowMajorTid(X, Y, Z) % 32; }
    template <class U, class From, class To> void exchange(const T (&in)[N], U (&out)[N], From from, To to) {
        for (int i = 0; i < N; i++)
            room.values[from(i)] = in[i];
        __syncthreads();
        for (int i = 0; i < N; i++)
            out[i] = room.values[to(i)];
    }
};

template <class K, int X, int N, class V = NullType, int = 4, bool = true, BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 0, int Y = 1, int Z = 1, int = 0>
class BlockRadixSort {
    static constexpr int threads = X * Y * Z, items = threads * N, bits = sizeof(K) * 8;

public:
    struct TempStorage {
        Values<K, items> keys;
        Values<V, items> values;
        int order[items], room[items];
    };
    BlockRadixSort() : room(detail::ownRoom<TempStorage>()) {}
    explicit BlockRadixSort(TempStorage &room) : room(room) {}

    void Sort(K (&k)[N], int begin = 0, int end = bits) { sort<false, false>(k, none, begin, end); }
    void Sort(K (&k)[N], V (&v)[N], int begin = 0, int end = bits) { sort<false, false>(k, v, begin, end); }
    void SortDescending(K (&k)[N], int begin = 0, int end = bits) { sort<true, false>(k, none, begin, end); }
    void SortDescending(K (&k)[N], V (&v)[N], int begin = 0, int end = bits) { sort<true, false>(k, v, begin, end); }
    void SortBlockedToStriped(K (&k)[N], int begin = 0, int end = bits) { sort<false, true>(k, none, begin, end); }
    void SortBlockedToStriped(K (&k)[N], V (&v)[N], int begin = 0, int end = bits) { sort<false, true>(k, v, begin, end); }
    void SortDescendingBlockedToStriped(K (&k)[N], int begin = 0, int end = bits) { sort<true, true>(k, none, begin, end); }
    void SortDescendingBlockedToStriped(K (&k)[N], V (&v)[N], int begin = 0, int end = bits) { sort<true, true>(k, v, begin, end); }

private:
    TempStorage &room;
    static constexpr decltype(nullptr) none = nullptr;

    template <bool descending, bool striped, class VS> void sort(K (&k)[N], VS &v, int begin, int end) {
        constexpr bool pairs = std::is_array_v<VS>;
        const int thread = RowMajorTid(X, Y, Z);
        for (int i = 0; i < N; i++) {
            room.keys[thread * N + i] = k[i];
            if constexpr (pairs)
                room.values[thread * N + i] = v[i];
            room.order[thread * N + i] = thread * N + i;
        }
        __syncthreads();
        if (thread == 0)
            detail::mergeSort(room.order, room.room, items, [&](int a, int b) {
                const auto x = detail::KeyBits<K>::of(room.keys[a], begin, end), y = detail::KeyBits<K>::of(room.keys[b], begin, end);
                return descending ? y < x : x < y;
            });
        __syncthreads();
        for (int i = 0; i < N; i++) {
            const int from = room.order[striped ? i * threads + thread : thread * N + i];
            k[i] = room.keys[from];
            if constexpr (pairs)
                v[i] = room.values[from];
        }
    }
};

template <class K, int X, int N, class V = NullType, int Y = 1, int Z = 1> class BlockMergeSort {
    static constexpr int threads = X * Y * Z, items = threads * N;

public:
    struct TempStorage {
        Values<K, items> keys;
        Values<V, items> values;
        int order[items], room[items];
    };
    BlockMergeSort() : room(detail::ownRoom<TempStorage>()) {}
    explicit BlockMergeSort(TempStorage &room) : room(room) {}

    template <class Less> void Sort(K (&k)[N], Less less) { sort(k, none, less, items); }
    template <class Less> void Sort(K (&k)[N], Less less, int valid, K) { sort(k, none, less, valid); }
    template <class Less> void Sort(K (&k)[N], V (&v)[N], Less less) { sort(k, v, less, items); }
    template <class Less> void Sort(K (&k)[N], V (&v)[N], Less less, int valid, K) { sort(k, v, less, valid); }
    template <class... A> void StableSort(A &&...a) { Sort(std::forward<A>(a)...); }

private:
    TempStorage &room;
    static constexpr decltype(nullptr) none = nullptr;

    template <class VS, class Less> void sort(K (&k)[N], VS &v, Less less, int valid) {
        constexpr bool pairs = std::is_array_v<VS>;
        const int thread = RowMajorTid(X, Y, Z);
        for (int i = 0; i < N; i++) {
            room.keys[thread * N + i] = k[i];
            if constexpr (pairs)
                room.values[thread * N + i] = v[i];
            room.order[thread * N + i] = thread * N + i;
        }
        __syncthreads();
        if (thread == 0)
            detail::mergeSort(room.order, room.room, valid, [&](int a, int b) { return less(room.keys[a], room.keys[b]); });
        __syncthreads();
        for (int i = 0; i < N; i++) {
            const int from = room.order[thread * N + i];
            k[i] = room.keys[from];
            if constexpr (pairs)
                v[i] = room.values[from];
        }
    }
};

template <class T, int X, int Y = 1, int Z = 1, int = 0> class BlockDiscontinuity {
public:
    struct TempStorage {
        Values<T, X * Y * Z> first, last;
    };
    BlockDiscontinuity() : room(detail::ownRoom<TempStorage>()) {}
    explicit BlockDiscontinuity(TempStorage &room) : room(room) {}

    // Before the first item of the block there is none, or the given one; behind the last likewise.
    template <int N, class Flag, class Op, class... Before> void FlagHeads(Flag (&heads)[N], T (&in)[N], Op op, Before... before) {
        const int thread = share(in);
        for (int i = 0; i < N; i++) {
            if (i > 0)
                heads[i] = op(in[i - 1], in[i]);
            else if (thread > 0)
                heads[i] = op(room.last[thread - 1], in[i]);
            else
                heads[i] = at(op, in[i], true, before...);
        }
    }
    template <int N, class Flag, class Op, class... After> void FlagTails(Flag (&tails)[N], T (&in)[N], Op op, After... after) {
        const int thread = share(in);
        for (int i = 0; i < N; i++) {
            if (i < N - 1)
                tails[i] = op(in[i], in[i + 1]);
            else if (thread < X * Y * Z - 1)
                tails[i] = op(in[i], room.first[thread + 1]);
            else
                tails[i] = at(op, in[i], false, after...);
        }
    }
    template <int N, class Flag, class Op> void FlagHeadsAndTails(Flag (&heads)[N], Flag (&tails)[N], T (&in)[N], Op op) {
        FlagHeads(heads, in, op);
        __syncthreads();
        FlagTails(tails, in, op);
    }

private:
    TempStorage &room;

    template <int N> int share(T (&in)[N]) {
        const int thread = RowMajorTid(X, Y, Z);
        room.first[thread] = in[0], room.last[thread] = in[N - 1];
        __syncthreads();
        return thread;
    }
    template <class Op> static bool at(Op, const T &, bool) { return true; }
    template <class Op> static bool at(Op op, const T &v, bool before, const T &other) { return before ? op(other, v) : op(v, other); }
};

template <class T, int X, int N, int Bins, BlockHistogramAlgorithm = BLOCK_HISTO_SORT, int Y = 1, int Z = 1, int = 0> class BlockHistogram {
public:
    struct TempStorage {};
    BlockHistogram() = default;
    explicit BlockHistogram(TempStorage &) {}
    template <class Count> void InitHistogram(Count *bins) {
        for (int i = RowMajorTid(X, Y, Z); i < Bins; i += X * Y * Z)
            bins[i] = 0;
    }
    template <class Count> void Composite(T (&items)[N], Count *bins) {
        for (int i = 0; i < N; i++)
            atomicAdd(&bins[items[i]], Count(1));
    }
    template <class Count> void Histogram(T (&items)[N], Count *bins) {
        InitHistogram(bins);
        __syncthreads();
        Composite(items, bins);
    }
};

template <class T, int X, int Y = 1, int Z = 1, int = 0> class BlockShuffle {
    static constexpr int threads = X * Y * Z;

public:
    struct TempStorage {
        Values<T, threads> values;
    };
    BlockShuffle() : room(detail::ownRoom<TempStorage>()) {}
    explicit BlockShuffle(TempStorage &room) : room(room) {}
    void Offset(T in, T &out, int distance = 1) {
        const int from = share(in) + distance;
        if (from >= 0 && from < threads)
            out = room.values[from];
    }
    void Rotate(T in, T &out, unsigned distance = 1) { out = room.values[(share(in) + distance) % threads]; }
    template <int N> void Up(T (&in)[N], T (&out)[N]) {
        const int thread = share(in[N - 1]);
        for (int i = N - 1; i > 0; i--)
            out[i] = in[i - 1];
        if (thread > 0)
            out[0] = room.values[thread - 1];
    }
    template <int N> void Down(T (&in)[N], T (&out)[N]) {
        const int thread = share(in[0]);
        for (int i = 0; i < N - 1; i++)
            out[i] = in[i + 1];
        if (thread < threads - 1)
            out[N - 1] = room.values[thread + 1];
    }

private:
    TempStorage &room;
    int share(T in) {
        const int thread = RowMajorTid(X, Y, Z);
        room.values[thread] = in;
        __syncthreads();
        return thread;
    }
};

} // namespace cub
