// Check mode: the simulator's runtime with one worker, which is told of every load and
// store. Kernels are compiled with -fsanitize=thread and find the functions for it here
// instead of in the sanitizer's library.
//
// Threads run one after the other from barrier to barrier, in a fixed order, so what is
// found and counted is the same every time. What stands for time is a clock that goes on at
// every barrier and every block: accesses of one block with the same clock are not ordered,
// unless by something between lanes of a warp, and accesses of different blocks never are,
// unless by a fence and an atomic operation.
#define GW_CHECK
#include "runtime.cpp"

#include "check.h"

#include <algorithm>
#include <ucontext.h>
#include <unordered_map>
#include <vector>

// RARE keeps what seldom happens out of the way of every access.
#define RARE __attribute__((noinline, cold))

namespace gwsim {
namespace check {
namespace {

constexpr uint16_t strong = 1 << 15; // in a cell's thread: it was atomic or volatile
constexpr uint32_t mostGroups = 4096;        // requests of an instruction between two barriers that are looked at
constexpr size_t mostFindings = 256;
constexpr size_t mostUndone = 1 << 20;
constexpr uint32_t spinLimit = 2000;         // looks at the same place before others get their turn
constexpr uint32_t clockLimit = 0xf0000000u; // when cells are to be forgotten
constexpr uint64_t firstPage = 64 << 10;     // addresses so low come from a null pointer
constexpr uint64_t deviceLo = 0x100000000000, deviceHi = 0x1fff00000000; // where memory.go puts chunks

// A group is the accesses that the lanes of a warp make together: those of the same
// instruction that each lane makes for the same time since the last barrier.
struct Group {
    uint32_t lanes;
    uint64_t at[32];
};

// A site is an instruction that loads or stores, and one kind of memory.
struct Site {
    uint64_t lo, span; // addresses lo..lo+span are in the range that was used last
    uint64_t origin;
    Cell *cells;
    uint8_t *set;
    Group *groups;
    uint32_t used, capacity;
    uint32_t turn[32]; // how many times each lane was here
    Space space;
    uint32_t index;
    uint32_t reported; // kinds
    bool guesses;      // it reads what an atomicCAS then compares: that may be out of date
    uint32_t id;
    Site *next; // the same instruction on other memory
    Counter count;
    Group last; // the last full request that was worked out, and what came of it
    uint64_t lastSectors, lastWavefronts, lastLeast;
};

// A release is the memory that a block has made visible with a fence before it changed an
// atomic variable.
struct Release {
    uint32_t upTo;  // accesses of the block until this clock
    uint32_t order; // among the releases of the variable
};
struct Synced {
    std::unordered_map<uint32_t, Release> released; // by the clock at which the block began
    uint32_t count = 0;
};
struct Acquired {
    const Synced *from;
    uint32_t count;
};

struct Undo {
    uint64_t address;
    uint32_t size;
    char bytes[16];
};

// A pending write comes on top of another thread's. It does no harm if it writes the same.
struct Pending {
    Finding finding;
    Site *site;
    char bytes[16];
};

// There is one worker, so there is one state; hooks have no other way to it.
struct State {
    bool active;
    const Request *request;
    uint64_t base, size; // of the module
    std::vector<Site *> table; // by the return address of the hook
    std::vector<Site *> sites, dirty;
    std::vector<Range> ranges;
    std::vector<Finding> findings;
    std::vector<Undo> undo;
    std::vector<Pending> pending;
    bool doubtful; // there are pending writes

    uint64_t tls;
    Cell *sharedCells;
    uint64_t sharedCellsSize;
    std::vector<uint8_t> sharedSet;

    uint32_t clock, launchClock, blockClock;
    std::vector<uint32_t> begun; // the clocks at which the blocks of the launch began
    uint16_t me, turn;
    uint32_t lane, warp;
    uint16_t turns[maxWarps];
    uint32_t fenced[maxThreads]; // the clock of a thread's last fence

