// Algorithms over arrays in device memory. Each is a kernel of one thread, so that streams and check mode treat it like other
// kernels. Called without temporary storage, they say how many bytes they need.
#pragma once
#include "common.h"
#include "traits.h"
#include "iterator.h"

#ifdef GW_PROGRAM
#include "../library.h"

namespace cub {

inline cudaError_t Debug(cudaError_t e, const char *file, int line) {
    if (e != cudaSuccess)
        fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", e, file, line, cudaGetErrorString(e));
    return e;
}
#define CubDebug(e) ::cub::Debug((cudaError_t)(e), __FILE__, __LINE__)
#define CubDebugExit(e) \
    if (::cub::Debug((cudaError_t)(e), __FILE__, __LINE__)) \
    exit(1)

template <class T> struct DoubleBuffer {
    T *d_buffers[2] = {};
    int selector = 0;
    DoubleBuffer() = default;
    DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate} {}
    T *Current() { return d_buffers[selector]; }
    T *Alternate() { return d_buffers[selector ^ 1]; }
};

// CachingDeviceAllocator keeps nothing: memory is not expensive to allocate here.
struct CachingDeviceAllocator {
    template <class... A> explicit CachingDeviceAllocator(A...) {}
    cudaError_t DeviceAllocate(void **p, size_t n, cudaStream_t = nullptr) { return cudaMalloc(p, n); }
    cudaError_t DeviceAllocate(int, void **p, size_t n, cudaStream_t = nullptr) { return cudaMalloc(p, n); }
    cudaError_t DeviceFree(void *p) { return cudaFree(p); }
    cudaError_t DeviceFree(int, void *p) { return cudaFree(p); }
    cudaError_t FreeAllCached() { return cudaSuccess; }
};

namespace detail {

template <class It> using ValueOf = typename std::iterator_traits<It>::value_type;

// run launches work, which gets the temporary storage, or tells how much of it is needed.
template <class Work> cudaError_t run(const char *name, void *temp, size_t &bytes, size_t needed, cudaStream_t stream, Work work) {
    if (temp == nullptr) {
        bytes = needed + 1; // never 0, which could not be allocated
        return cudaSuccess;
    }
    if (bytes < needed)
        return gwrt::done(cudaErrorInvalidValue);
    return gwlib::launch(name, 1, [=](size_t) { work(temp); }, stream);
}

// fold combines items in pairs, so that sums of many floats lose little.
template <class A, class It, class Op> A fold(It in, size_t begin, size_t n, Op op) {
    if (n > 64) {
        const A first = fold<A>(in, begin, n / 2, op);
        return op(first, fold<A>(in, begin + n / 2, n - n / 2, op));
    }
    A sum = A(in[begin]);
    for (size_t i = 1; i < n; i++)
        sum = op(sum, A(in[begin + i]));
    return sum;
}

} // namespace detail

