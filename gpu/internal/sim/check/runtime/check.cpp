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
#include <array>
#include <deque>
#include <map>
#include <math.h>
#include <ucontext.h>
#include <unordered_map>
#include <vector>

// RARE keeps what seldom happens out of the way of every access.
#define RARE __attribute__((noinline, cold))

#include "state.h"
#include "again.h"
#include "heap.h"
#include "requests.h"
#include "ranges.h"
#include "races.h"
#include "waits.h"
#include "record.h"
#include "access.h"

namespace gwsim {

namespace check {
namespace {

// begin forgets the last run of a launch.
void begin(const Request *request) {
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
    for (auto &[a, b] : heap.blocks)
        s.ranges.push_back(rangeOf(a, b));
    s.seats.resize(maxWorkers);
    for (Seat &seat : s.seats)
        seat.tls = 0;
    s.launchClock = s.gangBegun = s.gangClock = ++s.clock;
    s.ganged = request->gang[0] != 0;
    memset(s.fenced, 0, sizeof s.fenced);
    s.efforts[0] = s.efforts[1] = {};
    s.pc = ~0ull;
    s.badPc = 0;
    s.hung = s.readsClock = false;
    s.beat++;
    s.text = 0xcbf29ce484222325;
    s.about = Kind(0);
    s.aboutPc = ~0ull;
    s.line = 0;
    s.op = Read;
    s.records = false;
    s.events = s.unwritten = 0;
}

// end takes back what the run has written out of bounds.
void end() {
    s.active = false;
    s.size = 0; // nothing that runs now is a kernel
    for (auto u = s.undo.rbegin(); u != s.undo.rend(); ++u)
        memcpy(reinterpret_cast<void *>(u->address), u->bytes, u->size);
}

} // namespace
} // namespace check
} // namespace gwsim

#include "inactive.h"