    std::unordered_map<uint64_t, Synced> variables;
    std::vector<Acquired> acquired; // by the running block

    uint64_t progress, idleProgress;
    uint64_t watched[4];
    uint32_t spins, idle, spinner;
    int alive; // threads when the block was last found waiting

    uint64_t beat; // goes on with every access; the watchdog looks at it
    uint64_t patience; // the watchdog's
    bool hung;     // the watchdog has stopped the running thread

    uint64_t pc; // of the access or the fault that comes to mind
    uint64_t badPc;
    Kind about;
    uint32_t line;
    Op op;
};
State s;

bool writes(Op op) { return op == Write || op == Atomic || op == VolatileWrite; }

Place here() { return {{blockIdx.x, blockIdx.y, blockIdx.z}, {threadIdx.x, threadIdx.y, threadIdx.z}}; }

Place placeOf(uint32_t clock, uint16_t thread) {
    Place p = here();
    if (clock < s.blockClock) {
        uint64_t b = std::upper_bound(s.begun.begin(), s.begun.end(), clock) - s.begun.begin() - 1;
        p.block[0] = b % gridDim.x;
        p.block[1] = b / gridDim.x % gridDim.y;
        p.block[2] = b / gridDim.x / gridDim.y;
    }
    uint3 t = position(thread & ~strong);
    p.thread[0] = t.x;
    p.thread[1] = t.y;
    p.thread[2] = t.z;
    return p;
}

// ---- findings ----

// fresh says whether a defect of the kind is new for the instruction, and counts it if not.
bool fresh(Site *site, Kind kind) {
    if (site->reported >> kind & 1) {
        for (Finding &f : s.findings)
            if (f.pc == site->count.pc && f.kind == kind)
                f.count++;
        return false;
    }
    if (s.findings.size() >= mostFindings)
        return false;
    site->reported |= 1u << kind;
    return true;
}

Finding finding(Site *site, Kind kind, uint64_t address, uint32_t size) {
    Finding f = {};
    f.kind = kind;
    f.op = site->count.op;
    f.space = site->space;
    f.size = size;
    f.id = site->id;
    f.lo = site->lo;
    f.hi = site->lo + site->span + site->count.size;
    f.address = address;
    f.pc = site->count.pc;
    f.at = here();
    f.count = 1;
    return f;
}

RARE void report(Site *site, Kind kind, uint64_t address, uint32_t size) {
    if (fresh(site, kind))
        s.findings.push_back(finding(site, kind, address, size));
}

// ---- requests of warps ----

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

// ---- ranges ----

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

// stray deals with an access to memory that is not the kernel's. What it overwrites comes
// back after the launch.
void stray(Site *site, Kind kind, const Range *nearest, uint64_t a, uint32_t size) {
    s.badPc = site->count.pc;
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
    bool inModule = a - s.base < s.size && a + size - s.base <= s.size;
    if (!writes(site->count.op) || (site->space != Shared && !inModule && !mapped(a, size)))
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
    if (a - s.tls < s.request->tlsSize)
        space = Shared;
    else if (a >= deviceLo && a < deviceHi && (mapped(a, 1) || !exists(a)))
        space = Global; // what else there is in that range is the process's own
    else if (a - s.base < s.size && r != nullptr && r->space == Variable)
        space = Variable; // behind one: constants come before all variables
    else if (a >= firstPage)
        return nullptr; // the program's constants, the host's heap
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

// ---- races ----

// visible says whether fences and atomics have ordered the accesses of a block, up to a
// clock, before what the running block does now.
bool visible(uint32_t clock) {
    if (s.acquired.empty())
        return false;
    uint32_t block = *(std::upper_bound(s.begun.begin(), s.begun.end(), clock) - 1);
    for (const Acquired &a : s.acquired)
        if (auto r = a.from->released.find(block); r != a.from->released.end() && r->second.order < a.count && clock <= r->second.upTo)
            return true;
    return false;
}

// retract takes back that an instruction read what nobody had written: somebody writes it in
// the same step, so the two have only met in the wrong order.
void retract(Site *site) {
    if (!(site->reported >> Uninitialised & 1))
        return;
    s.findings.erase(std::remove_if(s.findings.begin(), s.findings.end(),
                                    [site](const Finding &f) { return f.kind == Uninitialised && f.pc == site->count.pc; }),
                     s.findings.end());
}

// mayDiffer says whether a plain read beside an atomic operation does no harm.
bool mayDiffer(const Site *a, const Site *b) {
    return (a->guesses && b->count.op == Atomic) || (b->guesses && a->count.op == Atomic);
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

// clash looks closely at two accesses to the same bytes, one of them a write.
RARE void clash(Site *site, uint64_t a, uint32_t size, Op op, uint32_t clock, uint16_t thread, uint16_t turn, uint32_t otherSite, Op otherOp) {
    if (op >= Atomic && thread & strong)
        return;
    thread &= ~strong;
    if (clock == s.clock && thread / 32 == s.warp && turn != s.turn)
        return; // the lanes have met
    if (visible(clock) || mayDiffer(site, s.sites[otherSite]))
        return;
    if (otherOp == Read)
        retract(s.sites[otherSite]);
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

// ---- waiting in loops ----

// release and acquire are what an atomic or volatile access means for other accesses.
RARE void release(uint64_t a) {
    uint32_t fence = s.fenced[s.me];
    if (fence < s.blockClock)
        return;
    Synced &v = s.variables[a];
    v.released[s.blockClock] = {fence, v.count++};
}

RARE void acquire(uint64_t a) {
    if (s.variables.empty())
        return;
    auto v = s.variables.find(a);
    if (v == s.variables.end())
        return;
    for (Acquired &known : s.acquired) {
        if (known.from == &v->second) {
            known.count = v->second.count;
            return;
        }
    }
    s.acquired.push_back({&v->second, v->second.count});
}

// waits notes a look at memory that others are to change. A thread that does nothing else
// lets others run, and if nobody gets anywhere the block hangs.
RARE void waits(Site *site, uint64_t a) {
    if (s.spinner != s.me || s.idleProgress != s.progress) {
        s.spins = 0;
        s.spinner = s.me;
        if (s.idleProgress != s.progress)
            s.idle = 0;
        s.idleProgress = s.progress;
    }
    if (std::find(s.watched, s.watched + 4, a) == s.watched + 4) {
        s.watched[s.spins++ % 4] = a;
        return;
    }
    if (++s.spins < spinLimit)
        return;
    s.spins = 0;
    Worker *w = enter();
    int me = w->current;
    if (w->live != s.alive) { // one has come to its end meanwhile
        s.alive = w->live;
        s.idle = 0;
    }
    if (++s.idle > uint32_t(2 * w->live + 8)) {
        s.about = Deadlock;
        s.pc = site->count.pc;
        s.op = site->count.op;
        fail(w, cudaErrorLaunchFailed, "the block can never go on: the thread waits in a loop for memory to change, and no other thread of its block does that");
    }
    for (int k = 1; k < w->threads; k++) {
        int next = (me + k) % w->threads;
        uint32_t bit = 1u << next % 32;
        if (!(w->warps[next / 32].ready & bit))
            continue;
        w->warps[next / 32].ready &= ~bit;
        w->warps[me / 32].ready |= 1u << me % 32;
        uint3 idx = threadIdx;
        gw_switch(&w->fibers[me].sp, resume(w, next));
        threadIdx = idx;
        return;
    }
}

// ---- accesses ----

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

// access is what every load and store of a kernel comes to. It returns null for those that
// do not count.
template <uint32_t size, Op op, bool pieced = false> inline __attribute__((always_inline)) Site *access(uint64_t a, void *from) {
    uint64_t pc = reinterpret_cast<uint64_t>(from) - s.base;
    if (__builtin_expect(pc >= s.size, 0))
        return nullptr;
    s.beat++;
    Site *site = s.table[pc];
    // One place can make accesses of several sizes if they are the pieces of a larger one.
    if (__builtin_expect(site == nullptr || a - site->lo > site->span || (pieced && site->count.size != size), 0)) {
        site = locate(pc, a, size, op);
        if (site == nullptr)
            return nullptr;
    }
    if (site->space == Ignored)
        return nullptr;
    if (__builtin_expect(a & (size - 1), 0)) {
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

    uint64_t offset = a - site->origin;
    Cell *c = site->cells + (offset >> 2);
    uint32_t mask = size >= 4 ? 15 : ((1u << size) - 1) << (a & 3);
    if (site->set != nullptr) {
        if (op != Write && op != VolatileWrite && !(c->writeClock >= s.blockClock && c->writeSite & mask) && !isSet(site->set, offset, size))
            report(site, Uninitialised, a, size);
        if (op != Read && op != VolatileRead)
            setBits(site->set, offset, size);
    }
    uint32_t since = site->space == Shared ? s.blockClock : s.launchClock;
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

// ---- what the scheduler tells ----

using namespace check;

namespace observe {

void blockBegins() {
    if (s.tls == 0) {
        const Request &r = *s.request;
        s.tls = reinterpret_cast<uint64_t>(r.tls()) - r.tlsAt;
        uint64_t cells = (r.tlsSize / 4 + 8) * sizeof(Cell);
        if (cells > s.sharedCellsSize) {
            if (s.sharedCells != nullptr)
                munmap(s.sharedCells, s.sharedCellsSize);
            s.sharedCells = static_cast<Cell *>(
                mmap(nullptr, cells, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
            s.sharedCellsSize = cells;
        }
        uint64_t origin = s.tls & ~15ull, end = 0;
        for (uint64_t i = 0; i < r.sharedCount; i++) {
            Range v = r.shared[i];
            end = std::max(end, v.hi);
            v.lo += s.tls;
            v.hi += s.tls;
            v.origin = origin;
            v.cells = s.sharedCells;
            s.ranges.push_back(v);
        }
        s.sharedSet.assign(r.sharedCount == 0 ? 0 : (end + 16) / 8 + 3, 0);
        for (Range &v : s.ranges)
            if (v.space == Shared)
                v.set = s.sharedSet.data();
        // The runtime's own variables and the threads' stacks.
        uint64_t lo = ~0ull, hi = 0;
        for (const void *p : {(const void *)&threadIdx, (const void *)&blockIdx, (const void *)&blockDim, (const void *)&gridDim,
                              (const void *)&promoted, (const void *)&dynamicShared}) {
            lo = std::min(lo, reinterpret_cast<uint64_t>(p));
            hi = std::max(hi, reinterpret_cast<uint64_t>(p) + sizeof(uint3));
        }
        s.ranges.push_back({lo, hi, 0, nullptr, nullptr, Ignored, 0});
        lo = reinterpret_cast<uint64_t>(self->stacks);
        s.ranges.push_back({lo, lo + directStackBytes + maxThreads * stackBytes, 0, nullptr, nullptr, Ignored, 0});
        std::sort(s.ranges.begin(), s.ranges.end(), [](const Range &a, const Range &b) { return a.lo < b.lo; });
        s.active = true;
    }
    s.blockClock = ++s.clock;
    s.begun.push_back(s.clock);
    std::fill(s.sharedSet.begin(), s.sharedSet.end(), 0);
    s.acquired.clear();
    s.warp = ~0u;
    s.spinner = ~0u;
    s.progress++;
}

void threadRuns(int thread) {
    uint32_t warp = thread / 32;
    if (warp != s.warp) {
        flush();
        s.warp = warp;
    }
    s.me = thread;
    s.lane = thread % 32;
    s.turn = s.turns[warp];
}

void blockEnds() {
    settle();
    flush();
    s.progress++;
}

void barrierReleased(const char *name, int line, bool all) {
    settle();
    flush();
    s.clock++;
    s.progress++;
    if (all || line == 0)
        return;
    for (Finding &f : s.findings)
        if (f.kind == EarlyExit && f.line == uint32_t(line))
            return;
    Finding f = {};
    f.kind = EarlyExit;
    f.line = line;
    f.pc = f.otherPc = ~0ull;
    f.at = here();
    f.count = 1;
    snprintf(f.text, sizeof f.text, "%s", name);
    s.findings.push_back(f);
}

void warpReleased(bool all) {
    if (all)
        flush();
    s.turn = ++s.turns[s.warp];
    s.progress++;
}

void about(Defect d, int line) {
    constexpr Kind kinds[] = {check::DivergentBarrier, check::Deadlock, check::WarpMask, Fault, Fault};
    s.about = kinds[d];
    s.line = line;
}

void faulted(const void *context) {
    auto c = static_cast<const ucontext_t *>(context);
#if defined(__x86_64__)
    s.pc = c->uc_mcontext.gregs[REG_RIP];
    auto stack = reinterpret_cast<char *>(c->uc_mcontext.gregs[REG_RSP] & ~7ull);
#else
    s.pc = c->uc_mcontext.pc;
    auto stack = reinterpret_cast<char *>(c->uc_mcontext.sp & ~7ull);
#endif
    s.pc -= s.base;
    s.about = Fault;
    if (s.pc < s.size)
        return;
    // It happened in what the kernel had called, which has left the way back on the stack.
    char *end = self->stacks + directStackBytes + maxThreads * stackBytes;
    if (stack < self->stacks || stack >= end)
        return;
    while (stack < end && inGuard(self, stack))
        stack += 8;
    for (int i = 0; i < 4096 && stack < end && !inGuard(self, stack); i++, stack += 8) {
        uint64_t back = *reinterpret_cast<uint64_t *>(stack) - s.base;
        if (back < s.size) {
            s.pc = back;
            return;
        }
    }
}

void failed(const char *text) {
    settle();
    if (s.hung) {
        s.about = check::Deadlock;
        text = "the thread goes round a loop that never ends and touches no memory: if it waits for a variable, that must be volatile or changed by atomic functions";
    }
    if (s.about == Fault && s.badPc != 0 && s.pc - s.badPc < 64)
        return; // the access was found before it faulted
    Finding f = {};
    f.kind = s.about == 0 ? Fault : s.about;
    f.op = s.op;
    f.pc = s.pc < s.size ? s.pc : ~0ull;
    f.otherPc = ~0ull;
    f.line = s.line;
    f.at = here();
    f.count = 1;
    snprintf(f.text, sizeof f.text, "%s", text);
    s.findings.push_back(f);
}

} // namespace observe

void threadBegins() { observe::threadRuns(linear(threadIdx)); }

namespace {

uint64_t nanoseconds(clockid_t clock) {
    timespec t;
    return clock_gettime(clock, &t) == 0 ? t.tv_sec * 1000000000ull + t.tv_nsec : 0;
}

// watch stops the worker if it works for long without an access. Time that it is not given
// by the system does not count.
void *watch(void *) {
    clockid_t clock;
    if (pthread_getcpuclockid(pool.workers[0].id, &clock) != 0)
        return nullptr;
    uint64_t beat = 0, since = 0;
    for (;;) {
        usleep(50000);
        uint64_t now = nanoseconds(clock), seen = __atomic_load_n(&s.beat, __ATOMIC_RELAXED);
        if (!__atomic_load_n(&s.active, __ATOMIC_RELAXED) || seen != beat) {
            beat = seen;
            since = now;
        } else if (now - since > s.patience && !s.hung) {
            s.hung = true;
            pthread_kill(pool.workers[0].id, SIGTRAP);
        }
    }
}

} // namespace

// ---- what Go calls ----

extern "C" {

// gw_check runs a kernel as gw_launch does. The result is valid until the next call.
GW_API int gw_check(const Request *request, const Entry *entry, const char *args, const uint32_t *dims, uint32_t shared, const char *name,
                    Failure *failure, Result *result) {
    static std::vector<Counter> counters;
    for (Site *site : s.sites) {
        free(site->groups);
        delete site;
    }
    s.sites.clear();
    s.dirty.clear();
    s.findings.clear();
    s.undo.clear();
    s.pending.clear();
    s.begun.clear();
    s.variables.clear();
    s.request = request;
    s.base = request->base;
    s.size = request->size;
    s.table.assign(request->size, nullptr);
    s.ranges.assign(request->ranges, request->ranges + request->rangeCount);
    s.tls = 0;
    s.launchClock = ++s.clock;
    memset(s.fenced, 0, sizeof s.fenced);
    s.pc = ~0ull;
    s.badPc = 0;
    s.hung = false;
    s.patience = request->patience;
    s.beat++;
    static bool watched = false;
    if (!watched) {
        pthread_t watchdog;
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        watched = pthread_create(&watchdog, nullptr, watch, nullptr) == 0;
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    s.about = Kind(0);
    s.line = 0;
    s.op = Read;

    const Manner inOrder = {forward, 1, 0};
    int code = gw_launch(entry, args, dims, shared, &inOrder, name, failure);

    s.active = false;
    s.size = 0; // nothing that runs now is a kernel
    for (auto u = s.undo.rbegin(); u != s.undo.rend(); ++u)
        memcpy(reinterpret_cast<void *>(u->address), u->bytes, u->size);
    counters.clear();
    for (Site *site : s.sites)
        if (site->space != Ignored && site->count.lanes > 0)
            counters.push_back(site->count);
    *result = {s.findings.data(), s.findings.size(), counters.data(), counters.size()};
    return code;
}

// gw_tired says that the clock nears its end: the cells must be cleared, and are to be in
// the memory that Go holds, too.
GW_API int gw_tired() {
    if (s.clock < clockLimit)
        return 0;
    s.clock = 0;
    if (s.sharedCells != nullptr)
        memset(static_cast<void *>(s.sharedCells), 0, s.sharedCellsSize);
    return 1;
}

// ---- what the compiler calls ----

#define FROM __builtin_return_address(0)

#define HOOK(name, op, size)                                                                                             \
    GW_API void __tsan_##name##size(void *p) { access<size, op>(reinterpret_cast<uint64_t>(p), FROM); }
#define HOOKS(name, op) HOOK(name, op, 1) HOOK(name, op, 2) HOOK(name, op, 4) HOOK(name, op, 8) HOOK(name, op, 16)
HOOKS(read, Read)
HOOKS(write, Write)
HOOKS(volatile_read, VolatileRead)
HOOKS(volatile_write, VolatileWrite)

#define UNALIGNED(name, op, size)                                                                                        \
    GW_API void __tsan_unaligned_##name##size(void *p) { pieces<op>(reinterpret_cast<uint64_t>(p), size, FROM); }
#define UNALIGNEDS(name, op) UNALIGNED(name, op, 2) UNALIGNED(name, op, 4) UNALIGNED(name, op, 8) UNALIGNED(name, op, 16)
UNALIGNEDS(read, Read)
UNALIGNEDS(write, Write)
UNALIGNEDS(volatile_read, VolatileRead)
UNALIGNEDS(volatile_write, VolatileWrite)

GW_API void __tsan_read_range(void *p, unsigned long n) { pieces<Read>(reinterpret_cast<uint64_t>(p), n, FROM); }
GW_API void __tsan_write_range(void *p, unsigned long n) { pieces<Write>(reinterpret_cast<uint64_t>(p), n, FROM); }

// Functions of C that access memory for the kernel: check/assembly.go puts their names in the
// place of the ordinary ones.
GW_API void *gw_memcpy(void *to, const void *from, size_t n) {
    pieces<Read>(reinterpret_cast<uint64_t>(from), n, FROM);
    pieces<Write>(reinterpret_cast<uint64_t>(to), n, FROM);
    return memcpy(to, from, n);
}
GW_API void *gw_memmove(void *to, const void *from, size_t n) {
    pieces<Read>(reinterpret_cast<uint64_t>(from), n, FROM);
    pieces<Write>(reinterpret_cast<uint64_t>(to), n, FROM);
    return memmove(to, from, n);
}
GW_API void *gw_memset(void *to, int v, size_t n) {
    pieces<Write>(reinterpret_cast<uint64_t>(to), n, FROM);
    return memset(to, v, n);
}

GW_API void __tsan_init() {}
GW_API void __tsan_func_entry(void *) {}
GW_API void __tsan_func_exit() {}
GW_API void __tsan_vptr_update(void **, void *) {}
GW_API void __tsan_vptr_read(void **) {}

// Loads that are atomic are part of atomic functions, which count as a whole.
#define ATOMIC(bits, T)                                                                                                  \
    GW_API T __tsan_atomic##bits##_load(const volatile T *p, int) { return *p; }                                         \
    GW_API void __tsan_atomic##bits##_store(volatile T *p, T v, int) {                                                   \
        T before = *p;                                                                                                   \
        Site *site = access<bits / 8, Atomic>(reinterpret_cast<uint64_t>(p), FROM);                                      \
        *p = v;                                                                                                          \
        changed(site, p, before);                                                                                        \
    }                                                                                                                    \
    ATOMIC_OP(bits, T, exchange, v)                                                                                      \
    ATOMIC_OP(bits, T, fetch_add, before + v)                                                                            \
    ATOMIC_OP(bits, T, fetch_sub, before - v)                                                                            \
    ATOMIC_OP(bits, T, fetch_and, before &v)                                                                             \
    ATOMIC_OP(bits, T, fetch_or, before | v)                                                                             \
    ATOMIC_OP(bits, T, fetch_xor, before ^ v)                                                                            \
    ATOMIC_OP(bits, T, fetch_nand, ~(before & v))                                                                        \
    ATOMIC_CAS(bits, T, compare_exchange_strong)                                                                         \
    ATOMIC_CAS(bits, T, compare_exchange_weak)
#define ATOMIC_OP(bits, T, name, result)                                                                                 \
    GW_API T __tsan_atomic##bits##_##name(volatile T *p, T v, int) {                                                     \
        Site *site = access<bits / 8, Atomic>(reinterpret_cast<uint64_t>(p), FROM);                                      \
        T before = *p;                                                                                                   \
        *p = T(result);                                                                                                  \
        changed(site, p, before);                                                                                        \
        return before;                                                                                                   \
    }
#define ATOMIC_CAS(bits, T, name)                                                                                        \
    GW_API int __tsan_atomic##bits##_##name(volatile T *p, T *expected, T v, int, int) {                                 \
        Site *site = access<bits / 8, Atomic>(reinterpret_cast<uint64_t>(p), FROM);                                      \
        T before = *p;                                                                                                   \
        bool equal = before == *expected;                                                                                \
        compares(site, reinterpret_cast<uint64_t>(p));                                                                   \
        if (equal)                                                                                                       \
            *p = v;                                                                                                      \
        else                                                                                                             \
            *expected = before;                                                                                          \
        changed(site, p, before);                                                                                        \
        return equal;                                                                                                    \
    }
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

GW_API void __tsan_atomic_thread_fence(int) {
    if (s.active)
        s.fenced[s.me] = s.clock;
}
GW_API void __tsan_atomic_signal_fence(int) {}

} // extern "C"

} // namespace gwsim
