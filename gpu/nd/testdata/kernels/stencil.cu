// neighbours

struct nd_args { long long v[22]; };

static __device__ __forceinline__ float nd_f(float x0, float x1, float x2, float x3, float x4, const nd_args &a) {
    const float v0 = x0;
    const float v1 = -v0;
    const float v2 = x1;
    const float v3 = v1 + v2;
    const float v4 = x2;
    const float v5 = v3 + v4;
    const float v6 = x3;
    const float v7 = v5 + v6;
    const float v8 = x4;
    const float v9 = v7 + v8;
    return v9;
}

extern "C" __global__ void __launch_bounds__(256) stencil_add_add_add_add(float *out, const float *p0, const float *p1, const float *p2, const float *p3, const float *p4, const nd_args a) {
    const int n = (int)a.v[0], perRow = (int)a.v[8], j = (int)(blockIdx.x % perRow) * blockDim.x + threadIdx.x;
    int row = (int)(blockIdx.x / perRow) * blockDim.y + threadIdx.y;
    if (j >= n || row >= (int)a.v[7])
        return;
    const int rows = (int)a.v[9], bands = (rows + 3) / 4;
    const int own = row * 4, first = min(own, rows - 4);
    int at = (int)a.v[1] + first * (int)a.v[10], o0 = (int)a.v[2] + first * (int)a.v[12];
    const int g0_0 = o0 - (int)a.v[12] + j;
    const float g0_0_1 = p0[g0_0];
    const int g0_1 = o0 + j;
    const float g0_1_0 = p0[g0_1 - 1];
    const float g0_1_1 = p0[g0_1];
    const float g0_1_2 = p0[g0_1 + 1];
    const int g0_2 = o0 + (int)a.v[12] + j;
    const float g0_2_0 = p0[g0_2 - 1];
    const float g0_2_1 = p0[g0_2];
    const float g0_2_2 = p0[g0_2 + 1];
    const int g0_3 = o0 + 2 * (int)a.v[12] + j;
    const float g0_3_0 = p0[g0_3 - 1];
    const float g0_3_1 = p0[g0_3];
    const float g0_3_2 = p0[g0_3 + 1];
    const int g0_4 = o0 + 3 * (int)a.v[12] + j;
    const float g0_4_0 = p0[g0_4 - 1];
    const float g0_4_1 = p0[g0_4];
    const float g0_4_2 = p0[g0_4 + 1];
    const int g0_5 = o0 + 4 * (int)a.v[12] + j;
    const float g0_5_1 = p0[g0_5];
    const float y0 = nd_f(g0_1_1, g0_2_1, g0_0_1, g0_1_2, g0_1_0, a);
    const float y1 = nd_f(g0_2_1, g0_3_1, g0_1_1, g0_2_2, g0_2_0, a);
    const float y2 = nd_f(g0_3_1, g0_4_1, g0_2_1, g0_3_2, g0_3_0, a);
    const float y3 = nd_f(g0_4_1, g0_5_1, g0_3_1, g0_4_2, g0_4_0, a);
    if (own <= first)
        out[at + j] = y0;
    if (own <= first + 1)
        out[at + (int)a.v[10] + j] = y1;
    if (own <= first + 2)
        out[at + 2 * (int)a.v[10] + j] = y2;
    out[at + 3 * (int)a.v[10] + j] = y3;
}

// neighbours in a cube, between others

struct f16 { unsigned short bits; };
#ifdef GOPHERWARP_SIM
static __device__ __forceinline__ float nd_load(f16 h) { _Float16 n; memcpy(&n, &h, 2); return (float)n; }
static __device__ __forceinline__ f16 nd_store_f16(float x) { _Float16 n = (_Float16)x; f16 h; memcpy(&h, &n, 2); return h; }
#else
static __device__ __forceinline__ float nd_load(f16 h) { float x; asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h.bits)); return x; }
static __device__ __forceinline__ f16 nd_store_f16(float x) { f16 h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h.bits) : "f"(x)); return h; }
#endif
static __device__ __forceinline__ float nd_round_f16(float x) { return nd_load(nd_store_f16(x)); }

struct nd_args { long long v[49]; };

