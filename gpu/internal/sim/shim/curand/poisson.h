// Poisson-distributed numbers: for small means the number of uniform ones whose product stays above exp(-mean) (D. Knuth), for
// large ones a rounded normal number, and between these W. Hörmann's transformed rejection (The transformed rejection method for
// generating Poisson random variables, Insurance: Mathematics and Economics 12, 1993, algorithm PTRS). The middle range has
// cuRAND's distribution, but not its sequence.
#pragma once

namespace gwrand {

template <class State> GW_DEVICE unsigned poissonByProduct(State *state, float mean) {
    const float limit = expf(-mean);
    float product = 1;
    unsigned count = 0;
    do {
        count++;
        product *= curand_uniform(state);
    } while (product > limit);
    return count - 1;
}

template <class State> GW_DEVICE unsigned poissonByRejection(State *state, double mean) {
    const double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b, inverse = 1.1239 + 1.1328 / (b - 3.4), quick = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
        const double u = curand_uniform(state) - 0.5, v = curand_uniform(state), distance = 0.5 - fabs(u);
        const double k = floor((2 * a / distance + b) * u + mean + 0.43);
        if (distance >= 0.07 && v <= quick)
            return unsigned(k);
        if (k < 0 || (distance < 0.013 && v > distance))
            continue;
        if (log(v * inverse / (a / (distance * distance) + b)) <= k * log(mean) - mean - lgamma(k + 1))
            return unsigned(k);
    }
}

template <class State> GW_DEVICE unsigned poisson(State *state, double mean) {
    if (mean < 64)
        return poissonByProduct(state, float(mean));
    if (mean > 4000)
        return unsigned(sqrt(mean) * curand_normal_double(state) + mean + 0.5);
    return poissonByRejection(state, mean);
}

// poissonOf is the inverse of the distribution's function, for Sobol sequences: each of their numbers has its own dimension.
GW_DEVICE unsigned poissonOf(double u, double mean) {
    if (mean > 4000)
        return unsigned(sqrt(mean) * inverseNormal(u) + mean + 0.5);
    double k = 0;
    if (mean > 500) // where exp(-mean) is near the smallest numbers
        k = floor(mean - 12 * sqrt(mean));
    double term = exp(k * log(mean) - mean - lgamma(k + 1)), sum = term;
    while (sum < u && term > 1e-300)
        term *= mean / ++k, sum += term;
    return unsigned(k);
}

} // namespace gwrand

GW_DEVICE unsigned curand_poisson(curandStateXORWOW_t *state, double mean) { return gwrand::poisson(state, mean); }
GW_DEVICE unsigned curand_poisson(curandStatePhilox4_32_10_t *state, double mean) { return gwrand::poisson(state, mean); }
GW_DEVICE unsigned curand_poisson(curandStateMRG32k3a_t *state, double mean) { return gwrand::poisson(state, mean); }
GW_DEVICE unsigned curand_poisson(curandStateSobol32_t *state, double mean) { return gwrand::poissonOf(gwrand::middle(curand(state)), mean); }
GW_DEVICE unsigned curand_poisson(curandStateScrambledSobol32_t *state, double mean) { return gwrand::poissonOf(gwrand::middle(curand(state)), mean); }
GW_DEVICE unsigned curand_poisson(curandStateSobol64_t *state, double mean) { return gwrand::poissonOf(gwrand::middle(curand(state)), mean); }
GW_DEVICE unsigned curand_poisson(curandStateScrambledSobol64_t *state, double mean) { return gwrand::poissonOf(gwrand::middle(curand(state)), mean); }
GW_DEVICE uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double mean) {
    const unsigned a = curand_poisson(state, mean), b = curand_poisson(state, mean), c = curand_poisson(state, mean), d = curand_poisson(state, mean);
    return {a, b, c, d};
}
