// The CUDA runtime API for whole programs: devices, memory and kernels. All work is done when the call returns.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <unordered_map>

#include "runtime_types.h"

#define GW_RT static inline __attribute__((unused))

namespace gwrt {

// What Go is asked for; ../program.go has the same list.
enum Op : uint64_t { Malloc, Free, Copy, CopyRect, Fill, Launch, Properties, MemInfo, Occupancy, SetDevice, Adopt, Known, End, Range, Virtual };
enum Use : uint64_t { OfDevice, OfHost, OfBoth };

// A request and its answer. Go returns a CUresult, whose numbers are those of cudaError.
typedef int (*Ask)(uint64_t op, uint64_t *args);
extern Ask ask;

extern std::mutex lock; // of what follows
extern std::unordered_map<const gwsim::Entry *, size_t> dynamicLimit;
extern cudaError sticky;

extern thread_local cudaError last;
extern thread_local int device;
extern int deviceCount;

cudaError done(int code);

template <class... A> cudaError call(Op op, A... a) {
    uint64_t args[] = {uint64_t(device), (uint64_t)a...};
    return done(ask(op, args));
}

inline uint64_t number(const void *p) { return reinterpret_cast<uint64_t>(p); }

// hostWrites reports that host code writes device memory, unseen by check mode.
extern bool hostWrites;
cudaError mallocOfDevice(void *at, size_t n);

constexpr size_t ordinaryShared = 48 << 10;

inline double milliseconds(std::chrono::steady_clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

} // namespace gwrt

#include "runtime_capture.h"

namespace gwrt {

// A kernel in clusters of another shape than its own is another entry. Each stays as long as the program runs.
extern std::unordered_map<const gwsim::Entry *, const gwsim::Entry *> kernelOfEntry;
const gwsim::Entry *inClusters(const gwsim::Entry *kernel, const uint32_t (&shape)[3]);

cudaError startNow(const gwsim::Entry *entry, const char *name, const char *args, dim3 grid, dim3 block, size_t shared, bool cooperative);

// start launches a kernel, or makes it a node of the graph that the stream is captured into. The arguments begin at args.
cudaError start(const Start &what, const char *args, cudaStream_t stream);

// describe finds out which kernel a function is by calling it, which in host code begins with
// a look at launching. The kernel does not look at its parameters then.
gwsim::Configured describe(const void *function);
template <class... P> const void *place(void (*f)(P...)) { return reinterpret_cast<const void *>(f); }
inline const void *place(const void *f) { return f; }

} // namespace gwrt

// ---- errors ----

const char *cudaGetErrorString(cudaError_t e);
const char *cudaGetErrorName(cudaError_t e);
cudaError_t cudaPeekAtLastError();
cudaError_t cudaGetLastError();

// ---- devices ----

cudaError_t cudaGetDeviceCount(int *n);
cudaError_t cudaGetDevice(int *d);
cudaError_t cudaSetDevice(int d);
cudaError_t cudaDeviceSynchronize();
#define cudaThreadSynchronize cudaDeviceSynchronize
cudaError_t cudaDeviceReset(); // also after a fault, as with CUDA 13
#define cudaThreadExit cudaDeviceReset
#define cudaThreadSetLimit cudaDeviceSetLimit
#define cudaThreadGetLimit cudaDeviceGetLimit
#define cudaThreadSetCacheConfig cudaDeviceSetCacheConfig
#define cudaThreadGetCacheConfig cudaDeviceGetCacheConfig
cudaError_t cudaSetDoubleForDevice(double *); // since devices have double
cudaError_t cudaSetDoubleForHost(double *);
namespace gwrt {
// What a program has set, so that it reads it again. Nothing of it matters here.
extern unsigned deviceFlags;
extern cudaFuncCache cacheConfig;
extern cudaSharedMemConfig bankSize;
extern size_t limits[7];
} // namespace gwrt
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaGetDeviceFlags(unsigned *flags);
cudaError_t cudaSetValidDevices(int *, int);
cudaError_t cudaInitDevice(int device, unsigned, unsigned);
cudaError_t cudaDeviceSetLimit(cudaLimit which, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit which);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig size);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *size);
template <class F> GW_RT cudaError_t cudaFuncSetSharedMemConfig(F *, cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaCtxResetPersistingL2Cache();
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaDriverGetVersion(int *v);
cudaError_t cudaRuntimeGetVersion(int *v);
namespace gwrt {
// completeProperties fills in what is the same for all devices here: limits of textures are those of GPUs since compute
// capability 7.5 (CUDA C++ Programming Guide, Compute Capabilities).
void completeProperties(cudaDeviceProp &p, int device);
} // namespace gwrt
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *);
cudaError_t cudaDeviceGetPCIBusId(char *id, int n, int device);
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id);
cudaError_t cudaDeviceCanAccessPeer(int *can, int a, int b);
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned);
cudaError_t cudaDeviceDisablePeerAccess(int);
cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr attribute, int a, int b);

