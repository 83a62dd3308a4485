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
bool isLegacy(cudaStream_t s);

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
cudaPitchedPtr pitched(const cudaMemcpy3DOperand &o, const cudaExtent &extent, size_t element);
cudaError copyOperands(const cudaMemcpy3DBatchOp &op, cudaStream_t s);
cudaError copyBatch(size_t count, const cudaMemcpy3DBatchOp *ops, size_t *failed, unsigned long long flags, cudaStream_t s);

// hints is what is asked for many ranges at once: managed memory is where everybody needs it.
cudaError hints(const void *p, const void *sizes, size_t count, unsigned long long flags, cudaStream_t s);

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
cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp *ops, unsigned long long flags, cudaStream_t s);
cudaError_t cudaMemcpy3DBatchAsync(size_t count, cudaMemcpy3DBatchOp *ops, size_t *failed, unsigned long long flags, cudaStream_t s);
cudaError_t cudaMemcpyWithAttributesAsync(void *to, const void *from, size_t n, cudaMemcpyAttributes *attributes, cudaStream_t s);
cudaError_t cudaMemcpy3DWithAttributesAsync(cudaMemcpy3DBatchOp *op, unsigned long long flags, cudaStream_t s);

cudaError_t cudaMemPrefetchBatchAsync(void **p, size_t *sizes, size_t count, cudaMemLocation *, size_t *, size_t, unsigned long long flags, cudaStream_t s);
cudaError_t cudaMemDiscardBatchAsync(void **p, size_t *sizes, size_t count, unsigned long long flags, cudaStream_t s);
cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **p, size_t *sizes, size_t count, cudaMemLocation *, size_t *, size_t, unsigned long long flags,
                                                cudaStream_t s);
cudaError_t cudaMemRangeGetAttributes(void **values, size_t *sizes, cudaMemRangeAttribute *attributes, size_t count, const void *p, size_t n);

// ---- pools by the place of their memory ----

namespace gwrt {
cudaError pooled(const cudaMemLocation *at, cudaMemAllocationType type);
} // namespace gwrt
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *pool, cudaMemLocation *at, cudaMemAllocationType type);
cudaError_t cudaMemGetMemPool(cudaMemPool_t *pool, cudaMemLocation *at, cudaMemAllocationType type);
cudaError_t cudaMemSetMemPool(cudaMemLocation *at, cudaMemAllocationType type, cudaMemPool_t pool);
