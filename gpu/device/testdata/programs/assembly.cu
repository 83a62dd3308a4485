// Assembly in kernels.
#include <cstdint>
#include <cstdio>

#define COPY16(to, from) \
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" \
                 :: "r"(to), "l"(from))

#ifdef FOR_ANOTHER_GPU // the simulator must not look at what is left out
__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;"); }
#endif

__device__ unsigned lane() {
    unsigned id;
    asm("mov.u32 %0, %%laneid;" : "=r"(id));
    return id;
}

// A sum of 128 bits by chains of carries, in one statement and in several.
__global__ void wide(const uint32_t *x, uint32_t *out) {
    asm("add.cc.u32 %0, %4, %8;\n\t"
        "addc.cc.u32 %1, %5, %9;\n\t"
        "addc.cc.u32 %2, %6, %10;\n\t"
        "addc.u32 %3, %7, %11;"
        : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]), "r"(x[5]), "r"(x[6]), "r"(x[7]));
    asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(out[4]) : "r"(x[0]), "r"(x[4]));
    asm volatile("subc.u32 %0, %1, %2;" : "=r"(out[5]) : "r"(x[1]), "r"(x[5]));
    uint64_t product;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(x[0]), "r"(x[4]));
    asm("mov.b64 {%0, %1}, %2;" : "=r"(out[6]), "=r"(out[7]) : "l"(product));
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(out[8]) : "r"(3), "r"(5), "r"(7));
    asm("mul.hi.s32 %0, %1, %2;" : "=r"(out[9]) : "r"(-4), "r"(1 << 30));
}

__global__ void bits(unsigned v, int *out) {
    unsigned r[12];
    asm("popc.b32 %0, %1;" : "=r"(r[0]) : "r"(v));
    asm("clz.b32 %0, %1;" : "=r"(r[1]) : "r"(v));
    asm("brev.b32 %0, %1;" : "=r"(r[2]) : "r"(v));
    asm("bfe.u32 %0, %1, 4, 8;" : "=r"(r[3]) : "r"(v));
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r[4]) : "r"(0xf0), "r"(4), "r"(4));
    asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(r[5]) : "r"(0xa), "r"(0xffffffff));
    asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(r[6]) : "r"(0x11112222), "r"(0x33334444));
    asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(r[7]) : "r"(0xff00), "r"(0xf0f0), "r"(0xcccc));
    asm("bfind.u32 %0, %1;" : "=r"(r[8]) : "r"(v));
    asm("shf.l.wrap.b32 %0, %1, %2, 8;" : "=r"(r[9]) : "r"(0x12345678), "r"(0x9abcdef0));
    asm("{ .reg .pred p; setp.gt.u32 p, %1, 100; selp.u32 %0, 1, 2, p; }" : "=r"(r[10]) : "r"(v));
    asm("{\n\t.reg .pred %%p1;\n\t.reg .s32 t;\n\tsetp.ne.s32 %%p1, %1, 0;\n\tmov.s32 t, -5; // else\n\t@%%p1 mov.s32 t, 9;\n\tmov.b32 %0, t;\n\t}" : "=r"(r[11]) : "r"(v));
    for (int i = 0; i < 12; i++)
        out[i] = r[i];
}

__global__ void memory(float4 *x, int *counts) {
    __shared__ float4 s[32];
    unsigned at = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x]);
    COPY16(at, x + threadIdx.x);
    asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
    float a, b, c, d;
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "r"(at));
    asm volatile("bar.sync 0;");
    asm volatile("st.global.cg.v2.f32 [%0+8], {%1, %2};" :: "l"(x + threadIdx.x), "f"(a + b), "f"(c + d) : "memory");
    float y;
    asm("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(y) : "l"(&x[threadIdx.x].x));
    asm("fma.rn.f32 %0, %1, %2, 0f3F800000;" : "=f"(y) : "f"(y), "f"(2.0f));
    asm volatile("st.global.f32 [%0], %1;" :: "l"(&x[threadIdx.x].x), "f"(y));
    int old;
    asm volatile("atom.global.add.s32 %0, [%1], %2;" : "=r"(old) : "l"(counts), "r"(1));
    asm volatile("red.global.max.s32 [%0], %1;" :: "l"(counts + 1), "r"((int)threadIdx.x));
    unsigned votes, other;
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 5; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(votes) : "r"(lane()));
    asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(other) : "r"(lane()));
    if (threadIdx.x == 6) {
        counts[2] = votes;
        counts[3] = other;
    }
    asm volatile("membar.gl;" ::: "memory");
}

__global__ void numbers(double *out) {
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(*(int *)out) : "f"(-3.7f));
    asm("cvt.rn.f64.s32 %0, %1;" : "=d"(out[0]) : "r"(*(int *)out));
    asm("sqrt.rn.f64 %0, %1;" : "=d"(out[1]) : "d"(2.25));
    asm("min.f64 %0, %1, %2;" : "=d"(out[2]) : "d"(4.0), "d"(-1.5));
    asm("add.f64 %0, %0, %1;" : "+d"(out[2]) : "d"(0.25));
}

int main() {
    uint32_t *x, *out;
    cudaMallocManaged(&x, 4096);
    out = x + 32;
    uint32_t in[] = {0xffffffff, 0xffffffff, 7, 1, 1, 0, 9, 2};
    for (int i = 0; i < 8; i++)
        x[i] = in[i];
    wide<<<1, 1>>>(x, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 10; i++)
        printf("%x ", out[i]);
    printf("\n");
    bits<<<1, 1>>>(0x00f1, (int *)out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 12; i++)
        printf("%x ", out[i]);
    printf("\n");
    auto v = (float4 *)(x + 256);
    auto counts = (int *)(x + 128);
    for (int i = 0; i < 32; i++)
        v[i] = make_float4(i, 1, 2, 3);
    for (int i = 0; i < 4; i++)
        counts[i] = 0;
    memory<<<1, 32>>>(v, counts);
    cudaDeviceSynchronize();
    printf("%g %g %g %g %d %d %x %d\n", v[7].x, v[7].y, v[7].z, v[7].w, counts[0], counts[1], counts[2], counts[3]);
    auto numbersOut = (double *)(x + 512);
    numbersOut[2] = 0;
    numbers<<<1, 1>>>(numbersOut);
    cudaDeviceSynchronize();
    printf("%g %g %g\n", numbersOut[0], numbersOut[1], numbersOut[2]);
}

// Output:
// 0 0 11 3 fffffffe ffffffff ffffffff 0 16 ffffffff 
// 5 18 8f000000 f ffffffff fffffaff 44442222 fcc0 7 bcdef012 1 9 
// 15 1 8 5 32 31 1f 7
// -3 1.5 -1.25
