// bfloat16: the exponents of float with eight bits of precision.
//
//	a = bfloat16[1024] uniform 42
//	b = bfloat16[1024] uniform 43
//	sum = bfloat16[1024] zero
//	pairs = bfloat16[1024] zero
//	big = float[1024] zero
//	launch add<<<4, 256>>>(a, b, sum)
//	launch both<<<2, 256>>>(a, b, pairs)
//	launch scale<<<4, 256>>>(a, big)
#include <cuda_bf16.h>

__global__ void add(const __nv_bfloat16 *a, const __nv_bfloat16 *b, __nv_bfloat16 *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = a[i] < b[i] ? a[i] + b[i] : __hmul(a[i], b[i]);
}

__global__ void both(const __nv_bfloat162 *a, const __nv_bfloat162 *b, __nv_bfloat162 *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = (a[i] + __float2bfloat162_rn(-1.0f)) * b[i]; // a sum of a product would be fused
}

__global__ void scale(const __nv_bfloat16 *a, float *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = __bfloat162float(__float2bfloat16(__bfloat162float(a[i]) * 1e30f));
}
