// Whole programs: what stands before a program with a main of its own. Host
// code and kernels are compiled together; the process that runs the program is Go's, which
// keeps device memory and launches kernels (../program.go).
#pragma once

#define GW_PROGRAM 1 // what is for host code may ask
#include "prelude.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include <unistd.h>

// Here these are functions with the C library's names, which serve host code and kernels alike.
#undef printf
#undef clock
// Kernels wait for so many cycles; on the host it is the time that the program has computed.
extern "C" inline clock_t clock() noexcept {
    if (gwsim::inKernel())
        return (clock_t)clock64();
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * CLOCKS_PER_SEC + t.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}

// Thrust runs on the host.
#ifndef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#endif
#define CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_BF16_SUPPORT
#define CCCL_DISABLE_NVFP8_SUPPORT
#define CCCL_DISABLE_NVTX

#include "runtime_api.h"
#include "texture_api.h"
#include "main.h"
#include "runtime_graph.h"
#include "runtime_nodes.h"
#include "runtime_batch.h"
#include "runtime_external.h"
#include "runtime_entry.h"
#include "runtime_ipc.h"
#include "guards.h"

namespace gwrt {

// configure keeps what stands between <<< and >>> for the call that follows: in host code the
// body of a kernel begins with a call of launch.
inline int configure(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr) {
    static thread_local gwsim::Configured c;
    c = {};
    c.grid = grid, c.block = block, c.shared = shared, c.stream = stream;
    gwsim::launching = &c;
    return 0;
}

// launched is called behind the kernel.
inline void launched(const char *kernel, int line) {
    if (gwsim::launching == nullptr)
        return;
    fflush(stdout);
    fprintf(stderr, "line %d launches %s, which the simulator does not know as a kernel: it must stand in a file of the program or in one that these include by name, and not in a macro\n", line, kernel);
    _exit(1);
}

// Packed are arguments as the simulator's runtime takes them.
template <auto K> struct Packed {
    char bytes[gwsim::Kernel<K>::bytes + 1];
    template <class... P> explicit Packed(const P &...p) {
        size_t i = 0;
        ((gwsim::Kernel<K>::put(bytes, i++, p)), ...);
    }
};

// splitOf is how a kernel with a split form runs a block.
template <auto K> void (*splitOf)(const char *args) = nullptr;
template <auto K, auto S> bool hasSplit() {
    splitOf<K> = gwsim::Kernel<K>::template runSplit<S>;
    return true;
}
template <auto K, auto S> gwsim::Entry entryOf(gwsim::Bounds bounds) {
    gwsim::Entry e = gwsim::entry<K>(bounds);
    if constexpr (std::is_null_pointer<decltype(S)>::value)
        e.split = splitOf<K>;
    else
        e.split = gwsim::Kernel<K>::template runSplit<S>;
    return e;
}

// launch is what a kernel that host code calls does. It knows the types of the parameters. S is the split form of an instance of a template.
template <auto K, auto S, class... P> GW_UNWATCHED __attribute__((noinline)) void launch(const char *name, gwsim::Bounds bounds, const P &...p) {
    static const gwsim::Entry entry = entryOf<K, S>(bounds);
    gwsim::Configured *c = gwsim::launching;
    gwsim::launching = nullptr;
    using Kernel = gwsim::Kernel<K>;
    if (c->want == gwsim::Configured::Describe) {
        c->entry = &entry;
        c->name = name;
        c->pack = Kernel::pack;
        c->at = Kernel::at;
        c->sizeOf = Kernel::sizeOf;
        c->parameters = sizeof...(P);
        return;
    }
    if (gwsim::inKernel()) {
        auto stream = static_cast<cudaStream_t>(c->stream);
        gwsim::nest({&entry, name, c->grid, c->block, c->shared, stream == cudaStreamTailLaunch, 0, nullptr}, Packed<K>(p...).bytes);
        return;
    }
    const Start what = {reinterpret_cast<const void *>(K), &entry, name, Kernel::at, sizeof...(P), {}, c->grid, c->block, c->shared, false, {}};
    start(what, Packed<K>(p...).bytes, static_cast<cudaStream_t>(c->stream));
}

// begin, and then construct, come before main. The loader does not call the constructors of global objects, since they may call the runtime.
typedef void (*Constructor)(int, char **, char **);
void begin(Ask toGo, int devices);
void construct(const Constructor *first, size_t bytes, int n, char **args);

} // namespace gwrt
