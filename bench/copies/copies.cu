// Times copies between pinned host memory and the GPU from C, for comparison with main.go.
//
//	nvcc -O2 -o copies copies.cu && ./copies
//
// One line: GB/s (10^9 bytes) of 512 MiB in each direction, the median of 20 after 3 to warm up,
// with cudaMemcpyAsync from cudaMallocHost memory and a wait for the stream, by the host's clock.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

static void check(cudaError_t code, const char *what) {
    if (code != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
        exit(1);
    }
}

int main() {
    const size_t bytes = 512 << 20;
    void *host, *device;
    check(cudaMallocHost(&host, bytes), "cudaMallocHost");
    check(cudaMalloc(&device, bytes), "cudaMalloc");
    memset(host, 1, bytes);
    cudaStream_t stream;
    check(cudaStreamCreate(&stream), "cudaStreamCreate");
    auto rate = [&](void *dst, const void *src, cudaMemcpyKind kind) {
        std::vector<double> times;
        for (int i = 0; i < 23; i++) {
            auto start = std::chrono::steady_clock::now();
            check(cudaMemcpyAsync(dst, src, bytes, kind, stream), "cudaMemcpyAsync");
            check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
            std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
            if (i >= 3) times.push_back(took.count());
        }
        std::sort(times.begin(), times.end());
        return bytes / times[times.size() / 2] / 1e9;
    };
    double up = rate(device, host, cudaMemcpyHostToDevice);
    double down = rate(host, device, cudaMemcpyDeviceToHost);
    printf("C, pinned             %6.2f GB/s to the device  %6.2f GB/s from it\n", up, down);
}
