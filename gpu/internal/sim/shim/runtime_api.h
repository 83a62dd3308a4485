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
inline Ask ask;

inline std::mutex lock; // of what follows
inline std::unordered_map<const gwsim::Entry *, size_t> dynamicLimit;
inline cudaError sticky;

inline thread_local cudaError last;
inline thread_local int device;
inline int deviceCount = 1;

inline cudaError done(int code) {
    auto e = cudaError(code);
    std::lock_guard<std::mutex> guard(lock);
    // After these a device is of no more use.
    if (e == cudaErrorIllegalAddress || (e >= cudaErrorAssert && e <= cudaErrorLaunchFailure && e != cudaErrorHostMemoryAlreadyRegistered &&
                                         e != cudaErrorHostMemoryNotRegistered))
        sticky = e;
    if (sticky != cudaSuccess)
        e = sticky;
    if (e != cudaSuccess)
        last = e;
    return e;
}

template <class... A> cudaError call(Op op, A... a) {
    uint64_t args[] = {uint64_t(device), (uint64_t)a...};
    return done(ask(op, args));
}

inline uint64_t number(const void *p) { return reinterpret_cast<uint64_t>(p); }

// hostWrites reports that host code writes device memory, unseen by check mode.
inline bool hostWrites = false;
inline cudaError mallocOfDevice(void *at, size_t n) { return call(Malloc, number(at), n, OfDevice, hostWrites); }

constexpr size_t ordinaryShared = 48 << 10;

inline double milliseconds(std::chrono::steady_clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

} // namespace gwrt

#include "runtime_capture.h"

