struct nd_args { long long v[{{words}}]; };
typedef {{key}} nd_key;
static __device__ __forceinline__ nd_key nd_encode(nd_key k, int mode) {
    const nd_key nd_sign = (nd_key)1 << {{sign}};
    return {{encode}};
}
static __device__ __forceinline__ nd_key nd_decode(nd_key k) {
    const nd_key nd_sign = (nd_key)1 << {{sign}};
    return {{decode}};
}
// Which threads of the warp have the same digit. On a GPU eight votes take less time than one match.
static __device__ __forceinline__ unsigned nd_same(unsigned digit) {
#ifdef GOPHERWARP_SIM
    return __match_any_sync(0xffffffffu, digit);
#else
    unsigned same = 0xffffffffu;
#pragma unroll
    for (int b = 0; b < 8; b++) {
        unsigned like;
        asm("{\n .reg .pred p;\n .reg .b32 t;\n and.b32 t, %1, %2;\n setp.ne.u32 p, t, 0;\n"
                     " vote.ballot.sync.b32 %0, p, 0xffffffff;\n @!p not.b32 %0, %0;\n}" : "=r"(like) : "r"(digit), "r"(1u << b));
        same &= like;
    }
    return same;
#endif
}
