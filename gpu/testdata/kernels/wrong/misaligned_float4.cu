// Defect: misaligned access
// A float4 must begin at a multiple of 16 bytes.
// Launch: 1, 16, 0
// Args: x float[65] ramp; out float[64] new
__global__ void k(const float *x, float *out) {
    float4 v = *reinterpret_cast<const float4 *>(x + 1 + 4 * threadIdx.x); // wrong
    out[4 * threadIdx.x] = v.x + v.y + v.z + v.w;
}
