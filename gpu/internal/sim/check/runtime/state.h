// What check mode remembers of a launch, and its findings.
#pragma once

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
// Where memory.go puts chunks, and some room before them, where indices below 0 lead.
constexpr uint64_t deviceLo = 0x0fff00000000, deviceHi = 0x1fff00000000;

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
    bool waits;        // it reads a volatile variable until another thread has changed it: so it was seen,
    bool inLoop;       // or it stands in a loop that does nothing else,
    bool varies;       // and not with the same variable each time
    bool straight;     // it stands in no loop
    uint16_t looker;   // the thread that was here last for a volatile variable,
    uint32_t lookedSince; // since which barrier,
    uint64_t looked, lookedAt; // for which variable, and the progress then
    uint64_t strayed;        // where it was last beside the shared variables
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

// Work is how often a thread went to global and to shared memory.
struct Work {
    uint32_t accesses[2];
};

// A seat is what belongs to a worker: the shared memory of its thread, and what its block
// knows.
struct Seat {
    uint64_t tls;
    Cell *cells;
    uint64_t cellsSize;
    std::vector<uint8_t> set;
    std::vector<Acquired> acquired;
    std::vector<Work> work; // of each thread of the block
};

// A turn is a stretch in which one block runs and no other.
struct Turn {
    uint32_t clock; // at its beginning
    uint32_t block;
};

struct Trial;

// One worker runs at a time, so there is one state; hooks have no other way to it.
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

    std::vector<Seat> seats; // by worker
    Seat *seat;              // the running one's

    uint32_t clock, launchClock, blockClock;
    uint32_t sharedClock; // accesses to shared memory before that are of other blocks
    bool ganged;          // blocks run at the same time
    uint32_t gangBegun, gangClock; // when the gang began, and when its blocks last met
    std::vector<Turn> begun; // the turns of the blocks of the launch
    uint16_t me, turn;
    uint32_t lane, warp;
    uint16_t turns[maxWarps];
    uint32_t fenced[maxThreads]; // the clock of a thread's last fence

    Effort efforts[2];
    Work *work; // of the running block's threads

    std::unordered_map<uint64_t, Synced> variables;

    uint64_t progress, idleProgress;
    uint64_t watched[4];
    uint32_t spins, idle, spinner;
    bool readsClock; // a thread has looked at the clock
    int alive; // threads when the block was last found waiting

    pthread_t runner; // the worker that runs
    uint64_t beat; // goes on with every access; the watchdog looks at it
    uint64_t patience; // the watchdog's
    bool hung;     // the watchdog has stopped the running thread

    bool keeps;        // what is written is kept, so that the launch can be run again,
    bool lasting;      // which it cannot, as it does more than that
    Trial *trial;      // null but when it is run again
    uint64_t lastBeat; // where that is given up
    uint64_t text;     // a digest of what the launch has printed

    bool records;      // the running block is recorded
    uint64_t events;   // so far,
    uint64_t unwritten; // of which the last ones, from here, are writes that may not have taken place

    uint64_t pc; // of the access or the fault that comes to mind
    uint64_t badPc;
    uint64_t aboutPc; // where the kernel has called what fails, if line is known
    Kind about;
    uint32_t line;
    Op op;
};
State s;

bool writes(Op op) { return op == Write || op == Atomic || op == VolatileWrite; }

Place here() { return {{blockIdx.x, blockIdx.y, blockIdx.z}, {threadIdx.x, threadIdx.y, threadIdx.z}}; }

// turnAt is the turn that a clock falls in.
const Turn &turnAt(uint32_t clock) {
    return *(std::upper_bound(s.begun.begin(), s.begun.end(), clock, [](uint32_t c, const Turn &t) { return c < t.clock; }) - 1);
}

Place placeOf(uint32_t clock, uint16_t thread) {
    Place p = here();
    if (clock < s.blockClock) {
        uint64_t b = turnAt(clock).block;
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

} // namespace
} // namespace check
} // namespace gwsim
