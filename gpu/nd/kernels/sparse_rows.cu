struct nd_args { long long v[2]; };

extern "C" __global__ void __launch_bounds__({{threads}}, {{blocks}}) {{name}}({{T}} *out, const int *start, const int *column, const {{T}} *value, const {{T}} *x, const nd_args a) {
    const int threads = {{threads}}, lanes = {{lanes}}, turns = {{turns}}, tile = threads * turns, gap = sizeof({{T}}) == 8 ? 4 : 5;
    // The products. After 128 bytes a place is left out, so that threads whose rows begin a power of two apart use different banks.
    __shared__ {{T}} room[tile + (tile >> gap)];
    const int first = (int)a.v[1] * blockIdx.x, rows = min((int)a.v[1], (int)a.v[0] - first);
    const int row = threadIdx.x / lanes, lane = threadIdx.x % lanes;
    int from = 0, to = 0;
    if (row < rows) {
        from = start[first + row];
        to = start[first + row + 1];
    }
    const int end = start[first + rows];
    {{T}} sum = 0;
    for (int at = start[first];;) {
        const int some = min(end - at, tile);
        // All loads are under way before the first product, which is why those behind the last element are made of zeros, not left out.
        const int *const columns = column + at + threadIdx.x;
        const {{T}} *const values = value + at + threadIdx.x;
        int c[turns];
        {{T}} v[turns];
#pragma unroll
        for (int k = 0; k < turns; k++) {
            const bool is = k * threads + threadIdx.x < some;
            c[k] = is ? __ldcs(columns + k * threads) : 0;
            v[k] = is ? __ldcs(values + k * threads) : 0;
        }
#pragma unroll
        for (int k = 0; k < turns; k++)
            v[k] *= __ldg(x + c[k]);
#pragma unroll
        for (int k = 0; k < turns; k++) {
            const int i = k * threads + threadIdx.x;
            room[i + (i >> gap)] = v[k];
        }
        __syncthreads();
        const int last = min(to - at, some);
        for (int i = max(from - at, 0) + lane; i < last; i += lanes)
            sum += room[i + (i >> gap)];
        at += some;
        if (at == end)
            break;
        __syncthreads();
    }
#pragma unroll
    for (int d = lanes / 2; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (row < rows && lane == 0)
        out[first + row] = sum;
}
