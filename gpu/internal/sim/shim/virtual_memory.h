// The driver API's virtual memory: addresses that are reserved, memory that is created, and mappings between them. All devices of a program see
// memory as soon as it is accessible to one.
#pragma once

typedef unsigned long long CUmemGenericAllocationHandle;
typedef enum CUmemLocationType_enum {
    CU_MEM_LOCATION_TYPE_INVALID,
    CU_MEM_LOCATION_TYPE_DEVICE,
    CU_MEM_LOCATION_TYPE_HOST,
    CU_MEM_LOCATION_TYPE_HOST_NUMA,
    CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT
} CUmemLocationType;
typedef enum CUmemAllocationType_enum { CU_MEM_ALLOCATION_TYPE_INVALID, CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_ALLOCATION_TYPE_MANAGED } CUmemAllocationType;
typedef enum CUmemAllocationHandleType_enum {
    CU_MEM_HANDLE_TYPE_NONE = 0,
    CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1,
    CU_MEM_HANDLE_TYPE_WIN32 = 2,
    CU_MEM_HANDLE_TYPE_WIN32_KMT = 4,
    CU_MEM_HANDLE_TYPE_FABRIC = 8
} CUmemAllocationHandleType;
typedef enum CUmemAccess_flags_enum {
    CU_MEM_ACCESS_FLAGS_PROT_NONE = 0,
    CU_MEM_ACCESS_FLAGS_PROT_READ = 1,
    CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3
} CUmemAccess_flags;
typedef enum CUmemAllocationGranularity_flags_enum {
    CU_MEM_ALLOC_GRANULARITY_MINIMUM,
    CU_MEM_ALLOC_GRANULARITY_RECOMMENDED
} CUmemAllocationGranularity_flags;
typedef struct CUmemLocation_st {
    CUmemLocationType type;
    int id;
} CUmemLocation;
typedef struct CUmemAllocationProp_st {
    CUmemAllocationType type;
    CUmemAllocationHandleType requestedHandleTypes;
    CUmemLocation location;
    void *win32HandleMetaData;
    struct {
        unsigned char compressionType, gpuDirectRDMACapable;
        unsigned short usage;
        unsigned char reserved[4];
    } allocFlags;
} CUmemAllocationProp;
typedef struct CUmemAccessDesc_st {
    CUmemLocation location;
    CUmemAccess_flags flags;
} CUmemAccessDesc;
typedef cudaMemoryAdvise CUmem_advise;
#define CU_MEM_ADVISE_SET_READ_MOSTLY cudaMemAdviseSetReadMostly
#define CU_MEM_ADVISE_UNSET_READ_MOSTLY cudaMemAdviseUnsetReadMostly
#define CU_MEM_ADVISE_SET_PREFERRED_LOCATION cudaMemAdviseSetPreferredLocation
#define CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION cudaMemAdviseUnsetPreferredLocation
#define CU_MEM_ADVISE_SET_ACCESSED_BY cudaMemAdviseSetAccessedBy
#define CU_MEM_ADVISE_UNSET_ACCESSED_BY cudaMemAdviseUnsetAccessedBy
#define CU_DEVICE_CPU ((CUdevice)-1)
#define CU_DEVICE_INVALID ((CUdevice)-2)

