// Kernels with a branch with barriers that not all threads take, and no barrier behind it: the others come to their end, and nobody waits for them.
#include <cstdio>

constexpr int length = 256;

__global__ void reverse(int *x, int n) {
    __shared__ int s[length];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        s[threadIdx.x] = x[i];
        __syncthreads();
        int last = min(length, n - int(blockIdx.x) * length) - 1;
        x[i] = s[last - threadIdx.x];
    }
}

__global__ void sums(const int *x, int *out, int n) {
    __shared__ int s[length];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int limit = min(length, n - int(blockIdx.x) * length);
        s[threadIdx.x] = x[i];
        __syncthreads();
        for (int d = 1; d < limit; d *= 2) {
            int other = threadIdx.x >= d ? s[threadIdx.x - d] : 0;
            __syncthreads();
            s[threadIdx.x] += other;
            __syncthreads();
        }
        if (threadIdx.x < limit / 2) {
            int pair = s[2 * threadIdx.x + 1] - (threadIdx.x > 0 ? s[2 * threadIdx.x - 1] : 0);
            __syncthreads();
            out[blockIdx.x * length / 2 + threadIdx.x] = pair;
        }
    } else
        out[gridDim.x * length / 2] = -1;
}

template <class T> __device__ void swapped(T *x, int a, int b) {
    T v = x[b];
    __syncthreads();
    x[a] = v;
}

template <class T> __global__ void rotate(T *x, int n) {
    if (blockIdx.x == 1) {
        if (threadIdx.x < n)
            swapped(x, threadIdx.x, (threadIdx.x + 1) % n);
    }
}

// maxima has statements behind the branch, for all threads.
__global__ void maxima(const int *x, int *out, int n) {
    __shared__ int s[length];
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = -i;
    if (i < n) {
        s[threadIdx.x] = x[i] % 100;
        __syncthreads();
        for (int d = length / 2; d > 0; d /= 2) {
            if (threadIdx.x < d && i + d < n)
                s[threadIdx.x] = max(s[threadIdx.x], s[threadIdx.x + d]);
            __syncthreads();
        }
        v = s[0];
    }
    int out_of = v < 0 ? -1 : v;
    if (threadIdx.x % 64 == 63)
        out[i / 64] = out_of;
}

int main() {
    int *x, *out, n = 3 * length + 50, wrong = 0;
    cudaMallocManaged(&x, 4 * length * sizeof *x);
    cudaMallocManaged(&out, (2 * length + 1) * sizeof *out);
    for (int i = 0; i < 4 * length; i++)
        x[i] = i;
    reverse<<<4, length>>>(x, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        wrong += x[i] != (i < 3 * length ? (i / length) * length + length - 1 - i % length : n - 1 - (i - 3 * length));
    printf("reversed: %d wrong\n", wrong);
    sums<<<4, length>>>(x, out, n);
    cudaDeviceSynchronize();
    wrong = 0;
    for (int i = 0; i < n / 2; i++)
        wrong += out[i] != x[2 * i] + x[2 * i + 1];
    printf("sums: %d wrong, %d\n", wrong, out[2 * length]);
    maxima<<<4, length>>>(x, out, n);
    cudaDeviceSynchronize();
    printf("maxima: %d %d %d %d %d\n", out[0], out[11], out[12], out[13], out[15]);
    rotate<<<2, length>>>(x, 100);
    printf("%s: ", cudaGetErrorString(cudaDeviceSynchronize()));
    printf("%d %d %d\n", x[0], x[99], x[100]);
}

// Output:
// reversed: 0 wrong
// sums: 0 wrong, -1
// maxima: 99 99 -1 -1 -1
// no error: 254 255 155
