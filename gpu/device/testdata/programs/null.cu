// A null pointer is no host memory: copies from and to it fail, and the program goes on.
#include <cstdio>

int main() {
    int *d, h[4] = {1, 2, 3, 4}, *never = nullptr;
    cudaMalloc(&d, sizeof h);
    auto show = [](cudaError_t e) { printf("%s\n", cudaGetErrorName(e)); };
    show(cudaMemcpy(d, never, sizeof h, cudaMemcpyHostToDevice));
    show(cudaMemcpy(never, d, sizeof h, cudaMemcpyDeviceToHost));
    show(cudaMemcpy2D(d, 8, never, 8, 8, 2, cudaMemcpyHostToDevice));
    show(cudaMemcpy(d, never, 0, cudaMemcpyHostToDevice));
    show(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
}

// Output:
// cudaErrorInvalidValue
// cudaErrorInvalidValue
// cudaErrorInvalidValue
// cudaSuccess
// cudaSuccess
