    const int threads = {{threads}}, warps = threads / 32, width = {{width}}, turns = {{turns}}, tile = threads * width * turns;
    __shared__ {{Stage}} stage[tile];
    __shared__ int of_warp[warps], ticket;
    __shared__ long long start;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        ticket = (int)atomicAdd(state, 1ull);
    __syncthreads();
    const long long n = {{n}}, room = {{room}}, base = (long long)ticket * tile;
{{begin}}    // A warp has a part of the tile, of which its threads have adjacent elements in each turn. The first ones of the thread:
    const int own = (warp * turns * 32 + lane) * width;
{{room of a thread}}    unsigned flags[turns]; // which of them are chosen
    // How many there are in each turn: a number of 16 bits for each.
    unsigned long long counts = 0;
    if (base + tile <= n) {
#pragma unroll
        for (int turn = 0; turn < turns; turn++) {
            const long long j = base + own + turn * 32 * width;
            unsigned flag = 0;
{{load}}#pragma unroll
            for (int k = 0; k < width; k++) {
{{whole}}            }
            flags[turn] = flag;
        }
    } else {
#pragma unroll
        for (int turn = 0; turn < turns; turn++) {
            const long long j = base + own + turn * 32 * width;
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
    // Where the thread's belong among the warp's, for each turn.
    const unsigned long long total = __shfl_sync(0xffffffffu, sums, 31), earlier = (total << 16) + (total << 32) + (total << 48);
    const unsigned long long places = earlier + sums - counts;
    if (lane == 0)
        of_warp[warp] = (int)(earlier + total >> 48);
    __syncthreads();
    int first = 0, chosen = 0; // of the warp, and all
#pragma unroll
    for (int w = 0; w < warps; w++) {
        first += w < warp ? of_warp[w] : 0;
        chosen += of_warp[w];
    }
    // The tile's word has the number, and above it 1 for the tile alone and 2 for all up to it.
    volatile unsigned long long *const mine = state + 2 + ticket;
    if (threadIdx.x == 0)
        *mine = (ticket > 0 ? 1ull : 2ull) << 62 | (unsigned)chosen;
    __syncwarp(); // so that it is not stored later: others may wait for it
#pragma unroll
    for (int turn = 0; turn < turns; turn++) {
        int to = first + (int)(places >> 16 * turn & 0xffff);
#pragma unroll
        for (int k = 0; k < width; k++)
            if (flags[turn] >> k & 1)
                stage[to++] = {{element}};
    }
    if (warp == 0) {
        // How many the tiles before have: see scans.
        long long behind = 0;
        unsigned done = ticket == 0;
        for (int last = ticket - 1 - lane; done == 0; last -= 32) {
            unsigned long long word = 2ull << 62;
            if (last >= 0)
                do
                    word = *(mine - ticket + last);
                while (word >> 62 == 0);
            done = __ballot_sync(0xffffffffu, word >> 62 == 2);
            if (done == 0 || lane < __ffs(done))
                behind += (long long)(word & (1ull << 62) - 1);
        }
        for (int d = 16; d > 0; d /= 2)
            behind += __shfl_xor_sync(0xffffffffu, behind, d);
        if (lane == 0) {
            if (ticket > 0)
                *mine = 2ull << 62 | (unsigned long long)(behind + chosen);
            start = behind;
            if (base + tile >= n)
                state[1] = (unsigned long long)(behind + chosen);
        }
    }
    __syncthreads();
    const int stored = (int)max(min((long long)chosen, room - start), 0ll);
    for (int k = threadIdx.x; k < stored; k += threads)
        out[start + k] = {{result}};
}
