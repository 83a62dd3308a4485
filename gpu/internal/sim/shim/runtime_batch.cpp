// What runtime_batch.h declares; part of program.cpp.

namespace gwrt {

bool isLegacy(cudaStream_t s) { return s == nullptr || s == cudaStreamLegacy; }

cudaPitchedPtr pitched(const cudaMemcpy3DOperand &o, const cudaExtent &extent, size_t element) {
    size_t length = o.op.ptr.rowLength != 0 ? o.op.ptr.rowLength : extent.width;
    return {o.op.ptr.ptr, length * element, length, o.op.ptr.layerHeight != 0 ? o.op.ptr.layerHeight : extent.height};
}

cudaError copyOperands(const cudaMemcpy3DBatchOp &op, cudaStream_t s) {
    auto isArray = [](const cudaMemcpy3DOperand &o) { return o.type == cudaMemcpyOperandTypeArray; };
    auto place = [](const cudaOffset3D &o) { return cudaPos{o.x, o.y, o.z}; };
    for (const cudaMemcpy3DOperand *o : {&op.src, &op.dst})
        if ((!isArray(*o) && o->type != cudaMemcpyOperandTypePointer) || (isArray(*o) ? o->op.array.array == nullptr : o->op.ptr.ptr == nullptr))
            return done(cudaErrorInvalidValue);
    if (!isOrder(op.srcAccessOrder) || op.extent.width == 0 || op.extent.height == 0 || op.extent.depth == 0)
        return done(cudaErrorInvalidValue);
    size_t element = isArray(op.src) ? elementBytes(op.src.op.array.array->format) : isArray(op.dst) ? elementBytes(op.dst.op.array.array->format) : 1;
    cudaMemcpy3DParms p = {};
    p.extent = op.extent, p.kind = cudaMemcpyDefault;
    if (isArray(op.src))
        p.srcArray = op.src.op.array.array, p.srcPos = place(op.src.op.array.offset);
    else
        p.srcPtr = pitched(op.src, op.extent, element);
    if (isArray(op.dst))
        p.dstArray = op.dst.op.array.array, p.dstPos = place(op.dst.op.array.offset);
    else
        p.dstPtr = pitched(op.dst, op.extent, element);
    return copyIn(s, p);
}

cudaError copyBatch(size_t count, const cudaMemcpy3DBatchOp *ops, size_t *failed, unsigned long long flags, cudaStream_t s) {
    if (failed != nullptr)
        *failed = SIZE_MAX;
    if (isLegacy(s) || count == 0 || ops == nullptr || flags != 0)
        return done(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++)
        if (cudaError e = copyOperands(ops[i], s)) {
            if (failed != nullptr)
                *failed = i;
            return e;
        }
    return cudaSuccess;
}

cudaError hints(const void *p, const void *sizes, size_t count, unsigned long long flags, cudaStream_t s) {
    return done(p == nullptr || sizes == nullptr || count == 0 || flags != 0 || isLegacy(s) ? cudaErrorInvalidValue : cudaSuccess);
}

} // namespace gwrt

cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp *ops, unsigned long long flags, cudaStream_t s) {
    return gwrt::copyBatch(count, ops, nullptr, flags, s);
}

cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp *ops, size_t *failed, unsigned long long flags, cudaStream_t s) {
    return gwrt::copyBatch(count, ops, failed, flags, s);
}

cudaError_t cudaMemcpyWithAttributesAsync(void *to, const void *from, size_t n, cudaMemcpyAttributes *attributes, cudaStream_t s) {
    if (attributes == nullptr || !gwrt::isOrder(attributes->srcAccessOrder))
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpyAsync(to, from, n, cudaMemcpyDefault, s);
}

cudaError_t cudaMemcpy3DWithAttributesAsync(cudaMemcpy3DBatchOp *op, unsigned long long flags, cudaStream_t s) {
    return op == nullptr || flags != 0 ? gwrt::done(cudaErrorInvalidValue) : gwrt::copyOperands(*op, s);
}

cudaError_t cudaMemPrefetchBatchAsync(void **p, size_t *sizes, size_t count, cudaMemLocation *, size_t *, size_t, unsigned long long flags, cudaStream_t s) {
    return gwrt::hints(p, sizes, count, flags, s);
}

cudaError_t cudaMemDiscardBatchAsync(void **p, size_t *sizes, size_t count, unsigned long long flags, cudaStream_t s) {
    return gwrt::hints(p, sizes, count, flags, s);
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **p, size_t *sizes, size_t count, cudaMemLocation *, size_t *, size_t, unsigned long long flags,
                                                cudaStream_t s) {
    return gwrt::hints(p, sizes, count, flags, s);
}

cudaError_t cudaMemRangeGetAttributes(void **values, size_t *sizes, cudaMemRangeAttribute *attributes, size_t count, const void *p, size_t n) {
    for (size_t i = 0; i < count; i++)
        if (cudaError_t e = cudaMemRangeGetAttribute(values[i], sizes[i], attributes[i], p, n))
            return e;
    return cudaSuccess;
}

namespace gwrt {

cudaError pooled(const cudaMemLocation *at, cudaMemAllocationType type) {
    if (at == nullptr || type == cudaMemAllocationTypeInvalid)
        return done(cudaErrorInvalidValue);
    if (at->type != cudaMemLocationTypeDevice || type != cudaMemAllocationTypePinned) {
        fprintf(stderr, "simulator: memory pools are of devices: use cudaMemLocationTypeDevice and cudaMemAllocationTypePinned\n");
        return done(cudaErrorNotSupported);
    }
    return at->id < 0 || at->id >= deviceCount ? done(cudaErrorInvalidDevice) : cudaSuccess;
}

} // namespace gwrt

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *pool, cudaMemLocation *at, cudaMemAllocationType type) {
    cudaError_t e = gwrt::pooled(at, type);
    return e != cudaSuccess ? e : cudaDeviceGetDefaultMemPool(pool, at->id);
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *pool, cudaMemLocation *at, cudaMemAllocationType type) {
    cudaError_t e = gwrt::pooled(at, type);
    return e != cudaSuccess ? e : cudaDeviceGetMemPool(pool, at->id);
}

cudaError_t cudaMemSetMemPool(cudaMemLocation *at, cudaMemAllocationType type, cudaMemPool_t pool) {
    cudaError_t e = gwrt::pooled(at, type);
    return e != cudaSuccess ? e : cudaDeviceSetMemPool(at->id, pool);
}
