// Kernels that launch kernels.
#include <cstdio>

__global__ void fill(int *x, int n, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = value + i;
}

// Sees what the kernels before have written, as it is launched to run after them.
__global__ void sum(const int *x, int n, int *out) {
    int total = 0;
    for (int i = 0; i < n; i++)
        total += x[i];
    *out = total;
}

__global__ void parent(int *x, int n, int *out) {
    if (threadIdx.x == 0) {
        sum<<<1, 1, 0, cudaStreamTailLaunch>>>(x, n, out);
        fill<<<(n + 31) / 32, 32>>>(x, n, 100);
    }
}

// A kernel that launches itself, on streams of its own.
__global__ void quicksort(int *x, int left, int right) {
    int i = left, j = right, pivot = x[(left + right) / 2];
    while (i <= j) {
        while (x[i] < pivot)
            i++;
        while (x[j] > pivot)
            j--;
        if (i <= j) {
            int t = x[i];
            x[i++] = x[j];
            x[j--] = t;
        }
    }
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    if (left < j)
        quicksort<<<1, 1, 0, a>>>(x, left, j);
    if (i < right)
        quicksort<<<1, 1, 0, b>>>(x, i, right);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
}

// Memory of a parent's thread, which children use and others free.
template <int n> __global__ void allocate(int **p) {
    cudaMalloc((void **)p, n * sizeof(int));
    fill<<<1, n>>>(*p, n, 7);
}
__global__ void take(int **p, int *out) {
    *out = (*p)[3];
    cudaFree(*p);
}

int main() {
    int *x, *out;
    cudaMalloc(&x, 1000 * sizeof(int));
    cudaMallocManaged(&out, sizeof(int));
    parent<<<1, 32>>>(x, 1000, out);
    cudaDeviceSynchronize();
    printf("%d\n", *out);

    int h[1000];
    for (int i = 0; i < 1000; i++)
        h[i] = i * 389 % 1000;
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    quicksort<<<1, 1>>>(x, 0, 999);
    cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
    int right = 0;
    for (int i = 0; i < 1000; i++)
        right += h[i] == i;
    printf("%d\n", right);

    int **p;
    cudaMalloc(&p, sizeof *p);
    allocate<16><<<1, 1>>>(p);
    take<<<1, 1>>>(p, out);
    cudaDeviceSynchronize();
    printf("%d %s\n", *out, cudaGetErrorName(cudaGetLastError()));
}

// Output:
// 599500
// 1000
// 10 cudaSuccess
