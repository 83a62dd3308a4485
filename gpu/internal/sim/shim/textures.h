// Texture objects of one and two dimensions for whole programs: they read CUDA arrays, linear
// memory and pitched memory. Interpolation has the 8 bits of a fraction that GPUs have.
#pragma once

enum cudaChannelFormatKind { cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat, cudaChannelFormatKindNone };
enum cudaResourceType { cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D };
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };

struct cudaChannelFormatDesc {
    int x, y, z, w; // bits
    cudaChannelFormatKind f;
};
struct cudaArray {
    char *data;
    cudaChannelFormatDesc format;
    size_t width, height; // elements; the height is 0 if there is one dimension
    size_t pitch;         // bytes from row to row
};
typedef cudaArray *cudaArray_t;
typedef const cudaArray *cudaArray_const_t;

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
typedef unsigned long long cudaTextureObject_t;

namespace gwrt {

// A texture is what a cudaTextureObject_t points to.
struct Texture {
    const char *data;
    cudaChannelFormatDesc format;
    long long width, height;
    size_t pitch;
    cudaTextureDesc how;
};

constexpr int channels(const cudaChannelFormatDesc &f) { return (f.x > 0) + (f.y > 0) + (f.z > 0) + (f.w > 0); }
constexpr size_t elementBytes(const cudaChannelFormatDesc &f) { return (f.x + f.y + f.z + f.w) / 8; }

// Channels says of a type that a texture gives how many numbers it holds, and of which type.
template <class T> struct Channels {
    using Number = T;
    static constexpr int count = 1;
};
#define GW_CHANNELS(type, number)                                                                                        \
    template <> struct Channels<type##1> { using Number = number; static constexpr int count = 1; };                     \
    template <> struct Channels<type##2> { using Number = number; static constexpr int count = 2; };                     \
    template <> struct Channels<type##4> { using Number = number; static constexpr int count = 4; };
GW_CHANNELS(char, signed char)
GW_CHANNELS(uchar, unsigned char)
GW_CHANNELS(short, short)
GW_CHANNELS(ushort, unsigned short)
GW_CHANNELS(int, int)
GW_CHANNELS(uint, unsigned)
GW_CHANNELS(float, float)
#undef GW_CHANNELS

// inside puts an index in its place. It is -1 where the border's colour is.
GW_UNWATCHED inline long long inside(long long i, long long n, cudaTextureAddressMode mode) {
    if (i >= 0 && i < n)
        return i;
    switch (mode) {
    case cudaAddressModeWrap: return ((i % n) + n) % n;
    case cudaAddressModeMirror: {
        long long k = ((i % (2 * n)) + 2 * n) % (2 * n);
        return k < n ? k : 2 * n - 1 - k;
    }
    case cudaAddressModeBorder: return -1;
    default: return i < 0 ? 0 : n - 1;
    }
}

// channel reads one number of an element, as a kernel is given it.
template <class Number> GW_UNWATCHED Number channel(const Texture &t, long long x, long long y, int c) {
    if (x < 0 || y < 0)
        return Number(t.how.borderColor[c]);
    if (c >= channels(t.format))
        return Number(0);
    int bits = t.format.x;
    const char *at = t.data + y * t.pitch + x * elementBytes(t.format) + c * bits / 8;
    auto as = [&](auto value) -> Number {
        __builtin_memcpy(&value, at, sizeof value);
        using Stored = decltype(value);
        if constexpr (std::is_integral_v<Stored>)
            if (t.how.readMode == cudaReadModeNormalizedFloat)
                return Number(std::max(float(value) / float(std::numeric_limits<Stored>::max()), -1.0f));
        return Number(value);
    };
    bool isSigned = t.format.f == cudaChannelFormatKindSigned;
    if (t.format.f == cudaChannelFormatKindFloat)
        return as(float());
    switch (bits) {
    case 8: return isSigned ? as((signed char)(0)) : as((unsigned char)(0));
    case 16: return isSigned ? as(short()) : as((unsigned short)(0));
    default: return isSigned ? as(int()) : as(unsigned());
    }
}

template <class T, class F> GW_UNWATCHED T gather(F number) {
    using Number = typename Channels<T>::Number;
    Number all[Channels<T>::count];
    for (int c = 0; c < Channels<T>::count; c++)
        all[c] = number(c);
    T value;
    __builtin_memcpy(&value, all, sizeof value);
    return value;
}

// fetch reads at a place between elements. Rows are left out if there is one dimension.
template <class T, bool rows> GW_UNWATCHED T fetch(cudaTextureObject_t object, float x, float y) {
    const Texture &t = *reinterpret_cast<const Texture *>(object);
    using Number = typename Channels<T>::Number;
    if (t.how.normalizedCoords) {
        x *= t.width;
        y *= t.height;
    }
    auto column = [&](long long i) { return inside(i, t.width, t.how.addressMode[0]); };
    auto row = [&](long long j) { return rows ? inside(j, t.height, t.how.addressMode[1]) : 0; };
    if (t.how.filterMode == cudaFilterModePoint)
        return gather<T>([&](int c) { return channel<Number>(t, column(floorf(x)), row(floorf(y)), c); });
    float left = floorf(x - 0.5f), above = rows ? floorf(y - 0.5f) : 0;
    // A GPU keeps 8 bits of these.
    float a = roundf((x - 0.5f - left) * 256) / 256, b = rows ? roundf((y - 0.5f - above) * 256) / 256 : 0;
    return gather<T>([&](int c) {
        auto at = [&](int i, int j) { return float(channel<Number>(t, column(left + i), row(above + j), c)); };
        float upper = (1 - a) * at(0, 0) + a * at(1, 0);
        return Number(b == 0 ? upper : (1 - b) * upper + b * ((1 - a) * at(0, 1) + a * at(1, 1)));
    });
}

} // namespace gwrt

