
template <class T> __device__ __forceinline__ T nd_mod(T a, T b) {
    T m = fmod(a, b);
    if (m != 0)
        return (b < 0) != (m < 0) ? m + b : m;
    return copysign((T)0, b);
}
template <class T> __device__ __forceinline__ T nd_floordiv(T a, T b) {
    if (b == 0)
        return a / b;
    T m = fmod(a, b), d = (a - m) / b;
    if (m != 0 && (b < 0) != (m < 0))
        d -= 1;
    if (d == 0)
        return copysign((T)0, a / b);
    T f = floor(d);
    return d - f > (T)0.5 ? f + 1 : f;
}
