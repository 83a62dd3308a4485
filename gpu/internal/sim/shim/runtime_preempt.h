// Preemption: threads that wait in a loop for what another thread writes. From compute capability 7.0 on every lane of a warp
// makes progress, and so do the blocks that are resident together. Here a thread runs until it ends or calls the runtime, so
// that a loop on a volatile variable or an atomic one would never end. A launch that takes long is therefore watched: its
// workers get a signal from time to time. Its handler looks whether the thread spins, and if so gives way to the next thread
// of the block, by a switch of stacks in the handler itself: the interrupted thread goes on when the handler returns. If no
// thread of the running blocks gets on, further workers run the blocks that have not begun.
#pragma once

#include <link.h>
#include <sys/syscall.h>
#include <ucontext.h>

namespace gwsim {

namespace {

constexpr int64_t patienceNs = 10'000'000;  // of the first look at a launch
constexpr int64_t lookNs = 4'000'000;       // between looks
constexpr int64_t sliceNs = 200'000;        // of threads that take turns
constexpr int64_t wokenNs = 30'000;         // of one after a nap
constexpr int64_t napNs = 1'000'000;        // of a block that waits for others, at first
constexpr int manyLooks = 50;               // at the same thread: it may well wait for something

int tickSignal() { return SIGRTMAX - 3; }

struct Text {
    uintptr_t in, begin, end;
};

// findText looks for the code of the library that has an address.
int findText(dl_phdr_info *info, size_t, void *data) {
    auto t = static_cast<Text *>(data);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) &h = info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + h.p_vaddr;
        if (h.p_type == PT_LOAD && h.p_flags & PF_X && t->in >= begin && t->in < begin + h.p_memsz) {
            t->begin = begin;
            t->end = begin + h.p_memsz;
            return 1;
        }
    }
    return 0;
}

// lookAt returns where a thread was interrupted, and a digest of its registers.
uintptr_t lookAt(const ucontext_t *c, uint64_t &registers) {
    registers = 0;
    auto mix = [&](uint64_t v) { registers = (registers ^ v) * 0x9e3779b97f4a7c15; };
#if defined(__x86_64__)
    for (int i = REG_R8; i <= REG_RSP; i++)
        mix(c->uc_mcontext.gregs[i]);
    return c->uc_mcontext.gregs[REG_RIP];
#else
    for (uint64_t r : c->uc_mcontext.regs)
        mix(r);
    return c->uc_mcontext.pc;
#endif
}

// isRepeated reports whether the thread has been found at the same instruction with the same registers before. A loop that
// computes something counts.
bool isRepeated(Watch &watch, uintptr_t pc, uint64_t registers) {
    for (const Sample &s : watch.samples)
        if (s.pc == pc && s.registers == registers)
            return true;
    watch.samples[watch.looks % (sizeof watch.samples / sizeof *watch.samples)] = {pc, registers};
    return false;
}

// handBack leaves the blocks that the worker has taken and not begun to others.
void handBack(Worker *w) {
    Launch *l = w->launch;
    if (l->gang > 0 || w->block >= w->blockEnd)
        return;
    pthread_mutex_lock(&l->meeting);
    if (l->returned < maxWorkers) {
        l->ranges[l->returned] = {w->block, w->blockEnd};
        __atomic_store_n(&l->returned, l->returned + 1, __ATOMIC_RELAXED);
        w->blockEnd = w->block;
    }
    pthread_mutex_unlock(&l->meeting);
}

// setTimer has the worker's timer signal after a time. The C library's functions are in another library in old versions.
void setTimer(const Worker *w, int64_t ns) {
    itimerspec t = {{0, 0}, {0, long(ns)}};
    syscall(SYS_timer_settime, w->timer, 0, &t, nullptr);
}

void makeTimer(Worker *w) {
    sigevent e = {};
    e.sigev_notify = SIGEV_THREAD_ID;
    e.sigev_signo = tickSignal();
    e._sigev_un._tid = int(syscall(SYS_gettid));
    if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &e, &w->timer) != 0)
        w->timer = -1;
}

// nap leaves the processor to other workers: the threads of the block wait for them.
void nap(Watch &watch) {
    watch.napping = true;
    timespec t = {0, watch.naps < 8 ? ++watch.naps * napNs : 8 * napNs};
    nanosleep(&t, nullptr);
    watch.napping = false;
    setTimer(self, wokenNs);
}

// takeTurns lets the other threads of the block run, and those last that spin, too.
void takeTurns(Worker *w) {
    Watch &watch = w->watch;
    bool waits = watch.sure || watch.looks > 10 * manyLooks;
    if (w->splitting) {
        __atomic_store_n(&watch.stalled, waits, __ATOMIC_RELAXED);
        if (waits)
            nap(watch);
        return;
    }
    if (!promoted)
        promote(w);
    if (watch.progress != w->progress) {
        watch.progress = w->progress;
        watch.turns = watch.naps = 0;
    }
    __atomic_store_n(&watch.stalled, waits && watch.turns++ > w->live, __ATOMIC_RELAXED);
    if (watch.stalled && watch.turns % w->live == 0)
        nap(watch);
    w->warps[w->current / 32].spinning |= 1u << w->current % 32;
    yield(w);
}