namespace gwrt {
// The operations; ../virtual.go has the same list, and the granularity.
enum VirtualOp : uint64_t { Reserve, FreeAddresses, Create, Release, Map, Unmap, SetAccess, Find };
constexpr size_t virtualGranularity = 2 << 20;
inline std::unordered_map<CUmemGenericAllocationHandle, CUmemAllocationProp> virtualProps; // guarded by lock

inline CUresult refuseVirtual(const char *function, const char *why) {
    fprintf(stderr, "simulator: %s: %s\n", function, why);
    return CUDA_ERROR_NOT_SUPPORTED;
}
inline CUresult refusedProp(const char *function, const CUmemAllocationProp *prop) {
    if (prop == nullptr || prop->type == CU_MEM_ALLOCATION_TYPE_INVALID || prop->location.type == CU_MEM_LOCATION_TYPE_INVALID)
        return CUDA_ERROR_INVALID_VALUE;
    if (prop->type != CU_MEM_ALLOCATION_TYPE_PINNED || prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
        return refuseVirtual(function, "the simulator creates pinned memory of devices only (CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_LOCATION_TYPE_DEVICE)");
    if (prop->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE)
        return refuseVirtual(function, "the simulator does not share memory with other processes: use CU_MEM_HANDLE_TYPE_NONE");
    return prop->location.id < 0 || prop->location.id >= deviceCount ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}
} // namespace gwrt

GW_RT CUresult cuMemGetAllocationGranularity(size_t *n, const CUmemAllocationProp *prop, CUmemAllocationGranularity_flags) {
    *n = gwrt::virtualGranularity;
    return gwrt::refusedProp("cuMemGetAllocationGranularity", prop);
}
GW_RT CUresult cuMemAddressReserve(CUdeviceptr *p, size_t n, size_t alignment, CUdeviceptr hint, unsigned long long) {
    return CUresult(gwrt::call(gwrt::Virtual, gwrt::Reserve, gwrt::number(p), n, alignment, hint));
}
GW_RT CUresult cuMemAddressFree(CUdeviceptr p, size_t n) { return CUresult(gwrt::call(gwrt::Virtual, gwrt::FreeAddresses, p, n)); }
GW_RT CUresult cuMemCreate(CUmemGenericAllocationHandle *h, size_t n, const CUmemAllocationProp *prop, unsigned long long) {
    *h = 0;
    if (CUresult e = gwrt::refusedProp("cuMemCreate", prop))
        return e;
    if (cudaError_t e = gwrt::call(gwrt::Virtual, gwrt::Create, gwrt::number(h), n, prop->location.id))
        return CUresult(e);
    std::lock_guard<std::mutex> guard(gwrt::lock);
    return gwrt::virtualProps[*h] = *prop, CUDA_SUCCESS;
}
GW_RT CUresult cuMemRelease(CUmemGenericAllocationHandle h) { return CUresult(gwrt::call(gwrt::Virtual, gwrt::Release, h)); }
GW_RT CUresult cuMemMap(CUdeviceptr p, size_t n, size_t offset, CUmemGenericAllocationHandle h, unsigned long long) {
    return CUresult(gwrt::call(gwrt::Virtual, gwrt::Map, p, n, offset, h));
}
GW_RT CUresult cuMemUnmap(CUdeviceptr p, size_t n) {
    if (cudaError_t e = cudaDeviceSynchronize()) // kernels of other streams may use it
        return CUresult(e);
    return CUresult(gwrt::call(gwrt::Virtual, gwrt::Unmap, p, n));
}
GW_RT CUresult cuMemSetAccess(CUdeviceptr p, size_t n, const CUmemAccessDesc *list, size_t count) {
    bool accessible = false;
    for (size_t i = 0; i < count; i++) {
        if (list[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READ)
            return gwrt::refuseVirtual("cuMemSetAccess", "the simulator has no memory that can only be read: use CU_MEM_ACCESS_FLAGS_PROT_READWRITE");
        accessible |= list[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    }
    return count == 0 ? CUDA_ERROR_INVALID_VALUE : CUresult(gwrt::call(gwrt::Virtual, gwrt::SetAccess, p, n, accessible));
}
GW_RT CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *, CUdeviceptr p) {
    uint64_t accessible = 0;
    cudaError_t e = gwrt::call(gwrt::Virtual, gwrt::Find, p, 0, gwrt::number(&accessible), 0);
    *flags = accessible ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUresult(e);
}
GW_RT CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *h, void *p) {
    *h = 0;
    return CUresult(gwrt::call(gwrt::Virtual, gwrt::Find, gwrt::number(p), gwrt::number(h), 0, 1));
}
GW_RT CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop, CUmemGenericAllocationHandle h) {
    std::lock_guard<std::mutex> guard(gwrt::lock);
    auto it = gwrt::virtualProps.find(h);
    return it == gwrt::virtualProps.end() ? CUDA_ERROR_INVALID_VALUE : (*prop = it->second, CUDA_SUCCESS);
}
GW_RT CUresult cuMemExportToShareableHandle(void *, CUmemGenericAllocationHandle, CUmemAllocationHandleType, unsigned long long) {
    return gwrt::refuseVirtual("cuMemExportToShareableHandle", "the simulator does not share memory with other processes");
}
GW_RT CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *, void *, CUmemAllocationHandleType) {
    return gwrt::refuseVirtual("cuMemImportFromShareableHandle", "the simulator does not share memory with other processes");
}

// Managed memory: host and devices see the same bytes at once, so that advice has nothing to do.
GW_RT CUresult cuMemPrefetchAsync(CUdeviceptr p, size_t n, CUdevice d, CUstream s) { return CUresult(cudaMemPrefetchAsync(gwrt::at(p), n, d, s)); }
GW_RT CUresult cuMemPrefetchAsync(CUdeviceptr p, size_t n, CUmemLocation to, unsigned flags, CUstream s) {
    return CUresult(cudaMemPrefetchAsync(gwrt::at(p), n, cudaMemLocation{cudaMemLocationType(to.type), to.id}, flags, s));
}
GW_RT CUresult cuMemAdvise(CUdeviceptr p, size_t n, CUmem_advise advice, CUdevice d) { return CUresult(cudaMemAdvise(gwrt::at(p), n, advice, d)); }
GW_RT CUresult cuMemAdvise(CUdeviceptr p, size_t n, CUmem_advise advice, CUmemLocation to) {
    return CUresult(cudaMemAdvise(gwrt::at(p), n, advice, cudaMemLocation{cudaMemLocationType(to.type), to.id}));
}
