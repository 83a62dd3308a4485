// Defect: race
// The last 64 sums of a block are added by one warp in global memory, whose lanes need not run in step.
// Launch: 2, 64, 0
// Args: x int[128] ramp; out int[2] new
__global__ void k(int *x, int *out) {
    int t = threadIdx.x;
    int *mine = x + blockIdx.x * blockDim.x;
    if (t < 32) {
        volatile int *v = mine;
        v[t] += v[t + 32]; // wrong
        v[t] += v[t + 16]; // wrong
        v[t] += v[t + 8]; // wrong
        v[t] += v[t + 4]; // wrong
        v[t] += v[t + 2]; // wrong
        v[t] += v[t + 1]; // wrong
    }
    if (t == 0)
        out[blockIdx.x] = mine[0];
}
