// Defect: use after free
// A pointer to a buffer that was freed is still in a table.
// Launch: 1, 1, 0
// Args: table ptr[2] freed; out float[1] new
__global__ void k(float *const *table, float *out) {
    *out = table[1][3]; // wrong
}
