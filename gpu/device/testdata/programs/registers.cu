// The first call of the runtime comes while main has an array in vector registers: no call may change it.
#include <cstdio>

__global__ void reverse(int *d, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = d[t];
    __syncthreads();
    d[t] = s[n - 1 - t];
}

int main() {
    constexpr int n = 64;
    int there[n], back[n], *d, wrong = 0;
    for (int i = 0; i < n; i++)
        there[i] = i + 1;
    cudaMalloc(&d, sizeof there);
    cudaMemcpy(d, there, sizeof there, cudaMemcpyHostToDevice);
    reverse<<<1, n>>>(d, n);
    cudaMemcpy(back, d, sizeof there, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        wrong += back[i] != n - i;
    printf("%d wrong\n", wrong);
}

// Output:
// 0 wrong
