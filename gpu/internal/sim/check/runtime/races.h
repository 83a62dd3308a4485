// Races: who else has touched the same bytes.
#pragma once

namespace gwsim {
namespace check {
namespace {

// visible says whether fences and atomics have ordered the accesses of a block, up to a
// clock, before what the running block does now.
bool visible(uint32_t clock) {
    if (s.seat->acquired.empty())
        return false;
    uint32_t block = turnAt(clock).clock;
    for (const Acquired &a : s.seat->acquired)
        if (auto r = a.from->released.find(block); r != a.from->released.end() && r->second.order < a.count && clock <= r->second.upTo)
            return true;
    return false;
}

// retract takes back that instructions read what nobody had written: somebody writes it in
// the same step, so they have only met in the wrong order. A cell knows the last instruction that
// read it, findings the word that they are about.
void retract(const Site *site, uint64_t a) {
    s.findings.erase(std::remove_if(s.findings.begin(), s.findings.end(),
                                    [site, a](const Finding &f) {
                                        return f.kind == Uninitialised && (f.pc == site->count.pc || f.address >> 2 == a >> 2);
                                    }),
                     s.findings.end());
}

// mayDiffer says whether a plain read beside an atomic operation does no harm.
bool mayDiffer(const Site *a, const Site *b) {
    return (a->guesses && b->count.op == Atomic) || (b->guesses && a->count.op == Atomic);
}

// apart says whether the lanes of a warp have each an element of their own in what an instruction accesses together.
bool apart(const Site *site) {
    for (uint32_t i = 0; i < site->used; i++) {
        const Group &g = site->groups[i];
        uint64_t first = g.at[__builtin_ctz(g.lanes)];
        for (uint32_t rest = g.lanes & (g.lanes - 1); rest; rest &= rest - 1)
            if (g.at[__builtin_ctz(rest)] != first)
                return true;
    }
    return false;
}

// inLine says whether two accesses count on lanes of a warp to run in step: both are volatile, which keeps the compiler from
// leaving one out, but orders nothing since lanes have program counters of their own. Other threads that exchange values
// by volatile variables look at them until they have changed, or all at the same. In global memory that is what they are for,
// so only lanes that exchange elements outside loops are accused there.
bool inLine(const Site *site, const Site *other, uint32_t clock, uint16_t thread) {
    auto plain = [](const Site *s) {
        return (s->count.op == VolatileRead || s->count.op == VolatileWrite) && !s->waits && (!s->inLoop || s->varies);
    };
    if (clock != s.clock || thread / 32 != s.warp || !plain(site) || !plain(other))
        return false;
    return site->space == Shared || (site->straight && other->straight && apart(site) && apart(other));
}

// expects notes that an instruction waits for others to change memory.
RARE void expects(Site *site) {
    site->waits = true;
    uint64_t pc = site->count.pc;
    auto harmless = [pc](const Finding &f) {
        return f.kind == Race && f.op >= VolatileRead && f.otherOp >= VolatileRead && (f.pc == pc || f.otherPc == pc);
    };
    s.findings.erase(std::remove_if(s.findings.begin(), s.findings.end(), harmless), s.findings.end());
}

// compares notes that the running thread has compared memory with what it knows of it. If
// it has read that before, the reading was a guess, as in a loop with atomicCAS.
void compares(const Site *site, uint64_t a) {
    if (site == nullptr)
        return;
    const Cell &c = site->cells[(a - site->origin) >> 2];
    Site *reader = nullptr;
    if (c.readClock == s.clock && c.reader == s.me)
        reader = s.sites[c.readSite >> 4];
    else if (c.otherClock == s.clock && c.other == s.me)
        reader = s.sites[c.otherSite >> 4];
    if (reader == nullptr || reader->guesses)
        return;
    reader->guesses = true;
    uint64_t pc = reader->count.pc;
    auto harmless = [pc](const Finding &f) {
        return f.kind == Race && ((f.pc == pc && f.otherOp == Atomic) || (f.otherPc == pc && f.op == Atomic));
    };
    s.findings.erase(std::remove_if(s.findings.begin(), s.findings.end(), harmless), s.findings.end());
}

// met says that the blocks of a gang have come together since the access at a clock, or that
// it was the running block's own, or one to shared memory in the hands of an earlier gang.
bool met(const Site *site, uint32_t clock) {
    if (!s.ganged || clock == s.clock)
        return false;
    if (clock < s.gangBegun)
        return site->space == Shared;
    return clock < s.gangClock || turnAt(clock).block == linearBlock();
}

// clash looks closely at two accesses to the same bytes, one of them a write.
RARE void clash(Site *site, uint64_t a, uint32_t size, Op op, uint32_t clock, uint16_t thread, uint16_t turn, uint32_t otherSite, Op otherOp) {
    bool bothStrong = op >= Atomic && thread & strong;
    thread &= ~strong;
    if (bothStrong && !inLine(site, s.sites[otherSite], clock, thread))
        return;
    if (clock == s.clock && thread / 32 == s.warp && turn != s.turn)
        return; // the lanes have met
    if (met(site, clock) || visible(clock) || mayDiffer(site, s.sites[otherSite]))
        return;
    if (otherOp == Read)
        retract(s.sites[otherSite], a);
    bool overwrites = writes(op) && otherOp == Write;
    if (!overwrites && !fresh(site, Race))
        return;
    if (overwrites && site->reported >> Race & 1)
        return;
    Finding f = finding(site, Race, a, size);
    f.hasOther = 1;
    f.other = placeOf(clock, thread);
    f.otherOp = s.sites[otherSite]->count.op;
    f.otherPc = s.sites[otherSite]->count.pc;
    if (!overwrites || op == Atomic) {
        if (overwrites && !fresh(site, Race))
            return;
        s.findings.push_back(f);
        return;
    }
    Pending p = {f, site, {}};
    memcpy(p.bytes, reinterpret_cast<void *>(a), size);
    s.pending.push_back(p);
    s.doubtful = true;
}

// settle looks at what pending writes have left.
RARE void settle() {
    for (Pending &p : s.pending)
        if (memcmp(p.bytes, reinterpret_cast<void *>(p.finding.address), p.finding.size) != 0 && fresh(p.site, Race))
            s.findings.push_back(p.finding);
    s.pending.clear();
    s.doubtful = false;
}

// unordered says that no barrier and no end of a launch is between an earlier access and
// what the running thread does now. Accesses before the clock `since` are long done.
inline bool unordered(uint32_t clock, uint16_t thread, uint32_t since) {
    return clock == s.clock ? (thread & ~strong) != s.me : clock >= since && clock < s.blockClock;
}

template <Op op> inline void touchCell(Site *site, Cell &c, uint32_t mask, uint32_t since, uint64_t a, uint32_t size) {
    constexpr uint16_t mark = op >= Atomic ? strong : 0;
    if (__builtin_expect(unordered(c.writeClock, c.writer, since), 0) && c.writeSite & mask)
        clash(site, a, size, op, c.writeClock, c.writer, c.writeTurn, c.writeSite >> 4, Write);
    if (op == Read || op == VolatileRead) {
        if (c.readClock != s.clock || (c.reader & ~strong) != s.me) {
            c.otherClock = c.readClock;
            c.other = c.reader;
            c.otherTurn = c.readTurn;
            c.otherSite = c.readSite;
            c.readClock = s.clock;
            c.reader = s.me | mark;
            c.readSite = 0;
        }
        c.readTurn = s.turn;
        c.readSite = site->index << 4 | (c.readSite & 15) | mask;
        return;
    }
    if (__builtin_expect(unordered(c.readClock, c.reader, since), 0) && c.readSite & mask)
        clash(site, a, size, op, c.readClock, c.reader, c.readTurn, c.readSite >> 4, Read);
    if (__builtin_expect(unordered(c.otherClock, c.other, since), 0) && c.otherSite & mask)
        clash(site, a, size, op, c.otherClock, c.other, c.otherTurn, c.otherSite >> 4, Read);
    if (c.writeClock != s.clock || (c.writer & ~strong) != s.me)
        c.writeSite = 0;
    c.writeClock = s.clock;
    c.writer = s.me | mark;
    c.writeTurn = s.turn;
    c.writeSite = site->index << 4 | (c.writeSite & 15) | mask;
}

} // namespace
} // namespace check
} // namespace gwsim
