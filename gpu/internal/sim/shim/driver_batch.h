// The driver API's copies by batch, and its forms of functions that a stream does.
#pragma once

typedef enum CUmemcpySrcAccessOrder_enum {
    CU_MEMCPY_SRC_ACCESS_ORDER_INVALID,
    CU_MEMCPY_SRC_ACCESS_ORDER_STREAM,
    CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL,
    CU_MEMCPY_SRC_ACCESS_ORDER_ANY,
    CU_MEMCPY_SRC_ACCESS_ORDER_MAX = 0x7fffffff
} CUmemcpySrcAccessOrder;
typedef enum CUmemcpyFlags_enum { CU_MEMCPY_FLAG_DEFAULT, CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE } CUmemcpyFlags;
typedef struct CUmemcpyAttributes_st {
    CUmemcpySrcAccessOrder srcAccessOrder;
    CUmemLocation srcLocHint, dstLocHint;
    unsigned flags;
} CUmemcpyAttributes;

namespace gwrt {
inline CUresult copyBatch(const CUdeviceptr *to, const CUdeviceptr *from, const size_t *sizes, size_t count, const CUmemcpyAttributes *attributes, const size_t *first, size_t n,
                          size_t *failed, CUstream s) {
    if (to == nullptr || from == nullptr || attributes == nullptr)
        return CUDA_ERROR_INVALID_VALUE;
    std::vector<void *> tos, froms;
    std::vector<cudaMemcpyAttributes> orders;
    for (size_t i = 0; i < count; i++)
        tos.push_back(at(to[i])), froms.push_back(at(from[i]));
    for (size_t i = 0; i < n; i++)
        orders.push_back({cudaMemcpySrcAccessOrder(attributes[i].srcAccessOrder), {}, {}, attributes[i].flags});
    return CUresult(copyBatch(tos.data(), froms.data(), sizes, count, orders.data(), first, n, failed, s));
}
} // namespace gwrt

GW_RT CUresult cuMemcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *sizes, size_t count, CUmemcpyAttributes *attributes, size_t *first, size_t n, CUstream s) {
    return gwrt::copyBatch(to, from, sizes, count, attributes, first, n, nullptr, s);
}
// The form of CUDA 12 says which copy failed.
GW_RT CUresult cuMemcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *sizes, size_t count, CUmemcpyAttributes *attributes, size_t *first, size_t n, size_t *failed,
                                  CUstream s) {
    return gwrt::copyBatch(to, from, sizes, count, attributes, first, n, failed, s);
}

GW_RT CUresult cuMemsetD8Async(CUdeviceptr p, unsigned char v, size_t n, CUstream s) { return CUresult(gwrt::fillIn(s, {gwrt::at(p), n, v, 1, n, 1})); }
GW_RT CUresult cuMemsetD16Async(CUdeviceptr p, unsigned short v, size_t n, CUstream s) { return CUresult(gwrt::fillIn(s, {gwrt::at(p), n, v, 2, n, 1})); }
GW_RT CUresult cuMemsetD32Async(CUdeviceptr p, unsigned v, size_t n, CUstream s) { return CUresult(gwrt::fillIn(s, {gwrt::at(p), n, v, 4, n, 1})); }
GW_RT CUresult cuMemAllocAsync(CUdeviceptr *p, size_t n, CUstream s) { return CUresult(cudaMallocAsync(reinterpret_cast<void **>(p), n, s)); }
GW_RT CUresult cuMemFreeAsync(CUdeviceptr p, CUstream s) { return CUresult(cudaFreeAsync(gwrt::at(p), s)); }
GW_RT CUresult cuMemHostGetDevicePointer(CUdeviceptr *p, void *host, unsigned flags) {
    return CUresult(cudaHostGetDevicePointer(reinterpret_cast<void **>(p), host, flags));
}
GW_RT CUresult cuMemHostRegister(void *p, size_t n, unsigned flags) { return CUresult(cudaHostRegister(p, n, flags)); }
GW_RT CUresult cuMemHostUnregister(void *p) { return CUresult(cudaHostUnregister(p)); }
GW_RT CUresult cuStreamCreateWithPriority(CUstream *s, unsigned flags, int priority) { return CUresult(cudaStreamCreateWithPriority(s, flags, priority)); }
GW_RT CUresult cuStreamGetPriority(CUstream s, int *priority) { return CUresult(cudaStreamGetPriority(s, priority)); }
GW_RT CUresult cuLaunchHostFunc(CUstream s, CUhostFn f, void *data) { return CUresult(cudaLaunchHostFunc(s, f, data)); }