// ---- kernels ----

template <class T> GW_UNWATCHED T tex1Dfetch(cudaTextureObject_t object, int i) {
    const gwrt::Texture &t = *reinterpret_cast<const gwrt::Texture *>(object);
    if (i < 0 || i >= t.width)
        return T{};
    return gwrt::gather<T>([&](int c) { return gwrt::channel<typename gwrt::Channels<T>::Number>(t, i, 0, c); });
}
template <class T> GW_UNWATCHED T tex1D(cudaTextureObject_t object, float x) { return gwrt::fetch<T, false>(object, x, 0); }
template <class T> GW_UNWATCHED T tex2D(cudaTextureObject_t object, float x, float y) { return gwrt::fetch<T, true>(object, x, y); }

// ---- host code ----

GW_RT cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) { return {x, y, z, w, kind}; }
template <class T> GW_RT cudaChannelFormatDesc cudaCreateChannelDesc() {
    using Number = typename gwrt::Channels<T>::Number;
    constexpr int bits = 8 * sizeof(Number), n = gwrt::Channels<T>::count;
    return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
            std::is_floating_point_v<Number> ? cudaChannelFormatKindFloat
            : std::is_signed_v<Number>       ? cudaChannelFormatKindSigned
                                             : cudaChannelFormatKindUnsigned};
}
GW_RT cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, size_t width, size_t height = 0, unsigned flags = 0) {
    *array = nullptr;
    if (width == 0 || flags != 0 || gwrt::elementBytes(*format) == 0)
        return gwrt::done(flags != 0 ? cudaErrorNotSupported : cudaErrorInvalidValue);
    auto a = new cudaArray{nullptr, *format, width, height, width * gwrt::elementBytes(*format)};
    if (cudaError_t e = cudaMallocHost(&a->data, a->pitch * std::max(height, size_t(1)))) {
        delete a;
        return e;
    }
    *array = a;
    return cudaSuccess;
}
GW_RT cudaError_t cudaFreeArray(cudaArray_t array) {
    if (array == nullptr)
        return gwrt::done(cudaSuccess);
    cudaError_t e = cudaFree(array->data);
    delete array;
    return e;
}
GW_RT cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, cudaMemcpyKind) {
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
    gwrt::Texture t = {nullptr, {}, 0, 1, 0, *how};
    switch (what->resType) {
    case cudaResourceTypeArray: {
        const cudaArray &a = *what->res.array.array;
        t.data = a.data, t.format = a.format, t.width = a.width, t.height = std::max(a.height, size_t(1)), t.pitch = a.pitch;
        break;
    }
    case cudaResourceTypeLinear:
        t.data = static_cast<char *>(what->res.linear.devPtr), t.format = what->res.linear.desc;
        t.width = what->res.linear.sizeInBytes / std::max(gwrt::elementBytes(t.format), size_t(1));
        break;
    case cudaResourceTypePitch2D:
        t.data = static_cast<char *>(what->res.pitch2D.devPtr), t.format = what->res.pitch2D.desc;
        t.width = what->res.pitch2D.width, t.height = what->res.pitch2D.height, t.pitch = what->res.pitch2D.pitchInBytes;
        break;
    default: return gwrt::done(cudaErrorNotSupported);
    }
    // A filter makes numbers between others, which only floats are.
    bool floats = t.format.f == cudaChannelFormatKindFloat || how->readMode == cudaReadModeNormalizedFloat;
    if (view != nullptr || gwrt::elementBytes(t.format) == 0 || (how->filterMode == cudaFilterModeLinear && !floats))
        return gwrt::done(cudaErrorInvalidValue);
    // Without normalised coordinates a GPU takes these two for clamping.
    for (auto &mode : t.how.addressMode)
        if (!how->normalizedCoords && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror))
            mode = cudaAddressModeClamp;
    gwrt::Texture *kept;
    if (cudaError_t e = cudaMallocHost(&kept, sizeof t))
        return e;
    *kept = t;
    *object = gwrt::number(kept);
    return cudaSuccess;
}
GW_RT cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) { return cudaFree(reinterpret_cast<void *>(object)); }
