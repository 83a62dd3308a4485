// Defect: wrong result
// The kernel takes its input second, and is given it first: the result stays what it was.
// Launch: 1, 64, 0
// Args: x float[64] ramp; out float[64] zeros
__global__ void k(float *out, const float *x) {
    out[threadIdx.x] = 2 * x[threadIdx.x]; // wrong
}
__global__ void right(const float *x, float *out) {
    out[threadIdx.x] = 2 * x[threadIdx.x];
}
