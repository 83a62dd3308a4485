// Defect: race
// Lanes of a warp need not run in step, and volatile does not make them.
// Launch: 1, 64, 0
// Args: x float[64] ramp; out float[1] new
__device__ void sumOfWarp(volatile float *s, int t) {
    s[t] += s[t + 32]; // wrong
    s[t] += s[t + 16]; // wrong
    s[t] += s[t + 8]; // wrong
    s[t] += s[t + 4]; // wrong
    s[t] += s[t + 2]; // wrong
    s[t] += s[t + 1]; // wrong
}

__global__ void k(const float *x, float *out) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < 32)
        sumOfWarp(s, t);
    if (t == 0)
        *out = s[0];
}
