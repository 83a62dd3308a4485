// Defect: fault
// The kernel is launched with more threads than it is made for.
// Launch: 1, 64, 0
// Args: out int[64] new
#include <cassert>
__global__ void k(int *out) {
    assert(blockDim.x <= 32); // wrong
    out[threadIdx.x] = 1;
}
