// Defect: fault
// The kernel stops itself, as it does when it meets a case that it was not made for.
// Launch: 1, 64, 0
// Args: out int[64] new; n int 48
__global__ void k(int *out, int n) {
    if (n % 32 != 0)
        __trap(); // wrong
    out[threadIdx.x] = 1;
}
