// Barriers at statement level, which the simulator runs as loops; once in a namespace and
// once in a template.
#include <cstdio>

constexpr int tile = 16;

namespace matrix {
__global__ void product(const float *a, const float *b, float *c, int n) {
    __shared__ float s[tile][tile], t[tile][tile];
    int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * tile + x, row = blockIdx.y * tile + y;
    float sum = 0;
    for (int k = 0; k < n; k += tile) {
        s[y][x] = a[row * n + k + x];
        t[y][x] = b[(k + y) * n + column];
        __syncthreads();
        for (int i = 0; i < tile; i++)
            sum += s[y][i] * t[i][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
} // namespace matrix

template <int width> __global__ void transpose(const float *in, float *out, int n) {
    __shared__ float s[width][width + 1];
    s[threadIdx.y][threadIdx.x] = in[(blockIdx.y * width + threadIdx.y) * n + blockIdx.x * width + threadIdx.x];
    __syncthreads();
    out[(blockIdx.x * width + threadIdx.y) * n + blockIdx.y * width + threadIdx.x] = s[threadIdx.x][threadIdx.y];
}

int main() {
    const int n = 64;
    float *a, *b, *c;
    for (float **m : {&a, &b, &c})
        if (cudaMallocManaged(m, n * n * sizeof(float)) != cudaSuccess)
            return 1;
    for (int i = 0; i < n * n; i++) {
        a[i] = i % 7;
        b[i] = i % 5;
    }
    dim3 grid(n / tile, n / tile), block(tile, tile);
    matrix::product<<<grid, block>>>(a, b, c, n);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float want = 0;
            for (int k = 0; k < n; k++)
                want += a[i * n + k] * b[k * n + j];
            wrong += c[i * n + j] != want;
        }
    printf("%d wrong, the last is %g\n", wrong, c[n * n - 1]);
    transpose<tile><<<grid, block>>>(c, a, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n * n; i++)
        wrong += a[i] != c[i % n * n + i / n];
    printf("%d wrong\n", wrong);
}
// Output:
// 0 wrong, the last is 376
// 0 wrong
