// Defect: race
// The halves of the reduction are added before all of the last round is there.
// Launch: 1, 128, 0
// Args: x float[128] ramp; out float[1] new
__global__ void k(const float *x, float *out) {
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int n = 64; n > 0; n /= 2) {
        if (t < n)
            s[t] += s[t + n]; // wrong
    }
    if (t == 0)
        *out = s[0];
}
