// Sorts of arrays: all are stable, by indices in temporary storage.
#pragma once

namespace cub {
namespace detail {

// Order is the temporary storage of a sort of n items.
struct Order {
    static size_t bytes(size_t n) { return 2 * n * sizeof(size_t) + alignof(size_t); }
    static size_t *at(void *temp) { return reinterpret_cast<size_t *>((reinterpret_cast<uintptr_t>(temp) + alignof(size_t) - 1) & ~(alignof(size_t) - 1)); }
    template <class Before> static size_t *of(void *temp, size_t begin, size_t n, Before before) {
        size_t *order = at(temp);
        for (size_t i = 0; i < n; i++)
            order[i] = begin + i;
        mergeSort(order, order + n, n, before);
        return order;
    }
};

// radix sorts each segment of keys, and of values unless V is NullType.
template <bool descending, class K, class V, class Segment>
cudaError_t radix(const char *name, void *temp, size_t &bytes, const K *in, K *out, const V *values, V *valuesOut, size_t n, size_t segments, Segment segment, int begin, int end, cudaStream_t s) {
    return run(name, temp, bytes, Order::bytes(n), s, [=](void *temp) {
        for (size_t k = 0; k < segments; k++) {
            const auto [first, last] = segment(k);
            const size_t count = last > first ? last - first : 0;
            const size_t *order = Order::of(temp, first, count, [=](size_t a, size_t b) {
                const auto x = KeyBits<K>::of(in[a], begin, end), y = KeyBits<K>::of(in[b], begin, end);
                return descending ? y < x : x < y;
            });
            for (size_t i = 0; i < count; i++) {
                out[first + i] = in[order[i]];
                if constexpr (!std::is_same_v<V, NullType>)
                    valuesOut[first + i] = values[order[i]];
            }
        }
    });
}

template <class N> auto whole(N n) {
    return [=](size_t) { return std::pair<size_t, size_t>(0, n); };
}
template <class Begin, class End> auto eachOf(Begin begin, End end) {
    return [=](size_t k) { return std::pair<size_t, size_t>(begin[k], end[k]); };
}

} // namespace detail

#define GW_CUB_SORTS(suffix, descending)                                                                                 \
    template <class K> static cudaError_t SortKeys##suffix(void *temp, size_t &bytes, const K *in, K *out, size_t n, int begin = 0, int end = sizeof(K) * 8, cudaStream_t s = nullptr) { \
        return detail::radix<descending, K, NullType>("DeviceRadixSort::SortKeys", temp, bytes, in, out, nullptr, nullptr, n, 1, detail::whole(n), begin, end, s); \
    }                                                                                                                    \
    template <class K> static cudaError_t SortKeys##suffix(void *temp, size_t &bytes, DoubleBuffer<K> &keys, size_t n, int begin = 0, int end = sizeof(K) * 8, cudaStream_t s = nullptr) { \
        cudaError_t e = SortKeys##suffix(temp, bytes, keys.Current(), keys.Alternate(), n, begin, end, s);               \
        keys.selector ^= temp != nullptr;                                                                                \
        return e;                                                                                                        \
    }                                                                                                                    \
    template <class K, class V> static cudaError_t SortPairs##suffix(void *temp, size_t &bytes, const K *in, K *out, const V *values, V *valuesOut, size_t n, int begin = 0, int end = sizeof(K) * 8, cudaStream_t s = nullptr) { \
        return detail::radix<descending, K, V>("DeviceRadixSort::SortPairs", temp, bytes, in, out, values, valuesOut, n, 1, detail::whole(n), begin, end, s); \
    }                                                                                                                    \
    template <class K, class V> static cudaError_t SortPairs##suffix(void *temp, size_t &bytes, DoubleBuffer<K> &keys, DoubleBuffer<V> &values, size_t n, int begin = 0, int end = sizeof(K) * 8, cudaStream_t s = nullptr) { \
        cudaError_t e = SortPairs##suffix(temp, bytes, keys.Current(), keys.Alternate(), values.Current(), values.Alternate(), n, begin, end, s); \
        keys.selector ^= temp != nullptr, values.selector ^= temp != nullptr;                                            \
        return e;                                                                                                        \
    }
