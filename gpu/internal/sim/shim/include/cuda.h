// The driver API, over the same devices as the runtime API. Modules are code for a GPU, so that there are none here.
#pragma once
#include "cuda_runtime.h"

#ifdef GW_PROGRAM

#define __cuda_cuda_h__ // by which programs find out whether they have this file
#define CUDA_VERSION CUDART_VERSION
#define CUDAAPI
#define CUDA_CB
#define CU_STREAM_DEFAULT 0x0
#define CU_STREAM_NON_BLOCKING 0x1
#define CU_STREAM_LEGACY cudaStreamLegacy
#define CU_STREAM_PER_THREAD cudaStreamPerThread
#define CU_EVENT_DEFAULT 0x0
#define CU_EVENT_BLOCKING_SYNC 0x1
#define CU_EVENT_DISABLE_TIMING 0x2
#define CU_CTX_SCHED_AUTO 0x0
#define CU_CTX_SCHED_SPIN 0x1
#define CU_CTX_SCHED_YIELD 0x2
#define CU_CTX_SCHED_BLOCKING_SYNC 0x4
#define CU_CTX_MAP_HOST 0x8
#define CU_MEM_ATTACH_GLOBAL 0x1
#define CU_MEM_ATTACH_HOST 0x2
#define CU_MEMHOSTALLOC_PORTABLE 0x1
#define CU_MEMHOSTALLOC_DEVICEMAP 0x2
#define CU_LAUNCH_PARAM_END ((void *)0)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)2)

