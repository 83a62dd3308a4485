// Defect: exit before a barrier
// Threads beyond the end return, and the others go on without them.
// Launch: 1, 64, 0
// Args: x float[50] ramp; out float[50] new; n int 50
__global__ void k(const float *x, float *out, int n) {
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t >= n)
        return;
    s[t] = x[t];
    __syncthreads(); // wrong
    out[t] = s[n - 1 - t];
}
