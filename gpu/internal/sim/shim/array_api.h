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
inline bool arrayFits(const cudaExtent &e, unsigned flags, bool levels) {
    static const cudaDeviceProp limits = [] {
        cudaDeviceProp p = {};
        completeProperties(p, 0);
        return p;
    }();
    const bool layers = flags & cudaArrayLayered, cube = flags & cudaArrayCubemap, surface = flags & cudaArraySurfaceLoadStore;
    auto within = [&](size_t w, size_t h, size_t d) { return e.width <= w && e.height <= h && e.depth <= d; };
    auto in2 = [&](const int (&most)[2]) { return within(most[0], most[1], 0); };
    auto in3 = [&](const int (&most)[3]) { return within(most[0], most[1], most[2]); };
    if (e.width == 0 || (flags & cudaArrayTextureGather && (e.height == 0 || e.depth > 0)))
        return false;
    if (cube) {
        const int *most = surface ? limits.maxSurfaceCubemapLayered : limits.maxTextureCubemapLayered;
        return e.width == e.height && e.depth > 0 && e.depth % 6 == 0 && (layers || e.depth == 6) && within(most[0], most[0], most[1]);
    }
    if (layers && e.height == 0) {
        const int *most = surface ? limits.maxSurface1DLayered : limits.maxTexture1DLayered;
        return e.depth > 0 && within(most[0], 0, most[1]);
    }
    if (layers)
        return e.depth > 0 && in3(surface ? limits.maxSurface2DLayered : limits.maxTexture2DLayered);
    if (e.depth > 0)
        return e.height > 0 && (in3(surface ? limits.maxSurface3D : limits.maxTexture3D) || (!surface && in3(limits.maxTexture3DAlt)));
    if (e.height > 0 && flags & cudaArrayTextureGather)
        return in2(limits.maxTexture2DGather);
    if (e.height > 0)
        return in2(surface ? limits.maxSurface2D : levels ? limits.maxTexture2DMipmap : limits.maxTexture2D);
    return within(surface ? limits.maxSurface1D : levels ? limits.maxTexture1DMipmap : limits.maxTexture1D, 0, 0);
}

// checkArray returns the error of a call that makes arrays.
inline cudaError checkArray(const char *function, const cudaChannelFormatDesc *format, const cudaExtent &extent, unsigned flags, bool levels) {
    if (flags & (cudaArraySparse | cudaArrayDeferredMapping)) {
        fprintf(stderr, "simulator: %s: sparse arrays, and those that get their memory later, are not on the simulator\n", function);
        return cudaErrorNotSupported;
    }
    if (format != nullptr && format->f > cudaChannelFormatKindNone) {
        fprintf(stderr,
                "simulator: %s: arrays of compressed blocks (BC1 to BC7), of normalized formats and of NV12 are not on the simulator: "
                "decode the image in host code, and read 8 or 16 bits with cudaReadModeNormalizedFloat\n",
                function);
        return cudaErrorNotSupported;
    }
    if (format == nullptr || flags > cudaArrayColorAttachment * 2 - 1 || !arrayFits(extent, flags, levels))
        return cudaErrorInvalidValue;
    return isFormat(*format) ? cudaSuccess : cudaErrorInvalidChannelDescriptor;
}

inline cudaArray arrayOf(const cudaChannelFormatDesc &format, const cudaExtent &e, unsigned flags, bool isLevel) {
    return {nullptr, format, e.width, e.height, e.depth, e.width * elementBytes(format), flags, isLevel};
}

} // namespace gwrt

GW_RT cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) { return {x, y, z, w, kind}; }
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
GW_RT cudaChannelFormatDesc cudaCreateChannelDescHalf() { return {16, 0, 0, 0, cudaChannelFormatKindFloat}; }
GW_RT cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
GW_RT cudaChannelFormatDesc cudaCreateChannelDescHalf2() { return {16, 16, 0, 0, cudaChannelFormatKindFloat}; }
GW_RT cudaChannelFormatDesc cudaCreateChannelDescHalf4() { return {16, 16, 16, 16, cudaChannelFormatKindFloat}; }

GW_RT cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *format, cudaExtent extent, unsigned flags = 0) {
    if (array == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    *array = nullptr;
    if (cudaError_t e = gwrt::checkArray("cudaMalloc3DArray", format, extent, flags, false))
        return gwrt::done(e);
    auto a = new cudaArray(gwrt::arrayOf(*format, extent, flags, false));
    if (cudaError_t e = cudaMallocHost(&a->data, a->slice() * a->planes())) {
        delete a;
        return e;
    }
    *array = a;
    return cudaSuccess;
}
GW_RT cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, size_t width, size_t height = 0, unsigned flags = 0) {
    if (flags & (cudaArrayLayered | cudaArrayCubemap)) // those are made by cudaMalloc3DArray
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMalloc3DArray(array, format, {width, height, 0}, flags);
}
GW_RT cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned *flags, cudaArray_t array) {
    if (array == nullptr)
        return gwrt::done(cudaErrorInvalidResourceHandle);
    if (format != nullptr)
        *format = array->format;
    if (extent != nullptr)
        *extent = {array->width, array->height, array->depth};
    if (flags != nullptr)
        *flags = array->flags;
    return cudaSuccess;
}
GW_RT cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array) {
    return format == nullptr || array == nullptr ? gwrt::done(cudaErrorInvalidValue) : (*format = array->format, cudaSuccess);
}
GW_RT cudaError_t cudaFreeArray(cudaArray_t array) {
    if (array == nullptr)
        return gwrt::done(cudaSuccess);
    if (array->isLevel) // it goes with the others
        return gwrt::done(cudaErrorInvalidValue);
    cudaError_t e = cudaFree(array->data);
    delete array;
    return e;
}

