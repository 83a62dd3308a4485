// Fused products and sums of 16-bit floats: rounded once, also where the sum has more bits than a double; NaN stays NaN.
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T> __device__ T made(unsigned short bits) {
    T t;
    memcpy(&t, &bits, 2);
    return t;
}

template <class T> __device__ unsigned bits(T t) {
    unsigned short b;
    memcpy(&b, &t, 2);
    return b;
}

template <class T> __device__ void print(const char *name, const unsigned short (*rows)[3], int n) {
    for (int i = 0; i < n; i++) {
        const T a = made<T>(rows[i][0]), b = made<T>(rows[i][1]), c = made<T>(rows[i][2]);
        printf("%s %04x %04x %04x: %04x, relu %04x, sat %04x\n", name, rows[i][0], rows[i][1], rows[i][2], bits(__hfma(a, b, c)), bits(__hfma_relu(a, b, c)),
               bits(__hfma_sat(a, b, c)));
    }
}

__global__ void fused() {
    // 1.5 * (1 + 2^-7) lies between two numbers; then sums with -2^-100 and 2^-100; an infinity less an infinity; a negative result.
    const unsigned short brain[][3] = {{0x3fc0, 0x3f81, 0}, {0x3fc0, 0x3f81, 0x8d80}, {0x3fc0, 0x3f81, 0x0d80}, {0x7f80, 0x3f80, 0xff80}, {0xbf80, 0x3f80, 0}};
    // The same for half precision, where the smallest number is 2^-24.
    const unsigned short half_[][3] = {{0x3e00, 0x3c01, 0}, {0x3e00, 0x3c01, 0x8001}, {0x3e00, 0x3c01, 0x0001}, {0x7c00, 0x3c00, 0xfc00}, {0xbc00, 0x3c00, 0}};
    print<__nv_bfloat16>("bfloat16", brain, 5);
    print<half>("half", half_, 5);
}

int main() {
    fused<<<1, 1>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}

// Output:
// bfloat16 3fc0 3f81 0000: 3fc2, relu 3fc2, sat 3f80
// bfloat16 3fc0 3f81 8d80: 3fc1, relu 3fc1, sat 3f80
// bfloat16 3fc0 3f81 0d80: 3fc2, relu 3fc2, sat 3f80
// bfloat16 7f80 3f80 ff80: 7fff, relu 7fff, sat 0000
// bfloat16 bf80 3f80 0000: bf80, relu 0000, sat 0000
// half 3e00 3c01 0000: 3e02, relu 3e02, sat 3c00
// half 3e00 3c01 8001: 3e01, relu 3e01, sat 3c00
// half 3e00 3c01 0001: 3e02, relu 3e02, sat 3c00
// half 7c00 3c00 fc00: 7fff, relu 7fff, sat 0000
// half bc00 3c00 0000: bc00, relu 0000, sat 0000
