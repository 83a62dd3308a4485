// What runtime_memory.h declares; part of program.cpp.

cudaError_t cudaHostGetFlags(unsigned *flags, void *) { return *flags = cudaHostAllocMapped, cudaSuccess; }
cudaError_t cudaHostRegister(void *p, size_t n, unsigned) { return gwrt::call(gwrt::Adopt, gwrt::number(p), n); }
cudaError_t cudaHostUnregister(void *) { return gwrt::done(cudaSuccess); }

namespace gwrt {

std::unordered_map<const void *, size_t> ofGraphs;

bool isOfGraph(const void *p) {
    std::lock_guard<std::mutex> guard(lock);
    return ofGraphs.count(p) > 0;
}

} // namespace gwrt

cudaError_t cudaFree(void *p) {
    if (gwsim::inKernel())
        return free(p), cudaSuccess;
    return p == nullptr || gwrt::isOfGraph(p) ? gwrt::done(cudaSuccess) : gwrt::call(gwrt::Free, gwrt::number(p));
}

cudaError_t cudaFreeHost(void *p) { return cudaFree(p); }
cudaError_t cudaMemGetInfo(size_t *free, size_t *total) { return gwrt::call(gwrt::MemInfo, gwrt::number(free), gwrt::number(total)); }

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *a, const void *p) {
    uint64_t use = 0;
    *a = {};
    if (gwrt::call(gwrt::Known, gwrt::number(p), gwrt::number(&use)) == cudaSuccess && use > 0) {
        constexpr cudaMemoryType types[] = {cudaMemoryTypeUnregistered, cudaMemoryTypeDevice, cudaMemoryTypeHost, cudaMemoryTypeManaged};
        a->type = types[use];
        a->devicePointer = const_cast<void *>(p);
        a->hostPointer = a->type == cudaMemoryTypeDevice ? nullptr : a->devicePointer;
    }
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind kind) {
    if (cudaError_t e = gwrt::ofLegacy())
        return e;
    return gwrt::call(gwrt::Copy, gwrt::number(to), gwrt::number(from), n, kind);
}

cudaError_t cudaMemcpyPeer(void *to, int, const void *from, int, size_t n) { return cudaMemcpy(to, from, n, cudaMemcpyDefault); }

cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height, cudaMemcpyKind kind) {
    if (width > toPitch || width > fromPitch)
        return gwrt::done(cudaErrorInvalidPitchValue);
    return gwrt::call(gwrt::CopyRect, gwrt::number(to), toPitch, gwrt::number(from), fromPitch, width, height, kind);
}

cudaError_t cudaMemset(void *to, int value, size_t n) {
    if (cudaError_t e = gwrt::ofLegacy())
        return e;
    return gwrt::call(gwrt::Fill, gwrt::number(to), value & 0xff, n);
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
    cudaError_t e = cudaSuccess;
    for (size_t i = 0; i < height && e == cudaSuccess; i++)
        e = cudaMemset(static_cast<char *>(to) + i * pitch, value, width);
    return e;
}

cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t) { return gwrt::done(cudaSuccess); }
cudaError_t cudaMemPrefetchAsync(const void *, size_t, cudaMemLocation, unsigned, cudaStream_t) { return gwrt::done(cudaSuccess); }
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int) { return gwrt::done(cudaSuccess); }
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, cudaMemLocation) { return gwrt::done(cudaSuccess); }

cudaError_t cudaMemRangeGetAttribute(void *value, size_t n, cudaMemRangeAttribute attribute, const void *, size_t) {
    memset(value, 0, n);
    if (attribute != cudaMemRangeAttributeReadMostly && n >= sizeof(int))
        for (size_t i = 0; i + sizeof(int) <= n; i += sizeof(int))
            *reinterpret_cast<int *>(static_cast<char *>(value) + i) = cudaInvalidDeviceId;
    return gwrt::done(cudaSuccess);
}