namespace gwrt {

// A kernel in clusters of another shape than its own is another entry. Each stays as long as the program runs.
inline std::unordered_map<const gwsim::Entry *, const gwsim::Entry *> kernelOfEntry;
inline const gwsim::Entry *inClusters(const gwsim::Entry *kernel, const uint32_t (&shape)[3]) {
    static std::vector<std::unique_ptr<gwsim::Entry>> all;
    std::lock_guard<std::mutex> guard(lock);
    for (auto &e : all)
        if (kernelOfEntry[e.get()] == kernel && std::equal(shape, shape + 3, e->cluster))
            return e.get();
    all.push_back(std::make_unique<gwsim::Entry>(*kernel));
    std::copy(shape, shape + 3, all.back()->cluster);
    kernelOfEntry[all.back().get()] = kernel;
    return all.back().get();
}

inline cudaError startNow(const gwsim::Entry *entry, const char *name, const char *args, dim3 grid, dim3 block, size_t shared, bool cooperative) {
    size_t most = ordinaryShared;
    {
        std::lock_guard<std::mutex> guard(lock);
        auto kernel = kernelOfEntry.find(entry);
        if (auto raised = dynamicLimit.find(kernel == kernelOfEntry.end() ? entry : kernel->second); raised != dynamicLimit.end())
            most = raised->second;
    }
    const uint32_t dims[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
    fflush(stdout); // so that what a kernel prints comes behind it
    cudaError e = call(Launch, number(entry), number(name), number(args), number(dims), shared, most, cooperative);
    // What the kernel has launched runs after it, each with what it launches itself.
    std::vector<gwsim::Nested> list;
    for (gwsim::Nested n; gwsim::nextNested(&n);)
        list.push_back(n);
    for (const gwsim::Nested &n : list) {
        if (e == cudaSuccess)
            e = startNow(n.entry, n.name, n.args, n.grid, n.block, n.shared, false);
        free(n.args);
    }
    return e;
}

// start launches a kernel, or makes it a node of the graph that the stream is captured into. The arguments begin at args.
inline cudaError start(const Start &what, const char *args, cudaStream_t stream) {
    if (capturing(stream)) {
        Start kept = what;
        kept.args.assign(args, args + what.entry->argBytes);
        return recordStart(stream, std::move(kept));
    }
    if (cudaError_t e = beforeWork(stream))
        return e;
    return startNow(what.entry, what.name, args, what.grid, what.block, what.shared, what.cooperative);
}

// describe finds out which kernel a function is by calling it, which in host code begins with
// a look at launching. The kernel does not look at its parameters then.
inline gwsim::Configured describe(const void *function) {
    gwsim::Configured c = {};
    c.want = gwsim::Configured::Describe;
    if (function != nullptr) {
        asm volatile("" : "+r"(function)); // or the compiler looks into the kernel and misses its arguments
        gwsim::launching = &c;
        reinterpret_cast<void (*)()>(const_cast<void *>(function))();
        gwsim::launching = nullptr;
    }
    return c;
}
template <class... P> const void *place(void (*f)(P...)) { return reinterpret_cast<const void *>(f); }
inline const void *place(const void *f) { return f; }

} // namespace gwrt

// ---- errors ----

GW_RT const char *cudaGetErrorString(cudaError_t e) {
    switch (e) {
#define GW_CASE(name, number, text) case name: return text;
        GW_ERRORS(GW_CASE)
#undef GW_CASE
    }
    return "unrecognized error code";
}
GW_RT const char *cudaGetErrorName(cudaError_t e) {
    switch (e) {
#define GW_CASE(name, number, text) case name: return #name;
        GW_ERRORS(GW_CASE)
#undef GW_CASE
    }
    return "unrecognized error code";
}
GW_RT cudaError_t cudaPeekAtLastError() { return gwsim::inKernel() ? cudaSuccess : gwrt::last; }
GW_RT cudaError_t cudaGetLastError() {
    if (gwsim::inKernel())
        return cudaSuccess;
    cudaError_t e = gwrt::last;
    gwrt::last = gwrt::sticky;
    return e;
}

// ---- devices ----

GW_RT cudaError_t cudaGetDeviceCount(int *n) { return *n = gwrt::deviceCount, cudaSuccess; }
GW_RT cudaError_t cudaGetDevice(int *d) { return *d = gwrt::device, cudaSuccess; }
GW_RT cudaError_t cudaSetDevice(int d) {
    if (d < 0 || d >= gwrt::deviceCount)
        return gwrt::done(cudaErrorInvalidDevice);
    gwrt::device = d;
    return gwrt::call(gwrt::SetDevice);
}
GW_RT cudaError_t cudaDeviceSynchronize() {
    if (gwsim::inKernel())
        gwsim::refuse("cudaDeviceSynchronize in a kernel: since CUDA 12 a kernel cannot wait for those that it launches; what comes after them goes into a "
                      "kernel launched into cudaStreamTailLaunch");
    if (cudaError_t e = gwrt::unsafe())
        return e;
    return gwrt::done(cudaSuccess);
}
#define cudaThreadSynchronize cudaDeviceSynchronize
GW_RT cudaError_t cudaDeviceReset() { return cudaSuccess; } // also after a fault, as with CUDA 13
#define cudaThreadExit cudaDeviceReset
#define cudaThreadSetLimit cudaDeviceSetLimit
#define cudaThreadGetLimit cudaDeviceGetLimit
#define cudaThreadSetCacheConfig cudaDeviceSetCacheConfig
#define cudaThreadGetCacheConfig cudaDeviceGetCacheConfig
GW_RT cudaError_t cudaSetDoubleForDevice(double *) { return cudaSuccess; } // since devices have double
GW_RT cudaError_t cudaSetDoubleForHost(double *) { return cudaSuccess; }
namespace gwrt {
// What a program has set, so that it reads it again. Nothing of it matters here.
inline unsigned deviceFlags;
inline cudaFuncCache cacheConfig;
inline cudaSharedMemConfig bankSize = cudaSharedMemBankSizeFourByte;
inline size_t limits[] = {1024, 1 << 20, 8 << 20, 0, 2048, 64, 0};
} // namespace gwrt
GW_RT cudaError_t cudaSetDeviceFlags(unsigned flags) { return gwrt::deviceFlags = flags, cudaSuccess; }
GW_RT cudaError_t cudaGetDeviceFlags(unsigned *flags) { return *flags = gwrt::deviceFlags, cudaSuccess; }
GW_RT cudaError_t cudaSetValidDevices(int *, int) { return cudaSuccess; }
GW_RT cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return cudaSetDevice(device); }
GW_RT cudaError_t cudaDeviceSetLimit(cudaLimit which, size_t value) {
    if (size_t(which) >= std::size(gwrt::limits))
        return gwrt::done(cudaErrorUnsupportedLimit);
    return gwrt::limits[which] = value, cudaSuccess;
}
GW_RT cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit which) {
    if (size_t(which) >= std::size(gwrt::limits))
        return gwrt::done(cudaErrorUnsupportedLimit);
    return *value = gwrt::limits[which], cudaSuccess;
}
GW_RT cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) { return gwrt::cacheConfig = config, cudaSuccess; }
GW_RT cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) { return *config = gwrt::cacheConfig, cudaSuccess; }
GW_RT cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig size) {
    return gwrt::bankSize = size == cudaSharedMemBankSizeDefault ? cudaSharedMemBankSizeFourByte : size, cudaSuccess;
}
GW_RT cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *size) { return *size = gwrt::bankSize, cudaSuccess; }
template <class F> GW_RT cudaError_t cudaFuncSetSharedMemConfig(F *, cudaSharedMemConfig) { return cudaSuccess; }
GW_RT cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
GW_RT cudaError_t cudaProfilerStart() { return cudaSuccess; }
GW_RT cudaError_t cudaProfilerStop() { return cudaSuccess; }
GW_RT cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) { return *least = 0, *greatest = -5, cudaSuccess; }
GW_RT cudaError_t cudaDriverGetVersion(int *v) { return *v = CUDART_VERSION, cudaSuccess; }
GW_RT cudaError_t cudaRuntimeGetVersion(int *v) { return *v = CUDART_VERSION, cudaSuccess; }
namespace gwrt {
// completeProperties fills in what is the same for all devices here: limits of textures are those of GPUs since compute
// capability 7.5 (CUDA C++ Programming Guide, Compute Capabilities).
inline void completeProperties(cudaDeviceProp &p, int device) {
    memcpy(p.uuid.bytes, "gopherwarp sim\0", 15);
    p.uuid.bytes[15] = char(device);
    p.totalConstMem = 64 << 10;
    p.memPitch = 0x7fffffff;
    p.textureAlignment = p.surfaceAlignment = 512;
    p.texturePitchAlignment = 32;
    auto fill = [](auto &field, std::initializer_list<int> values) { std::copy(values.begin(), values.end(), field); };
    p.maxTexture1D = 131072, p.maxTexture1DMipmap = 32768, p.maxTexture1DLinear = 1 << 28;
    fill(p.maxTexture2D, {131072, 65536}), fill(p.maxTexture2DMipmap, {32768, 32768}), fill(p.maxTexture2DLinear, {131072, 65000, 2097120});
    fill(p.maxTexture2DGather, {32768, 32768}), fill(p.maxTexture3D, {16384, 16384, 16384}), fill(p.maxTexture3DAlt, {8192, 8192, 32768});
    p.maxTextureCubemap = p.maxSurfaceCubemap = 32768;
    fill(p.maxTexture1DLayered, {32768, 2048}), fill(p.maxTexture2DLayered, {32768, 32768, 2048}), fill(p.maxTextureCubemapLayered, {32768, 2046});
    p.maxSurface1D = 32768;
    fill(p.maxSurface2D, {131072, 65536}), fill(p.maxSurface3D, {16384, 16384, 16384});
    fill(p.maxSurface1DLayered, {32768, 2048}), fill(p.maxSurface2DLayered, {32768, 32768, 2048}), fill(p.maxSurfaceCubemapLayered, {32768, 2046});
    p.deviceOverlap = p.concurrentKernels = p.unifiedAddressing = p.canMapHostMemory = p.managedMemory = p.concurrentManagedAccess = 1;
    p.asyncEngineCount = 1;
    p.pciBusID = device + 1;
    p.streamPrioritiesSupported = p.globalL1CacheSupported = p.localL1CacheSupported = p.canUseHostPointerForRegisteredMem = 1;
    p.computePreemptionSupported = p.hostRegisterSupported = p.memoryPoolsSupported = 1;
    p.singleToDoublePrecisionPerfRatio = 2;
    p.clusterLaunch = p.major >= 9;
    p.deviceNumaId = p.hostNumaId = -1;
}
} // namespace gwrt
GW_RT cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device) {
    if (device < 0 || device >= gwrt::deviceCount)
        return gwrt::done(cudaErrorInvalidDevice);
    *p = {};
    uint64_t v[32] = {};
    if (cudaError_t e = gwrt::call(gwrt::Properties, device, gwrt::number(p->name), sizeof p->name, gwrt::number(v)))
        return e;
    const uint64_t *next = v;
    auto take = [&](auto &field) { field = *next++; };
    take(p->totalGlobalMem), take(p->sharedMemPerBlock), take(p->regsPerBlock), take(p->warpSize), take(p->maxThreadsPerBlock);
    for (int &d : p->maxThreadsDim)
        take(d);
    for (int &d : p->maxGridSize)
        take(d);
    take(p->clockRate), take(p->major), take(p->minor), take(p->multiProcessorCount), take(p->memoryClockRate), take(p->memoryBusWidth);
    take(p->l2CacheSize), take(p->maxThreadsPerMultiProcessor), take(p->sharedMemPerMultiprocessor), take(p->regsPerMultiprocessor);
    take(p->cooperativeLaunch), take(p->sharedMemPerBlockOptin), take(p->maxBlocksPerMultiProcessor), take(p->reservedSharedMemPerBlock);
    gwrt::completeProperties(*p, device);
    return cudaSuccess;
}
GW_RT cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
    cudaDeviceProp p;
    if (cudaError_t e = cudaGetDeviceProperties(&p, device))
        return e;
    switch (attribute) {
#define GW_CASE(name, number, text) case cudaDevAttr##name: return *value = text, cudaSuccess;
        GW_ATTRIBUTES(GW_CASE)
#undef GW_CASE
    }
    return gwrt::done(cudaErrorInvalidValue);
}
GW_RT cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *) { return *device = 0, cudaSuccess; }
GW_RT cudaError_t cudaDeviceGetPCIBusId(char *id, int n, int device) {
    if (device < 0 || device >= gwrt::deviceCount || snprintf(id, n, "0000:%02X:00.0", device + 1) >= n)
        return gwrt::done(cudaErrorInvalidValue);
    return cudaSuccess;
}
GW_RT cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id) {
    unsigned domain, bus;
    if (sscanf(id, "%x:%x", &domain, &bus) != 2 || bus < 1 || bus > unsigned(gwrt::deviceCount))
        return gwrt::done(cudaErrorInvalidDevice);
    return *device = bus - 1, cudaSuccess;
}
GW_RT cudaError_t cudaDeviceCanAccessPeer(int *can, int a, int b) { return *can = a != b, cudaSuccess; }
GW_RT cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return gwrt::done(cudaSuccess); }
GW_RT cudaError_t cudaDeviceDisablePeerAccess(int) { return gwrt::done(cudaSuccess); }
GW_RT cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr attribute, int a, int b) {
    if (a < 0 || a >= gwrt::deviceCount || b < 0 || b >= gwrt::deviceCount)
        return gwrt::done(cudaErrorInvalidDevice);
    if (a == b)
        return gwrt::done(cudaErrorInvalidValue);
    return *value = attribute == cudaDevP2PAttrPerformanceRank ? 0 : 1, cudaSuccess;
}

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
inline cudaError describeStart(Start &out, const void *f, dim3 grid, dim3 block, void **args, size_t shared, bool cooperative) {
    gwsim::Configured c = describe(f);
    if (c.entry == nullptr)
        return done(cudaErrorInvalidDeviceFunction);
    out = {f, c.entry, c.name, c.at, c.parameters, std::vector<char>(c.entry->argBytes + 1), grid, block, shared, cooperative, {}};
    if (args != nullptr)
        c.pack(out.args.data(), args);
    return cudaSuccess;
}
inline cudaError launchDescribed(const void *f, dim3 grid, dim3 block, void **args, size_t shared, bool cooperative, cudaStream_t stream) {
    Start what;
    if (cudaError e = describeStart(what, f, grid, block, args, shared, cooperative))
        return e;
    return start(what, what.args.data(), stream);
}
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
inline std::map<int, std::array<char, 64>> &attributesOf(cudaStream_t s) {
    static std::map<int, std::array<char, 64>> ofLegacy;
    cudaStream_t state = stateOf(s);
    return state == nullptr ? ofLegacy : state->attributes;
}
} // namespace gwrt
// They are about time and caches, so that a program only reads again what it has set.
GW_RT cudaError_t cudaStreamSetAttribute(cudaStream_t s, cudaStreamAttrID id, const cudaStreamAttrValue *value) {
    return memcpy(gwrt::attributesOf(s)[id].data(), value, sizeof *value), gwrt::done(cudaSuccess);
}
GW_RT cudaError_t cudaStreamGetAttribute(cudaStream_t s, cudaStreamAttrID id, cudaStreamAttrValue *value) {
    auto &all = gwrt::attributesOf(s);
    memset(value, 0, sizeof *value);
    if (auto it = all.find(id); it != all.end())
        memcpy(value, it->second.data(), sizeof *value);
    return gwrt::done(cudaSuccess);
}
GW_RT cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
    const auto all = gwrt::attributesOf(from);
    return gwrt::attributesOf(to) = all, gwrt::done(cudaSuccess);
}

