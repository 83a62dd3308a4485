struct nd_args { long long v[{{words}}]; };
{{functions}}// A block has {{tile}} rows of the product. It computes their elements in squares, a part of the depth at a time, of which its threads have 8 by 8
// each, and folds or stores them.
extern "C" __global__ void __launch_bounds__({{threads}}, 2) {{name}}({{R}} *out, const float *x, const float *y{{params}}, const nd_args a) {
    const int depth = {{depth}}, part = {{part}}, tile = {{tile}}, pitch = tile + 4, half = tile / 2;
    __shared__ __align__(16) float xs[part * pitch], ys[part * pitch];
    const long long rows = a.v[0], first = (long long)blockIdx.x * tile;
    const int columns = (int)a.v[1], right = threadIdx.x % 16 * 4, down = threadIdx.x / 16 * 4;
    long long at[8]; // rows
#pragma unroll
    for (int i = 0; i < 8; i++)
        at[i] = min(first + i / 4 * half + down + i % 4, rows - 1);
{{begin}}    for (int begin = 0; begin < columns; begin += tile) {
        float sum[8][8] = {};
#pragma unroll 1
        for (int from = 0; from < depth; from += part) {
            __syncthreads();
            if (begin == 0 || depth > part) {
{{loadX}}            }
{{loadY}}            __syncthreads();
#pragma unroll
            for (int d = 0; d < part; d++) {
                const float4 u[2] = {*(const float4 *)(xs + d * pitch + down), *(const float4 *)(xs + d * pitch + half + down)};
                const float4 v[2] = {*(const float4 *)(ys + d * pitch + right), *(const float4 *)(ys + d * pitch + half + right)};
                const float p[8] = {u[0].x, u[0].y, u[0].z, u[0].w, u[1].x, u[1].y, u[1].z, u[1].w};
                const float q[8] = {v[0].x, v[0].y, v[0].z, v[0].w, v[1].x, v[1].y, v[1].z, v[1].w};
#pragma unroll
                for (int i = 0; i < 8; i++)
#pragma unroll
                    for (int j = 0; j < 8; j++)
                        sum[i][j] = fmaf(p[i], q[j], sum[i][j]);
            }
        }
#pragma unroll
        for (int j = 0; j < 8; j++) {
            const int column = begin + j / 4 * half + right + j % 4;
            if (column >= columns)
                continue;
{{same}}#pragma unroll
            for (int i = 0; i < 8; i++)
                {{element}};
        }
    }
{{end}}}
