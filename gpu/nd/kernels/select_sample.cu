extern "C" __global__ void __launch_bounds__({{threads}}) select_sample(nd_key *sample, const nd_key *keys, const nd_args a) {
    // One element of each of equal parts, at a place in it that a hash gives, or the largest one of those of a group of parts, which are far from
    // each other, as the largest elements may be adjacent, and at no equal distances. There are 1 << power parts, and a group has some lanes of a warp.
    const long long n = a.v[0], size = a.v[1], each = a.v[2], thread = (long long)blockIdx.x * {{threads}} + threadIdx.x;
    const int power = (int)a.v[3], mode = (int)a.v[4], lanes = (int)a.v[5], lane = (int)(thread % lanes);
    const long long group = thread / lanes;
    nd_key best = 0, raw = 0; // the encoded key, and as it is in memory
    if (group < size) {
#pragma unroll 8
        for (long long k = lane; k < each; k += lanes) {
            const long long part = k * size + (group + k * 2654435769 & size - 1), from = part * n >> power, to = (part + 1) * n >> power;
            unsigned long long hash = (unsigned long long)(part + 1) * 0x9e3779b97f4a7c15ull;
            hash = (hash ^ hash >> 31) * 0x9e3779b97f4a7c15ull;
            const nd_key x = keys[from + (long long)((hash >> 32) * (unsigned long long)(to - from) >> 32)], key = nd_encode(x, mode);
            if (k == lane || key > best) {
                best = key;
                raw = x;
            }
        }
    }
    for (int d = 1; d < lanes; d *= 2) {
        const nd_key x = (nd_key)__shfl_xor_sync(0xffffffffu, (unsigned long long)raw, d), key = nd_encode(x, mode);
        if (key > best) {
            best = key;
            raw = x;
        }
    }
    if (lane == 0 && group < size)
        sample[group] = raw;
}