static __device__ __forceinline__ float nd_f(float x0, float x1, float x2, float x3, float x4, float x5, float x6, float x7, float x8, float x9, const nd_args &a) {
    const float v0 = x0;
    const float v1 = -v0;
    const float v2 = x1;
    const float v3 = nd_round_f16(v1 + v2);
    const float v4 = x2;
    const float v5 = nd_round_f16(v3 + v4);
    const float v6 = x3;
    const float v7 = nd_round_f16(v5 + v6);
    const float v8 = x4;
    const float v9 = nd_round_f16(v7 + v8);
    const float v10 = x5;
    const float v11 = nd_round_f16(v9 + v10);
    const float v12 = x6;
    const float v13 = nd_round_f16(v11 + v12);
    const float v14 = x7;
    const float v15 = nd_round_f16(v13 + v14);
    const float v16 = x8;
    const float v17 = nd_round_f16(v15 * v16);
    const float v18 = x9;
    const float v19 = nd_round_f16(v17 - v18);
    return v19;
}

extern "C" __global__ void __launch_bounds__(256) stencil_sub_mul_add_add(f16 *out, const f16 *p0, const f16 *p1, const f16 *p2, const f16 *p3, const f16 *p4, const f16 *p5, const f16 *p6, const f16 *p7, const f16 *p8, const f16 *p9, const nd_args a) {
    const int n = (int)a.v[0], perRow = (int)a.v[13], j = (int)(blockIdx.x % perRow) * blockDim.x + threadIdx.x;
    int row = (int)(blockIdx.x / perRow) * blockDim.y + threadIdx.y;
    if (j >= n || row >= (int)a.v[12])
        return;
    const int rows = (int)a.v[15], bands = (rows + 3) / 4;
    const int own = row % bands * 4, first = min(own, rows - 4);
    int at = (int)a.v[1] + first * (int)a.v[17], o0 = (int)a.v[2] + first * (int)a.v[20], o1 = (int)a.v[3] + first * (int)a.v[23], o2 = (int)a.v[4] + first * (int)a.v[26], o7 = (int)a.v[9] + first * (int)a.v[41], o8 = (int)a.v[10] + first * (int)a.v[44], o9 = (int)a.v[11] + first * (int)a.v[47];
    row /= bands;
    {
        const int r = row;
        at += r * (int)a.v[16];
        o0 += r * (int)a.v[19];
        o1 += r * (int)a.v[22];
        o2 += r * (int)a.v[25];
        o7 += r * (int)a.v[40];
        o8 += r * (int)a.v[43];
        o9 += r * (int)a.v[46];
    }
    const int g0_0 = o0 - (int)a.v[20] + j;
    const float g0_0_1 = nd_load(p0[g0_0]);
    const int g0_1 = o0 + j;
    const float g0_1_0 = nd_load(p0[g0_1 - 1]);
    const float g0_1_1 = nd_load(p0[g0_1]);
    const float g0_1_2 = nd_load(p0[g0_1 + 1]);
    const int g0_2 = o0 + (int)a.v[20] + j;
    const float g0_2_0 = nd_load(p0[g0_2 - 1]);
    const float g0_2_1 = nd_load(p0[g0_2]);
    const float g0_2_2 = nd_load(p0[g0_2 + 1]);
    const int g0_3 = o0 + 2 * (int)a.v[20] + j;
    const float g0_3_0 = nd_load(p0[g0_3 - 1]);
    const float g0_3_1 = nd_load(p0[g0_3]);
    const float g0_3_2 = nd_load(p0[g0_3 + 1]);
    const int g0_4 = o0 + 3 * (int)a.v[20] + j;
    const float g0_4_0 = nd_load(p0[g0_4 - 1]);
    const float g0_4_1 = nd_load(p0[g0_4]);
    const float g0_4_2 = nd_load(p0[g0_4 + 1]);
    const int g0_5 = o0 + 4 * (int)a.v[20] + j;
    const float g0_5_1 = nd_load(p0[g0_5]);
    const f16 y0 = nd_store_f16(nd_f(g0_1_1, nd_load(p1[o1 + j]), nd_load(p2[o2 + j]), g0_2_1, g0_0_1, g0_1_2, g0_1_0, nd_load(p7[o7 + j]), nd_load(p8[o8]), nd_load(p9[o9 + j * (int)a.v[48]]), a));
    const f16 y1 = nd_store_f16(nd_f(g0_2_1, nd_load(p1[o1 + (int)a.v[23] + j]), nd_load(p2[o2 + (int)a.v[26] + j]), g0_3_1, g0_1_1, g0_2_2, g0_2_0, nd_load(p7[o7 + j]), nd_load(p8[o8 + (int)a.v[44]]), nd_load(p9[o9 + (int)a.v[47] + j * (int)a.v[48]]), a));
    const f16 y2 = nd_store_f16(nd_f(g0_3_1, nd_load(p1[o1 + 2 * (int)a.v[23] + j]), nd_load(p2[o2 + 2 * (int)a.v[26] + j]), g0_4_1, g0_2_1, g0_3_2, g0_3_0, nd_load(p7[o7 + j]), nd_load(p8[o8 + 2 * (int)a.v[44]]), nd_load(p9[o9 + 2 * (int)a.v[47] + j * (int)a.v[48]]), a));
    const f16 y3 = nd_store_f16(nd_f(g0_4_1, nd_load(p1[o1 + 3 * (int)a.v[23] + j]), nd_load(p2[o2 + 3 * (int)a.v[26] + j]), g0_5_1, g0_3_1, g0_4_2, g0_4_0, nd_load(p7[o7 + j]), nd_load(p8[o8 + 3 * (int)a.v[44]]), nd_load(p9[o9 + 3 * (int)a.v[47] + j * (int)a.v[48]]), a));
    if (own <= first)
        out[at + j] = y0;
    if (own <= first + 1)
        out[at + (int)a.v[17] + j] = y1;
    if (own <= first + 2)
        out[at + 2 * (int)a.v[17] + j] = y2;
    out[at + 3 * (int)a.v[17] + j] = y3;
}

