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

// filter

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[108]; };

static __device__ __forceinline__ float nd_f(float x0, float x1, float x2, float x3, float x4, float x5, float x6, float x7, float x8, float x9, float x10, float x11, float x12, float x13, float x14, float x15, float x16, float x17, float x18, float x19, float x20, float x21, float x22, float x23, float x24, const nd_args &a) {
    const float v0 = __int_as_float((int)a.v[82]);
    const float v1 = x0;
    const float v2 = __int_as_float((int)a.v[83]);
    const float v3 = v1 * v2;
    const float v4 = v0 + v3;
    const float v5 = x1;
    const float v6 = __int_as_float((int)a.v[84]);
    const float v7 = v5 * v6;
    const float v8 = v4 + v7;
    const float v9 = x2;
    const float v10 = __int_as_float((int)a.v[85]);
    const float v11 = v9 * v10;
    const float v12 = v8 + v11;
    const float v13 = x3;
    const float v14 = __int_as_float((int)a.v[86]);
    const float v15 = v13 * v14;
    const float v16 = v12 + v15;
    const float v17 = x4;
    const float v18 = __int_as_float((int)a.v[87]);
    const float v19 = v17 * v18;
    const float v20 = v16 + v19;
    const float v21 = x5;
    const float v22 = __int_as_float((int)a.v[88]);
    const float v23 = v21 * v22;
    const float v24 = v20 + v23;
    const float v25 = x6;
    const float v26 = __int_as_float((int)a.v[89]);
    const float v27 = v25 * v26;
    const float v28 = v24 + v27;
    const float v29 = x7;
    const float v30 = __int_as_float((int)a.v[90]);
    const float v31 = v29 * v30;
    const float v32 = v28 + v31;
    const float v33 = x8;
    const float v34 = __int_as_float((int)a.v[91]);
    const float v35 = v33 * v34;
    const float v36 = v32 + v35;
    const float v37 = x9;
    const float v38 = __int_as_float((int)a.v[92]);
    const float v39 = v37 * v38;
    const float v40 = v36 + v39;
    const float v41 = x10;
    const float v42 = __int_as_float((int)a.v[93]);
    const float v43 = v41 * v42;
    const float v44 = v40 + v43;
    const float v45 = x11;
    const float v46 = __int_as_float((int)a.v[94]);
    const float v47 = v45 * v46;
    const float v48 = v44 + v47;
    const float v49 = x12;
    const float v50 = __int_as_float((int)a.v[95]);
    const float v51 = v49 * v50;
    const float v52 = v48 + v51;
    const float v53 = x13;
    const float v54 = __int_as_float((int)a.v[96]);
    const float v55 = v53 * v54;
    const float v56 = v52 + v55;
    const float v57 = x14;
    const float v58 = __int_as_float((int)a.v[97]);
    const float v59 = v57 * v58;
    const float v60 = v56 + v59;
    const float v61 = x15;
    const float v62 = __int_as_float((int)a.v[98]);
    const float v63 = v61 * v62;
    const float v64 = v60 + v63;
    const float v65 = x16;
    const float v66 = __int_as_float((int)a.v[99]);
    const float v67 = v65 * v66;
    const float v68 = v64 + v67;
    const float v69 = x17;
    const float v70 = __int_as_float((int)a.v[100]);
    const float v71 = v69 * v70;
    const float v72 = v68 + v71;
    const float v73 = x18;
    const float v74 = __int_as_float((int)a.v[101]);
    const float v75 = v73 * v74;
    const float v76 = v72 + v75;
    const float v77 = x19;
    const float v78 = __int_as_float((int)a.v[102]);
    const float v79 = v77 * v78;
    const float v80 = v76 + v79;
    const float v81 = x20;
    const float v82 = __int_as_float((int)a.v[103]);
    const float v83 = v81 * v82;
    const float v84 = v80 + v83;
    const float v85 = x21;
    const float v86 = __int_as_float((int)a.v[104]);
    const float v87 = v85 * v86;
    const float v88 = v84 + v87;
    const float v89 = x22;
    const float v90 = __int_as_float((int)a.v[105]);
    const float v91 = v89 * v90;
    const float v92 = v88 + v91;
    const float v93 = x23;
    const float v94 = __int_as_float((int)a.v[106]);
    const float v95 = v93 * v94;
    const float v96 = v92 + v95;
    const float v97 = x24;
    const float v98 = __int_as_float((int)a.v[107]);
    const float v99 = v97 * v98;
    const float v100 = v96 + v99;
    return v100;
}

