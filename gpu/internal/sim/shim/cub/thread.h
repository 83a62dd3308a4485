// What a thread does alone: loads and stores of several items.
#pragma once
#include "common.h"
#include "traits.h"

namespace cub {

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

template <CacheLoadModifier M, class It> typename std::iterator_traits<It>::value_type ThreadLoad(It p) {
    if constexpr (M == LOAD_VOLATILE && std::is_pointer_v<It>)
        return *const_cast<const volatile std::remove_pointer_t<It> *>(p);
    else
        return *p;
}
template <CacheStoreModifier M, class It, class T> void ThreadStore(It p, T v) {
    if constexpr (M == STORE_VOLATILE && std::is_pointer_v<It>)
        *const_cast<volatile std::remove_pointer_t<It> *>(p) = v;
    else
        *p = v;
}

template <int N, class T, class Op> T ThreadReduce(const T (&items)[N], Op op, T first) {
    for (int i = 0; i < N; i++)
        first = op(first, items[i]);
    return first;
}
template <int N, class T, class Op> T ThreadReduce(const T (&items)[N], Op op) {
    T sum = items[0];
    for (int i = 1; i < N; i++)
        sum = op(sum, items[i]);
    return sum;
}

// A blocked arrangement gives each thread successive items, a striped one every n-th.
template <class T, int N, class It> void LoadDirectBlocked(int thread, It from, T (&items)[N]) {
    for (int i = 0; i < N; i++)
        items[i] = from[thread * N + i];
}
template <class T, int N, class It> void LoadDirectBlocked(int thread, It from, T (&items)[N], int valid) {
    for (int i = 0; i < N; i++)
        if (thread * N + i < valid)
            items[i] = from[thread * N + i];
}
template <class T, class Default, int N, class It> void LoadDirectBlocked(int thread, It from, T (&items)[N], int valid, Default other) {
    for (int i = 0; i < N; i++)
        items[i] = other;
    LoadDirectBlocked(thread, from, items, valid);
}
template <class T, int N> void LoadDirectBlockedVectorized(int thread, T *from, T (&items)[N]) { LoadDirectBlocked(thread, from, items); }
template <int Threads, class T, int N, class It> void LoadDirectStriped(int thread, It from, T (&items)[N]) {
    for (int i = 0; i < N; i++)
        items[i] = from[i * Threads + thread];
}
template <int Threads, class T, int N, class It> void LoadDirectStriped(int thread, It from, T (&items)[N], int valid) {
    for (int i = 0; i < N; i++)
        if (i * Threads + thread < valid)
            items[i] = from[i * Threads + thread];
}
template <int Threads, class T, class Default, int N, class It> void LoadDirectStriped(int thread, It from, T (&items)[N], int valid, Default other) {
    for (int i = 0; i < N; i++)
        items[i] = other;
    LoadDirectStriped<Threads>(thread, from, items, valid);
}
template <class T, int N, class It> void StoreDirectBlocked(int thread, It to, T (&items)[N]) {
    for (int i = 0; i < N; i++)
        to[thread * N + i] = items[i];
}
template <class T, int N, class It> void StoreDirectBlocked(int thread, It to, T (&items)[N], int valid) {
    for (int i = 0; i < N; i++)
        if (thread * N + i < valid)
            to[thread * N + i] = items[i];
}
template <class T, int N> void StoreDirectBlockedVectorized(int thread, T *to, T (&items)[N]) { StoreDirectBlocked(thread, to, items); }
template <int Threads, class T, int N, class It> void StoreDirectStriped(int thread, It to, T (&items)[N]) {
    for (int i = 0; i < N; i++)
        to[i * Threads + thread] = items[i];
}
template <int Threads, class T, int N, class It> void StoreDirectStriped(int thread, It to, T (&items)[N], int valid) {
    for (int i = 0; i < N; i++)
        if (i * Threads + thread < valid)
            to[i * Threads + thread] = items[i];
}

} // namespace cub
