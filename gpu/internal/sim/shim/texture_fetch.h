// The functions by which kernels read textures, and read and write surfaces.
#pragma once

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

namespace gwsim {

// textureOf is the texture of an object. It ends the kernel if the texture is not what a function reads.
template <int shape> GW_UNWATCHED const Texture &textureOf(cudaTextureObject_t object, int line, const char *function) {
    const Texture &t = *reinterpret_cast<const Texture *>(object);
    constexpr const char *wanted[] = {
        "it reads textures without layers, and this one has some", "it reads textures with layers, of arrays with cudaArrayLayered, and this one has none",
        "it reads cubes, of arrays with cudaArrayCubemap, and this texture is none",
        "it reads cubes in layers, of arrays with cudaArrayCubemap and cudaArrayLayered, and this texture has none",
    };
    if (t.shape != shape)
        assertFailed(wanted[shape], "", line, function);
    return t;
}

// clamped is a layer of a texture: the last one for those that it does not have.
GW_UNWATCHED inline long long clamped(int layer, long long n) { return unsigned(layer) < n ? layer : n - 1; }

// readLevel reads a level. The place is a direction in cubes.
template <class T, int shape, int dimensions> GW_UNWATCHED T readLevel(const Texture &t, const Level &l, Place at, int layer) {
    if constexpr (shape == Texture::Plain)
        return sample<T, dimensions>(t, l, at, 0);
    else if constexpr (shape == Texture::Layers)
        return sample<T, dimensions>(t, l, at, clamped(layer, t.size[2]));
    else
        return sampleCube<T>(t, l, at, 6 * clamped(layer, t.size[2] / 6));
}
template <class T, int shape, int dimensions> GW_UNWATCHED T readBase(cudaTextureObject_t object, Place at, int layer, int line, const char *function) {
    const Texture &t = textureOf<shape>(object, line, function);
    return readLevel<T, shape, dimensions>(t, t, at, layer);
}
template <class T, int shape, int dimensions>
GW_UNWATCHED T readDetail(cudaTextureObject_t object, Place at, int layer, float level, int line, const char *function) {
    const Texture &t = textureOf<shape>(object, line, function);
    return atLevel<T>(t, level, [&](const Level &l) GW_UNWATCHED { return readLevel<T, shape, dimensions>(t, l, at, layer); });
}
template <class T, int shape, int dimensions>
GW_UNWATCHED T readSteps(cudaTextureObject_t object, Place at, int layer, Place dx, Place dy, int line, const char *function) {
    const Texture &t = textureOf<shape>(object, line, function);
    if constexpr (shape >= Texture::Cube)
        dx = stepOnFace(at, dx), dy = stepOnFace(at, dy);
    return atLevel<T>(t, levelOfSteps(t, dimensions, dx, dy), [&](const Level &l) GW_UNWATCHED { return readLevel<T, shape, dimensions>(t, l, at, layer); });
}

GW_UNWATCHED inline Place placeOf(float v) { return {{v, 0, 0}}; }
GW_UNWATCHED inline Place placeOf(float2 v) { return {{v.x, v.y, 0}}; }
GW_UNWATCHED inline Place placeOf(float4 v) { return {{v.x, v.y, v.z}}; }

} // namespace gwsim

template <class T> GW_UNWATCHED T tex1Dfetch(cudaTextureObject_t object, int i, int line = __builtin_LINE()) {
    const gwsim::Texture &t = *reinterpret_cast<const gwsim::Texture *>(object);
    if (!t.list)
        gwsim::assertFailed("tex1Dfetch reads linear memory only, and this texture is an array: use tex1D", "", line, "tex1Dfetch");
    if (i < 0 || i >= t.size[0])
        return T{};
    const long long at[3] = {i, 0, 0};
    return gwsim::gather<T>([&](int c) { return gwsim::channel<typename gwsim::Channels<T>::Number>(t, t, at, c); });
}

// tex2Dgather gives one number of each of the four elements that a filter would mix, counter-clockwise from that at the left end of the second
// row.
template <class T> GW_UNWATCHED T tex2Dgather(cudaTextureObject_t object, float x, float y, int component = 0, int line = __builtin_LINE()) {
    using Number = typename gwsim::Channels<T>::Number;
    static_assert(gwsim::Channels<T>::count == 4, "tex2Dgather gives four numbers: its type is int4, uint4, float4 or another of four");
    const gwsim::Texture &t = gwsim::textureOf<gwsim::Texture::Plain>(object, line, "tex2Dgather");
    const float place[2] = {t.normalized ? x * t.size[0] : x, t.normalized ? y * t.size[1] : y};
    return gwsim::gather<T>([&](int k) {
        const long long at[3] = {
            gwsim::inside(gwsim::indexOf(place[0] - 0.5f) + (k == 1 || k == 2), t.size[0], t.address[0]),
            gwsim::inside(gwsim::indexOf(place[1] - 0.5f) + (k < 2), t.size[1], t.address[1]), 0};
        return gwsim::channel<Number>(t, t, at, component & 3);
    });
}

