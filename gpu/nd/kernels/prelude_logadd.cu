
template <class T> __device__ __forceinline__ T nd_logaddexp(T a, T b) {
    if (a == b)
        return a + (T)0.693147180559945309417232121458;
    T d = a - b;
    return d > 0 ? a + log1p(exp(-d)) : d <= 0 ? b + log1p(exp(d)) : d;
}