extern "C" __global__ void __launch_bounds__(256) stencil_add_mul_add_mul(float *out, const float *p0, const float *p1, const float *p2, const float *p3, const float *p4, const float *p5, const float *p6, const float *p7, const float *p8, const float *p9, const float *p10, const float *p11, const float *p12, const float *p13, const float *p14, const float *p15, const float *p16, const float *p17, const float *p18, const float *p19, const float *p20, const float *p21, const float *p22, const float *p23, const float *p24, const nd_args a) {
    const int n = (int)a.v[0], perRow = (int)a.v[28], block = (int)(blockIdx.x % perRow) * blockDim.x + threadIdx.x, j = block * 4;
    int row = (int)(blockIdx.x / perRow) * blockDim.y + threadIdx.y;
    if (j >= n || row >= (int)a.v[27])
        return;
    const int rows = (int)a.v[29], bands = (rows + 3) / 4;
    const int own = row * 4, first = min(own, rows - 4);
    int at = (int)a.v[1] + first * (int)a.v[30], o0 = (int)a.v[2] + first * (int)a.v[32];
    const int g0_0 = o0 + j;
    const nd_vector<float, 4> q0_0 = *(const nd_vector<float, 4> *)&p0[g0_0];
    const float g0_0_0 = q0_0.at[0];
    const float g0_0_1 = q0_0.at[1];
    const float g0_0_2 = q0_0.at[2];
    const float g0_0_3 = q0_0.at[3];
    const nd_vector<float, 4> q0_1 = *(const nd_vector<float, 4> *)&p0[g0_0 + 4];
    const float g0_0_4 = q0_1.at[0];
    const float g0_0_5 = q0_1.at[1];
    const float g0_0_6 = q0_1.at[2];
    const float g0_0_7 = q0_1.at[3];
    const int g0_1 = o0 + (int)a.v[32] + j;
    const nd_vector<float, 4> q0_2 = *(const nd_vector<float, 4> *)&p0[g0_1];
    const float g0_1_0 = q0_2.at[0];
    const float g0_1_1 = q0_2.at[1];
    const float g0_1_2 = q0_2.at[2];
    const float g0_1_3 = q0_2.at[3];
    const nd_vector<float, 4> q0_3 = *(const nd_vector<float, 4> *)&p0[g0_1 + 4];
    const float g0_1_4 = q0_3.at[0];
    const float g0_1_5 = q0_3.at[1];
    const float g0_1_6 = q0_3.at[2];
    const float g0_1_7 = q0_3.at[3];
    const int g0_2 = o0 + 2 * (int)a.v[32] + j;
    const nd_vector<float, 4> q0_4 = *(const nd_vector<float, 4> *)&p0[g0_2];
    const float g0_2_0 = q0_4.at[0];
    const float g0_2_1 = q0_4.at[1];
    const float g0_2_2 = q0_4.at[2];
    const float g0_2_3 = q0_4.at[3];
    const nd_vector<float, 4> q0_5 = *(const nd_vector<float, 4> *)&p0[g0_2 + 4];
    const float g0_2_4 = q0_5.at[0];
    const float g0_2_5 = q0_5.at[1];
    const float g0_2_6 = q0_5.at[2];
    const float g0_2_7 = q0_5.at[3];
    const int g0_3 = o0 + 3 * (int)a.v[32] + j;
    const nd_vector<float, 4> q0_6 = *(const nd_vector<float, 4> *)&p0[g0_3];
    const float g0_3_0 = q0_6.at[0];
    const float g0_3_1 = q0_6.at[1];
    const float g0_3_2 = q0_6.at[2];
    const float g0_3_3 = q0_6.at[3];
    const nd_vector<float, 4> q0_7 = *(const nd_vector<float, 4> *)&p0[g0_3 + 4];
    const float g0_3_4 = q0_7.at[0];
    const float g0_3_5 = q0_7.at[1];
    const float g0_3_6 = q0_7.at[2];
    const float g0_3_7 = q0_7.at[3];
    const int g0_4 = o0 + 4 * (int)a.v[32] + j;
    const nd_vector<float, 4> q0_8 = *(const nd_vector<float, 4> *)&p0[g0_4];
    const float g0_4_0 = q0_8.at[0];
    const float g0_4_1 = q0_8.at[1];
    const float g0_4_2 = q0_8.at[2];
    const float g0_4_3 = q0_8.at[3];
    const nd_vector<float, 4> q0_9 = *(const nd_vector<float, 4> *)&p0[g0_4 + 4];
    const float g0_4_4 = q0_9.at[0];
    const float g0_4_5 = q0_9.at[1];
    const float g0_4_6 = q0_9.at[2];
    const float g0_4_7 = q0_9.at[3];
    const int g0_5 = o0 + 5 * (int)a.v[32] + j;
    const nd_vector<float, 4> q0_10 = *(const nd_vector<float, 4> *)&p0[g0_5];
    const float g0_5_0 = q0_10.at[0];
    const float g0_5_1 = q0_10.at[1];
    const float g0_5_2 = q0_10.at[2];
    const float g0_5_3 = q0_10.at[3];
    const nd_vector<float, 4> q0_11 = *(const nd_vector<float, 4> *)&p0[g0_5 + 4];
    const float g0_5_4 = q0_11.at[0];
    const float g0_5_5 = q0_11.at[1];
    const float g0_5_6 = q0_11.at[2];
    const float g0_5_7 = q0_11.at[3];
    const int g0_6 = o0 + 6 * (int)a.v[32] + j;
    const nd_vector<float, 4> q0_12 = *(const nd_vector<float, 4> *)&p0[g0_6];
    const float g0_6_0 = q0_12.at[0];
    const float g0_6_1 = q0_12.at[1];
    const float g0_6_2 = q0_12.at[2];
    const float g0_6_3 = q0_12.at[3];
    const nd_vector<float, 4> q0_13 = *(const nd_vector<float, 4> *)&p0[g0_6 + 4];
    const float g0_6_4 = q0_13.at[0];
    const float g0_6_5 = q0_13.at[1];
    const float g0_6_6 = q0_13.at[2];
    const float g0_6_7 = q0_13.at[3];
    const int g0_7 = o0 + 7 * (int)a.v[32] + j;
    const nd_vector<float, 4> q0_14 = *(const nd_vector<float, 4> *)&p0[g0_7];
    const float g0_7_0 = q0_14.at[0];
    const float g0_7_1 = q0_14.at[1];
    const float g0_7_2 = q0_14.at[2];
    const float g0_7_3 = q0_14.at[3];
    const nd_vector<float, 4> q0_15 = *(const nd_vector<float, 4> *)&p0[g0_7 + 4];
    const float g0_7_4 = q0_15.at[0];
    const float g0_7_5 = q0_15.at[1];
    const float g0_7_6 = q0_15.at[2];
    const float g0_7_7 = q0_15.at[3];
    const float y0_0 = nd_f(g0_0_0, g0_0_1, g0_0_2, g0_0_3, g0_0_4, g0_1_0, g0_1_1, g0_1_2, g0_1_3, g0_1_4, g0_2_0, g0_2_1, g0_2_2, g0_2_3, g0_2_4, g0_3_0, g0_3_1, g0_3_2, g0_3_3, g0_3_4, g0_4_0, g0_4_1, g0_4_2, g0_4_3, g0_4_4, a);
    const float y0_1 = nd_f(g0_0_1, g0_0_2, g0_0_3, g0_0_4, g0_0_5, g0_1_1, g0_1_2, g0_1_3, g0_1_4, g0_1_5, g0_2_1, g0_2_2, g0_2_3, g0_2_4, g0_2_5, g0_3_1, g0_3_2, g0_3_3, g0_3_4, g0_3_5, g0_4_1, g0_4_2, g0_4_3, g0_4_4, g0_4_5, a);
    const float y0_2 = nd_f(g0_0_2, g0_0_3, g0_0_4, g0_0_5, g0_0_6, g0_1_2, g0_1_3, g0_1_4, g0_1_5, g0_1_6, g0_2_2, g0_2_3, g0_2_4, g0_2_5, g0_2_6, g0_3_2, g0_3_3, g0_3_4, g0_3_5, g0_3_6, g0_4_2, g0_4_3, g0_4_4, g0_4_5, g0_4_6, a);
    const float y0_3 = nd_f(g0_0_3, g0_0_4, g0_0_5, g0_0_6, g0_0_7, g0_1_3, g0_1_4, g0_1_5, g0_1_6, g0_1_7, g0_2_3, g0_2_4, g0_2_5, g0_2_6, g0_2_7, g0_3_3, g0_3_4, g0_3_5, g0_3_6, g0_3_7, g0_4_3, g0_4_4, g0_4_5, g0_4_6, g0_4_7, a);
    const float y1_0 = nd_f(g0_1_0, g0_1_1, g0_1_2, g0_1_3, g0_1_4, g0_2_0, g0_2_1, g0_2_2, g0_2_3, g0_2_4, g0_3_0, g0_3_1, g0_3_2, g0_3_3, g0_3_4, g0_4_0, g0_4_1, g0_4_2, g0_4_3, g0_4_4, g0_5_0, g0_5_1, g0_5_2, g0_5_3, g0_5_4, a);
    const float y1_1 = nd_f(g0_1_1, g0_1_2, g0_1_3, g0_1_4, g0_1_5, g0_2_1, g0_2_2, g0_2_3, g0_2_4, g0_2_5, g0_3_1, g0_3_2, g0_3_3, g0_3_4, g0_3_5, g0_4_1, g0_4_2, g0_4_3, g0_4_4, g0_4_5, g0_5_1, g0_5_2, g0_5_3, g0_5_4, g0_5_5, a);
    const float y1_2 = nd_f(g0_1_2, g0_1_3, g0_1_4, g0_1_5, g0_1_6, g0_2_2, g0_2_3, g0_2_4, g0_2_5, g0_2_6, g0_3_2, g0_3_3, g0_3_4, g0_3_5, g0_3_6, g0_4_2, g0_4_3, g0_4_4, g0_4_5, g0_4_6, g0_5_2, g0_5_3, g0_5_4, g0_5_5, g0_5_6, a);
    const float y1_3 = nd_f(g0_1_3, g0_1_4, g0_1_5, g0_1_6, g0_1_7, g0_2_3, g0_2_4, g0_2_5, g0_2_6, g0_2_7, g0_3_3, g0_3_4, g0_3_5, g0_3_6, g0_3_7, g0_4_3, g0_4_4, g0_4_5, g0_4_6, g0_4_7, g0_5_3, g0_5_4, g0_5_5, g0_5_6, g0_5_7, a);
    const float y2_0 = nd_f(g0_2_0, g0_2_1, g0_2_2, g0_2_3, g0_2_4, g0_3_0, g0_3_1, g0_3_2, g0_3_3, g0_3_4, g0_4_0, g0_4_1, g0_4_2, g0_4_3, g0_4_4, g0_5_0, g0_5_1, g0_5_2, g0_5_3, g0_5_4, g0_6_0, g0_6_1, g0_6_2, g0_6_3, g0_6_4, a);
    const float y2_1 = nd_f(g0_2_1, g0_2_2, g0_2_3, g0_2_4, g0_2_5, g0_3_1, g0_3_2, g0_3_3, g0_3_4, g0_3_5, g0_4_1, g0_4_2, g0_4_3, g0_4_4, g0_4_5, g0_5_1, g0_5_2, g0_5_3, g0_5_4, g0_5_5, g0_6_1, g0_6_2, g0_6_3, g0_6_4, g0_6_5, a);
    const float y2_2 = nd_f(g0_2_2, g0_2_3, g0_2_4, g0_2_5, g0_2_6, g0_3_2, g0_3_3, g0_3_4, g0_3_5, g0_3_6, g0_4_2, g0_4_3, g0_4_4, g0_4_5, g0_4_6, g0_5_2, g0_5_3, g0_5_4, g0_5_5, g0_5_6, g0_6_2, g0_6_3, g0_6_4, g0_6_5, g0_6_6, a);
    const float y2_3 = nd_f(g0_2_3, g0_2_4, g0_2_5, g0_2_6, g0_2_7, g0_3_3, g0_3_4, g0_3_5, g0_3_6, g0_3_7, g0_4_3, g0_4_4, g0_4_5, g0_4_6, g0_4_7, g0_5_3, g0_5_4, g0_5_5, g0_5_6, g0_5_7, g0_6_3, g0_6_4, g0_6_5, g0_6_6, g0_6_7, a);
    const float y3_0 = nd_f(g0_3_0, g0_3_1, g0_3_2, g0_3_3, g0_3_4, g0_4_0, g0_4_1, g0_4_2, g0_4_3, g0_4_4, g0_5_0, g0_5_1, g0_5_2, g0_5_3, g0_5_4, g0_6_0, g0_6_1, g0_6_2, g0_6_3, g0_6_4, g0_7_0, g0_7_1, g0_7_2, g0_7_3, g0_7_4, a);
    const float y3_1 = nd_f(g0_3_1, g0_3_2, g0_3_3, g0_3_4, g0_3_5, g0_4_1, g0_4_2, g0_4_3, g0_4_4, g0_4_5, g0_5_1, g0_5_2, g0_5_3, g0_5_4, g0_5_5, g0_6_1, g0_6_2, g0_6_3, g0_6_4, g0_6_5, g0_7_1, g0_7_2, g0_7_3, g0_7_4, g0_7_5, a);
    const float y3_2 = nd_f(g0_3_2, g0_3_3, g0_3_4, g0_3_5, g0_3_6, g0_4_2, g0_4_3, g0_4_4, g0_4_5, g0_4_6, g0_5_2, g0_5_3, g0_5_4, g0_5_5, g0_5_6, g0_6_2, g0_6_3, g0_6_4, g0_6_5, g0_6_6, g0_7_2, g0_7_3, g0_7_4, g0_7_5, g0_7_6, a);
    const float y3_3 = nd_f(g0_3_3, g0_3_4, g0_3_5, g0_3_6, g0_3_7, g0_4_3, g0_4_4, g0_4_5, g0_4_6, g0_4_7, g0_5_3, g0_5_4, g0_5_5, g0_5_6, g0_5_7, g0_6_3, g0_6_4, g0_6_5, g0_6_6, g0_6_7, g0_7_3, g0_7_4, g0_7_5, g0_7_6, g0_7_7, a);
    if (own <= first)
        *(nd_vector<float, 4> *)&out[at + j] = nd_vector<float, 4>{{y0_0, y0_1, y0_2, y0_3}};
    if (own <= first + 1)
        *(nd_vector<float, 4> *)&out[at + (int)a.v[30] + j] = nd_vector<float, 4>{{y1_0, y1_1, y1_2, y1_3}};
    if (own <= first + 2)
        *(nd_vector<float, 4> *)&out[at + 2 * (int)a.v[30] + j] = nd_vector<float, 4>{{y2_0, y2_1, y2_2, y2_3}};
    *(nd_vector<float, 4> *)&out[at + 3 * (int)a.v[30] + j] = nd_vector<float, 4>{{y3_0, y3_1, y3_2, y3_3}};
}