// Name, number and text of all results; the numbers are those of cudaError where both have the error.
#define GW_RESULTS(X)                                                                                                    \
    X(CUDA_SUCCESS, 0, "no error")                                                                                       \
    X(CUDA_ERROR_INVALID_VALUE, 1, "invalid argument")                                                                   \
    X(CUDA_ERROR_OUT_OF_MEMORY, 2, "out of memory")                                                                      \
    X(CUDA_ERROR_NOT_INITIALIZED, 3, "initialization error")                                                             \
    X(CUDA_ERROR_DEINITIALIZED, 4, "driver shutting down")                                                               \
    X(CUDA_ERROR_PROFILER_DISABLED, 5, "profiler disabled while using external profiling tool")                          \
    X(CUDA_ERROR_PROFILER_NOT_INITIALIZED, 6, "profiler not initialized: call cudaProfilerInitialize()")                 \
    X(CUDA_ERROR_PROFILER_ALREADY_STARTED, 7, "profiler already started")                                                \
    X(CUDA_ERROR_PROFILER_ALREADY_STOPPED, 8, "profiler already stopped")                                                \
    X(CUDA_ERROR_STUB_LIBRARY, 34, "CUDA driver is a stub library")                                                      \
    X(CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, 36, "API call is not supported in the installed CUDA driver")               \
    X(CUDA_ERROR_DEVICE_UNAVAILABLE, 46, "CUDA-capable device(s) is/are busy or unavailable")                            \
    X(CUDA_ERROR_MULTICAST_RESOURCE_FULL, 47, "no room for another multicast object")                                    \
    X(CUDA_ERROR_NO_DEVICE, 100, "no CUDA-capable device is detected")                                                   \
    X(CUDA_ERROR_INVALID_DEVICE, 101, "invalid device ordinal")                                                          \
    X(CUDA_ERROR_DEVICE_NOT_LICENSED, 102, "device doesn't have valid Grid license")                                     \
    X(CUDA_ERROR_INVALID_IMAGE, 200, "device kernel image is invalid")                                                   \
    X(CUDA_ERROR_INVALID_CONTEXT, 201, "invalid device context")                                                         \
    X(CUDA_ERROR_CONTEXT_ALREADY_CURRENT, 202, "context already current")                                                \
    X(CUDA_ERROR_MAP_FAILED, 205, "mapping of buffer object failed")                                                     \
    X(CUDA_ERROR_UNMAP_FAILED, 206, "unmapping of buffer object failed")                                                 \
    X(CUDA_ERROR_ARRAY_IS_MAPPED, 207, "array is mapped")                                                                \
    X(CUDA_ERROR_ALREADY_MAPPED, 208, "resource already mapped")                                                         \
    X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209, "no kernel image is available for execution on the device")                     \
    X(CUDA_ERROR_ALREADY_ACQUIRED, 210, "resource already acquired")                                                     \
    X(CUDA_ERROR_NOT_MAPPED, 211, "resource not mapped")                                                                 \
    X(CUDA_ERROR_NOT_MAPPED_AS_ARRAY, 212, "resource not mapped as array")                                               \
    X(CUDA_ERROR_NOT_MAPPED_AS_POINTER, 213, "resource not mapped as pointer")                                           \
    X(CUDA_ERROR_ECC_UNCORRECTABLE, 214, "uncorrectable ECC error encountered")                                          \
    X(CUDA_ERROR_UNSUPPORTED_LIMIT, 215, "limit is not supported on this architecture")                                  \
    X(CUDA_ERROR_CONTEXT_ALREADY_IN_USE, 216, "exclusive-thread device already in use by a different thread")            \
    X(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217, "peer access is not supported between these two devices")                 \
    X(CUDA_ERROR_INVALID_PTX, 218, "a PTX JIT compilation failed")                                                       \
    X(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT, 219, "invalid OpenGL or DirectX context")                                     \
    X(CUDA_ERROR_NVLINK_UNCORRECTABLE, 220, "uncorrectable NVLink error detected during the execution")                  \
    X(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221, "PTX JIT compiler library not found")                                      \
    X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222, "the provided PTX was compiled with an unsupported toolchain.")           \
    X(CUDA_ERROR_JIT_COMPILATION_DISABLED, 223, "PTX JIT compilation was disabled")                                      \
    X(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, 224, "the provided execution affinity is not supported")                     \
    X(CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC, 225, "the provided PTX contains unsupported call to cudaDeviceSynchronize")   \
    X(CUDA_ERROR_CONTAINED, 226, "Invalid access of peer GPU memory over nvlink or a hardware error")                    \
    X(CUDA_ERROR_INSUFFICIENT_LOADER_VERSION, 227, "loader version is insufficient")                                     \
    X(CUDA_ERROR_INVALID_SOURCE, 300, "device kernel image is invalid")                                                  \
    X(CUDA_ERROR_FILE_NOT_FOUND, 301, "file not found")                                                                  \
    X(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND, 302, "shared object symbol not found")                                  \
    X(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED, 303, "shared object initialization failed")                                  \
    X(CUDA_ERROR_OPERATING_SYSTEM, 304, "OS call failed or operation not supported on this OS")                          \
    X(CUDA_ERROR_INVALID_HANDLE, 400, "invalid resource handle")                                                         \
    X(CUDA_ERROR_ILLEGAL_STATE, 401, "the operation cannot be performed in the present state")                           \
    X(CUDA_ERROR_LOSSY_QUERY, 402, "attempted introspection would be semantically lossy")                                \
    X(CUDA_ERROR_NOT_FOUND, 500, "named symbol not found")                                                               \
    X(CUDA_ERROR_NOT_READY, 600, "device not ready")                                                                     \
    X(CUDA_ERROR_ILLEGAL_ADDRESS, 700, "an illegal memory access was encountered")                                       \
    X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701, "too many resources requested for launch")                                \
    X(CUDA_ERROR_LAUNCH_TIMEOUT, 702, "the launch timed out and was terminated")                                         \
    X(CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, 703, "launch uses incompatible texturing mode")                          \
    X(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704, "peer access is already enabled")                                     \
    X(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705, "peer access has not been enabled")                                       \
    X(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, 708, "cannot set while device is active in this process")                       \
    X(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709, "context is destroyed")                                                      \
    X(CUDA_ERROR_ASSERT, 710, "device-side assert triggered")                                                            \
    X(CUDA_ERROR_TOO_MANY_PEERS, 711, "peer mapping resources exhausted")                                                \
    X(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712, "part or all of the requested memory range is already mapped")     \
    X(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713, "pointer does not correspond to a registered memory region")           \
    X(CUDA_ERROR_HARDWARE_STACK_ERROR, 714, "hardware stack error")                                                      \
    X(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715, "an illegal instruction was encountered")                                     \
    X(CUDA_ERROR_MISALIGNED_ADDRESS, 716, "misaligned address")                                                          \
    X(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717, "operation not supported on global/shared address space")                   \
    X(CUDA_ERROR_INVALID_PC, 718, "invalid program counter")                                                             \
    X(CUDA_ERROR_LAUNCH_FAILED, 719, "unspecified launch failure")                                                       \
    X(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720, "too many blocks in cooperative launch")                             \
    X(CUDA_ERROR_TENSOR_MEMORY_LEAK, 721, "a block exited without freeing all allocated tensor memory")                  \
    X(CUDA_ERROR_NOT_PERMITTED, 800, "operation not permitted")                                                          \
    X(CUDA_ERROR_NOT_SUPPORTED, 801, "operation not supported")                                                          \
    X(CUDA_ERROR_SYSTEM_NOT_READY, 802, "system not yet initialized")                                                    \
    X(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803, "system has unsupported display driver / cuda driver combination")         \
    X(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, 804, "forward compatibility was attempted on non supported HW")         \
    X(CUDA_ERROR_MPS_CONNECTION_FAILED, 805, "MPS client failed to connect to the MPS control daemon or the MPS server") \
    X(CUDA_ERROR_MPS_RPC_FAILURE, 806, "the remote procedural call between the MPS server and the MPS client failed")    \
    X(CUDA_ERROR_MPS_SERVER_NOT_READY, 807, "MPS server is not ready to accept new MPS client requests")                 \
    X(CUDA_ERROR_MPS_MAX_CLIENTS_REACHED, 808, "the hardware resources required to create MPS client have been exhausted") \
    X(CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED, 809, "the hardware resources required to support device connections have been exhausted") \
    X(CUDA_ERROR_MPS_CLIENT_TERMINATED, 810, "the MPS client has been terminated by the server")                         \
    X(CUDA_ERROR_CDP_NOT_SUPPORTED, 811, "is the program using CUDA Dynamic Parallelism, but the current configuration, like MPS, does not support it") \
    X(CUDA_ERROR_CDP_VERSION_MISMATCH, 812, "unsupported interaction between different versions of CUDA Dynamic Parallelism") \
    X(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 900, "operation not permitted when stream is capturing")                    \
    X(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, 901, "operation failed due to a previous error during capture")             \
    X(CUDA_ERROR_STREAM_CAPTURE_MERGE, 902, "operation would result in a merge of separate capture sequences")           \
    X(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, 903, "capture was not ended in the same stream as it began")                  \
    X(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, 904, "capturing stream has unjoined work")                                     \
    X(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, 905, "dependency created on uncaptured work in another stream")               \
    X(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, 906, "operation would make the legacy stream depend on a capturing blocking stream") \
    X(CUDA_ERROR_CAPTURED_EVENT, 907, "operation not permitted on an event last recorded in a capturing stream")         \
    X(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, 908, "attempt to terminate a thread-local capture sequence from another thread") \
    X(CUDA_ERROR_TIMEOUT, 909, "wait operation timed out")                                                               \
    X(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, 910, "the graph update was not performed because it included changes which violated constraints specific to instantiated graph update") \
    X(CUDA_ERROR_EXTERNAL_DEVICE, 911, "an async error has occured in external entity outside of CUDA")                  \
    X(CUDA_ERROR_INVALID_CLUSTER_SIZE, 912, "a kernel launch error has occurred due to cluster misconfiguration")        \
    X(CUDA_ERROR_FUNCTION_NOT_LOADED, 913, "the function handle is not loaded when calling an API that requires a loaded function") \
    X(CUDA_ERROR_INVALID_RESOURCE_TYPE, 914, "one or more resources passed in are not valid resource types for the operation") \
    X(CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION, 915, "one or more resources are insufficient or non-applicable for the operation") \
    X(CUDA_ERROR_KEY_ROTATION, 916, "key rotation")                                                                      \
    X(CUDA_ERROR_STREAM_DETACHED, 917, "stream detached")                                                                \
    X(CUDA_ERROR_GRAPH_RECAPTURE_FAILURE, 918, "graph recapture failed")                                                 \
    X(CUDA_ERROR_FABRIC_NOT_READY, 919, "fabric not ready")                                                              \
    X(CUDA_ERROR_UNKNOWN, 999, "unknown error")

