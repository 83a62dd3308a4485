// Assembly for tensor cores, for numbers of 16 bits, and with jumps.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Factors and results in row-major order, small whole numbers.
const int M = 16, N = 8, maxK = 32;
__managed__ float a[M * maxK], b[maxK * N], c[M * N], d[M * N];

__device__ uint32_t pair(float lower, float upper, bool brain) {
    unsigned short l = brain ? __bfloat16_as_ushort(__float2bfloat16(lower)) : __half_as_ushort(__float2half(lower));
    unsigned short u = brain ? __bfloat16_as_ushort(__float2bfloat16(upper)) : __half_as_ushort(__float2half(upper));
    return l | uint32_t(u) << 16;
}

// Lanes load factors of 16 bits by ldmatrix: the second one transposed, since its columns lie in registers.
template <bool brain> __device__ void load(int k, uint32_t *ra, uint32_t *rb) {
    __shared__ __align__(16) unsigned short sa[M][16], sb[16][N];
    int lane = threadIdx.x;
    for (int i = lane; i < M * k; i += 32)
        sa[i / k][i % k] = pair(a[i], 0, brain);
    for (int i = lane; i < k * N; i += 32)
        sb[i / N][i % N] = pair(b[i], 0, brain);
    __syncwarp();
    unsigned atA = (unsigned)__cvta_generic_to_shared(&sa[lane % 16][lane / 16 * 8]), atB = (unsigned)__cvta_generic_to_shared(&sb[lane % 16][0]);
    if (k == 16) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(atA));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(atB));
    } else {
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(ra[0]), "=r"(ra[1]) : "r"(atA));
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(rb[0]) : "r"(atB));
    }
}

// Row and column of a lane's element of the sums.
__device__ int place(int i) { return (threadIdx.x / 4 + i / 2 * 8) * N + threadIdx.x % 4 * 2 + i % 2; }

