// Defect: out of bounds
// Width and height are mixed up in the index of a 16 by 8 matrix.
// Launch: 1, 16x8, 0
// Args: x float[128] ramp; out float[128] new; w int 16; h int 8
__global__ void k(const float *x, float *out, int w, int h) {
    int col = threadIdx.x, row = threadIdx.y;
    float v = x[col * w + row]; // wrong
    out[row * w + col] = v;
}
