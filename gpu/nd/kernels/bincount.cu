struct nd_args { long long v[{{words}}]; };
extern "C" __global__ void __launch_bounds__({{threads}}) {{name}}({{number}} *out, const {{T}} *numbers, const {{W}} *weights, const nd_args a) {
    extern __shared__ unsigned long long nd_room[];
    {{share}} *const room = ({{share}} *)nd_room;
    const int bins = (int)a.v[1], copies = (int)a.v[2];
    for (int b = threadIdx.x; b < bins * copies; b += {{threads}})
        room[b] = 0;
    __syncthreads();
    {{share}} *const mine = room + threadIdx.x / 32 % copies * bins;
#pragma unroll 4
    for (long long i = (long long)blockIdx.x * {{threads}} + threadIdx.x; i < a.v[0]; i += (long long)gridDim.x * {{threads}}) {
        const long long x = {{x}};
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
