// Defect: race
// Pairs of threads swap with each other without waiting.
// Launch: 1, 8x8, 0
// Args: x float[64] ramp
__global__ void k(float *x) {
    int a = threadIdx.y * 8 + threadIdx.x, b = threadIdx.x * 8 + threadIdx.y;
    float v = x[b]; // wrong
    x[a] = v; // wrong
}
