// A device that computes descriptions has a routine for this, so that it is executed only to be checked: it is short, and not quick.
extern "C" __global__ void __launch_bounds__({{threads}}) top_row(nd_key *values, long long *places, const nd_key *keys, const nd_args a) {
    const int threads = {{threads}}, mode = {{ties}};
    __shared__ unsigned long long count, next;
    __shared__ unsigned char flag_of[threads];
    const long long n = a.v[0], wanted = a.v[1];
    keys += blockIdx.x * n;
    values += blockIdx.x * wanted;
    places += blockIdx.x * wanted;
    // The bits of the key of the last wanted element, and how many keys are above it.
    nd_key limit = 0;
    long long above = 0;
    for (int bit = 8 * sizeof(nd_key) - 1; bit >= 0; bit--) {
        const nd_key with = limit | (nd_key)1 << bit;
        __syncthreads();
        if (threadIdx.x == 0)
            count = 0;
        __syncthreads();
        unsigned long long own = 0;
        for (long long i = threadIdx.x; i < n; i += threads)
            own += nd_encode(keys[i], mode) >= with;
        atomicAdd(&count, own);
        __syncthreads();
        if ((long long)count >= wanted)
            limit = with;
        else
            above = (long long)count;
    }
    // All keys above it, and as many of those that are equal as there are left to take, from the row's end on.
    __syncthreads();
    if (threadIdx.x == 0)
        next = 0;
    __syncthreads();
    long long taken = above;
    for (long long base = (n - 1) / threads * threads; base >= 0; base -= threads) {
        const long long i = base + threadIdx.x;
        const nd_key raw = i < n ? keys[i] : (nd_key)0, key = nd_encode(raw, mode);
        const bool equal = i < n && key == limit;
        long long at = i < n && key > limit ? (long long)atomicAdd(&next, 1ull) : wanted;
        flag_of[threadIdx.x] = equal;
        const int more = __syncthreads_count(equal);
        if (equal && taken < wanted) {
            at = taken;
            for (int t = threadIdx.x + 1; t < threads; t++)
                at += flag_of[t];
        }
        if (at < wanted) {
            values[at] = raw;
            places[at] = i;
        }
        taken += more;
        __syncthreads();
    }
    // Sorted lists are merged two by two: first the elements of one are compared with those of the other from its end on.
    for (long long size = 2; size / 2 < wanted; size *= 2) {
        for (long long step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            for (long long i = threadIdx.x; i < wanted; i += threads) {
                const long long first = i / step * 2 * step, low = first + i % step, high = step == size / 2 ? first + size - 1 - i % step : low + step;
                if (high >= wanted)
                    continue;
                const nd_key x = values[low], y = values[high], kx = nd_encode(x, mode), ky = nd_encode(y, mode);
                const long long p = places[low], q = places[high];
                if (ky > kx || ky == kx && q > p) {
                    values[low] = y;
                    values[high] = x;
                    places[low] = q;
                    places[high] = p;
                }
            }
        }
    }
}
