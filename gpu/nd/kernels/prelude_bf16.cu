
struct bf16 { unsigned short bits; };
static __device__ __forceinline__ float nd_load(bf16 h) { return __uint_as_float((unsigned)h.bits << 16); }
static __device__ __forceinline__ bf16 nd_store_bf16(float x) {
    unsigned u = __float_as_uint(x);
    bf16 h;
    h.bits = (unsigned short)((u & 0x7fffffff) > 0x7f800000 ? u >> 16 | 0x40 : (u + 0x7fff + (u >> 16 & 1)) >> 16);
    return h;
}
static __device__ __forceinline__ float nd_round_bf16(float x) { return nd_load(nd_store_bf16(x)); }
