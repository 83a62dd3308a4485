// Textures as kernels read them: of one to three dimensions, with layers, or the six faces of a cube, and with levels of detail. Where
// an element lies between others, their weights have the 8 bits of a fraction that GPUs have (CUDA C++ Programming Guide, Texture
// Fetching). texture_fetch.h has the functions that kernels call.
#pragma once

typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;

namespace gwsim {

// A Level is the elements of a texture at one level of detail.
struct Level {
    const char *data;
    long long size[3];   // elements; 1 where a dimension is left out. The last one counts layers and faces, too
    size_t pitch, slice; // bytes from row to row, and from plane to plane
};

// A Texture is what a cudaTextureObject_t points to. The simulator makes it (../texture.go), and so does host code of
// whole programs. It is level 0 itself.
struct Texture : Level {
    enum Kind : int { Signed, Unsigned, Floats };
    enum Address : int { Wrap, Clamp, Mirror, Border }; // in the order of cudaTextureAddressMode
    enum Shape : int { Plain, Layers, Cube, Cubes };    // what its planes are

    int channels, bits; // of an element
    int kind;
    int address[3];
    int linear, normalized; // the filter; coordinates from 0 to 1
    int values;             // integers are read as numbers from 0 to 1, or from -1
    int list;               // linear memory, which tex1Dfetch reads
    float border[4];
    int shape;
    int last;        // the last level of detail
    int mixesLevels; // the filter between levels
    int seamless;    // the filter goes on over the edges of a cube
    int srgb;
    float bias, lowest, highest; // of the level of detail
    const Level *more;           // the levels after 0
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

// linearOf converts a value of sRGB (IEC 61966-2-1).
inline float linearOf(float v) { return v <= 0.04045f ? v / 12.92f : powf((v + 0.055f) / 1.055f, 2.4f); }

// border is a number of the border's colour. Where integers are read as they are, the colour holds the bits of integers.
template <class Number> GW_UNWATCHED Number border(const Texture &t, int c) {
    const float v = t.border[c];
    if (t.kind == Texture::Floats)
        return Number(v);
    if (t.values)
        return Number(fminf(fmaxf(v, t.kind == Texture::Signed ? -1 : 0), 1));
    int bits;
    __builtin_memcpy(&bits, &v, sizeof bits);
    return Number(bits);
}

// channel reads one number of an element, as a kernel is given it.
template <class Number> GW_UNWATCHED Number channel(const Texture &t, const Level &l, const long long (&at)[3], int c) {
    if (at[0] < 0 || at[1] < 0 || at[2] < 0)
        return border<Number>(t, c);
    if (c >= t.channels)
        return Number(0);
    const char *p = l.data + at[2] * l.slice + at[1] * l.pitch + (at[0] * t.channels + c) * (t.bits / 8);
    auto as = [&](auto value) -> Number {
        __builtin_memcpy(&value, p, sizeof value);
        using Stored = decltype(value);
        if constexpr (std::is_integral_v<Stored>)
            if (t.values) {
                float v = float(value) / float(std::numeric_limits<Stored>::max());
                if (t.srgb && c < 3)
                    v = linearOf(v);
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

// fraction rounds the weight of an element to 8 bits. Far outside there is none.
GW_UNWATCHED inline float fraction(float p) { return p > -1e15f && p < 1e15f ? roundf((p - floorf(p)) * 256) / 256 : 0; }

// indexOf is the element that a coordinate lies in. Far outside all is the same; this also keeps what is no number from becoming an index.
GW_UNWATCHED inline long long indexOf(float p) { return (long long)floorf(p > -1e15f ? (p < 1e15f ? p : 1e15f) : -1e15f); }

// between mixes what lies on both sides of a place, from the last axis to the first. Where one side has all of the weight
// the other is not looked at.
template <class Number, int axis>
GW_UNWATCHED float between(const Texture &t, const Level &l, const long long (&low)[3], const float (&weight)[3], long long (&at)[3], int c) {
    if constexpr (axis < 0) {
        return float(channel<Number>(t, l, at, c));
    } else {
        at[axis] = inside(low[axis], l.size[axis], t.address[axis]);
        float w = weight[axis], below = between<Number, axis - 1>(t, l, low, weight, at, c);
        if (w == 0)
            return below;
        at[axis] = inside(low[axis] + 1, l.size[axis], t.address[axis]);
        return (1 - w) * below + w * between<Number, axis - 1>(t, l, low, weight, at, c);
    }
}

// A Place is the coordinates of a fetch, without that of a layer or face.
struct Place {
    float at[3];
};

// sample reads a level at a place between elements, in the plane of that index.
template <class T, int dimensions> GW_UNWATCHED T sample(const Texture &t, const Level &l, Place place, long long plane) {
    using Number = typename Channels<T>::Number;
    float weight[3] = {};
    long long low[3] = {}, at[3] = {0, 0, plane};
    for (int i = 0; i < dimensions; i++) {
        float p = t.normalized ? place.at[i] * l.size[i] : place.at[i];
        if (p != p)
            p = 0;
        if (t.linear) {
            p -= 0.5f;
            weight[i] = fraction(p);
        }
        low[i] = indexOf(p);
    }
    if (t.linear)
        return gather<T>([&](int c) { return Number(between<Number, dimensions - 1>(t, l, low, weight, at, c)); });
    for (int i = 0; i < dimensions; i++)
        at[i] = inside(low[i], l.size[i], t.address[i]);
    return gather<T>([&](int c) { return channel<Number>(t, l, at, c); });
}

// ---- levels of detail ----

GW_UNWATCHED inline const Level &levelOf(const Texture &t, int i) { return i == 0 ? t : t.more[i - 1]; }

// atLevel reads at a level of detail, which may lie between two. The function read is given a Level.
template <class T, class F> GW_UNWATCHED T atLevel(const Texture &t, float level, F read) {
    using Number = typename Channels<T>::Number;
    level += t.bias;
    if (!(level > t.lowest)) // or it is no number
        level = t.lowest;
    level = fminf(fmaxf(fminf(level, t.highest), 0), t.last);
    int i = int(t.mixesLevels ? floorf(level) : floorf(level + 0.5f));
    float w = t.mixesLevels ? fraction(level) : 0;
    T value = read(levelOf(t, i));
    if (w == 0)
        return value;
    T next = read(levelOf(t, i + 1));
    Number a[Channels<T>::count], b[Channels<T>::count];
    __builtin_memcpy(a, &value, sizeof value);
    __builtin_memcpy(b, &next, sizeof next);
    return gather<T>([&](int c) { return Number((1 - w) * float(a[c]) + w * float(b[c])); });
}

// levelOfSteps is the level of detail at which the longer of two steps, by which the coordinates change from pixel to pixel, is one element.
GW_UNWATCHED inline float levelOfSteps(const Texture &t, int dimensions, Place x, Place y) {
    float a = 0, b = 0;
    for (int i = 0; i < dimensions; i++) {
        float scale = t.normalized ? t.size[i] : 1;
        a += x.at[i] * scale * (x.at[i] * scale);
        b += y.at[i] * scale * (y.at[i] * scale);
    }
    return 0.5f * log2f(fmaxf(a, b));
}

// ---- cubes ----

// faceOf is the face of a cube that a direction from its middle meets. On an edge the later axis has it.
template <class Number> GW_UNWATCHED int faceOf(Number x, Number y, Number z) {
    Number a = x < 0 ? -x : x, b = y < 0 ? -y : y, c = z < 0 ? -z : z;
    if (c >= a && c >= b)
        return z < 0 ? 5 : 4;
    if (b >= a)
        return y < 0 ? 3 : 2;
    return x < 0 ? 1 : 0;
}

// OnFace is a direction as a face has it: to the right, down, and out of the cube (CUDA C++ Programming Guide, Cubemap Textures).
template <class Number> struct OnFace {
    Number s, t, m;
};
template <class Number> GW_UNWATCHED OnFace<Number> onFace(int face, Number x, Number y, Number z) {
    switch (face) {
    case 0: return {-z, -y, x};
    case 1: return {z, -y, -x};
    case 2: return {x, z, y};
    case 3: return {x, -z, -y};
    case 4: return {x, -y, z};
    default: return {-x, -y, -z};
    }
}

// neighbour moves an index beyond an edge of a face, by one, to the face that is there.
GW_UNWATCHED inline void neighbour(int &face, long long &i, long long &j, long long n) {
    long long s = 2 * i + 1 - n, t = 2 * j + 1 - n, x, y, z;
    switch (face) {
    case 0: x = n, y = -t, z = -s; break;
    case 1: x = -n, y = -t, z = s; break;
    case 2: x = s, y = n, z = t; break;
    case 3: x = s, y = -n, z = -t; break;
    case 4: x = s, y = -t, z = n; break;
    default: x = -s, y = -t, z = -n;
    }
    face = faceOf(x, y, z);
    OnFace<long long> on = onFace(face, x, y, z);
    i = (on.s + on.m) * n / (2 * on.m);
    j = (on.t + on.m) * n / (2 * on.m);
}

// seamless filters on a face, with elements of the faces beside it. At a corner of the cube three faces meet: the fourth element is the mean of
// the others.
template <class T> GW_UNWATCHED T seamless(const Texture &t, const Level &l, Place place, int face, long long cube) {
    using Number = typename Channels<T>::Number;
    const long long n = l.size[0];
    float p[2] = {place.at[0] * n - 0.5f, place.at[1] * n - 0.5f};
    const long long low[2] = {indexOf(p[0]), indexOf(p[1])};
    return gather<T>([&](int c) {
        float v[4], sum = 0;
        int missing = -1;
        for (int k = 0; k < 4; k++) {
            long long i = low[0] + k % 2, j = low[1] + k / 2;
            int on = face;
            bool beside = i < 0 || i >= n, above = j < 0 || j >= n;
            if (beside && above) {
                missing = k;
                continue;
            }
            if (beside || above)
                neighbour(on, i, j, n);
            const long long at[3] = {i, j, cube + on};
            sum += v[k] = float(channel<Number>(t, l, at, c));
        }
        if (missing >= 0)
            v[missing] = sum / 3;
        float x = fraction(p[0]), y = fraction(p[1]);
        return Number((1 - y) * ((1 - x) * v[0] + x * v[1]) + y * ((1 - x) * v[2] + x * v[3]));
    });
}

// sampleCube reads a level of a cube in a direction. The cube's first plane is given.
template <class T> GW_UNWATCHED T sampleCube(const Texture &t, const Level &l, Place direction, long long cube) {
    const int face = faceOf(direction.at[0], direction.at[1], direction.at[2]);
    const OnFace<float> on = onFace(face, direction.at[0], direction.at[1], direction.at[2]);
    const Place place = {{(on.s / on.m + 1) / 2, (on.t / on.m + 1) / 2, 0}};
    if (t.seamless && t.linear)
        return seamless<T>(t, l, place, face, cube);
    return sample<T, 2>(t, l, place, cube + face);
}

// stepOnFace is how a step in the direction of a fetch moves the place on the face.
GW_UNWATCHED inline Place stepOnFace(Place direction, Place step) {
    const int face = faceOf(direction.at[0], direction.at[1], direction.at[2]);
    const OnFace<float> on = onFace(face, direction.at[0], direction.at[1], direction.at[2]), d = onFace(face, step.at[0], step.at[1], step.at[2]);
    return {{(d.s - on.s / on.m * d.m) / on.m / 2, (d.t - on.t / on.m * d.m) / on.m / 2, 0}};
}

} // namespace gwsim
