// Global objects whose constructors use the runtime: they allocate memory, launch a kernel, read a variable of the device.
#include <cstdio>

__global__ void fill(float *x, float v) { x[threadIdx.x] = v; }

struct Field {
    float *p;
    explicit Field(float v) {
        cudaMalloc(&p, 16 * sizeof(float));
        fill<<<1, 16>>>(p, v);
    }
    ~Field() { cudaFree(p); }
};
Field field(1.5f);

__device__ float scale = 2;
float readScale() {
    float f = 0;
    cudaMemcpyFromSymbol(&f, scale, sizeof f);
    return f;
}
float copied = readScale();

int main() {
    float h[16] = {};
    cudaError_t e = cudaMemcpy(h, field.p, sizeof h, cudaMemcpyDeviceToHost);
    printf("%s: %g times %g\n", cudaGetErrorName(e), h[15], copied);
}

// Output:
// cudaSuccess: 1.5 times 2
