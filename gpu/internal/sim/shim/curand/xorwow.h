// XORWOW (G. Marsaglia, Xorshift RNGs, Journal of Statistical Software 8 (14), 2003, section 3.1), with cuRAND's seeds.
//
// Five words of the state are a vector over GF(2), which a step multiplies by a matrix. To skip 2^k steps is to multiply by the
// 2^k-th power of that matrix. The powers are computed when one is first needed.
#pragma once

#include <stdint.h>

struct curandStateXORWOW {
    unsigned d, v[5];
    int boxmuller_flag, boxmuller_flag_double; // whether the extra values are there
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStateXORWOW curandState_t;

namespace gwrand {

struct Xorwow {
    alignas(32) uint32_t v[8]; // of which five are used
};

GW_UNWATCHED inline void stepXorwow(Xorwow &s) {
    uint32_t t = s.v[0] ^ s.v[0] >> 2;
    for (int i = 0; i < 4; i++)
        s.v[i] = s.v[i + 1];
    s.v[4] = s.v[4] ^ s.v[4] << 4 ^ t ^ t << 1;
}

// XorwowPowers has the 2^k-th powers of the matrix, as the products with each value of each group of four bits.
class XorwowPowers {
    static constexpr int groups = 40;
    Xorwow products[131][groups][16];

    // fill sets a power from its products with single bits.
    GW_UNWATCHED void fill(int k, const Xorwow (&columns)[160]) {
        for (int g = 0; g < groups; g++) {
            products[k][g][0] = {};
            for (int value = 1; value < 16; value++) {
                const Xorwow &rest = products[k][g][value & (value - 1)], &bit = columns[4 * g + __builtin_ctz(value)];
                for (int i = 0; i < 8; i++)
                    products[k][g][value].v[i] = rest.v[i] ^ bit.v[i];
            }
        }
    }

public:
    GW_UNWATCHED XorwowPowers() {
        Xorwow columns[160];
        for (int i = 0; i < 160; i++) {
            columns[i] = {};
            columns[i].v[i / 32] = 1u << i % 32;
            stepXorwow(columns[i]);
        }
        fill(0, columns);
        for (int k = 1; k < 131; k++) {
            for (Xorwow &c : columns)
                c = times(k - 1, c);
            fill(k, columns);
        }
    }

    GW_UNWATCHED Xorwow times(int k, const Xorwow &s) const {
        Xorwow sum = {};
        for (int g = 0; g < groups; g++) {
            const Xorwow &p = products[k][g][s.v[g / 8] >> 4 * (g % 8) & 15];
            for (int i = 0; i < 8; i++)
                sum.v[i] ^= p.v[i];
        }
        return sum;
    }
};

// jumpXorwow skips n·2^first steps.
__attribute__((noinline)) GW_UNWATCHED inline Xorwow jumpXorwow(const Xorwow &from, unsigned long long n, int first) {
    static const XorwowPowers powers;
    Xorwow s = from;
    for (int k = first; n != 0; n >>= 1, k++)
        if (n & 1)
            s = powers.times(k, s);
    return s;
}

constexpr int xorwowSequence = 67; // a subsequence has 2^67 values
constexpr unsigned xorwowWeyl = 362437;

// seedXorwow spreads a seed over the state's words as Marsaglia's example has them.
__attribute__((noinline)) GW_UNWATCHED inline Xorwow seedXorwow(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, unsigned &d) {
    uint32_t low = 1099087573u * (uint32_t(seed) ^ 0xaad26b49u), high = 2591861531u * (uint32_t(seed >> 32) ^ 0xf7dcefddu);
    Xorwow s = {{123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low}};
    d = 6615241u + high + low + xorwowWeyl * uint32_t(offset);
    if (subsequence != 0)
        s = jumpXorwow(s, subsequence, xorwowSequence);
    if (offset != 0)
        s = jumpXorwow(s, offset, 0);
    return s;
}

// Check mode sees these two, which read and write the kernel's memory.
GW_DEVICE Xorwow loadXorwow(const curandStateXORWOW_t *state) { return {{state->v[0], state->v[1], state->v[2], state->v[3], state->v[4]}}; }
GW_DEVICE void storeXorwow(curandStateXORWOW_t *state, const Xorwow &s) {
    for (int i = 0; i < 5; i++)
        state->v[i] = s.v[i];
}

} // namespace gwrand

GW_DEVICE void skipahead(unsigned long long n, curandStateXORWOW_t *state) {
    gwrand::storeXorwow(state, gwrand::jumpXorwow(gwrand::loadXorwow(state), n, 0));
    state->d += gwrand::xorwowWeyl * uint32_t(n);
}
GW_DEVICE void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state) {
    gwrand::storeXorwow(state, gwrand::jumpXorwow(gwrand::loadXorwow(state), n, gwrand::xorwowSequence));
}
GW_DEVICE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStateXORWOW_t *state) {
    unsigned d;
    gwrand::storeXorwow(state, gwrand::seedXorwow(seed, subsequence, offset, d));
    state->d = d;
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
}

// curand returns 32 random bits.
GW_DEVICE unsigned curand(curandStateXORWOW_t *state) {
    unsigned t = state->v[0] ^ state->v[0] >> 2, last = state->v[4];
    for (int i = 0; i < 4; i++)
        state->v[i] = state->v[i + 1];
    last = last ^ last << 4 ^ t ^ t << 1;
    state->v[4] = last;
    return last + (state->d += gwrand::xorwowWeyl);
}
