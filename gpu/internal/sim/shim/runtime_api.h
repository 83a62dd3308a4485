// The CUDA runtime API for whole programs. All work is done when the call returns, so streams
// and events have nothing to do but to exist, and to know the time.
#pragma once

#include <chrono>
#include <mutex>
#include <unordered_map>

#include "runtime_types.h"

namespace gwrt {

// What Go is asked for; ../program.go has the same list.
enum Op : uint64_t { Malloc, Free, Copy, CopyRect, Fill, Launch, Properties, MemInfo, Occupancy, SetDevice, Adopt, Known, End };
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

constexpr size_t ordinaryShared = 48 << 10;

inline cudaError start(const gwsim::Entry *entry, const char *name, const char *args, dim3 grid, dim3 block, size_t shared, bool cooperative) {
    size_t most = ordinaryShared;
    {
        std::lock_guard<std::mutex> guard(lock);
        if (auto raised = dynamicLimit.find(entry); raised != dynamicLimit.end())
            most = raised->second;
    }
    const uint32_t dims[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
    fflush(stdout); // so that what a kernel prints comes behind it
    return call(Launch, number(entry), number(name), number(args), number(dims), shared, most, cooperative);
}

// describe finds out which kernel a function is by calling it, which in host code begins with
// a look at launching. The kernel does not look at its parameters then.
inline gwsim::Configured describe(const void *function) {
    gwsim::Configured c = {gwsim::Configured::Describe, {}, {}, 0, false, nullptr, nullptr, nullptr};
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

inline double milliseconds(std::chrono::steady_clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

} // namespace gwrt

#define GW_RT static inline __attribute__((unused))

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
GW_RT cudaError_t cudaPeekAtLastError() { return gwrt::last; }
GW_RT cudaError_t cudaGetLastError() {
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
GW_RT cudaError_t cudaDeviceSynchronize() { return gwrt::done(cudaSuccess); }
#define cudaThreadSynchronize cudaDeviceSynchronize
GW_RT cudaError_t cudaDeviceReset() { return cudaSuccess; } // also after a fault, as with CUDA 13
GW_RT cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
GW_RT cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
GW_RT cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit) { return *value = 0, cudaSuccess; }
GW_RT cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
GW_RT cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
GW_RT cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) { return *least = 0, *greatest = -5, cudaSuccess; }
GW_RT cudaError_t cudaDriverGetVersion(int *v) { return *v = CUDART_VERSION, cudaSuccess; }
GW_RT cudaError_t cudaRuntimeGetVersion(int *v) { return *v = CUDART_VERSION, cudaSuccess; }
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
    p->totalConstMem = 64 << 10;
    p->memPitch = 0x7fffffff;
    p->textureAlignment = 512;
    p->deviceOverlap = p->concurrentKernels = p->unifiedAddressing = p->canMapHostMemory = p->managedMemory = p->concurrentManagedAccess = 1;
    p->asyncEngineCount = 1;
    p->streamPrioritiesSupported = p->globalL1CacheSupported = p->localL1CacheSupported = p->canUseHostPointerForRegisteredMem = 1;
    return cudaSuccess;
}
GW_RT cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
    cudaDeviceProp p;
    if (cudaError_t e = cudaGetDeviceProperties(&p, device))
        return e;
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: case cudaDevAttrMaxBlockDimY: case cudaDevAttrMaxBlockDimZ:
        *value = p.maxThreadsDim[attribute - cudaDevAttrMaxBlockDimX]; break;
    case cudaDevAttrMaxGridDimX: case cudaDevAttrMaxGridDimY: case cudaDevAttrMaxGridDimZ:
        *value = p.maxGridSize[attribute - cudaDevAttrMaxGridDimX]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = p.sharedMemPerBlock; break;
    case cudaDevAttrTotalConstantMemory: *value = p.totalConstMem; break;
    case cudaDevAttrWarpSize: *value = p.warpSize; break;
    case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case cudaDevAttrClockRate: *value = p.clockRate; break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrMemoryClockRate: *value = p.memoryClockRate; break;
    case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
    case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = p.sharedMemPerMultiprocessor; break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; break;
    case cudaDevAttrCooperativeLaunch: *value = p.cooperativeLaunch; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = p.sharedMemPerBlockOptin; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *value = p.maxBlocksPerMultiProcessor; break;
    case cudaDevAttrConcurrentKernels: case cudaDevAttrUnifiedAddressing: case cudaDevAttrManagedMemory: case cudaDevAttrConcurrentManagedAccess:
        *value = 1; break;
    default: return gwrt::done(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}
GW_RT cudaError_t cudaDeviceCanAccessPeer(int *can, int a, int b) { return *can = a != b, cudaSuccess; }
GW_RT cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return gwrt::done(cudaSuccess); }
GW_RT cudaError_t cudaDeviceDisablePeerAccess(int) { return gwrt::done(cudaSuccess); }

// ---- memory ----