#include "runtime_memory.h"

// ---- kernels ----

template <class F> GW_RT cudaError_t cudaFuncSetAttribute(F *f, cudaFuncAttribute attribute, int value) {
    gwsim::Configured c = gwrt::describe(gwrt::place(f));
    if (c.entry == nullptr)
        return gwrt::done(cudaErrorInvalidDeviceFunction);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return cudaSuccess;
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, gwrt::device);
    if (value < 0 || size_t(value) > p.sharedMemPerBlockOptin)
        return gwrt::done(cudaErrorInvalidValue);
    std::lock_guard<std::mutex> guard(gwrt::lock);
    gwrt::dynamicLimit[c.entry] = std::max(size_t(value), gwrt::ordinaryShared);
    return cudaSuccess;
}
template <class F> GW_RT cudaError_t cudaFuncSetCacheConfig(F *, cudaFuncCache) { return cudaSuccess; }
template <class F> GW_RT cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, F *f) {
    gwsim::Configured c = gwrt::describe(gwrt::place(f));
    *a = {};
    if (c.entry == nullptr)
        return gwrt::done(cudaErrorInvalidDeviceFunction);
    a->maxThreadsPerBlock = c.entry->maxThreads;
    a->maxDynamicSharedSizeBytes = gwrt::ordinaryShared;
    a->binaryVersion = a->ptxVersion = __CUDA_ARCH__ / 10;
    return cudaSuccess;
}
namespace gwrt {
// describeStart is a launch of the kernel that a function is, with arguments given as cudaLaunchKernel takes them.
cudaError describeStart(Start &out, const void *f, dim3 grid, dim3 block, void **args, size_t shared, bool cooperative);
cudaError launchDescribed(const void *f, dim3 grid, dim3 block, void **args, size_t shared, bool cooperative, cudaStream_t stream);
} // namespace gwrt
template <class F> GW_RT cudaError_t cudaLaunchKernel(F *f, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t s = nullptr) {
    return gwrt::launchDescribed(gwrt::place(f), grid, block, args, shared, false, s);
}
template <class F> GW_RT cudaError_t cudaLaunchCooperativeKernel(F *f, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t s = nullptr) {
    return gwrt::launchDescribed(gwrt::place(f), grid, block, args, shared, true, s);
}

enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore,
    cudaLaunchAttributeAccessPolicyWindow,
    cudaLaunchAttributeCooperative,
    cudaLaunchAttributeSynchronizationPolicy,
    cudaLaunchAttributeClusterDimension,
    cudaLaunchAttributeClusterSchedulingPolicyPreference,
    cudaLaunchAttributeProgrammaticStreamSerialization,
    cudaLaunchAttributeProgrammaticEvent,
    cudaLaunchAttributePriority,
    cudaLaunchAttributeMemSyncDomainMap,
    cudaLaunchAttributeMemSyncDomain
};
enum cudaAccessProperty { cudaAccessPropertyNormal, cudaAccessPropertyStreaming, cudaAccessPropertyPersisting };
struct cudaAccessPolicyWindow {
    void *base_ptr;
    size_t num_bytes;
    float hitRatio;
    cudaAccessProperty hitProp, missProp;
};
union cudaLaunchAttributeValue {
    char pad[64];
    cudaAccessPolicyWindow accessPolicyWindow;
    int cooperative, syncPolicy, programmaticStreamSerializationAllowed, priority;
    struct {
        unsigned x, y, z;
    } clusterDim;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};
typedef cudaLaunchAttributeID cudaStreamAttrID, cudaKernelNodeAttrID;
typedef cudaLaunchAttributeValue cudaStreamAttrValue, cudaKernelNodeAttrValue;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaKernelNodeAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaKernelNodeAttributeCooperative cudaLaunchAttributeCooperative
#define cudaKernelNodeAttributeClusterDimension cudaLaunchAttributeClusterDimension
#define cudaKernelNodeAttributePriority cudaLaunchAttributePriority

