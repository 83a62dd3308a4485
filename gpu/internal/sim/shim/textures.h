// Texture and surface objects of one to three dimensions, as kernels read and write them. Where an element lies between others, their
// weights have the 8 bits of a fraction that GPUs have (CUDA C++ Programming Guide, Texture Fetching).
#pragma once

typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

namespace gwsim {

// A Texture is what a cudaTextureObject_t points to. The simulator makes it (../texture.go), and so does host code of
// whole programs.
struct Texture {
    enum Kind : int { Signed, Unsigned, Floats };
    enum Address : int { Wrap, Clamp, Mirror, Border }; // in the order of cudaTextureAddressMode

    const char *data;
    long long size[3];    // elements; 1 where a dimension is left out
    size_t pitch, slice;  // bytes from row to row, and from plane to plane
    int channels, bits;   // of an element
    int kind;
    int address[3];
    int linear, normalized; // the filter; coordinates from 0 to 1
    int values;             // integers are read as numbers from 0 to 1, or from -1
    int list;               // linear memory, which tex1Dfetch reads
    float border[4];
};

#if defined(__aarch64__)
using Half = __fp16;
#else
using Half = _Float16;
#endif

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
GW_UNWATCHED inline long long inside(long long i, long long n, int mode) {
    if (i >= 0 && i < n)
        return i;
    switch (mode) {
    case Texture::Wrap: return ((i % n) + n) % n;
    case Texture::Mirror: {
        long long k = ((i % (2 * n)) + 2 * n) % (2 * n);
        return k < n ? k : 2 * n - 1 - k;
    }
    case Texture::Border: return -1;
    default: return i < 0 ? 0 : n - 1;
    }
}

// channel reads one number of an element, as a kernel is given it.
template <class Number> GW_UNWATCHED Number channel(const Texture &t, const long long (&at)[3], int c) {
    if (at[0] < 0 || at[1] < 0 || at[2] < 0)
        return Number(t.border[c]);
    if (c >= t.channels)
        return Number(0);
    const char *p = t.data + at[2] * t.slice + at[1] * t.pitch + (at[0] * t.channels + c) * (t.bits / 8);
    auto as = [&](auto value) -> Number {
        __builtin_memcpy(&value, p, sizeof value);
        using Stored = decltype(value);
        if constexpr (std::is_integral_v<Stored>)
            if (t.values) {
                float v = float(value) / float(std::numeric_limits<Stored>::max());
                return Number(v < -1 ? -1 : v);
            }
        return Number(value);
    };
    if (t.kind == Texture::Floats)
        return t.bits == 16 ? as(Half()) : as(float());
    switch (t.bits) {
    case 8: return t.kind == Texture::Signed ? as((signed char)(0)) : as((unsigned char)(0));
    case 16: return t.kind == Texture::Signed ? as(short()) : as((unsigned short)(0));
    default: return t.kind == Texture::Signed ? as(int()) : as(unsigned());
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

// between mixes what lies on both sides of a place, from the last axis to the first. Where one side has all of the weight
// the other is not looked at.
template <class Number, int axis> GW_UNWATCHED float between(const Texture &t, const long long (&low)[3], const float (&weight)[3], long long (&at)[3], int c) {
    if constexpr (axis < 0) {
        return float(channel<Number>(t, at, c));
    } else {
        at[axis] = inside(low[axis], t.size[axis], t.address[axis]);
        float w = weight[axis], below = between<Number, axis - 1>(t, low, weight, at, c);
        if (w == 0)
            return below;
        at[axis] = inside(low[axis] + 1, t.size[axis], t.address[axis]);
        return (1 - w) * below + w * between<Number, axis - 1>(t, low, weight, at, c);
    }
}

// fetch reads at a place between elements.
template <class T, int dimensions> GW_UNWATCHED T fetch(cudaTextureObject_t object, float x, float y, float z) {
    const Texture &t = *reinterpret_cast<const Texture *>(object);
    using Number = typename Channels<T>::Number;
    float place[3] = {x, y, z}, weight[3] = {};
    long long low[3] = {}, at[3] = {};
    for (int i = 0; i < dimensions; i++) {
        float p = t.normalized ? place[i] * t.size[i] : place[i];
        if (t.linear) {
            p -= 0.5f;
            weight[i] = roundf((p - floorf(p)) * 256) / 256;
        }
        // Far outside all is the same; this also keeps what is no number from becoming an index.
        low[i] = (long long)floorf(p > -1e15f ? (p < 1e15f ? p : 1e15f) : -1e15f);
    }
    if (t.linear)
        return gather<T>([&](int c) { return Number(between<Number, dimensions - 1>(t, low, weight, at, c)); });
    for (int i = 0; i < dimensions; i++)
        at[i] = inside(low[i], t.size[i], t.address[i]);
    return gather<T>([&](int c) { return channel<Number>(t, at, c); });
}

} // namespace gwsim

template <class T> GW_UNWATCHED T tex1Dfetch(cudaTextureObject_t object, int i, int line = __builtin_LINE()) {
    const gwsim::Texture &t = *reinterpret_cast<const gwsim::Texture *>(object);
    if (!t.list)
        gwsim::assertFailed("tex1Dfetch reads linear memory only, and this texture is an array: use tex1D", "", line, "tex1Dfetch");
    if (i < 0 || i >= t.size[0])
        return T{};
    const long long at[3] = {i, 0, 0};
    return gwsim::gather<T>([&](int c) { return gwsim::channel<typename gwsim::Channels<T>::Number>(t, at, c); });
}
template <class T> GW_UNWATCHED T tex1D(cudaTextureObject_t object, float x) { return gwsim::fetch<T, 1>(object, x, 0, 0); }
template <class T> GW_UNWATCHED T tex2D(cudaTextureObject_t object, float x, float y) { return gwsim::fetch<T, 2>(object, x, y, 0); }
template <class T> GW_UNWATCHED T tex3D(cudaTextureObject_t object, float x, float y, float z) { return gwsim::fetch<T, 3>(object, x, y, z); }

// ---- surfaces: the same elements, by their bytes ----

namespace gwsim {

// surfacePlace finds an element by its first byte in a row, its row and its plane. It is null outside, if that is to be read as zeros.
template <class T> GW_UNWATCHED char *surfacePlace(cudaSurfaceObject_t object, int x, int y, int z, cudaSurfaceBoundaryMode mode, int line) {
    const Texture &t = *reinterpret_cast<const Texture *>(object);
    long long row = t.size[0] * t.channels * (t.bits / 8), last[3] = {row - (long long)sizeof(T), t.size[1] - 1, t.size[2] - 1}, at[3] = {x, y, z};
    if (x % (int)sizeof(T) != 0)
        assertFailed("the first coordinate of a surface is in bytes: a multiple of the size of what is read or written", "", line, "surface access");
    for (int i = 0; i < 3; i++) {
        if (at[i] >= 0 && at[i] <= last[i])
            continue;
        if (mode == cudaBoundaryModeZero)
            return nullptr;
        if (mode == cudaBoundaryModeTrap)
            assertFailed("the place lies in the surface, whose first coordinate is in bytes", "", line, "surface access");
        at[i] = at[i] < 0 ? 0 : last[i];
    }
    return const_cast<char *>(t.data) + at[2] * t.slice + at[1] * t.pitch + at[0];
}
template <class T> GW_UNWATCHED T surfaceRead(cudaSurfaceObject_t object, int x, int y, int z, cudaSurfaceBoundaryMode mode, int line) {
    T value{};
    if (const char *p = surfacePlace<T>(object, x, y, z, mode, line))
        __builtin_memcpy(&value, p, sizeof value);
    return value;
}
template <class T> GW_UNWATCHED void surfaceWrite(T value, cudaSurfaceObject_t object, int x, int y, int z, cudaSurfaceBoundaryMode mode, int line) {
    if (char *p = surfacePlace<T>(object, x, y, z, mode, line))
        __builtin_memcpy(p, &value, sizeof value);
}

} // namespace gwsim

#define GW_SURFACE(n, places, coordinates)                                                                               \
    template <class T> GW_UNWATCHED T surf##n##Dread(cudaSurfaceObject_t s, GW_UNPACK places, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, int line = __builtin_LINE()) { \
        return gwsim::surfaceRead<T>(s, GW_UNPACK coordinates, mode, line);                                              \
    }                                                                                                                    \
    template <class T> GW_UNWATCHED void surf##n##Dread(T *value, cudaSurfaceObject_t s, GW_UNPACK places, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, int line = __builtin_LINE()) { \
        *value = gwsim::surfaceRead<T>(s, GW_UNPACK coordinates, mode, line);                                            \
    }                                                                                                                    \
    template <class T> GW_UNWATCHED void surf##n##Dwrite(T value, cudaSurfaceObject_t s, GW_UNPACK places, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, int line = __builtin_LINE()) { \
        gwsim::surfaceWrite<T>(value, s, GW_UNPACK coordinates, mode, line);                                             \
    }
#define GW_UNPACK(...) __VA_ARGS__
GW_SURFACE(1, (int x), (x, 0, 0))
GW_SURFACE(2, (int x, int y), (x, y, 0))
GW_SURFACE(3, (int x, int y, int z), (x, y, z))
#undef GW_SURFACE
#undef GW_UNPACK
