// Defect: race
// Hillis and Steele's scan reads and writes the same array in one step.
// Launch: 1, 64, 0
// Args: x float[64] ramp; out float[64] new
__global__ void k(const float *x, float *out) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        if (t >= d)
            s[t] += s[t - d]; // wrong
        __syncthreads();
    }
    out[t] = s[t];
}
