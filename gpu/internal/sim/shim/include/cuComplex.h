// Complex numbers as CUDA's C interfaces have them.
#pragma once
#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define GW_COMPLEX(Complex, Real, maker, f, root)                                                                        \
    GW_DEVICE Complex maker(Real re, Real im) { return {re, im}; }                                                       \
    GW_DEVICE Real cuCreal##f(Complex z) { return z.x; }                                                                 \
    GW_DEVICE Real cuCimag##f(Complex z) { return z.y; }                                                                 \
    GW_DEVICE Complex cuConj##f(Complex z) { return {z.x, -z.y}; }                                                       \
    GW_DEVICE Complex cuCadd##f(Complex a, Complex b) { return {a.x + b.x, a.y + b.y}; }                                 \
    GW_DEVICE Complex cuCsub##f(Complex a, Complex b) { return {a.x - b.x, a.y - b.y}; }                                 \
    GW_DEVICE Complex cuCmul##f(Complex a, Complex b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }         \
    GW_DEVICE Complex cuCdiv##f(Complex a, Complex b) {                                                                  \
        /* Scaled, so that squares neither overflow nor vanish. */                                                       \
        const Real s = 1 / (fabs(b.x) + fabs(b.y)), ax = a.x * s, ay = a.y * s, bx = b.x * s, by = b.y * s;              \
        const Real d = 1 / (bx * bx + by * by);                                                                          \
        return {(ax * bx + ay * by) * d, (ay * bx - ax * by) * d};                                                       \
    }                                                                                                                    \
    GW_DEVICE Complex cuCfma##f(Complex a, Complex b, Complex c) { return cuCadd##f(cuCmul##f(a, b), c); }               \
    GW_DEVICE Real cuCabs##f(Complex z) { return root(z.x, z.y); }
GW_COMPLEX(cuFloatComplex, float, make_cuFloatComplex, f, hypotf)
GW_COMPLEX(cuDoubleComplex, double, make_cuDoubleComplex, , hypot)
#undef GW_COMPLEX

GW_DEVICE cuComplex make_cuComplex(float re, float im) { return {re, im}; }
GW_DEVICE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) { return {float(z.x), float(z.y)}; }
GW_DEVICE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return {z.x, z.y}; }