__global__ void half16() {
    uint32_t ra[4], rb[2];
    float s[4];
    load<false>(16, ra, rb);
    for (int i = 0; i < 4; i++)
        s[i] = c[place(i)];
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    for (int i = 0; i < 4; i++)
        d[place(i)] = s[i];
}
__global__ void half8() {
    uint32_t ra[2], rb[1];
    load<false>(8, ra, rb);
    uint32_t s[2] = {pair(c[place(0)], c[place(1)], false), pair(c[place(2)], c[place(3)], false)}, r[2];
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%5, %6};"
                 : "=r"(r[0]), "=r"(r[1]) : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]), "r"(s[0]), "r"(s[1]));
    for (int i = 0; i < 4; i++)
        d[place(i)] = __half2float(__ushort_as_half((unsigned short)(r[i / 2] >> i % 2 * 16)));
}
__global__ void brain16() {
    uint32_t ra[4], rb[2];
    float s[4];
    load<true>(16, ra, rb);
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
                 : "=f"(s[0]), "=f"(s[1]), "=f"(s[2]), "=f"(s[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "f"(c[place(0)]), "f"(c[place(1)]), "f"(c[place(2)]), "f"(c[place(3)]));
    for (int i = 0; i < 4; i++)
        d[place(i)] = s[i];
}
// The places of other elements are those of the PTX ISA, written out.
__global__ void tf8() {
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    uint32_t ra[4], rb[2];
    const float fa[] = {a[g * 8 + t], a[(g + 8) * 8 + t], a[g * 8 + t + 4], a[(g + 8) * 8 + t + 4]}, fb[] = {b[t * N + g], b[(t + 4) * N + g]};
    for (int i = 0; i < 4; i++)
        asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(ra[i]) : "f"(fa[i]));
    for (int i = 0; i < 2; i++)
        asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rb[i]) : "f"(fb[i]));
    float s[4];
    for (int i = 0; i < 4; i++)
        s[i] = c[place(i)];
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    for (int i = 0; i < 4; i++)
        d[place(i)] = s[i];
}
__device__ uint32_t bytes(const float *from, int step) {
    uint32_t r = 0;
    for (int i = 0; i < 4; i++)
        r |= (int(from[i * step]) & 0xffu) << 8 * i;
    return r;
}
__global__ void bytes32() {
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    const uint32_t ra[] = {bytes(a + g * 32 + 4 * t, 1), bytes(a + (g + 8) * 32 + 4 * t, 1), bytes(a + g * 32 + 4 * t + 16, 1), bytes(a + (g + 8) * 32 + 4 * t + 16, 1)};
    const uint32_t rb[] = {bytes(b + 4 * t * N + g, N), bytes(b + (4 * t + 16) * N + g, N)};
    int s[4];
    for (int i = 0; i < 4; i++)
        s[i] = int(c[place(i)]);
    asm volatile("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    for (int i = 0; i < 4; i++)
        d[place(i)] = float(s[i]);
}
__global__ void bytes16() {
    int g = threadIdx.x / 4, t = threadIdx.x % 4;
    const uint32_t ra[] = {bytes(a + g * 16 + 4 * t, 1), bytes(a + (g + 8) * 16 + 4 * t, 1)}, rb = bytes(b + 4 * t * N + g, N);
    int s[4];
    asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"
                 : "=r"(s[0]), "=r"(s[1]), "=r"(s[2]), "=r"(s[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(rb), "r"((int)c[place(0)]), "r"((int)c[place(1)]), "r"((int)c[place(2)]), "r"((int)c[place(3)]));
    for (int i = 0; i < 4; i++)
        d[place(i)] = float(s[i]);
}

void check(const char *name, void (*kernel)(), int k) {
    for (int i = 0; i < M * k; i++)
        a[i] = i * 7 % 13 - 6;
    for (int i = 0; i < k * N; i++)
        b[i] = i * 5 % 11 - 5;
    for (int i = 0; i < M * N; i++)
        c[i] = i % 9 - 4, d[i] = -1000;
    kernel<<<1, 32>>>();
    if (cudaError_t e = cudaDeviceSynchronize()) {
        printf("%s: %s\n", name, cudaGetErrorString(e));
        return;
    }
    int wrong = 0;
    float sum = 0;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float want = c[i * N + j];
            for (int l = 0; l < k; l++)
                want += a[i * k + l] * b[l * N + j];
            wrong += d[i * N + j] != want;
            sum += d[i * N + j] * (1 + i + j);
        }
    printf("%s: %d wrong, %g\n", name, wrong, sum);
}

__global__ void halves(uint32_t *out) {
    uint32_t x = pair(1.5f, -2.0f, false), y = pair(0.25f, 3.0f, false), z = pair(0.5f, 0.5f, false), r;
    asm("add.f16x2 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
    out[0] = r;
    asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
    out[1] = r;
    asm("fma.rn.relu.f16x2 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z));
    out[2] = r;
    asm("{ neg.f16x2 %0, %1; max.f16x2 %0, %0, %1; sub.sat.f16x2 %0, %0, %2; }" : "+r"(r) : "r"(x), "r"(z));
    out[3] = r;
    unsigned short h;
    asm("{ .reg .f16 t; cvt.rn.f16.f32 t, %1; abs.f16 %0, t; }" : "=h"(h) : "f"(-65519.0f));
    out[4] = h;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(1.00390625f), "f"(-3.0f)); // a tie, to even
    out[5] = r;
    asm("fma.rn.bf16x2 %0, %1, %1, %1;" : "=r"(r) : "r"(r));
    out[6] = r;
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"((unsigned short)0x3555));
    out[7] = __float_as_uint(f);
    asm("{ .reg .pred p, q; setp.lt.f16x2 p|q, %1, %2; selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2; }" : "=r"(r) : "r"(x), "r"(y));
    out[8] = r;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(__uint_as_float(0x3f801000)));
    out[9] = r;
    // How often 7 is halved and put up by 3 until it repeats: a loop, entered in the middle.
    asm("{\n\t.reg .pred p;\n\t.reg .u32 v;\n\tmov.u32 v, 7;\n\tmov.u32 %0, 0;\n\tbra.uni test;\nagain:\n\tadd.u32 v, v, 3;\n\tshr.u32 v, v, 1;\n\tadd.u32 %0, %0, 1;\n"
        "test:\n\tsetp.ne.u32 p, v, 3;\n\t@p bra again;\n\t}" : "=r"(r));
    out[10] = r;
    for (int i = 0; i < 2; i++) // the same statement twice in one function
        asm("{\n\t.reg .pred p;\nback_%=: sub.u32 %0, %0, 1;\n\tsetp.gt.u32 p, %0, %1;\n\t@p bra back_%=;\n\t}" : "+r"(r) : "r"(1));
    out[11] = r;
}

int main() {
    check("f16, k16, f32", half16, 16);
    check("f16, k8, f16", half8, 8);
    check("bf16, k16, f32", brain16, 16);
    check("tf32, k8, f32", tf8, 8);
    check("s8, k32, s32", bytes32, 32);
    check("s8, k16, s32", bytes16, 16);
    uint32_t *out;
    cudaMallocManaged(&out, 64);
    halves<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 12; i++)
        printf("%x ", out[i]);
    printf("\n");
}
// Output:
// f16, k16, f32: 0 wrong, 298
// f16, k8, f16: 0 wrong, -180
// bf16, k16, f32: 0 wrong, 298
// tf32, k8, f32: 0 wrong, -180
// s8, k32, s32: 0 wrong, 732
// s8, k16, s32: 0 wrong, 298
// 3c003f00 c6003600 3b00 3c003c00 7bff 3f80c040 400040c0 3eaaa000 2 3f802000 3 0 
