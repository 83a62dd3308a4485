// What runtime_pool.h declares; part of program.cpp.

namespace gwrt {

std::unordered_map<void *, std::pair<cudaMemPool_t, size_t>> ofPools;
std::unordered_map<int, cudaMemPool_t> pools, firstPools;

cudaMemPool_t firstPool(int device) {
    std::lock_guard<std::mutex> guard(lock);
    cudaMemPool_t &p = firstPools[device];
    if (p == nullptr)
        p = new CUmemPoolHandle_st{device, 0, 0, 0, {1, 1, 1}};
    return p;
}

cudaMemPool_t poolOf(int device) {
    cudaMemPool_t first = firstPool(device);
    std::lock_guard<std::mutex> guard(lock);
    cudaMemPool_t p = pools[device];
    return p == nullptr ? first : p;
}

cudaError takeNow(void **p, size_t n, cudaMemPool_t pool) {
    if (cudaError e = mallocOfDevice(p, n))
        return e;
    std::lock_guard<std::mutex> guard(lock);
    if (*p != nullptr)
        ofPools[*p] = {pool, n};
    pool->used += n;
    pool->high = std::max(pool->high, pool->used);
    return cudaSuccess;
}

cudaError giveNow(void *p) {
    {
        std::lock_guard<std::mutex> guard(lock);
        if (auto it = ofPools.find(p); it != ofPools.end()) {
            it->second.first->used -= it->second.second;
            ofPools.erase(it);
        }
    }
    return p == nullptr || isOfGraph(p) ? done(cudaSuccess) : call(Free, number(p));
}

void keepForGraph(CUgraphNode_st &n, void *p, size_t bytes) {
    n.memory = p, n.bytes = bytes;
    std::lock_guard<std::mutex> guard(lock);
    ofGraphs[p] = bytes;
}

} // namespace gwrt

cudaError_t cudaFreeAsync(void *p, cudaStream_t s) {
    cudaError e;
    if (gwrt::captured(s, cudaGraphNodeTypeMemFree, e, [&](CUgraphNode_st &n) { n.memory = p; }))
        return e;
    return gwrt::giveNow(p);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
    if (device < 0 || device >= gwrt::deviceCount)
        return gwrt::done(cudaErrorInvalidDevice);
    return *pool = gwrt::firstPool(device), cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) { return *pool = gwrt::poolOf(device), cudaSuccess; }

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    std::lock_guard<std::mutex> guard(gwrt::lock);
    return gwrt::pools[device] = pool, cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *props) {
    *pool = nullptr;
    if (props->handleTypes != cudaMemHandleTypeNone) {
        fprintf(stderr, "simulator: cudaMemPoolCreate: memory is not shared with other processes\n");
        return gwrt::done(cudaErrorNotSupported);
    }
    return *pool = new CUmemPoolHandle_st{props->location.id, 0, 0, 0, {1, 1, 1}}, cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    if (pool == nullptr || pool == gwrt::firstPool(pool->device))
        return gwrt::done(cudaErrorInvalidValue);
    std::lock_guard<std::mutex> guard(gwrt::lock);
    for (auto &p : gwrt::pools)
        if (p.second == pool)
            p.second = nullptr;
    return cudaSuccess; // memory may still be taken from it, which it counts
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return gwrt::done(cudaSuccess); }

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
    switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold: pool->threshold = *static_cast<uint64_t *>(value); break;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh: pool->high = pool->used; break; // 0 is the one value that may be set
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies: pool->reuse[attribute - 1] = *static_cast<int *>(value); break;
    default: return gwrt::done(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
    switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold: *static_cast<uint64_t *>(value) = pool->threshold; break;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent: *static_cast<uint64_t *>(value) = pool->used; break;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh: *static_cast<uint64_t *>(value) = pool->high; break;
    default: *static_cast<int *>(value) = pool->reuse[attribute - 1]; break;
    }
    return cudaSuccess;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc *, size_t) { return gwrt::done(cudaSuccess); }
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t, cudaMemLocation *) { return *flags = cudaMemAccessFlagsProtReadWrite, cudaSuccess; }
