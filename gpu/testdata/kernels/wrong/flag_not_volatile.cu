// Defect: deadlock
// The compiler reads the flag once, since nothing says that others change it.
// Launch: 1, 64, 0
// Args: flag int[1] zeros; out int[64] new
__global__ void k(const int *__restrict__ flag, int *out) {
    while (*flag == 0) // wrong
        ;
    out[threadIdx.x] = 1;
}
