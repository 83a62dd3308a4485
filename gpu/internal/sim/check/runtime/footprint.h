// The footprint of a launch: how much memory it has touched.
#pragma once

namespace gwsim {
using namespace check;

// gw_footprint counts the aligned pieces of 32 bytes of global memory that the last launch has read, and
// those that it has written, each once. An atomic operation does both.
extern "C" GW_API void gw_footprint(uint64_t *read, uint64_t *written) {
    *read = *written = 0;
    for (const Range &r : s.ranges) {
        if ((r.space != Global && r.space != Variable) || r.cells == nullptr)
            continue;
        uint64_t lo = std::max<uint64_t>(r.lo & ~3ull, r.origin);
        for (uint64_t piece = lo & ~31ull; piece < r.hi; piece += 32) {
            bool reads = false, writes = false;
            for (uint64_t a = std::max(piece, lo); a < std::min<uint64_t>(piece + 32, r.hi); a += 4) {
                const Cell &c = r.cells[(a - r.origin) >> 2];
                reads |= c.readClock >= s.launchClock || (c.writeClock >= s.launchClock && c.writer & strong);
                writes |= c.writeClock >= s.launchClock;
            }
            *read += reads;
            *written += writes;
        }
    }
}

} // namespace gwsim
