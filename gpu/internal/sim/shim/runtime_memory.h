// Memory of the CUDA runtime API: allocations, copies of every shape, managed memory, and pools.
#pragma once

template <class T> GW_RT cudaError_t cudaMalloc(T **p, size_t n) {
    if (gwsim::inKernel()) { // memory of the kernels' own heap
        *p = static_cast<T *>(malloc(n));
        return *p == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
    }
    if (cudaError_t e = gwrt::unsafe())
        return e;
    return gwrt::mallocOfDevice(p, n);
}
template <class T> GW_RT cudaError_t cudaMallocManaged(T **p, size_t n, unsigned = cudaMemAttachGlobal) {
    return gwrt::call(gwrt::Malloc, gwrt::number(p), n, gwrt::OfBoth);
}
template <class T> GW_RT cudaError_t cudaMallocHost(T **p, size_t n, unsigned = 0) { return gwrt::call(gwrt::Malloc, gwrt::number(p), n, gwrt::OfHost); }
template <class T> GW_RT cudaError_t cudaHostAlloc(T **p, size_t n, unsigned = cudaHostAllocDefault) { return cudaMallocHost(p, n); }
template <class T> GW_RT cudaError_t cudaHostGetDevicePointer(T **p, void *host, unsigned = 0) { return *p = static_cast<T *>(host), cudaSuccess; }
cudaError_t cudaHostGetFlags(unsigned *flags, void *);
cudaError_t cudaHostRegister(void *p, size_t n, unsigned = cudaHostRegisterDefault);
cudaError_t cudaHostUnregister(void *);
namespace gwrt {
// Memory of graphs has its address as long as the program runs: each launch of the graph allocates the same again.
extern std::unordered_map<const void *, size_t> ofGraphs;
bool isOfGraph(const void *p);
} // namespace gwrt
cudaError_t cudaFree(void *p);
cudaError_t cudaFreeHost(void *p);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *a, const void *p);
cudaError_t cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind kind);
cudaError_t cudaMemcpyPeer(void *to, int, const void *from, int, size_t n);
cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemset(void *to, int value, size_t n);
cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height);

#include "runtime_copies.h"
#include "runtime_pool.h"

// ---- managed memory: host and devices see the same bytes at once, so advice has nothing to do ----

cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = nullptr);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, cudaMemLocation, unsigned, cudaStream_t = nullptr);
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int);
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, cudaMemLocation);
#define cudaMemPrefetchAsync_v2 cudaMemPrefetchAsync
#define cudaMemAdvise_v2 cudaMemAdvise
template <class T> GW_RT cudaError_t cudaStreamAttachMemAsync(cudaStream_t, T *, size_t = 0, unsigned = cudaMemAttachSingle) { return gwrt::done(cudaSuccess); }
cudaError_t cudaMemRangeGetAttribute(void *value, size_t n, cudaMemRangeAttribute attribute, const void *, size_t);

// ---- variables of the program ----

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
GW_RT cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t n, size_t offset, cudaMemcpyKind, cudaStream_t s = nullptr) {
    if (offset + n > sizeof symbol)
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpyAsync(const_cast<char *>(reinterpret_cast<const volatile char *>(&symbol)) + offset, from, n, cudaMemcpyDefault, s);
}
template <class T>
GW_RT cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t n, size_t offset, cudaMemcpyKind, cudaStream_t s = nullptr) {
    if (offset + n > sizeof symbol)
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpyAsync(to, const_cast<const char *>(reinterpret_cast<const volatile char *>(&symbol)) + offset, n, cudaMemcpyDefault, s);
}
template <class T> GW_RT cudaError_t cudaGetSymbolAddress(void **p, const T &symbol) {
    *p = const_cast<char *>(reinterpret_cast<const volatile char *>(&symbol));
    return cudaSuccess;
}
template <class T> GW_RT cudaError_t cudaGetSymbolSize(size_t *n, const T &symbol) { return *n = sizeof symbol, cudaSuccess; }

