// Vector types, with the alignments that CUDA gives them: they decide how structures and
// parameter buffers are laid out.
#pragma once

#define GW_VECTORS(name, type, align2, align4)                                                                           \
    struct name##1 { type x; };                                                                                          \
    struct __align__(align2) name##2 { type x, y; };                                                                     \
    struct name##3 { type x, y, z; };                                                                                    \
    struct __align__(align4) name##4 { type x, y, z, w; };                                                               \
    GW_MAKERS(name, type)
#define GW_MAKERS(name, type)                                                                                            \
    GW_DEVICE name##1 make_##name##1(type x) { return {x}; }                                                             \
    GW_DEVICE name##2 make_##name##2(type x, type y) { return {x, y}; }                                                  \
    GW_DEVICE name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }                                       \
    GW_DEVICE name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

GW_VECTORS(char, signed char, 2, 4)
GW_VECTORS(uchar, unsigned char, 2, 4)
GW_VECTORS(short, short, 4, 8)
GW_VECTORS(ushort, unsigned short, 4, 8)
GW_VECTORS(int, int, 8, 16)
GW_VECTORS(long, long, 16, 16)
GW_VECTORS(ulong, unsigned long, 16, 16)
GW_VECTORS(longlong, long long, 16, 16)
GW_VECTORS(ulonglong, unsigned long long, 16, 16)
GW_VECTORS(float, float, 8, 16)
GW_VECTORS(double, double, 16, 16)

// uint3 is in abi.h: threadIdx is one.
struct uint1 { unsigned int x; };
struct __align__(8) uint2 { unsigned int x, y; };
struct __align__(16) uint4 { unsigned int x, y, z, w; };
GW_MAKERS(uint, unsigned int)

#undef GW_VECTORS
#undef GW_MAKERS
