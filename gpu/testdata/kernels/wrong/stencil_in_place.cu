// Defect: race
// A block may read its neighbour's edge before or after it was overwritten.
// Launch: 2, 64, 0
// Args: x float[130] ramp
__global__ void k(float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    float v = (x[i - 1] + x[i] + x[i + 1]) / 3; // wrong
    __syncthreads();
    x[i] = v; // wrong
}
