// Instructions for dynamic programming.
#include <cstdio>

__global__ void steps(unsigned *out) {
    unsigned a = 0xfff60005, b = 0x0003fff9, c = 0xfffe0001; // -10 and 5, 3 and -7, -2 and 1
    int n = 0;
    out[n++] = __viaddmax_s16x2(a, b, c);
    out[n++] = __viaddmin_s16x2(a, b, c);
    out[n++] = __viaddmax_s16x2_relu(a, b, c);
    out[n++] = __vimax3_s16x2(a, b, c);
    out[n++] = __vimin3_u16x2(a, b, c);
    out[n++] = __vimax_s16x2_relu(a, 0xffff0002);
    out[n++] = __vimin3_s32_relu(-4, 7, 2);
    bool high, low, first;
    // Of equal operands only: of others nvcc 13.0.88 says on an H100 whether the second one is the result, its documentation the first one.
    out[n++] = __vibmax_s16x2(a, a, &high, &low);
    out[n++] = high * 2 + low;
    out[n++] = __vibmin_s32(-3, 9, &first);
    out[n++] = first;
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(out[n]) : "r"(0x01020304), "r"(0x04030201), "r"(100));
}

int main() {
    unsigned *out;
    cudaMallocManaged(&out, 64);
    steps<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 12; i++)
        printf("%x%c", out[i], i < 11 ? ' ' : '\n');
}

// Output:
// fffe0001 fff9fffe 1 30005 30001 5 0 fff60005 3 fffffffd 1 6c
