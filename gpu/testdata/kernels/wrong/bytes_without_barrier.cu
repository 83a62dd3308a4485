// Defect: race
// What one thread reads others have yet to write: the barrier is missing, not the values.
// Launch: 1, 32, 0
// Args: x uchar[32] ramp; bytes uchar[32] new; out uint[1] new
__global__ void k(const unsigned char *x, unsigned char *bytes, unsigned *out) {
    int t = threadIdx.x;
    bytes[t] = x[t]; // wrong
    if (t == 0) {
        unsigned sum = 0;
        for (int i = 0; i < 32; i += 4) {
            sum += bytes[i];
            sum += bytes[i + 1] << 8; // wrong
            sum += bytes[i + 2] << 16; // wrong
            sum += bytes[i + 3] << 24; // wrong
        }
        *out = sum;
    }
}