#define GW_CUB_SEGMENTED_SORTS(suffix, descending)                                                                       \
    template <class K, class Begin, class End> static cudaError_t SortKeys##suffix(void *temp, size_t &bytes, const K *in, K *out, size_t n, size_t segments, Begin first, End last, int begin = 0, int end = sizeof(K) * 8, cudaStream_t s = nullptr) { \
        return detail::radix<descending, K, NullType>("DeviceSegmentedRadixSort::SortKeys", temp, bytes, in, out, nullptr, nullptr, n, segments, detail::eachOf(first, last), begin, end, s); \
    }                                                                                                                    \
    template <class K, class V, class Begin, class End> static cudaError_t SortPairs##suffix(void *temp, size_t &bytes, const K *in, K *out, const V *values, V *valuesOut, size_t n, size_t segments, Begin first, End last, int begin = 0, int end = sizeof(K) * 8, cudaStream_t s = nullptr) { \
        return detail::radix<descending, K, V>("DeviceSegmentedRadixSort::SortPairs", temp, bytes, in, out, values, valuesOut, n, segments, detail::eachOf(first, last), begin, end, s); \
    }

struct DeviceRadixSort {
    GW_CUB_SORTS(, false)
    GW_CUB_SORTS(Descending, true)
};

struct DeviceSegmentedRadixSort {
    GW_CUB_SEGMENTED_SORTS(, false)
    GW_CUB_SEGMENTED_SORTS(Descending, true)
};

#undef GW_CUB_SORTS
#undef GW_CUB_SEGMENTED_SORTS

// DeviceMergeSort sorts in place, by a comparison.
struct DeviceMergeSort {
    template <class Keys, class Less> static cudaError_t SortKeys(void *temp, size_t &bytes, Keys keys, size_t n, Less less, cudaStream_t s = nullptr) {
        return sort(temp, bytes, keys, static_cast<NullType *>(nullptr), n, less, s);
    }
    template <class Keys, class Items, class Less> static cudaError_t SortPairs(void *temp, size_t &bytes, Keys keys, Items items, size_t n, Less less, cudaStream_t s = nullptr) {
        return sort(temp, bytes, keys, items, n, less, s);
    }
    template <class Keys, class Less> static cudaError_t StableSortKeys(void *temp, size_t &bytes, Keys keys, size_t n, Less less, cudaStream_t s = nullptr) {
        return SortKeys(temp, bytes, keys, n, less, s);
    }
    template <class Keys, class Items, class Less> static cudaError_t StableSortPairs(void *temp, size_t &bytes, Keys keys, Items items, size_t n, Less less, cudaStream_t s = nullptr) {
        return SortPairs(temp, bytes, keys, items, n, less, s);
    }

private:
    template <class Keys, class Items, class Less> static cudaError_t sort(void *temp, size_t &bytes, Keys keys, Items items, size_t n, Less less, cudaStream_t s) {
        return detail::run("DeviceMergeSort::Sort", temp, bytes, detail::Order::bytes(n), s, [=](void *temp) {
            size_t *order = detail::Order::of(temp, 0, n, [=](size_t a, size_t b) { return less(keys[a], keys[b]); });
            // Each cycle of the order moves its items by one.
            for (size_t start = 0; start < n; start++) {
                if (order[start] == start)
                    continue;
                detail::ValueOf<Keys> key = keys[start];
                detail::ValueOf<Items> item{};
                if constexpr (!std::is_same_v<Items, NullType *>)
                    item = items[start];
                size_t to = start;
                for (size_t from = order[to]; from != start; from = order[to]) {
                    keys[to] = keys[from];
                    if constexpr (!std::is_same_v<Items, NullType *>)
                        items[to] = items[from];
                    order[to] = to;
                    to = from;
                }
                keys[to] = key;
                if constexpr (!std::is_same_v<Items, NullType *>)
                    items[to] = item;
                order[to] = to;
            }
        });
    }
};

} // namespace cub
