// What every load and store of a kernel comes to.
#pragma once

namespace gwsim {
namespace check {
namespace {

inline bool isSet(const uint8_t *set, uint64_t bit, uint32_t size) {
    if (size >= 8)
        return set[bit >> 3] | (size == 16 ? set[(bit >> 3) + 1] : 0);
    return set[bit >> 3] >> (bit & 7) & ((1u << size) - 1);
}

inline void setBits(uint8_t *set, uint64_t bit, uint32_t size) {
    if (size >= 8) {
        set[bit >> 3] = 0xff;
        if (size == 16)
            set[(bit >> 3) + 1] = 0xff;
        return;
    }
    set[bit >> 3] |= ((1u << size) - 1) << (bit & 7);
}

RARE void grow(Site *site, uint32_t n) {
    uint32_t capacity = std::min(std::max(2 * site->capacity, 8u), mostGroups);
    site->groups = static_cast<Group *>(realloc(site->groups, capacity * sizeof(Group)));
    site->capacity = capacity;
}

// Stands is what is known of where an instruction stands.
enum Stands { Anywhere, InWaitingLoop, OutsideLoops };

// access is what every load and store of a kernel comes to. It returns null for those that
// do not count.
template <uint32_t size, Op op, bool pieced = false, Stands stands = Anywhere> inline __attribute__((always_inline)) Site *access(uint64_t a, void *from) {
    uint64_t pc = reinterpret_cast<uint64_t>(from) - s.base;
    if (__builtin_expect(pc >= s.size || self == nullptr, 0)) // host code of a whole program may run beside a kernel
        return nullptr;
    if (__builtin_expect(s.beat++ >= s.lastBeat, 0))
        outlasts();
    Site *site = s.table[pc];
    // One place can make accesses of several sizes if they are the pieces of a larger one.
    if (__builtin_expect(site == nullptr || a - site->lo > site->span || (pieced && site->count.size != size), 0)) {
        site = locate(pc, a, size, op);
        if (site == nullptr) {
            if (writes(op))
                s.lasting = true;
            if (s.records)
                recordStray(op, pc, a, size);
            return nullptr;
        }
    }
    if (site->space == Ignored)
        return nullptr;
    s.work[s.me].accesses[site->space == Shared]++;
    if (__builtin_expect(s.records, 0))
        recordAccess(op, pc, a, size, site);
    if (__builtin_expect(a & (size - 1), 0)) {
        if (s.trial != nullptr)
            fail(self, cudaErrorLaunchFailed, "the launch was run again, and an access is misaligned");
        report(site, Misaligned, a, size);
        return nullptr; // it touches two cells, which nothing below expects
    }
    if (__builtin_expect(s.doubtful, 0))
        settle();

    uint32_t n = site->turn[s.lane]++;
    if (__builtin_expect(n >= site->capacity, 0) && n < mostGroups)
        grow(site, n);
    if (__builtin_expect(n < site->capacity, 1)) {
        Group &g = site->groups[n];
        if (n >= site->used) {
            if (n == 0)
                s.dirty.push_back(site);
            site->used = n + 1;
            g.lanes = 0;
        }
        g.lanes |= 1u << s.lane;
        g.at[s.lane] = a;
    } else {
        site->count.lanes++; // those of a group are counted with it
    }

    if (op != Read && op != VolatileRead && site->space != Shared && __builtin_expect(s.keeps, 0))
        keep(a);
    if (stands == InWaitingLoop)
        site->inLoop = true;
    if (stands == OutsideLoops)
        site->straight = true;
    if (op == VolatileRead)
        looks(site, a);

    uint64_t offset = a - site->origin;
    Cell *c = site->cells + (offset >> 2);
    uint32_t mask = size >= 4 ? 15 : ((1u << size) - 1) << (a & 3);
    if (site->set != nullptr) {
        if (op != Write && op != VolatileWrite && !(c->writeClock >= s.blockClock && c->writeSite & mask) && !isSet(site->set, offset, size))
            report(site, Uninitialised, a, size);
        if (op != Read && op != VolatileRead)
            setBits(site->set, offset, size);
    }
    uint32_t since = site->space == Shared ? s.sharedClock : s.launchClock;
    for (uint32_t k = 0; k < (size + 3) / 4; k++)
        touchCell<op>(site, c[k], mask, since, a + 4 * k, std::min(size, 4u));
    if (op == Write)
        s.progress++;
    if (op == VolatileWrite) {
        s.progress++;
        release(a);
    }
    if (op == VolatileRead) {
        waits(site, a); // the load comes after all that happens here
        acquire(a);
    }
    return site;
}

// pieces splits an access of any size into those that a GPU makes.
template <Op op> void pieces(uint64_t a, uint64_t n, void *from) {
    uint64_t at = a | n;
    for (uint64_t end = a + n; a < end;) {
        if (at % 16 == 0)
            access<16, op, true>(a, from), a += 16;
        else if (at % 8 == 0)
            access<8, op, true>(a, from), a += 8;
        else if (at % 4 == 0)
            access<4, op, true>(a, from), a += 4;
        else if (at % 2 == 0)
            access<2, op, true>(a, from), a += 2;
        else
            access<1, op, true>(a, from), a += 1;
    }
}

// Changed tells what an atomic operation meant to others.
template <class T> void changed(Site *site, volatile T *p, T before) {
    if (site == nullptr)
        return;
    uint64_t a = reinterpret_cast<uint64_t>(p);
    acquire(a);
    release(a);
    if (*p != before)
        s.progress++;
    else
        waits(site, a);
}

} // namespace
} // namespace check
} // namespace gwsim
