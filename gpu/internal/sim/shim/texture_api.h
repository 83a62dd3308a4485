// What host code of whole programs makes textures of: CUDA arrays of one to three dimensions, linear memory and pitched
// memory.
#pragma once

enum cudaResourceType { cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D };
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };

struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
};
struct cudaResourceViewDesc;

namespace gwrt {

constexpr int channels(const cudaChannelFormatDesc &f) { return (f.x > 0) + (f.y > 0) + (f.z > 0) + (f.w > 0); }

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
enum { cudaArrayDefault = 0, cudaArrayLayered = 1, cudaArraySurfaceLoadStore = 2, cudaArrayCubemap = 4, cudaArrayTextureGather = 8 };
GW_RT cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *format, cudaExtent extent, unsigned flags = 0) {
    *array = nullptr;
    bool known = (flags & ~cudaArraySurfaceLoadStore) == 0;
    if (!known)
        fprintf(stderr, "simulator: cudaMalloc3DArray: arrays with layers or faces of a cube, and texture gather, are not on the simulator\n");
    if (extent.width == 0 || !known || gwrt::elementBytes(*format) == 0)
        return gwrt::done(known ? cudaErrorInvalidValue : cudaErrorNotSupported);
    auto a = new cudaArray{nullptr, *format, extent.width, extent.height, extent.depth, extent.width * gwrt::elementBytes(*format), flags};
    if (cudaError_t e = cudaMallocHost(&a->data, a->slice() * a->planes())) {
        delete a;
        return e;
    }
    *array = a;
    return cudaSuccess;
}
GW_RT cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, size_t width, size_t height = 0, unsigned flags = 0) {
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
GW_RT cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array) { return *format = array->format, cudaSuccess; }
GW_RT cudaError_t cudaFreeArray(cudaArray_t array) {
    if (array == nullptr)
        return gwrt::done(cudaSuccess);
    cudaError_t e = cudaFree(array->data);
    delete array;
    return e;
}
GW_RT cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, cudaMemcpyKind = cudaMemcpyDefault) {
    if (to == nullptr || x + width > to->pitch || y + height > std::max(to->height, size_t(1)))
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpy2D(to->data + y * to->pitch + x, to->pitch, from, pitch, width, height, cudaMemcpyDefault);
}
GW_RT cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height, cudaMemcpyKind) {
    if (from == nullptr || x + width > from->pitch || y + height > std::max(from->height, size_t(1)))
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpy2D(to, pitch, from->data + y * from->pitch + x, from->pitch, width, height, cudaMemcpyDefault);
}
GW_RT cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t n, cudaMemcpyKind) {
    if (to == nullptr || y * to->pitch + x + n > to->pitch * std::max(to->height, size_t(1)))
        return gwrt::done(cudaErrorInvalidValue);
    return cudaMemcpy(to->data + y * to->pitch + x, from, n, cudaMemcpyDefault);
}
GW_RT cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *what, const cudaTextureDesc *how, const cudaResourceViewDesc *view) {
    *object = 0;
    gwsim::Texture t = {};
    cudaChannelFormatDesc format = {};
    size_t height = 1, depth = 1;
    switch (what->resType) {
    case cudaResourceTypeArray: {
        const cudaArray &a = *what->res.array.array;
        t.data = a.data, format = a.format, t.size[0] = a.width, height = a.rows(), depth = a.planes(), t.pitch = a.pitch;
        break;
    }
    case cudaResourceTypeLinear:
        t.data = static_cast<char *>(what->res.linear.devPtr), format = what->res.linear.desc, t.list = 1;
        t.size[0] = what->res.linear.sizeInBytes / std::max(gwrt::elementBytes(format), size_t(1));
        break;
    case cudaResourceTypePitch2D:
        t.data = static_cast<char *>(what->res.pitch2D.devPtr), format = what->res.pitch2D.desc;
        t.size[0] = what->res.pitch2D.width, height = what->res.pitch2D.height, t.pitch = what->res.pitch2D.pitchInBytes;
        break;
    default: return gwrt::done(cudaErrorNotSupported);
    }
    // A filter makes numbers between others, which only floats are.
    bool floats = format.f == cudaChannelFormatKindFloat || how->readMode == cudaReadModeNormalizedFloat;
    if (view != nullptr || gwrt::elementBytes(format) == 0 || (how->filterMode == cudaFilterModeLinear && !floats))
        return gwrt::done(cudaErrorInvalidValue);
    t.size[1] = height, t.size[2] = depth, t.slice = t.pitch * height;
    t.channels = gwrt::channels(format), t.bits = format.x;
    t.kind = format.f == cudaChannelFormatKindSigned ? gwsim::Texture::Signed : format.f == cudaChannelFormatKindUnsigned ? gwsim::Texture::Unsigned : gwsim::Texture::Floats;
    t.linear = how->filterMode == cudaFilterModeLinear, t.normalized = how->normalizedCoords, t.values = how->readMode == cudaReadModeNormalizedFloat;
    for (int i = 0; i < 3; i++) {
        t.address[i] = how->addressMode[i];
        // Without normalised coordinates a GPU takes these two for clamping.
        if (!t.normalized && (t.address[i] == gwsim::Texture::Wrap || t.address[i] == gwsim::Texture::Mirror))
            t.address[i] = gwsim::Texture::Clamp;
    }
    memcpy(t.border, how->borderColor, sizeof t.border);
    gwsim::Texture *kept;
    if (cudaError_t e = cudaMallocHost(&kept, sizeof t))
        return e;
    *kept = t;
    *object = gwrt::number(kept);
    return cudaSuccess;
}
GW_RT cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) { return cudaFree(reinterpret_cast<void *>(object)); }
GW_RT cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const cudaResourceDesc *what) {
    *object = 0;
    if (what->resType != cudaResourceTypeArray)
        return gwrt::done(cudaErrorInvalidValue);
    cudaTextureDesc plain = {};
    return cudaCreateTextureObject(object, what, &plain, nullptr);
}
GW_RT cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) { return cudaDestroyTextureObject(object); }
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
