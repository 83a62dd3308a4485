extern "C" __global__ void __launch_bounds__({{threads}}) select_rank(nd_key *values, long long *order, const nd_key *kept, const unsigned *places, const unsigned long long *state, const nd_args a) {
    // A block has some elements and compares each with all; its groups of threads share these.
    const int threads = {{threads}}, own = {{own}}, groups = threads / own, tile = {{tile}}, width = 4;
    __shared__ nd_vector<nd_key, width> keys[tile / width];
    __shared__ nd_vector<unsigned, width> at[tile / width];
    __shared__ unsigned sums[groups][own];
    const long long most = a.v[0], room = a.v[1], count = (long long)state[0];
    const int mode = (int)a.v[2], group = threadIdx.x / own, mine = threadIdx.x % own;
    if (count < most || count > room)
        return;
    for (long long first = (long long)blockIdx.x * own; first < count; first += (long long)gridDim.x * own) {
        const long long i = first + mine;
        nd_key raw = 0, key = 0;
        unsigned place = 0, before = 0;
        if (i < count) {
            raw = kept[i];
            key = nd_encode(raw, mode);
            place = places[i];
        }
        for (long long base = 0; base < count; base += tile) {
            __syncthreads();
            for (int k = threadIdx.x; k < tile; k += threads) {
                const bool some = base + k < count; // other keys are before none
                keys[k / width].at[k % width] = some ? nd_encode(kept[base + k], mode) : (nd_key)0;
                at[k / width].at[k % width] = some ? places[base + k] : 0;
            }
            __syncthreads();
#pragma unroll 8
            for (int k = group; k < tile / width; k += groups) {
                const nd_vector<nd_key, width> x = keys[k];
                const nd_vector<unsigned, width> y = at[k];
#pragma unroll
                for (int e = 0; e < width; e++)
                    before += (unsigned)(x.at[e] > key) | (unsigned)(x.at[e] == key) & (unsigned)(y.at[e] > place);
            }
        }
        sums[group][mine] = before;
        __syncthreads();
        if (group == 0 && i < count) {
            before = 0;
            for (int g = 0; g < groups; g++)
                before += sums[g][mine];
            if (before < most) {
                values[before] = raw;
                order[before] = place;
            }
        }
    }
}
