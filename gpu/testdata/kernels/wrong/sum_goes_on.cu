// Defect: wrong result
// The sum goes on from what the launch before has left in the output.
// Launch: 1, 32, 0
// Args: x int[32] ramp; out int[2] ramp
__global__ void k(const int *x, int *out) {
    atomicAdd(&out[1], x[threadIdx.x]); // wrong
}
__global__ void right(const int *x, int *out) {
    if (threadIdx.x == 0) out[1] = 0;
    __syncthreads();
    atomicAdd(&out[1], x[threadIdx.x]);
}