// filter into the inside, of which a row ends with parts of vectors

struct f16 { unsigned short bits; };
#ifdef GOPHERWARP_SIM
static __device__ __forceinline__ float nd_load(f16 h) { _Float16 n; memcpy(&n, &h, 2); return (float)n; }
static __device__ __forceinline__ f16 nd_store_f16(float x) { _Float16 n = (_Float16)x; f16 h; memcpy(&h, &n, 2); return h; }
#else
static __device__ __forceinline__ float nd_load(f16 h) { float x; asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h.bits)); return x; }
static __device__ __forceinline__ f16 nd_store_f16(float x) { f16 h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h.bits) : "f"(x)); return h; }
#endif
static __device__ __forceinline__ float nd_round_f16(float x) { return nd_load(nd_store_f16(x)); }

template <class T, int N> struct alignas(sizeof(T) * N) nd_vector { T at[N]; };

struct nd_args { long long v[108]; };

static __device__ __forceinline__ float nd_f(float x0, float x1, float x2, float x3, float x4, float x5, float x6, float x7, float x8, float x9, float x10, float x11, float x12, float x13, float x14, float x15, float x16, float x17, float x18, float x19, float x20, float x21, float x22, float x23, float x24, const nd_args &a) {
    const float v0 = __int_as_float((int)a.v[82]);
    const float v1 = x0;
    const float v2 = __int_as_float((int)a.v[83]);
    const float v3 = nd_round_f16(v1 * v2);
    const float v4 = nd_round_f16(v0 + v3);
    const float v5 = x1;
    const float v6 = __int_as_float((int)a.v[84]);
    const float v7 = nd_round_f16(v5 * v6);
    const float v8 = nd_round_f16(v4 + v7);
    const float v9 = x2;
    const float v10 = __int_as_float((int)a.v[85]);
    const float v11 = nd_round_f16(v9 * v10);
    const float v12 = nd_round_f16(v8 + v11);
    const float v13 = x3;
    const float v14 = __int_as_float((int)a.v[86]);
    const float v15 = nd_round_f16(v13 * v14);
    const float v16 = nd_round_f16(v12 + v15);
    const float v17 = x4;
    const float v18 = __int_as_float((int)a.v[87]);
    const float v19 = nd_round_f16(v17 * v18);
    const float v20 = nd_round_f16(v16 + v19);
    const float v21 = x5;
    const float v22 = __int_as_float((int)a.v[88]);
    const float v23 = nd_round_f16(v21 * v22);
    const float v24 = nd_round_f16(v20 + v23);
    const float v25 = x6;
    const float v26 = __int_as_float((int)a.v[89]);
    const float v27 = nd_round_f16(v25 * v26);
    const float v28 = nd_round_f16(v24 + v27);
    const float v29 = x7;
    const float v30 = __int_as_float((int)a.v[90]);
    const float v31 = nd_round_f16(v29 * v30);
    const float v32 = nd_round_f16(v28 + v31);
    const float v33 = x8;
    const float v34 = __int_as_float((int)a.v[91]);
    const float v35 = nd_round_f16(v33 * v34);
    const float v36 = nd_round_f16(v32 + v35);
    const float v37 = x9;
    const float v38 = __int_as_float((int)a.v[92]);
    const float v39 = nd_round_f16(v37 * v38);
    const float v40 = nd_round_f16(v36 + v39);
    const float v41 = x10;
    const float v42 = __int_as_float((int)a.v[93]);
    const float v43 = nd_round_f16(v41 * v42);
    const float v44 = nd_round_f16(v40 + v43);
    const float v45 = x11;
    const float v46 = __int_as_float((int)a.v[94]);
    const float v47 = nd_round_f16(v45 * v46);
    const float v48 = nd_round_f16(v44 + v47);
    const float v49 = x12;
    const float v50 = __int_as_float((int)a.v[95]);
    const float v51 = nd_round_f16(v49 * v50);
    const float v52 = nd_round_f16(v48 + v51);
    const float v53 = x13;
    const float v54 = __int_as_float((int)a.v[96]);
    const float v55 = nd_round_f16(v53 * v54);
    const float v56 = nd_round_f16(v52 + v55);
    const float v57 = x14;
    const float v58 = __int_as_float((int)a.v[97]);
    const float v59 = nd_round_f16(v57 * v58);
    const float v60 = nd_round_f16(v56 + v59);
    const float v61 = x15;
    const float v62 = __int_as_float((int)a.v[98]);
    const float v63 = nd_round_f16(v61 * v62);
    const float v64 = nd_round_f16(v60 + v63);
    const float v65 = x16;
    const float v66 = __int_as_float((int)a.v[99]);
    const float v67 = nd_round_f16(v65 * v66);
    const float v68 = nd_round_f16(v64 + v67);
    const float v69 = x17;
    const float v70 = __int_as_float((int)a.v[100]);
    const float v71 = nd_round_f16(v69 * v70);
    const float v72 = nd_round_f16(v68 + v71);
    const float v73 = x18;
    const float v74 = __int_as_float((int)a.v[101]);
    const float v75 = nd_round_f16(v73 * v74);
    const float v76 = nd_round_f16(v72 + v75);
    const float v77 = x19;
    const float v78 = __int_as_float((int)a.v[102]);
    const float v79 = nd_round_f16(v77 * v78);
    const float v80 = nd_round_f16(v76 + v79);
    const float v81 = x20;
    const float v82 = __int_as_float((int)a.v[103]);
    const float v83 = nd_round_f16(v81 * v82);
    const float v84 = nd_round_f16(v80 + v83);
    const float v85 = x21;
    const float v86 = __int_as_float((int)a.v[104]);
    const float v87 = nd_round_f16(v85 * v86);
    const float v88 = nd_round_f16(v84 + v87);
    const float v89 = x22;
    const float v90 = __int_as_float((int)a.v[105]);
    const float v91 = nd_round_f16(v89 * v90);
    const float v92 = nd_round_f16(v88 + v91);
    const float v93 = x23;
    const float v94 = __int_as_float((int)a.v[106]);
    const float v95 = nd_round_f16(v93 * v94);
    const float v96 = nd_round_f16(v92 + v95);
    const float v97 = x24;
    const float v98 = __int_as_float((int)a.v[107]);
    const float v99 = nd_round_f16(v97 * v98);
    const float v100 = nd_round_f16(v96 + v99);
    const float v101 = v100;
    return v101;
}

