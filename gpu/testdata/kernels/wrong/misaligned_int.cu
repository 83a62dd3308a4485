// Defect: misaligned access
// An int read from the bytes of a packed record.
// Launch: 1, 16, 0
// Args: x uchar[80] ramp; out int[16] new
__global__ void k(const unsigned char *x, int *out) {
    out[threadIdx.x] = *(const int *)(x + 5 * threadIdx.x); // wrong
}
