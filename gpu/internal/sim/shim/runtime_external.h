// Memory, semaphores and images of other programming interfaces, and code that is loaded. The simulator has nothing that they could be made of, so
// all of it is refused, with a sentence where a program comes to it first.
#pragma once

#define cudaExternalMemoryDedicated 0x1
#define cudaExternalSemaphoreSignalSkipNvSciBufMemSync 0x01
#define cudaExternalSemaphoreWaitSkipNvSciBufMemSync 0x02

typedef struct CUexternalMemory_st *cudaExternalMemory_t;
typedef struct CUexternalSemaphore_st *cudaExternalSemaphore_t;
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;

enum cudaExternalMemoryHandleType {
    cudaExternalMemoryHandleTypeOpaqueFd = 1,
    cudaExternalMemoryHandleTypeOpaqueWin32,
    cudaExternalMemoryHandleTypeOpaqueWin32Kmt,
    cudaExternalMemoryHandleTypeD3D12Heap,
    cudaExternalMemoryHandleTypeD3D12Resource,
    cudaExternalMemoryHandleTypeD3D11Resource,
    cudaExternalMemoryHandleTypeD3D11ResourceKmt,
    cudaExternalMemoryHandleTypeNvSciBuf
};
enum cudaExternalSemaphoreHandleType {
    cudaExternalSemaphoreHandleTypeOpaqueFd = 1,
    cudaExternalSemaphoreHandleTypeOpaqueWin32,
    cudaExternalSemaphoreHandleTypeOpaqueWin32Kmt,
    cudaExternalSemaphoreHandleTypeD3D12Fence,
    cudaExternalSemaphoreHandleTypeD3D11Fence,
    cudaExternalSemaphoreHandleTypeNvSciSync,
    cudaExternalSemaphoreHandleTypeKeyedMutex,
    cudaExternalSemaphoreHandleTypeKeyedMutexKmt,
    cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd,
    cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32
};
struct cudaExternalMemoryHandleDesc {
    cudaExternalMemoryHandleType type;
    union {
        int fd;
        struct {
            void *handle;
            const void *name;
        } win32;
        const void *nvSciBufObject;
    } handle;
    unsigned long long size;
    unsigned flags;
};
struct cudaExternalMemoryBufferDesc {
    unsigned long long offset, size;
    unsigned flags;
};
struct cudaExternalMemoryMipmappedArrayDesc {
    unsigned long long offset;
    cudaChannelFormatDesc formatDesc;
    cudaExtent extent;
    unsigned flags, numLevels;
};
struct cudaExternalSemaphoreHandleDesc {
    cudaExternalSemaphoreHandleType type;
    union {
        int fd;
        struct {
            void *handle;
            const void *name;
        } win32;
        const void *nvSciSyncObj;
    } handle;
    unsigned flags;
};
struct cudaExternalSemaphoreSignalParams {
    struct {
        struct {
            unsigned long long value;
        } fence;
        union {
            void *fence;
            unsigned long long reserved;
        } nvSciSync;
        struct {
            unsigned long long key;
        } keyedMutex;
    } params;
    unsigned flags;
};
struct cudaExternalSemaphoreWaitParams {
    struct {
        struct {
            unsigned long long value;
        } fence;
        union {
            void *fence;
            unsigned long long reserved;
        } nvSciSync;
        struct {
            unsigned long long key;
            unsigned timeoutMs;
        } keyedMutex;
    } params;
    unsigned flags;
};
struct cudaExternalSemaphoreSignalNodeParams {
    cudaExternalSemaphore_t *extSemArray;
    const cudaExternalSemaphoreSignalParams *paramsArray;
    unsigned numExtSems;
};
struct cudaExternalSemaphoreWaitNodeParams {
    cudaExternalSemaphore_t *extSemArray;
    const cudaExternalSemaphoreWaitParams *paramsArray;
    unsigned numExtSems;
};
enum cudaGraphicsMapFlags { cudaGraphicsMapFlagsNone, cudaGraphicsMapFlagsReadOnly, cudaGraphicsMapFlagsWriteDiscard };
enum cudaGraphicsRegisterFlags {
    cudaGraphicsRegisterFlagsNone,
    cudaGraphicsRegisterFlagsReadOnly,
    cudaGraphicsRegisterFlagsWriteDiscard,
    cudaGraphicsRegisterFlagsSurfaceLoadStore = 4,
    cudaGraphicsRegisterFlagsTextureGather = 8
};
struct cudaArrayMemoryRequirements {
    size_t size, alignment;
    unsigned reserved[4];
};
struct cudaArraySparseProperties {
    struct {
        unsigned width, height, depth;
    } tileExtent;
    unsigned miptailFirstLevel;
    unsigned long long miptailSize;
    unsigned flags, reserved[4];
};

