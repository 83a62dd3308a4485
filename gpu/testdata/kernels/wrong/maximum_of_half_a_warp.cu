// Defect: inactive lane
// The mask names the lower half of the warp, and its lanes read the upper half, too.
// Launch: 1, 32, 0
// Args: x float[32] ramp; most float[1] zeros
__global__ void k(const float *x, float *most) {
    float v = x[threadIdx.x];
    if (threadIdx.x < 16) {
        for (int step = 16; step > 0; step /= 2)
            v = fmaxf(v, __shfl_xor_sync(0x0000ffff, v, step)); // wrong
        if (threadIdx.x == 0)
            *most = v;
    }
}
