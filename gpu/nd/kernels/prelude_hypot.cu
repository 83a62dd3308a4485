
// CUDA's hypot of a number near the largest one and a small one is infinite.
template <class T> __device__ __forceinline__ T nd_hypot(T a, T b) {
    const T h = hypot(a, b);
    if (h - h == 0 || a - a != 0 || b - b != 0)
        return h;
    const T x = fmax(fabs(a), fabs(b)), y = fmin(fabs(a), fabs(b));
    return y < x * (T)1e-9 ? x : 2 * hypot(x / 2, y / 2);
}