struct DeviceReduce {
    template <class In, class Out, class Op, class T> static cudaError_t Reduce(void *temp, size_t &bytes, In in, Out out, size_t n, Op op, T init, cudaStream_t s = nullptr) {
        return detail::run("DeviceReduce::Reduce", temp, bytes, 0, s, [=](void *) { out[0] = n == 0 ? init : T(op(init, detail::fold<T>(in, 0, n, op))); });
    }
    template <class In, class Out> static cudaError_t Sum(void *temp, size_t &bytes, In in, Out out, size_t n, cudaStream_t s = nullptr) {
        return Reduce(temp, bytes, in, out, n, cub::Sum(), detail::ValueOf<In>{}, s);
    }
    template <class In, class Out> static cudaError_t Min(void *temp, size_t &bytes, In in, Out out, size_t n, cudaStream_t s = nullptr) {
        using Limits = std::numeric_limits<detail::ValueOf<In>>;
        return Reduce(temp, bytes, in, out, n, cub::Min(), Limits::has_infinity ? Limits::infinity() : Limits::max(), s);
    }
    template <class In, class Out> static cudaError_t Max(void *temp, size_t &bytes, In in, Out out, size_t n, cudaStream_t s = nullptr) {
        return Reduce(temp, bytes, in, out, n, cub::Max(), std::numeric_limits<detail::ValueOf<In>>::lowest(), s);
    }
    template <class In, class Out> static cudaError_t ArgMin(void *temp, size_t &bytes, In in, Out out, size_t n, cudaStream_t s = nullptr) {
        return arg(temp, bytes, in, n, s, [](const auto &a, const auto &b) { return b < a; }, [=](size_t at, const auto &v) { out[0] = {int(at), v}; });
    }
    template <class In, class Out> static cudaError_t ArgMax(void *temp, size_t &bytes, In in, Out out, size_t n, cudaStream_t s = nullptr) {
        return arg(temp, bytes, in, n, s, [](const auto &a, const auto &b) { return a < b; }, [=](size_t at, const auto &v) { out[0] = {int(at), v}; });
    }
    template <class In, class Out, class Index> static cudaError_t ArgMin(void *temp, size_t &bytes, In in, Out out, Index index, long long n, cudaStream_t s = nullptr) {
        return arg(temp, bytes, in, n, s, [](const auto &a, const auto &b) { return b < a; }, [=](size_t at, const auto &v) { out[0] = v, index[0] = at; });
    }
    template <class In, class Out, class Index> static cudaError_t ArgMax(void *temp, size_t &bytes, In in, Out out, Index index, long long n, cudaStream_t s = nullptr) {
        return arg(temp, bytes, in, n, s, [](const auto &a, const auto &b) { return a < b; }, [=](size_t at, const auto &v) { out[0] = v, index[0] = at; });
    }
    template <class In, class Out, class Op, class Change, class T>
    static cudaError_t TransformReduce(void *temp, size_t &bytes, In in, Out out, size_t n, Op op, Change change, T init, cudaStream_t s = nullptr) {
        return Reduce(temp, bytes, TransformInputIterator<T, Change, In>(in, change), out, n, op, init, s);
    }
    template <class Keys, class Unique, class Values, class Sums, class Count, class Op>
    static cudaError_t ReduceByKey(void *temp, size_t &bytes, Keys keys, Unique unique, Values values, Sums sums, Count count, Op op, size_t n, cudaStream_t s = nullptr) {
        return detail::run("DeviceReduce::ReduceByKey", temp, bytes, 0, s, [=](void *) {
            size_t runs = 0;
            for (size_t i = 0; i < n; runs++) {
                const auto key = keys[i];
                auto sum = values[i];
                for (i++; i < n && keys[i] == key; i++)
                    sum = op(sum, values[i]);
                unique[runs] = key, sums[runs] = sum;
            }
            count[0] = runs;
        });
    }

private:
    template <class In, class Better, class Store> static cudaError_t arg(void *temp, size_t &bytes, In in, size_t n, cudaStream_t s, Better better, Store store) {
        return detail::run("DeviceReduce::Arg", temp, bytes, 0, s, [=](void *) {
            if (n == 0)
                return;
            size_t best = 0;
            for (size_t i = 1; i < n; i++)
                if (better(in[best], in[i]))
                    best = i;
            store(best, in[best]);
        });
    }
};

