// Defect: null pointer
// An entry of a table of pointers was never set.
// Launch: 1, 1, 0
// Args: table ptr[2] null; out float[1] new
__global__ void k(float *const *table, float *out) {
    *out = table[1][3]; // wrong
}