typedef enum cudaError_enum {
#define GW_ENUM(name, number, text) name = number,
    GW_RESULTS(GW_ENUM)
#undef GW_ENUM
} CUresult;

typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st {
    int device;
} *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef void (*CUhostFn)(void *);
typedef struct CUctxCreateParams_st {
    void *execAffinityParams;
    int numExecAffinityParams;
    void *cigParams;
} CUctxCreateParams;
typedef enum CUjit_option_enum {
    CU_JIT_MAX_REGISTERS,
    CU_JIT_THREADS_PER_BLOCK,
    CU_JIT_WALL_TIME,
    CU_JIT_INFO_LOG_BUFFER,
    CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
    CU_JIT_ERROR_LOG_BUFFER,
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    CU_JIT_OPTIMIZATION_LEVEL,
    CU_JIT_TARGET_FROM_CUCONTEXT,
    CU_JIT_TARGET,
    CU_JIT_FALLBACK_STRATEGY,
    CU_JIT_GENERATE_DEBUG_INFO,
    CU_JIT_LOG_VERBOSE,
    CU_JIT_GENERATE_LINE_INFO,
    CU_JIT_CACHE_MODE
} CUjit_option;
typedef size_t (*CUoccupancyB2DSize)(int);
typedef enum CUcomputemode_enum { CU_COMPUTEMODE_DEFAULT, CU_COMPUTEMODE_PROHIBITED = 2, CU_COMPUTEMODE_EXCLUSIVE_PROCESS } CUcomputemode;

