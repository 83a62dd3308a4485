
// Rounds so that rounding once more, to 16 bits, gives what rounding x at once would.
static __device__ __forceinline__ float nd_odd(double x) {
    float f = (float)x;
    if ((double)f == x || !(f - f == 0))
        return f;
    unsigned u = __float_as_uint(f);
    if (((double)f > x) == (x > 0))
        u--;
    return __uint_as_float(u | 1);
}
