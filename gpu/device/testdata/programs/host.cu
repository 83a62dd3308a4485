// Host code as people write it: the C++ library beside CUDA, and kernels called in every way that
// the language has.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <functional>
#include <iostream>
#include <memory>
#include <random>
#include <thread>
#include <vector>
using namespace std;

#define N 1024
#define check(result) checkAt((result), __FILE__, __LINE__)
inline void checkAt(cudaError_t code, const char *file, int line, bool stop = true) {
    if (code != cudaSuccess) {
        fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(code));
        if (stop)
            exit(code);
    }
}

struct Vec {
    float x, y;
    __host__ __device__ Vec(float x = 0, float y = 0) : x(x), y(y) {}
    __host__ __device__ float length() const { return sqrtf(x * x + y * y); }
};
__host__ __device__ inline float clamped(float v, float low, float high) { return fmaxf(low, fminf(v, high)); }

__device__ float table[N];

static __global__ void fill(Vec *v, int n = N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        v[i] = Vec(i, table[i]);
}
extern "C" __global__ void lengths(const Vec *v, float *out, float *flags) {
    int i = threadIdx.x;
    out[i] = clamped(v[i].length(), 0.f, 10.f);
    if (flags)
        flags[i] = 1;
}
template <typename F> __global__ void apply(F f, int *x) { x[threadIdx.x] = f(threadIdx.x); }
template <int n, typename T> __global__ void times(T *x) { x[threadIdx.x] *= n; }
__global__ void overloaded(int *x) { *x += 1; }
__global__ void overloaded(float *x) { *x += 2; }

struct SquarePlus {
    int k;
    __device__ int operator()(int i) const { return i * i + k; }
};

class Runner {
    cudaStream_t stream;

  public:
    Runner() { check(cudaStreamCreate(&stream)); }
    ~Runner() { check(cudaStreamDestroy(stream)); }
    void run(Vec *v) {
        fill<<<N / 256, 256, 0, stream>>>(v);
        check(cudaPeekAtLastError());
        check(cudaStreamSynchronize(stream));
    }
};

int main(int argc, char const *argv[]) {
    mt19937 generator(1);
    uniform_real_distribution<float> uniform(0, 1);
    vector<float> host(N);
    for (float &v : host)
        v = uniform(generator);
    auto begin = chrono::high_resolution_clock::now();
    clock_t ticks = clock();
    check(cudaMemcpyToSymbol(table, host.data(), sizeof(float) * N));
    Vec *v;
    check(cudaMalloc(&v, sizeof(Vec) * N));
    make_unique<Runner>()->run(v);
    float *out;
    check(cudaMallocManaged(&out, N * sizeof(float)));
    for (int i = 0; i < 2; ++i)
        lengths<<<1, 256>>>(v, out, NULL);
    lengths<<<1, 256>>>(v, out, nullptr);
    lengths<<<1, 256>>>(v, out, 0);
    check(cudaDeviceSynchronize());
    std::printf("%g\n", out[20]);

    int *x;
    check(cudaMallocManaged(&x, 4 * sizeof(int)));
    apply<<<1, 4>>>(SquarePlus{1}, x);
    times<3><<<1, 4>>>(x); // one argument given, one found
    if (argc > 0)
        overloaded<<<1, 1>>>(x);
    else
        overloaded<<<1, 1>>>(out);
    check(cudaDeviceSynchronize());
    cout << x[0] << " " << x[3] << endl;
    thread worker([=] {
        check(cudaSetDevice(0));
        apply<SquarePlus><<<1, 4>>>({5}, x);
        check(cudaDeviceSynchronize());
    });
    worker.join();
    cout << x[3] << " " << max(x[1], 2) << endl;

    dim3 grid = {2, 2}, block{8, 8, 1};
    bool later = chrono::high_resolution_clock::now() > begin && clock() >= ticks;
    printf("%u %s\n", grid.x * block.y, later ? "later" : "never");
    float4 four = make_float4(1, 2, 3, NAN);
    printf("%g %d\n", four.z, (int)std::isnan(four.w));
    check(cudaFree(v));
    return EXIT_SUCCESS;
}
// Output:
// 10
// 4 30
// 14 6
// 16 later
// 3 1
