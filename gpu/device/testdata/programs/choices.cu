// Kernels that templates and the preprocessor choose: parameters of templates without a name, and conditions with arithmetic.
#include <cstdio>
#include <cuda_fp16.h>
#include <type_traits>

#define PRECISION 1
#if (PRECISION == 1) && !defined(ALWAYS_DOUBLE)
#define real float
#else
#define real double
#endif
#define ROWS (1 << 3)
#if ROWS * 2 > 8 || __GNUC__ > 100
#define type_of_row int
#else
#define type_of_row void
#endif

// What only the compiler can decide.
#if __GNUC__ > 2
#define COUNT 100
#define BLOCK 64
#endif
#if __GNUC__ < 2
#define COUNT 100000000
#define BLOCK 1024
#endif

__global__ void __launch_bounds__(BLOCK) count(int *x) {
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < COUNT)
        atomicAdd(&sum, x[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        x[COUNT + blockIdx.x] = sum;
}

#define BOUNDS(threads, blocks) __launch_bounds__(threads, blocks)
template <class T> __global__ void BOUNDS(64, 2) bounded(T *x) { *x = blockDim.x; }

__global__ void widths(real *x, type_of_row *n) { *n = sizeof *x; }

template <typename T, typename std::enable_if<std::is_same<T, half2>::value, int>::type = 0>
__global__ void twice(T *__restrict__ x) {
    int i = threadIdx.x;
    x[i] = __hadd2(x[i], x[i]);
}
template <typename T, typename std::enable_if<!std::is_same<T, half2>::value, int>::type = 0>
__global__ void twice(T *__restrict__ x) {
    int i = threadIdx.x;
    x[i] = 2 * x[i];
}
template <typename T, std::enable_if_t<std::is_integral<T>::value, int> = 0> __global__ void next(T *x) { *x += 1; }
template <typename T, typename = std::enable_if_t<std::is_integral<T>::value>> __global__ void last(T *x) { *x -= 1; }
template <typename T, int = 3> __global__ void rotate(T *x) {
    __shared__ T s[32];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[(threadIdx.x + 1) % 32];
}

int main() {
    real *r;
    int *n;
    half2 *h;
    cudaMallocManaged(&r, 32 * sizeof *r);
    cudaMallocManaged(&n, 200 * sizeof *n);
    for (int i = 0; i < COUNT; i++)
        n[i] = i;
    count<<<(COUNT + BLOCK - 1) / BLOCK, BLOCK>>>(n);
    cudaDeviceSynchronize();
    printf("%d %d\n", n[COUNT], n[COUNT + 1]);
    cudaMallocManaged(&h, 2 * sizeof *h);
    widths<<<1, 1>>>(r, n);
    cudaDeviceSynchronize();
    printf("%d\n", *n);
    bounded<<<1, 64>>>(n);
    cudaDeviceSynchronize();
    printf("%d\n", *n);
    for (int i = 0; i < 32; i++)
        r[i] = i, n[i] = 10 * i;
    h[0] = h[1] = __float2half2_rn(3);
    twice<real><<<1, 32>>>(r);
    twice<half2><<<1, 2>>>(h);
    next<<<1, 1>>>(n);
    rotate<<<1, 32>>>(n);
    last<<<1, 1>>>(n);
    cudaDeviceSynchronize();
    printf("%g %g %d %d\n", double(r[31]), __low2float(h[1]), n[0], n[31]);
}

// Output:
// 2016 2934
// 4
// 64
// 62 6 9 1
