// Defect: race
// A counter that others change atomically is read plainly in the same step.
// Launch: 1, 64, 0
// Args: count uint[1] zeros; out uint[64] new
__global__ void k(unsigned *count, unsigned *out) {
    atomicAdd(count, 1u); // wrong
    out[threadIdx.x] = *count; // wrong
}
