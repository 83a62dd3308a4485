// Defect: uncoalesced
// Neighbouring threads read whole rows, so that each of a warp's accesses is in a sector of its own.
// Launch: 1, 32, 0
// Args: x float[1024] ramp; out float[32] zeros
__global__ void k(const float *x, float *out) {
    float sum = 0;
    for (int i = 0; i < 32; i++) sum += x[threadIdx.x * 32 + i]; // wrong
    out[threadIdx.x] = sum;
}
__global__ void right(const float *x, float *out) {
    __shared__ float rows[32][33];
    for (int i = 0; i < 32; i++) rows[i][threadIdx.x] = x[i * 32 + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 32; i++) sum += rows[threadIdx.x][i];
    out[threadIdx.x] = sum;
}
