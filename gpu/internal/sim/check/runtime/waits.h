// Threads that wait in loops, and what atomic operations order.
#pragma once

namespace gwsim {
namespace check {
namespace {

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
    for (Acquired &known : s.seat->acquired) {
        if (known.from == &v->second) {
            known.count = v->second.count;
            return;
        }
    }
    s.seat->acquired.push_back({&v->second, v->second.count});
}

// looks notes a look at a volatile variable.
inline void looks(Site *site, uint64_t a) {
    if (site->waits)
        return;
    if (site->looker == s.me && site->lookedSince == s.clock) {
        if (site->looked != a)
            site->varies = true;
        else if (site->lookedAt == s.progress)
            expects(site);
    }
    site->looked = a;
    site->looker = s.me;
    site->lookedSince = s.clock;
    site->lookedAt = s.progress;
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
    if (w->live != s.alive) { // one has come to its end meanwhile
        s.alive = w->live;
        s.idle = 0;
    }
    int blocks = std::max(w->launch->gang, 1);
    if (++s.idle > uint32_t(blocks * (2 * w->live + 8)) && s.readsClock) {
        s.readsClock = false; // it waits for a time, or gives up after one
        s.idle = 0;
    }
    if (s.idle > uint32_t(blocks * (2 * w->live + 8))) {
        s.about = Deadlock;
        s.pc = site->count.pc;
        s.op = site->count.op;
        fail(w, cudaErrorLaunchFailed, "the block can never go on: the thread waits in a loop for memory to change, and no other thread of its block does that");
    }
    giveWay(w);
    if (s.idle % (w->live + 1) == 0)
        passTurn(w);
}

} // namespace
} // namespace check
} // namespace gwsim
