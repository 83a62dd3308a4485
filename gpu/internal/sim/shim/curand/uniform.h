// Uniform numbers above 0 and up to 1: the middles of as many equal parts as there are values, or the ends of 2^32 parts.
#pragma once

namespace gwrand {

GW_DEVICE float toFloat(uint32_t x) { return float(x) * 0x1p-32f + 0x1p-33f; }
GW_DEVICE float toFloat(unsigned long long x) { return toFloat(uint32_t(x >> 32)); }
// toDouble makes 53 bits of two numbers.
GW_DEVICE double toDouble(uint32_t x, uint32_t y) { return double(x ^ uint64_t(y) << 21) * 0x1p-53 + 0x1p-54; }
GW_DEVICE double toDouble(uint32_t x) { return x * 0x1p-32 + 0x1p-32; }
GW_DEVICE double toDouble(unsigned long long x) { return double(x >> 11) * 0x1p-53 + 0x1p-54; }

template <class State> GW_DEVICE double twice(State *state) {
    const uint32_t x = curand(state), y = curand(state);
    return toDouble(x, y);
}

} // namespace gwrand

GW_DEVICE float curand_uniform(curandStateXORWOW_t *state) { return gwrand::toFloat(curand(state)); }
GW_DEVICE float curand_uniform(curandStatePhilox4_32_10_t *state) { return gwrand::toFloat(curand(state)); }
GW_DEVICE float curand_uniform(curandStateMRG32k3a_t *state) { return float(gwrand::nextMrg(state) * gwrand::mrgNorm); }
GW_DEVICE float curand_uniform(curandStateSobol32_t *state) { return gwrand::toFloat(curand(state)); }
GW_DEVICE float curand_uniform(curandStateScrambledSobol32_t *state) { return gwrand::toFloat(curand(state)); }
GW_DEVICE float curand_uniform(curandStateSobol64_t *state) { return gwrand::toFloat(curand(state)); }
GW_DEVICE float curand_uniform(curandStateScrambledSobol64_t *state) { return gwrand::toFloat(curand(state)); }
GW_DEVICE float4 curand_uniform4(curandStatePhilox4_32_10_t *state) {
    const uint4 x = curand4(state);
    return {gwrand::toFloat(x.x), gwrand::toFloat(x.y), gwrand::toFloat(x.z), gwrand::toFloat(x.w)};
}

GW_DEVICE double curand_uniform_double(curandStateXORWOW_t *state) { return gwrand::twice(state); }
// It uses one number where the function for two values uses four.
GW_DEVICE double curand_uniform_double(curandStatePhilox4_32_10_t *state) { return gwrand::toDouble(curand(state)); }
GW_DEVICE double curand_uniform_double(curandStateMRG32k3a_t *state) { return gwrand::nextMrg(state) * gwrand::mrgNorm; }
GW_DEVICE double curand_uniform_double(curandStateSobol32_t *state) { return gwrand::toDouble(curand(state)); }
GW_DEVICE double curand_uniform_double(curandStateScrambledSobol32_t *state) { return gwrand::toDouble(curand(state)); }
GW_DEVICE double curand_uniform_double(curandStateSobol64_t *state) { return gwrand::toDouble(curand(state)); }
GW_DEVICE double curand_uniform_double(curandStateScrambledSobol64_t *state) { return gwrand::toDouble(curand(state)); }
GW_DEVICE double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state) {
    const uint4 x = curand4(state);
    return {gwrand::toDouble(x.x, x.y), gwrand::toDouble(x.z, x.w)};
}
GW_DEVICE double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state) {
    const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
    return {a.x, a.y, b.x, b.y};
}