namespace gwrt {
// takeAttributes changes a launch as its attributes say. Those about time and caches change nothing here.
inline cudaError takeAttributes(Start &start, const cudaLaunchAttribute *attributes, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        const cudaLaunchAttributeValue &v = attributes[i].val;
        memcpy(start.attributes[attributes[i].id].data(), &v, sizeof v);
        if (attributes[i].id == cudaLaunchAttributeCooperative)
            start.cooperative = v.cooperative != 0;
        if (attributes[i].id != cudaLaunchAttributeClusterDimension)
            continue;
        const uint32_t shape[] = {v.clusterDim.x, v.clusterDim.y, v.clusterDim.z};
        const uint32_t *own = start.entry->cluster;
        // A kernel with __cluster_dims__ has that shape only.
        if (shape[0] == 0 || shape[1] == 0 || shape[2] == 0 || (own[0] != 0 && !std::equal(shape, shape + 3, own)))
            return done(cudaErrorInvalidValue);
        if (own[0] == 0)
            start.entry = inClusters(start.entry, shape);
    }
    return cudaSuccess;
}
// This takes those of another launch.
inline cudaError takeAttributes(Start &start, const Start &of) {
    const auto attributes = of.attributes; // both may be the same launch
    for (auto &[id, value] : attributes) {
        cudaLaunchAttribute a = {cudaLaunchAttributeID(id), {}};
        memcpy(&a.val, value.data(), sizeof a.val);
        if (cudaError e = takeAttributes(start, &a, 1))
            return e;
    }
    return cudaSuccess;
}
} // namespace gwrt
GW_RT cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *f, void **args) {
    if (config == nullptr || (config->numAttrs > 0 && config->attrs == nullptr))
        return gwrt::done(cudaErrorInvalidValue);
    gwrt::Start what;
    if (cudaError e = gwrt::describeStart(what, f, config->gridDim, config->blockDim, args, config->dynamicSmemBytes, false))
        return e;
    if (cudaError e = gwrt::takeAttributes(what, config->attrs, config->numAttrs))
        return e;
    return gwrt::start(what, what.args.data(), config->stream);
}
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
