// A number's place in the order of a sort, in which places are counted as in a circle: NaNs are above infinity, or below the least number.
static __device__ __forceinline__ nd_key nd_order(nd_key k) {
    const nd_key nd_sign = (nd_key)1 << {{sign}};
    return {{order}};
}