// The attributes are the runtime's, with other names; these are the ones that programs ask for most.
typedef enum CUdevice_attribute_enum {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
    CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
    CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
    CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = 15,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17,
    CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
    CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19,
    CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH = 21,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH = 22,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT = 23,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH = 24,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT = 25,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH = 26,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH = 27,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT = 28,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS = 29,
    CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT = 30,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31,
    CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32,
    CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33,
    CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34,
    CU_DEVICE_ATTRIBUTE_TCC_DRIVER = 35,
    CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
    CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
    CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40,
    CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH = 42,
    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS = 43,
    CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
    CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
    CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS = 88,
    CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
    CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED = 90,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
    CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH = 96,
    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED = 102,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED = 103,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_HANDLE_SUPPORTED = 104,
    CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED = 105,
    CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED = 110,
    CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115
} CUdevice_attribute;

GW_RT CUresult cuGetErrorName(CUresult r, const char **name) {
    switch (r) {
#define GW_CASE(value, number, text) case value: return *name = #value, CUDA_SUCCESS;
        GW_RESULTS(GW_CASE)
#undef GW_CASE
    }
    return *name = nullptr, CUDA_ERROR_INVALID_VALUE;
}
GW_RT CUresult cuGetErrorString(CUresult r, const char **text) {
    switch (r) {
#define GW_CASE(value, number, words) case value: return *text = words, CUDA_SUCCESS;
        GW_RESULTS(GW_CASE)
#undef GW_CASE
    }
    return *text = nullptr, CUDA_ERROR_INVALID_VALUE;
}

