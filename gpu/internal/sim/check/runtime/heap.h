// Heap: memory that kernels take by malloc or new. It stays from launch to launch.
#pragma once

namespace gwsim {
namespace check {
namespace {

constexpr uint64_t heapGuard = 64;    // bytes behind each block that belong to nobody
constexpr uint64_t heapHeader = 16;   // bytes before each block that are the C library's
constexpr size_t mostRetired = 4096;  // blocks that were freed and are still known
constexpr uint64_t mostRetiredBytes = 64 << 20;
constexpr uint32_t heapRange = ~1u;   // the id of these ranges: Go has no name for them

struct Block {
    uint64_t size;
    Cell *cells;
    uint8_t *set;
    bool freed;
    Live live;
};

// Blocks are malloc's own, so that launches without check mode can free them.
struct Heap {
    std::map<uint64_t, Block> blocks; // by address
    std::deque<uint64_t> retired;     // freed, the first of them first
    uint64_t retiredBytes = 0;
    uint64_t count = 0; // of all blocks there ever were
    uint64_t launch = 0;
    std::vector<Live> live;
};
Heap heap;

Range rangeOf(uint64_t a, const Block &b) {
    return {a, a + b.size, a & ~15ull, b.cells, b.set, b.freed ? Freed : Global, heapRange};
}

// besideHeap says that an address is no place but in, or close to, a block of the heap.
bool besideHeap(uint64_t a) {
    auto after = heap.blocks.upper_bound(a);
    if (after != heap.blocks.end() && a >= after->first - heapHeader)
        return true;
    return after != heap.blocks.begin() && (--after, a < after->first + after->second.size + heapGuard);
}

// beforeBlock says that an address is in the C library's own books.
bool beforeBlock(uint64_t a) {
    auto after = heap.blocks.upper_bound(a);
    return after != heap.blocks.end() && a >= after->first - heapHeader;
}

std::vector<Range>::iterator rangeAt(uint64_t a) {
    return std::lower_bound(s.ranges.begin(), s.ranges.end(), a, [](const Range &r, uint64_t a) { return r.lo < a; });
}

// drop forgets a block.
void drop(std::map<uint64_t, Block>::iterator at) {
    auto r = rangeAt(at->first);
    if (r != s.ranges.end() && r->lo == at->first)
        s.ranges.erase(r);
    free(at->second.cells);
    free(at->second.set);
    heap.blocks.erase(at);
}

void *take(uint64_t n, uint64_t pc) {
    cannotRepeat();
    n = std::max<uint64_t>(n, 1);
    void *p = malloc(n + heapGuard);
    auto cells = static_cast<Cell *>(calloc(n / 4 + 8, sizeof(Cell)));
    auto set = static_cast<uint8_t *>(calloc(n / 8 + 3, 1));
    if (p == nullptr || cells == nullptr || set == nullptr) {
        free(p);
        free(cells);
        free(set);
        return nullptr;
    }
    uint64_t a = reinterpret_cast<uint64_t>(p);
    // Blocks that a launch without check mode has freed may be here.
    for (auto at = heap.blocks.lower_bound(a - std::min(a, n)); at != heap.blocks.end() && at->first < a + n + heapGuard;) {
        auto next = std::next(at);
        if (at->first + at->second.size > a)
            drop(at);
        at = next;
    }
    Block b = {n, cells, set, false, {n, pc, ++heap.count, heap.launch, here()}};
    heap.blocks[a] = b;
    s.ranges.insert(rangeAt(a), rangeOf(a, b));
    return p;
}

void blame(Kind kind, uint64_t pc, uint64_t a, const char *text) {
    for (Finding &f : s.findings)
        if (f.pc == pc && f.kind == kind) {
            f.count++;
            return;
        }
    if (s.findings.size() >= mostFindings)
        return;
    Finding f = {};
    f.kind = kind;
    f.id = ~0u;
    f.address = a;
    f.pc = pc;
    f.otherPc = ~0ull;
    f.at = here();
    f.count = 1;
    snprintf(f.text, sizeof f.text, "%s", text);
    s.findings.push_back(f);
}

// giveBack retires a block: its memory is not used again at once, so that a pointer to it does not find
// another block.
void giveBack(void *p, uint64_t pc) {
    cannotRepeat();
    uint64_t a = reinterpret_cast<uint64_t>(p);
    auto at = heap.blocks.find(a);
    if (at == heap.blocks.end()) {
        auto r = std::upper_bound(s.ranges.begin(), s.ranges.end(), a, [](uint64_t a, const Range &r) { return a < r.lo; });
        if (besideHeap(a) || (r != s.ranges.begin() && a < r[-1].hi))
            blame(Fault, pc, a, "frees an address that malloc has not given");
        else
            free(p); // of a launch without check mode
        return;
    }
    Block &b = at->second;
    if (b.freed) {
        blame(UseAfterFree, pc, a, "frees memory that was freed before: it may be somebody else's by then");
        return;
    }
    b.freed = true;
    rangeAt(a)->space = Freed;
    for (Site *site : s.sites)
        if (site->lo == a) {
            site->lo = ~0ull;
            site->span = 0;
        }
    heap.retired.push_back(a);
    heap.retiredBytes += b.size;
    while (heap.retired.size() > mostRetired || heap.retiredBytes > mostRetiredBytes) {
        auto oldest = heap.blocks.find(heap.retired.front());
        heap.retired.pop_front();
        if (oldest == heap.blocks.end() || !oldest->second.freed)
            continue;
        heap.retiredBytes -= oldest->second.size;
        void *memory = reinterpret_cast<void *>(oldest->first);
        drop(oldest);
        free(memory);
    }
}

// listLive lists the blocks that were taken and not given back, the first first.
void listLive() {
    heap.live.clear();
    for (auto &[a, b] : heap.blocks)
        if (!b.freed)
            heap.live.push_back(b.live);
    std::sort(heap.live.begin(), heap.live.end(), [](const Live &a, const Live &b) { return a.number < b.number; });
}

// whoCalls is where a kernel has called, relative to the module, if it was one.
bool whoCalls(void *from, uint64_t &pc) {
    pc = reinterpret_cast<uint64_t>(from) - s.base;
    return s.active && self != nullptr && pc < s.size;
}

} // namespace
} // namespace check

extern "C" {

// malloc, free, new and delete of kernels: check/assembly.go puts these in their place.
GW_API void *gw_malloc(size_t n) {
    uint64_t pc;
    return check::whoCalls(__builtin_return_address(0), pc) ? check::take(n, pc) : malloc(n);
}
GW_API void gw_free(void *p) {
    uint64_t pc;
    if (p == nullptr)
        return;
    if (check::whoCalls(__builtin_return_address(0), pc))
        check::giveBack(p, pc);
    else
        free(p);
}
#define GW_NEW(name)                                                                                                     \
    GW_API void *name(size_t n) {                                                                                        \
        uint64_t pc;                                                                                                     \
        return check::whoCalls(__builtin_return_address(0), pc) ? check::take(n, pc) : ::operator new(n);                \
    }
#define GW_DELETE(name, ...)                                                                                             \
    GW_API void name(void *p __VA_ARGS__) {                                                                              \
        uint64_t pc;                                                                                                     \
        if (p != nullptr && check::whoCalls(__builtin_return_address(0), pc))                                            \
            check::giveBack(p, pc);                                                                                      \
        else                                                                                                             \
            free(p);                                                                                                     \
    }
GW_NEW(gw__Znwm)
GW_NEW(gw__Znam)
GW_DELETE(gw__ZdlPv)
GW_DELETE(gw__ZdlPvm, , size_t)
GW_DELETE(gw__ZdaPv)
GW_DELETE(gw__ZdaPvm, , size_t)

} // extern "C"

} // namespace gwsim
