// Sobol sequences in Gray code order (I. Antonov and V. Saleev, 1979), plain or scrambled by a constant. The caller brings the
// direction vectors.
#pragma once

typedef unsigned curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

#define GW_SOBOL(State, Word, bits)                                                                                      \
    struct State {                                                                                                       \
        Word i, x, c;                                                                                                    \
        Word direction_vectors[bits];                                                                                    \
    };                                                                                                                   \
    typedef struct State State##_t;                                                                                      \
    GW_DEVICE void skipahead(Word n, State##_t *state) {                                                                 \
        const Word place = state->i += n, gray = place ^ place >> 1;                                                     \
        Word x = state->c;                                                                                               \
        for (int k = 0; k < bits; k++)                                                                                   \
            if (gray >> k & 1)                                                                                           \
                x ^= state->direction_vectors[k];                                                                        \
        state->x = x;                                                                                                    \
    }                                                                                                                    \
    GW_DEVICE Word curand(State##_t *state) {                                                                            \
        const Word value = state->x;                                                                                     \
        if (~state->i != 0)                                                                                              \
            state->x ^= state->direction_vectors[__builtin_ctzll(~state->i)];                                            \
        state->i++;                                                                                                      \
        return value;                                                                                                    \
    }                                                                                                                    \
    namespace gwrand {                                                                                                   \
    GW_DEVICE void begin(const Word *vectors, Word c, Word offset, State##_t *state) {                                   \
        for (int k = 0; k < bits; k++)                                                                                   \
            state->direction_vectors[k] = vectors[k];                                                                    \
        state->i = 0, state->x = state->c = c;                                                                           \
        skipahead(offset, state);                                                                                        \
    }                                                                                                                    \
    }
GW_SOBOL(curandStateSobol32, unsigned, 32)
GW_SOBOL(curandStateScrambledSobol32, unsigned, 32)
GW_SOBOL(curandStateSobol64, unsigned long long, 64)
GW_SOBOL(curandStateScrambledSobol64, unsigned long long, 64)
#undef GW_SOBOL

GW_DEVICE void curand_init(const unsigned *vectors, unsigned offset, curandStateSobol32_t *state) { gwrand::begin(vectors, 0, offset, state); }
GW_DEVICE void curand_init(const unsigned *vectors, unsigned scramble, unsigned offset, curandStateScrambledSobol32_t *state) {
    gwrand::begin(vectors, scramble, offset, state);
}
GW_DEVICE void curand_init(const unsigned long long *vectors, unsigned long long offset, curandStateSobol64_t *state) {
    gwrand::begin(vectors, 0, offset, state);
}
GW_DEVICE void curand_init(const unsigned long long *vectors, unsigned long long scramble, unsigned long long offset, curandStateScrambledSobol64_t *state) {
    gwrand::begin(vectors, scramble, offset, state);
}
