// What threads of chosen blocks do, in order, for a picture of the launch.
#pragma once

#include "registers.h"

namespace gwsim {
namespace check {
namespace {

uint64_t bytesAt(uint64_t a, uint32_t size) {
    uint64_t v = 0;
    memcpy(&v, reinterpret_cast<const void *>(a), size);
    return v;
}

// completeWrites reads what the last writes have left. A write is recorded before it takes place.
void completeWrites() {
    const Recording &to = s.request->recording;
    for (; s.unwritten < s.events; s.unwritten++)
        if (s.unwritten < to.capacity) {
            Event &e = to.events[s.unwritten];
            if (e.kind <= VolatileWrite && writes(Op(e.kind)))
                e.after = e.size & inSharedMemory ? bytesAt(e.address + s.seat->tls, e.size & ~inSharedMemory) : bytesAt(e.address, e.size);
        }
}

void record(const Event &e) {
    const Recording &to = s.request->recording;
    if (s.events < to.capacity)
        to.events[s.events] = e;
    s.events++;
}

Event event(uint8_t kind, uint64_t pc) {
    Event e = {};
    e.kind = kind;
    e.pc = uint32_t(pc);
    e.block = uint32_t(linearBlock());
    e.thread = s.me;
    return e;
}

// recordAccess records a load or store of up to 16 bytes, in words of at most 8.
RARE void recordAccess(Op op, uint64_t pc, uint64_t a, uint32_t size, const Site *site) {
    const Recording &to = s.request->recording;
    if (s.unwritten < s.events && s.unwritten < to.capacity && (to.events[s.unwritten].pc != pc || to.events[s.unwritten].thread != s.me))
        completeWrites();
    for (uint32_t at = 0; at < size; at += 8) {
        Event e = event(op, pc);
        e.address = a + at;
        e.size = uint8_t(std::min(size - at, 8u));
        e.range = site->id;
        e.before = bytesAt(e.address, e.size);
        if (site->space == Shared) {
            e.address -= s.seat->tls;
            e.size |= inSharedMemory;
        }
        record(e);
    }
}

// recordStray records an access to memory that is not the kernel's, which may not exist.
RARE void recordStray(Op op, uint64_t pc, uint64_t a, uint32_t size) {
    completeWrites();
    Event e = event(Strays, pc);
    e.address = a;
    e.size = uint8_t(std::min(size, 8u));
    e.range = op;
    record(e);
    s.unwritten = s.events;
}

// recordMeeting records that threads go on together.
RARE void recordMeeting(EventKind kind, uint16_t thread, uint32_t line) {
    completeWrites();
    Event e = event(kind, line);
    e.thread = thread;
    record(e);
    s.unwritten = s.events;
}

} // namespace
} // namespace check
} // namespace gwsim

#if defined(__x86_64__)

namespace gwsim {
namespace check {
namespace {

// recordFrame records the bytes of a function's frame: its variables, from the stack pointer on but at most 1 KB of them, and the parameters
// that are passed on the stack.
void recordFrame(uint64_t from, uint64_t stack, uint64_t frame) {
    constexpr uint64_t most = 1024, params = 16 + 128;
    if (frame < stack || frame - stack > 1 << 20)
        return; // before the function has set its frame pointer
    for (uint64_t at = std::max(stack, frame - most) & ~15; at < frame + params; at += 16) {
        Event e = event(FrameHas, from - s.base);
        e.address = at;
        memcpy(&e.before, reinterpret_cast<const void *>(at), 8);
        memcpy(&e.after, reinterpret_cast<const void *>(at + 8), 8);
        record(e);
    }
}

} // namespace
} // namespace check
} // namespace gwsim

// gw_line stands before the code of each line of a program that is recorded.
asm(".text\n.p2align 4\n"
    ".globl gw_line\n.type gw_line, @function\n"
    "gw_line:\n" GW_SAVE
    "pushq %r11\npushq %r11\n"
    "movq 8(%rbp), %rdi\nleaq 16(%rbp), %rsi\nmovq (%rbp), %rdx\ncall gw_ran\n"
    "popq %r11\npopq %r11\n" GW_RESTORE
    "ret\n"
    ".size gw_line, .-gw_line\n");

extern "C" __attribute__((visibility("hidden"), used)) void gw_ran(uint64_t from, uint64_t stack, uint64_t frame) {
    using namespace gwsim;
    using namespace gwsim::check;
    if (!s.active || self == nullptr || !s.records)
        return;
    completeWrites();
    Event e = event(LineRuns, from - s.base);
    e.address = stack;
    e.before = frame;
    record(e);
    if (s.request->recording.frames != 0)
        recordFrame(from, stack, frame);
    s.unwritten = s.events;
}

#endif
