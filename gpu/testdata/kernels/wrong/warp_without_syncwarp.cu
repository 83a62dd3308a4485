// Defect: race
// Lanes of a warp need not run in step: their exchange needs __syncwarp.
// Launch: 1, 32, 0
// Args: x float[32] ramp; out float[1] new
__global__ void k(const float *x, float *out) {
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncwarp();
    if (t < 16)
        s[t] += s[t + 16]; // wrong
    if (t < 8)
        s[t] += s[t + 8]; // wrong
    __syncwarp();
    if (t == 0)
        *out = s[0];
}
