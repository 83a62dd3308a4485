// Many copies by one call, and copies with attributes. They are done one after the other.
#pragma once

enum cudaMemcpySrcAccessOrder {
    cudaMemcpySrcAccessOrderInvalid,
    cudaMemcpySrcAccessOrderStream,
    cudaMemcpySrcAccessOrderDuringApiCall,
    cudaMemcpySrcAccessOrderAny,
    cudaMemcpySrcAccessOrderMax = 0x7fffffff
};
enum cudaMemcpyFlags { cudaMemcpyFlagDefault, cudaMemcpyFlagPreferOverlapWithCompute };
struct cudaMemcpyAttributes {
    cudaMemcpySrcAccessOrder srcAccessOrder;
    cudaMemLocation srcLocHint, dstLocHint;
    unsigned flags;
};
enum cudaMemcpy3DOperandType { cudaMemcpyOperandTypePointer = 1, cudaMemcpyOperandTypeArray };
struct cudaOffset3D {
    size_t x, y, z;
};
struct cudaMemcpy3DOperand {
    cudaMemcpy3DOperandType type;
    union {
        struct {
            void *ptr;
            size_t rowLength, layerHeight; // in elements; 0 is that of the extent
            cudaMemLocation locHint;
        } ptr;
        struct {
            cudaArray_t array;
            cudaOffset3D offset;
        } array;
    } op;
};
struct cudaMemcpy3DBatchOp {
    cudaMemcpy3DOperand src, dst;
    cudaExtent extent;
    cudaMemcpySrcAccessOrder srcAccessOrder;
    unsigned flags;
};

namespace gwrt {

constexpr bool isOrder(cudaMemcpySrcAccessOrder o) { return o > cudaMemcpySrcAccessOrderInvalid && o <= cudaMemcpySrcAccessOrderAny; }
inline bool isLegacy(cudaStream_t s) { return s == nullptr || s == cudaStreamLegacy; }

// copyBatch does the copies up to one that fails, of which it sets the number.
template <class D, class S>
cudaError copyBatch(D *const *to, S *const *from, const size_t *sizes, size_t count, const cudaMemcpyAttributes *attributes, const size_t *first, size_t n,
                    size_t *failed, cudaStream_t s) {
    if (failed != nullptr)
        *failed = SIZE_MAX; // none in particular
    bool right = !isLegacy(s) && to != nullptr && from != nullptr && sizes != nullptr && count > 0 && attributes != nullptr && first != nullptr && n > 0 && n <= count && first[0] == 0;
    for (size_t i = 0; right && i < n; i++)
        right = isOrder(attributes[i].srcAccessOrder) && first[i] < count && (i == 0 || first[i] > first[i - 1]);
    if (!right)
        return done(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++)
        if (cudaError e = sizes[i] == 0 ? done(cudaErrorInvalidValue) : cudaMemcpyAsync(const_cast<void *>(static_cast<const void *>(to[i])), from[i], sizes[i], cudaMemcpyDefault, s)) {
            if (failed != nullptr)
                *failed = i;
            return e;
        }
    return cudaSuccess;
}

// pitched describes memory of a copy of elements of so many bytes.
inline cudaPitchedPtr pitched(const cudaMemcpy3DOperand &o, const cudaExtent &extent, size_t element) {
    size_t length = o.op.ptr.rowLength != 0 ? o.op.ptr.rowLength : extent.width;
    return {o.op.ptr.ptr, length * element, length, o.op.ptr.layerHeight != 0 ? o.op.ptr.layerHeight : extent.height};
}
inline cudaError copyOperands(const cudaMemcpy3DBatchOp &op, cudaStream_t s) {
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
inline cudaError copyBatch(size_t count, const cudaMemcpy3DBatchOp *ops, size_t *failed, unsigned long long flags, cudaStream_t s) {
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

// hints is what is asked for many ranges at once: managed memory is where everybody needs it.
inline cudaError hints(const void *p, const void *sizes, size_t count, unsigned long long flags, cudaStream_t s) {
    return done(p == nullptr || sizes == nullptr || count == 0 || flags != 0 || isLegacy(s) ? cudaErrorInvalidValue : cudaSuccess);
}

} // namespace gwrt

template <class D, class S>
GW_RT cudaError_t cudaMemcpyBatchAsync(D *const *to, S *const *from, const size_t *sizes, size_t count, cudaMemcpyAttributes *attributes, size_t *first, size_t n,
                                       cudaStream_t s) {
    return gwrt::copyBatch(to, from, sizes, count, attributes, first, n, nullptr, s);
}
template <class D, class S>
GW_RT cudaError_t cudaMemcpyBatchAsync(D *const *to, S *const *from, const size_t *sizes, size_t count, cudaMemcpyAttributes attributes, cudaStream_t s) {
    const size_t first = 0;
    return gwrt::copyBatch(to, from, sizes, count, &attributes, &first, 1, nullptr, s);
}
// The forms of CUDA 12 say which copy failed.
template <class D, class S>
GW_RT cudaError_t cudaMemcpyBatchAsync(D *const *to, S *const *from, const size_t *sizes, size_t count, cudaMemcpyAttributes *attributes, size_t *first, size_t n,
                                       size_t *failed, cudaStream_t s) {
    return gwrt::copyBatch(to, from, sizes, count, attributes, first, n, failed, s);
}
GW_RT cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp *ops, unsigned long long flags, cudaStream_t s) {
    return gwrt::copyBatch(count, ops, nullptr, flags, s);
}
GW_RT cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp *ops, size_t *failed, unsigned long long flags, cudaStream_t s) {
    return gwrt::copyBatch(count, ops, failed, flags, s);
}
GW_RT cudaError_t cudaMemcpyWithAttributesAsync(void *to, const void *from, size_t n, cudaMemcpyAttributes *attributes, cudaStream_t s) {
    if (attributes == nullptr || !gwrt::isOrder(attributes->srcAccessOrder))
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpyAsync(to, from, n, cudaMemcpyDefault, s);
}
GW_RT cudaError_t cudaMemcpy3DWithAttributesAsync(cudaMemcpy3DBatchOp *op, unsigned long long flags, cudaStream_t s) {
    return op == nullptr || flags != 0 ? gwrt::done(cudaErrorInvalidValue) : gwrt::copyOperands(*op, s);
}

