// Defect: out of bounds
// The launch gives half of the dynamic shared memory that the kernel uses.
// Launch: 1, 64, 128
// Args: x float[64] ramp; out float[64] new
__global__ void k(const float *x, float *out) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    s[t] = x[t]; // wrong
    __syncthreads();
    out[t] = s[63 - t]; // wrong
}
