// The constants and types of the CUDA runtime API.
#pragma once

#include <chrono>
#include <stddef.h>

#define CUDART_VERSION 13000
#define CUDART_CB
#define __CUDART_API_VERSION CUDART_VERSION
#define cudaStreamDefault 0x0
#define cudaStreamNonBlocking 0x1
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaEventDefault 0x0
#define cudaEventBlockingSync 0x1
#define cudaEventDisableTiming 0x2
#define cudaHostAllocDefault 0x0
#define cudaHostAllocPortable 0x1
#define cudaHostAllocMapped 0x2
#define cudaHostAllocWriteCombined 0x4
#define cudaHostRegisterDefault 0x0
#define cudaHostRegisterPortable 0x1
#define cudaHostRegisterMapped 0x2
#define cudaMemAttachGlobal 0x1
#define cudaMemAttachHost 0x2
#define cudaDeviceScheduleAuto 0x0
#define cudaDeviceScheduleSpin 0x1
#define cudaDeviceScheduleYield 0x2
#define cudaDeviceScheduleBlockingSync 0x4
#define cudaDeviceMapHost 0x8
#define cudaOccupancyDefault 0x0
#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)

// Name, number, and what cudaGetErrorString says.
#define GW_ERRORS(X)                                                                                                     \
    X(cudaSuccess, 0, "no error")                                                                                        \
    X(cudaErrorInvalidValue, 1, "invalid argument")                                                                      \
    X(cudaErrorMemoryAllocation, 2, "out of memory")                                                                     \
    X(cudaErrorInitializationError, 3, "initialization error")                                                           \
    X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                                                \
    X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                                          \
    X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                                               \
    X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                                                       \
    X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                                          \
    X(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")                   \
    X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                                                     \
    X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                                      \
    X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                                             \
    X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                                                    \
    X(cudaErrorNotReady, 600, "device not ready")                                                                        \
    X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                                          \
    X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")                                     \
    X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                                            \
    X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                                          \
    X(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                                            \
    X(cudaErrorAssert, 710, "device-side assert triggered")                                                              \
    X(cudaErrorHostMemoryAlreadyRegistered, 712, "part or all of the requested memory range is already mapped")          \
    X(cudaErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a registered memory region")                \
    X(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")                                        \
    X(cudaErrorMisalignedAddress, 716, "misaligned address")                                                             \
    X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                                         \
    X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")                                  \
    X(cudaErrorNotSupported, 801, "operation not supported")                                                             \
    X(cudaErrorSystemNotReady, 802, "system not yet initialized")                                                           \
    X(cudaErrorUnknown, 999, "unknown error")

enum cudaError {
#define GW_ENUM(name, number, text) name = number,
    GW_ERRORS(GW_ENUM)
#undef GW_ENUM
};
typedef cudaError cudaError_t;

enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 15
};
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte };
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly,
    cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation,
    cudaMemAdviseSetAccessedBy,
    cudaMemAdviseUnsetAccessedBy
};
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };
// The numbers are CUDA's.
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX,
    cudaDevAttrMaxBlockDimY,
    cudaDevAttrMaxBlockDimZ,
    cudaDevAttrMaxGridDimX,
    cudaDevAttrMaxGridDimY,
    cudaDevAttrMaxGridDimZ,
    cudaDevAttrMaxSharedMemoryPerBlock,
    cudaDevAttrTotalConstantMemory,
    cudaDevAttrWarpSize,
    cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrClockRate,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrConcurrentKernels = 31,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth,
    cudaDevAttrL2CacheSize,
    cudaDevAttrMaxThreadsPerMultiProcessor,
    cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxRegistersPerMultiprocessor,
    cudaDevAttrManagedMemory,
    cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106
};

struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    int clockRate; // kHz; this, memoryClockRate and some others are gone from CUDA 13
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing;
    int memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
    int pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem;
    int cooperativeLaunch;
    size_t sharedMemPerBlockOptin;
    int maxBlocksPerMultiProcessor;
    size_t reservedSharedMemPerBlock;
};

struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes, preferredShmemCarveout;
};

struct cudaPointerAttributes {
    enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged } type;
    int device;
    void *devicePointer, *hostPointer;
};
using cudaMemoryType = cudaPointerAttributes::cudaMemoryType;
constexpr cudaMemoryType cudaMemoryTypeUnregistered = cudaPointerAttributes::cudaMemoryTypeUnregistered;
constexpr cudaMemoryType cudaMemoryTypeHost = cudaPointerAttributes::cudaMemoryTypeHost;
constexpr cudaMemoryType cudaMemoryTypeDevice = cudaPointerAttributes::cudaMemoryTypeDevice;
constexpr cudaMemoryType cudaMemoryTypeManaged = cudaPointerAttributes::cudaMemoryTypeManaged;

typedef struct CUstream_st {
    int priority;
} *cudaStream_t;
typedef struct CUevent_st {
    bool recorded;
    std::chrono::steady_clock::time_point at;
} *cudaEvent_t;
typedef void (*cudaHostFn_t)(void *);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);
