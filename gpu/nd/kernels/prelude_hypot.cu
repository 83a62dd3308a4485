
// CUDA's hypot of a number near the largest one and a small one is infinite.
template <class T> __device__ __forceinline__ T nd_hypot(T a, T b) {
    const T h = hypot(a, b);
    return h - h != 0 && a - a == 0 && b - b == 0 ? 2 * hypot(a / 2, b / 2) : h;
}
