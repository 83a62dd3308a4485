
struct f16 { unsigned short bits; };
#ifdef GOPHERWARP_SIM
static __device__ __forceinline__ float nd_load(f16 h) { _Float16 n; memcpy(&n, &h, 2); return (float)n; }
static __device__ __forceinline__ f16 nd_store_f16(float x) { _Float16 n = (_Float16)x; f16 h; memcpy(&h, &n, 2); return h; }
#else
static __device__ __forceinline__ float nd_load(f16 h) { float x; asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h.bits)); return x; }
static __device__ __forceinline__ f16 nd_store_f16(float x) { f16 h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h.bits) : "f"(x)); return h; }
#endif
static __device__ __forceinline__ float nd_round_f16(float x) { return nd_load(nd_store_f16(x)); }
