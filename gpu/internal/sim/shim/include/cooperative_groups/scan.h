// Prefix sums over tiles and coalesced groups.
#pragma once
#include "reduce.h"

namespace cooperative_groups {

template <class Group, class T, class F> T inclusive_scan(const Group &g, T v, F f, int line = __builtin_LINE()) {
    for (unsigned step = 1; step < g.size(); step *= 2) {
        T other = g.shfl_up(v, step, line);
        if (g.thread_rank() >= step)
            v = f(other, v);
    }
    return v;
}
template <class Group, class T> T inclusive_scan(const Group &g, T v, int line = __builtin_LINE()) { return inclusive_scan(g, v, plus<T>(), line); }

template <class Group, class T, class F> T exclusive_scan(const Group &g, T v, F f, int line = __builtin_LINE()) {
    T before = g.shfl_up(inclusive_scan(g, v, f, line), 1, line);
    return g.thread_rank() == 0 ? T{} : before;
}
template <class Group, class T> T exclusive_scan(const Group &g, T v, int line = __builtin_LINE()) { return exclusive_scan(g, v, plus<T>(), line); }

} // namespace cooperative_groups
