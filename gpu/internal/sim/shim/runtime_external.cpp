// What runtime_external.h declares; part of program.cpp.

namespace gwrt {

cudaError lacking(const char *function, const char *why) {
    fprintf(stderr, "simulator: %s: %s\n", function, why);
    return done(cudaErrorNotSupported);
}

} // namespace gwrt

cudaError_t cudaImportExternalMemory(cudaExternalMemory_t *, const cudaExternalMemoryHandleDesc *) { return gwrt::lacking("cudaImportExternalMemory", gwrt::noVulkan); }

cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t *, const cudaExternalSemaphoreHandleDesc *) {
    return gwrt::lacking("cudaImportExternalSemaphore", gwrt::noVulkan);
}

cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements *, cudaArray_t, int) { return gwrt::done(cudaErrorInvalidValue); }
cudaError_t cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements *, cudaMipmappedArray_t, int) { return gwrt::done(cudaErrorInvalidValue); }
cudaError_t cudaArrayGetSparseProperties(cudaArraySparseProperties *, cudaArray_t) { return gwrt::done(cudaErrorInvalidValue); }
cudaError_t cudaMipmappedArrayGetSparseProperties(cudaArraySparseProperties *, cudaMipmappedArray_t) { return gwrt::done(cudaErrorInvalidValue); }
cudaError_t cudaArrayGetPlane(cudaArray_t *, cudaArray_t, unsigned) { return gwrt::done(cudaErrorInvalidValue); }
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget, cudaFlushGPUDirectRDMAWritesScope) { return gwrt::done(cudaErrorNotSupported); }
cudaError_t cudaDeviceGetNvSciSyncAttributes(void *, int, int) { return gwrt::done(cudaErrorNotSupported); }

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *elements, const cudaChannelFormatDesc *format, int device) {
    if (elements == nullptr || format == nullptr || gwrt::elementBytes(*format) == 0)
        return gwrt::done(cudaErrorInvalidValue);
    cudaDeviceProp p;
    if (cudaError_t e = cudaGetDeviceProperties(&p, device))
        return e;
    return *elements = size_t(p.maxTexture1DLinear), cudaSuccess;
}

cudaError_t cudaDeviceRegisterAsyncNotification(int, cudaAsyncCallback, void *, cudaAsyncCallbackHandle_t *) { return gwrt::done(cudaErrorNotSupported); }
cudaError_t cudaDeviceUnregisterAsyncNotification(int, cudaAsyncCallbackHandle_t) { return gwrt::done(cudaErrorInvalidResourceHandle); }

cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t f, void *, cudaLogsCallbackHandle *handle) {
    if (f == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    if (handle != nullptr)
        *handle = reinterpret_cast<cudaLogsCallbackHandle>(f);
    return cudaSuccess;
}

cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle handle) { return handle == nullptr ? gwrt::done(cudaErrorInvalidValue) : cudaSuccess; }
cudaError_t cudaLogsCurrent(cudaLogIterator *at, unsigned) { return *at = 0, cudaSuccess; }

cudaError_t cudaLogsDumpToFile(cudaLogIterator *, const char *path, unsigned) {
    FILE *f = fopen(path, "a");
    if (f == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    return fclose(f), cudaSuccess;
}

cudaError_t cudaLogsDumpToMemory(cudaLogIterator *, char *to, size_t *size, unsigned) {
    if (to == nullptr || size == nullptr || *size == 0)
        return gwrt::done(cudaErrorInvalidValue);
    return *to = 0, *size = 0, cudaSuccess;
}
