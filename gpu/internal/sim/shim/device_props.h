// What the CUDA runtime API tells of a device: cudaDeviceProp and the attributes.
#pragma once

// Name and number of an attribute, and its value by the properties p of the device. The numbers are CUDA's.
#define GW_ATTRIBUTES(X)                                                                                                 \
    X(MaxThreadsPerBlock, 1, p.maxThreadsPerBlock)                                                                       \
    X(MaxBlockDimX, 2, p.maxThreadsDim[0])                                                                               \
    X(MaxBlockDimY, 3, p.maxThreadsDim[1])                                                                               \
    X(MaxBlockDimZ, 4, p.maxThreadsDim[2])                                                                               \
    X(MaxGridDimX, 5, p.maxGridSize[0])                                                                                  \
    X(MaxGridDimY, 6, p.maxGridSize[1])                                                                                  \
    X(MaxGridDimZ, 7, p.maxGridSize[2])                                                                                  \
    X(MaxSharedMemoryPerBlock, 8, p.sharedMemPerBlock)                                                                   \
    X(TotalConstantMemory, 9, p.totalConstMem)                                                                           \
    X(WarpSize, 10, p.warpSize)                                                                                          \
    X(MaxPitch, 11, p.memPitch)                                                                                          \
    X(MaxRegistersPerBlock, 12, p.regsPerBlock)                                                                          \
    X(ClockRate, 13, p.clockRate)                                                                                        \
    X(TextureAlignment, 14, p.textureAlignment)                                                                          \
    X(GpuOverlap, 15, p.deviceOverlap)                                                                                   \
    X(MultiProcessorCount, 16, p.multiProcessorCount)                                                                    \
    X(KernelExecTimeout, 17, p.kernelExecTimeoutEnabled)                                                                 \
    X(Integrated, 18, p.integrated)                                                                                      \
    X(CanMapHostMemory, 19, p.canMapHostMemory)                                                                          \
    X(ComputeMode, 20, p.computeMode)                                                                                    \
    X(MaxTexture1DWidth, 21, p.maxTexture1D)                                                                             \
    X(MaxTexture2DWidth, 22, p.maxTexture2D[0])                                                                          \
    X(MaxTexture2DHeight, 23, p.maxTexture2D[1])                                                                         \
    X(MaxTexture3DWidth, 24, p.maxTexture3D[0])                                                                          \
    X(MaxTexture3DHeight, 25, p.maxTexture3D[1])                                                                         \
    X(MaxTexture3DDepth, 26, p.maxTexture3D[2])                                                                          \
    X(MaxTexture2DLayeredWidth, 27, p.maxTexture2DLayered[0])                                                            \
    X(MaxTexture2DLayeredHeight, 28, p.maxTexture2DLayered[1])                                                           \
    X(MaxTexture2DLayeredLayers, 29, p.maxTexture2DLayered[2])                                                           \
    X(SurfaceAlignment, 30, p.surfaceAlignment)                                                                          \
    X(ConcurrentKernels, 31, p.concurrentKernels)                                                                        \
    X(EccEnabled, 32, p.ECCEnabled)                                                                                      \
    X(PciBusId, 33, p.pciBusID)                                                                                          \
    X(PciDeviceId, 34, p.pciDeviceID)                                                                                    \
    X(TccDriver, 35, p.tccDriver)                                                                                        \
    X(MemoryClockRate, 36, p.memoryClockRate)                                                                            \
    X(GlobalMemoryBusWidth, 37, p.memoryBusWidth)                                                                        \
    X(L2CacheSize, 38, p.l2CacheSize)                                                                                    \
    X(MaxThreadsPerMultiProcessor, 39, p.maxThreadsPerMultiProcessor)                                                    \
    X(AsyncEngineCount, 40, p.asyncEngineCount)                                                                          \
    X(UnifiedAddressing, 41, p.unifiedAddressing)                                                                        \
    X(MaxTexture1DLayeredWidth, 42, p.maxTexture1DLayered[0])                                                            \
    X(MaxTexture1DLayeredLayers, 43, p.maxTexture1DLayered[1])                                                           \
    X(MaxTexture2DGatherWidth, 45, p.maxTexture2DGather[0])                                                              \
    X(MaxTexture2DGatherHeight, 46, p.maxTexture2DGather[1])                                                             \
    X(MaxTexture3DWidthAlt, 47, p.maxTexture3DAlt[0])                                                                    \
    X(MaxTexture3DHeightAlt, 48, p.maxTexture3DAlt[1])                                                                   \
    X(MaxTexture3DDepthAlt, 49, p.maxTexture3DAlt[2])                                                                    \
    X(PciDomainId, 50, p.pciDomainID)                                                                                    \
    X(TexturePitchAlignment, 51, p.texturePitchAlignment)                                                                \
    X(MaxTextureCubemapWidth, 52, p.maxTextureCubemap)                                                                   \
    X(MaxTextureCubemapLayeredWidth, 53, p.maxTextureCubemapLayered[0])                                                  \
    X(MaxTextureCubemapLayeredLayers, 54, p.maxTextureCubemapLayered[1])                                                 \
    X(MaxSurface1DWidth, 55, p.maxSurface1D)                                                                             \
    X(MaxSurface2DWidth, 56, p.maxSurface2D[0])                                                                          \
    X(MaxSurface2DHeight, 57, p.maxSurface2D[1])                                                                         \
    X(MaxSurface3DWidth, 58, p.maxSurface3D[0])                                                                          \
    X(MaxSurface3DHeight, 59, p.maxSurface3D[1])                                                                         \
    X(MaxSurface3DDepth, 60, p.maxSurface3D[2])                                                                          \
    X(MaxSurface1DLayeredWidth, 61, p.maxSurface1DLayered[0])                                                            \
    X(MaxSurface1DLayeredLayers, 62, p.maxSurface1DLayered[1])                                                           \
    X(MaxSurface2DLayeredWidth, 63, p.maxSurface2DLayered[0])                                                            \
    X(MaxSurface2DLayeredHeight, 64, p.maxSurface2DLayered[1])                                                           \
    X(MaxSurface2DLayeredLayers, 65, p.maxSurface2DLayered[2])                                                           \
    X(MaxSurfaceCubemapWidth, 66, p.maxSurfaceCubemap)                                                                   \
    X(MaxSurfaceCubemapLayeredWidth, 67, p.maxSurfaceCubemapLayered[0])                                                  \
    X(MaxSurfaceCubemapLayeredLayers, 68, p.maxSurfaceCubemapLayered[1])                                                 \
    X(MaxTexture1DLinearWidth, 69, p.maxTexture1DLinear)                                                                 \
    X(MaxTexture2DLinearWidth, 70, p.maxTexture2DLinear[0])                                                              \
    X(MaxTexture2DLinearHeight, 71, p.maxTexture2DLinear[1])                                                             \
    X(MaxTexture2DLinearPitch, 72, p.maxTexture2DLinear[2])                                                              \
    X(MaxTexture2DMipmappedWidth, 73, p.maxTexture2DMipmap[0])                                                           \
    X(MaxTexture2DMipmappedHeight, 74, p.maxTexture2DMipmap[1])                                                          \
    X(ComputeCapabilityMajor, 75, p.major)                                                                               \
    X(ComputeCapabilityMinor, 76, p.minor)                                                                               \
    X(MaxTexture1DMipmappedWidth, 77, p.maxTexture1DMipmap)                                                              \
    X(StreamPrioritiesSupported, 78, p.streamPrioritiesSupported)                                                        \
    X(GlobalL1CacheSupported, 79, p.globalL1CacheSupported)                                                              \
    X(LocalL1CacheSupported, 80, p.localL1CacheSupported)                                                                \
    X(MaxSharedMemoryPerMultiprocessor, 81, p.sharedMemPerMultiprocessor)                                                \
    X(MaxRegistersPerMultiprocessor, 82, p.regsPerMultiprocessor)                                                        \
    X(ManagedMemory, 83, p.managedMemory)                                                                                \
    X(IsMultiGpuBoard, 84, p.isMultiGpuBoard)                                                                            \
    X(MultiGpuBoardGroupID, 85, p.multiGpuBoardGroupID)                                                                  \
    X(HostNativeAtomicSupported, 86, p.hostNativeAtomicSupported)                                                        \
    X(SingleToDoublePrecisionPerfRatio, 87, p.singleToDoublePrecisionPerfRatio)                                          \
    X(PageableMemoryAccess, 88, p.pageableMemoryAccess)                                                                  \
    X(ConcurrentManagedAccess, 89, p.concurrentManagedAccess)                                                            \
    X(ComputePreemptionSupported, 90, p.computePreemptionSupported)                                                      \
    X(CanUseHostPointerForRegisteredMem, 91, p.canUseHostPointerForRegisteredMem)                                        \
    X(CooperativeLaunch, 95, p.cooperativeLaunch)                                                                        \
    X(CooperativeMultiDeviceLaunch, 96, p.cooperativeMultiDeviceLaunch)                                                  \
    X(MaxSharedMemoryPerBlockOptin, 97, p.sharedMemPerBlockOptin)                                                        \
    X(CanFlushRemoteWrites, 98, 0)                                                                                       \
    X(HostRegisterSupported, 99, p.hostRegisterSupported)                                                                \
    X(PageableMemoryAccessUsesHostPageTables, 100, p.pageableMemoryAccessUsesHostPageTables)                             \
    X(DirectManagedMemAccessFromHost, 101, p.directManagedMemAccessFromHost)                                             \
    X(MaxBlocksPerMultiprocessor, 106, p.maxBlocksPerMultiProcessor)                                                     \
    X(MaxPersistingL2CacheSize, 108, p.persistingL2CacheMaxSize)                                                         \
    X(MaxAccessPolicyWindowSize, 109, p.accessPolicyMaxWindowSize)                                                       \
    X(ReservedSharedMemoryPerBlock, 111, p.reservedSharedMemPerBlock)                                                    \
    X(SparseCudaArraySupported, 112, p.sparseCudaArraySupported)                                                         \
    X(HostRegisterReadOnlySupported, 113, p.hostRegisterReadOnlySupported)                                               \
    X(TimelineSemaphoreInteropSupported, 114, p.timelineSemaphoreInteropSupported)                                       \
    X(MemoryPoolsSupported, 115, p.memoryPoolsSupported)                                                                 \
    X(GPUDirectRDMASupported, 116, p.gpuDirectRDMASupported)                                                             \
    X(GPUDirectRDMAFlushWritesOptions, 117, p.gpuDirectRDMAFlushWritesOptions)                                           \
    X(GPUDirectRDMAWritesOrdering, 118, p.gpuDirectRDMAWritesOrdering)                                                   \
    X(MemoryPoolSupportedHandleTypes, 119, p.memoryPoolSupportedHandleTypes)                                             \
    X(ClusterLaunch, 120, p.clusterLaunch)                                                                               \
    X(DeferredMappingCudaArraySupported, 121, p.deferredMappingCudaArraySupported)                                       \
    X(IpcEventSupport, 125, p.ipcEventSupported)                                                                         \
    X(MemSyncDomainCount, 126, 1)                                                                                        \
    X(NumaConfig, 130, p.deviceNumaConfig)                                                                               \
    X(NumaId, 131, p.deviceNumaId)                                                                                       \
    X(MpsEnabled, 133, p.mpsEnabled)                                                                                     \
    X(HostNumaId, 134, p.hostNumaId)                                                                                     \
    X(GpuPciDeviceId, 139, p.gpuPciDeviceID)                                                                             \
    X(GpuPciSubsystemId, 140, p.gpuPciSubsystemID)                                                                       \
    X(HostNumaMultinodeIpcSupported, 143, p.hostNumaMultinodeIpcSupported)

