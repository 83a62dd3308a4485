// Defect: race
// Two threads that count up the same bin lose one.
// Launch: 1, 64, 0
// Args: x uchar[64] zeros; bins uint[4] zeros
__global__ void k(const unsigned char *x, unsigned *bins) {
    bins[x[threadIdx.x]]++; // wrong
}