// ---- levels of detail ----

GW_RT cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmapped) {
    cudaError_t e = gwrt::done(cudaSuccess);
    if (mipmapped == nullptr)
        return e;
    for (cudaArray &level : mipmapped->levels)
        if (cudaError_t failed = level.data == nullptr ? cudaSuccess : cudaFree(level.data))
            e = failed;
    delete mipmapped;
    return e;
}
GW_RT cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *mipmapped, const cudaChannelFormatDesc *format, cudaExtent extent, unsigned levels, unsigned flags = 0) {
    if (mipmapped == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    *mipmapped = nullptr;
    if (cudaError_t e = gwrt::checkArray("cudaMallocMipmappedArray", format, extent, flags, true))
        return gwrt::done(e);
    const bool planes = flags & (cudaArrayLayered | cudaArrayCubemap); // there are as many in each level
    unsigned most = 1;
    for (size_t n = std::max({extent.width, extent.height, planes ? size_t(0) : extent.depth}); n > 1; n /= 2)
        most++;
    auto m = new cudaMipmappedArray;
    auto part = [](size_t n, unsigned i) { return n == 0 ? 0 : std::max(n >> i, size_t(1)); };
    for (unsigned i = 0; i < std::min(std::max(levels, 1u), most); i++) {
        const cudaExtent e = {part(extent.width, i), part(extent.height, i), planes ? extent.depth : part(extent.depth, i)};
        m->levels.push_back(gwrt::arrayOf(*format, e, flags, true));
    }
    for (cudaArray &level : m->levels)
        if (cudaError_t e = cudaMallocHost(&level.data, level.slice() * level.planes())) {
            cudaFreeMipmappedArray(m);
            return gwrt::done(e);
        }
    *mipmapped = m;
    return cudaSuccess;
}
GW_RT cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *level, cudaMipmappedArray_const_t mipmapped, unsigned i) {
    if (level == nullptr)
        return gwrt::done(cudaErrorInvalidValue);
    *level = nullptr;
    if (mipmapped == nullptr)
        return gwrt::done(cudaErrorInvalidResourceHandle);
    if (i >= mipmapped->levels.size())
        return gwrt::done(cudaErrorInvalidValue);
    *level = const_cast<cudaArray_t>(&mipmapped->levels[i]);
    return cudaSuccess;
}

// ---- copies ----

GW_RT cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, cudaMemcpyKind = cudaMemcpyDefault) {
    if (to == nullptr || x + width > to->pitch || y + height > to->rows())
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpy2D(to->data + y * to->pitch + x, to->pitch, from, pitch, width, height, cudaMemcpyDefault);
}
GW_RT cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height, cudaMemcpyKind) {
    if (from == nullptr || x + width > from->pitch || y + height > from->rows())
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpy2D(to, pitch, from->data + y * from->pitch + x, from->pitch, width, height, cudaMemcpyDefault);
}
GW_RT cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t n, cudaMemcpyKind) {
    if (to == nullptr || y * to->pitch + x + n > to->slice())
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpy(to->data + y * to->pitch + x, from, n, cudaMemcpyDefault);
}
GW_RT cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t n, cudaMemcpyKind) {
    if (from == nullptr || y * from->pitch + x + n > from->slice())
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpy(to, from->data + y * from->pitch + x, n, cudaMemcpyDefault);
}
GW_RT cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t n, cudaMemcpyKind, cudaStream_t s = nullptr) {
    if (to == nullptr || y * to->pitch + x + n > to->slice())
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpyAsync(to->data + y * to->pitch + x, from, n, cudaMemcpyDefault, s);
}
GW_RT cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t n, cudaMemcpyKind, cudaStream_t s = nullptr) {
    if (from == nullptr || y * from->pitch + x + n > from->slice())
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpyAsync(to, from->data + y * from->pitch + x, n, cudaMemcpyDefault, s);
}
GW_RT cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t x, size_t y, cudaArray_const_t from, size_t fromX, size_t fromY, size_t n, cudaMemcpyKind kind = cudaMemcpyDeviceToDevice) {
    if (from == nullptr || fromY * from->pitch + fromX + n > from->slice())
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpyToArray(to, x, y, from->data + fromY * from->pitch + fromX, n, kind);
}
GW_RT cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t x, size_t y, cudaArray_const_t from, size_t fromX, size_t fromY, size_t width, size_t height,
                                           cudaMemcpyKind kind = cudaMemcpyDeviceToDevice) {
    if (from == nullptr || fromX + width > from->pitch || fromY + height > from->rows())
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpy2DToArray(to, x, y, from->data + fromY * from->pitch + fromX, from->pitch, width, height, kind);
}
GW_RT cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, cudaMemcpyKind,
                                           cudaStream_t s = nullptr) {
    if (to == nullptr || x + width > to->pitch || y + height > to->rows())
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpy2DAsync(to->data + y * to->pitch + x, to->pitch, from, pitch, width, height, cudaMemcpyDefault, s);
}
GW_RT cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height, cudaMemcpyKind,
                                             cudaStream_t s = nullptr) {
    if (from == nullptr || x + width > from->pitch || y + height > from->rows())
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpy2DAsync(to, pitch, from->data + y * from->pitch + x, from->pitch, width, height, cudaMemcpyDefault, s);
}
