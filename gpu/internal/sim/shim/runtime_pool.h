// Memory pools: allocations in the order of a stream. Memory is given back at once, so that a pool only counts.
#pragma once

enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic,
    cudaMemPoolReuseAllowInternalDependencies,
    cudaMemPoolAttrReleaseThreshold,
    cudaMemPoolAttrReservedMemCurrent,
    cudaMemPoolAttrReservedMemHigh,
    cudaMemPoolAttrUsedMemCurrent,
    cudaMemPoolAttrUsedMemHigh
};
enum cudaMemAllocationType { cudaMemAllocationTypeInvalid, cudaMemAllocationTypePinned, cudaMemAllocationTypeManaged };
enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone = 0,
    cudaMemHandleTypePosixFileDescriptor = 1,
    cudaMemHandleTypeWin32 = 2,
    cudaMemHandleTypeWin32Kmt = 4,
    cudaMemHandleTypeFabric = 8
};
enum cudaMemAccessFlags { cudaMemAccessFlagsProtNone = 0, cudaMemAccessFlagsProtRead = 1, cudaMemAccessFlagsProtReadWrite = 3 };
struct cudaMemPoolProps {
    cudaMemAllocationType allocType;
    cudaMemAllocationHandleType handleTypes;
    cudaMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
};
struct cudaMemAccessDesc {
    cudaMemLocation location;
    cudaMemAccessFlags flags;
};
struct cudaMemPoolPtrExportData {
    unsigned char reserved[64];
};
typedef struct CUmemPoolHandle_st {
    int device;
    uint64_t used, high, threshold;
    int reuse[3];
} *cudaMemPool_t;

namespace gwrt {

extern std::unordered_map<void *, std::pair<cudaMemPool_t, size_t>> ofPools; // by address
extern std::unordered_map<int, cudaMemPool_t> pools, firstPools;             // of devices: as set, and as given

cudaMemPool_t firstPool(int device);
cudaMemPool_t poolOf(int device);
cudaError takeNow(void **p, size_t n, cudaMemPool_t pool);
cudaError giveNow(void *p);
void keepForGraph(CUgraphNode_st &n, void *p, size_t bytes);

} // namespace gwrt

template <class T> GW_RT cudaError_t cudaMallocFromPoolAsync(T **p, size_t n, cudaMemPool_t pool, cudaStream_t s) {
    if (pool == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    // A node of a graph has its memory from now on.
    cudaError e = gwrt::takeNow(reinterpret_cast<void **>(p), n, pool), captured;
    if (e == cudaSuccess && gwrt::captured(s, cudaGraphNodeTypeMemAlloc, captured, [&](CUgraphNode_st &node) { gwrt::keepForGraph(node, *p, n); }))
        return captured;
    return e;
}
template <class T> GW_RT cudaError_t cudaMallocAsync(T **p, size_t n, cudaStream_t s) { return cudaMallocFromPoolAsync(p, n, gwrt::poolOf(gwrt::device), s); }
template <class T> GW_RT cudaError_t cudaMallocAsync(T **p, size_t n, cudaMemPool_t pool, cudaStream_t s) { return cudaMallocFromPoolAsync(p, n, pool, s); }
cudaError_t cudaFreeAsync(void *p, cudaStream_t s);

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *props);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc *, size_t);
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t, cudaMemLocation *);
