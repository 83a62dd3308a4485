// Conversions to half precision that round towards zero, up and down, from floats and from integers.
//
//	x = float[512] uniform 62
//	zero = half[512] zero
//	up = half[512] zero
//	down = half[512] zero
//	whole = half[512] zero
//	back = int[512] zero
//	launch directed<<<2, 256>>>(x, zero, up, down)
//	launch integers<<<2, 256>>>(whole, back)
#include <cuda_fp16.h>

__global__ void directed(const float *x, half *zero, half *up, half *down) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = (x[i] - 0.5f) * 100;
	zero[i] = __float2half_rz(v);
	up[i] = __float2half_ru(v);
	down[i] = __float2half_rd(v);
}

__global__ void integers(half *whole, int *back) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int v = (i - 256) * 101;
	whole[i] = i % 2 ? __int2half_rz(v) : __short2half_ru(short(v));
	back[i] = __half2int_rd(__float2half_rn(v * 0.01f)) * 1000 + __half2short_ru(__float2half_rn(v * 0.01f));
}
