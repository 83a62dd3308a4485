// Requests: what the lanes of a warp ask of memory together, and what that costs.
#pragma once

namespace gwsim {
namespace check {
namespace {

uint32_t countDistinct(uint64_t *list, uint32_t n) {
    std::sort(list, list + n);
    return std::unique(list, list + n) - list;
}

// sectors is how many aligned pieces of 32 bytes the lanes touch.
uint32_t sectors(const Group &g, uint32_t size) {
    uint64_t list[64];
    uint32_t n = 0;
    bool ascending = true;
    for (uint32_t rest = g.lanes; rest; rest &= rest - 1) {
        uint64_t a = g.at[__builtin_ctz(rest)], first = a >> 5, last = (a + size - 1) >> 5;
        for (; first <= last; first++) {
            if (n > 0 && list[n - 1] == first)
                continue;
            ascending = ascending && (n == 0 || list[n - 1] < first);
            list[n++] = first;
        }
    }
    return ascending ? n : countDistinct(list, n);
}

uint32_t addresses(const Group &g) {
    uint64_t list[32];
    uint32_t n = 0;
    for (uint32_t rest = g.lanes; rest; rest &= rest - 1)
        list[n++] = g.at[__builtin_ctz(rest)];
    return countDistinct(list, n);
}

// wavefronts is how often shared memory must be asked: each of its 32 banks gives one word
// of 4 bytes at a time, to everyone who wants it. Wide accesses take a half or a quarter of
// the warp at a time.
uint32_t wavefronts(const Group &g, uint32_t size, uint32_t *least) {
    uint32_t lanesAtOnce = size <= 4 ? 32 : size == 8 ? 16 : 8, words = size <= 4 ? 1 : size / 4, total = 0;
    for (uint32_t from = 0; from < 32; from += lanesAtOnce) {
        uint32_t lanes = lanesAtOnce == 32 ? g.lanes : g.lanes & ((1u << lanesAtOnce) - 1) << from;
        if (lanes == 0)
            continue;
        (*least)++;
        uint64_t start = g.at[__builtin_ctz(lanes)] >> 2, next = start;
        uint32_t expected = 0;
        bool consecutive = true, same = true;
        for (uint32_t rest = lanes; rest; rest &= rest - 1, next += words, expected++) {
            uint64_t word = g.at[__builtin_ctz(rest)] >> 2;
            consecutive = consecutive && word == next;
            same = same && word == start;
        }
        if (consecutive || same) {
            total++;
            continue;
        }
        uint64_t inBank[32][32];
        uint8_t used[32] = {};
        uint32_t most = 0;
        for (uint32_t rest = lanes; rest; rest &= rest - 1) {
            for (uint32_t k = 0; k < words; k++) {
                uint64_t word = (g.at[__builtin_ctz(rest)] >> 2) + k;
                uint32_t bank = word & 31;
                if (std::find(inBank[bank], inBank[bank] + used[bank], word) == inBank[bank] + used[bank]) {
                    inBank[bank][used[bank]++] = word;
                    most = std::max<uint32_t>(most, used[bank]);
                }
            }
        }
        total += most;
    }
    return total;
}

// alike says that a full request differs from another only in where it begins, by a multiple
// of a unit: a sector of global memory, or a word of shared memory, whose banks are all the
// same. It costs what the other did.
bool alike(const Group &a, const Group &b, uint64_t unit) {
    uint64_t shift = a.at[0] - b.at[0], different = (a.lanes ^ b.lanes) | (shift & (unit - 1));
    for (int i = 0; i < 32; i++)
        different |= (a.at[i] - b.at[i]) ^ shift;
    return different == 0;
}

// flush counts the requests of the warp that ran.
void flush() {
    for (Site *site : s.dirty) {
        Counter &c = site->count;
        for (uint32_t i = 0; i < site->used; i++) {
            const Group &g = site->groups[i];
            uint32_t lanes = __builtin_popcount(g.lanes);
            c.requests++;
            c.active += lanes;
            c.lanes += lanes;
            if (c.op == Atomic)
                c.addresses += addresses(g);
            if (lanes < 32 || !alike(g, site->last, site->space == Shared ? 4 : 32)) {
                uint32_t least = 0;
                site->lastSectors = site->space == Shared ? 0 : sectors(g, c.size);
                site->lastWavefronts = site->space == Shared ? wavefronts(g, c.size, &least) : 0;
                site->lastLeast = least;
                site->last.lanes = 0;
                if (lanes == 32)
                    site->last = g;
            }
            c.sectors += site->lastSectors;
            c.wavefronts += site->lastWavefronts;
            c.leastWavefronts += site->lastLeast;
        }
        site->used = 0;
        memset(site->turn, 0, sizeof site->turn);
    }
    s.dirty.clear();
}

} // namespace
} // namespace check
} // namespace gwsim