namespace gwrt {
// lacking refuses a function, once with why and what to do.
cudaError lacking(const char *function, const char *why);
constexpr const char *noVulkan = "there is no memory or semaphore of Vulkan, Direct3D or NvSci on a simulated device: copy through memory of the host, or run it on a GPU";
constexpr const char *noImages = "a simulated device has no images or buffers of OpenGL or Direct3D: copy through memory of the host, or run it on a GPU";
} // namespace gwrt

cudaError_t cudaImportExternalMemory(cudaExternalMemory_t *, const cudaExternalMemoryHandleDesc *);
cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t *, const cudaExternalSemaphoreHandleDesc *);

// Nothing can have been imported, so what these get is no handle.
#define GW_NO_HANDLE(name, ...)                                                                                          \
    GW_RT cudaError_t name(__VA_ARGS__) { return gwrt::done(cudaErrorInvalidResourceHandle); }
GW_NO_HANDLE(cudaExternalMemoryGetMappedBuffer, void **, cudaExternalMemory_t, const cudaExternalMemoryBufferDesc *)
GW_NO_HANDLE(cudaExternalMemoryGetMappedMipmappedArray, cudaMipmappedArray_t *, cudaExternalMemory_t, const cudaExternalMemoryMipmappedArrayDesc *)
GW_NO_HANDLE(cudaDestroyExternalMemory, cudaExternalMemory_t)
GW_NO_HANDLE(cudaDestroyExternalSemaphore, cudaExternalSemaphore_t)
GW_NO_HANDLE(cudaSignalExternalSemaphoresAsync, const cudaExternalSemaphore_t *, const cudaExternalSemaphoreSignalParams *, unsigned, cudaStream_t = nullptr)
GW_NO_HANDLE(cudaWaitExternalSemaphoresAsync, const cudaExternalSemaphore_t *, const cudaExternalSemaphoreWaitParams *, unsigned, cudaStream_t = nullptr)
GW_NO_HANDLE(cudaGraphAddExternalSemaphoresSignalNode, cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, const cudaExternalSemaphoreSignalNodeParams *)
GW_NO_HANDLE(cudaGraphAddExternalSemaphoresWaitNode, cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, const cudaExternalSemaphoreWaitNodeParams *)
GW_NO_HANDLE(cudaGraphExternalSemaphoresSignalNodeGetParams, cudaGraphNode_t, cudaExternalSemaphoreSignalNodeParams *)
GW_NO_HANDLE(cudaGraphExternalSemaphoresSignalNodeSetParams, cudaGraphNode_t, const cudaExternalSemaphoreSignalNodeParams *)
GW_NO_HANDLE(cudaGraphExternalSemaphoresWaitNodeGetParams, cudaGraphNode_t, cudaExternalSemaphoreWaitNodeParams *)
GW_NO_HANDLE(cudaGraphExternalSemaphoresWaitNodeSetParams, cudaGraphNode_t, const cudaExternalSemaphoreWaitNodeParams *)
GW_NO_HANDLE(cudaGraphExecExternalSemaphoresSignalNodeSetParams, cudaGraphExec_t, cudaGraphNode_t, const cudaExternalSemaphoreSignalNodeParams *)
GW_NO_HANDLE(cudaGraphExecExternalSemaphoresWaitNodeSetParams, cudaGraphExec_t, cudaGraphNode_t, const cudaExternalSemaphoreWaitNodeParams *)
GW_NO_HANDLE(cudaGraphicsUnmapResources, int, cudaGraphicsResource_t *, cudaStream_t = nullptr)
GW_NO_HANDLE(cudaGraphicsUnregisterResource, cudaGraphicsResource_t)
GW_NO_HANDLE(cudaGraphicsResourceSetMapFlags, cudaGraphicsResource_t, unsigned)
GW_NO_HANDLE(cudaGraphicsResourceGetMappedPointer, void **, size_t *, cudaGraphicsResource_t)
GW_NO_HANDLE(cudaGraphicsResourceGetMappedMipmappedArray, cudaMipmappedArray_t *, cudaGraphicsResource_t)
GW_NO_HANDLE(cudaGraphicsSubResourceGetMappedArray, cudaArray_t *, cudaGraphicsResource_t, unsigned, unsigned)
#undef GW_NO_HANDLE
GW_RT cudaError_t cudaGraphicsMapResources(int, cudaGraphicsResource_t *, cudaStream_t = nullptr) { return gwrt::lacking("cudaGraphicsMapResources", gwrt::noImages); }

