// Defect: fault
// A thread's stack is small, and this function calls itself once for each element.
// Launch: 1, 1, 0
// Args: x int[64] ramp; out int[1] new
__device__ int depth(const int *x, int i, int n) {
    volatile int here = x[i % 64]; // wrong
    return n == 0 ? here : depth(x, i + 1, n - 1) + here; // wrong
}
__global__ void k(const int *x, int *out) {
    *out = depth(x, 0, 1 << 24); // wrong
}
