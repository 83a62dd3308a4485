// The simulator's runtime: worker threads that run the blocks of a launch, and the
// scheduling of a block's threads.
//
// A worker runs a block's threads one after the other in a plain loop ("direct mode").
// The first thread that has to wait for others promotes the block: it keeps the stack it
// is on, every thread after it gets a stack of its own, and they switch among themselves.
// Threads before it have ended already, which is what makes the change possible midway.
#include "abi.h"

#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <link.h>
#include <numeric>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

// Check mode builds this file with an observer of its own, which is told what the scheduler
// does. Otherwise there is nobody to tell.
#ifdef GW_CHECK
#include "observe.h"
#else
namespace gwsim {
namespace observe {
enum Defect { DivergentBarrier, Deadlock, WarpMask, Assertion, Trap };
inline void blockBegins() {}
inline void blockEnds() {}
inline void threadRuns(int) {}
inline void barrierReleased(const char *, int, const void *, bool) {}
inline void warpReleased(bool) {}
inline void shuffled(int, const char *) {}
inline void lanesEnded(int) {}
inline bool printed(const char *, size_t) { return true; }
inline void lasts() {}
inline void about(Defect, int, const void *) {}
inline void faulted(const void *) {}
inline void failed(const char *) {}
inline void turnEnds() {}
inline void turnBegins(int) {}
inline void gangMet(bool) {}
constexpr bool inTurn = false;
} // namespace observe
} // namespace gwsim
#endif

#undef GW_TLS
#define GW_TLS GW_API __attribute__((tls_model("initial-exec"))) __thread

GW_TLS uint3 threadIdx, blockIdx;
GW_TLS dim3 blockDim, gridDim;

namespace gwsim {

GW_TLS unsigned promoted;
GW_TLS unsigned dynamicShared;
GW_TLS unsigned carry;
GW_TLS Configured *launching;

namespace {

constexpr int maxThreads = 1024;
constexpr int maxWarps = maxThreads / 32;
constexpr size_t directStackBytes = 1 << 20;
constexpr size_t splitStackBytes = 64 << 20; // for the variables of all threads of a block
#if defined(__aarch64__)
constexpr size_t guardBytes = 64 << 10; // a page may be as large; compilers touch no less often than that
#else
constexpr size_t guardBytes = 16 << 10;
#endif
constexpr size_t stackBytes = guardBytes + (128 << 10);
constexpr int spins = 2000; // looks at a flag before sleeping: some 20 µs, the price of a sleep and a wake-up
constexpr size_t printLimit = 1 << 20; // per worker, before it writes in the middle of a launch

enum { cudaErrorIllegalAddress = 700, cudaErrorAssert = 710, cudaErrorIllegalInstruction = 715, cudaErrorLaunchFailed = 719 };

// In which order the threads of a block run, and the blocks of a grid.
enum Order : uint32_t { forward, backward, shuffled };

// How a launch is run, as Go wishes it.
struct Manner {
    Order order;
    uint32_t unsplit; // give threads stacks even where the kernel has a split form
    uint64_t seed;    // of the order that is shuffled
    // The blocks that run at the same time, each on a worker of its own, as a box of the
    // grid: a cluster, or all of them. 0 if there is no such promise.
    uint32_t gang[3];
    uint32_t cooperative; // the gang is the grid
};

constexpr int maxWorkers = 1024; // and so the largest gang

// What Go reads when a launch failed.
struct Failure {
    int32_t code;
    char message[1020];
    uint64_t at; // offset in the kernel's library of the instruction that faulted, or 0
};

struct Launch {
    const Entry *entry;
    const char *args;
    const char *name;
    uint64_t blocks, batch;
    uint64_t next;     // the next block to hand out
    uint32_t failed;   // set once, by the worker whose failure is reported
    int running;       // workers that are not done, under the pool's lock
    int given;         // workers that it has had, under the pool's lock
    dim3 grid, block;
    uint32_t shared;
    Manner manner;
    bool split;    // blocks run in the kernel's split form

    int gang;                   // blocks of a gang, or 0
    int joined;                 // workers that have a place in it
    pthread_mutex_t meeting;    // the gang's barrier
    pthread_cond_t met;
    int arrived, arrivedLine;   // the line is 0 at the end of a block
    const char *arrivedName;
    const void *arrivedFrom;
    uint64_t meetings;
    char *shared0[maxWorkers];  // where the workers' shared memory is
    bool waiting[maxWorkers];   // by place
    int turn;                   // the place that runs, if the gang's blocks take turns

    // Blocks that workers have taken and given back, under meeting.
    struct Range {
        uint64_t begin, end;
    } ranges[maxWorkers];
    int returned;
    struct {
        uintptr_t in, begin, end;
    } text; // the code of the kernel's module; empty until somebody asks

    bool reported; // the failure has been passed on, under the pool's lock
    Failure failure;
};

enum Wait : uint8_t { atNothing, atBarrier, atCollective, atActive, atPhases };

// A thread of a promoted block.
struct Fiber {
    void *sp; // where to go on; null before the start
    Wait wait;
    int line;
    const void *from; // the address that the call returns to
    const char *what;
    const Op *op;
    uint32_t mask;
    const Phases *phases;
    uint32_t done; // phases that must have ended
    // Of lanes in lockstep: where the thread's calls begin on its stack, and how far from there the waiting one is.
    const char *base;
    ptrdiff_t depth;
};

struct Warp {
    uint32_t live, ready, collecting, active;
    uint32_t spinning; // lanes that can run, but seem to wait for others (runtime_preempt.h)
    uint32_t stepping; // lanes that wait before an access to a volatile variable
    int barrierLine;   // at which its lanes wait, 0 if none does
    Group group;
};

// A Watch is what is known of a thread that runs long (runtime_preempt.h).
struct Sample {
    uintptr_t pc;
    uint64_t registers;
};
struct Watch {
    uint64_t block, progress;
    int thread, looks, turns;
    bool sure;     // the thread waits for another, or runs the same instructions with the same values all the time
    bool spinning; // a thread of the block waits for another
    bool stalled;  // all of them
    bool napping;
    int naps;
    Sample samples[16];
};

struct Output {
    uint64_t block;
    size_t length;
};

struct Worker {
    pthread_t id;
    Launch *launch;
    void *home; // the worker's own context while kernels run
    char *stacks, *splitStack;
    void *touched;                       // an address in the shared memory of the kernel's module
    const char *sharedBegin, *sharedEnd; // the shared memory of the kernel's module, once it was asked for
    int guarded; // stacks that have their guard pages
    uint64_t random; // state of the generator of a shuffled order

    // A split block failed: nobody knows which thread it was until the block has run again
    // with a stack for each.
    bool splitting, again;

    const char *base; // Fiber::base of direct mode
    uint64_t steps;   // of lanes in lockstep
    uint64_t begun, progress; // blocks; threads that have ended and operations for which they have met
    bool busy;        // the runtime calls the kernel's module
    bool signalled;   // by the thread that watches the launch
    int timer;        // of the system, for signals to this thread
    Watch watch;

