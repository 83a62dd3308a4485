// What is asked and said of kernels: attributes, occupancy, launches by function.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

extern __shared__ int dynamic[];

__global__ void large(int *out, int last) {
    dynamic[last] = 42;
    __syncthreads();
    *out = dynamic[last];
}
__global__ void together(int *x, int n) {
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank();
    x[i] = i;
    grid.sync();
    int right = x[(i + 1) % n];
    grid.sync();
    x[i] = right;
}
template <typename T> __global__ void fill(T *x, T value) { x[threadIdx.x] = value; }
__global__ void __launch_bounds__(64) small(int *x) { x[0] = 1; }

int main(int argc, char **argv) {
    printf("%d arguments, the first is %s\n", argc - 1, argc > 1 ? argv[1] : "missing");
    int *x, host[64];
    cudaMalloc(&x, sizeof host);

    const int bytes = 64 << 10;
    large<<<1, 1, bytes>>>(x, bytes / sizeof(int) - 1);
    printf("before: %s\n", cudaGetErrorName(cudaGetLastError()));
    printf("allowed: %s\n", cudaGetErrorName(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)));
    large<<<1, 1, bytes>>>(x, bytes / sizeof(int) - 1);
    cudaMemcpy(host, x, sizeof(int), cudaMemcpyDeviceToHost);
    printf("after: %s, %d\n", cudaGetErrorName(cudaGetLastError()), host[0]);

    int n = 64;
    void *args[] = {&x, &n};
    printf("cooperative: %s\n", cudaGetErrorName(cudaLaunchCooperativeKernel((void *)together, dim3(2), dim3(32), args, 0, 0)));
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("neighbours: %d %d\n", host[0], host[63]);

    int value = 7;
    void *more[] = {&x, &value};
    printf("by function: %s\n", cudaGetErrorName(cudaLaunchKernel((const void *)fill<int>, 1, 64, more, 0, 0)));
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    printf("filled: %d\n", host[63]);

    int blocks = 0, grid = 0, block = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, together, 1024, 0);
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, fill<float>, 0, 0);
    printf("occupancy: %s %s\n", blocks > 0 ? "yes" : "no", grid > 0 && block % 32 == 0 ? "yes" : "no");
    int flagged = 0;
    cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &flagged, fill<float>);
    printf("with flags: %s", flagged == block ? "the same" : "another");
    cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&grid, &flagged, fill<float>, [](int threads) { return threads * 4; }, 128, cudaOccupancyDefault);
    printf(", %d\n", flagged);

    cudaFuncAttributes about;
    cudaFuncGetAttributes(&about, small);
    printf("bounds: %d\n", about.maxThreadsPerBlock);
    small<<<1, 2048>>>(x);
    printf("2048 threads: %s\n", cudaGetErrorString(cudaPeekAtLastError()));
    cudaGetLastError();
    printf("no grid: ");
    small<<<0, 32>>>(x);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    printf("now: %s\n", cudaGetErrorName(cudaGetLastError()));
    printf("free twice: %s", cudaGetErrorName(cudaFree(x)));
    printf(", %s\n", cudaGetErrorName(cudaFree(x)));
}
// Args: one two
// Output:
// 2 arguments, the first is one
// before: cudaErrorInvalidValue
// allowed: cudaSuccess
// after: cudaSuccess, 42
// cooperative: cudaSuccess
// neighbours: 1 0
// by function: cudaSuccess
// filled: 7
// occupancy: yes yes
// with flags: the same, 128
// bounds: 64
// 2048 threads: invalid argument
// no grid: cudaErrorInvalidValue
// now: cudaSuccess
// free twice: cudaSuccess, cudaErrorInvalidValue
