// Defect: uninitialised read
// The kernel adds to what is in the output, which is nothing yet.
// Launch: 1, 64, 0
// Args: x float[64] ramp; out float[64] new
__global__ void k(const float *x, float *out) {
    out[threadIdx.x] += x[threadIdx.x]; // wrong
}
