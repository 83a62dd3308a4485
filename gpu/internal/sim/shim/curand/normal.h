// Normally distributed numbers: of two uniform ones by G. Box and M. Muller's transform (1958), and of one of a Sobol sequence by
// the inverse of the distribution.
#pragma once

namespace gwrand {

constexpr double pi = 3.14159265358979323846;

GW_DEVICE float2 boxMuller(uint32_t x, uint32_t y) {
    const float u = toFloat(x), v = float(y) * float(0x1p-31 * pi) + float(0x1p-32 * pi), s = sqrtf(-2 * logf(u));
    return {s * sinf(v), s * cosf(v)};
}
GW_DEVICE double2 boxMuller(uint32_t x, uint32_t x2, uint32_t y, uint32_t y2) {
    const double u = toDouble(x, x2), v = 2 * toDouble(y, y2), s = sqrt(-2 * log(u));
    return {s * sin(pi * v), s * cos(pi * v)};
}

template <class State> GW_DEVICE float2 pair(State *state) {
    const uint32_t x = curand(state), y = curand(state);
    return boxMuller(x, y);
}
GW_DEVICE float2 pair(curandStateMRG32k3a_t *state) {
    const float x = curand_uniform(state), v = curand_uniform(state) * float(2 * pi), s = sqrtf(-2 * logf(x));
    return {s * sinf(v), s * cosf(v)};
}
template <class State> GW_DEVICE double2 pairDouble(State *state) {
    const uint32_t x = curand(state), x2 = curand(state), y = curand(state), y2 = curand(state);
    return boxMuller(x, x2, y, y2);
}
GW_DEVICE double2 pairDouble(curandStatePhilox4_32_10_t *state) {
    const uint4 x = curand4(state);
    return boxMuller(x.x, x.y, x.z, x.w);
}
GW_DEVICE double2 pairDouble(curandStateMRG32k3a_t *state) {
    const double x = curand_uniform_double(state), v = 2 * curand_uniform_double(state), s = sqrt(-2 * log(x));
    return {s * sin(pi * v), s * cos(pi * v)};
}

// Every second number was made with the one before it, by the same function: an extra value of another is not used.
enum Extra { none, ofNormal, ofLogNormal };
template <class State, class F> GW_DEVICE float oneOf(State *state, Extra kind, F of) {
    if (state->boxmuller_flag == kind) {
        state->boxmuller_flag = none;
        return state->boxmuller_extra;
    }
    const float2 two = pair(state);
    state->boxmuller_extra = of(two.y);
    state->boxmuller_flag = kind;
    return of(two.x);
}
template <class State, class F> GW_DEVICE double oneOfDouble(State *state, Extra kind, F of) {
    if (state->boxmuller_flag_double == kind) {
        state->boxmuller_flag_double = none;
        return state->boxmuller_extra_double;
    }
    const double2 two = pairDouble(state);
    state->boxmuller_extra_double = of(two.y);
    state->boxmuller_flag_double = kind;
    return of(two.x);
}

// inverseNormal is the inverse of the distribution's function: a rational first guess (M. Abramowitz and I. Stegun, Handbook of
// Mathematical Functions, 26.2.23, whose error is below 4.5e-4), and Halley's steps. u lies between 0 and 1.
GW_DEVICE double inverseNormal(double u) {
    const double p = u < 0.5 ? u : 1 - u;
    if (p <= 0)
        return u < 0.5 ? -9 : 9; // rounded: the caller's numbers are middles
    const double t = sqrt(-2 * log(p));
    double x = (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
    for (int i = 0; i < 2; i++) {
        const double e = (0.5 * erfc(-x * 0.70710678118654752440) - p) * 2.50662827463100050242 * exp(x * x / 2);
        x -= e / (1 + x * e / 2);
    }
    return u < 0.5 ? x : -x;
}
GW_DEVICE double middle(unsigned x) { return x * 0x1p-32 + 0x1p-33; }
GW_DEVICE double middle(unsigned long long x) { return double(x >> 11) * 0x1p-53 + 0x1p-54; }

} // namespace gwrand

#define GW_NORMAL(State)                                                                                                 \
    GW_DEVICE float curand_normal(State *state) {                                                                        \
        return gwrand::oneOf(state, gwrand::ofNormal, [](float n) { return n; });                                        \
    }                                                                                                                    \
    GW_DEVICE float2 curand_normal2(State *state) { return gwrand::pair(state); }                                        \
    GW_DEVICE double curand_normal_double(State *state) {                                                                \
        return gwrand::oneOfDouble(state, gwrand::ofNormal, [](double n) { return n; });                                 \
    }                                                                                                                    \
    GW_DEVICE float curand_log_normal(State *state, float mean, float deviation) {                                       \
        return gwrand::oneOf(state, gwrand::ofLogNormal, [=](float n) { return expf(mean + deviation * n); });           \
    }                                                                                                                    \
    GW_DEVICE double curand_log_normal_double(State *state, double mean, double deviation) {                             \
        return gwrand::oneOfDouble(state, gwrand::ofLogNormal, [=](double n) { return exp(mean + deviation * n); });     \
    }                                                                                                                    \
    GW_DEVICE double2 curand_normal2_double(State *state) { return gwrand::pairDouble(state); }                          \
    GW_DEVICE float2 curand_log_normal2(State *state, float mean, float deviation) {                                     \
        const float2 n = gwrand::pair(state);                                                                            \
        return {expf(mean + deviation * n.x), expf(mean + deviation * n.y)};                                             \
    }                                                                                                                    \
    GW_DEVICE double2 curand_log_normal2_double(State *state, double mean, double deviation) {                           \
        const double2 n = gwrand::pairDouble(state);                                                                     \
        return {exp(mean + deviation * n.x), exp(mean + deviation * n.y)};                                               \
    }
#define GW_NORMAL_SOBOL(State)                                                                                           \
    GW_DEVICE float curand_normal(State *state) { return float(gwrand::inverseNormal(gwrand::middle(curand(state)))); }  \
    GW_DEVICE double curand_normal_double(State *state) { return gwrand::inverseNormal(gwrand::middle(curand(state))); } \
    GW_DEVICE float curand_log_normal(State *state, float mean, float deviation) { return expf(mean + deviation * curand_normal(state)); } \
    GW_DEVICE double curand_log_normal_double(State *state, double mean, double deviation) { return exp(mean + deviation * curand_normal_double(state)); }
GW_NORMAL(curandStateXORWOW_t)
GW_NORMAL(curandStatePhilox4_32_10_t)
GW_NORMAL(curandStateMRG32k3a_t)
GW_NORMAL_SOBOL(curandStateSobol32_t)
GW_NORMAL_SOBOL(curandStateScrambledSobol32_t)
GW_NORMAL_SOBOL(curandStateSobol64_t)
GW_NORMAL_SOBOL(curandStateScrambledSobol64_t)
#undef GW_NORMAL
#undef GW_NORMAL_SOBOL

GW_DEVICE float4 curand_normal4(curandStatePhilox4_32_10_t *state) {
    const uint4 x = curand4(state);
    const float2 a = gwrand::boxMuller(x.x, x.y), b = gwrand::boxMuller(x.z, x.w);
    return {a.x, a.y, b.x, b.y};
}
GW_DEVICE double4 curand_normal4_double(curandStatePhilox4_32_10_t *state) {
    const double2 a = gwrand::pairDouble(state), b = gwrand::pairDouble(state);
    return {a.x, a.y, b.x, b.y};
}
GW_DEVICE float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float deviation) {
    const float4 n = curand_normal4(state);
    return {expf(mean + deviation * n.x), expf(mean + deviation * n.y), expf(mean + deviation * n.z), expf(mean + deviation * n.w)};
}
GW_DEVICE double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state, double mean, double deviation) {
    const double4 n = curand_normal4_double(state);
    return {exp(mean + deviation * n.x), exp(mean + deviation * n.y), exp(mean + deviation * n.z), exp(mean + deviation * n.w)};
}
