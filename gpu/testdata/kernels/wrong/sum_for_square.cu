// Defect: wrong result
// A square is wanted, and a sum is called with one buffer as all its arguments: that gives 2x, not x times x.
// Launch: 1, 32, 0
// Args: x int[32] ramp
__device__ void add(const int *a, const int *b, int *sum) {
    *sum = *a + *b;
}
__global__ void k(int *x) {
    add(&x[threadIdx.x], &x[threadIdx.x], &x[threadIdx.x]); // wrong
}
__global__ void right(int *x) {
    x[threadIdx.x] *= x[threadIdx.x];
}
