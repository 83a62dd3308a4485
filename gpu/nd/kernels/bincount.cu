struct nd_args { long long v[{{words}}]; };
extern "C" __global__ void __launch_bounds__({{threads}}) {{name}}({{number}} *out, const {{T}} *numbers, const {{W}} *weights, const nd_args a) {
    extern __shared__ unsigned long long nd_room[];
    {{share}} *const room = ({{share}} *)nd_room;
    const int bins = (int)a.v[1], copies = (int)a.v[2];
    for (int b = threadIdx.x; b < bins * copies; b += {{threads}})
        room[b] = 0;
    __syncthreads();
    {{share}} *const mine = room + threadIdx.x / 32 % copies * bins;
    // Several elements are read before the first of them is counted: otherwise each would wait for the one before.
    const int batch = {{batch}};
    const long long step = (long long)gridDim.x * {{threads}};
    long long at = (long long)blockIdx.x * {{threads}} + threadIdx.x;
    for (; at < a.v[0] - (batch - 1) * step; at += batch * step) {
        int bin[batch];
        {{share}} each[batch];
#pragma unroll
        for (int k = 0; k < batch; k++) {
            const long long i = at + k * step, x = {{x}};
            bin[k] = x >= 0 && x < bins ? (int)x : -1;
            each[k] = {{one}};
        }
#pragma unroll
        for (int k = 0; k < batch; k++)
            if (bin[k] >= 0)
                atomicAdd(mine + bin[k], each[k]);
    }
    for (; at < a.v[0]; at += step) {
        const long long i = at, x = {{x}};
        if (x >= 0 && x < bins)
            atomicAdd(mine + x, {{one}});
    }
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += {{threads}}) {
        {{share}} sum = 0;
        for (int c = 0; c < copies; c++)
            sum += room[c * bins + b];
        if (sum != 0)
            atomicAdd(out + b, ({{number}})sum);
    }
}
