// Ranges: which memory an access is meant for, and accesses that go astray.
#pragma once

namespace gwsim {
namespace check {
namespace {

bool mapped(uint64_t a, uint32_t size) {
    for (uint64_t i = 0; i < s.request->mappedCount; i++)
        if (a >= s.request->mapped[2 * i] && a + size <= s.request->mapped[2 * i + 1])
            return true;
    return false;
}

// exists says whether there is memory at an address.
bool exists(uint64_t a) {
    return msync(reinterpret_cast<void *>(a & ~4095ull), 1, MS_ASYNC) == 0;
}

// inShared says that an address is in the shared memory of a block, or between its variables.
bool inShared(uint64_t a) {
    return std::any_of(s.seats.begin(), s.seats.end(), [a](const Seat &seat) { return seat.tls != 0 && a - seat.tls < s.request->tlsSize; });
}

// stray deals with an access to memory that is not the kernel's. What it overwrites comes
// back after the launch.
void stray(Site *site, Kind kind, const Range *nearest, uint64_t a, uint32_t size) {
    s.badPc = site->count.pc;
    if (s.trial != nullptr)
        fail(self, cudaErrorIllegalAddress, "the launch was run again, and an access goes astray");
    if (fresh(site, kind)) {
        Finding f = finding(site, kind, a, size);
        f.id = ~0u;
        if (nearest != nullptr) {
            f.id = nearest->id;
            f.lo = nearest->lo;
            f.hi = nearest->hi;
        }
        s.findings.push_back(f);
    }
    if (site->space == Shared)
        site->strayed = a;
    bool inModule = a - s.base < s.size && a + size - s.base <= s.size;
    if (!writes(site->count.op))
        return;
    if (beforeBlock(a)) {
        s.pc = site->count.pc;
        s.about = Fault;
        fail(self, cudaErrorIllegalAddress, "a write before the start of memory from malloc: the launch was ended");
    }
    if (site->space != Shared && !inModule && !mapped(a, size) && !besideHeap(a))
        return;
    if (s.undo.size() >= mostUndone) {
        s.pc = site->count.pc;
        fail(self, cudaErrorIllegalAddress, "too many writes out of bounds: the launch was ended");
    }
    Undo u = {a, size, {}};
    memcpy(u.bytes, reinterpret_cast<void *>(a), size);
    s.undo.push_back(u);
}

Site *newSite(uint64_t pc, Op op, uint32_t size, Space space) {
    auto site = new Site{};
    site->span = 0;
    site->lo = ~0ull;
    site->space = space;
    site->index = s.sites.size();
    site->count.pc = pc;
    site->count.op = op;
    site->count.size = size;
    site->count.space = space;
    s.sites.push_back(site);
    return site;
}

// siteOn is the site of an instruction for one kind of memory; it becomes the one that is
// tried first.
Site *siteOn(uint64_t pc, Op op, uint32_t size, Space space) {
    Site *&first = s.table[pc];
    for (Site **p = &first; *p != nullptr; p = &(*p)->next) {
        Site *site = *p;
        if (site->space == space && site->count.size == size && site->count.op == op) {
            *p = site->next;
            site->next = first;
            return first = site;
        }
    }
    Site *site = newSite(pc, op, size, space);
    site->next = first;
    return first = site;
}

// runsAway ends a launch whose instruction goes on writing where the memory with the shared variables has ended: what is there is the process's own.
void runsAway(uint64_t pc, uint64_t a, uint32_t size, Op op) {
    constexpr uint64_t step = 4096; // the most from one access to the next
    for (Site *site = s.table[pc]; site != nullptr; site = site->next) {
        if (site->space != Shared || site->count.size != size || site->count.op != op || site->strayed == 0 || a - site->strayed > step)
            continue;
        site->strayed = a;
        if (writes(op)) {
            s.pc = pc;
            fail(self, cudaErrorIllegalAddress, "a write far behind the end of shared memory: the launch was ended");
        }
    }
}

// locate finds the range of an address. It returns null if the access is none that counts.
RARE Site *locate(uint64_t pc, uint64_t a, uint32_t size, Op op) {
    auto after = std::upper_bound(s.ranges.begin(), s.ranges.end(), a, [](uint64_t a, const Range &r) { return a < r.lo; });
    const Range *r = after == s.ranges.begin() ? nullptr : &after[-1];
    if (r != nullptr && a < r->hi) {
        Site *site = siteOn(pc, op, size, r->space == Freed ? Global : r->space);
        if (r->space == Ignored) {
            site->lo = r->lo;
            site->span = r->hi - r->lo - 1;
            return site;
        }
        if (r->space == Freed) {
            stray(site, UseAfterFree, r, a, size);
            return nullptr;
        }
        if (a + size > r->hi) {
            stray(site, OutOfBounds, r, a, size);
            return nullptr;
        }
        site->lo = r->lo;
        site->span = r->hi - r->lo - size;
        site->origin = r->origin;
        site->cells = r->cells;
        site->set = r->set;
        site->id = r->id;
        return site;
    }
    Space space = Ignored;
    if (inShared(a))
        space = Shared;
    else if (mapped(a, 1) || besideHeap(a) || (a >= deviceLo && a < deviceHi && !exists(a)))
        space = Global; // what else there is in that range is the process's own
    else if (a - s.base < s.size && r != nullptr && r->space == Variable)
        space = Variable; // behind one: constants come before all variables
    else if (a >= firstPage) {
        runsAway(pc, a, size, op);
        return nullptr; // the program's constants, the host's heap
    }
    if (space == Ignored) {
        stray(siteOn(pc, op, size, Global), NullPointer, nullptr, a, size);
        return nullptr;
    }
    // What the instruction used before is what it means, or else the nearest of that memory.
    Site *site = siteOn(pc, op, size, space);
    if (site->lo != ~0ull) {
        Range meant = {site->lo, site->lo + site->span + size, 0, nullptr, nullptr, space, site->id};
        stray(site, OutOfBounds, &meant, a, size);
        return nullptr;
    }
    const Range *nearest = r != nullptr && r->space == space ? r : nullptr;
    const Range *above = after != s.ranges.end() && after->space == space ? &*after : nullptr;
    if (above != nullptr && (nearest == nullptr || above->lo - a < a - nearest->hi))
        nearest = above;
    stray(site, OutOfBounds, nearest, a, size);
    return nullptr;
}

} // namespace
} // namespace check
} // namespace gwsim
