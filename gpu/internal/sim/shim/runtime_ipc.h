// Memory and events that processes share. A process of the simulator has its devices for itself, so that all of it is refused.
#pragma once

struct cudaIpcMemHandle_t {
    char reserved[64];
};
struct cudaIpcEventHandle_t {
    char reserved[64];
};

namespace gwrt {
inline cudaError noSharing(const char *what) {
    fprintf(stderr, "simulator: %s: memory and events are not shared with other processes: use threads\n", what);
    return done(cudaErrorNotSupported);
}
} // namespace gwrt

GW_RT cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *, void *) { return gwrt::noSharing("cudaIpcGetMemHandle"); }
GW_RT cudaError_t cudaIpcOpenMemHandle(void **, cudaIpcMemHandle_t, unsigned) { return gwrt::noSharing("cudaIpcOpenMemHandle"); }
GW_RT cudaError_t cudaIpcCloseMemHandle(void *) { return gwrt::noSharing("cudaIpcCloseMemHandle"); }
GW_RT cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *, cudaEvent_t) { return gwrt::noSharing("cudaIpcGetEventHandle"); }
GW_RT cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *, cudaIpcEventHandle_t) { return gwrt::noSharing("cudaIpcOpenEventHandle"); }
GW_RT cudaError_t cudaMemPoolExportToShareableHandle(void *, cudaMemPool_t, cudaMemAllocationHandleType, unsigned) {
    return gwrt::noSharing("cudaMemPoolExportToShareableHandle");
}
GW_RT cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *, void *, cudaMemAllocationHandleType, unsigned) {
    return gwrt::noSharing("cudaMemPoolImportFromShareableHandle");
}
GW_RT cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData *, void *) { return gwrt::noSharing("cudaMemPoolExportPointer"); }
GW_RT cudaError_t cudaMemPoolImportPointer(void **, cudaMemPool_t, cudaMemPoolPtrExportData *) { return gwrt::noSharing("cudaMemPoolImportPointer"); }
