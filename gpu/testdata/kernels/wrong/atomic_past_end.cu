// Defect: out of bounds
// A value can be as large as the number of bins.
// Launch: 1, 64, 0
// Args: x uchar[64] ramp; bins uint[63] zeros
__global__ void k(const unsigned char *x, unsigned *bins) {
    atomicAdd(&bins[x[threadIdx.x]], 1u); // wrong
}
