// What asynchronous copies are made of. They are done when they are asked for, so nothing
// has to be waited for but the other threads that copy.
#pragma once

namespace gwsim {

template <class Unit> inline void copyUnits(char *to, const char *from, size_t n, unsigned rank, unsigned size) {
    auto out = reinterpret_cast<Unit *>(to);
    auto in = reinterpret_cast<const Unit *>(from);
    for (size_t i = rank; i < n / sizeof(Unit); i += size)
        out[i] = in[i];
}

// copyPart copies the part of one thread among size, in pieces as large as the addresses allow.
inline void copyPart(char *to, const char *from, size_t n, unsigned rank, unsigned size) {
    switch ((reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from) | n) & 15) {
    case 0:
        return copyUnits<uint4>(to, from, n, rank, size);
    case 8:
        return copyUnits<uint2>(to, from, n, rank, size);
    case 4:
    case 12:
        return copyUnits<unsigned>(to, from, n, rank, size);
    }
    copyUnits<char>(to, from, n, rank, size);
}

} // namespace gwsim

namespace cuda {

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };

// A size in bytes whose alignment is known.
template <size_t alignment> struct aligned_size_t {
    size_t value;
    constexpr aligned_size_t(size_t n) : value(n) {}
    constexpr operator size_t() const { return value; }
};

} // namespace cuda
