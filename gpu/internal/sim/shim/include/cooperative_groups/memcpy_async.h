// Copies by all threads of a group.
#pragma once
#include "../../async.h"
#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class Group, class To, class From, class Size> void memcpy_async(const Group &g, To *to, const From *from, const Size &n) {
    gwsim::copyPart(reinterpret_cast<char *>(to), reinterpret_cast<const char *>(from), n, g.thread_rank(), g.size());
}
// These count elements, of what there is and of what there is room for.
template <class Group, class T, class ToCount, class FromCount>
void memcpy_async(const Group &g, T *to, const ToCount &room, const T *from, const FromCount &count) {
    memcpy_async(g, to, from, sizeof(T) * min((size_t)room, (size_t)count));
}
template <class Group> void wait(const Group &g, int line = __builtin_LINE()) { g.sync(line); }
template <unsigned last, class Group> void wait_prior(const Group &g, int line = __builtin_LINE()) { g.sync(line); }

} // namespace cooperative_groups
