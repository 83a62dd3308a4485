// A kernel takes all the shared memory that a block can have: the runtime takes none of it.
#include <cstdio>

extern __shared__ char bytes[];
__global__ void last(int n) { bytes[n - 1] = 1; }

int main() {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    int most = (int)p.sharedMemPerBlockOptin;
    cudaFuncSetAttribute(last, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    last<<<1, 1, most>>>(most);
    cudaError_t launched = cudaGetLastError();
    printf("%s, %s\n", cudaGetErrorName(launched), cudaGetErrorName(cudaDeviceSynchronize()));
}

// Output:
// cudaSuccess, cudaSuccess