// Arrays have their memory from the beginning, one plane, and no tiles without memory.
cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements *, cudaArray_t, int);
cudaError_t cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements *, cudaMipmappedArray_t, int);
cudaError_t cudaArrayGetSparseProperties(cudaArraySparseProperties *, cudaArray_t);
cudaError_t cudaMipmappedArrayGetSparseProperties(cudaArraySparseProperties *, cudaMipmappedArray_t);
cudaError_t cudaArrayGetPlane(cudaArray_t *, cudaArray_t, unsigned);

// ---- devices ----

enum cudaFlushGPUDirectRDMAWritesTarget { cudaFlushGPUDirectRDMAWritesTargetCurrentDevice };
enum cudaFlushGPUDirectRDMAWritesScope { cudaFlushGPUDirectRDMAWritesToOwner = 100, cudaFlushGPUDirectRDMAWritesToAllDevices = 200 };
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget, cudaFlushGPUDirectRDMAWritesScope);
cudaError_t cudaDeviceGetNvSciSyncAttributes(void *, int, int);
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *elements, const cudaChannelFormatDesc *format, int device);

// A simulated device never asks for memory back, which is what the notifications are about.
typedef struct cudaAsyncCallbackEntry *cudaAsyncCallbackHandle_t;
enum cudaAsyncNotificationType { cudaAsyncNotificationTypeOverBudget = 1 };
struct cudaAsyncNotificationInfo_t {
    cudaAsyncNotificationType type;
    union {
        struct {
            unsigned long long bytesOverBudget;
        } overBudget;
    } info;
};
typedef void (*cudaAsyncCallback)(cudaAsyncNotificationInfo_t *, void *, cudaAsyncCallbackHandle_t);
cudaError_t cudaDeviceRegisterAsyncNotification(int, cudaAsyncCallback, void *, cudaAsyncCallbackHandle_t *);
cudaError_t cudaDeviceUnregisterAsyncNotification(int, cudaAsyncCallbackHandle_t);

// ---- the log, which is empty: the simulator prints what it has to say ----

typedef unsigned cudaLogIterator;
typedef struct CUlogsCallbackEntry_st *cudaLogsCallbackHandle;
enum cudaLogLevel { cudaLogLevelError, cudaLogLevelWarning };
typedef void (*cudaLogsCallback_t)(void *, cudaLogLevel, char *, size_t);
cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t f, void *, cudaLogsCallbackHandle *handle);
cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle handle);
cudaError_t cudaLogsCurrent(cudaLogIterator *at, unsigned);
cudaError_t cudaLogsDumpToFile(cudaLogIterator *, const char *path, unsigned);
cudaError_t cudaLogsDumpToMemory(cudaLogIterator *, char *to, size_t *size, unsigned);
