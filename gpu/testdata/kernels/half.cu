// Half precision: arithmetic one by one and in pairs, sums in float, conversions and the
// mathematics, in the rounding of every step.
//
//	a = half[1024] uniform 40
//	b = half[1024] uniform 41
//	sum = half[1024] zero
//	fused = half[1024] zero
//	pairs = half[1024] zero
//	dot = float[4] zero
//	whole = int[1024] zero
//	roots = half[1024] zero
//	total = half[1] zero
//	near dot 1e-5
//	near roots 1e-3
//	launch add<<<4, 256>>>(a, b, sum)
//	launch fma<<<4, 256>>>(a, b, fused)
//	launch both<<<2, 256>>>(a, b, pairs)
//	launch dot_product<<<4, 256>>>(a, b, dot)
//	launch convert<<<4, 256>>>(a, whole)
//	launch root<<<4, 256>>>(a, roots)
//	launch count<<<1, 64>>>(total)
#include <cuda_fp16.h>

__global__ void add(const half *a, const half *b, half *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	half x = a[i] + b[i];
	if (x > __float2half(1.0f)) x -= __float2half(0.5f);
	out[i] = __hlt(a[i], b[i]) ? x : -x;
}

__global__ void fma(const __half *a, const __half *b, __half *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = __hfma(a[i], b[i], __hmul(a[i], __hsub(b[i], a[i])));
}

__global__ void both(const half2 *a, const half2 *b, half2 *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	half2 v = __hmul2(__hadd2(a[i], b[i]), __float2half2_rn(3.0f)); // a sum of a product would be fused
	out[i] = __halves2half2(__high2half(v), __low2half(v));
}

__global__ void dot_product(const half *a, const half *b, float *out) {
	__shared__ float s[256];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	s[threadIdx.x] = __half2float(a[i]) * __half2float(b[i]);
	__syncthreads();
	for (int k = 128; k > 0; k /= 2) {
		if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
		__syncthreads();
	}
	if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

__global__ void convert(const half *a, int *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	half h = a[i] * __int2half_rn(100);
	out[i] = __half2int_rn(h) * 1000 + __half2int_rz(h) + __half_as_ushort(h) * 1000000;
}

__global__ void root(const half *a, half *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = hsqrt(a[i]);
}

__global__ void count(half *total) {
	half v = __float2half(1.0f);
	for (int k = 16; k > 0; k /= 2) v += __shfl_xor_sync(0xffffffff, v, k);
	if (threadIdx.x % 32 == 0) atomicAdd(total, v);
}