struct DeviceScan {
    template <class In, class Out, class Op, class T> static cudaError_t ExclusiveScan(void *temp, size_t &bytes, In in, Out out, Op op, T init, size_t n, cudaStream_t s = nullptr) {
        return detail::run("DeviceScan::ExclusiveScan", temp, bytes, 0, s, [=](void *) {
            T sum = init;
            for (size_t i = 0; i < n; i++) {
                T next = op(sum, in[i]);
                out[i] = sum;
                sum = next;
            }
        });
    }
    template <class In, class Out, class Op> static cudaError_t InclusiveScan(void *temp, size_t &bytes, In in, Out out, Op op, size_t n, cudaStream_t s = nullptr) {
        return detail::run("DeviceScan::InclusiveScan", temp, bytes, 0, s, [=](void *) {
            detail::ValueOf<In> sum{};
            for (size_t i = 0; i < n; i++)
                out[i] = sum = i == 0 ? detail::ValueOf<In>(in[0]) : detail::ValueOf<In>(op(sum, in[i]));
        });
    }
    template <class In, class Out, class Op, class T> static cudaError_t InclusiveScanInit(void *temp, size_t &bytes, In in, Out out, Op op, T init, size_t n, cudaStream_t s = nullptr) {
        return detail::run("DeviceScan::InclusiveScanInit", temp, bytes, 0, s, [=](void *) {
            T sum = init;
            for (size_t i = 0; i < n; i++)
                out[i] = sum = op(sum, in[i]);
        });
    }
    template <class In, class Out, class N> static cudaError_t ExclusiveSum(void *temp, size_t &bytes, In in, Out out, N n, cudaStream_t s = nullptr) {
        return ExclusiveScan(temp, bytes, in, out, cub::Sum(), detail::ValueOf<In>{}, n, s);
    }
    template <class In, class Out, class N> static cudaError_t InclusiveSum(void *temp, size_t &bytes, In in, Out out, N n, cudaStream_t s = nullptr) {
        return InclusiveScan(temp, bytes, in, out, cub::Sum(), n, s);
    }
    template <class It, class N, class = std::enable_if_t<std::is_integral_v<N>>> static cudaError_t ExclusiveSum(void *temp, size_t &bytes, It data, N n, cudaStream_t s = nullptr) {
        return ExclusiveSum(temp, bytes, data, data, n, s);
    }
    template <class It, class N, class = std::enable_if_t<std::is_integral_v<N>>> static cudaError_t InclusiveSum(void *temp, size_t &bytes, It data, N n, cudaStream_t s = nullptr) {
        return InclusiveSum(temp, bytes, data, data, n, s);
    }
    template <class Keys, class In, class Out, class Op, class T>
    static cudaError_t ExclusiveScanByKey(void *temp, size_t &bytes, Keys keys, In in, Out out, Op op, T init, size_t n, cudaStream_t s = nullptr) {
        return detail::run("DeviceScan::ExclusiveScanByKey", temp, bytes, 0, s, [=](void *) {
            T sum = init;
            for (size_t i = 0; i < n; i++) {
                if (i > 0 && !(keys[i] == keys[i - 1]))
                    sum = init;
                T next = op(sum, in[i]);
                out[i] = sum;
                sum = next;
            }
        });
    }
    template <class Keys, class In, class Out, class Op> static cudaError_t InclusiveScanByKey(void *temp, size_t &bytes, Keys keys, In in, Out out, Op op, size_t n, cudaStream_t s = nullptr) {
        return detail::run("DeviceScan::InclusiveScanByKey", temp, bytes, 0, s, [=](void *) {
            detail::ValueOf<In> sum{};
            for (size_t i = 0; i < n; i++)
                out[i] = sum = i == 0 || !(keys[i] == keys[i - 1]) ? detail::ValueOf<In>(in[i]) : detail::ValueOf<In>(op(sum, in[i]));
        });
    }
    template <class Keys, class In, class Out> static cudaError_t ExclusiveSumByKey(void *temp, size_t &bytes, Keys keys, In in, Out out, size_t n, cudaStream_t s = nullptr) {
        return ExclusiveScanByKey(temp, bytes, keys, in, out, cub::Sum(), detail::ValueOf<In>{}, n, s);
    }
    template <class Keys, class In, class Out> static cudaError_t InclusiveSumByKey(void *temp, size_t &bytes, Keys keys, In in, Out out, size_t n, cudaStream_t s = nullptr) {
        return InclusiveScanByKey(temp, bytes, keys, in, out, cub::Sum(), n, s);
    }
};

struct DeviceSelect {
    template <class In, class Flags, class Out, class Count> static cudaError_t Flagged(void *temp, size_t &bytes, In in, Flags flags, Out out, Count count, size_t n, cudaStream_t s = nullptr) {
        return keep("DeviceSelect::Flagged", temp, bytes, in, out, count, n, s, [=](size_t i) { return bool(flags[i]); });
    }
    template <class In, class Out, class Count, class Op> static cudaError_t If(void *temp, size_t &bytes, In in, Out out, Count count, size_t n, Op op, cudaStream_t s = nullptr) {
        return keep("DeviceSelect::If", temp, bytes, in, out, count, n, s, [=](size_t i) { return bool(op(in[i])); });
    }
    template <class In, class Out, class Count> static cudaError_t Unique(void *temp, size_t &bytes, In in, Out out, Count count, size_t n, cudaStream_t s = nullptr) {
        return keep("DeviceSelect::Unique", temp, bytes, in, out, count, n, s, [=](size_t i) { return i == 0 || !(in[i] == in[i - 1]); });
    }

private:
    template <class In, class Out, class Count, class F> static cudaError_t keep(const char *name, void *temp, size_t &bytes, In in, Out out, Count count, size_t n, cudaStream_t s, F wanted) {
        return detail::run(name, temp, bytes, 0, s, [=](void *) {
            size_t kept = 0;
            for (size_t i = 0; i < n; i++)
                if (wanted(i))
                    out[kept++] = in[i];
            count[0] = kept;
        });
    }
};

