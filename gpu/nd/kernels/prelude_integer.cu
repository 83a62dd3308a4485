
template <class T> __device__ __forceinline__ bool nd_least(T a) { return (T)-1 < (T)0 && a == (T)((T)1 << (sizeof(T) * 8 - 1)); }
template <class T> __device__ __forceinline__ T nd_quotient(T a, T b) {
    return b == 0 ? (T)0 : nd_least(a) && b == (T)-1 ? a : (T)(a / b);
}
template <class T> __device__ __forceinline__ T nd_rest(T a, T b) { return b == 0 || (nd_least(a) && b == (T)-1) ? (T)0 : (T)(a % b); }
template <class T> __device__ __forceinline__ T nd_intfloordiv(T a, T b) {
    T q = nd_quotient(a, b);
    return nd_rest(a, b) != 0 && (a < 0) != (b < 0) ? (T)(q - 1) : q;
}
template <class T> __device__ __forceinline__ T nd_intmod(T a, T b) {
    T r = nd_rest(a, b);
    return r != 0 && (r < 0) != (b < 0) ? (T)(r + b) : r;
}
template <class T, class U> __device__ __forceinline__ T nd_ipow(T a, T b) {
    if (b < 0)
        return a == 1 ? (T)1 : a == (T)-1 ? (T)(b & 1 ? -1 : 1) : (T)0;
    U r = 1, x = (U)a;
    for (; b > 0; b >>= 1, x *= x)
        if (b & 1)
            r *= x;
    return (T)r;
}
template <class T, class U> __device__ __forceinline__ T nd_shl(T a, T b) { return b < 0 || b >= (T)(sizeof(T) * 8) ? (T)0 : (T)((U)a << b); }
template <class T> __device__ __forceinline__ T nd_shr(T a, T b) {
    return b < 0 || b >= (T)(sizeof(T) * 8) ? (T)(a < 0 ? -1 : 0) : (T)(a >> b);
}
