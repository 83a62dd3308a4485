// MRG32k3a (P. L'Ecuyer, Good parameters and implementations for combined multiple recursive random number generators,
// Operations Research 47 (1), 1999), with cuRAND's seeds. To skip steps is to multiply by powers of two matrices of 3 × 3.
#pragma once

struct curandStateMRG32k3a {
    unsigned s1[3], s2[3];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

namespace gwrand {

constexpr uint64_t mrg1 = 4294967087u, mrg2 = 4294944443u; // the moduli
constexpr int mrgSubsequence = 76, mrgSequence = 127;       // how many steps are between two, as powers of two
constexpr double mrgNorm = 1.0 / mrg1;

struct Matrix3 {
    uint64_t at[3][3];
    GW_UNWATCHED constexpr Matrix3 times(const Matrix3 &b, uint64_t m) const {
        Matrix3 product = {};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    product.at[i][j] = (product.at[i][j] + at[i][k] * b.at[k][j] % m) % m;
        return product;
    }
};

// MrgPowers has the 2^k-th powers of both matrices.
struct MrgPowers {
    Matrix3 a[2][192];
    GW_UNWATCHED constexpr MrgPowers() : a() {
        a[0][0] = {{{0, 1, 0}, {0, 0, 1}, {mrg1 - 810728, 1403580, 0}}};
        a[1][0] = {{{0, 1, 0}, {0, 0, 1}, {mrg2 - 1370589, 0, 527612}}};
        for (int k = 1; k < 192; k++) {
            a[0][k] = a[0][k - 1].times(a[0][k - 1], mrg1);
            a[1][k] = a[1][k - 1].times(a[1][k - 1], mrg2);
        }
    }
};

struct Mrg {
    uint64_t s[2][3];
};

// jumpMrg skips n·2^first steps.
__attribute__((noinline)) GW_UNWATCHED inline Mrg jumpMrg(Mrg s, unsigned long long n, int first) {
    static const MrgPowers powers;
    for (int k = first; n != 0; n >>= 1, k++) {
        for (int part = 0; part < 2 && n & 1; part++) {
            const uint64_t m = part == 0 ? mrg1 : mrg2, x = s.s[part][0], y = s.s[part][1], z = s.s[part][2];
            for (int i = 0; i < 3; i++) {
                const uint64_t(&row)[3] = powers.a[part][k].at[i];
                s.s[part][i] = (row[0] * x % m + row[1] * y % m + row[2] * z % m) % m;
            }
        }
    }
    return s;
}

__attribute__((noinline)) GW_UNWATCHED inline Mrg seedMrg(unsigned long long seed, unsigned long long subsequence, unsigned long long offset) {
    Mrg s = {{{12345, 12345, 12345}, {12345, 12345, 12345}}};
    if (seed != 0) {
        const uint64_t low = uint32_t(seed) ^ 0x55555555u, high = uint32_t(seed >> 32) ^ 0xaaaaaaaau;
        for (int i = 0; i < 3; i++) {
            s.s[0][i] = s.s[0][i] * (i == 1 ? high : low) % mrg1;
            s.s[1][i] = s.s[1][i] * (i == 1 ? low : high) % mrg2;
        }
    }
    return jumpMrg(jumpMrg(s, subsequence, mrgSubsequence), offset, 0);
}

GW_DEVICE Mrg loadMrg(const curandStateMRG32k3a_t *s) { return {{{s->s1[0], s->s1[1], s->s1[2]}, {s->s2[0], s->s2[1], s->s2[2]}}}; }
GW_DEVICE void storeMrg(curandStateMRG32k3a_t *state, const Mrg &s) {
    for (int i = 0; i < 3; i++)
        state->s1[i] = unsigned(s.s[0][i]), state->s2[i] = unsigned(s.s[1][i]);
}

// nextMrg returns a whole number from 1 to mrg1.
GW_DEVICE uint32_t nextMrg(curandStateMRG32k3a_t *state) {
    // A multiple of the modulus keeps the differences above 0.
    const uint64_t p = (1403580 * uint64_t(state->s1[1]) + 810728 * mrg1 - 810728 * uint64_t(state->s1[0])) % mrg1;
    const uint64_t q = (527612 * uint64_t(state->s2[2]) + 1370589 * mrg2 - 1370589 * uint64_t(state->s2[0])) % mrg2;
    state->s1[0] = state->s1[1], state->s1[1] = state->s1[2], state->s1[2] = unsigned(p);
    state->s2[0] = state->s2[1], state->s2[1] = state->s2[2], state->s2[2] = unsigned(q);
    return uint32_t(p <= q ? p - q + mrg1 : p - q);
}

} // namespace gwrand

GW_DEVICE void skipahead(unsigned long long n, curandStateMRG32k3a_t *state) { gwrand::storeMrg(state, gwrand::jumpMrg(gwrand::loadMrg(state), n, 0)); }
GW_DEVICE void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state) {
    gwrand::storeMrg(state, gwrand::jumpMrg(gwrand::loadMrg(state), n, gwrand::mrgSubsequence));
}
GW_DEVICE void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *state) {
    gwrand::storeMrg(state, gwrand::jumpMrg(gwrand::loadMrg(state), n, gwrand::mrgSequence));
}
GW_DEVICE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStateMRG32k3a_t *state) {
    gwrand::storeMrg(state, gwrand::seedMrg(seed, subsequence, offset));
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
}

// curand scales the number to 32 bits.
GW_DEVICE unsigned curand(curandStateMRG32k3a_t *state) { return unsigned(gwrand::nextMrg(state) * 1.000000048662); }