extern "C" __global__ void __launch_bounds__(256) stencil_copy_add_mul_add(f16 *out, const f16 *p0, const f16 *p1, const f16 *p2, const f16 *p3, const f16 *p4, const f16 *p5, const f16 *p6, const f16 *p7, const f16 *p8, const f16 *p9, const f16 *p10, const f16 *p11, const f16 *p12, const f16 *p13, const f16 *p14, const f16 *p15, const f16 *p16, const f16 *p17, const f16 *p18, const f16 *p19, const f16 *p20, const f16 *p21, const f16 *p22, const f16 *p23, const f16 *p24, const nd_args a) {
    const int n = (int)a.v[0], perRow = (int)a.v[28], block = (int)(blockIdx.x % perRow) * blockDim.x + threadIdx.x, j = block * 4 - 2;
    int row = (int)(blockIdx.x / perRow) * blockDim.y + threadIdx.y;
    if (j >= n || row >= (int)a.v[27])
        return;
    const int rows = (int)a.v[29], bands = (rows + 3) / 4;
    const int own = row * 4, first = min(own, rows - 4);
    int at = (int)a.v[1] + first * (int)a.v[30], o0 = (int)a.v[2] + first * (int)a.v[32];
    const int g0_0 = o0;
    const int j0 = max(j, (int)0);
    const float g0_0_0 = nd_load(p0[g0_0 + j0]);
    const nd_vector<f16, 4> q0_1 = *(const nd_vector<f16, 4> *)&p0[g0_0 + j + 1];
    const float g0_0_1 = nd_load(q0_1.at[0]);
    const float g0_0_2 = nd_load(q0_1.at[1]);
    const float g0_0_3 = nd_load(q0_1.at[2]);
    const float g0_0_4 = nd_load(q0_1.at[3]);
    const int j1 = min(block + 2, (n + 8) / 4) * 4 - 5;
    const nd_vector<f16, 4> q0_2 = *(const nd_vector<f16, 4> *)&p0[g0_0 + j1];
    const float g0_0_5 = nd_load(q0_2.at[0]);
    const float g0_0_6 = nd_load(q0_2.at[1]);
    const float g0_0_7 = nd_load(q0_2.at[2]);
    const int g0_1 = o0 + (int)a.v[32];
    const float g0_1_0 = nd_load(p0[g0_1 + j0]);
    const nd_vector<f16, 4> q0_4 = *(const nd_vector<f16, 4> *)&p0[g0_1 + j + 1];
    const float g0_1_1 = nd_load(q0_4.at[0]);
    const float g0_1_2 = nd_load(q0_4.at[1]);
    const float g0_1_3 = nd_load(q0_4.at[2]);
    const float g0_1_4 = nd_load(q0_4.at[3]);
    const nd_vector<f16, 4> q0_5 = *(const nd_vector<f16, 4> *)&p0[g0_1 + j1];
    const float g0_1_5 = nd_load(q0_5.at[0]);
    const float g0_1_6 = nd_load(q0_5.at[1]);
    const float g0_1_7 = nd_load(q0_5.at[2]);
    const int g0_2 = o0 + 2 * (int)a.v[32];
    const float g0_2_0 = nd_load(p0[g0_2 + j0]);
    const nd_vector<f16, 4> q0_7 = *(const nd_vector<f16, 4> *)&p0[g0_2 + j + 1];
    const float g0_2_1 = nd_load(q0_7.at[0]);
    const float g0_2_2 = nd_load(q0_7.at[1]);
    const float g0_2_3 = nd_load(q0_7.at[2]);
    const float g0_2_4 = nd_load(q0_7.at[3]);
    const nd_vector<f16, 4> q0_8 = *(const nd_vector<f16, 4> *)&p0[g0_2 + j1];
    const float g0_2_5 = nd_load(q0_8.at[0]);
    const float g0_2_6 = nd_load(q0_8.at[1]);
    const float g0_2_7 = nd_load(q0_8.at[2]);
    const int g0_3 = o0 + 3 * (int)a.v[32];
    const float g0_3_0 = nd_load(p0[g0_3 + j0]);
    const nd_vector<f16, 4> q0_10 = *(const nd_vector<f16, 4> *)&p0[g0_3 + j + 1];
    const float g0_3_1 = nd_load(q0_10.at[0]);
    const float g0_3_2 = nd_load(q0_10.at[1]);
    const float g0_3_3 = nd_load(q0_10.at[2]);
    const float g0_3_4 = nd_load(q0_10.at[3]);
    const nd_vector<f16, 4> q0_11 = *(const nd_vector<f16, 4> *)&p0[g0_3 + j1];
    const float g0_3_5 = nd_load(q0_11.at[0]);
    const float g0_3_6 = nd_load(q0_11.at[1]);
    const float g0_3_7 = nd_load(q0_11.at[2]);
    const int g0_4 = o0 + 4 * (int)a.v[32];
    const float g0_4_0 = nd_load(p0[g0_4 + j0]);
    const nd_vector<f16, 4> q0_13 = *(const nd_vector<f16, 4> *)&p0[g0_4 + j + 1];
    const float g0_4_1 = nd_load(q0_13.at[0]);
    const float g0_4_2 = nd_load(q0_13.at[1]);
    const float g0_4_3 = nd_load(q0_13.at[2]);
    const float g0_4_4 = nd_load(q0_13.at[3]);
    const nd_vector<f16, 4> q0_14 = *(const nd_vector<f16, 4> *)&p0[g0_4 + j1];
    const float g0_4_5 = nd_load(q0_14.at[0]);
    const float g0_4_6 = nd_load(q0_14.at[1]);
    const float g0_4_7 = nd_load(q0_14.at[2]);
    const int g0_5 = o0 + 5 * (int)a.v[32];
    const float g0_5_0 = nd_load(p0[g0_5 + j0]);
    const nd_vector<f16, 4> q0_16 = *(const nd_vector<f16, 4> *)&p0[g0_5 + j + 1];
    const float g0_5_1 = nd_load(q0_16.at[0]);
    const float g0_5_2 = nd_load(q0_16.at[1]);
    const float g0_5_3 = nd_load(q0_16.at[2]);
    const float g0_5_4 = nd_load(q0_16.at[3]);
    const nd_vector<f16, 4> q0_17 = *(const nd_vector<f16, 4> *)&p0[g0_5 + j1];
    const float g0_5_5 = nd_load(q0_17.at[0]);
    const float g0_5_6 = nd_load(q0_17.at[1]);
    const float g0_5_7 = nd_load(q0_17.at[2]);
    const int g0_6 = o0 + 6 * (int)a.v[32];
    const float g0_6_0 = nd_load(p0[g0_6 + j0]);
    const nd_vector<f16, 4> q0_19 = *(const nd_vector<f16, 4> *)&p0[g0_6 + j + 1];
    const float g0_6_1 = nd_load(q0_19.at[0]);
    const float g0_6_2 = nd_load(q0_19.at[1]);
    const float g0_6_3 = nd_load(q0_19.at[2]);
    const float g0_6_4 = nd_load(q0_19.at[3]);
    const nd_vector<f16, 4> q0_20 = *(const nd_vector<f16, 4> *)&p0[g0_6 + j1];
    const float g0_6_5 = nd_load(q0_20.at[0]);
    const float g0_6_6 = nd_load(q0_20.at[1]);
    const float g0_6_7 = nd_load(q0_20.at[2]);
    const int g0_7 = o0 + 7 * (int)a.v[32];
    const float g0_7_0 = nd_load(p0[g0_7 + j0]);
    const nd_vector<f16, 4> q0_22 = *(const nd_vector<f16, 4> *)&p0[g0_7 + j + 1];
    const float g0_7_1 = nd_load(q0_22.at[0]);
    const float g0_7_2 = nd_load(q0_22.at[1]);
    const float g0_7_3 = nd_load(q0_22.at[2]);
    const float g0_7_4 = nd_load(q0_22.at[3]);
    const nd_vector<f16, 4> q0_23 = *(const nd_vector<f16, 4> *)&p0[g0_7 + j1];
    const float g0_7_5 = nd_load(q0_23.at[0]);
    const float g0_7_6 = nd_load(q0_23.at[1]);
    const float g0_7_7 = nd_load(q0_23.at[2]);
    const f16 y0_0 = nd_store_f16(nd_f(g0_0_0, g0_0_1, g0_0_2, g0_0_3, g0_0_4, g0_1_0, g0_1_1, g0_1_2, g0_1_3, g0_1_4, g0_2_0, g0_2_1, g0_2_2, g0_2_3, g0_2_4, g0_3_0, g0_3_1, g0_3_2, g0_3_3, g0_3_4, g0_4_0, g0_4_1, g0_4_2, g0_4_3, g0_4_4, a));
    const f16 y0_1 = nd_store_f16(nd_f(g0_0_1, g0_0_2, g0_0_3, g0_0_4, g0_0_5, g0_1_1, g0_1_2, g0_1_3, g0_1_4, g0_1_5, g0_2_1, g0_2_2, g0_2_3, g0_2_4, g0_2_5, g0_3_1, g0_3_2, g0_3_3, g0_3_4, g0_3_5, g0_4_1, g0_4_2, g0_4_3, g0_4_4, g0_4_5, a));
    const f16 y0_2 = nd_store_f16(nd_f(g0_0_2, g0_0_3, g0_0_4, g0_0_5, g0_0_6, g0_1_2, g0_1_3, g0_1_4, g0_1_5, g0_1_6, g0_2_2, g0_2_3, g0_2_4, g0_2_5, g0_2_6, g0_3_2, g0_3_3, g0_3_4, g0_3_5, g0_3_6, g0_4_2, g0_4_3, g0_4_4, g0_4_5, g0_4_6, a));
    const f16 y0_3 = nd_store_f16(nd_f(g0_0_3, g0_0_4, g0_0_5, g0_0_6, g0_0_7, g0_1_3, g0_1_4, g0_1_5, g0_1_6, g0_1_7, g0_2_3, g0_2_4, g0_2_5, g0_2_6, g0_2_7, g0_3_3, g0_3_4, g0_3_5, g0_3_6, g0_3_7, g0_4_3, g0_4_4, g0_4_5, g0_4_6, g0_4_7, a));
    const f16 y1_0 = nd_store_f16(nd_f(g0_1_0, g0_1_1, g0_1_2, g0_1_3, g0_1_4, g0_2_0, g0_2_1, g0_2_2, g0_2_3, g0_2_4, g0_3_0, g0_3_1, g0_3_2, g0_3_3, g0_3_4, g0_4_0, g0_4_1, g0_4_2, g0_4_3, g0_4_4, g0_5_0, g0_5_1, g0_5_2, g0_5_3, g0_5_4, a));
    const f16 y1_1 = nd_store_f16(nd_f(g0_1_1, g0_1_2, g0_1_3, g0_1_4, g0_1_5, g0_2_1, g0_2_2, g0_2_3, g0_2_4, g0_2_5, g0_3_1, g0_3_2, g0_3_3, g0_3_4, g0_3_5, g0_4_1, g0_4_2, g0_4_3, g0_4_4, g0_4_5, g0_5_1, g0_5_2, g0_5_3, g0_5_4, g0_5_5, a));
    const f16 y1_2 = nd_store_f16(nd_f(g0_1_2, g0_1_3, g0_1_4, g0_1_5, g0_1_6, g0_2_2, g0_2_3, g0_2_4, g0_2_5, g0_2_6, g0_3_2, g0_3_3, g0_3_4, g0_3_5, g0_3_6, g0_4_2, g0_4_3, g0_4_4, g0_4_5, g0_4_6, g0_5_2, g0_5_3, g0_5_4, g0_5_5, g0_5_6, a));
    const f16 y1_3 = nd_store_f16(nd_f(g0_1_3, g0_1_4, g0_1_5, g0_1_6, g0_1_7, g0_2_3, g0_2_4, g0_2_5, g0_2_6, g0_2_7, g0_3_3, g0_3_4, g0_3_5, g0_3_6, g0_3_7, g0_4_3, g0_4_4, g0_4_5, g0_4_6, g0_4_7, g0_5_3, g0_5_4, g0_5_5, g0_5_6, g0_5_7, a));
    const f16 y2_0 = nd_store_f16(nd_f(g0_2_0, g0_2_1, g0_2_2, g0_2_3, g0_2_4, g0_3_0, g0_3_1, g0_3_2, g0_3_3, g0_3_4, g0_4_0, g0_4_1, g0_4_2, g0_4_3, g0_4_4, g0_5_0, g0_5_1, g0_5_2, g0_5_3, g0_5_4, g0_6_0, g0_6_1, g0_6_2, g0_6_3, g0_6_4, a));
    const f16 y2_1 = nd_store_f16(nd_f(g0_2_1, g0_2_2, g0_2_3, g0_2_4, g0_2_5, g0_3_1, g0_3_2, g0_3_3, g0_3_4, g0_3_5, g0_4_1, g0_4_2, g0_4_3, g0_4_4, g0_4_5, g0_5_1, g0_5_2, g0_5_3, g0_5_4, g0_5_5, g0_6_1, g0_6_2, g0_6_3, g0_6_4, g0_6_5, a));
    const f16 y2_2 = nd_store_f16(nd_f(g0_2_2, g0_2_3, g0_2_4, g0_2_5, g0_2_6, g0_3_2, g0_3_3, g0_3_4, g0_3_5, g0_3_6, g0_4_2, g0_4_3, g0_4_4, g0_4_5, g0_4_6, g0_5_2, g0_5_3, g0_5_4, g0_5_5, g0_5_6, g0_6_2, g0_6_3, g0_6_4, g0_6_5, g0_6_6, a));
    const f16 y2_3 = nd_store_f16(nd_f(g0_2_3, g0_2_4, g0_2_5, g0_2_6, g0_2_7, g0_3_3, g0_3_4, g0_3_5, g0_3_6, g0_3_7, g0_4_3, g0_4_4, g0_4_5, g0_4_6, g0_4_7, g0_5_3, g0_5_4, g0_5_5, g0_5_6, g0_5_7, g0_6_3, g0_6_4, g0_6_5, g0_6_6, g0_6_7, a));
    const f16 y3_0 = nd_store_f16(nd_f(g0_3_0, g0_3_1, g0_3_2, g0_3_3, g0_3_4, g0_4_0, g0_4_1, g0_4_2, g0_4_3, g0_4_4, g0_5_0, g0_5_1, g0_5_2, g0_5_3, g0_5_4, g0_6_0, g0_6_1, g0_6_2, g0_6_3, g0_6_4, g0_7_0, g0_7_1, g0_7_2, g0_7_3, g0_7_4, a));
    const f16 y3_1 = nd_store_f16(nd_f(g0_3_1, g0_3_2, g0_3_3, g0_3_4, g0_3_5, g0_4_1, g0_4_2, g0_4_3, g0_4_4, g0_4_5, g0_5_1, g0_5_2, g0_5_3, g0_5_4, g0_5_5, g0_6_1, g0_6_2, g0_6_3, g0_6_4, g0_6_5, g0_7_1, g0_7_2, g0_7_3, g0_7_4, g0_7_5, a));
    const f16 y3_2 = nd_store_f16(nd_f(g0_3_2, g0_3_3, g0_3_4, g0_3_5, g0_3_6, g0_4_2, g0_4_3, g0_4_4, g0_4_5, g0_4_6, g0_5_2, g0_5_3, g0_5_4, g0_5_5, g0_5_6, g0_6_2, g0_6_3, g0_6_4, g0_6_5, g0_6_6, g0_7_2, g0_7_3, g0_7_4, g0_7_5, g0_7_6, a));
    const f16 y3_3 = nd_store_f16(nd_f(g0_3_3, g0_3_4, g0_3_5, g0_3_6, g0_3_7, g0_4_3, g0_4_4, g0_4_5, g0_4_6, g0_4_7, g0_5_3, g0_5_4, g0_5_5, g0_5_6, g0_5_7, g0_6_3, g0_6_4, g0_6_5, g0_6_6, g0_6_7, g0_7_3, g0_7_4, g0_7_5, g0_7_6, g0_7_7, a));
    if (j >= 0 && j + 4 <= n) {
        if (own <= first)
            *(nd_vector<f16, 4> *)&out[at + j] = nd_vector<f16, 4>{{y0_0, y0_1, y0_2, y0_3}};
        if (own <= first + 1)
            *(nd_vector<f16, 4> *)&out[at + (int)a.v[30] + j] = nd_vector<f16, 4>{{y1_0, y1_1, y1_2, y1_3}};
        if (own <= first + 2)
            *(nd_vector<f16, 4> *)&out[at + 2 * (int)a.v[30] + j] = nd_vector<f16, 4>{{y2_0, y2_1, y2_2, y2_3}};
        *(nd_vector<f16, 4> *)&out[at + 3 * (int)a.v[30] + j] = nd_vector<f16, 4>{{y3_0, y3_1, y3_2, y3_3}};
    } else {
        if (j >= 0) {
            if (own <= first)
                out[at + j] = y0_0;
            if (own <= first + 1)
                out[at + (int)a.v[30] + j] = y1_0;
            if (own <= first + 2)
                out[at + 2 * (int)a.v[30] + j] = y2_0;
            out[at + 3 * (int)a.v[30] + j] = y3_0;
        }
        if (j >= -1 && j + 1 < n) {
            if (own <= first)
                out[at + j + 1] = y0_1;
            if (own <= first + 1)
                out[at + (int)a.v[30] + j + 1] = y1_1;
            if (own <= first + 2)
                out[at + 2 * (int)a.v[30] + j + 1] = y2_1;
            out[at + 3 * (int)a.v[30] + j + 1] = y3_1;
        }
        if (j + 2 < n) {
            if (own <= first)
                out[at + j + 2] = y0_2;
            if (own <= first + 1)
                out[at + (int)a.v[30] + j + 2] = y1_2;
            if (own <= first + 2)
                out[at + 2 * (int)a.v[30] + j + 2] = y2_2;
            out[at + 3 * (int)a.v[30] + j + 2] = y3_2;
        }
        if (j + 3 < n) {
            if (own <= first)
                out[at + j + 3] = y0_3;
            if (own <= first + 1)
                out[at + (int)a.v[30] + j + 3] = y1_3;
            if (own <= first + 2)
                out[at + 2 * (int)a.v[30] + j + 3] = y2_3;
            out[at + 3 * (int)a.v[30] + j + 3] = y3_3;
        }
    }
}

