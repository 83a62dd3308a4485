// Defect: race
// The last block adds up what the others wrote, but nothing makes that visible to it.
// Launch: 4, 2, 0
// Args: x float[8] ramp; part float[4] new; count uint[1] zeros; out float[1] new
__global__ void k(const float *x, float *part, unsigned *count, float *out) {
    if (threadIdx.x == 0) {
        part[blockIdx.x] = x[2 * blockIdx.x] + x[2 * blockIdx.x + 1];
        if (atomicAdd(count, 1u) == gridDim.x - 1) {
            float sum = 0;
            for (int i = 0; i < gridDim.x; i++)
                sum += part[i]; // wrong
            *out = sum;
        }
    }
}