namespace gwsim {

// ---- what the scheduler tells ----

using namespace check;

namespace observe {

namespace {

// takeSeat makes the running worker's shared memory known, for the first block that it runs in a launch.
void takeSeat() {
    const Request &r = *s.request;
    Seat &seat = *s.seat;
    seat.tls = reinterpret_cast<uint64_t>(r.tls()) - r.tlsAt;
    uint64_t cells = (r.tlsSize / 4 + 8) * sizeof(Cell);
    if (cells > seat.cellsSize) {
        if (seat.cells != nullptr)
            munmap(seat.cells, seat.cellsSize);
        seat.cells = static_cast<Cell *>(
            mmap(nullptr, cells, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        seat.cellsSize = cells;
    }
    uint64_t origin = seat.tls & ~15ull, end = 0;
    for (uint64_t i = 0; i < r.sharedCount; i++)
        end = std::max(end, r.shared[i].hi);
    seat.set.assign(r.sharedCount == 0 ? 0 : (end + 16) / 8 + 3, 0);
    for (uint64_t i = 0; i < r.sharedCount; i++) {
        Range v = r.shared[i];
        v.lo += seat.tls;
        v.hi += seat.tls;
        v.origin = origin;
        v.cells = seat.cells;
        v.set = seat.set.data();
        s.ranges.push_back(v);
    }
    // The runtime's own variables, where warps exchange values, and the threads' stacks.
    uint64_t lo = ~0ull, hi = 0;
    for (const void *p : {(const void *)&threadIdx, (const void *)&blockIdx, (const void *)&blockDim, (const void *)&gridDim,
                          (const void *)&promoted, (const void *)&dynamicShared}) {
        lo = std::min(lo, reinterpret_cast<uint64_t>(p));
        hi = std::max(hi, reinterpret_cast<uint64_t>(p) + sizeof(uint3));
    }
    s.ranges.push_back({lo, hi, 0, nullptr, nullptr, Ignored, 0});
    lo = reinterpret_cast<uint64_t>(self);
    s.ranges.push_back({lo, lo + sizeof(Worker), 0, nullptr, nullptr, Ignored, 0});
    lo = reinterpret_cast<uint64_t>(self->stacks);
    s.ranges.push_back({lo, lo + directStackBytes + maxThreads * stackBytes, 0, nullptr, nullptr, Ignored, 0});
    std::sort(s.ranges.begin(), s.ranges.end(), [](const Range &a, const Range &b) { return a.lo < b.lo; });
    s.active = true;
}

// relative is an address in the module, counted from its start, or ~0.
uint64_t relative(const void *p) {
    uint64_t pc = reinterpret_cast<uint64_t>(p) - s.base;
    return pc < s.size ? pc : ~0ull;
}

// turn begins a stretch in which only the running worker's block runs.
void turn() {
    s.seat = &s.seats[self - pool.workers];
    s.seat->work.resize(maxThreads);
    s.work = s.seat->work.data();
    __atomic_store_n(&s.runner, self->id, __ATOMIC_RELAXED);
    s.blockClock = ++s.clock;
    s.sharedClock = s.ganged ? s.launchClock : s.blockClock;
    s.begun.push_back({s.clock, uint32_t(linearBlock())});
    s.warp = ~0u;
    s.spinner = ~0u;
    const Recording &recording = s.request->recording;
    s.records = s.trial == nullptr && linearBlock() - recording.first < recording.blocks;
}

} // namespace

void blockBegins() {
    turn();
    if (s.seat->tls == 0)
        takeSeat();
    std::fill(s.seat->set.begin(), s.seat->set.end(), 0);
    s.seat->acquired.clear();
    std::fill(s.seat->work.begin(), s.seat->work.end(), Work{});
    s.progress++;
}

void turnEnds() {
    if (s.records)
        completeWrites();
    settle();
    flush();
}

void turnBegins(int thread) {
    turn();
    threadRuns(thread);
}

void gangMet(bool between) {
    s.gangClock = ++s.clock;
    if (between)
        s.gangBegun = s.clock;
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
    if (s.records)
        completeWrites();
    settle();
    flush();
    uint32_t threads = blockDim.x * blockDim.y * blockDim.z;
    for (int space = 0; space < 2; space++) {
        Effort &e = s.efforts[space];
        e.threads += threads;
        for (uint32_t t = 0; t < threads; t++) {
            uint32_t n = s.work[t].accesses[space];
            e.accesses += n;
            if (n > e.most) {
                uint3 at = position(t);
                e.most = n;
                e.at = {{blockIdx.x, blockIdx.y, blockIdx.z}, {at.x, at.y, at.z}};
            }
        }
    }
    s.progress++;
}

void barrierReleased(const char *name, int line, const void *from, bool all) {
    if (s.records)
        recordMeeting(BarrierPassed, 0, line);
    settle();
    flush();
    s.clock++;
    s.progress++;
    if (all || line == 0)
        return;
    for (Finding &f : s.findings)
        if (f.kind == EarlyExit && f.line == uint32_t(line) && f.pc == relative(from))
            return;
    Finding f = {};
    f.kind = EarlyExit;
    f.line = line;
    f.pc = relative(from);
    f.otherPc = ~0ull;
    f.at = here();
    f.count = 1;
    snprintf(f.text, sizeof f.text, "%s", name);
    s.findings.push_back(f);
}

void warpReleased(bool all) {
    if (s.records && all)
        recordMeeting(WarpMet, s.warp * 32, 0);
    if (all)
        flush();
    s.turn = ++s.turns[s.warp];
    s.progress++;
}

void shuffled(int warp, const char *name) {
    const auto &g = self->warps[warp].group;
    for (uint32_t rest = g.lanes; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        if (uint32_t from = g.arg[lane] & 31; !(g.lanes >> from & 1))
            readInactive(self, warp, lane, from, relative(self->fibers[warp * 32 + lane].from), name);
    }
}

void lanesEnded(int warp) {
    const uint32_t here = self->warps[warp].live;
    const int first = warp * 32 + __builtin_ctz(here), missing = __builtin_ctz(~here);
    const Fiber &f = self->fibers[first];
    const uint64_t pc = relative(f.from);
    for (Finding &known : s.findings) {
        if (known.kind == InactiveLane && known.line == uint32_t(f.line) && known.pc == pc) {
            known.count++;
            return;
        }
    }
    if (s.findings.size() >= mostFindings)
        return;
    Finding one = {};
    one.kind = InactiveLane;
    one.line = f.line;
    one.pc = pc;
    one.otherPc = ~0ull;
    const uint3 me = position(first), gone = position(warp * 32 + missing);
    one.at = {{blockIdx.x, blockIdx.y, blockIdx.z}, {me.x, me.y, me.z}};
    one.count = 1;
    snprintf(one.text, sizeof one.text,
             "executes %s without lane %d of the warp, whose thread (%u,%u,%u) has returned before: all 32 lanes must execute it, or its result is undefined", f.what,
             missing, gone.x, gone.y, gone.z);
    s.findings.push_back(one);
}

bool printed(const char *text, size_t n) {
    for (size_t i = 0; i < n; i++)
        s.text = (s.text ^ uint8_t(text[i])) * 0x100000001b3;
    return s.trial == nullptr;
}

void lasts() { cannotRepeat(); }

void about(Defect d, int line, const void *from) {
    constexpr Kind kinds[] = {check::DivergentBarrier, check::Deadlock, check::WarpMask, Fault, Fault};
    s.about = kinds[d];
    s.line = line;
    s.aboutPc = relative(from);
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
#if defined(__aarch64__)
    // What calls nothing itself has the way back in a register.
    if (c->uc_mcontext.regs[30] - s.base < s.size) {
        s.pc = c->uc_mcontext.regs[30] - s.base;
        return;
    }
#endif
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
    if (s.records)
        completeWrites();
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
    f.pc = s.pc < s.size ? s.pc : s.aboutPc;
    f.otherPc = ~0ull;
    f.line = s.line;
    f.at = here();
    f.count = 1;
    snprintf(f.text, sizeof f.text, "%s", text);
    s.findings.push_back(f);
}

} // namespace observe

void clockRead() { s.readsClock = true; }

void threadBegins() { observe::threadRuns(linear(threadIdx)); }

namespace {

uint64_t nanoseconds(clockid_t clock) {
    timespec t;
    return clock_gettime(clock, &t) == 0 ? t.tv_sec * 1000000000ull + t.tv_nsec : 0;
}

// watch stops the running worker if it works for long without an access. Time that it is not
// given by the system does not count.
void *watch(void *) {
    uint64_t beat = 0, since = 0;
    pthread_t watched = 0;
    for (;;) {
        usleep(50000);
        pthread_t runner = __atomic_load_n(&s.runner, __ATOMIC_RELAXED);
        clockid_t clock;
        if (!__atomic_load_n(&s.active, __ATOMIC_RELAXED) || pthread_getcpuclockid(runner, &clock) != 0)
            continue;
        uint64_t now = nanoseconds(clock), seen = __atomic_load_n(&s.beat, __ATOMIC_RELAXED);
        if (seen != beat || runner != watched) {
            beat = seen;
            watched = runner;
            since = now;
        } else if (now - since > s.patience && !s.hung) {
            s.hung = true;
            pthread_kill(runner, SIGTRAP);
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
    heap.launch++;
    s.trial = nullptr;
    s.lasting = false;
    s.lastBeat = ~0ull;
    s.patience = request->patience;
    sources.clear();
    begin(request);
    s.keeps = request->meets != 0;
    uint64_t beats = s.beat;
    static bool watched = false;
    if (!watched) {
        pthread_t watchdog;
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        watched = pthread_create(&watchdog, nullptr, watch, nullptr) == 0;
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    const Manner inOrder = {forward, 1, 0, {request->gang[0], request->gang[1], request->gang[2]}, request->cooperative};
    int code = gw_launch(entry, args, dims, shared, &inOrder, name, failure);
    if (code != 0)
        for (auto &[a, b] : heap.blocks)
            memset(b.set, 0xff, b.size / 8 + 3); // nobody knows what the rest of the launch would have written

    end();
    uint64_t events = s.events;
    counters.clear();
    for (Site *site : s.sites)
        if (site->space != Ignored && site->count.lanes > 0)
            counters.push_back(site->count);
    listLive();
    const Effort efforts[2] = {s.efforts[0], s.efforts[1]};
    if (code == 0)
        findInactive({request, entry, args, dims, shared, &inOrder, name}, s.beat - beats);
    pages.clear();
    s.keeps = false;
    *result = {s.findings.data(), s.findings.size(), counters.data(), counters.size(), heap.live.data(), heap.live.size(), heap.launch, {efforts[0], efforts[1]}, events};
    return code;
}

// gw_tired says that the clock nears its end: the cells must be cleared, and are to be in
// the memory that Go holds, too.
GW_API int gw_tired() {
    if (s.clock < clockLimit)
        return 0;
    s.clock = 0;
    for (Seat &seat : s.seats)
        if (seat.cells != nullptr)
            memset(static_cast<void *>(seat.cells), 0, seat.cellsSize);
    for (auto &[a, b] : heap.blocks)
        memset(static_cast<void *>(b.cells), 0, (b.size / 4 + 8) * sizeof(Cell));
    return 1;
}

} // extern "C"

} // namespace gwsim

#include "hooks.h"
#include "results.h"
#include "footprint.h"
