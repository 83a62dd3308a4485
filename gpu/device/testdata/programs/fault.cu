// A fault stays: the device is of no more use, the program is.
#include <cstdio>

__global__ void wild(int *x) { x[1ll << 40] = 1; }

int main() {
    int *x;
    cudaMalloc(&x, 4);
    wild<<<1, 1>>>(x);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    printf("%s\n", cudaGetErrorString(cudaMalloc(&x, 4)));
    return cudaDeviceReset() == cudaSuccess ? 0 : 5;
}
// Output:
// an illegal memory access was encountered
// an illegal memory access was encountered
// an illegal memory access was encountered