// What is not selected comes last, in reverse.
struct DevicePartition {
    template <class In, class Flags, class Out, class Count> static cudaError_t Flagged(void *temp, size_t &bytes, In in, Flags flags, Out out, Count count, size_t n, cudaStream_t s = nullptr) {
        return part("DevicePartition::Flagged", temp, bytes, in, out, count, n, s, [=](size_t i) { return bool(flags[i]); });
    }
    template <class In, class Out, class Count, class Op> static cudaError_t If(void *temp, size_t &bytes, In in, Out out, Count count, size_t n, Op op, cudaStream_t s = nullptr) {
        return part("DevicePartition::If", temp, bytes, in, out, count, n, s, [=](size_t i) { return bool(op(in[i])); });
    }

private:
    template <class In, class Out, class Count, class F> static cudaError_t part(const char *name, void *temp, size_t &bytes, In in, Out out, Count count, size_t n, cudaStream_t s, F wanted) {
        return detail::run(name, temp, bytes, 0, s, [=](void *) {
            size_t kept = 0;
            for (size_t i = 0; i < n; i++) {
                const size_t to = wanted(i) ? kept++ : n - 1 - (i - kept);
                out[to] = in[i];
            }
            count[0] = kept;
        });
    }
};

struct DeviceRunLengthEncode {
    template <class In, class Unique, class Counts, class Runs> static cudaError_t Encode(void *temp, size_t &bytes, In in, Unique unique, Counts counts, Runs runs, size_t n, cudaStream_t s = nullptr) {
        return DeviceReduce::ReduceByKey(temp, bytes, in, unique, ConstantInputIterator<int>(1), counts, runs, cub::Sum(), n, s);
    }
};