enum cudaDeviceAttr {
#define GW_ENUM(name, number, value) cudaDevAttr##name = number,
    GW_ATTRIBUTES(GW_ENUM)
#undef GW_ENUM
};

enum cudaComputeMode { cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited, cudaComputeModeExclusiveProcess };
enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported,
    cudaDevP2PAttrNativeAtomicSupported,
    cudaDevP2PAttrCudaArrayAccessSupported,
    cudaDevP2PAttrOnlyPartialNativeAtomicSupported
};

#define CU_UUID_HAS_BEEN_DEFINED
typedef struct CUuuid_st {
    char bytes[16];
} CUuuid, cudaUUID_t;

// The fields of CUDA 12 and 13. Those that CUDA 13 has taken away (clockRate, deviceOverlap, kernelExecTimeoutEnabled,
// computeMode, maxTexture1DLinear, memoryClockRate, singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch) stay.
struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    int clockRate; // kHz
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
    int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2];
    int maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2];
    int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount, unifiedAddressing;
    int memoryClockRate, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio;
    int pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem;
    int cooperativeLaunch, cooperativeMultiDeviceLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported, timelineSemaphoreInteropSupported, memoryPoolsSupported;
    int gpuDirectRDMASupported;
    unsigned gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
    int deviceNumaConfig, deviceNumaId, mpsEnabled, hostNumaId;
    unsigned gpuPciDeviceID, gpuPciSubsystemID;
    int hostNumaMultinodeIpcSupported;
};
