// What Go and check mode's runtime know of each other; ../launch.go mirrors it.
#pragma once

#include <stdint.h>

namespace gwsim {
namespace check {

// A cell is what is remembered of 4 bytes of memory: who wrote them last, and the last two
// threads that read them. A clock of 0 is never.
struct Cell {
    uint32_t writeClock;
    uint16_t writer, writeTurn;
    uint32_t writeSite; // index << 4 | the bytes written
    uint32_t readClock;
    uint16_t reader, readTurn;
    uint32_t readSite; // likewise
    uint32_t otherClock;
    uint16_t other, otherTurn;
    uint32_t otherSite;
};

enum Space : uint32_t { Ignored, Global, Shared, Variable, Freed };
enum Op : uint32_t { Read, Write, Atomic, VolatileRead, VolatileWrite };
enum Kind : uint32_t {
    OutOfBounds = 1,
    UseAfterFree,
    NullPointer,
    Misaligned,
    Uninitialised,
    Race,
    DivergentBarrier,
    EarlyExit,
    Deadlock,
    WarpMask,
    Fault,
    InactiveLane,
};

// A range is memory that a kernel may use, or may not use any more.
struct Range {
    uint64_t lo, hi;
    uint64_t origin; // the address of cells[0] and of bit 0 of set
    Cell *cells;
    uint8_t *set; // a bit for each byte that holds a value; null if all do
    Space space;
    uint32_t id; // Go's
};

// The kinds of events, after those of Op.
enum EventKind : uint8_t { LineRuns = 8, BarrierPassed, WarpMet, Strays, FrameHas };

// An event is something that a thread of a recorded block did.
struct Event {
    uint64_t address;       // of the memory, in shared memory from its start; or the stack pointer, where a line runs
    uint64_t before, after; // the memory's bytes; or, in before, the frame pointer, where a line runs
    uint32_t pc;            // relative to the module; or the line of a barrier
    uint32_t block;         // its linear index
    uint16_t thread;        // in the block
    uint8_t kind, size;     // an Op or an EventKind; at most 8 bytes, and inSharedMemory
    uint32_t range;         // the id of the memory's range
};

constexpr uint8_t inSharedMemory = 0x80;

// A recording says which blocks to record, and where.
struct Recording {
    uint64_t first, blocks;
    Event *events;
    uint64_t capacity;
    uint64_t frames; // 1 if the variables of functions are recorded
};

struct Request {
    const Range *ranges; // disjoint, by address
    uint64_t rangeCount;
    const Range *shared; // likewise, with addresses counted from the start of shared memory
    uint64_t sharedCount;
    const uint64_t *mapped; // pairs: memory that can be written without a fault
    uint64_t mappedCount;
    uint64_t base, size; // where the module is loaded
    char *(*tls)();      // a place in shared memory,
    uint64_t tlsAt;      // which is so far from its start
    uint64_t tlsSize;
    uint64_t patience; // nanoseconds of work without a load or store, after which a thread is stopped
    uint32_t gang[3], cooperative; // as in Manner
    uint32_t meets, serial;        // the module has operations of warps; its number
    Recording recording;           // without blocks, nothing is recorded
};

struct Place {
    uint32_t block[3], thread[3];
};

struct Finding {
    Kind kind;
    Op op, otherOp;
    Space space;
    uint32_t size, id; // bytes of the access; the range that is meant
    uint32_t line;     // if it is known without pc
    uint32_t hasOther;
    uint64_t address, lo, hi; // of the access; of the range
    uint64_t pc, otherPc;     // relative to the module
    Place at, other;
    uint64_t count;
    char text[512];
};

// A counter is what an instruction of the kernel did in one kind of memory.
struct Counter {
    uint64_t pc;
    Space space;
    Op op;
    uint32_t size, reserved;
    uint64_t lanes;    // accesses of single threads
    uint64_t requests; // of warps, as far as they were looked at one by one
    uint64_t active;   // lanes of those
    uint64_t sectors, wavefronts, leastWavefronts, addresses;
};

// Live is memory that a kernel has taken from the heap, and not given back.
struct Live {
    uint64_t size;
    uint64_t pc;     // where, relative to the module
    uint64_t number; // among all
    uint64_t launch; // that has taken it
    Place at;
};

// Effort is how often threads went to a kind of memory: all together, and the one that did so most.
struct Effort {
    uint64_t threads, accesses, most;
    Place at;
};

struct Result {
    const Finding *findings;
    uint64_t findingCount;
    const Counter *counters;
    uint64_t counterCount;
    const Live *live; // of all launches
    uint64_t liveCount;
    uint64_t launch; // its number, for Live
    Effort efforts[2]; // for global and for shared memory
    uint64_t events;   // those that there were: more than the recording's capacity if some were left out
};

} // namespace check
} // namespace gwsim
