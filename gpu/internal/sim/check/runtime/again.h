// Launches that are run again: what they have written is taken back before.
#pragma once

namespace gwsim {
namespace check {
namespace {

constexpr size_t mostPages = 32 << 10; // that are kept of a launch

// A Page is what a launch has written of 4096 bytes, in lines of 64.
struct Page {
    uint64_t address, lines;
    char before[4096], after[4096];

    template <class F> void each(F f) {
        for (uint64_t rest = lines; rest; rest &= rest - 1) {
            uint64_t at = __builtin_ctzll(rest) * 64;
            f(before + at, after + at, reinterpret_cast<char *>(address + at));
        }
    }
};

// Pages are all that a launch has written to memory that stays.
struct Pages {
    std::unordered_map<uint64_t, Page *> byAddress;
    Page *recent[64];

    void clear() {
        for (auto &[a, p] : byAddress)
            free(p);
        byAddress.clear();
        memset(recent, 0, sizeof recent);
    }
    // settle notes how the launch has ended.
    void settle() {
        for (auto &[a, p] : byAddress)
            p->each([](char *, char *after, char *memory) { memcpy(after, memory, 64); });
    }
    bool differ() {
        bool different = false;
        for (auto &[a, p] : byAddress)
            p->each([&](char *, char *after, char *memory) { different = different || memcmp(after, memory, 64) != 0; });
        return different;
    }
    void toBefore() {
        for (auto &[a, p] : byAddress)
            p->each([](char *before, char *, char *memory) { memcpy(memory, before, 64); });
    }
    void toAfter() {
        for (auto &[a, p] : byAddress)
            p->each([](char *, char *after, char *memory) { memcpy(memory, after, 64); });
    }
};
Pages pages;

// cannotRepeat says that the launch does what running it again would do twice.
RARE void cannotRepeat() {
    s.lasting = true;
    if (s.trial != nullptr)
        fail(self, cudaErrorLaunchFailed, "the launch was run again, and does what cannot be taken back");
}

RARE void keepLine(uint64_t a) {
    uint64_t address = a & ~4095ull, line = a >> 6 & 63;
    auto known = pages.byAddress.find(address);
    Page *p = known != pages.byAddress.end() ? known->second : nullptr;
    if (p == nullptr) {
        if (pages.byAddress.size() < mostPages)
            p = static_cast<Page *>(malloc(sizeof(Page)));
        if (p == nullptr) {
            s.keeps = false;
            return cannotRepeat();
        }
        p->address = address;
        p->lines = 0;
        pages.byAddress[address] = p;
    }
    pages.recent[a >> 12 & 63] = p;
    if (p->lines >> line & 1)
        return;
    p->lines |= 1ull << line;
    memcpy(p->before + line * 64, reinterpret_cast<char *>(address + line * 64), 64);
    memcpy(p->after + line * 64, p->before + line * 64, 64);
}

// keep comes before each write.
inline void keep(uint64_t a) {
    Page *p = pages.recent[a >> 12 & 63];
    if (p == nullptr || p->address != (a & ~4095ull) || !(p->lines >> (a >> 6 & 63) & 1))
        keepLine(a);
}

// outlasts ends a launch that was run again and makes many more accesses than the first time.
RARE void outlasts() {
    s.lastBeat = ~0ull;
    fail(self, cudaErrorLaunchFailed, "the launch was run again, and does not end as it did");
}

} // namespace
} // namespace check

void unwatchedWrite(const void *p, size_t n) {
    using namespace check;
    uint64_t a = reinterpret_cast<uint64_t>(p);
    if (s.keeps && self != nullptr && n > 0) {
        keep(a);
        keep(a + n - 1);
    }
}

} // namespace gwsim