// ---- devices and contexts: a context is a device ----

namespace gwrt {
inline std::vector<CUcontext> &contexts() {
    static thread_local std::vector<CUcontext> stack;
    return stack;
}
inline CUresult use(CUcontext c) {
    if (c != nullptr)
        cudaSetDevice(c->device);
    return CUDA_SUCCESS;
}
inline void *at(CUdeviceptr p) { return reinterpret_cast<void *>(p); }
inline CUresult refuse(const char *what) {
    fprintf(stderr, "simulator: %s: modules hold code for a GPU, which the simulator cannot run: compile the kernels with the program\n", what);
    return CUDA_ERROR_NOT_SUPPORTED;
}
} // namespace gwrt

GW_RT CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
GW_RT CUresult cuDriverGetVersion(int *v) { return *v = CUDA_VERSION, CUDA_SUCCESS; }
GW_RT CUresult cuDeviceGetCount(int *n) { return CUresult(cudaGetDeviceCount(n)); }
GW_RT CUresult cuDeviceGet(CUdevice *d, int i) { return i < 0 || i >= gwrt::deviceCount ? CUDA_ERROR_INVALID_DEVICE : (*d = i, CUDA_SUCCESS); }
GW_RT CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute a, CUdevice d) {
    if (a == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED || a == CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED ||
        (a >= CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED && a <= CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED)) {
        if (d < 0 || d >= gwrt::deviceCount)
            return CUDA_ERROR_INVALID_DEVICE;
        return *value = a == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, CUDA_SUCCESS; // the runtime API lacks these
    }
    return CUresult(cudaDeviceGetAttribute(value, cudaDeviceAttr(a), d));
}
GW_RT CUresult cuDeviceGetName(char *name, int n, CUdevice d) {
    cudaDeviceProp p;
    cudaError_t e = cudaGetDeviceProperties(&p, d);
    return snprintf(name, n, "%s", p.name), CUresult(e);
}
GW_RT CUresult cuDeviceTotalMem(size_t *n, CUdevice d) {
    cudaDeviceProp p;
    cudaError_t e = cudaGetDeviceProperties(&p, d);
    return *n = p.totalGlobalMem, CUresult(e);
}
GW_RT CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice d) {
    cudaDeviceProp p;
    cudaError_t e = cudaGetDeviceProperties(&p, d);
    return *major = p.major, *minor = p.minor, CUresult(e);
}
GW_RT CUresult cuDeviceGetUuid(CUuuid *id, CUdevice d) {
    cudaDeviceProp p;
    cudaError_t e = cudaGetDeviceProperties(&p, d);
    return *id = p.uuid, CUresult(e);
}
GW_RT CUresult cuDeviceCanAccessPeer(int *can, CUdevice a, CUdevice b) { return CUresult(cudaDeviceCanAccessPeer(can, a, b)); }
GW_RT CUresult cuDevicePrimaryCtxRetain(CUcontext *c, CUdevice d) {
    static std::map<int, CUctx_st> primary;
    std::lock_guard<std::mutex> guard(gwrt::lock);
    primary[d].device = d;
    return *c = &primary[d], CUDA_SUCCESS;
}
GW_RT CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
GW_RT CUresult cuCtxPushCurrent(CUcontext c) { return gwrt::contexts().push_back(c), gwrt::use(c); }
GW_RT CUresult cuCtxPopCurrent(CUcontext *c) {
    auto &stack = gwrt::contexts();
    if (stack.empty())
        return CUDA_ERROR_INVALID_CONTEXT;
    if (c != nullptr)
        *c = stack.back();
    stack.pop_back();
    return stack.empty() ? CUDA_SUCCESS : gwrt::use(stack.back());
}
GW_RT CUresult cuCtxSetCurrent(CUcontext c) {
    auto &stack = gwrt::contexts();
    if (!stack.empty())
        stack.pop_back();
    return c == nullptr ? CUDA_SUCCESS : cuCtxPushCurrent(c);
}
GW_RT CUresult cuCtxGetCurrent(CUcontext *c) { return *c = gwrt::contexts().empty() ? nullptr : gwrt::contexts().back(), CUDA_SUCCESS; }
GW_RT CUresult cuCtxCreate(CUcontext *c, unsigned, CUdevice d) { return *c = new CUctx_st{d}, cuCtxPushCurrent(*c); }
GW_RT CUresult cuCtxCreate(CUcontext *c, CUctxCreateParams *, unsigned flags, CUdevice d) { return cuCtxCreate(c, flags, d); }
GW_RT CUresult cuCtxDestroy(CUcontext c) {
    auto &stack = gwrt::contexts();
    stack.erase(std::remove(stack.begin(), stack.end(), c), stack.end());
    delete c;
    return CUDA_SUCCESS;
}
GW_RT CUresult cuCtxGetDevice(CUdevice *d) { return CUresult(cudaGetDevice(d)); }
GW_RT CUresult cuCtxSynchronize() { return CUresult(cudaDeviceSynchronize()); }

