// Defect: uninitialised read
// Shared memory does not begin as zeros.
// Launch: 1, 64, 0
// Args: x uchar[64] ramp; bins uint[64] zeros
__global__ void k(const unsigned char *x, unsigned *bins) {
    __shared__ unsigned part[64];
    atomicAdd(&part[x[threadIdx.x] % 64], 1u); // wrong
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], part[threadIdx.x]);
}