template <class T> GW_RT cudaError_t cudaMalloc(T **p, size_t n) { return gwrt::call(gwrt::Malloc, gwrt::number(p), n, gwrt::OfDevice); }
template <class T> GW_RT cudaError_t cudaMallocManaged(T **p, size_t n, unsigned = cudaMemAttachGlobal) {
    return gwrt::call(gwrt::Malloc, gwrt::number(p), n, gwrt::OfBoth);
}
template <class T> GW_RT cudaError_t cudaMallocHost(T **p, size_t n, unsigned = 0) { return gwrt::call(gwrt::Malloc, gwrt::number(p), n, gwrt::OfHost); }
template <class T> GW_RT cudaError_t cudaHostAlloc(T **p, size_t n, unsigned) { return cudaMallocHost(p, n); }
template <class T> GW_RT cudaError_t cudaHostGetDevicePointer(T **p, void *host, unsigned) { return *p = static_cast<T *>(host), cudaSuccess; }
GW_RT cudaError_t cudaHostRegister(void *p, size_t n, unsigned) { return gwrt::call(gwrt::Adopt, gwrt::number(p), n); }
GW_RT cudaError_t cudaHostUnregister(void *) { return gwrt::done(cudaSuccess); }
template <class T> GW_RT cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height) {
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(p, *pitch * height);
}
GW_RT cudaError_t cudaFree(void *p) { return p == nullptr ? gwrt::done(cudaSuccess) : gwrt::call(gwrt::Free, gwrt::number(p)); }
GW_RT cudaError_t cudaFreeHost(void *p) { return cudaFree(p); }
template <class T> GW_RT cudaError_t cudaMallocAsync(T **p, size_t n, cudaStream_t) { return cudaMalloc(p, n); }
GW_RT cudaError_t cudaFreeAsync(void *p, cudaStream_t) { return cudaFree(p); }
GW_RT cudaError_t cudaMemGetInfo(size_t *free, size_t *total) { return gwrt::call(gwrt::MemInfo, gwrt::number(free), gwrt::number(total)); }
GW_RT cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *a, const void *p) {
    uint64_t use = 0;
    *a = {};
    if (gwrt::call(gwrt::Known, gwrt::number(p), gwrt::number(&use)) == cudaSuccess && use > 0) {
        constexpr cudaMemoryType types[] = {cudaMemoryTypeUnregistered, cudaMemoryTypeDevice, cudaMemoryTypeHost, cudaMemoryTypeManaged};
        a->type = types[use];
        a->devicePointer = const_cast<void *>(p);
        a->hostPointer = a->type == cudaMemoryTypeDevice ? nullptr : a->devicePointer;
    }
    return cudaSuccess;
}
GW_RT cudaError_t cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind kind) {
    return gwrt::call(gwrt::Copy, gwrt::number(to), gwrt::number(from), n, kind);
}
GW_RT cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, cudaMemcpyKind kind, cudaStream_t = nullptr) { return cudaMemcpy(to, from, n, kind); }
GW_RT cudaError_t cudaMemcpyPeer(void *to, int, const void *from, int, size_t n) { return cudaMemcpy(to, from, n, cudaMemcpyDefault); }
GW_RT cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t n, cudaStream_t) { return cudaMemcpy(to, from, n, cudaMemcpyDefault); }
GW_RT cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height, cudaMemcpyKind kind) {
    if (width > toPitch || width > fromPitch)
        return gwrt::done(cudaErrorInvalidPitchValue);
    return gwrt::call(gwrt::CopyRect, gwrt::number(to), toPitch, gwrt::number(from), fromPitch, width, height, kind);
}
GW_RT cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height, cudaMemcpyKind kind,
                                    cudaStream_t = nullptr) {
    return cudaMemcpy2D(to, toPitch, from, fromPitch, width, height, kind);
}
GW_RT cudaError_t cudaMemset(void *to, int value, size_t n) { return gwrt::call(gwrt::Fill, gwrt::number(to), value & 0xff, n); }
GW_RT cudaError_t cudaMemsetAsync(void *to, int value, size_t n, cudaStream_t = nullptr) { return cudaMemset(to, value, n); }
GW_RT cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
    cudaError_t e = cudaSuccess;
    for (size_t i = 0; i < height && e == cudaSuccess; i++)
        e = cudaMemset(static_cast<char *>(to) + i * pitch, value, width);
    return e;
}
GW_RT cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = nullptr) { return gwrt::done(cudaSuccess); }
GW_RT cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int) { return gwrt::done(cudaSuccess); }

template <class T> GW_RT cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t n, size_t offset = 0, cudaMemcpyKind = cudaMemcpyHostToDevice) {
    if (offset + n > sizeof symbol)
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpy(const_cast<char *>(reinterpret_cast<const volatile char *>(&symbol)) + offset, from, n, cudaMemcpyDefault);
}
template <class T> GW_RT cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t n, size_t offset = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost) {
    if (offset + n > sizeof symbol)
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpy(to, const_cast<const char *>(reinterpret_cast<const volatile char *>(&symbol)) + offset, n, cudaMemcpyDefault);
}
template <class T>
GW_RT cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t n, size_t offset, cudaMemcpyKind kind, cudaStream_t = nullptr) {
    return cudaMemcpyToSymbol(symbol, from, n, offset, kind);
}
template <class T>
GW_RT cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t n, size_t offset, cudaMemcpyKind kind, cudaStream_t = nullptr) {
    return cudaMemcpyFromSymbol(to, symbol, n, offset, kind);
}
template <class T> GW_RT cudaError_t cudaGetSymbolAddress(void **p, const T &symbol) {
    *p = const_cast<char *>(reinterpret_cast<const volatile char *>(&symbol));
    return cudaSuccess;
}
template <class T> GW_RT cudaError_t cudaGetSymbolSize(size_t *n, const T &symbol) { return *n = sizeof symbol, cudaSuccess; }

