
// nd_before returns what the accumulators of the warp's lanes before this one amount to, which is none for the first, and sets all to those of
// all lanes.
template <class A, A join(A, A)> static __device__ __forceinline__ A nd_before(A acc, A none, A &all) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        const A left = nd_from(acc, (lane - d) & 31);
        if (lane >= d)
            acc = join(left, acc);
    }
    all = nd_from(acc, 31);
    const A left = nd_from(acc, (lane - 1) & 31);
    return lane > 0 ? left : none;
}
// nd_parts replaces each of that many accumulators by what those before it amount to, and the one behind them by all of them. One warp calls it.
template <class A, int count, A join(A, A)> static __device__ __forceinline__ void nd_parts(A *parts, A none) {
    const int each = (count + 31) / 32, begin = threadIdx.x % 32 * each;
    A acc = none, all;
#pragma unroll
    for (int k = 0; k < each; k++)
        if (begin + k < count)
            acc = join(acc, parts[begin + k]);
    acc = nd_before<A, join>(acc, none, all);
#pragma unroll
    for (int k = 0; k < each; k++)
        if (begin + k < count) {
            const A own = parts[begin + k];
            parts[begin + k] = acc;
            acc = join(acc, own);
        }
    if (begin == 0)
        parts[count] = all;
}
