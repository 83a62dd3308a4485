// Times kernel launches from C: an empty kernel with three arguments through
// cuLaunchKernel, once with a parameter list and once with a parameter buffer.
//
//	nvcc -O2 -o launch launch.cu -lcuda && ./launch
//
// One line a method: CPU time per call in ns, the median over batches of 500 launches
// that each begin with the device idle; first without waiting, then with a
// synchronisation after every launch, then with one at the end of the batch. main.go, measure.py and
// BenchmarkLaunch of gpu/internal/driver time the same thing in the same way.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

extern "C" __global__ void empty(float a, const float *x, float *y) {}

static void check(int code, const char *what) {
    if (code != 0) {
        fprintf(stderr, "%s: error %d\n", what, code);
        exit(1);
    }
}

template <typename F, typename G> static double median_ns(int batches, int batch, F one, G end) {
    std::vector<double> times;
    for (int i = 0; i < batches; i++) {
        check(cuCtxSynchronize(), "cuCtxSynchronize");
        auto start = std::chrono::steady_clock::now();
        for (int j = 0; j < batch; j++) one();
        end();
        std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
        times.push_back(took.count() / batch);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

int main() {
    float *memory;
    check(cudaMalloc(&memory, 4096), "cudaMalloc");
    cudaFunction_t function;
    check(cudaGetFuncBySymbol(&function, (const void *)empty), "cudaGetFuncBySymbol");

    float a = 2;
    const float *x = memory;
    float *y = memory;
    void *list[] = {&a, &x, &y};
    auto with_list = [&] {
        check(cuLaunchKernel(function, 1, 1, 1, 128, 1, 1, 0, 0, list, nullptr), "cuLaunchKernel");
    };

    struct {
        float a;
        const float *x;
        float *y;
    } buffer = {2, memory, memory};
    size_t size = sizeof buffer;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    auto with_buffer = [&] {
        check(cuLaunchKernel(function, 1, 1, 1, 128, 1, 1, 0, 0, nullptr, extra), "cuLaunchKernel");
    };
    auto sync = [] { check(cuStreamSynchronize(0), "cuStreamSynchronize"); };
    auto nothing = [] {};

    const int batches = 400, batch = 500;
    median_ns(20, batch, with_list, nothing); // warm-up
    auto line = [&](const char *name, auto launch) {
        printf("%-20s %7.0f ns/launch  %7.0f ns/launch+sync  %7.0f ns/launch until done\n", name,
               median_ns(batches, batch, launch, nothing), median_ns(batches / 4, batch, [&] { launch(); sync(); }, nothing),
               median_ns(batches, batch, launch, sync));
    };
    line("C, parameter list", with_list);
    line("C, parameter buffer", with_buffer);
}