// ---- streams and events ----

GW_RT cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned, int priority) { return *s = new CUstream_st{priority}, gwrt::done(cudaSuccess); }
GW_RT cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags) { return cudaStreamCreateWithPriority(s, flags, 0); }
GW_RT cudaError_t cudaStreamCreate(cudaStream_t *s) { return cudaStreamCreateWithPriority(s, 0, 0); }
GW_RT cudaError_t cudaStreamDestroy(cudaStream_t s) {
    if (s == nullptr)
        return gwrt::done(cudaErrorInvalidResourceHandle);
    delete s;
    return gwrt::done(cudaSuccess);
}
GW_RT cudaError_t cudaStreamSynchronize(cudaStream_t) { return gwrt::done(cudaSuccess); }
GW_RT cudaError_t cudaStreamQuery(cudaStream_t) { return gwrt::done(cudaSuccess); }
GW_RT cudaError_t cudaStreamGetPriority(cudaStream_t s, int *priority) { return *priority = s == nullptr ? 0 : s->priority, cudaSuccess; }
GW_RT cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) { return gwrt::done(cudaSuccess); }
GW_RT cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t f, void *data) { return f(data), gwrt::done(cudaSuccess); }
GW_RT cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t f, void *data, unsigned) { return f(s, gwrt::sticky, data), gwrt::done(cudaSuccess); }

GW_RT cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned) { return *e = new CUevent_st{}, gwrt::done(cudaSuccess); }
GW_RT cudaError_t cudaEventCreate(cudaEvent_t *e, unsigned = 0) { return cudaEventCreateWithFlags(e, 0); }
GW_RT cudaError_t cudaEventDestroy(cudaEvent_t e) {
    delete e;
    return gwrt::done(cudaSuccess);
}
GW_RT cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t = nullptr) {
    if (e == nullptr)
        return gwrt::done(cudaErrorInvalidResourceHandle);
    e->recorded = true;
    e->at = std::chrono::steady_clock::now();
    return gwrt::done(cudaSuccess);
}
GW_RT cudaError_t cudaEventSynchronize(cudaEvent_t) { return gwrt::done(cudaSuccess); }
GW_RT cudaError_t cudaEventQuery(cudaEvent_t) { return gwrt::done(cudaSuccess); }
GW_RT cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to) {
    *ms = 0; // or the compiler warns of those who trust the function
    if (from == nullptr || to == nullptr || !from->recorded || !to->recorded)
        return gwrt::done(cudaErrorInvalidResourceHandle);
    *ms = gwrt::milliseconds(to->at - from->at);
    return gwrt::done(cudaSuccess);
}

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
inline cudaError launchDescribed(const void *f, dim3 grid, dim3 block, void **args, size_t shared, bool cooperative) {
    gwsim::Configured c = describe(f);
    if (c.entry == nullptr)
        return done(cudaErrorInvalidDeviceFunction);
    std::vector<char> packed(c.entry->argBytes + 1);
    c.pack(packed.data(), args);
    return start(c.entry, c.name, packed.data(), grid, block, shared, cooperative);
}
} // namespace gwrt
template <class F> GW_RT cudaError_t cudaLaunchKernel(F *f, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t = nullptr) {
    return gwrt::launchDescribed(gwrt::place(f), grid, block, args, shared, false);
}
template <class F> GW_RT cudaError_t cudaLaunchCooperativeKernel(F *f, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t = nullptr) {
    return gwrt::launchDescribed(gwrt::place(f), grid, block, args, shared, true);
}
template <class F> GW_RT cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F *f, int threads, size_t shared) {
    gwsim::Configured c = gwrt::describe(gwrt::place(f));
    if (c.entry == nullptr)
        return gwrt::done(cudaErrorInvalidDeviceFunction);
    return gwrt::call(gwrt::Occupancy, gwrt::number(c.entry), gwrt::number(c.name), threads, shared, gwrt::number(blocks));
}
template <class F> GW_RT cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, F *f, size_t shared = 0, int limit = 0) {
    cudaDeviceProp p;
    if (cudaError_t e = cudaGetDeviceProperties(&p, gwrt::device))
        return e;
    int best = 0;
    for (int threads = limit > 0 ? std::min(limit, 1024) / 32 * 32 : 1024; threads >= 32; threads -= 32) {
        int blocks = 0;
        if (cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, threads, shared))
            return e;
        if (blocks * threads > best) {
            best = blocks * threads;
            *block = threads;
            *grid = blocks * p.multiProcessorCount;
        }
    }
    return cudaSuccess;
}
