extern "C" __global__ void __launch_bounds__({{threads}}) select_sample(nd_key *sample, const nd_key *keys, const nd_args a) {
    // One element of each of equal parts, at a place in it that a hash gives.
    const long long n = a.v[0], size = a.v[1], part = (long long)blockIdx.x * {{threads}} + threadIdx.x;
    if (part >= size)
        return;
    const long long from = part * n / size, to = (part + 1) * n / size;
    unsigned long long hash = (unsigned long long)(part + 1) * 0x9e3779b97f4a7c15ull;
    hash = (hash ^ hash >> 31) * 0x9e3779b97f4a7c15ull;
    sample[part] = keys[from + (long long)((hash >> 32) * (unsigned long long)(to - from) >> 32)];
}