    // The running block, once promoted.
    int threads, live, current;
    int scan; // the warp to look at first for a thread that can run
    int arrived, votes, result, barrierLine;
    bool barrierOfGang;
    const char *barrierName;
    const void *barrierFrom;
    int place; // in the gang
    uint64_t block, blockEnd;
    Fiber fibers[maxThreads];
    Warp warps[maxWarps];

    char *text;
    size_t textLength, textCapacity;
    Output *outputs;
    size_t outputCount, outputCapacity;
};

__attribute__((tls_model("initial-exec"))) __thread Worker *self;

struct Pool {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t work = PTHREAD_COND_INITIALIZER, done;
    Worker *workers = nullptr;
    int count = 0;
    int processors = 0; // the workers of ordinary launches; the others are for gangs
    pthread_cond_t gangWork = PTHREAD_COND_INITIALIZER;
    Launch *launch = nullptr;
    uint64_t generation = 0;
    int wanted = 0; // workers that may still join the current launch
};

// One process runs one simulated device, and signal handlers have no other way to it.
Pool pool;
struct sigaction previous[NSIG];
const int faultSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

// ---- context switch ----

#if defined(__x86_64__)
asm(R"(
.text
.p2align 4
.local gw_switch
.type gw_switch, @function
gw_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size gw_switch, .-gw_switch
)");

// newStack lays out a stack so that switching to it calls start.
void *newStack(char *top, void (*start)()) {
    auto sp = reinterpret_cast<void **>(top);
    *--sp = nullptr; // keeps the alignment that a call leaves, and ends backtraces
    *--sp = reinterpret_cast<void *>(start);
    for (int i = 0; i < 6; i++)
        *--sp = nullptr;
    return sp;
}
#elif defined(__aarch64__)
asm(R"(
.text
.p2align 4
.local gw_switch
.type gw_switch, %function
gw_switch:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x2, sp
    str x2, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
.size gw_switch, .-gw_switch
)");

void *newStack(char *top, void (*start)()) {
    auto sp = reinterpret_cast<void **>(top - 160);
    memset(sp, 0, 160);
    sp[11] = reinterpret_cast<void *>(start); // x30
    return sp;
}
#else
#error "the simulator has no context switch for this processor: it knows x86-64 and arm64"
#endif

extern "C" void gw_switch(void **save, void *to);

// ---- stacks ----

// Stack 0 is the one of direct mode; thread i of a promoted block has stack i + 1. Each
// lies above pages that may not be touched.
char *stackBase(Worker *w, int i) {
    return i == 0 ? w->stacks : w->stacks + directStackBytes + (i - 1) * stackBytes;
}

size_t stackSize(int i) { return i == 0 ? directStackBytes : stackBytes; }

char *stackTop(Worker *w, int i) {
    // Tops at the same offset would all fall on the same cache lines.
    return stackBase(w, i) + stackSize(i) - (i % 64) * 64;
}

void guardStacks(Worker *w, int n) {
    for (; w->guarded < n; w->guarded++)
        // Where the kernel allows no more mappings the stack still works, without guard.
        if (mprotect(stackBase(w, w->guarded), guardBytes, PROT_NONE) != 0)
            return;
}

// ---- failures ----

int linear(uint3 t) { return t.x + blockDim.x * (t.y + blockDim.y * t.z); }

uint3 position(int i) {
    return {i % blockDim.x, i / blockDim.x % blockDim.y, i / (blockDim.x * blockDim.y)};
}

// abandon leaves the launch from wherever the worker is. What was on its stacks is lost.
[[noreturn]] void abandon(Worker *w) {
    void *gone;
    gw_switch(&gone, w->home);
    __builtin_unreachable();
}

thread_local uint64_t faultAt;

// offsetOf returns the offset in the kernel's library of the instruction that faulted, or 0 if it is elsewhere.
uint64_t offsetOf(const Launch *l, const void *context) {
    auto &machine = static_cast<const ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
    uint64_t pc = machine.gregs[REG_RIP];
#elif defined(__aarch64__)
    uint64_t pc = machine.pc;
#endif
    Dl_info here, kernel;
    if (!dladdr(reinterpret_cast<void *>(pc), &here) || !dladdr(reinterpret_cast<void *>(l->entry->run), &kernel) || here.dli_fbase != kernel.dli_fbase)
        return 0;
    return pc - reinterpret_cast<uint64_t>(here.dli_fbase);
}

[[noreturn]] void fail(Worker *w, int code, const char *format, ...) {
    Launch *l = w->launch;
    uint64_t at = faultAt;
    faultAt = 0;
    bool again = w->again;
    w->again = w->splitting;
    w->splitting = false;
    if (__atomic_exchange_n(&l->failed, 1, __ATOMIC_ACQ_REL) == 0 || again) {
        char what[700], thread[64] = "a thread";
        va_list args;
        va_start(args, format);
        vsnprintf(what, sizeof what, format, args);
        va_end(args);
        observe::failed(what);
        if (!w->again)
            snprintf(thread, sizeof thread, "thread (%u,%u,%u)", threadIdx.x, threadIdx.y, threadIdx.z);
        pthread_mutex_lock(&pool.lock);
        if (!l->reported) {
            snprintf(l->failure.message, sizeof l->failure.message, "kernel %s, block (%u,%u,%u), %s: %s", l->name, blockIdx.x,
                     blockIdx.y, blockIdx.z, thread, what);
            l->failure.code = code;
            l->failure.at = at;
        }
        pthread_mutex_unlock(&pool.lock);
    } else {
        w->again = false; // another block's failure is told
    }
    abandon(w);
}

bool inGuard(Worker *w, const char *addr) {
    if (addr >= w->splitStack && addr < w->splitStack + splitStackBytes)
        return addr < w->splitStack + guardBytes;
    if (addr < w->stacks || addr >= stackBase(w, maxThreads + 1))
        return false;
    size_t off = addr - w->stacks;
    return off < directStackBytes ? off < guardBytes : (off - directStackBytes) % stackBytes < guardBytes;
}

// isWrapped reports whether an address is that of shared memory but for its upper 32 bits. It does not read the launch, which is gone if this
// block did not end with the others.
bool isWrapped(Worker *w, const char *addr) {
    return !inSharedMemory(addr, w->touched) && uint32_t(addr - w->sharedBegin) < uint64_t(w->sharedEnd - w->sharedBegin);
}

void onFault(int sig, siginfo_t *info, void *context) {
    Worker *w = self;
    if (w == nullptr || w->launch == nullptr) {
        // Not a kernel's: whoever was here before decides.
        struct sigaction &old = previous[sig];
        if (old.sa_flags & SA_SIGINFO) {
            old.sa_sigaction(sig, info, context);
        } else if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN) {
            old.sa_handler(sig);
        } else {
            sigaction(sig, &old, nullptr);
        }
        return;
    }
    // The handler is left without returning from it, so what it blocks is unblocked here.
    sigset_t set;
    sigemptyset(&set);
    for (int s : faultSignals)
        sigaddset(&set, s);
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    auto addr = static_cast<char *>(info->si_addr);
    observe::faulted(context);
    faultAt = offsetOf(w->launch, context);
    switch (sig) {
    case SIGFPE:
        fail(w, cudaErrorLaunchFailed, "integer division by zero");
    case SIGILL:
    case SIGTRAP:
        fail(w, cudaErrorIllegalInstruction, "illegal instruction at %p", info->si_addr);
    default:
        if (inGuard(w, addr))
            fail(w, cudaErrorIllegalAddress, "stack overflow: a thread's local variables and calls may take %zu KiB",
                 (stackBytes - guardBytes) >> 10);
        // For addresses that no pointer can hold the processor does not say which it was.
        if (info->si_code == SI_KERNEL)
            fail(w, cudaErrorIllegalAddress, "access to an address that no memory can have");
        if (isWrapped(w, addr))
            fail(w, cudaErrorIllegalAddress,
                 "access to address %p, where there is no memory (its lower 32 bits are an address of shared memory: on a GPU a large unsigned "
                 "subscript wraps around there; a signed one is right everywhere)", info->si_addr);
        fail(w, cudaErrorIllegalAddress, "access to address %p, where there is no memory", info->si_addr);
    }
}

// ---- scheduling of a promoted block ----

[[noreturn]] void fiberMain();
[[noreturn]] void stuck(Worker *w);
bool releaseActive(Worker *w);
bool releaseAllSteps(Worker *w);
bool releaseSpinning(Worker *w);
void makeTimer(Worker *w);
int addWorkers(int count);

uint64_t random(Worker *w) {
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    return w->random ^= w->random << 17;
}

// pickOddly is pick for other orders: the highest lane of the last warp, or any.
int pickOddly(Worker *w, int warps) {
    int start = w->launch->manner.order == shuffled ? random(w) % warps : warps - 1;
    for (int i = 0; i < warps; i++) {
        int at = (start - i + warps) % warps;
        uint32_t ready = w->warps[at].ready;
        if (ready == 0)
            continue;
        int lane = 31 - __builtin_clz(ready);
        if (w->launch->manner.order == shuffled) {
            uint32_t rest = ready;
            for (uint64_t skip = random(w) % __builtin_popcount(ready); skip > 0; skip--)
                rest &= rest - 1;
            lane = __builtin_ctz(rest);
        }
        w->warps[at].ready = ready & ~(1u << lane);
        return at * 32 + lane;
    }
    return -1;
}

// pick chooses the next thread that can run: the lowest lane of the current warp, or of
// the next warp that has any.
int pick(Worker *w) {
    int warps = (w->threads + 31) / 32;
    for (;;) {
        if (__builtin_expect(w->launch->manner.order != forward, 0)) {
            if (int next = pickOddly(w, warps); next >= 0)
                return next;
        } else {
            for (int i = 0, at = w->scan; i <= warps; i++) {
                if (uint32_t ready = w->warps[at].ready) {
                    int lane = __builtin_ctz(ready);
                    w->warps[at].ready = ready & (ready - 1);
                    w->scan = at;
                    return at * 32 + lane;
                }
                if (++at == warps)
                    at = 0;
            }
        }
        if (!releaseAllSteps(w) && !releaseActive(w) && !releaseSpinning(w))
            stuck(w);
    }
}

void *resume(Worker *w, int i) {
    w->current = i;
    observe::threadRuns(i);
    Fiber &f = w->fibers[i];
    if (f.sp == nullptr) {
        threadIdx = position(i);
        return newStack(stackTop(w, i + 1), fiberMain);
    }
    return f.sp;
}

// yield lets other threads run until someone makes this one ready.
void yield(Worker *w) {
    int me = w->current;
    int next = pick(w);
    if (next == me)
        return;
    uint3 idx = threadIdx;
    gw_switch(&w->fibers[me].sp, resume(w, next));
    threadIdx = idx;
}

// giveWay lets the next thread run that can, and returns when it is this one's turn again.
void giveWay(Worker *w) {
    int me = w->current;
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

void promote(Worker *w) {
    int me = linear(threadIdx);
    int n = blockDim.x * blockDim.y * blockDim.z;
    guardStacks(w, n + 1);
    promoted = 1;
    w->threads = n;
    w->live = n - me;
    w->barrierOfGang = false;
    w->current = me;
    w->scan = me / 32;
    w->arrived = w->votes = 0;
    for (int i = 0; i * 32 < n; i++) {
        Warp &warp = w->warps[i];
        uint32_t lanes = n - i * 32 >= 32 ? ~0u : (1u << (n - i * 32)) - 1;
        if (me >= i * 32 + 32)
            lanes = 0;
        else if (me > i * 32)
            lanes &= ~0u << (me - i * 32);
        warp.live = warp.ready = lanes;
        warp.collecting = warp.active = warp.stepping = warp.spinning = 0;
        warp.barrierLine = 0;
    }
    w->warps[me / 32].ready &= ~(1u << me % 32);
    for (int i = me; i < n; i++) {
        w->fibers[i].sp = nullptr;
        w->fibers[i].wait = atNothing;
    }
    w->fibers[me].base = w->base;
}

Worker *enter() {
    Worker *w = self;
    if (!promoted) {
        if (w->splitting)
            fail(w, cudaErrorLaunchFailed, "the simulator took a kernel apart that has a hidden barrier: please report this kernel");
        promote(w);
    }
    return w;
}

void releaseBarrier(Worker *w) {
    w->progress++;
    observe::barrierReleased(w->barrierName, w->barrierLine, w->barrierFrom, w->live == w->threads);
    for (int i = 0; i * 32 < w->threads; i++)
        w->warps[i].ready |= w->warps[i].live, w->warps[i].barrierLine = 0;
    w->result = w->votes;
    w->arrived = w->votes = 0;
    w->scan = 0; // all threads start over, in their order
}

// hold waits for what the other workers of a gang do, with the meeting locked.
template <class F> void hold(Launch *l, F done) {
    while (!done() && !__atomic_load_n(&l->failed, __ATOMIC_RELAXED)) {
        // Looking up from time to time spares a failing worker to know of gangs.
        timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 20'000'000;
        until.tv_sec += until.tv_nsec / 1'000'000'000;
        until.tv_nsec %= 1'000'000'000;
        pthread_cond_timedwait(&l->met, &l->meeting, &until);
    }
}

// nextTurn gives the turn to the next place that does not wait for all others.
void nextTurn(Launch *l) {
    for (int i = 1; i <= l->gang; i++) {
        int place = (l->turn + i) % l->gang;
        if (!l->waiting[place]) {
            l->turn = place;
            break;
        }
    }
    pthread_cond_broadcast(&l->met);
}

// passTurn lets the other blocks of the gang run, where blocks take turns.
void passTurn(Worker *w) {
    Launch *l = w->launch;
    if (!observe::inTurn || l->gang < 2)
        return;
    observe::turnEnds();
    pthread_mutex_lock(&l->meeting);
    nextTurn(l);
    hold(l, [&] { return l->turn == w->place; });
    pthread_mutex_unlock(&l->meeting);
    if (__atomic_load_n(&l->failed, __ATOMIC_RELAXED))
        abandon(w);
    observe::turnBegins(w->current);
}

// meet waits until all workers of the gang have come. line is that of the barrier, or 0
// when the block has ended.
void meet(Worker *w, const char *name, int line, const void *from) {
    Launch *l = w->launch;
    if (line != 0)
        observe::turnEnds();
    pthread_mutex_lock(&l->meeting);
    bool odd = l->arrived > 0 && (l->arrivedLine == 0) != (line == 0);
    if (l->arrived == 0) {
        l->arrivedName = name;
        l->arrivedLine = line;
        l->arrivedFrom = from;
    }
    uint64_t now = l->meetings;
    if (!odd && ++l->arrived == l->gang) {
        l->arrived = 0;
        l->meetings++;
        l->turn = 0;
        memset(l->waiting, 0, sizeof l->waiting);
        observe::gangMet(line == 0);
        pthread_cond_broadcast(&l->met);
    } else if (!odd) {
        l->waiting[w->place] = true;
        nextTurn(l);
    }
    if (!odd)
        hold(l, [&] { return l->meetings != now && (!observe::inTurn || l->turn == w->place); });
    pthread_mutex_unlock(&l->meeting);
    if (odd) {
        observe::about(observe::Deadlock, line ? line : l->arrivedLine, line ? from : l->arrivedFrom);
        fail(w, cudaErrorLaunchFailed, "a block has ended, and others wait for it at %s on line %d", line ? name : l->arrivedName,
             line ? line : l->arrivedLine);
    }
    if (line != 0) {
        if (__atomic_load_n(&l->failed, __ATOMIC_RELAXED))
            abandon(w);
        observe::turnBegins(w->current);
    }
}

// passBarrier lets the block go on when all of its threads have come to a barrier.
void passBarrier(Worker *w) {
    if (w->barrierOfGang)
        meet(w, w->barrierName, w->barrierLine, w->barrierFrom);
    releaseBarrier(w);
}

// tryCollect completes the warp operation of the lanes in mask if all of them are there.
bool tryCollect(Worker *w, int warpIndex, uint32_t mask) {
    Warp &warp = w->warps[warpIndex];
    uint32_t need = mask & warp.live;
    if ((warp.collecting & need) != need || need == 0)
        return false;
    Fiber *lanes = &w->fibers[warpIndex * 32];
    const Fiber &first = lanes[__builtin_ctz(need)];
    for (uint32_t rest = need; rest; rest &= rest - 1) {
        const Fiber &f = lanes[__builtin_ctz(rest)];
        if (f.mask != first.mask || f.op != first.op)
            observe::about(observe::WarpMask, f.line, f.from);
        if (f.mask != first.mask)
            fail(w, cudaErrorLaunchFailed,
                 "lanes of a warp must give the same mask: one gives 0x%08x to %s on line %d, another 0x%08x to %s on line %d",
                 first.mask, first.what, first.line, f.mask, f.what, f.line);
        if (f.op != first.op)
            fail(w, cudaErrorLaunchFailed, "lanes of a warp wait for each other in different operations: %s on line %d and %s on line %d",
                 first.what, first.line, f.what, f.line);
    }
    if (first.op->whole && need != ~0u) {
        if (w->threads < (warpIndex + 1) * 32) {
            observe::about(observe::Assertion, first.line, first.from);
            fail(w, cudaErrorLaunchFailed, "%s on line %d: all 32 lanes of the warp must execute it, but the block has %d threads: launch a multiple of 32",
                 first.what, first.line, w->threads);
        }
        observe::lanesEnded(warpIndex);
    }
    observe::warpReleased(need == warp.live);
    warp.group.lanes = need;
    w->progress++;
    if (first.op->combine != nullptr) {
        w->busy = true;
        asm volatile("" ::: "memory");
        first.op->combine(warp.group);
        asm volatile("" ::: "memory");
        w->busy = false;
        if (first.op->reads)
            observe::shuffled(warpIndex, first.what);
    }
    warp.collecting &= ~need;
    warp.ready |= need;
    for (uint32_t rest = need; rest; rest &= rest - 1)
        lanes[__builtin_ctz(rest)].wait = atNothing;
    return true;
}

// releaseActive lets go the lanes that stand at __activemask, when nobody else can run:
// those at one line are the ones that came there together.
bool releaseActive(Worker *w) {
    bool any = false;
    for (int i = 0; i * 32 < w->threads; i++) {
        Warp &warp = w->warps[i];
        Fiber *lanes = &w->fibers[i * 32];
        while (warp.active) {
            int line = lanes[__builtin_ctz(warp.active)].line;
            uint32_t together = 0;
            for (uint32_t rest = warp.active; rest; rest &= rest - 1)
                if (int lane = __builtin_ctz(rest); lanes[lane].line == line)
                    together |= 1u << lane;
            for (uint32_t rest = together; rest; rest &= rest - 1) {
                int lane = __builtin_ctz(rest);
                lanes[lane].wait = atNothing;
                warp.group.result[lane] = together;
            }
            warp.active &= ~together;
            warp.ready |= together;
            any = true;
        }
    }
    return any;
}

// releaseSpinning lets go the lanes that wait in loops, when nobody else can run.
bool releaseSpinning(Worker *w) {
    bool any = false;
    for (int i = 0; i * 32 < w->threads; i++) {
        Warp &warp = w->warps[i];
        any = any || warp.spinning != 0;
        warp.ready |= warp.spinning;
        warp.spinning = 0;
    }
    return any;
}

// stuck reports threads that wait for each other and can never go on.
void stuck(Worker *w) {
    const Fiber *at[2] = {};
    uint3 who[2];
    int waiting[2] = {};
    for (int i = 0; i < w->threads; i++) {
        if (!(w->warps[i / 32].live >> (i % 32) & 1))
            continue;
        const Fiber &f = w->fibers[i];
        for (int k = 0; k < 2; k++) {
            if (at[k] == nullptr) {
                at[k] = &f;
                who[k] = position(i);
            }
            if (at[k]->what == f.what && at[k]->line == f.line) {
                waiting[k]++;
                break;
            }
        }
    }
    threadIdx = who[0]; // the one to name
    observe::about(observe::Deadlock, at[0]->line, at[0]->from);
    if (at[1] != nullptr)
        fail(w, cudaErrorLaunchFailed,
             "the block can never go on: %d threads wait at %s on line %d (the first is (%u,%u,%u)), %d wait at %s on line %d (the first is "
             "(%u,%u,%u))",
             waiting[0], at[0]->what, at[0]->line, who[0].x, who[0].y, who[0].z, waiting[1], at[1]->what, at[1]->line, who[1].x, who[1].y,
             who[1].z);
    fail(w, cudaErrorLaunchFailed, "the block can never go on: %d threads wait at %s on line %d for %s", waiting[0], at[0]->what, at[0]->line,
         at[0]->wait == atPhases ? "others to arrive, and nobody does" : "lanes that are elsewhere");
}

// finish ends the current thread of a promoted block and goes on with another, or leaves
// the block when it was the last.
[[noreturn]] void finish(Worker *w) {
    int me = w->current;
    int warp = me / 32;
    w->progress++;
    w->warps[warp].live &= ~(1u << me % 32);
    if (--w->live == 0) {
        observe::blockEnds();
        abandon(w);
    }
    if (w->arrived == w->live)
        passBarrier(w);
    // Those who waited for this lane wait no longer.
    for (uint32_t rest = w->warps[warp].collecting; rest; rest &= rest - 1)
        if (Fiber &f = w->fibers[warp * 32 + __builtin_ctz(rest)]; f.wait == atCollective && f.mask >> (me % 32) & 1)
            tryCollect(w, warp, f.mask);
    void *gone;
    gw_switch(&gone, resume(w, pick(w)));
    __builtin_unreachable();
}

// runThreads runs the kernel's threads from threadIdx on. It is always the same function that calls the kernel, and so the
// depths of calls in it can be compared.
__attribute__((noinline)) void runThreads(const Launch *l, const char *&base) {
    base = static_cast<char *>(__builtin_frame_address(0));
    l->entry->run(l->args);
    asm volatile(""); // no jump in place of the call
}

void fiberMain() {
    Worker *w = self;
    runThreads(w->launch, w->fibers[w->current].base);
    finish(w);
}

// startAll gives every thread a stack from the beginning and runs the block.
[[noreturn]] void startAll(Worker *w) {
    promote(w);
    w->warps[0].ready |= 1;
    void *gone;
    gw_switch(&gone, resume(w, pick(w)));
    __builtin_unreachable();
}

// ---- blocks ----

// inOrder is the block that comes at place i.
uint64_t inOrder(const Launch *l, uint64_t i) {
    switch (l->manner.order) {
    case backward:
        return l->blocks - 1 - i;
    case shuffled: {
        // Steps of a length that shares no factor with the number visit each once.
        uint64_t step = l->blocks / 2 + l->manner.seed % (l->blocks / 3 + 1) + 1;
        while (std::gcd(step, l->blocks) != 1)
            step++;
        return (unsigned __int128)step * (i + l->manner.seed) % l->blocks;
    }
    default:
        return i;
    }
}

// againMain runs the block once more that failed in its split form, to see which thread it
// is. If nothing goes wrong this time the first message stays.
void againMain() {
    Worker *w = self;
    threadIdx = {0, 0, 0};
    promoted = 0;
    runThreads(w->launch, w->base);
    if (promoted)
        finish(w);
    abandon(w);
}

// takeBatch takes blocks that nobody has begun. It returns false if there are none.
bool takeBatch(Worker *w, Launch *l) {
    if (__builtin_expect(__atomic_load_n(&l->returned, __ATOMIC_RELAXED) > 0, 0)) {
        pthread_mutex_lock(&l->meeting);
        bool any = l->returned > 0;
        if (any) {
            Launch::Range &r = l->ranges[l->returned - 1];
            // One by one: each may wait for the others.
            w->block = r.begin++;
            w->blockEnd = w->block + 1;
            if (r.begin == r.end)
                __atomic_store_n(&l->returned, l->returned - 1, __ATOMIC_RELAXED);
        }
        pthread_mutex_unlock(&l->meeting);
        if (any)
            return true;
    }
    w->block = w->blockEnd = __atomic_fetch_add(&l->next, l->batch, __ATOMIC_RELAXED);
    if (w->block >= l->blocks)
        return false;
    w->blockEnd = w->block + l->batch < l->blocks ? w->block + l->batch : l->blocks;
    return true;
}

// after returns the index of the block after another.
uint3 after(uint3 at, dim3 grid) {
    if (++at.x < grid.x)
        return at;
    at.x = 0;
    if (++at.y < grid.y)
        return at;
    return {0, 0, at.z + 1};
}

// directMain runs blocks one after the other as long as none is promoted.
void directMain() {
    Worker *w = self;
    Launch *l = w->launch;
    uint3 at = {};
    uint64_t next = l->blocks; // the block for which that needs no division; none yet
    while (!__atomic_load_n(&l->failed, __ATOMIC_RELAXED)) {
        if (w->block == w->blockEnd && !takeBatch(w, l))
            break;
        w->begun++;
        w->watch.stalled = false;
        uint64_t b = inOrder(l, w->block++);
        at = b == next ? after(at, l->grid) : uint3{unsigned(b % l->grid.x), unsigned(b / l->grid.x % l->grid.y), unsigned(b / l->grid.x / l->grid.y)};
        next = b + 1;
        blockIdx = at;
        threadIdx = {0, 0, 0};
        promoted = 0;
        if (l->split) {
            w->splitting = true;
            l->entry->split(l->args);
            w->splitting = false;
            continue;
        }
        observe::blockBegins();
        if (l->manner.order != forward)
            startAll(w);
        runThreads(l, w->base);
        if (promoted)
            finish(w);
        observe::blockEnds();
    }
    w->launch = nullptr; // out of blocks
    abandon(w);
}

// gangMain runs the worker's block of a gang.
void gangMain() {
    Worker *w = self;
    Launch *l = w->launch;
    threadIdx = {0, 0, 0};
    promoted = 0;
    if (l->split) {
        w->splitting = true;
        l->entry->split(l->args);
        w->splitting = false;
        abandon(w);
    }
    observe::blockBegins();
    runThreads(l, w->base);
    if (promoted)
        finish(w);
    observe::blockEnds();
    abandon(w);
}

// runGangs takes a place in every gang of the launch, one after the other.
void runGangs(Worker *w, Launch *l) {
    const uint32_t *g = l->manner.gang;
    dim3 gangs(l->grid.x / g[0], l->grid.y / g[1], l->grid.z / g[2]);
    w->place = __atomic_fetch_add(&l->joined, 1, __ATOMIC_RELAXED);
    w->touched = l->entry->touch();
    l->shared0[w->place] = static_cast<char *>(w->touched);
    w->launch = l;
    meet(w, "", 0, nullptr);
    uint3 in = {w->place % g[0], w->place / g[0] % g[1], w->place / g[0] / g[1]};
    for (uint64_t i = 0; i < uint64_t(gangs.x) * gangs.y * gangs.z; i++) {
        if (__atomic_load_n(&l->failed, __ATOMIC_RELAXED))
            break;
        w->begun++;
        w->watch.stalled = false;
        blockIdx = {unsigned(i % gangs.x) * g[0] + in.x, unsigned(i / gangs.x % gangs.y) * g[1] + in.y,
                    unsigned(i / gangs.x / gangs.y) * g[2] + in.z};
        gw_switch(&w->home, newStack(l->split ? w->splitStack + splitStackBytes : stackTop(w, 0), gangMain));
        if (__atomic_load_n(&l->failed, __ATOMIC_RELAXED))
            break;
        gw_switch(&w->home, newStack(stackTop(w, 0), [] {
            meet(self, "the end", 0, nullptr); // may fail, which is only possible on a kernel's stack
            abandon(self);
        }));
    }
    pthread_mutex_lock(&l->meeting);
    l->waiting[w->place] = true; // it needs no more turns
    nextTurn(l);
    pthread_mutex_unlock(&l->meeting);
    if (w->again)
        gw_switch(&w->home, newStack(stackTop(w, 0), againMain));
    w->again = false;
    w->launch = nullptr;
}

void runBlocks(Worker *w, Launch *l) {
    blockDim = l->block;
    gridDim = l->grid;
    dynamicShared = l->shared;
    w->block = w->blockEnd = 0;
    w->splitting = w->again = false;
    w->sharedBegin = w->sharedEnd = nullptr;
    w->random = l->manner.seed * 2 + 0x9e3779b97f4a7c15; // never 0, since it is odd
    if (l->gang) {
        runGangs(w, l);
        return;
    }
    w->touched = l->entry->touch();
    w->launch = l;
    // A promoted block uses up the stack of direct mode, so each of them comes back here.
    while (w->launch != nullptr && !__atomic_load_n(&l->failed, __ATOMIC_RELAXED))
        gw_switch(&w->home, newStack(l->split ? w->splitStack + splitStackBytes : stackTop(w, 0), directMain));
    if (w->again)
        gw_switch(&w->home, newStack(stackTop(w, 0), againMain));
    w->again = false;
    w->launch = nullptr;
}

// spinUntil waits a little without sleeping.
template <class F> void spinUntil(F done) {
    for (int i = 0; i < spins && !done(); i++) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#else
        asm volatile("yield");
#endif
    }
}

void *workerMain(void *arg) {
    auto w = static_cast<Worker *>(arg);
    self = w;
    makeTimer(w);
    fesetenv(FE_DFL_ENV); // host code of a program may have changed how the thread that makes this one rounds
    stack_t alternate = {};
    alternate.ss_size = 64 << 10;
    alternate.ss_sp = malloc(alternate.ss_size);
    sigaltstack(&alternate, nullptr);
    uint64_t seen = 0;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        bool ordinary = w - pool.workers < pool.processors;
        if (pool.generation == seen && ordinary) {
            // Launches often follow one another closely.
            pthread_mutex_unlock(&pool.lock);
            spinUntil([&] { return __atomic_load_n(&pool.generation, __ATOMIC_RELAXED) != seen; });
            pthread_mutex_lock(&pool.lock);
        }
        while (pool.generation == seen || pool.wanted == 0)
            pthread_cond_wait(ordinary ? &pool.work : &pool.gangWork, &pool.lock);
        seen = pool.generation;
        pool.wanted--;
        Launch *l = pool.launch;
        pthread_mutex_unlock(&pool.lock);
        runBlocks(w, l);
        pthread_mutex_lock(&pool.lock);
        __atomic_store_n(&l->running, l->running - 1, __ATOMIC_RELAXED);
        if (l->running == 0 || l->failed)
            pthread_cond_signal(&pool.done);
    }
}

