// What runtime_ipc.h declares; part of program.cpp.

namespace gwrt {

cudaError noSharing(const char *what) {
    fprintf(stderr, "simulator: %s: memory and events are not shared with other processes: use threads\n", what);
    return done(cudaErrorNotSupported);
}

} // namespace gwrt

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *, void *) { return gwrt::noSharing("cudaIpcGetMemHandle"); }
cudaError_t cudaIpcOpenMemHandle(void **, cudaIpcMemHandle_t, unsigned) { return gwrt::noSharing("cudaIpcOpenMemHandle"); }
cudaError_t cudaIpcCloseMemHandle(void *) { return gwrt::noSharing("cudaIpcCloseMemHandle"); }
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *, cudaEvent_t) { return gwrt::noSharing("cudaIpcGetEventHandle"); }
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *, cudaIpcEventHandle_t) { return gwrt::noSharing("cudaIpcOpenEventHandle"); }

cudaError_t cudaMemPoolExportToShareableHandle(void *, cudaMemPool_t, cudaMemAllocationHandleType, unsigned) {
    return gwrt::noSharing("cudaMemPoolExportToShareableHandle");
}

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *, void *, cudaMemAllocationHandleType, unsigned) {
    return gwrt::noSharing("cudaMemPoolImportFromShareableHandle");
}

cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData *, void *) { return gwrt::noSharing("cudaMemPoolExportPointer"); }
cudaError_t cudaMemPoolImportPointer(void **, cudaMemPool_t, cudaMemPoolPtrExportData *) { return gwrt::noSharing("cudaMemPoolImportPointer"); }
