// CUDA arrays: of one to three dimensions, with layers, of the faces of cubes, and with levels of detail.
#pragma once

enum {
    cudaArrayDefault = 0, cudaArrayLayered = 1, cudaArraySurfaceLoadStore = 2, cudaArrayCubemap = 4, cudaArrayTextureGather = 8,
    cudaArrayColorAttachment = 0x20, cudaArraySparse = 0x40, cudaArrayDeferredMapping = 0x80
};

namespace gwrt {

constexpr int channels(const cudaChannelFormatDesc &f) { return (f.x > 0) + (f.y > 0) + (f.z > 0) + (f.w > 0); }

// isFormat reports whether elements may have a format: one, two or four equal channels of 8, 16 or 32 bits.
constexpr bool isFormat(const cudaChannelFormatDesc &f) {
    if (f.f > cudaChannelFormatKindFloat || (f.x != 8 && f.x != 16 && f.x != 32) || (f.f == cudaChannelFormatKindFloat && f.x == 8))
        return false;
    return (f.y == 0 && f.z == 0 && f.w == 0) || (f.y == f.x && f.z == 0 && f.w == 0) || (f.y == f.x && f.z == f.x && f.w == f.x);
}

// arrayFits reports whether there are arrays of that size with these flags (CUDA Runtime API, cudaMalloc3DArray and
// cudaMallocMipmappedArray, which have a table of it).
bool arrayFits(const cudaExtent &e, unsigned flags, bool levels);

// checkArray returns the error of a call that makes arrays.
cudaError checkArray(const char *function, const cudaChannelFormatDesc *format, const cudaExtent &extent, unsigned flags, bool levels);

cudaArray arrayOf(const cudaChannelFormatDesc &format, const cudaExtent &e, unsigned flags, bool isLevel);

} // namespace gwrt

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind);
template <class T> GW_RT cudaChannelFormatDesc cudaCreateChannelDesc() {
    using Number = typename gwsim::Channels<T>::Number;
    constexpr int bits = 8 * sizeof(Number), n = gwsim::Channels<T>::count;
    return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
            std::is_floating_point_v<Number> ? cudaChannelFormatKindFloat
            : std::is_signed_v<Number>       ? cudaChannelFormatKindSigned
                                             : cudaChannelFormatKindUnsigned};
}
template <cudaChannelFormatKind kind> GW_RT cudaChannelFormatDesc cudaCreateChannelDesc() {
    static_assert(kind >= cudaChannelFormatKindUnsignedNormalized8X1, "other kinds have no number of channels");
    constexpr int channels[] = {1, 2, 4, 1, 2, 4, 1, 2, 4, 1, 2, 4, 4, 4, 4, 4, 4, 4, 1, 1, 2, 2, 3, 3, 4, 4};
    constexpr bool wide = (kind >= cudaChannelFormatKindUnsignedNormalized16X1 && kind <= cudaChannelFormatKindUnsignedNormalized16X4) ||
                          (kind >= cudaChannelFormatKindSignedNormalized16X1 && kind <= cudaChannelFormatKindSignedNormalized16X4) ||
                          kind == cudaChannelFormatKindUnsignedBlockCompressed6H || kind == cudaChannelFormatKindSignedBlockCompressed6H;
    constexpr int bits = wide ? 16 : 8, n = channels[kind - cudaChannelFormatKindUnsignedNormalized8X1];
    return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0, kind};
}
cudaChannelFormatDesc cudaCreateChannelDescHalf();
cudaChannelFormatDesc cudaCreateChannelDescHalf1();
cudaChannelFormatDesc cudaCreateChannelDescHalf2();
cudaChannelFormatDesc cudaCreateChannelDescHalf4();

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *format, cudaExtent extent, unsigned flags = 0);
cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, size_t width, size_t height = 0, unsigned flags = 0);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned *flags, cudaArray_t array);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array);
cudaError_t cudaFreeArray(cudaArray_t array);

// ---- levels of detail ----

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmapped);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmapped, const cudaChannelFormatDesc *format, cudaExtent extent, unsigned levels, unsigned flags = 0);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level, cudaMipmappedArray_const_t mipmapped, unsigned i);

// ---- copies ----

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, cudaMemcpyKind = cudaMemcpyDefault);
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height, cudaMemcpyKind);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t n, cudaMemcpyKind);
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t n, cudaMemcpyKind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t n, cudaMemcpyKind, cudaStream_t s = nullptr);
cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t n, cudaMemcpyKind, cudaStream_t s = nullptr);
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t x, size_t y, cudaArray_const_t from, size_t fromX, size_t fromY, size_t n, cudaMemcpyKind kind = cudaMemcpyDeviceToDevice);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t x, size_t y, cudaArray_const_t from, size_t fromX, size_t fromY, size_t width, size_t height,
                                     cudaMemcpyKind kind = cudaMemcpyDeviceToDevice);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, cudaMemcpyKind,
                                     cudaStream_t s = nullptr);
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height, cudaMemcpyKind,
                                       cudaStream_t s = nullptr);
