// What both programs of the comparison have: the data, the clock and the output.
#pragma once
#include <cstdio>
#include <cstdint>
#include <cmath>
#include <ctime>
#include <vector>

constexpr int n = 1 << 22;     // elements
constexpr int side = 512;      // of the matrices of a product
constexpr int plane = 2048;    // of the matrices that are transposed and smoothed
constexpr int bodies = 4096;
constexpr int chunk = 256;     // elements that are scanned or sorted together
constexpr int columns = 1024;  // of the matrices whose rows are summed
constexpr int M = 5;           // side of the mask of a convolution
constexpr int options = 1 << 20;
constexpr int rows = 1 << 18;  // of the sparse matrix
constexpr int few = 1 << 15;   // elements that stay in the cache of a processor

inline uint32_t mix(uint32_t v) {
    v ^= v >> 16, v *= 0x7feb352du, v ^= v >> 15, v *= 0x846ca68bu;
    return v ^ v >> 16;
}
inline float real(uint32_t i) { return float(mix(i) & 1023) / 1024; }

inline float weight(int j, int i) { return float(1 + j * M + i) / 100; }

// entries is the number of elements in that many rows of the sparse matrix; sparse gives its rows and columns.
inline int entries(int count) { return count / 16 * 184 + count % 16 * 4 + count % 16 * (count % 16 - 1) / 2; }
inline void sparse(int *starts, int *places) {
    for (int i = 0; i <= rows; i++)
        starts[i] = entries(i);
    for (int i = 0; i < starts[rows]; i++)
        places[i] = int(mix(i) % n);
}

// measure calls f several times, and prints the shortest time, the least processor time of all threads, and a sum of the results.
template <class F, class S> void measure(const char *name, F f, S sum) {
    auto now = [](clockid_t clock) {
        timespec t;
        clock_gettime(clock, &t);
        return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
    };
    f();
    double best = 1e9, least = 1e9, all = 0;
    for (int i = 0; i < 30 && (i < 5 || all < 500); i++) {
        double start = now(CLOCK_MONOTONIC), used = now(CLOCK_PROCESS_CPUTIME_ID);
        f();
        double cpu = now(CLOCK_PROCESS_CPUTIME_ID) - used, t = now(CLOCK_MONOTONIC) - start;
        best = t < best ? t : best, least = cpu < least ? cpu : least, all += t;
    }
    std::printf("%s\t%.3f\t%.3f\t%.9g\n", name, best, least, double(sum()));
    std::fflush(stdout);
}

// total is a sum of an array that notices where its elements are.
template <class T> double total(const T *p, int count) {
    double s = 0;
    for (int i = 0; i < count; i++)
        s += double(p[i]) * (1 + i % 7);
    return s;
}
