// Conditions of the preprocessor that only the compiler can decide, around kernels, in them, and around types of their parameters.
#include <cmath>
#include <cstdio>

#ifndef M_PI
#define M_PI 3
#endif
#ifdef __GNUC__
#define FAMILY 1
#elif defined(_MSC_VER)
#define FAMILY 2
#else
#define FAMILY 3
#endif
#if CUDART_VERSION >= 11000 && INT_MAX > 0
#define RUNTIME 1
#else
#define RUNTIME 2
#endif
#if defined(RAND_MAX)
#ifndef NEVER_DEFINED
#define HEADER 1
#endif
#else
#define HEADER 2
#endif
#if __GNUC__ > 2
#define real float
#define PARAMETERS float *x, int n
typedef struct { int of[2]; } pair;
#else
#define real double
#define PARAMETERS double *y, long m
typedef struct { double of[2]; } pair;
#endif

#define SHIFT 32
#pragma push_macro("SHIFT")
#undef SHIFT
#define SHIFT 0
#pragma pop_macro("SHIFT")

__global__ void turn(float *x) {
    __shared__ float s[32];
    int i = threadIdx.x;
    s[i] = i;
    __syncthreads();
#ifdef __GNUC__
    x[i] = s[31 - i] + M_PI;
#else
    x[i] = -1;
#endif
#if __CUDA_ARCH__ >= 700 && !defined(__HIPCC__)
    // only a comment
#else
    x[i] = -2;
#endif
    x[i + SHIFT] = FAMILY * 100 + RUNTIME * 10 + HEADER;
}

#ifdef __GNUC__
__global__ void one(int *x) { *x = 1; }
#else
__global__ void one(int *x) { *x = 2;
#endif

__global__ void scale(real *x, const real by, real (&z)[32]) { x[threadIdx.x] = by * z[threadIdx.x]; }
__global__ void add(PARAMETERS) {
    __syncthreads();
    x[threadIdx.x] += n;
}
__global__ void both(int *x, pair p) { *x = p.of[0] + p.of[1]; }

int main() {
    real *x;
    int *n;
    cudaMallocManaged(&x, 64 * sizeof *x);
    cudaMallocManaged(&n, sizeof *n);
    turn<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    printf("%.3f %.0f\n", x[0], x[32]);
    one<<<1, 1>>>(n);
    cudaDeviceSynchronize();
    printf("%d\n", *n);
    scale<<<1, 32>>>(x, real(0.5), *reinterpret_cast<real(*)[32]>(x + 32));
    add<<<1, 32>>>(x, 4);
    both<<<1, 1>>>(n, pair{{20, 3}});
    cudaDeviceSynchronize();
    printf("%g %zu %d\n", x[3], sizeof *x, *n);
}

// Output:
// 34.142 111
// 1
// 59.5 4 23