// converted, by rows and from its end

struct nd_args { long long v[16]; };

static __device__ __forceinline__ float nd_f(short x0, short x1, short x2, const nd_args &a) {
    const short v0 = x0;
    const short v1 = x1;
    const short v2 = (short)((unsigned)v0 + (unsigned)v1);
    const short v3 = x2;
    const short v4 = (short)((unsigned)v2 + (unsigned)v3);
    const float v5 = (float)v4;
    const float v6 = v5;
    return v6;
}

extern "C" __global__ void __launch_bounds__(256) stencil_copy_astype_add_add(float *out, const short *p0, const short *p1, const short *p2, const nd_args a) {
    const int n = (int)a.v[0], perRow = (int)a.v[6], j = (int)(blockIdx.x % perRow) * blockDim.x + threadIdx.x;
    int row = (int)(blockIdx.x / perRow) * blockDim.y + threadIdx.y;
    if (j >= n || row >= (int)a.v[5])
        return;
    const int rows = (int)a.v[7], bands = (rows + 3) / 4;
    const int own = row * 4, first = min(own, rows - 4);
    int at = (int)a.v[1] + first * (int)a.v[8], o0 = (int)a.v[2] + first * (int)a.v[10];
    const int g0_0 = o0 + j;
    const short g0_0_0 = p0[g0_0];
    const short g0_0_1 = p0[g0_0 + 1];
    const short g0_0_8 = p0[g0_0 + 8];
    const int g0_1 = o0 + (int)a.v[10] + j;
    const short g0_1_0 = p0[g0_1];
    const short g0_1_1 = p0[g0_1 + 1];
    const short g0_1_8 = p0[g0_1 + 8];
    const int g0_2 = o0 + 2 * (int)a.v[10] + j;
    const short g0_2_0 = p0[g0_2];
    const short g0_2_1 = p0[g0_2 + 1];
    const short g0_2_8 = p0[g0_2 + 8];
    const int g0_3 = o0 + 3 * (int)a.v[10] + j;
    const short g0_3_0 = p0[g0_3];
    const short g0_3_1 = p0[g0_3 + 1];
    const short g0_3_8 = p0[g0_3 + 8];
    const float y0 = nd_f(g0_0_0, g0_0_1, g0_0_8, a);
    const float y1 = nd_f(g0_1_0, g0_1_1, g0_1_8, a);
    const float y2 = nd_f(g0_2_0, g0_2_1, g0_2_8, a);
    const float y3 = nd_f(g0_3_0, g0_3_1, g0_3_8, a);
    if (own <= first)
        out[at + j * (int)a.v[9]] = y0;
    if (own <= first + 1)
        out[at + (int)a.v[8] + j * (int)a.v[9]] = y1;
    if (own <= first + 2)
        out[at + 2 * (int)a.v[8] + j * (int)a.v[9]] = y2;
    out[at + 3 * (int)a.v[8] + j * (int)a.v[9]] = y3;
}