namespace gwrt {
std::map<int, std::array<char, 64>> &attributesOf(cudaStream_t s);
} // namespace gwrt
// They are about time and caches, so that a program only reads again what it has set.
cudaError_t cudaStreamSetAttribute(cudaStream_t s, cudaStreamAttrID id, const cudaStreamAttrValue *value);
cudaError_t cudaStreamGetAttribute(cudaStream_t s, cudaStreamAttrID id, cudaStreamAttrValue *value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);

namespace gwrt {
// takeAttributes changes a launch as its attributes say. Those about time and caches change nothing here.
cudaError takeAttributes(Start &start, const cudaLaunchAttribute *attributes, unsigned n);
// This takes those of another launch.
cudaError takeAttributes(Start &start, const Start &of);
} // namespace gwrt
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *f, void **args);
template <class... P, class... A> GW_RT cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*f)(P...), A &&...a) {
    return [&](P... p) {
        void *places[] = {const_cast<void *>(static_cast<const volatile void *>(&p))..., nullptr};
        return cudaLaunchKernelExC(config, gwrt::place(f), places);
    }(std::forward<A>(a)...);
}
template <class F> GW_RT cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F *f, int threads, size_t shared) {
    gwsim::Configured c = gwrt::describe(gwrt::place(f));
    if (c.entry == nullptr)
        return gwrt::done(cudaErrorInvalidDeviceFunction);
    return gwrt::call(gwrt::Occupancy, gwrt::number(c.entry), gwrt::number(c.name), threads, shared, gwrt::number(blocks));
}
template <class F> GW_RT cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, F *f, int threads, size_t shared, unsigned) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, threads, shared);
}
// The bytes of shared memory may depend on the size of a block.
template <class S, class F> GW_RT cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, F *f, S shared, int limit = 0) {
    cudaDeviceProp p;
    if (cudaError_t e = cudaGetDeviceProperties(&p, gwrt::device))
        return e;
    int best = 0;
    for (int threads = limit > 0 ? std::min(limit, 1024) / 32 * 32 : 1024; threads >= 32; threads -= 32) {
        int blocks = 0;
        if (cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, threads, shared(threads)))
            return e;
        if (blocks * threads > best) {
            best = blocks * threads;
            *block = threads;
            *grid = blocks * p.multiProcessorCount;
        }
    }
    return cudaSuccess;
}
template <class F> GW_RT cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, F *f, size_t shared = 0, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, f, [=](int) { return shared; }, limit);
}
template <class F> GW_RT cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, F *f, size_t shared = 0, int limit = 0, unsigned = 0) {
    return cudaOccupancyMaxPotentialBlockSize(grid, block, f, shared, limit);
}
template <class S, class F> GW_RT cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *grid, int *block, F *f, S shared, int limit = 0, unsigned = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, f, shared, limit);
}
template <class F> GW_RT cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, F *f, int blocks, int threads) {
    cudaDeviceProp p;
    if (cudaError_t e = cudaGetDeviceProperties(&p, gwrt::device))
        return e;
    int most = 0;
    if (cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, f, threads, 0))
        return e;
    *bytes = blocks < 1 || blocks > most ? 0 : std::min(p.sharedMemPerBlock, p.sharedMemPerMultiprocessor / blocks - p.reservedSharedMemPerBlock);
    return cudaSuccess;
}
// The largest cluster, and how many clusters run at once: blocks of a cluster share a processor with others here.
template <class F> GW_RT cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, F *, const cudaLaunchConfig_t *config) {
    if (size == nullptr || config == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    return *size = 8, cudaSuccess;
}
template <class F> GW_RT cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, F *f, const cudaLaunchConfig_t *config) {
    if (clusters == nullptr || config == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    unsigned blocks = 1;
    for (unsigned i = 0; i < config->numAttrs; i++)
        if (const auto &d = config->attrs[i].val.clusterDim; config->attrs[i].id == cudaLaunchAttributeClusterDimension)
            blocks = d.x * d.y * d.z;
    cudaDeviceProp p;
    int each = 0;
    if (cudaError_t e = cudaGetDeviceProperties(&p, gwrt::device))
        return e;
    if (cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, f, int(config->blockDim.x * config->blockDim.y * config->blockDim.z), config->dynamicSmemBytes))
        return e;
    return blocks == 0 ? gwrt::done(cudaErrorInvalidValue) : (*clusters = int(each * p.multiProcessorCount / blocks), cudaSuccess);
}
