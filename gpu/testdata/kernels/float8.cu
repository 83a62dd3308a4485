// Numbers of 8 bits: conversions from and to them, one by one and in pairs.
//
//	a = float[512] uniform 72
//	four = uchar[512] zero
//	five = uchar[512] zero
//	back = float[512] zero
//	pairs = ushort[256] zero
//	all = half[256] zero
//	other = half[256] zero
//	launch convert<<<4, 128>>>(a, four, five, back)
//	launch both<<<2, 128>>>(a, pairs)
//	launch every<<<2, 128>>>(all, other)
#include <cuda_fp8.h>

__global__ void convert(const float *a, unsigned char *four, unsigned char *five, float *back) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = ldexpf(a[i] - 0.5f, i % 40 - 20);
	__nv_fp8_e4m3 f(v);
	four[i] = f.__x;
	five[i] = __nv_cvt_float_to_fp8(v, __NV_NOSAT, __NV_E5M2);
	back[i] = (float)f + (float)__nv_fp8_e5m2(v);
}

__global__ void both(const float *a, unsigned short *pairs) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	__nv_fp8x2_e4m3 p(make_float2(a[2 * i] * 600, -a[2 * i + 1]));
	pairs[i] = p.__x;
}

// All 256 of both kinds; not a number becomes 0.
__global__ void every(__half *all, __half *other) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	__half h = __nv_cvt_fp8_to_halfraw(i, __NV_E4M3), g = __nv_cvt_fp8_to_halfraw(i, __NV_E5M2);
	all[i] = __hisnan(h) ? __float2half(0.0f) : h;
	other[i] = __hisnan(g) ? __float2half(0.0f) : g;
}
