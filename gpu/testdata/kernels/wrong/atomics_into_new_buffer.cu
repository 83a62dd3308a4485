// Defect: uninitialised read
// The bins are counted up from leftovers.
// Launch: 1, 64, 0
// Args: x uchar[64] ramp; bins uint[256] new
__global__ void k(const unsigned char *x, unsigned *bins) {
    atomicAdd(&bins[x[threadIdx.x]], 1u); // wrong
}
