// Defect: race
// The tile is read before its other half has been loaded.
// Launch: 1, 128, 0
// Args: x float[128] ramp; out float[128] new
__global__ void k(const float *x, float *out) {
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[t]; // wrong
    out[t] = s[127 - t]; // wrong
}
