// Defect: out of bounds
// The last thread looks at a right neighbour that the array has no room for.
// Launch: 1, 64, 0
// Args: x float[64] ramp; out float[64] new
__global__ void k(const float *x, float *out) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    out[t] = s[t] + s[t + 1]; // wrong
}
