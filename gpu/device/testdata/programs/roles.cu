// Warps with different work meet at barrier 0 from different lines, as many times each: a GPU counts threads there.
#include <cstdio>

constexpr int fillers = 64, workers = 32;

__device__ void fill(int *out, int n, int value) {
    for (int i = threadIdx.x; i < n; i += fillers)
        out[i] = value;
    __syncthreads();
}

__global__ void divide(const int *in, int *out, int n) {
    __shared__ int counts[workers];
    if (threadIdx.x < fillers) {
        fill(out, n, -1);
        return;
    }
    int t = threadIdx.x - fillers;
    counts[t] = 0;
    for (int i = t; i < n; i += workers)
        counts[t] += in[i];
    __syncthreads();
    int sum = 0;
    for (int i = 0; i <= t; i++)
        sum += counts[i];
    __syncthreads();
    counts[t] = sum;
    __syncthreads();
    out[t] = counts[workers - 1 - t];
}

__global__ void reduce(int *out) {
    int odd = threadIdx.x / 32 % 2;
    int n = odd ? __syncthreads_count(threadIdx.x % 3 == 0)
                : __syncthreads_count(threadIdx.x % 5 == 0);
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = n;
}

int main() {
    const int n = 1000;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; i++)
        in[i] = i % 7;
    divide<<<1, fillers + workers>>>(in, out, n);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    int rest = 0;
    for (int i = workers; i < n; i++)
        rest += out[i] == -1;
    printf("%d %d, %d left\n", out[0], out[workers - 1], rest);
    reduce<<<1, 128>>>(out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%d %d\n", out[0], out[3]);
}

// Output:
// cudaSuccess
// 2997 94, 968 left
// cudaSuccess
// 36 36
