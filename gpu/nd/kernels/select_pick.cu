extern "C" __global__ void __launch_bounds__({{threads}}) select_pick(nd_key *out, unsigned long long *found, const unsigned long long *counts, const unsigned long long *before, const unsigned long long *plan, const nd_args a) {
    const int threads = {{threads}}, bins = {{bins}}, each = bins / threads, me = blockIdx.x;
    __shared__ unsigned long long sums[2][threads];
    const int some = (int)a.v[0], shift = (int)a.v[1], high = (int)a.v[2];
    const bool first = high == 8 * sizeof(nd_key);
    const unsigned long long prefix = first ? 0 : before[me], rank = !first ? before[some + me] : a.v[3] != 0 ? plan[2 + me] : a.v[4 + me];
    // The place of the prefix among those of all statistics, each taken once, is where its keys have been counted.
    int slot = 0;
    for (int s = 0; !first && before[s] != prefix; s++) {
        bool fresh = true;
        for (int r = 0; r < s; r++)
            fresh &= before[r] != before[s];
        slot += fresh;
    }
    const unsigned long long *const mine = counts + slot * bins + threadIdx.x * each;
    unsigned long long own = 0;
    for (int k = 0; k < each; k++)
        own += mine[k];
    sums[0][threadIdx.x] = own;
    __syncthreads();
    int from = 0;
    for (int d = 1; d < threads; d *= 2, from = 1 - from) {
        sums[1 - from][threadIdx.x] = sums[from][threadIdx.x] + (threadIdx.x >= d ? sums[from][threadIdx.x - d] : 0);
        __syncthreads();
    }
    const unsigned long long end = sums[from][threadIdx.x];
    unsigned long long start = end - own;
    if (rank < start || rank >= end)
        return;
    int k = 0;
    while (rank - start >= mine[k])
        start += mine[k++];
    const unsigned long long all = prefix << (high - shift) | (unsigned)(threadIdx.x * each + k);
    found[me] = all;
    found[some + me] = rank - start;
    if (shift == 0)
        out[me] = nd_decode((nd_key)all);
}
