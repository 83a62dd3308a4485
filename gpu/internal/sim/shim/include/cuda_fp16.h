// Half precision.
#pragma once
#include "../small.h"

using __half = gwsim::Small<gwsim::HalfFormat>;
using __half2 = gwsim::Pair<gwsim::HalfFormat>;
using half = __half;
using half2 = __half2;
struct __half_raw {
    unsigned short x;
    operator __half() const { return __half::of(x); }
};

GW_SMALL_CONVERSIONS(__half, __half2, half, half2, __half22float2)
GW_DEVICE __half2 __halves2half2(__half a, __half b) { return {a, b}; }

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