GW_RT cudaError_t cudaMemPrefetchBatchAsync(void **p, size_t *sizes, size_t count, cudaMemLocation *, size_t *, size_t, unsigned long long flags, cudaStream_t s) {
    return gwrt::hints(p, sizes, count, flags, s);
}
GW_RT cudaError_t cudaMemDiscardBatchAsync(void **p, size_t *sizes, size_t count, unsigned long long flags, cudaStream_t s) {
    return gwrt::hints(p, sizes, count, flags, s);
}
GW_RT cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **p, size_t *sizes, size_t count, cudaMemLocation *, size_t *, size_t, unsigned long long flags,
                                                      cudaStream_t s) {
    return gwrt::hints(p, sizes, count, flags, s);
}
GW_RT cudaError_t cudaMemRangeGetAttributes(void **values, size_t *sizes, cudaMemRangeAttribute *attributes, size_t count, const void *p, size_t n) {
    for (size_t i = 0; i < count; i++)
        if (cudaError_t e = cudaMemRangeGetAttribute(values[i], sizes[i], attributes[i], p, n))
            return e;
    return cudaSuccess;
}

// ---- pools by the place of their memory ----

namespace gwrt {
inline cudaError pooled(const cudaMemLocation *at, cudaMemAllocationType type) {
    if (at == nullptr || type == cudaMemAllocationTypeInvalid)
        return done(cudaErrorInvalidValue);
    if (at->type != cudaMemLocationTypeDevice || type != cudaMemAllocationTypePinned) {
        fprintf(stderr, "simulator: memory pools are of devices: use cudaMemLocationTypeDevice and cudaMemAllocationTypePinned\n");
        return done(cudaErrorNotSupported);
    }
    return at->id < 0 || at->id >= deviceCount ? done(cudaErrorInvalidDevice) : cudaSuccess;
}
} // namespace gwrt
GW_RT cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *pool, cudaMemLocation *at, cudaMemAllocationType type) {
    cudaError_t e = gwrt::pooled(at, type);
    return e != cudaSuccess ? e : cudaDeviceGetDefaultMemPool(pool, at->id);
}
GW_RT cudaError_t cudaMemGetMemPool(cudaMemPool_t *pool, cudaMemLocation *at, cudaMemAllocationType type) {
    cudaError_t e = gwrt::pooled(at, type);
    return e != cudaSuccess ? e : cudaDeviceGetMemPool(pool, at->id);
}
GW_RT cudaError_t cudaMemSetMemPool(cudaMemLocation *at, cudaMemAllocationType type, cudaMemPool_t pool) {
    cudaError_t e = gwrt::pooled(at, type);
    return e != cudaSuccess ? e : cudaDeviceSetMemPool(at->id, pool);
}
