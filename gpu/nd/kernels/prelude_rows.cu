
// nd_from returns the accumulator of that lane of the warp.
template <class A> static __device__ __forceinline__ A nd_from(A acc, int lane) {
    struct { unsigned at[(sizeof(A) + 3) / 4]; } words = {};
    memcpy(&words, &acc, sizeof(A));
#pragma unroll
    for (int k = 0; k < (sizeof(A) + 3) / 4; k++)
        words.at[k] = __shfl_sync(0xffffffffu, words.at[k], lane);
    memcpy(&acc, &words, sizeof(A));
    return acc;
}
// nd_joined returns what the accumulators of that many adjacent lanes amount to.
template <class A, int lanes, A join(A, A)> static __device__ __forceinline__ A nd_joined(A acc) {
    const int lane = (threadIdx.y * blockDim.x + threadIdx.x) % 32;
#pragma unroll
    for (int d = lanes / 2; d > 0; d /= 2)
        acc = join(acc, nd_from(acc, lane ^ d));
    return acc;
}
// nd_whole returns what the accumulators of all threads of a row amount to. The room is for one of each warp.
template <class A, int threads, A join(A, A)> static __device__ __forceinline__ A nd_whole(A acc, A *room) {
    const int lane = threadIdx.x % 32, warps = threads / 32;
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        acc = join(acc, nd_from(acc, lane ^ d));
    if (warps > 1) {
        if (lane == 0)
            room[threadIdx.x / 32] = acc;
        __syncthreads();
        acc = room[lane % warps];
#pragma unroll
        for (int d = warps / 2; d > 0; d /= 2)
            acc = join(acc, nd_from(acc, lane ^ d));
    }
    // The accumulators of the lanes may differ in the sign of zero.
    return nd_from(acc, 0);
}
