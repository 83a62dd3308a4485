// Reductions over tiles and coalesced groups.
#pragma once
#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class T = void> struct plus : gwsim::Plus {};
template <class T = void> struct less : gwsim::Least {};
template <class T = void> struct greater : gwsim::Most {};
template <class T = void> struct bit_and : gwsim::BitAnd {};
template <class T = void> struct bit_or : gwsim::BitOr {};
template <class T = void> struct bit_xor : gwsim::BitXor {};

template <class Group, class T, class F> T reduce(const Group &g, T v, F f, int line = __builtin_LINE()) {
    for (unsigned step = 1; step < g.size(); step *= 2) {
        T other = g.shfl_down(v, step, line);
        if (g.thread_rank() + step < g.size())
            v = f(v, other);
    }
    return g.shfl(v, 0, line);
}
// A tile of several warps: each of them, and then all.
template <unsigned Size, class Parent, class T, class F> T reduce(const thread_block_tile<Size, Parent, true> &g, T v, F f, int line = __builtin_LINE()) {
    return g.combine(reduce(coalesced_group(__activemask(line)), v, f, line), f, line);
}

} // namespace cooperative_groups