#define GW_UNPACK(...) __VA_ARGS__
// GW_TEXTURE defines three functions, which read level 0, a given level, and that which fits the steps from pixel to pixel.
#define GW_TEXTURE(name, shape, dimensions, Step, parameters, arguments)                                                 \
    template <class T> GW_UNWATCHED T name(cudaTextureObject_t object, GW_UNPACK parameters, int line = __builtin_LINE()) { \
        return gwsim::readBase<T, gwsim::Texture::shape, dimensions>(object, GW_UNPACK arguments, line, #name);          \
    }                                                                                                                    \
    template <class T> GW_UNWATCHED T name##Lod(cudaTextureObject_t object, GW_UNPACK parameters, float level, int line = __builtin_LINE()) { \
        return gwsim::readDetail<T, gwsim::Texture::shape, dimensions>(object, GW_UNPACK arguments, level, line, #name "Lod"); \
    }                                                                                                                    \
    template <class T> GW_UNWATCHED T name##Grad(cudaTextureObject_t object, GW_UNPACK parameters, Step dx, Step dy, int line = __builtin_LINE()) { \
        return gwsim::readSteps<T, gwsim::Texture::shape, dimensions>(object, GW_UNPACK arguments, gwsim::placeOf(dx), gwsim::placeOf(dy), line, #name "Grad"); \
    }                                                                                                                    \
    GW_STORED(name)                                                                                                      \
    GW_STORED(name##Lod)                                                                                                 \
    GW_STORED(name##Grad)
// GW_STORED defines the form that stores what is read.
#define GW_STORED(name)                                                                                                  \
    template <class T, class... A> GW_UNWATCHED void name(T *to, cudaTextureObject_t object, A... at) { *to = name<T>(object, at...); }
GW_TEXTURE(tex1D, Plain, 1, float, (float x), ({{x, 0, 0}}, 0))
GW_TEXTURE(tex2D, Plain, 2, float2, (float x, float y), ({{x, y, 0}}, 0))
GW_TEXTURE(tex3D, Plain, 3, float4, (float x, float y, float z), ({{x, y, z}}, 0))
GW_TEXTURE(tex1DLayered, Layers, 1, float, (float x, int layer), ({{x, 0, 0}}, layer))
GW_TEXTURE(tex2DLayered, Layers, 2, float2, (float x, float y, int layer), ({{x, y, 0}}, layer))
GW_TEXTURE(texCubemap, Cube, 2, float4, (float x, float y, float z), ({{x, y, z}}, 0))
GW_TEXTURE(texCubemapLayered, Cubes, 2, float4, (float x, float y, float z, int layer), ({{x, y, z}}, layer))
GW_STORED(tex1Dfetch)
#undef GW_TEXTURE
#undef GW_STORED

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
            assertFailed(i == 2 ? "the plane, layer or face is one of the surface" : "the place lies in the surface, whose first coordinate is in bytes", "", line, "surface access");
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
    if (char *p = surfacePlace<T>(object, x, y, z, mode, line)) {
#ifdef GW_CHECK
        unwatchedWrite(p, sizeof value);
#endif
        __builtin_memcpy(p, &value, sizeof value);
    }
}

} // namespace gwsim

#define GW_SURFACE(name, places, coordinates)                                                                            \
    template <class T> GW_UNWATCHED T name##read(cudaSurfaceObject_t s, GW_UNPACK places, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, int line = __builtin_LINE()) { \
        return gwsim::surfaceRead<T>(s, GW_UNPACK coordinates, mode, line);                                              \
    }                                                                                                                    \
    template <class T> GW_UNWATCHED void name##read(T *value, cudaSurfaceObject_t s, GW_UNPACK places, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, int line = __builtin_LINE()) { \
        *value = gwsim::surfaceRead<T>(s, GW_UNPACK coordinates, mode, line);                                            \
    }                                                                                                                    \
    template <class T> GW_UNWATCHED void name##write(T value, cudaSurfaceObject_t s, GW_UNPACK places, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, int line = __builtin_LINE()) { \
        gwsim::surfaceWrite<T>(value, s, GW_UNPACK coordinates, mode, line);                                             \
    }
GW_SURFACE(surf1D, (int x), (x, 0, 0))
GW_SURFACE(surf2D, (int x, int y), (x, y, 0))
GW_SURFACE(surf3D, (int x, int y, int z), (x, y, z))
GW_SURFACE(surf1DLayered, (int x, int layer), (x, 0, layer))
GW_SURFACE(surf2DLayered, (int x, int y, int layer), (x, y, layer))
GW_SURFACE(surfCubemap, (int x, int y, int face), (x, y, face))
GW_SURFACE(surfCubemapLayered, (int x, int y, int layerFace), (x, y, layerFace))
#undef GW_SURFACE
#undef GW_UNPACK
