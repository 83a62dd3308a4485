// Defect: inactive lane
// The threads behind the end of x have returned, and lane 0 adds what it gets for them.
// Launch: 1, 64, 0
// Args: x int[40] ramp; sum int[2] zeros; n int 40
__global__ void k(const int *x, int *sum, int n) {
    int i = threadIdx.x;
    if (i >= n)
        return;
    int v = x[i];
    for (int step = 16; step > 0; step /= 2)
        v += __shfl_down_sync(0xffffffff, v, step); // wrong
    if (i % 32 == 0)
        sum[i / 32] = v;
}
