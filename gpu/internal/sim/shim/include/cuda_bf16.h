// Numbers of 16 bits with the exponents of float.
#pragma once
#include "../small.h"

using __nv_bfloat16 = gwsim::Small<gwsim::BrainFormat>;
using __nv_bfloat162 = gwsim::Pair<gwsim::BrainFormat>;
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;
struct __nv_bfloat16_raw {
    unsigned short x;
    operator __nv_bfloat16() const { return __nv_bfloat16::of(x); }
};

GW_SMALL_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16, bfloat162, __bfloat1622float2)
GW_DEVICE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
