// Defect: out of bounds
// An index past the first shared array would land in the second.
// Launch: 1, 64, 0
// Args: x float[64] ramp; out float[64] new
__global__ void k(const float *x, float *out) {
    __shared__ float a[64], b[64];
    int t = threadIdx.x;
    a[t] = x[t];
    b[t] = -x[t];
    __syncthreads();
    out[t] = a[t + 32] + b[t + 32 - 32 * (t / 32)]; // wrong
}
