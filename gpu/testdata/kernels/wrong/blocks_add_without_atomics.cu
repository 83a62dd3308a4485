// Defect: race
// Every block adds its part to the same number.
// Launch: 4, 1, 0
// Args: x float[4] ramp; out float[1] zeros
__global__ void k(const float *x, float *out) {
    *out += x[blockIdx.x]; // wrong
}
