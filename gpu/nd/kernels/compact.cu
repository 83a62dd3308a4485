    const int threads = {{threads}}, warps = threads / 32, width = {{width}}, turns = {{turns}}, tile = threads * width * turns;
    __shared__ {{Stage}} stage[tile];
    __shared__ unsigned long long of_warp[warps];
    __shared__ long long start;
    __shared__ int chosen, ticket;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        ticket = (int)atomicAdd(state, 1ull);
    __syncthreads();
    const long long n = {{n}}, room = {{room}}, base = (long long)ticket * tile;
{{begin}}    // The thread's elements, in each turn adjacent ones, and which of these are chosen.
{{room of a thread}}    unsigned flags[turns];
    // How many there are in each turn: a number of 16 bits for each.
    unsigned long long counts = 0;
    if (base + tile <= n) {
#pragma unroll
        for (int turn = 0; turn < turns; turn++) {
            const long long j = base + (turn * threads + threadIdx.x) * width;
            unsigned flag = 0;
{{load}}#pragma unroll
            for (int k = 0; k < width; k++) {
{{whole}}            }
            flags[turn] = flag;
        }
    } else {
#pragma unroll
        for (int turn = 0; turn < turns; turn++) {
            const long long j = base + (turn * threads + threadIdx.x) * width;
            unsigned flag = 0;
#pragma unroll
            for (int k = 0; k < width; k++) {
                if (j + k >= n)
                    continue;
{{edge}}            }
            flags[turn] = flag;
        }
    }
#pragma unroll
    for (int turn = 0; turn < turns; turn++)
        counts |= (unsigned long long)__popc(flags[turn]) << 16 * turn;
    unsigned long long sums = counts;
    for (int d = 1; d < 32; d *= 2) {
        const unsigned long long other = __shfl_up_sync(0xffffffffu, sums, d);
        if (lane >= d)
            sums += other;
    }
    if (lane == 31)
        of_warp[warp] = sums;
    __syncthreads();
    if (warp == 0) {
        const unsigned long long own = lane < warps ? of_warp[lane] : 0;
        unsigned long long all = own;
        for (int d = 1; d < warps; d *= 2) {
            const unsigned long long other = __shfl_up_sync(0xffffffffu, all, d);
            if (lane >= d)
                all += other;
        }
        const unsigned long long total = __shfl_sync(0xffffffffu, all, warps - 1), before = (total << 16) + (total << 32) + (total << 48);
        if (lane < warps)
            of_warp[lane] = all - own + before;
        const int count = (int)(before + total >> 48);
        // How many the tiles before have: see scans. A word has the number, and above it 1 for the tile alone and 2 for all up to it.
        volatile unsigned long long *const mine = state + 2 + ticket;
        long long behind = 0;
        if (ticket > 0) {
            if (lane == 0)
                *mine = 1ull << 62 | (unsigned)count;
            for (int last = ticket - 1;; last -= 32) {
                unsigned long long word = 2ull << 62;
                if (last >= lane) {
                    volatile unsigned long long *const theirs = mine - (ticket - last + lane);
                    do
                        word = *theirs;
                    while (word >> 62 == 0);
                }
                const unsigned done = __ballot_sync(0xffffffffu, word >> 62 == 2);
                long long part = done != 0 && lane >= __ffs(done) ? 0 : (long long)(word & (1ull << 62) - 1);
                for (int d = 16; d > 0; d /= 2)
                    part += __shfl_xor_sync(0xffffffffu, part, d);
                behind += part;
                if (done != 0)
                    break;
            }
        }
        if (lane == 0) {
            *mine = 2ull << 62 | (unsigned long long)(behind + count);
            start = behind;
            chosen = count;
            if (base + tile >= n)
                state[1] = (unsigned long long)(behind + count);
        }
    }
    __syncthreads();
    const unsigned long long places = of_warp[warp] + sums - counts;
#pragma unroll
    for (int turn = 0; turn < turns; turn++) {
        int to = (int)(places >> 16 * turn & 0xffff);
#pragma unroll
        for (int k = 0; k < width; k++)
            if (flags[turn] >> k & 1)
                stage[to++] = {{element}};
    }
    __syncthreads();
    for (int k = threadIdx.x; k < chosen; k += threads)
        if (start + k < room)
            out[start + k] = {{result}};
}
