    const int threads = {{threads}}, warps = threads / 32, width = {{width}}, turns = {{turns}}, tile = threads * width * turns;
    __shared__ {{Stage}} stage[tile];
    __shared__ int of_warp[warps], ticket;
    __shared__ long long start;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long n = {{n}}, room = {{room}};
    const int tiles = (int)((n + tile - 1) / tile);
    // Either each block takes one tile, in the order in which they begin, or all blocks run at once and take tiles in turn.
    const bool dealt = (int)gridDim.x < tiles;
    if (!dealt) {
        if (threadIdx.x == 0)
            ticket = (int)atomicAdd(state, 1ull);
        __syncthreads();
    }
{{begin}}    // A warp has a part of the tile, of which its threads have adjacent elements in each turn. The first ones of the thread:
    const int own = (warp * turns * 32 + lane) * width;
{{kept}}    int at = dealt ? (int)blockIdx.x : ticket;
    long long coming = (long long)at * tile; // the first element of the tile that is read next
{{next}}    while (true) {
        const long long base = coming;
        const bool whole = base + tile <= n;
        {{Flags}} flags = 0; // which of the thread's elements are chosen
        // How many there are in each turn: a number of 16 bits for each.
        unsigned long long counts = 0;
#pragma unroll
        for (int turn = 0; turn < turns; turn++) {
            const long long j = base + own + turn * 32 * width;
            unsigned flag = 0;
{{now}}#pragma unroll
            for (int k = 0; k < width; k++) {
                if (!whole && j + k >= n)
                    continue;
{{choose}}            }
            flags |= ({{Flags}})flag << width * turn;
            counts |= (unsigned long long)__popc(flag) << 16 * turn;
        }
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
        int first = 0, chosen = 0; // chosen by the warps before, and by all
#pragma unroll
        for (int w = 0; w < warps; w++) {
            first += w < warp ? of_warp[w] : 0;
            chosen += of_warp[w];
        }
        // The tile's word has the number, and above it 1 for the tile alone and 2 for all up to it.
        volatile unsigned long long *const mine = state + 2 + at;
        if (threadIdx.x == 0)
            *mine = (at > 0 ? 1ull : 2ull) << 62 | (unsigned)chosen;
        __syncwarp(); // so that it is not stored later: others may wait for it
#pragma unroll
        for (int turn = 0; turn < turns; turn++) {
            int to = first + (int)(places >> 16 * turn & 0xffff);
#pragma unroll
            for (int k = 0; k < width; k++)
                if (flags >> (width * turn + k) & 1) {
{{element}}                }
        }
        // The next tile is on its way while this one waits for those before.
        const int next = dealt ? at + (int)gridDim.x : tiles;
        coming = (long long)next * tile;
{{next}}        if (warp == 0) {
            // How many the tiles before have: see scans.
            long long behind = 0;
            unsigned done = at == 0;
            for (int before = at - 1 - lane; done == 0; before -= 32) {
                unsigned long long word = 2ull << 62;
                if (before >= 0)
                    do
                        word = *(mine - at + before);
                    while (word >> 62 == 0);
                done = __ballot_sync(0xffffffffu, word >> 62 == 2);
                if (done == 0 || lane < __ffs(done))
                    behind += (long long)(word & (1ull << 62) - 1);
            }
            for (int d = 16; d > 0; d /= 2)
                behind += __shfl_xor_sync(0xffffffffu, behind, d);
            if (lane == 0) {
                if (at > 0)
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
        if (next >= tiles)
            break;
        at = next;
    }
}
