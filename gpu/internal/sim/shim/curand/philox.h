// Philox4x32-10 (J. Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011). The seed is the key; the counter's
// upper half is the subsequence, its lower half a quarter of the place in it.
#pragma once

struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned STATE; // how many numbers of output are used
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace gwrand {

GW_DEVICE uint4 philox(uint4 c, uint2 key) {
    for (int round = 0; round < 10; round++) {
        uint64_t a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
        c = {uint32_t(b >> 32) ^ c.y ^ key.x, uint32_t(b), uint32_t(a >> 32) ^ c.w ^ key.y, uint32_t(a)};
        key.x += 0x9e3779b9u; // of the golden ratio
        key.y += 0xbb67ae85u; // of the square root of three
    }
    return c;
}

// add adds to two words of a counter and returns the carry.
GW_DEVICE unsigned add(unsigned &low, unsigned &high, unsigned long long n) {
    unsigned long long before = (unsigned long long)high << 32 | low, sum = before + n;
    low = unsigned(sum), high = unsigned(sum >> 32);
    return sum < n;
}
GW_DEVICE void forward(curandStatePhilox4_32_10_t *state, unsigned long long n) {
    if (add(state->ctr.x, state->ctr.y, n))
        add(state->ctr.z, state->ctr.w, 1);
    state->output = philox(state->ctr, state->key);
}

} // namespace gwrand

GW_DEVICE void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state) {
    unsigned used = state->STATE + unsigned(n & 3);
    state->STATE = used & 3;
    gwrand::forward(state, (n >> 2) + (used >> 2));
}
GW_DEVICE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state) {
    gwrand::add(state->ctr.z, state->ctr.w, n);
    state->output = gwrand::philox(state->ctr, state->key);
}
GW_DEVICE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStatePhilox4_32_10_t *state) {
    state->ctr = {0, 0, unsigned(subsequence), unsigned(subsequence >> 32)};
    state->key = {unsigned(seed), unsigned(seed >> 32)};
    state->STATE = 0;
    state->boxmuller_flag = state->boxmuller_flag_double = 0;
    state->boxmuller_extra = 0;
    state->boxmuller_extra_double = 0;
    skipahead(offset, state);
}

GW_DEVICE unsigned curand(curandStatePhilox4_32_10_t *state) {
    const uint4 now = state->output;
    const unsigned used = state->STATE, value = used == 0 ? now.x : used == 1 ? now.y : used == 2 ? now.z : now.w;
    state->STATE = (used + 1) & 3;
    if (used == 3)
        gwrand::forward(state, 1);
    return value;
}
GW_DEVICE uint4 curand4(curandStatePhilox4_32_10_t *state) {
    const uint4 a = state->output;
    gwrand::forward(state, 1);
    const uint4 b = state->output;
    switch (state->STATE) {
    case 1: return {a.y, a.z, a.w, b.x};
    case 2: return {a.z, a.w, b.x, b.y};
    case 3: return {a.w, b.x, b.y, b.z};
    }
    return a;
}
