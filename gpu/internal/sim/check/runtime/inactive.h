// Shuffles from lanes that take no part in them. CUDA leaves their value open, which is no defect of a kernel that ignores it,
// as the upper lanes of a sum do. So the launch is run again with other values: if it then ends in another way, the kernel
// depends on them.
#pragma once

namespace gwsim {
namespace check {
namespace {

constexpr size_t mostSources = 8;       // shuffles of a launch that are tried
constexpr int mostHarmless = 3;         // launches of a kernel with the same grid in which a shuffle is tried that does no harm
constexpr uint64_t freeBeats = 20'000'000; // accesses that the search for the first read may cost at least
// Large numbers of all types, also of halves, with either sign.
constexpr uint64_t otherValues[] = {0x7b7b7b7b7b7b7b7b, 0xfbfbfbfbfbfbfbfb, 0};

// An Inactive is a read of such a lane.
struct Inactive {
    const char *name; // of the function
    uint64_t pc;
    uint32_t line, from, mask, source; // source is the thread that it reads
    Place at;
    enum { Missing, Ended, Elsewhere } why;
};

// A Source is a shuffle with such reads.
struct Source {
    uint64_t pc;
    uint32_t line;
};
std::vector<Source> sources; // of the launch

// A Trial is a launch that is run again, with a value for the first reads of a shuffle.
struct Trial {
    Source source;
    uint64_t value, upTo;
    uint64_t count; // reads
    Inactive last;  // that got the value
};

// A Call is the parameters of gw_launch.
struct Call {
    const Request *request;
    const Entry *entry;
    const char *args;
    const uint32_t *dims;
    uint32_t shared;
    const Manner *manner;
    const char *name;
};

using Tried = std::array<uint64_t, 9>; // module, kernel, shuffle, grid and block
std::map<Tried, int> harmless;

RARE void readInactive(Worker *w, int warp, int lane, uint32_t from, uint64_t pc, const char *name) {
    const Fiber &f = w->fibers[warp * 32 + lane];
    uint32_t line = f.line;
    if (s.trial == nullptr) {
        auto same = [&](const Source &o) { return o.pc == pc && o.line == line; };
        if (sources.size() < mostSources && std::none_of(sources.begin(), sources.end(), same))
            sources.push_back({pc, line});
        return;
    }
    Trial &t = *s.trial;
    if (pc != t.source.pc || line != t.source.line || t.count >= t.upTo)
        return;
    t.count++;
    uint32_t source = warp * 32 + from;
    uint3 me = position(warp * 32 + lane);
    t.last = {name, pc, line, from, f.mask, source, {{blockIdx.x, blockIdx.y, blockIdx.z}, {me.x, me.y, me.z}}, Inactive::Elsewhere};
    if (source >= uint32_t(w->threads))
        t.last.why = Inactive::Missing;
    else if (!(w->warps[warp].live >> from & 1))
        t.last.why = Inactive::Ended;
    w->warps[warp].group.result[lane] = t.value;
}

Finding findingOf(const Inactive &r) {
    Finding f = {};
    f.kind = InactiveLane;
    f.line = r.line;
    f.pc = r.pc;
    f.otherPc = ~0ull;
    f.at = r.at;
    f.count = 1;
    char why[160];
    if (r.why == Inactive::Missing) {
        snprintf(why, sizeof why, "which no thread has, as the block has %u threads", blockDim.x * blockDim.y * blockDim.z);
    } else {
        uint3 t = position(r.source);
        if (r.why == Inactive::Ended)
            snprintf(why, sizeof why, "whose thread (%u,%u,%u) has returned before", t.x, t.y, t.z);
        else
            snprintf(why, sizeof why, "thread (%u,%u,%u), which the mask 0x%08x does not name", t.x, t.y, t.z, r.mask);
    }
    snprintf(f.text, sizeof f.text, "takes by %s the value of lane %u of the warp, %s: the value is undefined, and the kernel's result depends on it", r.name,
             r.from, why);
    return f;
}

enum Outcome { Same, Different, Unclear };

// runAgain runs the launch from its beginning, and compares how it ends.
Outcome runAgain(const Call &c, Trial *trial, uint64_t beats, uint64_t text) {
    pages.toBefore();
    begin(c.request);
    s.keeps = true;
    s.trial = trial;
    s.lastBeat = s.beat + 4 * beats + 1'000'000;
    s.patience = std::min<uint64_t>(s.patience, 2'000'000'000);
    Failure ignored;
    int code = gw_launch(c.entry, c.args, c.dims, c.shared, c.manner, c.name, &ignored);
    end();
    if (s.lasting || s.clock >= clockLimit)
        return Unclear;
    return code != 0 || s.text != text || pages.differ() ? Different : Same;
}

// A Search finds out which shuffles of a launch do harm.
struct Search {
    const Call &call;
    uint64_t beats, text; // of the first run
    bool steady = false;  // it ends in the same way when nothing is changed

    Outcome run(Trial &t) { return runAgain(call, &t, beats, text); }

    // matters reports whether the launch ends in another way with other values for a shuffle, and sets the first
    // read that makes a difference.
    bool matters(const Source &source, Inactive &read) {
        Trial t = {source, 0, ~0ull, 0, {}};
        Outcome o = Same;
        for (uint64_t value : otherValues) {
            t.value = value;
            t.count = 0;
            if ((o = run(t)) != Same)
                break;
        }
        if (o != Different || t.count == 0)
            return false;
        Trial none = {source, 0, 0, 0, {}};
        steady = steady || run(none) == Same;
        if (!steady) {
            s.lasting = true; // by chance, or the time
            return false;
        }
        read = t.last;
        uint64_t without = 0, with = t.count, limit = s.beat + 8 * beats + freeBeats;
        for (uint64_t at = 1; without + 1 < with && s.beat < limit; at = (without + with) / 2) {
            t.upTo = at;
            t.count = 0;
            o = run(t);
            if (o == Unclear)
                break;
            if (o == Same) {
                without = at;
            } else {
                with = at;
                read = t.last;
            }
        }
        return true;
    }
};

// mayRepeat reports whether the launch that has ended can be run again and is worth it.
bool mayRepeat() {
    return !sources.empty() && !s.lasting && std::all_of(s.findings.begin(), s.findings.end(), [](const Finding &f) {
        return f.kind == Uninitialised || f.kind == Race || f.kind == EarlyExit;
    });
}

// findInactive adds the findings about such reads of the launch that has ended.
void findInactive(const Call &call, uint64_t beats) {
    if (!mayRepeat())
        return;
    const dim3 outside = blockDim;
    blockDim = {call.dims[3], call.dims[4], call.dims[5]}; // for position
    std::vector<Source> list;
    std::vector<Finding> findings;
    list.swap(sources);
    findings.swap(s.findings);
    uint32_t launchClock = s.launchClock;
    pages.settle();
    Search search = {call, beats, s.text};
    for (const Source &source : list) {
        Tried key = {call.request->serial, reinterpret_cast<uint64_t>(call.entry), source.pc << 32 | source.line};
        std::copy(call.dims, call.dims + 6, key.begin() + 3);
        auto known = harmless.find(key);
        if (known != harmless.end() && known->second >= mostHarmless)
            continue;
        if (std::any_of(findings.begin(), findings.end(), [&](const Finding &f) { return f.kind == InactiveLane && f.line == source.line; }))
            continue;
        Inactive read;
        if (search.matters(source, read))
            findings.push_back(findingOf(read));
        else
            harmless[key]++;
        if (s.lasting)
            break;
    }
    pages.toAfter();
    s.trial = nullptr;
    s.launchClock = launchClock;
    blockDim = outside;
    s.findings.swap(findings);
}

} // namespace
} // namespace check
} // namespace gwsim
