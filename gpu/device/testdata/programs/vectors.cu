// The form of a first tutorial: vectors, constants, templates with and without their arguments.
#include <cstdio>
#include <cuda_runtime.h>
#include <iostream>
#include <vector>

#define CHECK(call)                                                                      \
    do {                                                                                 \
        cudaError_t e = (call);                                                          \
        if (e != cudaSuccess) {                                                          \
            fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(e));           \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)
#define LAUNCH(kernel, n, ...) kernel<<<((n) + 255) / 256, 256>>>(__VA_ARGS__)

__constant__ float coef[4];
__device__ int counter;

__global__ void saxpy(float a, const float *x, float *y, int n);

namespace math {
template <typename T> __device__ T square(T v) { return v * v; }
template <typename T> __global__ void squares(T *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = square(x[i]);
}
} // namespace math

template <typename T, int N> __global__ void sum(const T *x, T *out) {
    __shared__ T part[N];
    extern __shared__ float more[];
    int t = threadIdx.x;
    part[t] = x[t];
    more[t] = 1;
    __syncthreads();
    for (int s = N / 2; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0)
        *out = part[0] + more[N - 1];
}

struct Pair {
    float a;
    int b;
};
__global__ void structs(Pair p, float *out) { *out = p.a + p.b; }

int main() {
    const int n = 1000;
    std::vector<float> x(n, 1.0f), y(n, 2.0f);
    float *dx, *dy;
    CHECK(cudaMalloc(&dx, n * sizeof(float)));
    CHECK(cudaMalloc((void **)&dy, n * sizeof(float)));
    const float c[4] = {0.5f};
    CHECK(cudaMemcpyToSymbol(coef, c, sizeof c));
    CHECK(cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    LAUNCH(saxpy, n, 2.0f, dx, dy, n);
    CHECK(cudaGetLastError());
    math::squares<<<1, 256>>>(dy, 256); // the compiler finds T
    math::squares<float><<<dim3(1), dim3(256)>>>(dy, 256);
    sum<float, 256><<<1, 256, 256 * sizeof(float)>>>(dy, dx);
    CHECK(cudaDeviceSynchronize());
    float total;
    int count;
    CHECK(cudaMemcpy(&total, dx, sizeof total, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    std::cout << "total " << total << ", count " << count << std::endl;
    structs<<<1, 1>>>(Pair{1.5f, 2}, dx);
    CHECK(cudaMemcpy(&total, dx, sizeof total, cudaMemcpyDeviceToHost));
    printf("struct %g\n", total);
    void (*kernel)(Pair, float *) = structs;
    kernel<<<1, 1>>>({2.5f, 4}, dx);
    CHECK(cudaMemcpy(&total, dx, sizeof total, cudaMemcpyDeviceToHost));
    printf("pointer %g\n", total);
    CHECK(cudaFree(dx));
    CHECK(cudaFree(dy));
    return 3;
}

__global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i] + coef[0];
    if (i == 0) {
        printf("thread 0 of %d\n", n);
        atomicAdd(&counter, 1);
    }
}
// Status: 3
// Output:
// thread 0 of 1000
// total 104977, count 1
// struct 3.5
// pointer 6.5
