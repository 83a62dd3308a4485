// Defect: wrong warp mask
// The upper half of the warp uses the mask of the lower half.
// Launch: 1, 32, 0
// Args: out int[32] new
__global__ void k(int *out) {
    out[threadIdx.x] = __shfl_down_sync(0x0000ffff, (int)threadIdx.x, 1); // wrong
}