struct DeviceHistogram {
    template <class In, class Count, class Level> static cudaError_t HistogramEven(void *temp, size_t &bytes, In in, Count *bins, int levels, Level lower, Level upper, size_t n, cudaStream_t s = nullptr) {
        return HistogramEven(temp, bytes, in, bins, levels, lower, upper, n, size_t(1), size_t(0), s);
    }
    template <class In, class Count, class Level, class N>
    static cudaError_t HistogramEven(void *temp, size_t &bytes, In in, Count *bins, int levels, Level lower, Level upper, N n, N rows, size_t stride, cudaStream_t s = nullptr) {
        return MultiHistogramEven<1, 1>(temp, bytes, in, &bins, &levels, &lower, &upper, n, rows, stride, s);
    }
    template <class In, class Count, class Level> static cudaError_t HistogramRange(void *temp, size_t &bytes, In in, Count *bins, int count, Level *levels, size_t n, cudaStream_t s = nullptr) {
        return HistogramRange(temp, bytes, in, bins, count, levels, n, size_t(1), size_t(0), s);
    }
    template <class In, class Count, class Level, class N>
    static cudaError_t HistogramRange(void *temp, size_t &bytes, In in, Count *bins, int count, Level *levels, N n, N rows, size_t stride, cudaStream_t s = nullptr) {
        return MultiHistogramRange<1, 1>(temp, bytes, in, &bins, &count, &levels, n, rows, stride, s);
    }
    template <int Channels, int Active, class In, class Count, class Level>
    static cudaError_t MultiHistogramEven(void *temp, size_t &bytes, In in, Count *const *bins, const int *levels, const Level *lower, const Level *upper, size_t n, cudaStream_t s = nullptr) {
        return MultiHistogramEven<Channels, Active>(temp, bytes, in, bins, levels, lower, upper, n, size_t(1), size_t(0), s);
    }
    template <int Channels, int Active, class In, class Count, class Level, class N>
    static cudaError_t MultiHistogramEven(void *temp, size_t &bytes, In in, Count *const *bins, const int *levels, const Level *lower, const Level *upper, N n, N rows, size_t stride, cudaStream_t s = nullptr) {
        Channel<Count, Even<Level>> channels[Active];
        for (int c = 0; c < Active; c++)
            channels[c] = {bins[c], levels[c] - 1, {lower[c], upper[c], levels[c] - 1}};
        return count<Channels>("DeviceHistogram::HistogramEven", temp, bytes, in, channels, size_t(n), size_t(rows), stride, s);
    }
    template <int Channels, int Active, class In, class Count, class Level>
    static cudaError_t MultiHistogramRange(void *temp, size_t &bytes, In in, Count *const *bins, const int *counts, Level *const *levels, size_t n, cudaStream_t s = nullptr) {
        return MultiHistogramRange<Channels, Active>(temp, bytes, in, bins, counts, levels, n, size_t(1), size_t(0), s);
    }
    template <int Channels, int Active, class In, class Count, class Level, class N>
    static cudaError_t MultiHistogramRange(void *temp, size_t &bytes, In in, Count *const *bins, const int *counts, Level *const *levels, N n, N rows, size_t stride, cudaStream_t s = nullptr) {
        Channel<Count, Range<Level>> channels[Active];
        for (int c = 0; c < Active; c++)
            channels[c] = {bins[c], counts[c] - 1, {levels[c], counts[c]}};
        return count<Channels>("DeviceHistogram::HistogramRange", temp, bytes, in, channels, size_t(n), size_t(rows), stride, s);
    }

private:
    // Even and Range return the bin of a sample, or -1.
    template <class Level> struct Even {
        Level lower, upper;
        int bins;
        template <class T> int operator()(T x) const {
            if (x < lower || !(x < upper))
                return -1;
            const Level above = Level(x - lower), range = Level(upper - lower);
            if constexpr (std::is_integral_v<Level>)
                return int(uint64_t(above) * uint64_t(bins) / uint64_t(range));
            else
                return int(above * (bins / range));
        }
    };
    template <class Level> struct Range {
        const Level *levels;
        int count;
        template <class T> int operator()(T x) const {
            const int i = int(std::upper_bound(levels, levels + count, x) - levels);
            return i == count ? -1 : i - 1;
        }
    };
    template <class Count, class Bin> struct Channel {
        Count *bins;
        int count;
        Bin bin;
    };
    // count counts the samples of the first channels of n pixels in each of rows, which are stride bytes apart.
    template <int Channels, class In, class C, size_t Active> static cudaError_t count(const char *name, void *temp, size_t &bytes, In in, const C (&given)[Active], size_t n, size_t rows, size_t stride, cudaStream_t s) {
        struct {
            C all[Active];
        } channels;
        std::copy(given, given + Active, channels.all);
        return detail::run(name, temp, bytes, 0, s, [=](void *) {
            const size_t apart = stride / sizeof(in[0]);
            for (const C &c : channels.all)
                std::fill(c.bins, c.bins + c.count, 0);
            for (size_t row = 0; row < rows; row++)
                for (size_t i = 0; i < n; i++)
                    for (size_t c = 0; c < Active; c++) {
                        const int bin = channels.all[c].bin(in[row * apart + i * Channels + c]);
                        if (bin >= 0)
                            channels.all[c].bins[bin]++;
                    }
        });
    }
};

struct DeviceFor {
    template <class N, class Op> static cudaError_t Bulk(N n, Op op, cudaStream_t s = nullptr) {
        size_t bytes = 1;
        return detail::run("DeviceFor::Bulk", &bytes, bytes, 0, s, [=](void *) {
            for (N i = 0; i < n; i++)
                op(i);
        });
    }
    template <class It, class N, class Op> static cudaError_t ForEachN(It first, N n, Op op, cudaStream_t s = nullptr) {
        return Bulk(n, [=](N i) { op(first[i]); }, s);
    }
    template <class It, class Op> static cudaError_t ForEach(It first, It last, Op op, cudaStream_t s = nullptr) { return ForEachN(first, size_t(last - first), op, s); }
};

} // namespace cub

#include "segments.h"
#include "sort.h"
#endif