// ---- memory ----

GW_RT CUresult cuMemGetInfo(size_t *free, size_t *total) { return CUresult(cudaMemGetInfo(free, total)); }
GW_RT CUresult cuMemAlloc(CUdeviceptr *p, size_t n) { return CUresult(cudaMalloc(reinterpret_cast<void **>(p), n)); }
GW_RT CUresult cuMemAllocManaged(CUdeviceptr *p, size_t n, unsigned) { return CUresult(cudaMallocManaged(reinterpret_cast<void **>(p), n)); }
GW_RT CUresult cuMemAllocPitch(CUdeviceptr *p, size_t *pitch, size_t width, size_t height, unsigned) {
    return CUresult(cudaMallocPitch(reinterpret_cast<void **>(p), pitch, width, height));
}
GW_RT CUresult cuMemFree(CUdeviceptr p) { return CUresult(cudaFree(gwrt::at(p))); }
GW_RT CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr p) {
    uint64_t begin = 0, n = 0;
    if (cudaError_t e = gwrt::call(gwrt::Range, p, gwrt::number(&begin), gwrt::number(&n)))
        return CUresult(e);
    if (base != nullptr)
        *base = begin;
    if (size != nullptr)
        *size = n;
    return CUDA_SUCCESS;
}
GW_RT CUresult cuMemAllocHost(void **p, size_t n) { return CUresult(cudaMallocHost(p, n)); }
GW_RT CUresult cuMemHostAlloc(void **p, size_t n, unsigned) { return CUresult(cudaMallocHost(p, n)); }
GW_RT CUresult cuMemFreeHost(void *p) { return CUresult(cudaFreeHost(p)); }
GW_RT CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t n) { return CUresult(cudaMemcpy(gwrt::at(to), gwrt::at(from), n, cudaMemcpyDefault)); }
GW_RT CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t n) { return CUresult(cudaMemcpy(gwrt::at(to), from, n, cudaMemcpyHostToDevice)); }
GW_RT CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t n) { return CUresult(cudaMemcpy(to, gwrt::at(from), n, cudaMemcpyDeviceToHost)); }
GW_RT CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t n) {
    return CUresult(cudaMemcpy(gwrt::at(to), gwrt::at(from), n, cudaMemcpyDeviceToDevice));
}
GW_RT CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t n, CUstream s) {
    return CUresult(cudaMemcpyAsync(gwrt::at(to), from, n, cudaMemcpyHostToDevice, s));
}
GW_RT CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t n, CUstream s) {
    return CUresult(cudaMemcpyAsync(to, gwrt::at(from), n, cudaMemcpyDeviceToHost, s));
}
GW_RT CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s) {
    return CUresult(cudaMemcpyAsync(gwrt::at(to), gwrt::at(from), n, cudaMemcpyDeviceToDevice, s));
}
GW_RT CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s) {
    return CUresult(cudaMemcpyAsync(gwrt::at(to), gwrt::at(from), n, cudaMemcpyDefault, s));
}
GW_RT CUresult cuMemsetD8(CUdeviceptr p, unsigned char v, size_t n) { return CUresult(gwrt::fillNow({gwrt::at(p), n, v, 1, n, 1})); }
GW_RT CUresult cuMemsetD16(CUdeviceptr p, unsigned short v, size_t n) { return CUresult(gwrt::fillNow({gwrt::at(p), n, v, 2, n, 1})); }
GW_RT CUresult cuMemsetD32(CUdeviceptr p, unsigned v, size_t n) { return CUresult(gwrt::fillNow({gwrt::at(p), n, v, 4, n, 1})); }