// ---- printf ----

void writeAll(const char *p, size_t n) {
    while (n > 0) {
        ssize_t k = write(STDOUT_FILENO, p, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return; // nobody reads: printf of a kernel has nowhere to report that
        p += k;
        n -= k;
    }
}

template <class T> T *grow(T *p, size_t &capacity, size_t need) {
    if (need <= capacity)
        return p;
    while (capacity < need)
        capacity = capacity ? capacity * 2 : 1024;
    return static_cast<T *>(realloc(p, capacity * sizeof(T)));
}

uint64_t linearBlock() { return blockIdx.x + uint64_t(gridDim.x) * (blockIdx.y + uint64_t(gridDim.y) * blockIdx.z); }

// flushOutput writes what the workers' kernels printed, block after block, so that a
// notebook shows the same text each time.
void flushOutput() {
    size_t at[pool.count], offset[pool.count];
    memset(at, 0, sizeof at);
    memset(offset, 0, sizeof offset);
    char *all = nullptr;
    size_t length = 0, capacity = 0;
    for (;;) {
        int next = -1;
        for (int i = 0; i < pool.count; i++) {
            Worker &w = pool.workers[i];
            if (at[i] < w.outputCount && (next < 0 || w.outputs[at[i]].block < pool.workers[next].outputs[at[next]].block))
                next = i;
        }
        if (next < 0)
            break;
        Worker &w = pool.workers[next];
        size_t n = w.outputs[at[next]++].length;
        all = grow(all, capacity, length + n);
        memcpy(all + length, w.text + offset[next], n);
        length += n;
        offset[next] += n;
    }
    writeAll(all, length);
    free(all);
    for (int i = 0; i < pool.count; i++)
        pool.workers[i].textLength = pool.workers[i].outputCount = 0;
}

} // namespace

} // namespace gwsim

