struct nd_args { long long v[1]; };
{{declare}}extern "C" __global__ void __launch_bounds__({{threads}}) compact_move({{T}} *out, const bool *mask, const long long *ends, const {{T}} *in, const nd_args a) {
    const int warps = {{threads}} / 32, rounds = {{items}};
    // How many true elements each warp has in each round, and then how many there are before these.
    __shared__ int before[warps * rounds];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long base = (long long)blockIdx.x * ({{threads}} * rounds) + threadIdx.x;
    unsigned votes[rounds];
#pragma unroll
    for (int k = 0; k < rounds; k++) {
        const long long i = base + k * {{threads}};
        votes[k] = __ballot_sync(0xffffffffu, i < a.v[0] && mask[i]);
        if (lane == 0)
            before[k * warps + warp] = __popc(votes[k]);
    }
    __syncthreads();
    if (warp == 0) {
        const int each = warps * rounds / 32;
        int sum = 0;
        for (int k = 0; k < each; k++)
            sum += before[lane * each + k];
        int all = sum;
        for (int d = 1; d < 32; d *= 2) {
            const int other = __shfl_up_sync(0xffffffffu, all, d);
            if (lane >= d)
                all += other;
        }
        int start = all - sum;
        for (int k = 0; k < each; k++) {
            const int mine = before[lane * each + k];
            before[lane * each + k] = start;
            start += mine;
        }
    }
    __syncthreads();
    {{T}} *const to = out + (blockIdx.x > 0 ? ends[blockIdx.x - 1] : 0);
#pragma unroll
    for (int k = 0; k < rounds; k++) {
        const long long i = base + k * {{threads}};
        if (votes[k] >> lane & 1)
            to[before[k * warps + warp] + __popc(votes[k] & ((1u << lane) - 1))] = {{value}};
    }
}