// onTick looks at what the worker is doing.
void onTick(int sig, siginfo_t *info, void *context) {
    Worker *w = self;
    if (w == nullptr) {
        if (previous[sig].sa_flags & SA_SIGINFO)
            previous[sig].sa_sigaction(sig, info, context);
        return;
    }
    __atomic_store_n(&w->signalled, false, __ATOMIC_RELAXED);
    Launch *l = w->launch;
    if (l == nullptr || w->busy || w->watch.napping)
        return;
    uint64_t registers;
    uintptr_t pc = lookAt(static_cast<ucontext_t *>(context), registers);
    if (pc < l->text.begin || pc >= l->text.end) {
        // In the runtime or a library, which are not to be left in the middle.
        if (w->watch.spinning)
            setTimer(w, wokenNs);
        return;
    }
    int before = errno;
    Watch &watch = w->watch;
    int thread = promoted ? w->current : w->splitting ? -1 : linear(threadIdx);
    if (watch.block != w->begun) {
        watch = {};
        watch.block = w->begun;
        watch.thread = thread;
    }
    if (watch.thread != thread && !watch.spinning) {
        watch.thread = thread;
        watch.looks = 0;
        memset(watch.samples, 0, sizeof watch.samples);
    }
    watch.looks++;
    watch.sure = watch.sure || isRepeated(watch, pc, registers);
    if (watch.sure || watch.looks > manyLooks)
        __atomic_store_n(&watch.spinning, true, __ATOMIC_RELAXED);
    if (watch.spinning) {
        handBack(w);
        setTimer(w, sliceNs);
        takeTurns(w);
    }
    errno = before;
}

// addWorkerTo has one more worker run blocks of the launch if those that do get nowhere and there are others to begin. The
// pool is locked.
void addWorkerTo(Launch *l) {
    if (l->gang > 0 || (__atomic_load_n(&l->next, __ATOMIC_RELAXED) >= l->blocks && __atomic_load_n(&l->returned, __ATOMIC_RELAXED) == 0))
        return;
    int at = 0;
    for (int i = 0; i < pool.count; i++) {
        const Worker &w = pool.workers[i];
        if (__atomic_load_n(&w.launch, __ATOMIC_RELAXED) != l)
            continue;
        at++;
        if (!__atomic_load_n(&w.watch.stalled, __ATOMIC_RELAXED))
            return;
    }
    if (at != l->running || l->given == maxWorkers || (l->given >= pool.count && addWorkers(pool.count + 1) != 0))
        return;
    l->given++;
    l->running++;
    pool.wanted++;
    pthread_cond_broadcast(&pool.work);
    pthread_cond_broadcast(&pool.gangWork);
}

// await waits until a launch has ended or failed, and watches it. The pool is locked.
void await(Launch *l) {
    int64_t pause = patienceNs;
    while (l->running > 0 && !l->failed) {
        timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += pause;
        until.tv_sec += until.tv_nsec / 1'000'000'000;
        until.tv_nsec %= 1'000'000'000;
        if (pthread_cond_timedwait(&pool.done, &pool.lock, &until) == 0)
            continue;
        if (l->text.in == 0) {
            l->text.in = reinterpret_cast<uintptr_t>(l->entry->run);
            Text found = {l->text.in, 0, 0};
            dl_iterate_phdr(findText, &found);
            __atomic_store_n(&l->text.begin, found.begin, __ATOMIC_RELAXED);
            __atomic_store_n(&l->text.end, found.end, __ATOMIC_RELEASE);
        }
        pause = lookNs;
        for (int i = 0; i < pool.count; i++) {
            Worker &w = pool.workers[i];
            if (__atomic_load_n(&w.launch, __ATOMIC_RELAXED) != l)
                continue;
            if (__atomic_load_n(&w.watch.stalled, __ATOMIC_RELAXED))
                pause = sliceNs;
            else if (!__atomic_exchange_n(&w.signalled, true, __ATOMIC_RELAXED))
                // One at a time: they would be queued, and all handled on top of each other.
                pthread_kill(w.id, tickSignal());
        }
        addWorkerTo(l);
    }
}

void installTick() {
    struct sigaction action = {};
    action.sa_sigaction = onTick;
    // Not on the stack of other handlers: the thread's own keeps what it needs to go on.
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;
    sigaction(tickSignal(), &action, &previous[tickSignal()]);
}

} // namespace

} // namespace gwsim