#include "../virtual_memory.h"
#include "../driver_batch.h"

// ---- streams and events ----

GW_RT CUresult cuStreamCreate(CUstream *s, unsigned flags) { return CUresult(cudaStreamCreateWithFlags(s, flags)); }
GW_RT CUresult cuStreamDestroy(CUstream s) { return CUresult(cudaStreamDestroy(s)); }
GW_RT CUresult cuStreamSynchronize(CUstream s) { return CUresult(cudaStreamSynchronize(s)); }
GW_RT CUresult cuStreamQuery(CUstream s) { return CUresult(cudaStreamQuery(s)); }
GW_RT CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned flags) { return CUresult(cudaStreamWaitEvent(s, e, flags)); }
GW_RT CUresult cuEventCreate(CUevent *e, unsigned flags) { return CUresult(cudaEventCreateWithFlags(e, flags)); }
GW_RT CUresult cuEventDestroy(CUevent e) { return CUresult(cudaEventDestroy(e)); }
GW_RT CUresult cuEventRecord(CUevent e, CUstream s) { return CUresult(cudaEventRecord(e, s)); }
GW_RT CUresult cuEventSynchronize(CUevent e) { return CUresult(cudaEventSynchronize(e)); }
GW_RT CUresult cuEventQuery(CUevent e) { return CUresult(cudaEventQuery(e)); }
GW_RT CUresult cuEventElapsedTime(float *ms, CUevent from, CUevent to) { return CUresult(cudaEventElapsedTime(ms, from, to)); }

// ---- modules ----

GW_RT CUresult cuModuleLoad(CUmodule *, const char *) { return gwrt::refuse("cuModuleLoad"); }
GW_RT CUresult cuModuleLoadData(CUmodule *, const void *) { return gwrt::refuse("cuModuleLoadData"); }
GW_RT CUresult cuModuleLoadDataEx(CUmodule *, const void *, unsigned, CUjit_option *, void **) { return gwrt::refuse("cuModuleLoadDataEx"); }
GW_RT CUresult cuModuleLoadFatBinary(CUmodule *, const void *) { return gwrt::refuse("cuModuleLoadFatBinary"); }
GW_RT CUresult cuModuleUnload(CUmodule) { return CUDA_ERROR_INVALID_HANDLE; }
GW_RT CUresult cuModuleGetFunction(CUfunction *, CUmodule, const char *) { return CUDA_ERROR_INVALID_HANDLE; }
GW_RT CUresult cuModuleGetGlobal(CUdeviceptr *, size_t *, CUmodule, const char *) { return CUDA_ERROR_INVALID_HANDLE; }
GW_RT CUresult cuOccupancyMaxPotentialBlockSize(int *, int *, CUfunction, CUoccupancyB2DSize, size_t, int) { return CUDA_ERROR_INVALID_HANDLE; }
GW_RT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *, CUfunction, int, size_t) { return CUDA_ERROR_INVALID_HANDLE; }
GW_RT CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **) {
    return CUDA_ERROR_INVALID_HANDLE;
}

// ---- functions by their names ----

