
static __device__ __forceinline__ float nd_nextafter(float a, float b) { return nextafterf(a, b); }
static __device__ __forceinline__ double nd_nextafter(double a, double b) { return nextafter(a, b); }
