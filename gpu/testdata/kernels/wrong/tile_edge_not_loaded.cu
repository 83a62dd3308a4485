// Defect: uninitialised read
// Threads beyond the end load nothing, and their places in the tile are read.
// Launch: 1, 64, 0
// Args: x float[50] ramp; out float[1] new; n int 50
__global__ void k(const float *x, float *out, int n) {
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t < n)
        s[t] = x[t];
    __syncthreads();
    if (t == 0) {
        float sum = 0;
        for (int i = 0; i < blockDim.x; i++)
            sum += s[i]; // wrong
        *out = sum;
    }
}
