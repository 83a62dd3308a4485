// What kernels and the simulator's runtime know of each other. Kernels are compiled into
// shared objects of their own, which find these names in the runtime's.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define GW_API __attribute__((visibility("default")))
// Check mode watches what kernels do to memory, but not what the simulator does.
#ifdef GW_CHECK
#define GW_UNWATCHED __attribute__((no_sanitize("thread")))
#else
#define GW_UNWATCHED
#endif
// The runtime's variables of a thread are few and small, so they fit the space that the
// loader keeps for late arrivals, and an access is one instruction.
#define GW_TLS extern GW_API __attribute__((tls_model("initial-exec"))) __thread

struct uint3 {
    unsigned int x, y, z;
};

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

GW_TLS uint3 threadIdx, blockIdx;
GW_TLS dim3 blockDim, gridDim;
constexpr int warpSize = 32;

namespace gwsim {

// Set when the running block has threads on stacks of their own, because one of them had
// to wait. Until then the block's threads run one after the other in a plain loop.
GW_TLS unsigned promoted;

// The carry of the last sum or difference of assembly that has one.
GW_TLS unsigned carry;

// Bytes of dynamic shared memory of the running launch.
GW_TLS unsigned dynamicShared;

// An entry is how the runtime calls one kernel.
struct Entry {
    uint32_t argBytes;   // length of the parameter buffer
    uint32_t maxThreads; // of a block, by __launch_bounds__
    // run executes the threads of the current block from threadIdx on: all of them, or
    // only the first one if the block is or gets promoted.
    void (*run)(const char *args);
    // touch makes the calling OS thread's copy of the module's shared memory, and returns a
    // place in it. Left to
    // the first access, the loader would do it in the middle of the kernel, and some
    // versions of it then forget the vector registers.
    void *(*touch)();
    // split does the same as run for a whole block, without stacks for its threads. It is
    // null for kernels that have no barriers, or where barriers stand in the wrong places.
    void (*split)(const char *args);
    uint32_t cluster[3]; // by __cluster_dims__, or 0
};

// What host code in a whole program has said about the launch of a kernel that it calls next.
struct Configured {
    enum Want { Launch, Describe } want; // to launch the kernel, or only to tell which it is
    dim3 grid, block;
    size_t shared;
    void *stream;
    const Entry *entry; // what the kernel tells
    const char *name;
    void (*pack)(char *to, void **from); // its arguments
    size_t (*at)(size_t i);              // where a parameter stands among them
    size_t (*sizeOf)(size_t i);          // how many bytes it has
    size_t parameters;
};
// launching is null but between these two, and always in kernels.
GW_TLS Configured *launching;
// nest keeps a launch that a kernel makes until the kernel's grid has ended. nextNested takes one of those of the last launch, in
// the order of the blocks that made them; it returns false if there are no more.
struct Nested {
    const Entry *entry;
    const char *name;
    dim3 grid, block;
    size_t shared;
    bool tail; // after the others
    uint64_t by; // the block
    char *args;  // from malloc
};
GW_API void nest(const Nested &launch, const char *args);
GW_API bool nextNested(Nested *launch);
// refuse ends the kernel with an error.
[[noreturn]] GW_API void refuse(const char *what);
// inKernel says whether the calling thread runs a kernel.
GW_API bool inKernel();

// A group is the lanes of a warp that take part in one warp operation. The last lane to
// arrive works out the results of all.
struct Group {
    uint32_t lanes; // the participants
    uint64_t value[32], result[32];
    uint32_t arg[32];
};

// An op is a warp operation.
struct Op {
    const char *name;
    void (*combine)(Group &);
    bool reads = false; // each lane takes the value of the lane in its arg
    bool whole = false; // all 32 lanes of the warp must execute it
};

// barrier is __syncthreads and its relatives: it returns the number of threads whose
// predicate held.
GW_API int barrier(const char *name, bool predicate, int line);
// gridBarrier and clusterBarrier wait for all threads of several blocks.
GW_API void gridBarrier(int line);
GW_API void clusterBarrier(int line);
GW_API uint3 clusterDim();
// sharedOf is the place of another block of the cluster that mine is in this one.
GW_API char *sharedOf(char *mine, unsigned rank);
// rankOf is the block of the cluster that a place in shared memory belongs to.
GW_API unsigned rankOf(const char *p);
GW_API uint64_t collective(const Op &op, uint32_t mask, uint64_t value, uint32_t arg, int line);
// lanesMissing ends a split block: a mask names lanes that are elsewhere, or not the calling one.
[[noreturn]] GW_API void lanesMissing(const char *name, uint32_t mask, int line);
// activeLanes is the set of lanes of the warp that come to this line together.
GW_API uint32_t activeLanes(int line);
// inSharedMemory reports whether an address is in the shared memory of the block, in which touched is, too.
GW_API bool inSharedMemory(const void *p, const void *touched);
// inLocalMemory reports whether an address is on a stack of the block's threads.
GW_API bool inLocalMemory(const void *p);
// pause lets other threads of the block run. Without others it returns at once.
GW_API void pause();

// Phases is a barrier that is an object: a phase ends when so many threads have arrived.
// It stands in shared memory, and check mode does not look at what the runtime does to it.
struct Phases {
    uint32_t made; // by phasesInit
    uint32_t count, missing, done; // arrivals of a phase; of this one; phases that have ended
};
GW_API void phasesInit(Phases *p, uint32_t count);
// phasesArrive returns how many phases had ended before.
GW_API uint32_t phasesArrive(Phases *p, uint32_t n, bool drop, int line);
// phasesWait waits until so many phases have ended.
GW_API void phasesWait(const Phases *p, uint32_t done, int line);
GW_API uint32_t phasesNow(const Phases *p, int line);
GW_API int print(const char *format, ...) __attribute__((format(printf, 1, 2)));
[[noreturn]] GW_API void assertFailed(const char *expression, const char *file, int line, const char *function);
[[noreturn]] GW_API void trap(int line = __builtin_LINE());
#ifdef GW_CHECK
// threadBegins tells check mode that the thread in threadIdx starts.
GW_API void threadBegins();
// clockRead tells it that a thread looks at the clock.
GW_API void clockRead();
// unwatchedWrite tells it what a function of the simulator is about to write to the kernel's memory, unless the compiler does.
GW_API void unwatchedWrite(const void *p, size_t n);
#endif

} // namespace gwsim
