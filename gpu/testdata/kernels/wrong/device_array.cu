// Defect: out of bounds
// A table in device memory has one entry less than is used.
// Launch: 1, 8, 0
// Args: out float[8] new
__device__ float table[7];
__global__ void k(float *out) {
    table[threadIdx.x] = 1; // wrong
    out[threadIdx.x] = 1;
}
