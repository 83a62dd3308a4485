// Defect: race
// Each thread writes two bytes, and the second is its neighbour's first.
// Launch: 1, 64, 0
// Args: out uchar[65] new
__global__ void k(unsigned char *out) {
    out[threadIdx.x] = threadIdx.x; // wrong
    out[threadIdx.x + 1] = 100 + threadIdx.x; // wrong
}