// All of the above that have one form.
#define GW_DRIVER_FUNCTIONS(X)                                                                                          \
    X(cuGetErrorName) X(cuGetErrorString) X(cuInit) X(cuDriverGetVersion) X(cuDeviceGetCount) X(cuDeviceGet)            \
    X(cuDeviceGetAttribute) X(cuDeviceGetName) X(cuDeviceTotalMem) X(cuDeviceComputeCapability) X(cuDeviceGetUuid)      \
    X(cuDeviceCanAccessPeer) X(cuDevicePrimaryCtxRetain) X(cuDevicePrimaryCtxRelease) X(cuCtxPushCurrent)               \
    X(cuCtxPopCurrent) X(cuCtxSetCurrent) X(cuCtxGetCurrent) X(cuCtxDestroy) X(cuCtxGetDevice) X(cuCtxSynchronize)      \
    X(cuMemGetInfo) X(cuMemAlloc) X(cuMemAllocManaged) X(cuMemAllocPitch) X(cuMemFree) X(cuMemGetAddressRange)          \
    X(cuMemAllocHost) X(cuMemHostAlloc) X(cuMemFreeHost) X(cuMemcpy) X(cuMemcpyHtoD) X(cuMemcpyDtoH) X(cuMemcpyDtoD)    \
    X(cuMemcpyHtoDAsync) X(cuMemcpyDtoHAsync) X(cuMemcpyDtoDAsync) X(cuMemcpyAsync) X(cuMemsetD8) X(cuMemsetD16)        \
    X(cuMemsetD32) X(cuStreamCreate) X(cuStreamDestroy) X(cuStreamSynchronize) X(cuStreamQuery) X(cuStreamWaitEvent)    \
    X(cuEventCreate) X(cuEventDestroy) X(cuEventRecord) X(cuEventSynchronize) X(cuEventQuery) X(cuEventElapsedTime)     \
    X(cuModuleLoad) X(cuModuleLoadData) X(cuModuleLoadDataEx) X(cuModuleLoadFatBinary) X(cuModuleUnload)                \
    X(cuModuleGetFunction) X(cuModuleGetGlobal) X(cuOccupancyMaxPotentialBlockSize)                                     \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor) X(cuLaunchKernel) X(cuMemsetD8Async) X(cuMemsetD16Async)             \
    X(cuMemsetD32Async) X(cuMemAllocAsync) X(cuMemFreeAsync) X(cuMemHostGetDevicePointer) X(cuMemHostRegister)          \
    X(cuMemHostUnregister) X(cuStreamCreateWithPriority) X(cuStreamGetPriority) X(cuLaunchHostFunc)

namespace gwrt {
#define GW_NAMED(name) {#name, reinterpret_cast<void *>(&name), 0},
inline const Named driverFunctions[] = {GW_DRIVER_FUNCTIONS(GW_NAMED){nullptr, nullptr, 0}};
#undef GW_NAMED
inline const bool hasDriver = (named = driverFunctions, true);
} // namespace gwrt

typedef enum CUdriverProcAddressQueryResult_enum {
    CU_GET_PROC_ADDRESS_SUCCESS,
    CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND,
    CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
} CUdriverProcAddressQueryResult;
typedef enum CUdriverProcAddress_flags_enum {
    CU_GET_PROC_ADDRESS_DEFAULT,
    CU_GET_PROC_ADDRESS_LEGACY_STREAM,
    CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM
} CUdriverProcAddress_flags;
GW_RT CUresult cuGetProcAddress(const char *symbol, void **function, int version, unsigned long long flags, CUdriverProcAddressQueryResult *status) {
    cudaDriverEntryPointQueryResult result;
    cudaError_t e = cudaGetDriverEntryPointByVersion(symbol, function, unsigned(version), flags, &result);
    if (e == cudaSuccess && status != nullptr)
        *status = CUdriverProcAddressQueryResult(result);
    return CUresult(e == cudaSuccess && status == nullptr && *function == nullptr ? cudaErrorSymbolNotFound : e);
}
#endif
