// Host code beside kernels: exceptions, threads with atomic variables, and ways of rounding, which are none of the kernels'.
#include <atomic>
#include <cfenv>
#include <cooperative_groups.h>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

__global__ void spin(int *out, int n) {
    int sum = threadIdx.x;
    for (int i = 0; i < n; i++)
        sum = sum * 1664525 + out[threadIdx.x];
    out[threadIdx.x] = sum == 12345 ? 1 : 0;
}

// Kernels round to nearest, whatever the host does.
__global__ void thirds(float *out) {
    cooperative_groups::this_grid().sync();
    out[blockIdx.x] = 1 / out[blockIdx.x];
}

struct Guard {
    const char *name;
    ~Guard() { printf("leaves %s\n", name); }
};

void fails(int depth) {
    Guard g{"fails"};
    if (depth == 0)
        throw std::runtime_error("thrown");
    fails(depth - 1);
}

int main() {
    try {
        Guard g{"try"};
        fails(1);
    } catch (const std::exception &e) {
        printf("caught %s\n", e.what());
    }
    try {
        volatile size_t much = size_t(1) << 60;
        printf("%p\n", static_cast<void *>(new char[much]));
    } catch (const std::bad_alloc &) {
        printf("caught std::bad_alloc\n");
    }

    int *p;
    cudaMalloc(&p, 64 * sizeof *p);
    cudaMemset(p, 0, 64 * sizeof *p);
    std::atomic<int> count{0};
    std::atomic<bool> done{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back([&] {
            for (int n = 0; n < 100000; n++)
                count++;
            while (!done) { // while kernels run, too
                std::vector<int> *v = new std::vector<int>(10, 1);
                delete v;
            }
        });
    for (int i = 0; i < 20; i++)
        spin<<<1, 64>>>(p, 100);
    cudaError_t e = cudaDeviceSynchronize();
    done = true;
    for (std::thread &t : threads)
        t.join();
    printf("%d, %s\n", count.load(), cudaGetErrorString(e));

    float *x, back[4];
    const float three[] = {3, 3, 3, 3};
    cudaMalloc(&x, sizeof back);
    cudaMemcpy(x, three, sizeof back, cudaMemcpyHostToDevice);
    fesetround(FE_DOWNWARD);
    void *args[] = {&x};
    cudaLaunchCooperativeKernel((void *)thirds, dim3(4), dim3(1), args, 0, nullptr);
    cudaDeviceSynchronize();
    fesetround(FE_TONEAREST);
    cudaMemcpy(back, x, sizeof back, cudaMemcpyDeviceToHost);
    for (float f : back)
        printf("%.9g\n", f);
}

// Output:
// leaves fails
// leaves fails
// leaves try
// caught thrown
// caught std::bad_alloc
// 400000, no error
// 0.333333343
// 0.333333343
// 0.333333343
// 0.333333343