#ifndef GW_CHECK
#include "runtime_lockstep.h"
#include "runtime_preempt.h"
#else
// Check mode has one worker, and looks after its threads itself.
namespace gwsim {
namespace {
bool releaseAllSteps(Worker *) { return false; }
void await(Launch *l) {
    while (l->running > 0 && !l->failed)
        pthread_cond_wait(&pool.done, &pool.lock);
}
void installTick() {}
void makeTimer(Worker *) {}
int tickSignal() { return SIGSEGV; } // no other
} // namespace
} // namespace gwsim
#endif

namespace gwsim {

// ---- what kernels call ----

// Where the kernel has called one of these functions.
#define FROM_KERNEL __builtin_return_address(0)

namespace {

// differs reports whether a thread waits at another barrier than the threads of its block that wait already. A GPU counts
// threads at barrier 0, not lines, so that whole warps meet at different calls of one function, as bar.sync promises.
// CUDA's guide wants one call for all, and check mode with it.
bool differs(const Worker *w, const char *name, int line, bool ofGang) {
#ifdef GW_CHECK
    return w->barrierLine != line;
#else
    const int ofWarp = w->warps[w->current / 32].barrierLine;
    if (ofWarp != 0 && ofWarp != line)
        return true;
    return w->barrierLine != line && (ofGang || w->barrierOfGang || strcmp(name, w->barrierName) != 0);
#endif
}

int wait(const char *name, bool predicate, int line, const void *from, bool ofGang) {
    Worker *w = enter();
    if (w->arrived == 0) {
        w->barrierOfGang = ofGang;
        w->barrierName = name;
        w->barrierLine = line;
        w->barrierFrom = from;
    } else if (differs(w, name, line, ofGang)) {
        observe::about(observe::DivergentBarrier, line, from);
        fail(w, cudaErrorLaunchFailed,
             "threads of one block wait at different barriers: %d of %d at %s on line %d, this one at %s on line %d; all threads must reach the "
             "same barrier",
             w->arrived, w->live, w->barrierName, w->barrierLine, name, line);
    }
    w->warps[w->current / 32].barrierLine = line;
    w->votes += predicate;
    if (++w->arrived == w->live)
        passBarrier(w);
    Fiber &f = w->fibers[w->current];
    f.wait = atBarrier;
    f.line = line;
    f.from = from;
    f.what = name;
    yield(w);
    return w->result;
}

} // namespace

int barrier(const char *name, bool predicate, int line) { return wait(name, predicate, line, FROM_KERNEL, false); }

void gridBarrier(int line) {
    if (!self->launch->manner.cooperative) {
        self->splitting = false;
        fail(self, cudaErrorLaunchFailed, "this_grid().sync() on line %d needs a cooperative launch: gpu.Launch{Cooperative: true, …}", line);
    }
    wait("this_grid().sync()", false, line, FROM_KERNEL, true);
}

void clusterBarrier(int line) {
    wait("this_cluster().sync()", false, line, FROM_KERNEL, self->launch->gang > 0 && !self->launch->manner.cooperative);
}

uint3 clusterDim() {
    const Launch *l = self->launch;
    if (l->gang == 0 || l->manner.cooperative)
        return {1, 1, 1};
    return {l->manner.gang[0], l->manner.gang[1], l->manner.gang[2]};
}

char *sharedOf(char *mine, unsigned rank) {
    Worker *w = self;
    uint3 n = clusterDim();
    if (rank >= n.x * n.y * n.z)
        fail(w, cudaErrorLaunchFailed, "map_shared_rank: the cluster has %u blocks, and no block %u", n.x * n.y * n.z, rank);
    if (w->launch->gang == 0 || w->launch->manner.cooperative)
        return mine;
    return mine - w->launch->shared0[w->place] + w->launch->shared0[rank];
}

unsigned rankOf(const char *p) {
    const Launch *l = self->launch;
    if (l->gang == 0 || l->manner.cooperative)
        return 0;
    // Every worker's shared memory is laid out alike, so the nearest is the one.
    unsigned best = 0;
    for (int i = 1; i < l->gang; i++)
        if (llabs(p - l->shared0[i]) < llabs(p - l->shared0[best]))
            best = i;
    return best;
}

uint64_t collective(const Op &op, uint32_t mask, uint64_t value, uint32_t arg, int line) {
    Worker *w = enter();
    int lane = w->current % 32;
    Warp &warp = w->warps[w->current / 32];
    Fiber &f = w->fibers[w->current];
    if (!(mask >> lane & 1)) {
        observe::about(observe::WarpMask, line, FROM_KERNEL);
        fail(w, cudaErrorLaunchFailed, "%s on line %d: the mask 0x%08x does not name the calling lane %d", op.name, line, mask, lane);
    }
    f.wait = atCollective;
    f.line = line;
    f.from = FROM_KERNEL;
    f.what = op.name;
    f.op = &op;
    f.mask = mask;
    warp.group.value[lane] = value;
    warp.group.arg[lane] = arg;
    warp.collecting |= 1u << lane;
    if (tryCollect(w, w->current / 32, mask))
        warp.ready &= ~(1u << lane); // this one runs already
    else
        yield(w);
    return warp.group.result[lane];
}

void lanesMissing(const char *name, uint32_t mask, int line) {
    fail(self, cudaErrorLaunchFailed, "%s on line %d: the mask 0x%08x does not name the calling lane, or names lanes that do not come there", name, line, mask);
}

uint32_t activeLanes(int line) {
    Worker *w = enter();
    int lane = w->current % 32;
    Warp &warp = w->warps[w->current / 32];
    Fiber &f = w->fibers[w->current];
    f.wait = atActive;
    f.line = line;
    f.from = FROM_KERNEL;
    f.what = "__activemask";
    warp.active |= 1u << lane;
    yield(w);
    return warp.group.result[lane];
}

bool inSharedMemory(const void *p, const void *touched) {
    Worker *w = self;
    if (w->sharedBegin == nullptr)
        dl_iterate_phdr([](dl_phdr_info *module, size_t, void *touched) {
            for (int i = 0; i < module->dlpi_phnum; i++) {
                auto begin = static_cast<const char *>(module->dlpi_tls_data);
                const size_t size = module->dlpi_phdr[i].p_memsz;
                if (module->dlpi_phdr[i].p_type == PT_TLS && begin != nullptr && touched >= begin && touched < begin + size) {
                    self->sharedBegin = begin;
                    self->sharedEnd = begin + size;
                }
            }
            return int(self->sharedBegin != nullptr);
        }, const_cast<void *>(touched));
    return p >= w->sharedBegin && p < w->sharedEnd;
}

bool inLocalMemory(const void *p) {
    const Worker *w = self;
    return p >= w->splitStack && p < w->stacks + directStackBytes + maxThreads * stackBytes;
}

void pause() { giveWay(enter()); }

namespace {

constexpr uint32_t madePhases = 0x5048a5e5;

void mustBeMade(const Phases *p, int line) {
    if (p->made != madePhases)
        fail(enter(), cudaErrorLaunchFailed, "the barrier that line %d uses has no count yet: one thread must call init, and __syncthreads() must follow", line);
}

} // namespace

void phasesInit(Phases *p, uint32_t count) { *p = {madePhases, count, count, 0}; }

uint32_t phasesNow(const Phases *p, int line) {
    mustBeMade(p, line);
    return p->done;
}

uint32_t phasesArrive(Phases *p, uint32_t n, bool drop, int line) {
    mustBeMade(p, line);
    Worker *w = enter();
    uint32_t before = p->done;
    if (n > p->missing)
        fail(w, cudaErrorLaunchFailed, "more threads arrive at the barrier on line %d than the %u it was made for", line, p->count);
    if (drop)
        p->count--;
    p->missing -= n;
    if (p->missing > 0)
        return before;
    p->missing = p->count;
    p->done++;
    observe::barrierReleased("cuda::barrier", line, FROM_KERNEL, true);
    for (int i = 0; i < w->threads; i++) {
        Fiber &f = w->fibers[i];
        if (f.wait == atPhases && f.phases == p && int32_t(p->done - f.done) >= 0) {
            f.wait = atNothing;
            w->warps[i / 32].ready |= 1u << i % 32;
        }
    }
    return before;
}

void phasesWait(const Phases *p, uint32_t done, int line) {
    mustBeMade(p, line);
    if (int32_t(p->done - done) >= 0)
        return;
    Worker *w = enter();
    Fiber &f = w->fibers[w->current];
    f.wait = atPhases;
    f.phases = p;
    f.done = done;
    f.line = line;
    f.from = FROM_KERNEL;
    f.what = "a cuda::barrier";
    yield(w);
}

int print(const char *format, ...) {
    Worker *w = self;
    if (w->again)
        return 0; // it has been printed the first time
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    char small[256];
    int n = vsnprintf(small, sizeof small, format, args);
    va_end(args);
    if (n > 0) {
        w->text = grow(w->text, w->textCapacity, w->textLength + n + 1);
        vsnprintf(w->text + w->textLength, n + 1, format, again);
        va_end(again);
        if (!observe::printed(w->text + w->textLength, n))
            return n;
        w->textLength += n;
        w->outputs = grow(w->outputs, w->outputCapacity, w->outputCount + 1);
        w->outputs[w->outputCount++] = {linearBlock(), size_t(n)};
        if (w->textLength > printLimit) {
            writeAll(w->text, w->textLength);
            w->textLength = w->outputCount = 0;
        }
        return n;
    }
    va_end(again);
    return n;
}

namespace {

// The launches that kernels have made.
struct {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    Nested *list = nullptr;
    size_t count = 0, capacity = 0, taken = 0;
} nested;

} // namespace

void nest(const Nested &launch, const char *args) {
    observe::lasts();
    pthread_mutex_lock(&nested.lock);
    if (nested.taken == nested.count)
        nested.taken = nested.count = 0;
    nested.list = grow(nested.list, nested.capacity, nested.count + 1);
    Nested kept = launch;
    kept.by = linearBlock();
    kept.args = static_cast<char *>(malloc(launch.entry->argBytes + 1));
    memcpy(kept.args, args, launch.entry->argBytes);
    // Behind those of the blocks before, with tails last.
    size_t at = nested.count++;
    for (; at > nested.taken; at--) {
        const Nested &before = nested.list[at - 1];
        if (before.tail != kept.tail ? kept.tail : before.by <= kept.by)
            break;
        nested.list[at] = before;
    }
    nested.list[at] = kept;
    pthread_mutex_unlock(&nested.lock);
}

bool nextNested(Nested *launch) {
    if (nested.taken == nested.count)
        return false;
    *launch = nested.list[nested.taken++];
    return true;
}

void refuse(const char *what) {
    self->splitting = false;
    fail(self, cudaErrorLaunchFailed, "%s", what);
}

bool inKernel() { return self != nullptr && self->launch != nullptr; }

// These two know which thread it is, also in a split kernel.
void assertFailed(const char *expression, const char *file, int line, const char *function) {
    if (!inKernel()) { // but host code of a whole program
        fflush(stdout);
        fprintf(stderr, "%s:%d: %s: Assertion `%s' failed.\n", file, line, function, expression);
        abort();
    }
    if (const char *kernel = strstr(function, "gwsim_split_"); kernel == function)
        function += strlen("gwsim_split_");
    self->splitting = false;
    observe::about(observe::Assertion, line, FROM_KERNEL);
    fail(self, cudaErrorAssert, "%s:%d: %s: assertion `%s` failed", file, line, function, expression);
}

void trap(int line) {
    self->splitting = false;
    observe::about(observe::Trap, line, FROM_KERNEL);
    fail(self, cudaErrorLaunchFailed, "the kernel called __trap on line %d", line);
}

// ---- what Go calls ----

namespace {

// addWorkers makes workers until there are so many. It returns an errno.
int addWorkers(int count) {
    // Workers take no signals but faults: the others are for the host program's threads.
    sigset_t all, before;
    sigfillset(&all);
    for (int sig : faultSignals)
        sigdelset(&all, sig);
    sigdelset(&all, tickSignal());
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int err = 0;
    while (pool.count < count && err == 0) {
        Worker &w = pool.workers[pool.count];
        constexpr size_t bytes = splitStackBytes + directStackBytes + maxThreads * stackBytes;
        void *stacks = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
        if (stacks == MAP_FAILED) {
            err = errno;
            break;
        }
        w.splitStack = static_cast<char *>(stacks);
        w.stacks = w.splitStack + splitStackBytes;
        mprotect(w.splitStack, guardBytes, PROT_NONE); // works without, too
        guardStacks(&w, 1);
        err = pthread_create(&w.id, nullptr, workerMain, &w);
        if (err == 0)
            pool.count++;
        else
            munmap(stacks, bytes);
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return err;
}

} // namespace

extern "C" {

// gw_start makes the workers. It returns an errno.
GW_API int gw_start(int workers) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&pool.done, &monotonic);
    pool.workers = static_cast<Worker *>(calloc(maxWorkers, sizeof(Worker))); // untouched until used
    if (pool.workers == nullptr)
        return ENOMEM;
    struct sigaction action = {};
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (int sig : faultSignals)
        sigaction(sig, &action, &previous[sig]);
    installTick();
    pool.processors = workers;
    int err = addWorkers(workers);
    pool.processors = pool.count;
    return pool.count > 0 ? 0 : err;
}

// gw_launch runs a kernel to its end. dims holds the grid and the block. It returns 0, or
// a CUresult with the message in *failure.
GW_API int gw_launch(const Entry *entry, const char *args, const uint32_t *dims, uint32_t shared, const Manner *manner, const char *name,
                     Failure *failure) {
    // A launch that failed may leave workers behind in endless kernels; they must not
    // find their launch gone.
    auto l = static_cast<Launch *>(calloc(1, sizeof(Launch)));
    if (l == nullptr)
        return 2;
    int gang = manner->gang[0] * manner->gang[1] * manner->gang[2];
    if (gang > pool.count) {
        // Under no lock: only this function changes the number, and it is not called twice at a time.
        if (int err = addWorkers(gang); err != 0) {
            free(l);
            failure->code = 2;
            snprintf(failure->message, sizeof failure->message, "%d blocks at the same time need as many threads of the system: %s", gang,
                     strerror(err));
            return 2;
        }
    }
    pthread_mutex_init(&l->meeting, nullptr);
    pthread_cond_init(&l->met, nullptr);
    l->gang = gang;
    l->entry = entry;
    l->args = args;
    l->name = name;
    l->grid = {dims[0], dims[1], dims[2]};
    l->block = {dims[3], dims[4], dims[5]};
    l->shared = shared;
    l->manner = *manner;
    // Split kernels rely on indices of threads that fit an int.
    l->split = entry->split != nullptr && !manner->unsplit && manner->order == forward && uint64_t(dims[0]) * dims[3] <= INT32_MAX;
    l->blocks = uint64_t(dims[0]) * dims[1] * dims[2];
    l->batch = l->blocks / (uint64_t(pool.processors) * 16);
    l->batch = l->batch < 1 ? 1 : l->batch > 64 ? 64 : l->batch;

    pthread_mutex_lock(&pool.lock);
    uint64_t batches = (l->blocks + l->batch - 1) / l->batch;
    int workers = batches < uint64_t(pool.processors) ? int(batches) : pool.processors;
    if (manner->order != forward)
        workers = 1; // several would make an order of their own
    if (gang > 0)
        workers = gang;
    l->running = l->given = pool.wanted = workers;
    pool.launch = l;
    __atomic_store_n(&pool.generation, pool.generation + 1, __ATOMIC_RELAXED);
    if (workers == 1)
        pthread_cond_signal(&pool.work);
    else
        pthread_cond_broadcast(&pool.work);
    if (workers > pool.processors)
        pthread_cond_broadcast(&pool.gangWork);
    if (workers < pool.processors) {
        // There is a processor to spare for waiting.
        pthread_mutex_unlock(&pool.lock);
        spinUntil([&] { return __atomic_load_n(&l->running, __ATOMIC_RELAXED) == 0; });
        pthread_mutex_lock(&pool.lock);
    }
    await(l);
    if (l->running > 0) {
        // Others may never end once one has failed: give them a moment.
        timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec++;
        while (l->running > 0 && pthread_cond_timedwait(&pool.done, &pool.lock, &until) == 0) {
        }
    }
    bool finished = l->running == 0;
    pool.wanted = 0;
    l->reported = true;
    pthread_mutex_unlock(&pool.lock);

    if (finished)
        flushOutput();
    *failure = l->failure;
    if (finished)
        free(l);
    return failure->code;
}

} // extern "C"

} // namespace gwsim
